"""Bad input at the command line: each ends with a clear message, the right exit code and nothing
lost, at once."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ruleloom
from ruleloom.runtime.machine import step
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import FileFault
from ruleloom.runtime.play.scan import SAVE_FORMAT, sealed
from ruleloom.runtime.program.faults import Refused, StaleAnswer
from ruleloom.table.canvas import Look
from tests.conftest import ROOT
from tests.support.command import Done, call, spawn
from tests.support.stopwatch import within

BOTS = ("--players", "random,random", "--seed", "1", "--turn-limit", "2")
SERIES = ("play", "gnostica", *BOTS)
CASE = "kind: scenarios\ncases: [{id: a, when: [{option: place, at: 0/0, orient: N}], then: {turn: A}}]\n"
SECONDS = 20.0
NIM = ROOT / "tests" / "support" / "known_games" / "nim"  # a game that a process compiles at once
MANIFEST = 'kind: pack\nid: {id}\nversion: 1.0.0\ngame: gnostica\nedition: 1\nrequires: {{gnostica: ">=1.0"}}\n'


def refused(code: int, told: str, *words: str | Path, typed: str = "") -> Done:
    """Call, and hold the exit code, the message and the time against what is wanted."""
    with within(SECONDS):
        done = call(*words, typed=typed)
    everything = done.out + done.err
    assert (done.code, "Traceback" in everything, "fault of ours" in everything) == (
        code,
        False,
        False,
    ), everything
    assert told in everything, everything
    return done


def pack(folder: Path, **files: str) -> Path:
    """A pack for Gnostica with these files."""
    path = folder / "hostile"
    path.mkdir()
    (path / "pack.yaml").write_text(MANIFEST.format(id="hostile"), encoding="utf-8")
    for name, text in files.items():
        (path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return path


def turn(*lines: str) -> str:
    """A patch that gives the game another turn."""
    head = [
        "- kind: patch",
        "  id: another-turn",
        "  target: gnostica:flow/turn",
        "  replace-effect: |",
    ]
    return "\n".join([*head, *(f"    {line}" for line in lines)]) + "\n"


def power(id: str, *lines: str) -> str:
    """A power."""
    head = ["- kind: power", f"  id: {id}", '  gloss: "x"', "  effect: |"]
    return "\n".join([*head, *(f"    {line}" for line in lines)]) + "\n"


def measure(id: str, body: str) -> str:
    """A measure of a number."""
    return f'- kind: measure\n  id: {id}\n  takes: "n: Int"\n  gives: Int\n  is: "{body}"\n  english: x\n'


def setting(id: str, value: int) -> str:
    """A patch of a setting."""
    return f"- kind: patch\n  id: patched\n  target: gnostica:setting/{id}\n  set: {{value: {value}}}\n"


# ---------------------------------------------------------------------------------- saves


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A sound save."""
    path = tmp_path_factory.mktemp("saves") / "game.save"
    assert call("play", "gnostica", *BOTS, "--save", path).code == 0
    return path.read_bytes()


def broken_saves(saved: bytes) -> Iterator[tuple[str, bytes, str]]:
    """Ways to break a save: name, bytes, and what is told."""
    lines = saved.splitlines(keepends=True)
    header = {key: value for key, value in json.loads(lines[0]).items() if key != "crc"}
    future = sealed({**header, "format": SAVE_FORMAT + 1}).encode() + b"\n"
    program = sealed({**header, "program": {**header["program"], "format": 99}}).encode() + b"\n"
    stranger = sealed({**header, "game": "chess"}).encode() + b"\n"
    flipped = bytearray(saved)
    flipped[len(lines[0]) + len(lines[1]) + 9] ^= 4
    yield "cut in the header", saved[:20_000], "1: this is no save of Ruleloom, or a damaged one"
    yield "cut in an answer", b"".join(lines[:4])[:-9], "can be recovered"
    yield "without an end", b"".join(lines[:-1]), "the end of the save is missing"
    yield "one bit flipped", bytes(flipped), "3: "
    yield "of a future format", b"".join([future, *lines[1:]]), "it was made by a newer one"
    yield "with a future program", b"".join([program, *lines[1:]]), "the program is of format 99"
    yield "of another game", b"".join([stranger, *lines[1:]]), "speak of different games"
    yield "no text", bytes(range(256)), "not text in UTF-8"
    yield "no save", b"kind: pack\n", "this is no save of Ruleloom"
    yield "empty", b"", "the file is empty"


@pytest.mark.parametrize("number", range(10))
def test_a_broken_save_is_refused_and_left_alone(number: int, saved: bytes, tmp_path: Path):
    name, data, told = list(broken_saves(saved))[number]
    path = tmp_path / f"{name}.save"
    path.write_bytes(data)
    for words in (["play", "--resume"], ["replay"]):
        done = refused(2, told, *words, path)
        assert str(path) in done.err
    if name in ("no text", "empty"):  # nothing to verify
        refused(2, told, "replay", "--verify", path)
    else:
        assert refused(1, told, "replay", "--verify", path).out.startswith("differs: ")
    if name == "of another game":
        refused(2, "a save of `chess`, not of `gnostica`", "play", "gnostica", "--resume", path)
    assert path.read_bytes() == data


def test_what_is_no_file_is_refused(tmp_path: Path):
    for path, told in (
        (tmp_path, "it is a folder"),
        (tmp_path / "none", "there is no such file or folder"),
    ):
        refused(2, told, "play", "--resume", path)
        refused(2, told, "replay", path)


def test_a_save_does_not_take_other_players_or_switches(saved: bytes, tmp_path: Path):
    path = tmp_path / "game.save"
    path.write_bytes(saved)
    refused(
        2, "this game has 2 players", "play", "--resume", path, "--players", "human,human,human"
    )
    refused(2, "is `A` in the saved game", "play", "--resume", path, "--players", "Zoe=human,human")
    refused(2, "brings its own seed", "play", "--resume", path, "--seed", "4")
    refused(2, "brings its own seed", "play", "--resume", path, "--switch", "space_limit=4")
    assert path.read_bytes() == saved


def test_resuming_needs_no_pack(tmp_path: Path):
    """The packs of a save may be edited, broken or gone: it says so and plays on."""
    folder, path = pack(tmp_path, x=setting("space_limit", 4)), tmp_path / "game.save"
    assert call("play", "gnostica", *BOTS, "--pack", folder, "--save", path).code == 0
    words = ("play", "--resume", path, "--players", "random,random", "--turn-limit", "3")
    assert refused(0, "is no longer there, or not named;", *words).err.count("\n") == 1
    (folder / "x.yaml").write_text(setting("space_limit", 5), encoding="utf-8")
    refused(0, "pack hostile 1.0.0 was edited since", *words, "--pack", folder)
    (folder / "pack.yaml").write_text("kind: pack\n", encoding="utf-8")
    done = refused(0, "pack hostile 1.0.0 is no longer there", *words, "--pack", tmp_path / "gone")
    assert "gnostica 1.0.0" not in done.err


# ---------------------------------------------------------------------------------- answers


def test_answers_that_are_not_on_offer():
    game = ruleloom.new_game(
        "gnostica", ["A", "B"], seed=3, switches={"first_player": "by_agreement"}
    )
    prompt = game.prompt
    after = game.answer(prompt.id, "B")
    with pytest.raises(StaleAnswer, match="has been answered already"):
        after.answer(prompt.id, "A")
    for id_, keys, told in (
        (prompt.id, "Zoe", "`Zoe` is not one of the options"),
        (prompt.id, (), "exactly one option"),
        (prompt.id, ("A", "B"), "exactly one option"),
        ("", "A", "is no prompt of this game"),
        ("9" * 5_000, "A", "is no prompt of this game"),
        ("\u00b2", "A", "is no prompt of this game"),
    ):
        with pytest.raises(Refused, match=told):
            game.answer(id_, keys)
    assert game.prompt == prompt
    assert game.answer(prompt.id, "B").state == after.state


def test_players_whose_save_could_not_be_read_are_refused():
    for players in (["A", ""], ["A", 3], ["A", "x" * 201]):
        with pytest.raises(Refused, match="a text of 1 to 200 characters"):
            ruleloom.new_game("gnostica", players, seed=1)  # type: ignore[arg-type]


def test_typed_answers_that_are_not_on_offer():
    typed = "3\n0\n-1\n" + "9" * 5_000 + "\n1 2\n\u00b2\nZoe\n\n\n" + "x" * 5_000 + "\n"
    first = ("--switch", "first_player=by_agreement", "--seed", "11")
    done = refused(
        0, "is no option here", "play", "gnostica", "--players", "human,random", *first, typed=typed
    )
    assert done.out.count("the options are numbered 1 to 2") == 3
    assert "there is no usual answer here" in done.out


# ---------------------------------------------------------------------------------- packs


def test_a_pack_for_another_game(tmp_path: Path):
    folder = pack(tmp_path)
    (folder / "pack.yaml").write_text(
        MANIFEST.format(id="x").replace("game: gnostica", "game: chess"), encoding="utf-8"
    )
    done = refused(2, "chess", "play", "gnostica", "--pack", folder, *BOTS)
    assert f"{folder}/pack.yaml:4:7: error[unknown-game]" in done.err
    refused(1, "unknown-game", "check", folder)


def test_a_missing_folder(tmp_path: Path):
    gone = tmp_path / "gone"
    told = "there is no file, folder or shipped pack of this name"
    refused(1, told, "check", gone)
    refused(1, told, "test", gone)
    refused(2, told, "play", gone)
    refused(2, told, "play", "gnostica", "--pack", gone)


DEEP = "(" * 100_000 + "1" + ")" * 100_000
LETTERS = "abcdefghi"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n" for before, after in pairwise(LETTERS)
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\x00\x01\x02", "control-character"),
        (b"\xff\xfe\x00", "not-utf8"),
        (b"x: " + b"x" * 50_000_000, "file-too-big"),
        ("[" * 1_000_000, "nested-too-deep"),
        (BOMB, "error[anchor]"),
        (turn(f"choose k from [{DEEP}]"), "too-long"),
        (turn(f"choose k from [{DEEP[90_000:-90_000]}]"), "too-deep"),
        (turn("if " + "not " * 5_000 + "yes:", '    say "x"'), "too-long"),
        (turn(f"choose k from [{'+'.join(['1'] * 7_000)}]"), "too-long"),
    ],
    ids=["binary", "bytes", "50 MB", "brackets", "aliases", "parentheses", "deep", "nots", "sum"],
)
def test_a_hostile_file(text: str | bytes, told: str, tmp_path: Path):
    folder = pack(tmp_path)
    (folder / "x.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = refused(1, told, "check", folder, "--format", "concise")
    assert f"{folder}/x.yaml:" in done.out
    assert len(done.out) < 5_000


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("".join(power(f"p{i}", f"use p{i + 1}") for i in range(1_500)) + power("p1500", 'say "end"'), "48 steps deep"),
        (measure("m", "m(n + 1)"), "`m` needs itself"),
        ("".join(measure(f"m{i}", f"m{i + 1}(n)") for i in range(200)) + measure("m200", "n"), "more than 24 deep"),
        ("".join(measure(f"m{i}", f"m{i - 1}(n)") for i in range(200, 0, -1)) + measure("m0", "n"), "24 deep"),
        ("".join(measure(f"m{i}", f"m{i + 1}(n) + m{i + 1}(n)") for i in range(60)) + measure("m60", "n"), "too-much"),
        (turn("choose k from 1 .. 9999 where exists(y: 1 .. 9999 where y * y = k)"), "too-much-work"),
        (turn("let k = count(x: 1 .. 999 where exists(y: 1 .. 999 where exists(z: 1 .. 999 where z = x)))"), "too-"),
        (setting("space_limit", -5), "-5 is not within"),
        (setting("grid_width", 0), "0 is not within"),
        (setting("hand_limit", 10**15 - 1), "is not within"),
        ("- {kind: patch, id: a, target: gnostica:vocabulary/vocabulary, disable: true}\n", "every game needs its vocabulary"),
        ("- {kind: patch, id: a, target: gnostica:pack/gnostica, set: {version: 9.0.0}}\n", "cannot change items of the kind `pack`"),
        ("- {kind: patch, id: a, target: gnostica:flow/turn, disable: true}\n", "no flow `turn`"),
    ],
)  # fmt: skip
def test_a_pack_that_could_not_be_played(text: str, told: str, tmp_path: Path):
    refused(1, told, "check", pack(tmp_path, x=text), "--format", "concise")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (turn("set me = seat_after(me)"), 5, "nobody is asked"),
        (turn('ensure 1 = 2 "never"'), 5, "nobody is asked"),
        (turn("let n = 0", "repeat 10000 times:", "    repeat 10000 times:", "        set n = n + 1"), 7, "nobody"),
        (turn("let n = 9", "repeat 99 times:", "    set n = n * n"), 7, "a number beyond 2^53"),
        (turn("choose k from 1 .. 900000000 * 100"), 5, "a span of more than"),
        (turn("choose k from 1 .. 3", 'ensure k > 5 "never"'), 5, "1,000 effects came to nothing"),
        (turn("for each s in territories:", "    place(me, 1, s, N)", "    place(me, 1, s, N)"), 7, "no piece left"),
        (turn("for each s in start_grid(900000, 900000):", '    say "x"'), 5, "7 by 7 is the most"),
    ],
)  # fmt: skip
def test_rules_that_fail_while_they_are_played(text: str, line: int, told: str, tmp_path: Path):
    """The fault is the pack's: the message names it, the file and the line, and the game is
    kept."""
    folder, path = pack(tmp_path, x=text), tmp_path / "game.save"
    if "start_grid" not in text and "place" not in text:
        assert call("check", folder).code == 0
    done = refused(1, told, "play", "gnostica", *BOTS, "--pack", folder, "--save", path)
    assert f"x.yaml:{line}:" in done.err
    assert "in the pack `hostile`" in done.err
    assert not path.exists() or refused(0, "verified: ", "replay", "--verify", path)


def test_many_games_name_the_place_too(tmp_path: Path):
    folder = pack(tmp_path, x=turn("choose k from 1 .. 3", 'ensure k > 5 "never"'))
    assert (
        "x.yaml:5:5 in the pack `hostile`" in refused(1, "nothing", *SERIES, "--pack", folder).err
    )


def test_a_default_that_cannot_be_worked_out(tmp_path: Path):
    """It is worked out when somebody is asked, after the machine has stopped."""
    folder = pack(
        tmp_path, x=turn("choose k from 1 .. 3 default count(start_grid(900000, 900000))")
    )
    words = ("play", "gnostica", "--players", "human,human", "--seed", "1", "--pack", folder)
    done = refused(1, "7 by 7 is the most", *words, typed="1\n" * 9)
    assert "x.yaml:5:5 in the pack `hostile`" in done.err


def test_a_case_names_the_pack_whose_text_fails(tmp_path: Path):
    folder = pack(
        tmp_path, x=turn("let n = 9", "repeat 99 times:", "    set n = n * n"), cases=CASE
    )
    told = "a fault in the rules: a number beyond 2^53; this comes from x.yaml:7:9 in the pack `hostile`"
    refused(1, told, "test", folder)


@pytest.mark.parametrize("words", [("replay",), ("replay", "--verify"), ("play", "--resume")])
def test_a_save_whose_rules_cannot_be_played_on(words: tuple[str, ...], saved: bytes, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch):  # fmt: skip
    """The save is sound: what stops it is the effect text in it, and the message names that."""
    path = tmp_path / "game.save"
    path.write_bytes(saved)
    monkeypatch.setattr(step, "MOST_STEPS", 3)
    done = refused(1, "more than 3 steps in one decision", *words, path)
    assert re.search(r"this comes from \w+\.yaml:\d+:\d+ in the pack `gnostica`", done.err)
    assert path.read_bytes() == saved


def test_a_choice_that_never_fits(tmp_path: Path):
    """Look-ahead cannot see all ways to take fifty things: any is on offer then, and may come to
    nothing."""
    never = 'ensure sum(a for a: k) = 1 "never"'
    folder = pack(tmp_path, x=turn('if me = seat(2): finish drawn "enough"', "use hopeless", "set me = seat(2)")
                  + power("hopeless", "choose exactly 50 k from 1 .. 100", never))  # fmt: skip
    assert refused(0, "a draw. Enough.", "play", "gnostica", *BOTS, "--pack", folder).out.endswith(
        ": a draw. Enough.\n"
    )


@pytest.mark.parametrize(
    ("switch", "told"),
    [
        ("space_limit=-5", "`space_limit` is a number from 1 to 90, not -5"),
        ("grid_width=0", "from 1 to 7, not 0"),
        ("hand_limit=999999999999999", "from 0 to 20"),
        ("target_score=yes", "`target_score` is a whole number, and `yes` is none"),
        ("space_limit=99999999999999999999", "is a whole number"),
        ("bid_ties=3", "is one of only_the_top, any_tie"),
        ("__proto__=1", "there is no switch or setting `__proto__`"),
        ("least_players=6", "is for 6 players, not 2"),
    ],
)
def test_settings_beyond_their_bounds(switch: str, told: str):
    refused(2, told, "play", "gnostica", *BOTS, "--switch", switch)


def test_names_cannot_speak_to_a_build_server(tmp_path: Path):
    evil = "x\\n::error file=a::b"
    folder = pack(tmp_path, x=f'- kind: major\n  id: evil\n  title: "{evil}"\n  "{evil}": 1\n')
    (folder / "b\n::error::c.yaml").write_text("- kind: nothing\n", encoding="utf-8")
    for form in ("text", "concise", "github", "junit", "sarif", "json"):
        done = refused(1, "unknown-kind", "check", folder, "--format", form)
        commands = [
            line for line in done.out.splitlines() if line.lstrip().startswith(("::error", "##"))
        ]
        assert [line for line in commands if f"file={folder}" not in line] == []
        assert form == "github" or not commands
        assert all(char.isprintable() or char == "\n" for char in done.out)


# ---------------------------------------------------------------------------------- disks


def limited() -> None:
    """No file of more than four thousand bytes, as on a disk that fills up."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def test_a_full_disk_keeps_the_save_before(saved: bytes, tmp_path: Path):
    path = tmp_path / "game.save"
    path.write_bytes(saved)
    words = ["play", "--resume", str(path), "--players", "random,random"]
    # Python would cut its bytecode off at the limit, too, and the next process would trip over
    # that.
    out, err = spawn(*words, bytecode=False, preexec_fn=limited).communicate(timeout=SECONDS)
    assert "the file would be larger than is allowed here" in err
    assert "Traceback" not in err
    assert path.read_bytes() == saved
    assert [one.name for one in tmp_path.iterdir()] == ["game.save"]
    assert not out or "Gnostica" in out


def test_a_disk_that_fills_up_while_playing_is_told_once(
    saved: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "game.save"
    path.write_bytes(saved)
    real, calls = journal.save, []

    def save(*words: Any) -> None:
        calls.append(words)
        if len(calls) > 1:
            raise FileFault(str(path), "the disk is full")
        real(*words)

    monkeypatch.setattr("ruleloom.runtime.play.journal.save", save)
    done = refused(
        2,
        "could not be saved",
        "play",
        "--resume",
        path,
        "--players",
        "random,random",
        "--turn-limit",
        "9",
    )
    assert done.err.count("the disk is full") == 1
    assert refused(0, "verified", "replay", "--verify", path)


def test_a_place_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("my notes", encoding="utf-8")
    play = ("play", "gnostica", *BOTS, "--save")
    refused(2, "it is a folder", *play, tmp_path / "folder")
    refused(2, "there is no such file or folder", *play, tmp_path / "none" / "game.save")
    refused(2, "a part of the path is no folder", *play, tmp_path / "notes.txt" / "game.save")
    refused(2, "is never overwritten", *play, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "my notes"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "notes.txt"]


def test_a_new_game_puts_the_one_before_aside(saved: bytes, tmp_path: Path):
    path = tmp_path / "game.save"
    path.write_bytes(saved)
    refused(0, f"is in {path}~ now", "play", "gnostica", *BOTS, "--save", path)
    assert (tmp_path / "game.save~").read_bytes() == saved


def test_two_games_in_one_file_part(saved: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Somebody else saves to the same file while we play: both games are kept."""
    path, real, calls = tmp_path / "game.save", journal.save, []

    def save(*words: Any) -> None:
        real(*words)
        calls.append(words)

    def other(colour: bool) -> Look:
        path.unlink()
        path.write_bytes(saved)
        return Look(colour)

    monkeypatch.setattr("ruleloom.runtime.play.journal.save", save)
    monkeypatch.setattr("ruleloom.cli.play.play.look_of", other)
    done = refused(0, f"is saved in {path}-2", "play", "gnostica", *BOTS, "--save", path)
    assert done.err.count("another process") == 1
    assert path.read_bytes() == saved
    refused(0, "verified", "replay", "--verify", f"{path}-2")


# ---------------------------------------------------------------------------------- streams


@pytest.mark.parametrize("word", ["0<&-", ">&-", "2>&-", "0<&- >&- 2>&-"])
def test_closed_streams(word: str):
    play = f'"{sys.executable}" -m ruleloom play "{NIM}" --players human,random --seed 1'
    done = subprocess.run(
        ["sh", "-c", f"{play} {word}"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        input="quit\n",
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_to_a_full_disk():
    with Path("/dev/full").open("w") as full:
        process = spawn("explain", "unknown-name", stdout=full)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert err.startswith("ruleloom: the output could not be written")
    assert "Traceback" not in err


def test_nobody_reads_on():
    process = spawn("check", "gnostica", "--format", "json")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert (process.wait(timeout=SECONDS), err) == (141, "")


def test_ctrl_c_in_the_middle_of_a_turn_keeps_the_game(tmp_path: Path):
    path = tmp_path / "game.save"
    words = ["--players", "human,random", "--seed", "11", "--switch", "first_player=by_agreement"]
    process = spawn("play", "gnostica", *words, "--save", str(path))
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("1\n1/1\n")
    process.stdin.flush()
    for line in process.stdout:
        if "Enter takes these answers" in line:
            break
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (130, "\nstopped\n")
    told = "A puts a small piece, facing north"
    again = refused(0, told, "play", "--resume", path, typed="N\n\nquit\n")
    assert "Ann" not in again.out


# ---------------------------------------------------------------------------------- people


def test_a_drawn_seed_is_not_told_to_people_before_the_end():
    """Whoever knows the seed can deal the hands again, and read them."""
    assert "seed" not in call("play", "gnostica", "--players", "human,human", typed="\n").out
    assert (
        "; seed " in call("play", "gnostica", "--players", "random,random", "--turn-limit", "1").out
    )


def test_the_last_picture_of_a_shared_keyboard_shows_no_hand():
    words = (
        "--players",
        "Ann=human,Ben=human",
        "--seed",
        "11",
        "--switch",
        "first_player=by_agreement",
    )
    done = call("play", "gnostica", *words, "--turn-limit", "1", typed="\n1\n1/1\nN\n\n\n")
    assert "Unfinished after 1 turn" in done.out
    assert "Hand of" not in done.out[done.out.rindex("draw pile") :]
