"""Expressions as Python functions for a game in which dice may be open.

Only comparisons, the highest and lowest, tables and lists of faces ask less than everything of an
open die. Whatever leaves the expressions, for an operation, a question, a choice or a text, is
looked at as a whole: open dice lie only in local variables and variables of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from ruleloom.runtime.link import symbolic_operators as do
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.memo import FunctionCode, StateCode, remembering
from ruleloom.runtime.link.symbolic_dice import OpenNumber
from ruleloom.runtime.link.symbolic_pools import PoolNumber, holds_open, named, seen
from ruleloom.runtime.program.program import Expr, SetScope
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Type, Value, World

# Forms whose value is never a face, a sum or dice, nor hangs on them.
_NO_DICE = frozenset(
    "value setting players record records field static zone at query allowed table is_none ..".split()  # noqa: SIM905
)
# Forms whose value hangs on dice if a part of them does.
_LIKE_PARTS = frozenset("and or not = != < <= > >= in + - * div mod negative count list".split())  # noqa: SIM905
NO_ROW = object()
# Of which types faces are, and what hangs on dice.
FACES = ("Int", "Fraction", "Bool")


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
    """Can the value of an expression be a face or dice, or hang on them?"""
    match expr:
        case ("if", condition, then, otherwise):
            return may_hold_dice(condition) or may_hold_dice(then) or may_hold_dice(otherwise)
        case ("each", _, value, _, domain, where):
            return any(map(may_hold_dice, (one for one in (value, domain, where) if one)))
        case (form, *parts) if form in _LIKE_PARTS:
            return any(map(may_hold_dice, parts))
        case (form, *_):
            return form not in _NO_DICE
    return True


def remembering_but_dice(function: FunctionCode, state: StateCode) -> FunctionCode:
    """A function that remembers its results, but for those of open dice."""
    known = remembering(function, state)

    def call(w: World, s: Scope, g: Rules, *args: Dynamic) -> Dynamic:
        return function(w, s, g, *args) if holds_open(args) else known(w, s, g, *args)

    return call


class OpenCodegen(Codegen):
    """Turns expressions into functions that take open dice."""

    FUNCTIONS: Mapping[str, object] = {
        **Codegen.FUNCTIONS,
        "max": do.highest,
        "min": do.lowest,
        "sum": do.total,
        "len": do.size,
        "_first": do.first,
        "_product": do.product,
        "_rest": do.rest,
        "_with_dice": do.with_dice,
        "_without_dice": do.without_dice,
        "_among": do.among,
        "_negated": do.negated,
        "_both": do.both,
        "_either": do.either,
        "_chosen": do.chosen,
        "_aggregate": do.aggregate,
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
            if isinstance(key, PoolNumber):  # it need not come to all numbers between these
                return key.of_all(lambda face: rows.get(face, otherwise))
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

    def _form_not(self, expr: Expr, names: Mapping[int, str]) -> str:
        form = "_negated({})" if may_hold_dice(expr[1]) else "(not {})"
        return form.format(self._source(expr[1], names))

    def _form_and(self, expr: Expr, names: Mapping[int, str]) -> str:
        form = "_both({}, lambda: {})" if may_hold_dice(expr[1]) else "({} and {})"
        return form.format(*(self._source(part, names) for part in expr[1:]))

    def _form_or(self, expr: Expr, names: Mapping[int, str]) -> str:
        form = "_either({}, lambda: {})" if may_hold_dice(expr[1]) else "({} or {})"
        return form.format(*(self._source(part, names) for part in expr[1:]))

    def _form_if(self, expr: Expr, names: Mapping[int, str]) -> str:
        form = "({1} if {0} else {2})"
        if may_hold_dice(expr[1]):
            form = "_chosen({}, lambda: {}, lambda: {})"
        return form.format(*(self._source(part, names) for part in expr[1:]))

    def _form_each(self, expr: Expr, names: Mapping[int, str]) -> str:
        _, kind, value, slot, domain, where = expr
        is_whole = value is None and where is None and kind in ("sum", "highest", "lowest")
        if is_whole or not may_hold_dice(expr):
            return super()._form_each(expr, names)
        item = f"b{int(slot)}"
        inner = {**names, slot: item}
        show, test = (
            f"(lambda {item}: {self._source(part, inner)})" if part is not None else "None"
            for part in (value, where)
        )
        return f"_aggregate({kind!r}, {show}, {test}, {self._iterable(domain, names)})"
