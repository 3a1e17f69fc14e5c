"""Saves that fail, that are in the way of others, that two write, and that are torn: nobody loses a
game without a word."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ruleloom.cli.play import saved_games
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play import files, journal
from ruleloom.runtime.play.files import FileFault, held_alone, sweep
from ruleloom.runtime.play.game import Game
from ruleloom.table.seats import parse_seats
from ruleloom.table.session import Session
from tests.support.command import Done, call

PLAY = ("play", "gnostica", "--players", "Ann=human,steady", "--seed", "11")
FIRST = ("--switch", "first_player=by_agreement")
SEATS = parse_seats("Ann=human,steady")


def play(path: Path, typed: str = "1\n", *words: str | Path) -> Done:
    return call(*PLAY, *FIRST, "--save", path, *words, typed=typed)


def game_in(path: Path) -> Game:
    return journal.load(path, driver_of).game


# ---------------------------------------------------------------------------------- a save that failed


def test_a_save_that_failed_is_not_announced_as_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    writes, save = [], journal.save

    def fails_later(game: Game, path: str, tool: str = "") -> None:
        writes.append(game.serial)
        if len(writes) > 1:
            raise FileFault(path, "the disk is full")
        save(game, path, tool)

    monkeypatch.setattr(journal, "save", fails_later)
    path = tmp_path / "game.save"
    done = play(path)
    assert done.code == 2
    last = done.out.splitlines()[-1]
    assert "could not be saved" in last
    assert "the disk is full" in last
    assert "and kept" not in done.out
    assert f"`ruleloom play --resume {path}` goes on with what was saved before" in last


def test_a_game_that_is_over_and_was_not_saved_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, save, writes = tmp_path / "game.save", journal.save, []

    def fails_later(game: Game, path: str, tool: str = "") -> None:
        writes.append(game.serial)
        if len(writes) > 1:
            raise FileFault(path, "the disk is full")
        save(game, path, tool)

    monkeypatch.setattr(journal, "save", fails_later)
    words = ("play", "gnostica", "--players", "random,random", "--seed", "3", "--turn-limit", "1")
    done = call(*words, "--save", path)
    assert done.code == 2
    assert "could not be saved" in done.out


# ---------------------------------------------------------------------------------- what was there


def test_no_older_game_is_dropped(tmp_path: Path):
    path = tmp_path / "game.save"
    told = [play(path, typed).err for typed in ("1\n", "1\n1\n", "1\n1\n\n")]
    assert told[0] == ""
    assert f"{path}~ now" in told[1]
    assert f"{path}~2 now" in told[2]
    files = sorted(one.name for one in tmp_path.iterdir())
    assert files == ["game.save", "game.save~", "game.save~2"]
    assert len({game_in(tmp_path / one).serial for one in files}) == 3


def test_another_game_of_the_same_seed_is_another_game(tmp_path: Path):
    path, other = tmp_path / "game.save", tmp_path / "other.save"
    play(other, "2\n1\n")
    done = play(path, f"1\n1/1\nsave {other}\n")
    assert f"the other game that was there is in {other}~" in done.out
    earlier = play(tmp_path / "third.save", f"1\nsave {path}\n1/1\nsave {path}\n")
    assert earlier.out.count("the other game") == 1  # of the first `save`, and not of the second


# ---------------------------------------------------------------------------------- two at a time


def test_who_resumes_what_somebody_plays_on_loses_nothing(tmp_path: Path):
    path = tmp_path / "game.save"
    play(path, "1\n")
    begun = game_in(path)
    later = saved_games.Keeper(str(path), SEATS, saved_games.mark_of(str(path)))
    first = saved_games.Keeper(str(path), SEATS, saved_games.mark_of(str(path)))
    first.start(begun, True)
    further = begun.answer(begun.prompt.id, [begun.prompt.options[0].key])
    first.keep(further)
    later.start(begun, True)
    assert later.path == f"{path}-2"
    assert game_in(path).serial == further.serial
    assert game_in(Path(f"{path}-2")).serial == begun.serial


def test_only_one_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "game.save"
    monkeypatch.setattr("ruleloom.runtime.play.files.PATIENCE", 0.1)
    with (
        held_alone(path),
        pytest.raises(FileFault, match="another process is writing"),
        held_alone(path),
    ):
        pass
    with held_alone(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_was_left_behind_holds_nobody_up(tmp_path: Path):
    path = tmp_path / "game.save"
    lock = Path(f"{path}.lock")
    dies = (
        f"import os; from {files.__name__} import held_alone\n"
        f"with held_alone({str(path)!r}): os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", dies], check=False).returncode == 9
    assert lock.exists()
    with held_alone(path):
        assert lock.exists()
    assert not lock.exists()


def test_who_holds_the_lock_for_long_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "game.save"
    monkeypatch.setattr("ruleloom.runtime.play.files.PATIENCE", 0.1)
    with held_alone(path):
        os.utime(f"{path}.lock", (time.time() - 3600,) * 2)  # a laptop that slept, a stuck disk
        with pytest.raises(FileFault, match="another process is writing"), held_alone(path):
            pass
        assert Path(f"{path}.lock").exists()


def test_many_writers_take_turns(tmp_path: Path):
    path = tmp_path / "count"
    path.write_text("0", encoding="utf-8")

    def adds() -> None:
        for _ in range(20):
            with held_alone(path):
                path.write_text(str(int(path.read_text(encoding="utf-8")) + 1), encoding="utf-8")

    threads = [threading.Thread(target=adds) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert path.read_text(encoding="utf-8") == "80"
    assert [one.name for one in tmp_path.iterdir()] == ["count"]


def test_drafts_that_were_left_behind_are_cleaned_up(tmp_path: Path):
    old, new, own = (
        tmp_path / name
        for name in (f".ruleloom-{'a' * 16}.tmp", f".ruleloom-{'b' * 16}.tmp", "my.tmp")
    )
    for one in (old, new, own):
        one.write_text("half a save", encoding="utf-8")
    os.utime(old, (time.time() - 3600,) * 2)
    os.utime(own, (time.time() - 3600,) * 2)
    sweep(tmp_path)
    assert {one.name for one in tmp_path.iterdir()} == {new.name, own.name}
    os.utime(new, (time.time() - 3600,) * 2)
    play(tmp_path / "game.save")
    assert not new.exists()


# ---------------------------------------------------------------------------------- a torn save


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    play(path, "1\n1/1\n")
    path.write_bytes(path.read_bytes()[:-120])
    return path


def test_a_torn_save_says_how_to_go_on(torn: Path):
    for words in (("play", "--resume", torn), ("replay", torn)):
        done = call(*words)
        assert done.code == 2
        assert "intact and can be recovered" in done.err
        assert "--recover" in done.err


def test_a_torn_save_is_played_on(torn: Path):
    was = torn.read_bytes()
    done = call("play", "--resume", torn, "--recover", typed="")
    assert done.code == 0
    assert done.out.startswith("Gnostica, resumed after ")
    assert "can be recovered" in done.err
    assert f"{torn}~ now" in done.err
    assert Path(f"{torn}~").read_bytes() == was
    assert game_in(torn).serial > 0


def test_a_torn_save_is_told_again(torn: Path):
    done = call("replay", torn, "--recover")
    assert done.code == 0
    assert "can be recovered" in done.err
    assert "The game is not finished" in done.out
    assert torn.exists()
    assert not Path(f"{torn}~").exists()


def test_what_is_whole_needs_no_recovery(tmp_path: Path):
    path = tmp_path / "game.save"
    play(path)
    done = call("play", "--resume", path, "--recover", typed="")
    assert (done.code, done.err) == (0, "")
    assert not Path(f"{path}~").exists()
    assert call("play", "gnostica", "--recover").code == 2
    assert call("replay", path, "--recover", "--verify").code == 2


# ---------------------------------------------------------------------------------- shown and kept


def test_a_turn_is_kept_before_it_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    order: list[str] = []
    tell, keep = Session.tell, saved_games.Keeper.keep

    def tells(self: Session) -> object:
        order.append(f"told {self.game.serial}")
        return tell(self)

    def keeps(self: saved_games.Keeper, game: Game) -> None:
        order.append(f"kept {game.serial}")
        keep(self, game)

    monkeypatch.setattr(Session, "tell", tells)
    monkeypatch.setattr(saved_games.Keeper, "keep", keeps)
    play(tmp_path / "game.save", "1\n1/1\nN\n\n")
    told = [number for number, one in enumerate(order) if one.startswith("told")]
    assert told
    for number in told:
        assert order[number].replace("told", "kept") in order[:number]
