"""Random small programs that roll dice and look at each: faces are compared, counted, looked up,
taken away, added up.

Like those of `small_programs`, with a variable of the game in which dice lie, `shown`, and a few
functions of dice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb

from ruleloom.runtime.program.program import (
    Expr,
    Function,
    Let,
    Program,
    RollEach,
    ScopeVariable,
    SetScope,
)
from tests.laws.small.small_programs import Writer, small_program
from tests.support.rows import const

SHOWN: Expr = ("scope", "shown")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
BANDS: Expr = (
    "table",
    ("slot", 0),
    ("value", (6, 5, 4)),
    ("value", ("hit", "glance", "glance")),
    ("value", "miss"),
)


def each(
    kind: str, dice: Expr, slot: int, where: Expr | None = None, value: Expr | None = None
) -> Expr:
    """An aggregate of dice; the candidate stands in `slot`."""
    return ("each", kind, value, slot, dice, where)


FUNCTIONS = (
    Function(
        "band", ("die",), ("Int",), "Text", BANDS, False, ("the band of ", (("slot", 0), "Int"))
    ),
    Function(
        "good",
        ("of",),
        ("Dice",),
        "Int",
        each("count", ("slot", 0), 1, ("=", ("function", "band", ("slot", 1)), const("glance"))),
        False,
        ("the good ones of ", (("slot", 0), "Dice")),
    ),
    Function("top", (), (), "Int", each("highest", SHOWN, 0), False, ("the highest",)),
    Function("low", (), (), "Bool", ("<", ("function", "top"), const(3)), False, ("it is low",)),
)


class PoolWriter(Writer):
    """Writes statements about dice, too."""

    def number(self) -> Expr:
        if not self.pick(True, False):
            return super().number()
        dice, slot = self.dice(), self.text.slot("die")
        found: list[Expr] = [
            ("count", dice),
            ("function", "good", dice),
            ("function", "top"),
            each(self.pick("highest", "lowest", "sum"), dice, slot),
            each("count", dice, slot, (self.pick(*COMPARISONS), ("slot", slot), self.face())),
            each(
                "count",
                dice,
                slot,
                ("in", ("slot", slot), self.pick(("value", (1, 2, 5)), ("..", const(2), const(4)))),
            ),
            each("highest", dice, slot, None, ("*", ("slot", slot), const(2))),
            self.reckoned(dice, slot),
        ]
        return self.source.choice(found)

    def reckoned(self, dice: Expr, slot: int) -> Expr:
        """What comes of how many dice are good, and how many show a face or more."""
        good: Expr = ("function", "good", dice)
        high = each("count", dice, slot, (">=", ("slot", slot), self.face()))
        found: list[Expr] = [
            ("*", good, high),
            ("+", ("*", const(10), good), high),
            ("-", ("count", dice), ("+", good, good)),
            ("div", ("+", high, const(1)), const(2)),
            ("negative", good),
            each("highest", ("list", const(1), good, high), slot + 200),
            ("table", good, ("value", (0, 2)), ("value", (3, 1)), ("value", 0)),
            ("if", ("<", good, high), high, const(0)),
        ]
        return self.source.choice(found)

    def face(self) -> Expr:
        """A face, known or found."""
        return self.pick(const(1), const(3), const(5), ("scope", "day"), ("function", "top"))

    def condition(self) -> Expr:
        if not self.pick(True, False):
            return super().condition()
        dice, slot = self.dice(), self.text.slot("die")
        found: list[Expr] = [
            ("in", self.face(), dice),
            ("=", dice, self.dice()),
            ("=", ("function", "band", each("highest", dice, slot)), const("hit")),
            ("function", "low"),
            each(
                "exists",
                dice,
                slot,
                (self.pick(*COMPARISONS), ("slot", slot), each("lowest", SHOWN, slot + 100)),
            ),
            each("every", dice, slot, ("=", ("function", "band", ("slot", slot)), const("miss"))),
        ]
        return self.source.choice(found)

    def dice(self) -> Expr:
        """An expression that is dice."""
        known = self.known["Dice"]
        plain: Expr = self.text.get(self.pick(*known)) if known else SHOWN
        slot = self.text.slot("one")
        found: list[Expr] = [
            plain,
            plain,
            SHOWN,
            ("without_dice", plain, ("list", self.pick(const(2), const(6)))),
            ("with_dice", plain, self.pick(SHOWN, ("list", const(4)))),
            ("first", const(2), plain),
            each(
                "those",
                plain,
                slot,
                (self.pick(*COMPARISONS), ("slot", slot), const(self.pick(2, 4))),
            ),
        ]
        return self.source.choice(found)

    def kinds(self, depth: int) -> list[Callable[[], None]]:
        return [*super().kinds(depth), *[self.roll_each, self.keep] * 3]

    def roll_each(self) -> None:
        """Roll, and keep what fell or leave it."""
        number, sides = self.pick((1, 6), (2, 6), (3, 4), (2, 3), (3, 6))
        if self.open(comb(number + sides - 1, number)):
            name = self.fresh("dice")
            self.text.add(
                RollEach,
                slot=self.text.slot(name),
                name=name,
                count=const(number),
                sides=const(sides),
                by=None,
                whom=None,
            )
            self._set("Dice", name)
            if self.pick(True, False):
                self.text.add(SetScope, name="shown", value=self.text.get(name))

    def keep(self) -> None:
        """Keep dice in a variable, of the routine or of the game."""
        if self.pick(True, False):
            self.text.add(SetScope, name="shown", value=self.dice())
        else:
            name = self.fresh("dice")
            self.text.add(Let, slot=self.text.slot(name), value=self.dice())
            self._set("Dice", name)


def small_pool(seed: int, size: int) -> Program:
    """A random program of the orchard that rolls dice and looks at them."""
    program = small_program(seed, size, PoolWriter)
    shown = ScopeVariable("shown", "Dice", "game", ())
    return replace(
        program, scope=(*program.scope, shown), functions=(*program.functions, *FUNCTIONS)
    )
