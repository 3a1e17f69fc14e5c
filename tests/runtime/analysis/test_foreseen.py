"""What is known of an expression before anything has happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ruleloom.runtime.analysis.rows import Foresight, SafePoints
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import Choose, Expr, Function, Roll, Routine, Setting
from tests.support.evening import PROGRAM
from tests.support.rows import Text, const

SLOT: Expr = ("slot", 0)
FIELD: Expr = ("field", "Hero.level", ("slot", 3))
MOST: Expr = ("setting", "most")


def of(kind: str, *parts: Expr) -> Expr:
    """The highest or the lowest of what is written out."""
    return ("each", kind, None, 5, ("list", *parts), None)


FORESIGHT = Foresight(
    replace(
        PROGRAM,
        settings=(Setting("most", "Int", 9, (), "", "", 5, 12),),
        functions=(
            Function(
                "in_fives",
                ("n",),
                ("Int",),
                "Bool",
                ("=", ("mod", SLOT, const(5)), const(0)),
                True,
                (),
            ),
            Function("circle", ("n",), ("Int",), "Int", ("function", "circle", SLOT), False, ()),
        ),
    )
)


@pytest.mark.parametrize(
    ("expr", "known"),
    [
        (const(4), 4),
        (SLOT, 10),
        (("slot", 1), Interval(2, 6)),
        (FIELD, None),
        (MOST, Interval(5, 12)),
        (of("highest", const(5), FIELD), Interval(5, None)),
        (of("lowest", MOST, of("highest", const(3), FIELD)), Interval(3, 12)),
        (("+", ("slot", 1), const(1)), Interval(3, 7)),
        (("-", const(1), ("slot", 1)), Interval(-5, -1)),
        (("<=", const(0), of("highest", const(0), FIELD)), True),
        (("<=", const(1), of("highest", const(0), FIELD)), None),
        (("<", ("slot", 1), const(2)), False),
        ((">", ("slot", 1), const(1)), True),
        ((">=", ("slot", 1), const(7)), False),
        (("<", ("slot", 1), const(6)), None),
        (("=", ("slot", 1), const(7)), False),
        (("!=", ("slot", 1), const(7)), True),
        (("=", ("slot", 1), const(6)), None),
        (("=", SLOT, const(10)), True),
        (("=", ("value", "red"), ("value", "blue")), False),
        (("function", "in_fives", SLOT), True),
        (("function", "in_fives", ("slot", 1)), None),
        (("function", "circle", SLOT), None),
        (("not", ("<", ("slot", 1), const(2))), True),
        (("and", FIELD, ("=", SLOT, const(1))), False),
        (("or", FIELD, ("=", SLOT, const(1))), None),
        (("or", FIELD, ("=", SLOT, const(10))), True),
    ],
)
def test_what_is_known(expr: Expr, known: Any):
    assert FORESIGHT.known(expr, {0: 10, 1: Interval(2, 6)}) == known


@pytest.mark.parametrize(
    ("domain", "surely"),
    [
        (("..", const(0), of("highest", const(0), FIELD)), (0,)),
        (("..", const(1), of("highest", const(0), FIELD)), ()),
        (("..", FIELD, const(9)), ()),
        (("value", ("red", "blue")), ("red", "blue")),
        (("zone", "hand"), ()),
    ],
)
def test_what_is_surely_on_a_list(domain: Expr, surely: tuple[Any, ...]):
    assert FORESIGHT.options(domain, {}) == surely


def routine(*names: str) -> Routine:
    """Rows by name: a choice that may find nothing, a sure one, a roll."""
    text = Text("orchard:power/one")
    for name in names:
        if name == "roll":
            text.add(
                Roll,
                slot=text.slot("roll"),
                name="roll",
                count=const(1),
                sides=const(6),
                by=None,
                whom=None,
            )
        else:
            high = const(3) if name == "sure" else FIELD
            text.choose(name, "Int", ("..", const(1), high), or_none=False)
    return text.done()


@pytest.mark.parametrize(
    ("names", "calm", "barred"),
    [
        (("sure",), True, False),
        (("sure", "open"), False, False),
        (("sure", "roll", "open"), True, True),
        (("open", "roll"), False, True),
    ],
)
def test_nothing_goes_wrong_as_far_as_the_next_roll(
    names: tuple[str, ...], calm: bool, barred: bool
):
    found = SafePoints(replace(PROGRAM, routines=(routine(*names),), entities=()))[0]
    assert (found.calm[0], found.barred[0]) == (calm, barred)
    assert isinstance(routine(*names).rows[0], Choose)
