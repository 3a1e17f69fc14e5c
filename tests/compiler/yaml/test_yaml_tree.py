"""The tree of a YAML file: values, places, and each slip of the pen told where it stands.

In the texts below `§` marks the place that the one message must name; it is taken out before
reading.
"""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode, node_at, to_data
from ruleloom.compiler.yaml.reader import compose, unreadable
from tests.support.expect import run_schema

HERE = "§"


def tree(text: str) -> YamlNode:
    report = Report()
    root = compose(Source.from_text(text, "a.yaml"), report)
    assert report.diagnostics() == []
    assert root is not None
    return root


def at(place) -> tuple[int, int, int, int]:
    return (place.line, place.column, place.end_line, place.end_column)


def test_every_value_and_key_knows_its_place():
    root = tree(
        "# powers\n- id: fool\n  cost: 3\n  'tags': [a, \"b c\"]\n  effect: |\n    stop\n\n- x: 'é:'\n"
    )
    assert to_data(root) == [
        {"id": "fool", "cost": 3, "tags": ["a", "b c"], "effect": "stop\n"},
        {"x": "é:"},
    ]
    item = root.items[0]
    assert at(item.place) == (2, 3, 6, 9)
    assert at(item.entries["id"].place) == (2, 7, 2, 11)
    assert at(item.key_place("tags")) == (4, 3, 4, 9)
    assert at(item.key_place("cost")) == (3, 3, 3, 7)
    assert at(node_at(root, [0, "tags"]).place) == (4, 11, 4, 21)
    assert at(node_at(root, [0, "tags", 1]).place) == (4, 15, 4, 20)
    assert at(item.entries["effect"].place) == (5, 11, 6, 9)
    assert item.entries["effect"].style == "|"
    assert node_at(root, [0, "tags", 1]).raw == '"b c"'
    assert node_at(root, [0, "tags"]).style == "["


def test_nothing_stands_right_behind_its_colon():
    node = tree("a:\nb: ~\n").entries["a"]
    assert (node.kind, node.value) == ("null", None)
    assert at(node.place) == (1, 3, 1, 3)


def test_a_node_answers_for_what_it_is_not():
    node = tree("a: text\n").entries["a"]
    assert node.text == "text"
    assert node.entries == {}
    assert node.items == []
    assert node.get("x") is None


def test_a_file_that_holds_nothing():
    for text in ("", "\n\n", "# words\n", "---\n", "null\n", "~"):
        report = Report()
        assert compose(Source.from_text(text, "a.yaml"), report) is None
        assert [one.code for one in report.diagnostics()] == ["empty-file"]
        assert not report.has_errors


SLIPS = {
    # Colons and spaces.
    "colon dropped": "- kind§ power\n  id: fool\n  effect: stop\n",
    "colon dropped further down": "- kind: power\n  id§ fool\n  effect: stop\n",
    "colon dropped at the end": "- kind: power\n  id: fool\n  effect§ stop\n",
    "colon dropped before a quote": '- kind: power\n  id: fool\n  gloss§ "take one"\n  effect: stop\n',
    "colon dropped before a bracket": "- kind: power\n  id: fool\n  range§ [1, 2]\n  effect: stop\n",
    "colon dropped before a block": "- kind: power\n  id: fool\n  effect§ |\n    stop\n",
    "colon dropped before a list": "kind: setting\nid: a\ntags§\n  - b\nvalue: 1\nenglish: a\n",
    "colon dropped in braces": "{kind: power, id§ fool, effect: stop}\n",
    "space dropped": "- kind: power\n  id:§fool\n  effect: stop\n",
    "space dropped before a quote": '- kind: power\n  id:§"fool"\n  effect: stop\n',
    "space dropped in braces": "{kind: power, id:§fool, effect: stop}\n",
    "space dropped after a dash": "-§kind: power\n  id: fool\n  effect: stop\n",
    "space dropped after a later dash": "- kind: power\n  id: a\n  effect: b\n-§kind: power\n  id: b\n",
    "space dropped in a list": "kind: setting\nid: a\ntags:\n  - b\n  -§c\nvalue: 1\nenglish: a\n",
    "colon too many": "kind: power\nid: fool\neffect: stop\ngloss: note§: this\n",
    # Indentation.
    "line indented by one": "- kind: power\n   §id: fool\n  effect: stop\n",
    "line indented by two": "- kind: power\n  id: fool\n    §effect: stop\n",
    "line outdented by one": "- kind: power\n §id: fool\n  effect: stop\n",
    "later line outdented": "- kind: power\n  id: fool\n §effect: stop\n",
    "dash indented": " §- kind: power\n  id: fool\n  effect: stop\n",
    "later dash indented": "- kind: power\n  id: a\n  effect: b\n §- kind: power\n  id: b\n",
    "dash dropped": " §kind: power\n  id: fool\n  effect: stop\n",
    "first line of a map indented": "kind: power\nid: a\nshape:\n   §form: line\n  length: 3\neffect: stop\n",
    "last line of a map indented": "kind: power\nid: a\nshape:\n  form: line\n   §length: 3\neffect: stop\n",
    "last line of a map outdented": "kind: power\nid: a\nshape:\n  form: line\n §length: 3\neffect: stop\n",
    "entry indented": "kind: setting\nid: a\ntags:\n  - b\n   §- c\nvalue: 1\nenglish: a\n",
    "entry outdented": "kind: setting\nid: a\ntags:\n  - b\n §- c\nvalue: 1\nenglish: a\n",
    "first entry indented": "kind: setting\nid: a\ntags:\n   §- b\n  - c\nvalue: 1\nenglish: a\n",
    "first entry outdented": "kind: setting\nid: a\ntags:\n §- b\n  - c\nvalue: 1\nenglish: a\n",
    "block line outdented": "kind: power\nid: fool\neffect: |\n  stop\n §stop\n",
    "tab at the start": "- kind: power\n§\tid: fool\n  effect: stop\n",
    "tab behind spaces": "- kind: power\n  id: fool\n  shape:\n  §\tform: line\n  effect: stop\n",
    "tab before a block": "kind: power\nid: fool\neffect: |\n§\tstop\n",
    # Quotes.
    "closing quote dropped": '- kind: power\n  id: fool\n  gloss: §"take one\n  effect: stop\n',
    "closing quote dropped of several": '- kind: power\n  id: §"fool\n  gloss: "take"\n  effect: "stop"\n',
    "closing quote dropped at the end": "kind: power\nid: fool\neffect: §'stop\n",
    "closing quote dropped in a list": 'kind: setting\nid: a\ntags: [§"b, "c"]\nvalue: 1\nenglish: a\n',
    "closing quote dropped at a list's end": 'kind: setting\nid: a\ntags: ["b", §"c]\nvalue: 1\n',
    "closing quote dropped from a key": '- §"kind: power\n  id: fool\n  effect: stop\n',
    "opening quote dropped": 'kind: power\nid: fool\ngloss: take one§"\neffect: stop\n',
    "opening quote dropped before a colon": 'kind: power\nid: fool\ngloss: take: one§"\neffect: stop\n',
    "quote within quotes": 'kind: power\nid: fool\ngloss: "take §"one" now"\neffect: stop\n',
    "apostrophe within quotes": "kind: power\nid: fool\ngloss: 'it§'s'\neffect: stop\n",
    "curly quotes": "kind: power\nid: fool\ngloss: §“take one”\neffect: stop\n",
    "curly quotes in a list": "kind: setting\nid: a\ntags: [§“b”, c]\nvalue: 1\nenglish: a\n",
    "curly quotes around a colon": "kind: power\nid: fool\ngloss: §“take: one”\neffect: stop\n",
    "curly opening quote": 'kind: power\nid: fool\ngloss: §“take one"\neffect: stop\n',
    "curly closing quote": 'kind: power\nid: fool\ngloss: "take one§”\neffect: stop\n',
    "curly single quotes": "kind: power\nid: fool\ngloss: §‘take one’\neffect: stop\n",
    # Brackets and commas.
    "closing bracket dropped": "kind: power\nid: fool\nrange: §[1, 2\neffect: stop\n",
    "closing brace dropped": "kind: power\nid: fool\nwhen: §{a: b\neffect: stop\n",
    "closing bracket dropped before a block": "kind: power\nid: fool\nrange: §[1, 2\neffect: |\n  stop\n",
    "closing bracket dropped at the end": "kind: power\nid: fool\neffect: stop\nrange: §[1, 2\n",
    "wrong bracket": "kind: power\nid: fool\nrange: [1, 2§}\neffect: stop\n",
    "bracket too many": "kind: power\nid: fool\nrange: [1, 2]§]\neffect: stop\n",
    "opening bracket dropped": "kind: power\nid: fool\nrange: §1, 2]\neffect: stop\n",
    "comma dropped between quotes": 'kind: setting\nid: a\ntags: ["b"§ "c"]\nvalue: 1\nenglish: a\n',
    "comma dropped in braces": "kind: power\nid: a\nshape: {form: disc§ radius: 3}\neffect: stop\n",
    "brace begins a text": "kind: power\nid: fool\ngloss: §{piece} moves\neffect: stop\n",
    # Names and values.
    "key misspelt": "- kind: power\n  id: fool\n  §efect: stop\n",
    "key doubled": "- kind: power\n  id: fool\n  effect: stop\n  §id: fool\n",
    "key missing": "- kind: power\n  id: §fool\n",
    "key missing without an id": "- §kind: power\n  effect: stop\n",
    "kind misspelt": "- kind: §powr\n  id: fool\n  effect: stop\n",
    "kind's key misspelt": "- §knd: power\n  id: fool\n  effect: stop\n",
    "wrong choice": "kind: setting\nid: a\ntype: §Imt\nvalue: 1\nenglish: a\n",
    "wrong sort": "kind: setting\nid: a\nmin: §three\nvalue: 1\nenglish: a\n",
    "no for false": "kind: setting\nid: a\nhidden: §no\nvalue: 1\nenglish: a\n",
    "number for text": "kind: setting\nid: a\nvalue: 1\nenglish: §3\n",
    "value swallowed by a comment": "kind: setting\nid: a\nvalue: 1\nenglish: §#3\n",
    "sign that needs quotes": "kind: power\nid: fool\ngloss: §@home\neffect: stop\n",
    "star": "kind: power\nid: fool\ngloss: §*bold*\neffect: stop\n",
    "anchor": "kind: power\nid: §&fool fool\neffect: stop\n",
    "tag": "kind: power\nid: §!fool fool\neffect: stop\n",
    "unknown escape": 'kind: power\nid: fool\ngloss: "a§\\q"\neffect: stop\n',
    "block without its sign": "kind: power\nid: a\neffect:§\n  choose a from b\n  if x = 2:\n    stop\n",
}


@pytest.mark.parametrize("text", SLIPS.values(), ids=SLIPS)
def test_a_slip_makes_one_message_at_its_place(text: str):
    where = text.index(HERE)
    found = run_schema(text.replace(HERE, ""))
    line, column = text.count("\n", 0, where) + 1, where - (text.rfind("\n", 0, where) + 1) + 1
    assert [(one.place.line, one.place.column) for one in found] == [(line, column)], found


def test_what_no_rule_knows_is_still_told_at_its_place():
    mark = yaml.Mark("a.yaml", 5, 1, 2, None, 0)
    fault = unreadable(
        yaml.MarkedYAMLError(problem="a new trick", problem_mark=mark),
        "a: {{{ ]]]\nb: [[[ }}}\nc: {{{\n",
    )
    assert (fault.code, fault.start) == ("unreadable-yaml", 5)
    assert unreadable(yaml.YAMLError(), "a").code == "control-character"


GOOD = """\
- kind: power
  id: fool
  takes: "victim: Piece"
  gloss: 'take one'
  when: {first: "a, b", last: x}
  range: [1, 2]
  triggers:
    - on: touched(piece)
      do: |
        choose piece from pieces
        stop
  effect: |
    stop
- kind: setting
  id: hand_size
  value: 3
  tags:
    - cards
  english: the most cards
"""


def test_the_good_file_is_good():
    assert run_schema(GOOD) == []


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(GOOD)),
            st.integers(0, 2),
            st.sampled_from([*"'\"[]{}:,-|>@&*!?# \t\n“", ""]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_edit_breaks_the_reader(edits: list[tuple[int, int, str]]):
    text = GOOD
    for start, length, insert in edits:
        text = text[:start] + insert + text[start + length :]
    lines = text.split("\n")
    for found in run_schema(text):
        assert 1 <= found.place.line <= len(lines)
        assert 1 <= found.place.column <= len(lines[found.place.line - 1]) + 1
        assert (found.place.line, found.place.column) <= (
            found.place.end_line,
            found.place.end_column,
        )


SIMPLE = (
    st.integers(-(10**15) + 1, 10**15 - 1)
    | st.booleans()
    | st.none()
    | st.text(alphabet="ab é漢:#-'\"no1", max_size=8)
)
KEYS = st.text("abc", min_size=1, max_size=3)
PLAIN = st.recursive(
    SIMPLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_what_json_says_is_what_the_tree_holds(value):
    if value is not None:
        report = Report()
        root = compose(Source.from_text(json.dumps(value, ensure_ascii=False), "a.yaml"), report)
        assert root is not None, report.diagnostics()
        assert to_data(root) == value
