"""The one inference of types: it says of a program's expressions what the checker said of them."""

from __future__ import annotations

from typing import Any

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.types import fits
from ruleloom.runtime.program.expr_types import declared_by, type_of
from ruleloom.runtime.program.program import Let
from ruleloom.runtime.program.values import TEXT, UNKNOWN, Type
from tests.conftest import ROOT
from tests.support.toy import ME, PROGRAM, const

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
DECLARED = declared_by(PROGRAM)
CARD, CARDS = ("slot", 0), ("slot", 1)
SLOTS = {0: Type("Card"), 1: Type("Card", many=True), 2: Type("Card", by_player=True)}
NUMBER = ("field", "Token.pips", ("slot", 0))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_is_of_the_type_of_its_slot(game):
    """Only that something may be none is not told: the checker knows it by what was asked before."""
    program = compile_paths([ROOT / "rulesets" / game], texts=False).program
    assert program is not None
    declared = declared_by(program)
    for routine in program.routines:
        slots = dict(enumerate(map(Type.parse, routine.slot_types)))
        for row in routine.rows:
            if isinstance(row, Let):
                found = type_of(row.value, slots, declared)
                assert found != UNKNOWN, row
                assert fits(found.present, slots[row.slot]), (found, slots[row.slot], row)
    for function in program.functions:
        slots = dict(enumerate(map(Type.parse, function.param_types)))
        found = type_of(function.body, slots, declared)
        # A text may happen to be called like a value of an enum.
        named = Type.parse(function.result) == TEXT and found.name in dict(program.enums)
        assert found != UNKNOWN, function.id
        assert named or fits(found.present, Type.parse(function.result)), (found, function.id)


@pytest.mark.parametrize(
    ("expr", "type_"),
    [
        (const(None), "none?"),
        (const(True), "Bool"),
        (const(()), "List of ?"),
        (const((1, 2)), "List of Int"),
        (const("red"), "Colour"),
        (const(("red", "blue")), "List of Colour"),
        (const(("red", "green")), "List of Text"),
        (("slot", 7), "?"),
        (ME, "Player"),
        (("setting", "mood"), "Text"),
        (("players",), "List of Player"),
        (("record", "Card", const(0)), "Card"),
        (("records", "Card"), "List of Card"),
        (("field", "Token.space", ("slot", 5)), "Space?"),
        (("zone", "hand", ME), "List of Card"),
        (("at", "board", const((0, 0))), "Card?"),
        (("query", "near", const((0, 0)), const(1)), "List of Space"),
        (("function", "price", const("red")), "Int?"),
        (("allowed", "room", const((0, 0))), "Bool"),
        (("lookup", ("slot", 2), ME), "Card"),
        (("lookup", CARDS, const(0)), "Card"),
        (("table", CARD, const((1, 2)), const(("red", "blue")), const(None)), "Colour?"),
        (("list",), "List of ?"),
        (("list", CARD), "List of Card"),
        (("if", const(True), CARD, const(None)), "Card?"),
        (("if", const(True), CARD, ME), "?"),
        (("join", const(()), CARDS), "List of Card"),
        (("without", CARDS, const(())), "List of Card"),
        (("with_dice", const(()), const((6,))), "Dice"),
        (("first", const(2), CARDS), "List of Card"),
        (("each", "those", NUMBER, 0, ("records", "Card"), None), "List of Int"),
        (("each", "those", ("slot", 9), 9, CARDS, None), "List of Card"),
        (("each", "exists", None, 9, CARDS, None), "Bool"),
        (("+", NUMBER, const(1)), "Int"),
    ],
)
def test_each_form(expr: Any, type_: str):
    assert str(type_of(expr, SLOTS, DECLARED)) == type_
