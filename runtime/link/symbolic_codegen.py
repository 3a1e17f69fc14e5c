"""Expressions as Python functions for a game in which dice may be open.

Only comparisons, the highest and lowest, tables and lists of faces ask less than everything of an
open die. Whatever leaves the expressions, for an operation, a question, a choice or a text, is
looked at as a whole: open dice lie only in local variables and variables of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cmp_to_key, lru_cache
from typing import TypeAlias

from ruleloom.runtime.link import ops
from ruleloom.runtime.link import symbolic_dice as symbolic
from ruleloom.runtime.link.codegen import AGGREGATES, Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.memo import FunctionCode, StateCode, remembering
from ruleloom.runtime.link.symbolic_dice import OpenNumber, holds
from ruleloom.runtime.link.symbolic_pools import (
    OpenCount,
    OpenDice,
    OpenPool,
    holds_open,
    named,
    seen,
)
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import MOST_DICE, Expr, SetScope
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Slots, Type, Value, World

# Forms that never come to a face, to a sum or to dice.
_NO_DICE = frozenset(
    "value setting players record records field static zone at query allowed table not".split()  # noqa: SIM905
    + "and or = != < <= > >= in is_none .. div mod count".split()  # noqa: SIM905
)
NO_ROW = object()
# Of which types faces are.
FACES = ("Int", "Fraction")
_NO_DICE_OF_EACH = ("exists", "every")
# Those aggregates of which only that counts which dice pass a test.
_ASKING = {
    "count": "_how_many((lambda {}: {}), {})",
    "exists": "(_how_many((lambda {}: {}), {}) > 0)",
    "every": "(_how_many((lambda {}: not {}), {}) == 0)",
    "those": "_passing((lambda {}: {}), {})",
}
Test: TypeAlias = Callable[[Dynamic], bool]


@lru_cache(maxsize=8)
def with_open_dice(linked: Linked) -> Linked:
    """The same game, made ready for open dice."""
    if isinstance(linked.codegen, OpenCodegen):
        return linked
    return Linked(linked.program, linked.layout, linked.driver, linked.settings, OpenCodegen)


@lru_cache(maxsize=8)
def places_of_dice(linked: Linked) -> tuple[int, ...]:
    """The variables of the game in which faces can be kept, by their places."""
    rows = (row for routine in linked.program.routines for row in routine.rows)
    names = {row.name for row in rows if isinstance(row, SetScope) and may_hold_dice(row.value)}
    types = {one.name: Type.parse(one.type).name for one in linked.program.scope}
    return tuple(sorted(linked.scope_index[name] for name in names if types[name] in FACES))


def may_hold_dice(expr: Expr) -> bool:
    """Can an expression come to a face or to dice?"""
    match expr:
        case ("if", _, then, otherwise):
            return may_hold_dice(then) or may_hold_dice(otherwise)
        case ("list", *items):
            return any(map(may_hold_dice, items))
        case ("each", kind, *_):
            return kind not in _NO_DICE_OF_EACH
        case (form, *_):
            return form not in _NO_DICE
    return True


def highest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`max`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    if found.__class__ is OpenDice:
        return found[0]
    if found.__class__ is OpenPool:
        return found.highest()
    return _first_by(symbolic.outranks, found) if holds_open(found) else max(found, **otherwise)


def lowest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`min`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    if found.__class__ is OpenDice:
        return found[-1]
    if found.__class__ is OpenPool:
        return found.lowest()
    return _first_by(symbolic.is_outranked, found) if holds_open(found) else min(found, **otherwise)


def _first_by(comes_first: Callable[[Dynamic, Dynamic], bool], values: Slots) -> Dynamic:
    best = values[0]
    for one in values:
        if one is not best and comes_first(one, best):
            best = one
    return best


def product(left: Dynamic, right: Dynamic) -> Dynamic:
    """As `ops.product`, of a number that hangs on open dice too."""
    for one, other in ((left, right), (right, left)):
        if one.__class__ is OpenCount and other.__class__ in (int, OpenCount):
            return one * other
    return ops.product(seen(left), seen(right))


def with_dice(dice: Slots, more: Slots) -> tuple[Dynamic, ...]:
    """As `ops.with_dice`: the faces of both, the highest first."""
    faces = [*dice, *more]
    if len(faces) > MOST_DICE:
        raise RuntimeFault(f"more than {MOST_DICE:,} dice")
    key = cmp_to_key(
        lambda one, other: symbolic.is_outranked(one, other) - symbolic.outranks(one, other)
    )
    return tuple(sorted(faces, key=key))


def among(value: Dynamic, values: Dynamic) -> bool:
    """Is a value one of these? Faces of a range are, or are not."""
    if values.__class__ is OpenPool:
        return bool(values.how_many(lambda one: bool(one == value)) > 0)
    if isinstance(value, OpenNumber) and (values.__class__ is range or not holds_open(values)):
        return bool(value.of_all(lambda face: face in values))
    return value in values


def passing(test: Test, values: Slots) -> tuple[Dynamic, ...]:
    """Those of a list that pass a test. It is asked of each face of a range: only where the answers
    differ are faces told apart."""
    return tuple([one for one in values if holds(test, one)])


def how_many(test: Test, values: Dynamic) -> Dynamic:
    """How many of a list pass a test."""
    if values.__class__ is OpenPool:
        return values.how_many(test)
    if values.__class__ is OpenDice:
        return sum([many for one, many in values.ranges if holds(test, one)])
    return len(passing(test, values))


def remembering_but_dice(function: FunctionCode, state: StateCode) -> FunctionCode:
    """A function that remembers what it came to, but for what it came to of open dice."""
    known = remembering(function, state)

    def call(w: World, s: Scope, g: Rules, *args: Dynamic) -> Dynamic:
        return function(w, s, g, *args) if holds_open(args) else known(w, s, g, *args)

    return call


class OpenCodegen(Codegen):
    """Turns expressions into functions that take open dice."""

    FUNCTIONS: Mapping[str, object] = {
        **Codegen.FUNCTIONS,
        "max": highest,
        "min": lowest,
        "_product": product,
        "_rest": lambda left, right: ops.rest(seen(left), seen(right)),
        "_with_dice": with_dice,
        "_among": among,
        "_passing": passing,
        "_how_many": how_many,
        "_named": named,
        "_seen": seen,
    }
    IN_PLACE = False
    remembering = staticmethod(remembering_but_dice)

    def _known_by(self, variable: str) -> str:
        return f"_named({variable})"

    def _row_of(self, rows: Mapping[Value, Value]) -> Callable[[Dynamic, Value], Value]:
        of_ranges: dict[tuple[int, int], Dynamic] = {}

        def row_of(key: Dynamic, otherwise: Value) -> Value:
            if not isinstance(key, OpenNumber):
                return rows.get(key, otherwise)
            faces = (key.low, key.high)
            if faces not in of_ranges:
                of_ranges[faces] = key.of_all(lambda face: rows.get(face, NO_ROW))
            found = of_ranges[faces]
            return otherwise if found is NO_ROW else found

        return row_of

    def _leaving(self, source: str, expr: Expr) -> str:
        return f"_seen({source})" if may_hold_dice(expr) else source

    def _form_in(self, expr: Expr, names: Mapping[int, str]) -> str:
        return f"_among({self._source(expr[1], names)}, {self._iterable(expr[2], names)})"

    def _form_each(self, expr: Expr, names: Mapping[int, str]) -> str:
        _, kind, value, slot, domain, where = expr
        if where is None or not may_hold_dice(domain):
            return super()._form_each(expr, names)
        item = f"b{int(slot)}"
        inner = {**names, slot: item}
        test, found = self._source(where, inner), self._iterable(domain, names)
        if value is None and kind in _ASKING:
            return _ASKING[kind].format(item, test, found)
        shown = self._source(value, inner) if value is not None else item
        passing = f"_passing((lambda {item}: {test}), {found})"
        return AGGREGATES[kind].format(f"{shown} for {item} in {passing}")
