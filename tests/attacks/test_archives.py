"""A pack in a zip is read as its folder is; a zip that is hostile or broken is refused at once,
with a place."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.source.archive import LIMITS, open_archive
from ruleloom.compiler.source.file import SourceError
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.pack_examples import GAME, manifest, read, setting, write
from tests.support.stopwatch import in_time

HOUSE = {
    "pack.yaml": manifest("house"),
    "beds.yaml": setting("chairs", 6),
    "rooms/more.yml": setting("tables", 2),
}
"""A small pack for the invented game, by its names within the pack."""


def zipped(
    files: Mapping[str, Any],
    top: str = "",
    method: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """The bytes of a zip of these files, in one top folder if it is named."""
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method) as archive:
        warnings.simplefilter("ignore")  # of a name that is there twice
        for name, text in files.items():
            archive.writestr(f"{top}{name}", text)
    return made.getvalue()


def listed(*entries: tuple[str | zipfile.ZipInfo, str]) -> bytes:
    """The bytes of a zip of the small pack with these entries more, which may be called alike."""
    made = io.BytesIO(zipped(HOUSE))
    with warnings.catch_warnings(), zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, text in entries:
            archive.writestr(name, text)
    return made.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    """An entry that says it is another sort of file."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def in_both(data: bytes, old: bytes, new: bytes) -> bytes:
    """A zip in which a name of the same length stands in the place of another, everywhere."""
    assert len(old) == len(new)
    assert data.count(old) == 2
    return data.replace(old, new)


def directory_at(data: bytes, name: bytes) -> int:
    """Where the entry of a name begins in the directory."""
    return data.rindex(name) - 46


def patched(data: bytes, at: int, form: str, value: int) -> bytes:
    """The bytes with one number in them changed."""
    made = bytearray(data)
    struct.pack_into(form, made, at, value)
    return bytes(made)


def read_zip(folder: Path, data: bytes, name: str = "house.zip") -> list[Diagnostic]:
    """Read the invented game and a zip of these bytes."""
    write(folder, GAME)
    (folder / name).write_bytes(data)
    return read(folder / "inn", folder / name)[1]


def the_one(found: list[Diagnostic]) -> Diagnostic:
    assert len(found) == 1, found
    return found[0]


# The same as a folder


@pytest.mark.parametrize("top", ["", "house/", "Our House (2)/"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_is_read_as_its_folder_is(tmp_path: Path, top: str, method: int):
    write(tmp_path, GAME)
    write(tmp_path / "house", HOUSE)
    (tmp_path / "house.zip").write_bytes(zipped(HOUSE, top, method))
    of_folder, found = read(tmp_path / "inn", tmp_path / "house")
    of_zip, found_in_zip = read(tmp_path / "inn", tmp_path / "house.zip")
    assert found == found_in_zip == []
    assert [pack.hash for pack in of_zip.packs] == [pack.hash for pack in of_folder.packs]
    assert [item.id for item in of_zip.items] == [item.id for item in of_folder.items]
    assert set(of_zip.files.values()) == set(of_folder.files.values())


def test_another_text_makes_another_hash(tmp_path: Path):
    write(tmp_path, GAME)
    (tmp_path / "a.zip").write_bytes(zipped(HOUSE))
    (tmp_path / "b.zip").write_bytes(zipped({**HOUSE, "beds.yaml": setting("chairs", 7)}))
    first, second = (
        read(tmp_path / "inn", tmp_path / name)[0].packs[-1] for name in ("a.zip", "b.zip")
    )
    assert first.id == second.id == "house"
    assert first.hash != second.hash


@pytest.mark.parametrize("top", ["", "house/"])
def test_mistakes_are_shown_by_the_name_of_the_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, top: str
):
    write(tmp_path, GAME)
    (tmp_path / "house.zip").write_bytes(
        zipped({**HOUSE, "beds.yaml": "- kind: settin\n  id: x\n"}, top)
    )
    monkeypatch.chdir(tmp_path)
    one = the_one(read(Path("inn"), Path("house.zip"))[1])
    assert (one.code, one.place.path, one.place.line, one.place.column) == (
        "unknown-kind",
        "house.zip/beds.yaml",
        1,
        9,
    )


def test_what_is_no_yaml_and_what_systems_add_is_left_alone(tmp_path: Path):
    besides: dict[str, str | bytes] = {
        "house/art/room.png": b"\x89PNG\xff",
        "house/.git/config.yaml": "[",
        "__MACOSX/house/._pack.yaml": b"\0\x05\x16\x07",
        ".DS_Store": b"\0",
        "LICENSE": "CC0",
    }
    assert (
        read_zip(
            tmp_path, zipped({f"house/{name}": text for name, text in HOUSE.items()} | besides)
        )
        == []
    )


@pytest.mark.parametrize(
    "command", ["python -m zipfile -c house.zip house/", "zip -r house.zip house"]
)
def test_a_zip_made_as_the_docs_say(tmp_path: Path, command: str):
    assert command in (ROOT / "docs/packs.md").read_text(encoding="utf-8")
    program, *words = command.split()
    found_program = sys.executable if program == "python" else shutil.which(program)
    if found_program is None:
        pytest.skip(f"there is no program `{program}` here")
    write(tmp_path / "house", HOUSE)
    write(tmp_path, GAME)
    subprocess.run(
        [found_program, *words], cwd=tmp_path, check=True, timeout=60, capture_output=True
    )
    content, found = read(tmp_path / "inn", tmp_path / "house.zip")
    assert found == []
    assert "house:setting/chairs" in {item.id for item in content.items}


def test_a_zip_written_as_a_stream_tells_its_sizes_late(tmp_path: Path):
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = bytearray()

        def writable(self):
            return True

        def write(self, part):
            self.data += part
            return len(part)

    made = Pipe()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in HOUSE.items():
            archive.writestr(name, text)
    assert made.data[6] & 8
    assert read_zip(tmp_path, bytes(made.data)) == []


def test_a_folder_may_be_called_like_a_zip(tmp_path: Path):
    write(tmp_path, GAME)
    (tmp_path / "house.zip").mkdir()
    write(tmp_path / "house.zip", HOUSE)
    assert read(tmp_path / "inn", tmp_path / "house.zip")[1] == []


def test_a_link_to_a_zip_is_followed_as_one_to_a_folder_is(tmp_path: Path):
    (tmp_path / "real.zip").write_bytes(zipped(HOUSE))
    (tmp_path / "house.zip").symlink_to("real.zip")
    write(tmp_path, GAME)
    assert read(tmp_path / "inn", tmp_path / "house.zip")[1] == []


def test_a_pack_named_twice_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, GAME)
    (tmp_path / "house.zip").write_bytes(zipped(HOUSE))
    monkeypatch.chdir(tmp_path)
    assert read(Path("inn"), Path("house.zip"), tmp_path / "house.zip")[1] == []


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, GAME)
    (tmp_path / "house.zip").write_bytes(zipped(HOUSE, "house/"))
    (tmp_path / "temp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    before = sorted(tmp_path.rglob("*"))
    assert read(tmp_path / "inn", tmp_path / "house.zip")[1] == []
    assert sorted(tmp_path.rglob("*")) == before


def test_every_verb_takes_a_zip_for_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    patch = "kind: patch\nid: five\ntarget: gnostica:setting/space_limit\nset: {value: 5}\n"
    case = "{id: none, given: {pieces: [A1N@0/0]}, when: [], then: {stash: {A: [4, 5, 5]}}}"
    cases = f"kind: scenarios\ncases:\n  - {case}\n"
    files = {
        "pack.yaml": manifest("house", game="gnostica"),
        "five.yaml": patch,
        "cases.yaml": cases,
    }
    write(tmp_path / "house", files)
    (tmp_path / "house.zip").write_bytes(zipped(files, "house/"))
    monkeypatch.chdir(tmp_path)
    tested = call("test", "house.zip")
    assert (tested.code, tested.out, tested.err) == (
        0,
        "1 passed, 0 failed, 0 not executable\n",
        "",
    )
    compared = call("diff", "house", "house.zip", "--format", "json")
    assert (compared.code, compared.err) == (0, "")
    told = json.loads(compared.out)
    assert (told["items"], told["numbers"]) == ([], [])
    assert told["old"]["hash"] == told["new"]["hash"]
    for words in (("fmt", "house.zip"), ("diff", "--rev", "v1", "house.zip")):
        done = call(*words)
        assert done.code == 2
        assert "house.zip is a zip" in done.err


# What is no pack


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no `pack.yaml` at the root of this zip"),
        ({"cards.yaml": setting("x")}, "no `pack.yaml` at the root of this zip"),
        ({"a/b/pack.yaml": manifest("house")}, "nor in its one top folder"),
        (
            {"a/pack.yaml": manifest("a"), "b/pack.yaml": manifest("b")},
            "several packs: `a` and `b`",
        ),
        (
            {"a/pack.yaml": manifest("a"), "cards.yaml": setting("x")},
            "beside the folder of its pack, `a/`",
        ),
    ],
)
def test_a_zip_that_is_no_pack(tmp_path: Path, files: dict[str, str], words: str):
    one = the_one(read_zip(tmp_path, zipped(files)))
    assert one.code == "no-pack"
    assert words in one.message


def test_a_pack_inside_the_pack(tmp_path: Path):
    data = zipped(
        {**HOUSE, "deep/er/pack.yaml": manifest("other"), "deep/er/x.yaml": "["}, "house/"
    )
    one = the_one(read_zip(tmp_path, data))
    assert (one.code, one.place.path) == (
        "nested-pack",
        (tmp_path / "house.zip/deep/er/pack.yaml").as_posix(),
    )


# Hostile names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../evil.yaml", "leads out of the zip"),
        ("rooms/../../evil.yaml", "leads out of the zip"),
        ("..", "leads out of the zip"),
        ("/etc/evil.yaml", "leads out of the zip"),
        ("//host/evil.yaml", "leads out of the zip"),
        ("C:/evil.yaml", "leads out of the zip"),
        ("c:evil.yaml", "leads out of the zip"),
        ("./evil.yaml", "not written plainly"),
        ("rooms//evil.yaml", "not written plainly"),
        ("a\x1b]52;c;eA==\x07.yaml", "cannot be seen"),
        ("a\n::error::x.yaml", "cannot be seen"),
        ("a\u202elmay.exe", "cannot be seen"),
        ("a\u2066.yaml", "cannot be seen"),
        ("a\u200b.yaml", "cannot be seen"),
        ("x" * 501, "longer than 500 bytes"),
        ("a/" * 16 + "b.yaml", "more than 16 folders deep"),
        ("beds.yaml", "there twice"),
        ("rooms", "there twice"),
        ("beds.yaml/x.yaml", "there twice"),
        ("evil.zip", "a zip within the zip, and is not opened"),
        ("rooms/evil.ZIP", "a zip within the zip, and is not opened"),
    ],
)
def test_a_name_that_is_none(tmp_path: Path, name: str, words: str):
    one = the_one(read_zip(tmp_path, listed((name, "x: 1\n"))))
    assert (one.code, one.place.path) == ("bad-archive", (tmp_path / "house.zip").as_posix())
    assert words in one.message
    assert not list(tmp_path.rglob("evil*"))


def test_a_backslash_and_a_zero_byte_that_the_tools_would_mend(tmp_path: Path):
    data = listed(("rooms_evil.yaml", "x: 1\n"))
    for instead, words in (
        (rb"rooms\evil.yaml", "backslash"),
        (b"rooms\0evil.yaml", "cannot be seen"),
    ):
        one = the_one(read_zip(tmp_path, in_both(data, b"rooms_evil.yaml", instead)))
        assert one.code == "bad-archive"
        assert words in one.message


def test_a_name_that_is_not_utf8(tmp_path: Path):
    data = in_both(listed(("r_ume.yaml", "x: 1\n")), b"r_ume.yaml", b"r\x84ume.yaml")
    one = the_one(read_zip(tmp_path, data))
    assert one.code == "bad-archive"
    assert "not written in UTF-8" in one.message
    assert "UTF-8" in (one.help or "")


def test_a_name_in_utf8_is_read_with_and_without_the_mark_that_says_so(tmp_path: Path):
    data = zipped({**HOUSE, "r\u00e4ume.yaml": setting("chambers")})
    name = "r\u00e4ume.yaml".encode()
    assert read_zip(tmp_path, data) == []
    for at in (data.index(name) - 30 + 6, directory_at(data, name) + 8):
        assert struct.unpack_from("<H", data, at) == (0x800,)
        data = patched(data, at, "<H", 0)
    assert read_zip(tmp_path, data) == []


@pytest.mark.parametrize(
    "names",
    [
        ("Beds.yaml",),
        ("Rooms/other.yaml",),
        ("ROOMS",),
        ("caf\u00e9.yaml", "cafe\u0301.yaml"),
        ("stra\u00dfe.txt", "STRASSE.txt"),
    ],
)
def test_names_that_are_one_on_other_systems(tmp_path: Path, names: tuple[str, ...]):
    one = the_one(read_zip(tmp_path, listed(*((name, "x: 1\n") for name in names))))
    assert one.code == "case-clash"
    assert "capital letters" in one.message


def test_such_names_in_a_folder_are_told_too(tmp_path: Path):
    write(
        tmp_path,
        {**GAME, "inn/Settings.yaml": setting("chairs"), "inn/NOTES.txt": "", "inn/notes.txt": ""},
    )
    if not (tmp_path / "inn/Settings.yaml").exists() or len(list((tmp_path / "inn").iterdir())) < 7:
        pytest.skip("this system does not tell capital letters from small ones")
    one = the_one(read(tmp_path / "inn")[1])
    assert (one.code, one.place.path) == ("case-clash", (tmp_path / "inn/settings.yaml").as_posix())
    assert one.notes[0].place.path == (tmp_path / "inn/Settings.yaml").as_posix()


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (stat.S_IFLNK | 0o777, "a link"),
        (stat.S_IFIFO | 0o644, "neither a file nor a folder"),
        (stat.S_IFCHR | 0o644, "neither a file nor a folder"),
        (stat.S_IFDIR | 0o755, "neither a file nor a folder"),
    ],
)
def test_what_is_no_file(tmp_path: Path, mode: int, words: str):
    one = the_one(read_zip(tmp_path, listed((with_mode("evil.yaml", mode), "/etc/passwd"))))
    assert one.code == "bad-archive"
    assert words in one.message


# Broken and tricky archives

GOOD = zipped(HOUSE)
BEDS = directory_at(GOOD, b"beds.yaml")
END = len(GOOD) - 22
CONTENT = GOOD.index(b"beds.yaml") + len("beds.yaml")


def at_both(name: bytes, in_header: int, in_directory: int, form: str, value: int) -> bytes:
    """The good zip with a number changed in the header of an entry and in the directory."""
    data = patched(GOOD, GOOD.index(name) - 30 + in_header, form, value)
    return patched(data, directory_at(GOOD, name) + in_directory, form, value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "is no zip", id="empty"),
        pytest.param(b"kind: pack\n", "is no zip", id="text"),
        pytest.param(b"Rar!\x1a\x07\x00" + bytes(100), "is no zip", id="another archive"),
        pytest.param(b"PK\x05\x06", "is no zip", id="only a mark"),
        pytest.param(GOOD[:-1], "is no zip|breaks off", id="cut by one"),
        pytest.param(GOOD[: len(GOOD) // 2], "breaks off", id="cut in the middle"),
        pytest.param(GOOD + b"x", "directory of this zip is broken", id="something behind"),
        pytest.param(b"x" + GOOD, "directory of this zip is broken", id="something in front"),
        pytest.param(
            patched(GOOD, END + 16, "<I", 7), "directory of this zip is broken", id="elsewhere"
        ),
        pytest.param(
            patched(GOOD, BEDS, "<I", 7), "directory of this zip is broken", id="no entry"
        ),
        pytest.param(
            patched(GOOD, BEDS + 28, "<H", 60_000),
            "directory of this zip is broken",
            id="long name",
        ),
        pytest.param(patched(GOOD, END + 10, "<H", 2), "several parts", id="two counts"),
        pytest.param(
            patched(patched(GOOD, END + 10, "<H", 2), END + 8, "<H", 2),
            "more than it counts",
            id="count low",
        ),
        pytest.param(
            patched(patched(GOOD, END + 10, "<H", 9), END + 8, "<H", 9),
            "breaks off",
            id="count high",
        ),
        pytest.param(patched(GOOD, END + 4, "<H", 1), "several parts", id="second disk"),
        pytest.param(patched(GOOD, END + 12, "<I", 0xFFFFFFFF), "above 4 GiB", id="huge directory"),
        pytest.param(patched(GOOD, BEDS + 24, "<I", 0xFFFFFFFF), "above 4 GiB", id="huge entry"),
        pytest.param(
            patched(GOOD, BEDS + 42, "<I", len(GOOD) - 3), "header of", id="header behind the end"
        ),
        pytest.param(patched(GOOD, BEDS + 42, "<I", 5), "header of", id="header elsewhere"),
        pytest.param(patched(GOOD, BEDS + 24, "<I", 3), "header of", id="two sizes"),
        pytest.param(GOOD.replace(b"beds.yaml", b"bods.yaml", 1), "header of", id="two names"),
        pytest.param(at_both(b"beds.yaml", 6, 8, "<H", 1), "is encrypted", id="encrypted"),
        pytest.param(at_both(b"beds.yaml", 8, 10, "<H", 14), "method 14", id="method unknown"),
        pytest.param(zipped(HOUSE, "", zipfile.ZIP_LZMA), "method 14", id="lzma"),
        pytest.param(zipped(HOUSE, "", zipfile.ZIP_BZIP2), "method 12", id="bzip2"),
    ],
)
def test_a_broken_zip_is_refused(tmp_path: Path, data: bytes, words: str):
    one = the_one(read_zip(tmp_path, data))
    assert (one.code, one.place.path) == ("bad-archive", (tmp_path / "house.zip").as_posix())
    assert any(each in one.message for each in words.split("|")), one.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(patched(GOOD, CONTENT + 9, "<H", 0xFFFF), "is damaged", id="damaged"),
        pytest.param(at_both(b"beds.yaml", 14, 16, "<I", 7), "checksum is wrong", id="checksum"),
        pytest.param(
            at_both(b"beds.yaml", 22, 24, "<I", 5), "more than the 5 bytes it announces", id="low"
        ),
        pytest.param(at_both(b"beds.yaml", 22, 24, "<I", 500), "another length", id="high"),
    ],
)
def test_a_damaged_entry_is_told_where_it_is(tmp_path: Path, data: bytes, words: str):
    one = the_one(read_zip(tmp_path, data))
    assert (one.code, one.place.path) == (
        "bad-archive",
        (tmp_path / "house.zip/beds.yaml").as_posix(),
    )
    assert words in one.message


def test_no_changed_byte_is_a_fault_of_ours(tmp_path: Path):
    told = [
        opened(tmp_path, GOOD[:at] + bytes([value]) + GOOD[at + 1 :])
        for at in range(0, len(GOOD), 2)
        for value in (0x00, 0xFF, GOOD[at] ^ 0x20)
    ]
    assert set(told) <= {None, "bad-archive", "archive-too-big"}
    assert told.count("bad-archive") > len(told) // 3


def test_entries_that_overlap(tmp_path: Path):
    """All entries of the directory share the bytes of one: a bomb without any ratio that tells."""
    data = zipped({"pack.yaml": HOUSE["pack.yaml"], "aa.yaml": "x: 1\n", "ab.yaml": "x: 1\n"})
    first = data.index(b"aa.yaml") - 30
    at = directory_at(data, b"ab.yaml")
    one = the_one(
        read_zip(tmp_path, patched(data, at + 42, "<I", first).replace(b"ab.yaml", b"aa.yaml"))
    )
    assert one.code == "bad-archive"
    assert "share the same bytes" in one.message


def test_entries_that_lie_within_one_another(tmp_path: Path):
    inner = zipped({"in.yaml": "x: 1\n"}, method=zipfile.ZIP_STORED)
    inner = inner[: inner.index(b"PK\x01\x02")]
    data = zipped({**HOUSE, "out.yaml": inner, "in.yaml": "x: 1\n"}, method=zipfile.ZIP_STORED)
    inside = data.index(inner)
    one = the_one(
        read_zip(tmp_path, patched(data, directory_at(data, b"in.yaml") + 42, "<I", inside))
    )
    assert one.code == "bad-archive"
    assert "share the same bytes" in one.message


# Limits


def opened(folder: Path, data: bytes, **limits: int) -> str | None:
    """The code with which a zip is refused under other limits; None if it is opened and all in it
    read."""
    path = folder / "house.zip"
    path.write_bytes(data)
    try:
        archive = open_archive(path, "house.zip", ENDINGS, replace(LIMITS, **limits))
        for name in archive.entries:
            archive.read(name, name)
    except SourceError as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("limit", "at"),
    [
        ("archive", len(GOOD)),
        ("entries", len(HOUSE)),
        ("entry", max(map(len, HOUSE.values()))),
        ("total", sum(map(len, HOUSE.values()))),
    ],
)
def test_a_zip_at_the_limit_and_above(tmp_path: Path, limit: str, at: int):
    assert opened(tmp_path, GOOD, **{limit: at}) is None
    assert opened(tmp_path, GOOD, **{limit: at - 1}) == "archive-too-big"


def test_the_ratio_at_the_limit_and_above(tmp_path: Path):
    data = zipped({"a.yaml": "#" * 10_000})
    packed = zipfile.ZipFile(io.BytesIO(data)).infolist()[0].compress_size
    ratio = 10_000 // packed
    assert opened(tmp_path, data, ratio=ratio + 1, ratio_above=100) is None
    assert opened(tmp_path, data, ratio=ratio, ratio_above=100) == "archive-too-big"
    assert opened(tmp_path, data, ratio=ratio, ratio_above=10_000) is None


def hand_made(count: int, name: Callable[[int], bytes]) -> bytes:
    """A zip of so many empty entries, quicker than the library makes one."""
    heads, rows, at = [], [], 0
    for number in range(count):
        called = name(number)
        heads.append(
            struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, len(called), 0)
            + called
        )
        rows.append(
            struct.pack(
                "<4s6H3I5H2I",
                b"PK\x01\x02",
                20,
                20,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                len(called),
                0,
                0,
                0,
                0,
                0,
                at,
            )
            + called
        )
        at += len(heads[-1])
    directory = b"".join(rows)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, len(directory), at, 0)
    return b"".join(heads) + directory + end


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "too many entries": (lambda: hand_made(20_001, lambda at: b"%d.txt" % at), "archive-too-big"),
    "deep names": (
        lambda: hand_made(20_000, lambda at: b"%d/" % at + b"a/" * 14 + b"b"),
        "no-pack",
    ),
    "long names": (
        lambda: hand_made(20_000, lambda at: b"%05d" % at + b"\xc3\xa4" * 240),
        "no-pack",
    ),
    "a big file": (lambda: zipped({**HOUSE, "a.yaml": os.urandom(2**21 + 1)}), "archive-too-big"),
    "a big file that packs well": (
        lambda: zipped({**HOUSE, "a.yaml": "#" * 2**21}),
        "archive-too-big",
    ),
    "a picture of 20 MB": (
        lambda: zipped({**HOUSE, "a.png": bytes(20_000_000)}),
        "archive-too-big",
    ),
    "many files": (
        lambda: zipped({**HOUSE, **{f"{at}.yaml": "#" * 2**20 for at in range(65)}}),
        "archive-too-big",
    ),
    "400 MB in a file that says 5": (
        lambda: lying(zipped({**HOUSE, "a.yaml": bytes(400_000_000)}), b"a.yaml", 5),
        "bad-archive",
    ),
    "the archive itself": (lambda: bytes(64 * 2**20 + 1), "archive-too-big"),
    "an entry of nothing but empty blocks": (lambda: of_empty_blocks(12_000_000), "bad-archive"),
}


def lying(data: bytes, name: bytes, size: int) -> bytes:
    """A zip that says of an entry that it is smaller than it is."""
    data = patched(data, data.index(name) - 30 + 22, "<I", size)
    return patched(data, directory_at(data, name) + 24, "<I", size)


def of_empty_blocks(count: int) -> bytes:
    """A zip with an entry of so many blocks that unpack to nothing, and no end."""
    blocks = b"\0\0\0\xff\xff" * count
    data = zipped({**HOUSE, "a.yaml": blocks}, method=zipfile.ZIP_STORED)
    for at in (data.index(b"a.yaml") - 30 + 8, directory_at(data, b"a.yaml") + 10):
        data = patched(data, at, "<H", zipfile.ZIP_DEFLATED)
    return lying(data, b"a.yaml", 5)


MEASURED = """\
import json, sys, time
from pathlib import Path
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.pack_examples import read
read(Path("inn"))
for name in json.loads(sys.argv[1]):
    start = time.process_time()
    found = read(Path("inn"), Path(name))[1]
    print(*{one.code for one in found}, len(found), time.process_time() - start)
# Not what `resource` knows, which is also of the process that started this one.
status = Path("/proc/self/status")
print(status.read_text().partition("VmHWM:")[2].split()[0] if status.exists() else 0)
"""


def test_bombs_are_refused_within_two_seconds_and_300_mb(tmp_path: Path):
    write(tmp_path, GAME)
    for bomb, (make, _) in BOMBS.items():
        (tmp_path / f"{bomb}.zip").write_bytes(make())
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, json.dumps([f"{bomb}.zip" for bomb in BOMBS])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    *lines, kilobytes = done.stdout.splitlines()
    told = {bomb: line.split() for bomb, line in zip(BOMBS, lines, strict=True)}
    assert {bomb: words[:-1] for bomb, words in told.items()} == {
        bomb: [code, "1"] for bomb, (_, code) in BOMBS.items()
    }
    slow = {bomb: words[-1] for bomb, words in told.items() if not in_time(float(words[-1]), 2)}
    assert not slow
    assert int(kilobytes) < 300 * 1024
