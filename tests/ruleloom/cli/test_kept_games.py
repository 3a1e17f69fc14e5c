"""Games that are kept without being asked for: where, how they are gone on with, and what is never
taken away."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest

from ruleloom.cli.play import saved_games
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play import journal
from tests.support.command import Done, call, spawn

PLAY = ("play", "gnostica", "--players", "Ann=human,steady", "--seed", "11")
EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "examples"
FIRST = ("--switch", "first_player=by_agreement")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv("RULELOOM_GAMES", str(place))
    return place


def play(typed: str = "1\n") -> Done:
    done = call(*PLAY, *FIRST, typed=typed)
    assert done.code == 0, done.err
    return done


def test_a_game_is_kept_anyway_and_the_end_says_where(folder: Path):
    done = play()
    (file,) = folder.iterdir()
    assert re.fullmatch(r"gnostica-\d{8}-\d{6}-[0-9a-f]{4}\.save", file.name)
    last = done.out.splitlines()[-1]
    assert last.endswith(f"kept; `ruleloom play --resume {file}` goes on with it.")
    assert call("play", "--resume", file).out.startswith("Gnostica, resumed after ")
    assert list(folder.iterdir()) == [file]


def test_resume_alone_lists_what_there_is(folder: Path):
    play("1\n1/1\n")
    play()
    names = [one.path.stem for one in saved_games.kept_games()]
    assert len(names) == 2
    done = call("play", "--resume", typed="2\n")
    assert re.search(rf"^   1  {names[0]}: Ann, B; \d+ answers; ", done.out, re.M)
    assert re.search(rf"^   2  {names[1]}: Ann, B; \d+ answers; ", done.out, re.M)
    assert "Which way does the piece you place on Move 9 face?" in done.out
    by_name = call("play", "--resume", names[1], typed="")
    assert "Which way does the piece you place on Move 9 face?" in by_name.out
    first = call("play", "--resume", typed="\n")
    assert (
        "Which way does the piece you place on Move 9 face?" in first.out
    )  # the latest is the one that was resumed
    assert call("play", "--resume", typed="").code == 2


@pytest.mark.parametrize(
    ("value", "told"), [("off", "RULELOOM_GAMES is off"), ("", "no game is kept")]
)
def test_nothing_to_resume_is_said(
    value: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RULELOOM_GAMES", value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = call("play", "--resume")
    assert (done.code, told in done.err) == (2, True)
    done = play()
    kept = list((tmp_path / "ruleloom" / "games").glob("*")) if value != "off" else []
    assert len(kept) == (0 if value == "off" else 1)
    assert ("not saved" in done.out) == (value == "off")


def test_only_old_games_that_were_named_here_go(folder: Path):
    folder.mkdir()
    own = [folder / f"gnostica-20260101-0000{n:02}-abcd.save" for n in range(30)]
    for age, file in enumerate(own):
        file.write_text("x", encoding="utf-8")
        os.utime(file, (age, age))
    somebodys = [folder / "our evening.save", folder / "notes.txt"]
    for file in somebodys:
        file.write_text("mine", encoding="utf-8")
        os.utime(file, (1, 1))
    play()
    left = set(folder.iterdir())
    assert set(somebodys) < left
    assert set(own) & left == set(own[-(saved_games.MOST_KEPT - 1) :])
    assert len(left) == saved_games.MOST_KEPT + len(somebodys)


def test_a_game_between_bots_is_not_kept(folder: Path):
    call("play", "gnostica", "--players", "steady,steady", "--seed", "1", "--turn-limit", "1")
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    place = tmp_path / "a file"
    place.write_text("x", encoding="utf-8")
    monkeypatch.setenv("RULELOOM_GAMES", str(place))
    assert "not saved" in play().out
    assert place.read_text(encoding="utf-8") == "x"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_whatever_stops_it_the_game_can_be_gone_on_with(how: signal.Signals, folder: Path):
    process = spawn(*PLAY, *FIRST)
    assert process.stdin is not None
    process.stdin.write("1\n1/1\n")
    process.stdin.flush()
    for _ in range(600):
        time.sleep(0.1)
        saves = list(folder.glob("*.save"))
        if saves and saves[0].read_text(encoding="utf-8").count('"keys":["1/1"]'):
            break
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    (file,) = folder.glob("*.save")
    assert journal.load(file, driver_of).game.entries[-1].keys == ("1/1",)
    if how == signal.SIGINT:
        assert process.returncode == 130, err
        told = (
            f"The game is not finished, and kept; `ruleloom play --resume {file}` goes on with it."
        )
        assert told in out.splitlines()


def test_what_is_finished_is_marked_and_is_not_the_usual_one(folder: Path):
    play()
    campaign = ("--campaign", EXAMPLES / "salt-and-lanterns", "--scene", "the-lamp-room")
    done = call("play", "moonstone", *campaign, "--players", "Ann=human,steady", typed="1\n")
    assert "The game is over" in done.out
    listed = call("play", "--resume", typed="\n").out
    assert re.search(r"^   1  moonstone-\S+: Ann, B; finished; ", listed, re.M)
    assert re.search(r"^   2  gnostica-\S+: Ann, B; \d+ answers; ", listed, re.M)
    assert "Enter for 2: " in listed
    assert "Gnostica, resumed after" in listed


def test_a_save_that_is_named_as_a_game_is_told_how_it_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("evening.save").write_text("{}\n", encoding="utf-8")
    done = call("play", "evening.save", "--players", "random,random")
    assert done.code == 2
    assert "`ruleloom play --resume evening.save`" in done.err
