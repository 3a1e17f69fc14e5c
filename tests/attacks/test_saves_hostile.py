"""Saves that are damaged, hostile or not saves at all, and disks that do not play along."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import stat
import subprocess
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.play.files import FileFault, read_text, write_atomically
from ruleloom.runtime.play.journal import load, loaded, save, saved_lines
from ruleloom.runtime.play.scan import scan, sealed
from ruleloom.runtime.program.canonical_json import SaveError, canonical
from tests.conftest import ROOT
from tests.support.evening import bind_for_game, play, start

GAME = play(start(6), random.Random(6), 25)
LINES = saved_lines(GAME, "0.1.0")
DATA = "\n".join(LINES) + "\n"
BYTES = DATA.encode()
ROOT_USER = hasattr(os, "geteuid") and os.geteuid() == 0


def refusal(text: str, **options) -> SaveError:
    """The error that a text gives as a save."""
    with pytest.raises(SaveError) as caught:
        loaded(text, bind_for_game, **options)
    assert str(caught.value)
    assert "Traceback" not in str(caught.value)
    return caught.value


def resealed(number: int, **changes) -> str:
    """The save with one line changed by somebody who knows about checksums."""
    lines = list(LINES)
    data = {**json.loads(lines[number]), **changes}
    data = {key: value for key, value in data.items() if key != "crc" and value is not ...}
    lines[number] = sealed(data)
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------- damage


def test_every_truncation_is_noticed():
    """Cut anywhere (but just before the last line end), a save is refused; a cut never gives
    another game."""
    header = len(LINES[0].encode())
    cuts = [*range(0, header, 997), *range(header - 3, len(BYTES) - 1, 23)]
    for cut in cuts:
        error = refusal(BYTES[:cut].decode("utf-8", "ignore"))
        if cut > header:
            assert error.intact == BYTES[:cut].count(b"\n") - 1 or error.intact == BYTES[
                :cut
            ].count(b"\n")
            assert error.line is not None


def test_every_flipped_bit_is_noticed():
    """Hundreds of single bits, one in each answer at least: refused, with the line."""
    source = random.Random(1)
    places = [source.randrange(len(BYTES)) for _ in range(150)]
    at = 0
    for line in LINES:
        places += [at + source.randrange(len(line.encode())) for _ in range(3)]
        at += len(line.encode()) + 1
    for place in places:
        flipped = bytearray(BYTES)
        flipped[place] ^= 1 << source.randrange(8)
        try:
            text = flipped.decode()
        except UnicodeDecodeError:
            continue
        error = refusal(text)
        assert error.line == BYTES[:place].count(b"\n") + 1, (place, str(error))


@pytest.mark.parametrize("broken", [(1,), (3,), (1, 3)])
def test_bytes_that_are_no_text_name_their_line(broken: tuple[int, ...], tmp_path):
    path = tmp_path / "x.save"
    flipped = bytearray(BYTES)
    for line in broken:
        flipped[sum(len(one.encode()) + 1 for one in LINES[: line - 1]) + 3] |= 0x80
    path.write_bytes(flipped)
    with pytest.raises(SaveError, match=f"line {broken[0]} is not text in UTF-8"):
        load(path, bind_for_game)


def test_a_header_that_is_known_is_not_taken_for_another(tmp_path):
    path = tmp_path / "x.save"
    path.write_bytes(BYTES)
    load(path, bind_for_game)
    flipped = bytearray(BYTES)
    flipped[len(LINES[0]) // 2] ^= 1
    path.write_bytes(flipped)
    with pytest.raises(SaveError, match="damaged"):
        load(path, bind_for_game)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (lambda lines: lines[:4] + lines[5:], 5, "answer 3 was expected here, not `4`"),
        (
            lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]],
            5,
            "answer 3 was expected here",
        ),
        (
            lambda lines: [*lines[:4], lines[3], *lines[4:]],
            5,
            "answer 3 was expected here, not `2`",
        ),
        (lambda lines: [*lines, lines[-2]], len(LINES) + 1, "something stands after the end"),
        (lambda lines: [*lines, lines[-1]], len(LINES) + 1, "something stands after the end"),
        (lambda lines: [*lines[:-2], lines[-1]], len(LINES) - 1, "the save ends after"),
        (lambda lines: [*lines[:3], "", *lines[3:]], 4, "not JSON"),
        (
            lambda lines: [*lines[:3], "x" * 2_000_000, *lines[3:]],
            4,
            "the line has 2,000,000 characters",
        ),
        (lambda lines: [*lines[:3], "[" * 900_000, *lines[3:]], 4, "nested too deep"),
        (lambda lines: [*lines[:3], "\x00", *lines[3:]], 4, "not JSON"),
        (lambda lines: [*lines[:3], '{"a":1}', *lines[3:]], 4, "the line has no checksum"),
        (lambda lines: [*lines[:3], "7", *lines[3:]], 4, "the line is no table"),
    ],
)
def test_lines_that_do_not_belong(change, line, message):
    error = refusal("\n".join(change(LINES)) + "\n")
    assert message in str(error)
    assert error.line == line
    assert "can be recovered" in str(error)
    assert loaded("\n".join(change(LINES)) + "\n", bind_for_game, recover=True).lost


# ---------------------------------------------------------------------------------- not a save


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        ("hello", "this is no save of Ruleloom"),
        ("{}", "this is no save of Ruleloom"),
        ('{"name": "x"}', "this is no save of Ruleloom"),
        ("[1]", "the line is no table"),
        ("\x00\x01", "this is no save of Ruleloom"),
        ("[" * 100_000, "nested too deep"),
        ('{"ruleloom": "save"}', "the save does not say its format"),
        ('{"ruleloom": "save", "format": true}', "the save does not say its format"),
        ('{"ruleloom": "save", "format": 1}', "the line has no checksum"),
        ('{"ruleloom": ["save"], "format": 1}', "this is no save of Ruleloom"),
        ('{"ruleloom": "save", "ruleloom": "save"}', "`ruleloom` stands there twice"),
        ('{"ruleloom": 1e999}', "not a whole number"),
    ],
)
def test_what_is_no_save(text, message):
    error = refusal(text)
    assert message in str(error)


@pytest.mark.parametrize("found", [0, 2, 17, 10**30])
def test_other_formats(found):
    error = refusal(resealed(0, format=found))
    assert f"the save is of format {found}; this version of Ruleloom reads format 1 only" in str(
        error
    )
    assert ("it was made by a newer one" in str(error)) == (found > 1)


@pytest.mark.parametrize("found", [1, 3])
def test_a_program_of_another_format(found: int):
    program = {**json.loads(LINES[0])["program"], "format": found}
    error = refusal(resealed(0, program=program))
    assert (
        f"1: the program is of format {found}; this version of Ruleloom reads format 2 only"
        in str(error)
    )


# ------------------------------------------------------------------------- hostile, checksums right


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": "AB"}, "`players` is a list of names"),
        ({"players": []}, "is for 2 to 4 players, not 0"),
        ({"players": ["A"]}, "is for 2 to 4 players, not 1"),
        ({"players": ["A", "A", "C"]}, "two players have the same name"),
        ({"players": ["A", 1, "C"]}, "`players` is a list of names"),
        ({"players": ["A", "", "C"]}, "`players` is a list of names"),
        ({"players": ["A", "x" * 201, "C"]}, "`players` is a list of names"),
        ({"players": [str(n) for n in range(100_000)]}, "is for 2 to 4 players"),
        ({"seed": "1"}, "`seed` is a whole number or null"),
        ({"seed": True}, "`seed` is a whole number or null"),
        ({"seed": None}, "the seed and the state of the dice do not belong together"),
        ({"settings": []}, "`settings` is a table"),
        ({"settings": {"speed": 1}}, "there is no setting `speed`"),
        ({"settings": {"most": "x"}}, "the setting `most` has a value of the wrong kind"),
        ({"settings": {"most": True}}, "the setting `most` has a value of the wrong kind"),
        ({"settings": {"most": {}}}, "the setting `most` has a value of the wrong kind"),
        ({"settings": {"most": 2**53}}, "the setting `most` is beyond 2^53"),
        ({"settings": {"weather": "mad"}}, "`weather` is one of sunny, rainy, not `mad`"),
        ({"settings": {"least_players": "a"}}, "wrong kind"),
        ({"settings": {"days": 1}}, "the game is over before this answer"),
        ({"program": None}, "the program is not a table"),
        ({"program": ...}, "the header lacks `program`"),
        ({"spare": 1}, "the header does not take `spare`"),
        ({"lock": []}, "speak of different games"),
        ({"game": "chess"}, "speak of different games"),
        ({"game": 7}, "`game` and `tool` are texts"),
        ({"world": [1]}, "`world` has not the columns of the game"),
        ({"world": [[]] * 10}, "`world` has a column `Basket.owner` that does not fit"),
        ({"world": {"table": [[1]]}}, "a list of pairs"),
        ({"world": {"set": []}}, "a table of values was expected"),
    ],
)
def test_hostile_headers(changes, message):
    error = refusal(resealed(0, **changes))
    assert message in str(error)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keys": "hand"}, "`keys` is a list of texts"),
        ({"keys": [1]}, "`keys` is a list of texts"),
        ({"keys": []}, "exactly one option is asked for"),
        ({"keys": ["nobody"]}, "`nobody` is not one of the options"),
        ({"by": 7}, "`by` is the name of a player"),
        ({"by": "Z"}, "it is not `Z` that is asked here"),
        ({"by": None}, "it is not `chance` that is asked here"),
        ({"n": True}, "was expected here"),
        ({"n": "1"}, "was expected here"),
        ({"more": 1}, "an answer has `n`, `by` and `keys`"),
    ],
)
def test_hostile_answers(changes, message):
    number = next(i for i, line in enumerate(LINES) if i and '"by":"' in line)
    error = refusal(resealed(number, **changes))
    assert message in str(error)
    assert error.line == number + 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"end": 3}, "the save ends after `3` answers"),
        ({"end": "3"}, "the save ends after `3` answers"),
        ({"state": "0" * 64}, "do not lead to the position that was saved"),
        ({"state": 7}, "`state` is a hash"),
        ({"random": None}, "the seed and the state of the dice do not belong together"),
        ({"random": [1, 2, 3, 4]}, "`random` is null or four numbers"),
        ({"random": ["x" * 16] * 4}, "`random` is null or four numbers"),
        ({"random": ["0" * 16] * 3}, "`random` is null or four numbers"),
        (
            {"more": 1},
            "the last line has `end`, `state`, `random` and, if the game is over, `over`",
        ),
    ],
)
def test_hostile_ends(changes, message):
    error = refusal(resealed(len(LINES) - 1, **changes))
    assert message in str(error)
    assert error.line == len(LINES)


def test_a_program_that_breaks_its_driver_is_refused():
    """A program may be well formed and still ask for the impossible; loading says so."""
    program = json.loads(LINES[0])["program"]
    for expr in (
        ["div", ["value", 1], ["value", 0]],
        ["+", ["value", None], ["value", 1]],
        ["value", "x"],
    ):
        program["routines"][0]["rows"][0]["value"] = expr
        error = refusal(resealed(0, program=program))
        assert "1: the game cannot be set up" in str(error) or "cannot be played" in str(error)


def test_recovery_refuses_dice_that_were_not_thrown():
    lines = resealed(1, keys=["plain4"]).splitlines()
    assert json.loads(LINES[1])["keys"] != ["plain4"]
    with pytest.raises(SaveError, match=r"the dice of this save do not follow|cannot be played"):
        loaded("\n".join(lines[:3]), bind_for_game, recover=True)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
HEADER_KEYS = [key for key in json.loads(LINES[0]) if key not in ("crc", "format", "ruleloom")]


@given(st.sampled_from(HEADER_KEYS), JUNK)
def test_junk_in_the_header(key, junk):
    try:
        loaded(resealed(0, **{key: junk}), bind_for_game)
    except SaveError as error:
        assert error.line is not None  # noqa: PT017


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["n", "by", "keys", "end", "state"]), JUNK), max_size=4
    )
)
def test_junk_for_lines(rows):
    text = "\n".join([LINES[0], *(sealed(row) for row in rows)])
    assert scan(text).trouble is not None


@given(st.text())
def test_any_text_at_all(text):
    refusal(text)


# ---------------------------------------------------------------------------------- files


@pytest.mark.parametrize("make", ["folder", "pipe", "missing", "nul", "device", "large", "loop"])
def test_what_is_no_file(make, tmp_path):
    path = tmp_path / "x.save"
    reasons = {
        "folder": "it is a folder",
        "pipe": "it is not a regular file",
        "missing": "there is no such file or folder",
        "nul": "that is no path",
        "device": "it is not a regular file",
        "large": "it is larger than 64 MiB",
        "loop": "links lead in a circle",
    }
    if make == "folder":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "nul":
        path = tmp_path / "a\0b"
    elif make == "device":
        path = type(path)("/dev/zero")
    elif make == "large":
        with path.open("wb") as file:
            file.truncate(64 * 1024 * 1024 + 1)
    elif make == "loop":
        path.symlink_to(path)
    with pytest.raises(SaveError, match=reasons[make]) as caught:
        load(path, bind_for_game)
    assert caught.value.path == str(path)


def test_largest_file_is_read(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"x" * 100)
    assert len(read_text(path, 100)) == 100
    with pytest.raises(FileFault):
        read_text(path, 99)


def leftovers(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writing_replaces_whole_files(tmp_path):
    path = tmp_path / "x.save"
    write_atomically(path, "one\n")
    path.chmod(0o640)
    write_atomically(path, "zwei é\n")
    assert path.read_bytes() == "zwei é\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert leftovers(tmp_path) == ["x.save"]


def test_a_link_keeps_leading_to_its_file(tmp_path):
    target = tmp_path / "real.save"
    target.write_text("old")
    link = tmp_path / "link.save"
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/x.save", "there is no such file or folder"),
        ("file/x.save", "a part of the path is no folder"),
        ("folder", "it is a folder"),
        ("pipe", "it is not a regular file"),
        ("x" * 300, "the name is too long"),
        ("a\0b", "that is no path"),
    ],
)
def test_places_that_cannot_be_written(name, reason, tmp_path):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = leftovers(tmp_path)
    with pytest.raises(FileFault) as caught:
        write_atomically(tmp_path / name, "text")
    assert caught.value.reason == reason
    assert caught.value.path == str(tmp_path / name)
    assert leftovers(tmp_path) == before
    assert (tmp_path / "file").read_text() == "kept"


def test_half_a_character_is_not_written(tmp_path):
    with pytest.raises(FileFault, match="half a character"):
        write_atomically(tmp_path / "x", "\ud800")
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(ROOT_USER, reason="an administrator may write anywhere")
def test_no_permission(tmp_path):
    path = tmp_path / "x.save"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(FileFault, match="you have no permission for that"):
        write_atomically(path, "new")
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(FileFault, match="you have no permission for that"):
            write_atomically(path, "new")
    finally:
        tmp_path.chmod(0o755)
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("call", "number", "reason"),
    [
        ("open", "EROFS", "the disk is read-only"),
        ("open", "EACCES", "you have no permission for that"),
        ("fsync", "EIO", "the disk does not answer"),
        ("fsync", "ENOSPC", "the disk is full"),
        ("fsync", "EDQUOT", "your share of the disk is used up"),
    ],
)
def test_a_disk_that_fails_keeps_the_old_save(call, number, reason, tmp_path, monkeypatch):
    path = tmp_path / "x.save"
    save(start(1), path)
    before = path.read_bytes()

    def fail(*_args, **_kwargs):
        raise OSError(getattr(errno, number), "failed")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(FileFault) as caught:
        save(GAME, path)
    monkeypatch.undo()
    assert str(caught.value) == f"{path}: {reason}"
    assert path.read_bytes() == before
    assert leftovers(tmp_path) == ["x.save"]


FULL = """
import random, resource, sys
sys.dont_write_bytecode = True  # it would be cut off at the limit, too
from ruleloom.runtime.play.files import FileFault
from ruleloom.runtime.play.journal import save
from tests.support.evening import bind_for_game, play, start
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
try:
    save(play(start(6), random.Random(6), 25), sys.argv[1])
except FileFault as fault:
    print(fault.reason)
"""


def test_a_full_disk_keeps_the_old_save(tmp_path):
    path = tmp_path / "x.save"
    save(start(1), path)
    before = path.read_bytes()
    found = subprocess.run(
        [sys.executable, "-c", FULL, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "the file would be larger than is allowed here\n"
    assert path.read_bytes() == before
    assert leftovers(tmp_path) == ["x.save"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096


def test_checksums_are_crc32():
    data = json.loads(LINES[3])
    crc = data.pop("crc")
    assert crc == f"{zlib.crc32(canonical(data).encode()):08x}"
