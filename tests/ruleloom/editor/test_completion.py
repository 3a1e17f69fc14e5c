"""What completion offers at places of texts that are only half written."""

from __future__ import annotations

import os

import pytest

from ruleloom.compiler.analysis.yaml_cursor import yaml_cursor
from ruleloom.compiler.syntax.parser import _PARSER, ENDINGS, LONGEST_ENDING, read_open
from ruleloom.editor.completion import Completer
from ruleloom.editor.project import PackGroup, Snapshot, Workspace
from tests.conftest import ROOT
from tests.support.lsp_client import EDITING

RIVER = os.path.realpath(ROOT / "rulesets" / "examples" / "river-folk")
HEAD = '- kind: power\n  id: trial\n  takes: "m: Piece"\n  effect: |\n'


@pytest.fixture(scope="module")
def completer() -> Completer:
    workspace, group = Workspace(EDITING), PackGroup((RIVER,))
    snapshot = workspace.check(group)
    assert isinstance(snapshot, Snapshot)
    return Completer(snapshot)


def labels(completer: Completer, written: str, behind: str = "") -> list[str]:
    """What is offered where a text breaks off."""
    return [one.label for one in completer.complete(written + behind, len(written)).candidates]


def in_effect(completer: Completer, *lines: str) -> list[str]:
    """The same, within the effect of a power that takes a piece `m`."""
    return labels(completer, HEAD + "\n".join(f"    {line}" for line in lines))


def test_a_call_offers_what_fits_its_parameter(completer):
    assert in_effect(completer, "choose p from targets(")[0] == "m"
    assert "p" not in in_effect(completer, "choose p from targets(")


def test_a_comparison_offers_the_values_of_the_other_side(completer):
    found = in_effect(completer, "if facing(m) = ")
    assert {"up", "N", "E", "S", "W"} <= set(found[:8])


def test_a_list_is_offered_where_one_is_chosen_from(completer):
    assert {"minions", "players"} <= set(in_effect(completer, "choose p from ")[:12])
    assert "up" not in in_effect(completer, "choose p from ")[:40]


def test_the_candidate_is_known_in_its_own_condition(completer):
    assert "p" in in_effect(completer, "choose p from minions where facing(")


def test_powers_rules_and_new_names(completer):
    assert {"attack", "cross"} <= set(in_effect(completer, "use "))
    assert "crowding" in in_effect(completer, "ignoring ")
    assert "attack" not in in_effect(completer, "let ")


def test_lines_above_that_do_not_parse_are_passed_over(completer):
    assert "step_to" in in_effect(completer, "let step_to = 3", "choose = (", "if step_to > 1 and ")


def test_a_statement_begins_with_a_word_of_the_language_or_an_operation(completer):
    found = in_effect(completer, "")
    assert {"choose", "if", "use", "face"} <= set(found)
    offer = completer.complete(f"{HEAD}    fac", len(HEAD) + 7)
    (face,) = [one for one in offer.candidates if one.label == "face"]
    assert face.text == "face(${1:piece}, ${2:way})"
    assert face.english == "turn piece to face way"


def test_fields_come_from_the_schema(completer):
    found = labels(completer, "- kind: major\n  id: x\n  ")
    assert found[:2] == ["title", "effect"]  # in the order in which they stand elsewhere
    assert "id" not in found


def test_values_are_names_of_the_sort_that_stands_there(completer):
    assert {"attack", "move", "cross"} <= set(labels(completer, "- kind: fusion\n  parts: [")[:20])
    assert "major" in labels(completer, "- kind: ")[:5]
    ids = labels(completer, "- kind: patch\n  id: x\n  target: gnostica:major/s")
    assert "gnostica:major/sun" in ids


def test_in_a_scenario_prompts_and_powers_are_offered(completer):
    before = "kind: scenarios\ncases:\n  - id: x\n    given: {pieces: [A1E@0/0]}\n    when:\n"
    assert "attack" in labels(completer, f"{before}      - {{power: ")
    assert "minion" in labels(completer, f"{before}      - {{power: attack, ", ": A1E@0/0}\n")


def test_what_is_open_is_closed_as_shortly_as_can_be():
    written = "if crowding(spot):\n    if spot = none:\n        let x = count(those(p in pieces(at("
    read = read_open(written)
    stack, _ = _PARSER.reached([*(token.type for token in read.tokens), "NAME"], "block")
    found = _PARSER.ending(stack, ENDINGS, LONGEST_ENDING)
    assert found is not None
    assert sorted(found) == [*["DEDENT"] * 2, "NEWLINE", *["RPAR"] * 4]
    assert _PARSER.ending(stack, ENDINGS, len(found) - 1) is None


def test_lines_of_yaml_above_that_cannot_be_read_are_passed_over():
    above = "  - id: [case\n    other: }\n"
    text = f"kind: scenarios\ncases:\n{above}  - id: y\n    then: {{numbers: {{a: "
    assert yaml_cursor(text, len(text)).path[-3:] == ("then", "numbers", "a")


def test_nothing_is_offered_in_a_comment(completer):
    assert in_effect(completer, "stop  # use at") == []


@pytest.mark.parametrize(
    ("written", "path", "role"),
    [
        ("- kind: x\n  set: {a: 1, ", ("set",), "key"),
        ("- kind: x\n  set:\n    a", ("set",), "key"),
        ("- kind: x\n  list:\n    - b: ", ("list", 0, "b"), "value"),
        ("- kind: x\n  list:\n  - one\n  - ", ("list", 1), "value"),
        ("- kind: x\n  effect: |\n    use a\n\n    ", ("effect",), "text"),
        ('- {kind: x, is: "a + ', ("is",), "text"),
        ("- kind: x\n  effect: |\n    use a\n  ", (), "key"),
    ],
)
def test_the_place_in_yaml_is_known_without_the_rest(written, path, role):
    cursor = yaml_cursor(written, len(written))
    assert (cursor.path, cursor.role) == (path, role)
    assert cursor.item.kind == "x"
