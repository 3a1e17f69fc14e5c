"""Expressions as Python functions for a game with open dice.

Only comparisons, highest and lowest, tables and lists of faces need less than the full value of an open
die. A value that leaves the expressions, for an operation, a query, a choice or a text, is resolved
first: open dice exist only in local variables and variables of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from typing import Any, TypeAlias

from ruleloom.runtime.link import ops
from ruleloom.runtime.link.codegen import Codegen, FunctionCode, Names, StateCode, remembering
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.pool_statistics import (
    FOLDS,
    LESS,
    MORE,
    SURE,
    WHERE,
    Statistic,
    fold,
    operated,
)
from ruleloom.runtime.link.symbolic_pools import (
    OpenPool,
    PoolDice,
    PoolNumber,
    PoolParted,
    PoolTruth,
    holds_open,
    lifted,
    named,
    newest,
    pool_of,
    seen,
    statistic_of,
    valued,
)
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import MOST_DICE, Expr, SetScope
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Type, Value, World

Test: TypeAlias = Callable[[Dynamic], Dynamic]


def highest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`max`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    return _extreme("highest", found) if holds_open(found) else max(found, **otherwise)


def lowest(*values: Dynamic, **otherwise: Dynamic) -> Dynamic:
    """`min`, of open dice too."""
    found = values if len(values) > 1 else values[0]
    return _extreme("lowest", found) if holds_open(found) else min(found, **otherwise)


def _extreme(kind: str, values: Dynamic) -> Dynamic:
    """The highest or lowest of open values."""
    return values.tally(kind) if values.__class__ is PoolDice else folded(kind, None, values)


def total(values: Dynamic) -> Dynamic:
    """`sum`, of open dice too."""
    if values.__class__ is PoolDice:
        return values.tally("sum")
    values = [*values]
    return folded("sum", 0, values) if holds_open(values) else sum(values)


def size(values: Dynamic) -> Dynamic:
    """`len`, of open dice too."""
    return values.how_many() if values.__class__ is PoolDice else len(values)


def first(number: Dynamic, values: Dynamic) -> Dynamic:
    """As `ops.first`, of open dice too."""
    return values.first(number) if values.__class__ is PoolDice else ops.first(seen(number), values)


def product(left: Dynamic, right: Dynamic) -> Dynamic:
    """As `ops.product`, of a number that depends on open dice too."""
    if isinstance(left, PoolNumber) or isinstance(right, PoolNumber):
        return left * right
    return ops.product(seen(left), seen(right))


def rest(left: Dynamic, right: Dynamic) -> Dynamic:
    """As `ops.rest`, of a number that depends on open dice too."""
    return left % right if isinstance(left, PoolNumber) else ops.rest(seen(left), seen(right))


def with_dice(dice: Dynamic, more: Dynamic) -> Dynamic:
    """As `ops.with_dice`: the faces of both, the highest first."""
    of_pools = [one for one in (dice, more) if isinstance(one, PoolDice)]
    if len(of_pools) == 2:
        newest(of_pools).tell()
    if of_pools:
        return _with_faces(of_pools[0], more if of_pools[0] is dice else dice)
    return ops.with_dice(seen(dice), seen(more))


def _with_faces(dice: PoolDice, faces: Iterable[Dynamic]) -> PoolDice:
    """Dice of a pool plus dice with known faces."""
    shown = [*map(seen, faces)]
    more = _counted(dice, shown)
    if sum(more) < len(shown):
        dice.tell()
    if dice.at_most + sum(more) > MOST_DICE:
        if dice.size is None:
            dice.tell()
        raise RuntimeFault(f"more than {MOST_DICE:,} dice")
    size = None if dice.size is None else dice.size + sum(more)
    return PoolDice(dice.pool, (*dice.all_stages, (MORE, more)), size)


def without_dice(dice: Dynamic, gone: Dynamic) -> Dynamic:
    """As `ops.without_dice`, of open dice too."""
    if not isinstance(dice, PoolDice):
        return ops.without_dice(dice, gone)
    if isinstance(gone, PoolDice):
        return _without_part(dice, gone)
    faces = []
    for one in gone:
        if isinstance(one, PoolNumber):
            dice = _without_end(dice, one)
        else:
            faces.append(one)
    if not faces:
        return dice
    return PoolDice(dice.pool, (*dice.all_stages, (LESS, _counted(dice, [*map(seen, faces)]))))


def _counted(dice: PoolDice, faces: Sequence[Dynamic]) -> tuple[int, ...]:
    """The count of each face of a pool among some faces."""
    if any(face.__class__ is not int for face in faces):
        dice.tell()
    return tuple([faces.count(face) for face in dice.pool.roll.faces])


def _without_part(dice: PoolDice, gone: PoolDice) -> PoolDice:
    """Dice of a pool, less the first few of them, or less those that pass a test."""
    if gone.pool is not dice.pool:
        newest((dice, gone)).tell()
    if (gone.stages, gone.skipped) == (dice.stages, dice.skipped):
        return dice.behind(dice.at_most if gone.most is None else gone.most)
    match gone.all_stages:
        case (*before, (stage, mask)) if stage == WHERE and tuple(before) == dice.all_stages:
            return dice.passing(tuple([not one for one in mask]))
    return dice.tell()


def _without_end(dice: PoolDice, face: PoolNumber) -> PoolDice:
    """Dice of a pool less their highest or lowest."""
    if dice.size and face.pool is dice.pool:
        faces = dice.pool.roll.faces
        if face.statistic == dice.ranked(0, faces):
            return dice.behind(1)
        if face.statistic == dice.ranked(dice.size - 1, faces):
            return dice.first(dice.size - 1)
    return face.tell()


def among(value: Dynamic, values: Dynamic) -> Dynamic:
    """Is a value in the list?"""
    if values.__class__ is PoolDice:
        return values.those(lambda one: one == value).any()
    if isinstance(value, PoolNumber) and (values.__class__ is range or not holds_open(values)):
        return bool(value.of_all(lambda face: face in values))
    return value in values


def holds(test: Test, value: Dynamic) -> Dynamic:
    """Does a test hold of a value, open or not?"""
    if not isinstance(value, PoolNumber):
        return test(value)
    try:
        return test(value)
    except PoolParted:  # only the truth is needed, so part the pool by that
        return bool(value.of_all(test))


def negated(truth: Dynamic) -> Dynamic:
    """`not`, of an open truth too."""
    return lifted("not", truth) if isinstance(truth, PoolTruth) else not truth


def both(one: Dynamic, other: Callable[[], Dynamic]) -> Dynamic:
    """`and`, of an open truth too."""
    return _joined("every", one, other) if isinstance(one, PoolTruth) else one and other()


def either(one: Dynamic, other: Callable[[], Dynamic]) -> Dynamic:
    """`or`, of an open truth too."""
    return _joined("exists", one, other) if isinstance(one, PoolTruth) else one or other()


def _joined(kind: str, one: PoolTruth, other: Callable[[], Dynamic]) -> Dynamic:
    try:
        found = other()
    except Exception:  # it may be defined only if the first one leaves the result open
        found = one.tell()
    return folded(kind, kind == "every", (one, found)) if is_truth(found) else one.tell()


def chosen(
    truth: Dynamic, then: Callable[[], Dynamic], otherwise: Callable[[], Dynamic]
) -> Dynamic:
    """One of two values, by a truth that may be open."""
    if not isinstance(truth, PoolTruth):
        return then() if truth else otherwise()
    try:
        one, other = then(), otherwise()
    except Exception:  # each may be defined only in its own case
        return truth.tell()
    if is_truth(one) and is_truth(other):
        return either(both(truth, lambda: one), lambda: both(negated(truth), lambda: other))
    if _is_number(one) and _is_number(other):
        return lifted("if", truth, one, other)
    return truth.tell()


def is_truth(value: Dynamic) -> bool:
    """Is it a truth, open or not?"""
    return value.__class__ in (bool, PoolTruth)


def aggregate(kind: str, show: Test | None, test: Test | None, values: Dynamic) -> Dynamic:
    """An aggregate of a list, of open dice too."""
    if values.__class__ is PoolDice:
        return _of_pool(kind, show, test, values)
    values = [*values]
    truths = [True] * len(values) if test is None else [holds(test, one) for one in values]
    of = _of_some if any(isinstance(truth, PoolTruth) for truth in truths) else _of_those
    return of(kind, show, truths, values)


def _of_those(
    kind: str, show: Test | None, truths: Sequence[bool], values: Sequence[Dynamic]
) -> Dynamic:
    """An aggregate of the entries of a list with true `truths`."""
    if show is None and kind in ("exists", "every"):
        return any(truths) if kind == "exists" else all(truths)
    passing = [one for one, truth in zip(values, truths, strict=True) if truth]
    if show is None:
        return tuple(passing) if kind == "those" else AGGREGATES_OF_OPEN[kind](passing)
    return AGGREGATES_OF_OPEN[kind]([*map(show, passing)])


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
    faces = dice.pool.roll.faces
    truths = [True] * len(faces) if test is None else [*map(test, faces)]
    if kind != "those" and PoolTruth in map(type, truths):
        return _of_faces(kind, show, truths, dice)
    passing = dice if all(truths) else dice.passing(tuple(map(bool, truths)))
    if kind in ("count", "those"):
        return passing.how_many() if kind == "count" else passing
    return passing.any() if kind == "exists" else passing.tally(kind, show)


def _of_faces(kind: str, show: Test | None, truths: Sequence[Dynamic], dice: PoolDice) -> Dynamic:
    """An aggregate of the dice that pass a test depending on their own pool."""
    found = []
    for at, (face, truth) in enumerate(zip(dice.pool.roll.faces, truths, strict=True)):
        if isinstance(truth, PoolTruth) and truth.pool is not dice.pool:
            truth.pool.parted(truth.statistic.base)
        if truth is not False:
            one = dice.passing(tuple([at == place for place in range(len(truths))]))
            found.append(_of_face(kind, show, truth, one, face))
    if kind == "exists":
        return folded(kind, False, found)
    return folded("sum", 0, found) if kind in ("count", "sum") else folded(kind, None, found)


def _of_face(kind: str, show: Test | None, truth: Dynamic, dice: PoolDice, face: int) -> Dynamic:
    """The aggregate of the dice of one face if a truth holds; None for nothing."""
    if kind in ("count", "sum"):
        many = dice.how_many() if kind == "count" else dice.tally("sum", show)
        return chosen(truth, lambda: many, int)
    truth = both(truth, dice.any)
    if kind == "exists":
        return truth
    shown = None if truth is False else seen(face if show is None else show(face))
    return only_if(truth, shown) if isinstance(truth, PoolTruth) else shown


def _of_some(
    kind: str, show: Test | None, truths: Sequence[Dynamic], values: Sequence[Dynamic]
) -> Dynamic:
    """An aggregate of the entries of a list that pass open tests."""
    if show is None and kind in ("exists", "every"):
        return folded(kind, kind == "every", truths)
    found = []
    for one, truth in zip(values, truths, strict=True):
        if truth is False:
            continue
        try:
            shown = 1 if kind == "count" else one if show is None else show(one)
        except Exception:  # it may be defined only for entries that pass
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


def folded(kind: str, known: Dynamic, values: Iterable[Dynamic]) -> Dynamic:
    """The sum, highest or lowest of numbers, or whether one or all truths hold; None counts for nothing,
    and `known` is the value so far."""
    values = [one for one in values if one is not None]
    pool = pool_of(values)
    parts: list[Statistic] = []
    for one in values:
        if isinstance(one, PoolNumber):
            parts.append(one.statistic)
        else:
            known = one if known is None else FOLDS[kind](known, one)
    if pool is None or (kind in SURE and known is SURE[kind]):
        return 0 if known is None else known
    if kind == "sum":
        return _added_up(pool, known, parts)
    if len(parts) == 1 and kind in SURE:
        return pool.value(parts[0])
    return pool.value(fold(kind, known, tuple(parts)))


def _added_up(pool: OpenPool, known: Dynamic, parts: Sequence[Statistic]) -> Dynamic:
    """The sum of a known number and statistics."""
    if known.__class__ is not int:
        pool.parted(parts[0])  # fractions have no bounds to check against the storable range
    return valued(pool, operated("+", reduce(partial(operated, "+"), parts), known))


def only_if(truth: PoolTruth, value: Dynamic) -> PoolNumber:
    """A number that counts only if a truth holds; fit only to be `folded`."""
    pool_of((truth, value))
    found = operated("if", truth.statistic, statistic_of(value), None)
    return PoolNumber(truth.pool, found, found.low, found.high)


# Forms whose value is never a face, a sum or dice, nor depends on them.
_NO_DICE = frozenset(
    "value setting players record records field static zone at query allowed table is_none ..".split()  # noqa: SIM905
)
# Forms whose value depends on dice if a part does.
_LIKE_PARTS = frozenset("and or not = != < <= > >= in + - * div mod negative count list".split())  # noqa: SIM905
# The types of faces, and of values that depend on dice.
FACES = ("Int", "Fraction", "Bool")


@lru_cache(maxsize=8)
def with_open_dice(linked: Linked) -> Linked:
    """The same game, linked for open dice."""
    if isinstance(linked.codegen, OpenCodegen):
        return linked
    return Linked(linked.program, linked.layout, linked.driver, linked.settings, OpenCodegen)


@lru_cache(maxsize=8)
def places_of_dice(linked: Linked) -> tuple[int, ...]:
    """The places of the variables of the game that can hold faces."""
    rows = (row for routine in linked.program.routines for row in routine.rows)
    names = {row.name for row in rows if isinstance(row, SetScope) and may_hold_dice(row.value)}
    types = {one.name: Type.parse(one.type).name for one in linked.program.scope}
    return tuple(sorted(linked.scope_index[name] for name in names if types[name] in FACES))


def may_hold_dice(expr: Expr) -> bool:
    """Can the value of an expression be a face or dice, or depend on them?"""
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
    """A caching function that bypasses the cache for open dice."""
    known = remembering(function, state)

    def call(w: World, s: Scope, g: Rules, *args: Dynamic) -> Dynamic:
        return function(w, s, g, *args) if holds_open(args) else known(w, s, g, *args)

    return call


def _where_open(opened: str, known: str) -> Callable[..., str]:
    """A form written differently if its first part may depend on dice."""

    def write(codegen: OpenCodegen, names: Names, *parts: Expr) -> str:
        form = opened if may_hold_dice(parts[0]) else known
        return form.format(*(codegen._source(part, names) for part in parts))

    return write


class OpenCodegen(Codegen):
    """Code generator for functions that accept open dice."""

    FORMS: Mapping[str, str | Callable[..., str]] = {
        **Codegen.FORMS,
        "in": lambda c, names, of, list_: (
            f"_among({c._source(of, names)}, {c._iterable(list_, names)})"
        ),
        "not": _where_open("_negated({})", "(not {})"),
        "and": _where_open("_both({}, lambda: {})", "({} and {})"),
        "or": _where_open("_either({}, lambda: {})", "({} or {})"),
        "if": _where_open("_chosen({}, lambda: {}, lambda: {})", "({1} if {0} else {2})"),
    }
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
        def row_of(key: Dynamic, otherwise: Value) -> Value:
            if not isinstance(key, PoolNumber):
                return rows.get(key, otherwise)
            return key.of_all(lambda face: rows.get(face, otherwise))

        return row_of

    def _leaving(self, source: str, expr: Expr) -> str:
        return f"_seen({source})" if may_hold_dice(expr) else source

    def _each(self, names: Names, *parts: Any) -> str:
        kind, value, slot, domain, where = parts
        is_whole = value is None and where is None and kind in ("sum", "highest", "lowest")
        if is_whole or not any(may_hold_dice(one) for one in (value, domain, where) if one):
            return super()._each(names, *parts)
        item = f"b{int(slot)}"
        inner = {**names, slot: item}
        show, test = (
            f"(lambda {item}: {self._source(part, inner)})" if part is not None else "None"
            for part in (value, where)
        )
        return f"_aggregate({kind!r}, {show}, {test}, {self._iterable(domain, names)})"
