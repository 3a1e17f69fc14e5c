"""Reading files: what is refused before anything parses it, and where each character stands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.source.file import MAX_BYTES, Place, Source, SourceError, read_bytes
from tests.support.check_layer import compile_case


def refused(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        Source.read(path, "shown.yaml")
    return caught.value


def refused_bytes(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        Source.decode(data, "shown.yaml")
    return caught.value


def test_reads_a_file_under_the_name_it_is_shown_by(tmp_path: Path):
    path = tmp_path / "fool.yaml"
    path.write_bytes("id: fool\r\ntitle: é\n".encode())
    source = Source.read(path, "pack/fool.yaml")
    assert source.path == "pack/fool.yaml"
    assert source.text == "id: fool\ntitle: é\n"


def test_a_byte_order_mark_at_the_head_is_no_character(tmp_path: Path):
    path = tmp_path / "fool.yaml"
    path.write_bytes(b"\xef\xbb\xbfid: fool\n")
    assert Source.read(path, "fool.yaml").text == "id: fool\n"


def test_size_at_the_limit_and_above(tmp_path: Path):
    path = tmp_path / "big.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert len(Source.read(path, "big.yaml").text) == MAX_BYTES
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    error = refused(path)
    assert error.code == "file-too-big"
    assert "2,097,152 bytes" in error.message
    assert error.place == Place("shown.yaml", 1, 1, 1, 1)


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="only Linux has such files")
def test_a_file_that_does_not_tell_its_size_is_read_to_its_end():
    path = Path("/proc/self/mountinfo")
    assert path.stat().st_size == 0
    assert read_bytes(path, "mountinfo", MAX_BYTES) == path.read_bytes()
    with pytest.raises(SourceError, match="larger than 9 bytes"):
        read_bytes(path, "mountinfo", 9)


def test_missing_files_folders_and_links_are_refused(tmp_path: Path):
    path = tmp_path / "fool.yaml"
    path.write_text("id: fool\n")
    link = tmp_path / "link.yaml"
    link.symlink_to(path)
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    for bad, words in (
        (tmp_path / "none.yaml", "no such file"),
        (link, "a link"),
        (loop, "a link"),
    ):
        error = refused(bad)
        assert error.code == "unreadable-file"
        assert words in error.message
    assert refused(tmp_path).message == "this is not an ordinary file"
    assert refused(tmp_path / "a\0b").code == "unreadable-file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_does_not_make_us_wait(tmp_path: Path):
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    assert refused(path).message == "this is not an ordinary file"


def test_a_device_is_refused():
    assert refused(Path(os.devnull)).message == "this is not an ordinary file"


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"id: fool\ntitle: caf\xe9\n", "not-utf8", 2, 11),
        ("título: a\nb: ".encode() + b"\xff", "not-utf8", 2, 4),
        (b"\xff\xfei\0d\0", "not-utf8", 1, 1),
        ("id: fool".encode("utf-16-be"), "control-character", 1, 1),
        (b"a: 1\nb: \x00\n", "control-character", 2, 4),
        (b"a: \x1b[31m\n", "control-character", 1, 4),
        (b"a: \x7f\n", "control-character", 1, 4),
        (b"a: 1\rb: 2\n", "control-character", 1, 5),
        (b"a: \xed\xa0\x80\n", "not-utf8", 1, 4),
    ],
)
def test_what_is_no_plain_text_is_refused_at_its_place(
    data: bytes, code: str, line: int, column: int
):
    error = refused_bytes(data)
    assert (error.code, error.place.line, error.place.column) == (code, line, column)


@pytest.mark.parametrize("pasted", ["\x85", "\u2028", "\u2029", "\ufeff"])
def test_what_comes_along_when_a_text_is_pasted_hides_nothing_else(pasted: str):
    """It is an error at its place, and all that is wrong beside it is told as well."""
    text = f"{pasted}- {{kind: power, id: hum, gloss: a{pasted}b, effect: use hom}}\n"
    text = text.removeprefix(pasted) if pasted == "\ufeff" else text  # a mark at the start is none
    found = [(one.code, one.place.column) for one in compile_case(text).diagnostics]
    at = text.index("a" + pasted) + 2
    first = [("control-character", 1)] if text.startswith(pasted) else []
    assert found == [*first, ("control-character", at), ("unknown-power", text.index("hom") + 1)]


def test_a_lone_surrogate_from_an_editor_is_refused():
    with pytest.raises(SourceError):
        Source.from_text("a: \ud800", "shown.yaml")


def test_tabs_and_letters_of_all_scripts_are_plain_text():
    text = "a:\t👩‍🚀 é ß 漢 ‏\n"
    assert Source.from_text(text, "a.yaml").text == text


@given(st.text(alphabet="ab\né漢👩", max_size=60), st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject):
    source = Source("a.yaml", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.line_col(offset)
    assert (
        text.split("\n")[line - 1][: column - 1] == text[text.rfind("\n", 0, offset) + 1 : offset]
    )
    assert sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1 == offset
    assert source.line_text(line) == text.split("\n")[line - 1]


def test_places_are_ordered_as_one_reads():
    places = [
        Place("b", 1, 1, 1, 1),
        Place("a", 2, 1, 2, 1),
        Place("a", 1, 9, 1, 9),
        Place("a", 1, 2, 1, 3),
    ]
    assert [(p.path, p.line, p.column) for p in sorted(places)] == [
        ("a", 1, 2),
        ("a", 1, 9),
        ("a", 2, 1),
        ("b", 1, 1),
    ]
