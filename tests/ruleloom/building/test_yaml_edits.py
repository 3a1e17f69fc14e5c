"""A value is changed in a text, and all else stays as it was written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.building.yaml_edits import remove_value, set_value
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.yaml.node import to_data
from ruleloom.runtime.program.faults import Refused
from tests.support.examples import examples

TEXT = """\
# a card
- kind: major
  id: moth   # its name
  number: 40  # rank
  tags: [a, b]
  list:
    - one
    # between
    - two
  effect: |
    choose minion

    face(minion, up)
  # after
  deep: {a: 1, b: x}
# another
- kind: suit
  id: lamp
"""
ORDER = ["kind", "id", "title", "number", "effect", "text", "tags"]


def edited(edit, text=TEXT):
    return text[: edit.start] + edit.text + text[edit.end :]


def changed_lines(edit, text=TEXT):
    """What is no more, and what is new."""
    old, new = text.splitlines(), edited(edit, text).splitlines()
    return [one for one in old if one not in new], [one for one in new if one not in old]


@pytest.mark.parametrize(
    ("path", "value", "gone", "new"),
    [
        (["number"], 41, ["  number: 40  # rank"], ["  number: 41  # rank"]),
        (["id"], "owl", ["  id: moth   # its name"], ["  id: owl   # its name"]),
        (["title"], "My: title", [], ['  title: "My: title"']),
        (["title"], "12", [], ['  title: "12"']),
        (["title"], "# no", [], ['  title: "# no"']),
        (["tags", 0], "z", ["  tags: [a, b]"], ["  tags: [z, b]"]),
        (["tags", 2], "c, d", ["  tags: [a, b]"], ['  tags: [a, b, "c, d"]']),
        (["list", 1], "TWO", ["    - two"], ["    - TWO"]),
        (["list", 2], "three", [], ["    - three"]),
        (["deep", "c"], "q", ["  deep: {a: 1, b: x}"], ["  deep: {a: 1, b: x, c: q}"]),
        (["deep", "a"], 7, ["  deep: {a: 1, b: x}"], ["  deep: {a: 7, b: x}"]),
        (["text"], "a\n\nb", [], ["  text: |", "    a", "    b"]),
        (["effect"], "use create", ["    choose minion", "", "    face(minion, up)"], ["    use create"]),
        (["start"], {"Str": 14}, [], ["  start: {Str: 14}"]),
        (["legal"], False, [], ["  legal: false"]),
    ],
)  # fmt: skip
def test_a_value_is_set(path, value, gone, new):
    assert changed_lines(set_value(TEXT, 0, path, value, ORDER)) == (gone, new)


@pytest.mark.parametrize(
    ("path", "gone", "new"),
    [
        (["number"], ["  number: 40  # rank"], []),
        (["tags", 1], ["  tags: [a, b]"], ["  tags: [a]"]),
        (["tags", 0], ["  tags: [a, b]"], ["  tags: [b]"]),
        (["list", 0], ["    - one"], []),
        (["deep", "a"], ["  deep: {a: 1, b: x}"], ["  deep: {b: x}"]),
        (["effect"], ["  effect: |", "    choose minion", "", "    face(minion, up)"], []),
    ],
)
def test_a_value_is_taken_out(path, gone, new):
    assert changed_lines(remove_value(TEXT, 0, path)) == (gone, new)


def test_a_new_field_stands_where_the_schema_has_it():
    lines = edited(set_value(TEXT, 0, ["title"], "Moth", ORDER)).splitlines()
    assert lines[2:5] == ["  id: moth   # its name", "  title: Moth", "  number: 40  # rank"]


def test_the_last_item_of_a_file_without_a_line_end():
    text = "kind: suit\nid: lamp"
    assert edited(set_value(text, 0, ["title"], "Lamp", ORDER), text) == (
        "kind: suit\nid: lamp\ntitle: Lamp\n"
    )


@pytest.mark.parametrize(
    ("number", "path"),
    [(2, ["id"]), (-1, ["id"]), (0, ["nothing", "inner"]), (0, ["id", "x"]), (0, ["list", 5]), (0, ["id", 0])],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(number, path):
    with pytest.raises(Refused):
        set_value(TEXT, number, path, "x", ORDER)
    with pytest.raises(Refused):
        remove_value(TEXT, number, path)


def test_the_key_that_begins_an_item_is_not_taken_out():
    with pytest.raises(Refused):
        remove_value(TEXT, 0, ["kind"])


def test_a_text_that_cannot_be_read_is_left_alone():
    with pytest.raises(Refused):
        set_value("a: [", 0, ["a"], "x")
    with pytest.raises(Refused):
        set_value("a: \0", 0, ["a"], "x")


PATHS = st.sampled_from(
    [["id"], ["title"], ["number"], ["tags", 0], ["tags", 2], ["list", 0], ["list", 2], ["effect"], ["text"], ["deep", "a"], ["deep", "z"]]
)  # fmt: skip
VALUES = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="ab:#-'\"|> \n,[]{}&*!%@`?0123", max_size=20),
    st.integers(-(10**9), 10**9),
    st.booleans(),
    st.lists(st.text(alphabet="abc ,:#]", max_size=8), max_size=4),
)


@given(PATHS, VALUES)
@examples(4)
def test_whatever_is_written_is_read_again_as_it_was_meant(path, value):
    try:
        edit = set_value(TEXT, 0, path, value, ORDER)
    except Refused:
        return
    old, new = [[to_data(one) for one in items_in(text)] for text in (TEXT, edited(edit))]
    found: Any = new[0]
    for step in path:
        found = found[step]
    if isinstance(value, str):
        assert isinstance(found, str)
        assert found.rstrip("\n") == value.rstrip("\n")
    else:
        assert found == value
        assert type(found) is type(value)
    assert new[1] == old[1]
    comments = [line for line in TEXT.splitlines() if line.strip().startswith("#")]
    assert all(line in edited(edit).splitlines() for line in comments)
