"""Places inside effect text: exact wherever they are given, and refused wherever they could not
be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import MAX_BLOCK, MAX_DEFINITION, EffectText, effect_text


def read(text: str) -> tuple[EffectText | None, list[Diagnostic]]:
    source, report = Source.from_text(text, "a.yaml"), Report()
    root = compose(source, report)
    assert root is not None, report.diagnostics()
    node = root.get("effect")
    assert node is not None
    return effect_text(source, node, report), report.diagnostics()


def check_every_place(found: EffectText) -> None:
    """Each character of the text stands in the file where the text says."""
    source = found.source
    for at, char in enumerate(found.text.rstrip("\n")):
        place = found.place_of((at, at + 1))
        line = source.line_text(place.line)
        if char == "\n":
            assert place.column - 1 == min(place.column - 1, len(line))
        else:
            assert line[place.column - 1 : place.end_column - 1] == char


@pytest.mark.parametrize(
    ("text", "value", "first"),
    [
        ("effect: |\n  stop\n", "stop\n", (2, 3)),
        ("effect: |-\n  stop\n", "stop", (2, 3)),
        ("effect: |+\n  stop\n\n\n", "stop\n\n\n", (2, 3)),
        ("effect: |2\n    stop\n  b\n", "  stop\nb\n", (2, 3)),
        ("effect: | # why\n\n  stop\n   a\n", "\nstop\n a\n", (2, 1)),
        ("effect: |\n     stop\n", "stop\n", (2, 6)),
        ("effect:\n  |\n  stop\n", "stop\n", (3, 3)),
        ("effect: stop\n", "stop", (1, 9)),
        ("effect: 'a = b'\n", "a = b", (1, 10)),
        ('effect: "a = b"\n', "a = b", (1, 10)),
        ("effect:\n  stop\n", "stop", (2, 3)),
        ("{effect: 3}", "3", (1, 10)),
        ("effect: true\n", "true", (1, 9)),
        ("effect: |\n  a\n   \n  b\n", "a\n \nb\n", (2, 3)),
    ],
)
def test_texts_that_can_be_placed(text: str, value: str, first: tuple[int, int]):
    found, told = read(text)
    assert found is not None
    assert not told
    assert found.text == value
    place = found.place_of((0, 1))
    assert (place.line, place.column) == first
    check_every_place(found)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("effect: >\n  stop\n", 1, 9),
        ("effect: >-\n  a\n\n  b\n", 1, 9),
        ("effect: a\n  b\n", 1, 9),
        ("effect: 'a\n  b'\n", 1, 9),
        ("effect: 'it''s'\n", 1, 9),
        ('effect: "a\\tb"\n', 1, 9),
        ('effect: "a\\\n  b"\n', 1, 9),
    ],
)
def test_texts_that_yaml_rewrites_are_refused(text: str, line: int, column: int):
    found, told = read(text)
    assert found is None
    assert [one.code for one in told] == ["unmappable-text"]
    assert (told[0].place.line, told[0].place.column) == (line, column)
    assert "`|`" in (told[0].help or "")


def test_the_end_of_the_text_is_behind_its_last_word():
    found, _ = read("effect: |\n  let x\n\nid: fool\n")
    assert found is not None
    for span in ((6, 6), (5, 6), (6, 7), (900, 901)):
        place = found.place_of(span)
        assert (place.line, place.column, place.end_line, place.end_column) == (2, 8, 2, 8)


def test_a_stretch_over_lines_ends_behind_its_last_character():
    found, _ = read("effect: |\n  if x:\n    stop\n")
    assert found is not None
    place = found.place_of((0, 15))
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 3, 3, 9)


def test_a_tab_in_the_indentation_is_told_at_the_tab():
    found, told = read("effect: |\n  if x:\n  \tstop\n")
    assert found is None
    assert [(one.code, one.place.line, one.place.column) for one in told] == [("tab", 3, 3)]


def test_nothing_and_lists_hold_no_effect_text():
    for text in ("effect:\n", "effect: [a]\n"):
        found, told = read(text)
        assert found is None
        assert [one.code for one in told] == ["wrong-type"]


@pytest.mark.parametrize(("style", "limit"), [("|\n  ", MAX_BLOCK), ("", MAX_DEFINITION)])
def test_length_at_the_limit_and_above(style: str, limit: int):
    extra = 1 if style else 0  # the line end that closes a block counts
    found, told = read(f"effect: {style}{'x' * (limit - extra)}\n")
    assert found is not None
    assert not told
    found, told = read(f"effect: {style}{'x' * (limit - extra + 1)}\n")
    assert found is None or style
    assert {one.code for one in told} == {"too-long"}


WORDS = st.text(alphabet="ab =:#'\"[]{}é漢👩-|>&*!%@`,.?\\", max_size=12)


@given(
    st.lists(WORDS, min_size=1, max_size=8), st.integers(1, 5), st.sampled_from(["|", "|-", "|+"])
)
def test_every_block_is_placed_exactly(lines: list[str], indent: int, header: str):
    body = "\n".join(" " * indent + line if line else "" for line in lines)
    source, report = Source.from_text(f"effect: {header}\n{body}\nid: x\n", "a.yaml"), Report()
    root = compose(source, report)
    node = None if root is None else root.get("effect")
    if node is None or node.kind != "text":
        return  # a first line of spaces only can make YAML refuse the block
    found = effect_text(source, node, report)
    if found is not None:
        check_every_place(found)
    else:
        assert not node.value, "a block that YAML could read can be placed"


@given(WORDS, st.sampled_from(["", "'", '"']), st.integers(0, 4))
def test_every_text_on_one_line_is_placed_exactly_or_refused(word: str, quote: str, indent: int):
    source, report = (
        Source.from_text(f"effect: {' ' * indent}{quote}{word}{quote}\n", "a.yaml"),
        Report(),
    )
    root = compose(source, report)
    node = None if root is None else root.get("effect")
    if node is not None and node.kind == "text":
        found = effect_text(source, node, report)
        if found is not None:
            assert found.text == node.value
            check_every_place(found)


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from("|>'\""), st.integers(1, 4))
def test_no_text_is_ever_placed_wrongly(lines: list[str], style: str, indent: int):
    joined = ("\n" + " " * indent).join(lines)
    body = f"{style}\n{' ' * indent}{joined}" if style in "|>" else f"{style}{joined}{style}"
    source, report = Source.from_text(f"effect: {body}\n", "a.yaml"), Report()
    root = compose(source, report)
    node = None if root is None else root.get("effect")
    if node is not None and node.kind == "text":
        found = effect_text(source, node, report)
        if found is not None:
            check_every_place(found)
