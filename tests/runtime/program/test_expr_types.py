"""The one inference of types: it says of a program's expressions what the checker said of them."""

from __future__ import annotations

from typing import Any

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.types import fits
from ruleloom.runtime.program.program import Let
from ruleloom.runtime.program.values import TEXT, UNKNOWN, Type
from ruleloom.runtime.program.verify_expr import declared_by, type_of
from tests.conftest import ROOT
from tests.support.evening import PROGRAM
from tests.support.rows import ME, const

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
DECLARED = declared_by(PROGRAM)
FRUIT, FRUITS = ("slot", 0), ("slot", 1)
SLOTS = {0: Type("Fruit"), 1: Type("Fruit", many=True), 2: Type("Fruit", by_player=True)}
NUMBER = ("field", "Basket.size", ("slot", 0))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_is_of_the_type_of_its_slot(game):
    """Only that something may be none is not told: the checker knows it by what was asked before."""
    program = compile_paths([ROOT / "rulesets" / game], scenarios=False).program
    assert program is not None
    declared = declared_by(program)
    for routine in program.routines:
        slots = dict(enumerate(map(Type.parse, routine.slot_types)))
        for row in routine.rows:
            if isinstance(row, Let):
                found = type_of(row.value, slots, declared)
                assert found != UNKNOWN, row
                kept = slots[row.slot]
                assert fits(found, kept) or fits(found.present, kept), (found, kept, row)
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
        (const(("red", "gold")), "List of Colour"),
        (const(("red", "blue")), "List of Text"),
        (("slot", 7), "?"),
        (ME, "Player"),
        (("setting", "weather"), "Text"),
        (("players",), "List of Player"),
        (("record", "Fruit", const(0)), "Fruit"),
        (("records", "Fruit"), "List of Fruit"),
        (("field", "Basket.spot", ("slot", 5)), "Spot?"),
        (("zone", "hand", ME), "List of Fruit"),
        (("at", "tree", const((0, 0))), "Fruit?"),
        (("query", "beside", const((0, 0)), const(1)), "List of Spot"),
        (("function", "orchard:table/price", const("red")), "Int?"),
        (("allowed", "orchard:rule/room", const((0, 0))), "Bool"),
        (("lookup", ("slot", 2), ME), "Fruit"),
        (("lookup", FRUITS, const(0)), "Fruit"),
        (("table", FRUIT, const((1, 2)), const(("red", "gold")), const(None)), "Colour?"),
        (("list",), "List of ?"),
        (("list", FRUIT), "List of Fruit"),
        (("if", const(True), FRUIT, const(None)), "Fruit?"),
        (("if", const(True), FRUIT, ME), "?"),
        (("join", const(()), FRUITS), "List of Fruit"),
        (("without", FRUITS, const(())), "List of Fruit"),
        (("with_dice", const(()), const((6,))), "Dice"),
        (("first", const(2), FRUITS), "List of Fruit"),
        (("each", "those", NUMBER, 0, ("records", "Fruit"), None), "List of Int"),
        (("each", "those", ("slot", 9), 9, FRUITS, None), "List of Fruit"),
        (("each", "exists", None, 9, FRUITS, None), "Bool"),
        (("+", NUMBER, const(1)), "Int"),
    ],
)
def test_each_form(expr: Any, type_: str):
    assert str(type_of(expr, SLOTS, DECLARED)) == type_
