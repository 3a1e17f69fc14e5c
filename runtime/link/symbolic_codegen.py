"""Expressions as Python functions for a game in which dice may be open.

Only comparisons, the highest and lowest, tables and lists of faces ask less than everything of an
open die. Whatever leaves the expressions, for an operation, a question, a choice or a text, is
looked at as a whole: open dice lie only in local variables and variables of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key, lru_cache, partial
from typing import TypeAlias

from ruleloom.runtime.link import ops
from ruleloom.runtime.link import symbolic_dice as symbolic
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.memo import FunctionCode, StateCode, remembering
from ruleloom.runtime.link.symbolic_dice import OpenNumber, holds
from ruleloom.runtime.link.symbolic_pools import (
    OpenDice,
    PoolDice,
    PoolNumber,
    PoolTruth,
    folded,
    holds_open,
    lifted,
    named,
    newest,
    only_if,
    seen,
)
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import MOST_DICE, Expr, SetScope
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Type, Value, World

# Forms that never come to a face, to a sum or to dice, and to nothing that hangs on them.
_NO_DICE = frozenset(
    "value setting players record records field static zone at query allowed table is_none ..".split()  # noqa: SIM905
)
# Forms that come to what hangs on dice if a part of them does.
_LIKE_PARTS = frozenset("and or not = != < <= > >= in + - * div mod negative count list".split())  # noqa: SIM905
NO_ROW = object()
# Of which types faces are, and what hangs on dice.
FACES = ("Int", "Fraction", "Bool")
Test: TypeAlias = Callable[[Dynamic], Dynamic]


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
    """Can an expression come to a face or to dice, or to what hangs on them?"""
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


def highest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`max`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    if found.__class__ is OpenDice:
        return found[0]
    return _extreme("highest", found) if holds_open(found) else max(found, **otherwise)


def lowest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`min`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    if found.__class__ is OpenDice:
        return found[-1]
    return _extreme("lowest", found) if holds_open(found) else min(found, **otherwise)


def _extreme(kind: str, values: Dynamic) -> Dynamic:
    """The highest or lowest of what is open."""
    if values.__class__ is PoolDice:
        return values.tally(kind)
    if any(isinstance(one, PoolNumber) for one in values):
        return folded(kind, None, values)
    comes_first = symbolic.outranks if kind == "highest" else symbolic.is_outranked
    best = values[0]
    for one in values:
        if one is not best and comes_first(one, best):
            best = one
    return best


def total(values: Dynamic) -> Dynamic:
    """`sum`, of open dice too."""
    if values.__class__ is PoolDice:
        return values.tally("sum")
    values = [*values]
    return folded("sum", 0, values) if holds_open(values) else sum(values)


def size(values: Dynamic) -> Dynamic:
    """`len`, of open dice too."""
    return values.count() if values.__class__ is PoolDice else len(values)


def first(number: Dynamic, values: Dynamic) -> Dynamic:
    """As `ops.first`, of open dice too."""
    return values.first(number) if values.__class__ is PoolDice else ops.first(seen(number), values)


def product(left: Dynamic, right: Dynamic) -> Dynamic:
    """As `ops.product`, of a number that hangs on open dice too."""
    if isinstance(left, PoolNumber) or isinstance(right, PoolNumber):
        return left * right
    return ops.product(seen(left), seen(right))


def rest(left: Dynamic, right: Dynamic) -> Dynamic:
    """As `ops.rest`, of a number that hangs on open dice too."""
    return left % right if isinstance(left, PoolNumber) else ops.rest(seen(left), seen(right))


def with_dice(dice: Dynamic, more: Dynamic) -> Dynamic:
    """As `ops.with_dice`: the faces of both, the highest first."""
    of_pools = [one for one in (dice, more) if isinstance(one, PoolDice)]
    if len(of_pools) == 2:
        newest(of_pools).tell()
    if of_pools:
        return of_pools[0].with_more(more if of_pools[0] is dice else dice)
    faces = [*dice, *more]
    if len(faces) > MOST_DICE:
        raise RuntimeFault(f"more than {MOST_DICE:,} dice")
    key = cmp_to_key(
        lambda one, other: symbolic.is_outranked(one, other) - symbolic.outranks(one, other)
    )
    return tuple(sorted(faces, key=key))


def without_dice(dice: Dynamic, gone: Dynamic) -> Dynamic:
    """As `ops.without_dice`, of open dice too."""
    return dice.without(gone) if isinstance(dice, PoolDice) else ops.without_dice(dice, gone)


def among(value: Dynamic, values: Dynamic) -> Dynamic:
    """Is a value one of these? Faces of a range are, or are not."""
    if values.__class__ is PoolDice:
        return values.those(lambda one: one == value).any()
    if isinstance(value, OpenNumber) and (values.__class__ is range or not holds_open(values)):
        return bool(value.of_all(lambda face: face in values))
    return value in values


def negated(truth: Dynamic) -> Dynamic:
    """`not`, of what hangs on a pool too."""
    return lifted("not", truth) if isinstance(truth, PoolTruth) else not truth


def both(one: Dynamic, other: Callable[[], Dynamic]) -> Dynamic:
    """`and`, of what hangs on a pool too."""
    return _joined("every", one, other) if isinstance(one, PoolTruth) else one and other()


def either(one: Dynamic, other: Callable[[], Dynamic]) -> Dynamic:
    """`or`, of what hangs on a pool too."""
    return _joined("exists", one, other) if isinstance(one, PoolTruth) else one or other()


def _joined(kind: str, one: PoolTruth, other: Callable[[], Dynamic]) -> Dynamic:
    try:
        found = other()
    except Exception:  # it may be asked only where the first one leaves that open
        found = one.tell()
    return folded(kind, kind == "every", (one, found)) if is_truth(found) else one.tell()


def chosen(
    truth: Dynamic, then: Callable[[], Dynamic], otherwise: Callable[[], Dynamic]
) -> Dynamic:
    """One of two values, where it may hang on a pool which."""
    if not isinstance(truth, PoolTruth):
        return then() if truth else otherwise()
    try:
        one, other = then(), otherwise()
    except Exception:  # each may be asked only in its own case
        return truth.tell()
    if is_truth(one) and is_truth(other):
        return either(both(truth, lambda: one), lambda: both(negated(truth), lambda: other))
    if _is_number(one) and _is_number(other):
        return lifted("if", truth, one, other)
    return truth.tell()


def is_truth(value: Dynamic) -> bool:
    """Is it a truth, perhaps one that hangs on a pool?"""
    return value.__class__ in (bool, PoolTruth)


def aggregate(kind: str, show: Test | None, test: Test | None, values: Dynamic) -> Dynamic:
    """An aggregate of a list, of open dice too. A test is asked once for each range of faces: only
    where the answers differ are faces told apart."""
    if values.__class__ is PoolDice:
        return _of_pool(kind, show, test, values)
    if kind == "count" and values.__class__ is OpenDice and test is not None:
        return sum([many for one, many in values.ranges if holds(test, one)])
    values = [*values]
    truths = [True] * len(values) if test is None else [holds(test, one) for one in values]
    if kind in ("exists", "every") and show is None:
        return folded(kind, kind == "every", truths)
    if any(isinstance(truth, PoolTruth) for truth in truths):
        return _of_some(kind, show, truths, values)
    passing = [one for one, truth in zip(values, truths, strict=True) if truth]
    shown = passing if show is None else [*map(show, passing)]
    if kind == "those" and show is None:
        return tuple(shown)
    return AGGREGATES_OF_OPEN[kind](shown)


AGGREGATES_OF_OPEN: Mapping[str, Callable[[list[Dynamic]], Dynamic]] = {
    "count": len,
    "exists": any,
    "every": all,
    "those": ops.unique,
    "sum": total,
    "highest": partial(highest, default=0),
    "lowest": partial(lowest, default=0),
}


def _of_pool(kind: str, show: Test | None, test: Test | None, dice: PoolDice) -> Dynamic:
    """An aggregate of dice of a pool."""
    if kind == "every" and show is None and test is not None:
        return negated(_of_pool("exists", None, lambda one: negated(test(one)), dice))
    if show is not None and kind in ("exists", "every", "those"):
        return dice.tell()
    ranges = dice.pool.roll.any
    truths = [True] * len(ranges) if test is None else [holds(test, one) for one in ranges]
    if kind != "those" and any(isinstance(truth, PoolTruth) for truth in truths):
        return _of_ranges(kind, show, truths, dice)
    passing = dice if all(truths) else dice.passing(tuple(map(bool, truths)))
    if kind in ("count", "those"):
        return passing.count() if kind == "count" else passing
    return passing.any() if kind == "exists" else passing.tally(kind, show)


def _of_ranges(kind: str, show: Test | None, truths: Sequence[Dynamic], dice: PoolDice) -> Dynamic:
    """An aggregate of those dice of which something holds that hangs on their pool, too."""
    found = []
    for at, (face, truth) in enumerate(zip(dice.pool.roll.any, truths, strict=True)):
        if isinstance(truth, PoolTruth) and truth.pool is not dice.pool:
            truth.pool.parted(truth.statistic.base)
        one = dice.passing(tuple([at == place for place in range(len(truths))]))
        if truth is False:
            continue
        if kind == "count" or kind == "sum":
            many = one.count() if kind == "count" else one.tally(kind, show)
            found.append(chosen(truth, lambda many=many: many, int))  # type: ignore[misc]
            continue
        truth = both(truth, one.any)
        if kind != "exists" and truth is not False:
            face = seen(face if show is None else show(face))
            truth = only_if(truth, face) if isinstance(truth, PoolTruth) else face
        found.append(truth)
    if kind == "exists":
        return folded(kind, False, found)
    return folded("sum", 0, found) if kind in ("count", "sum") else folded(kind, None, found)


def _of_some(
    kind: str, show: Test | None, truths: Sequence[Dynamic], values: Sequence[Dynamic]
) -> Dynamic:
    """An aggregate of those of a list of which something holds that hangs on a pool."""
    found = []
    for one, truth in zip(values, truths, strict=True):
        if truth is False:
            continue
        try:
            shown = 1 if kind == "count" else one if show is None else show(one)
        except Exception:  # it may be asked only of what passes the test
            if truth is True:
                raise
            truth.tell()
        if truth is not True:
            if kind in ("exists", "every", "those") or not _is_number(shown):
                truth.tell()
            adds_up = kind in ("count", "sum")
            shown = lifted("if", truth, shown, 0) if adds_up else only_if(truth, shown)
        found.append(shown)
    return folded("sum", 0, found) if kind in ("count", "sum") else folded(kind, None, found)


def _is_number(value: Dynamic) -> bool:
    return value.__class__ in (int, PoolNumber)


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
        "sum": total,
        "len": size,
        "_first": first,
        "_product": product,
        "_rest": rest,
        "_with_dice": with_dice,
        "_without_dice": without_dice,
        "_among": among,
        "_negated": negated,
        "_both": both,
        "_either": either,
        "_chosen": chosen,
        "_aggregate": aggregate,
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
                found = key.of_all(lambda face: rows.get(face, NO_ROW))
                return otherwise if found is NO_ROW else found
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
