"""Operators that Python lacks: bounded numbers, lists without duplicates, zones as columns.

Operands may be of any type in a program from a save; a number too large for a save raises RuntimeFault.
A column beside a lazy pile holds its ends: the things on top and at the bottom, each in draw order. What
lies between has no order until chance makes one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Protocol, TypeVar

from ruleloom.runtime.program.faults import NumberTooLarge, RuntimeFault
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import MOST_DICE, Program, QueryInfo
from ruleloom.runtime.program.values import (
    LARGEST,
    Column,
    Dynamic,
    Ends,
    FrozenMap,
    Layout,
    Query,
    Scope,
    Value,
    World,
    with_entry,
)

Number = int | Fraction

LONGEST_SPAN = 10_000

T = TypeVar("T")


def span(low: int, high: int) -> range:
    """The numbers from `low` to `high`, inclusive."""
    if high - low >= LONGEST_SPAN:
        raise RuntimeFault(f"a span of more than {LONGEST_SPAN} numbers")
    if low < -LARGEST or high > LARGEST:
        raise NumberTooLarge()
    return range(low, high + 1)


def product(left: Number, right: Number) -> Number:
    """The product of two numbers; TypeError for texts and lists, which Python would repeat."""
    if left.__class__ is int is right.__class__:  # the cheapest test, on the hottest path
        result = left * right
        if -LARGEST <= result <= LARGEST:
            return result
        raise NumberTooLarge()
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        exact = Fraction(left) * right
        if max(abs(exact.numerator), exact.denominator) <= LARGEST:
            return exact
        raise NumberTooLarge("a fraction with numbers")
    raise TypeError("only numbers are multiplied")


def rest(left: int, right: int) -> int:
    """The remainder of dividing whole numbers."""
    if left.__class__ is int is right.__class__:
        return left % right
    if not (isinstance(left, int) and isinstance(right, int)):
        raise TypeError("only numbers are divided")
    return left % right


def join(left: Iterable[T], right: Iterable[T]) -> tuple[T, ...]:
    """The things in either list, each once."""
    return tuple(dict.fromkeys((*left, *right)))


def without(left: Iterable[T], right: Iterable[T]) -> tuple[T, ...]:
    """The things in one list and not in the other."""
    gone = frozenset(right)
    return tuple(x for x in left if x not in gone)


def with_dice(dice: Iterable[int], more: Iterable[int]) -> tuple[int, ...]:
    """The faces of both pools, highest first."""
    faces = sorted((*dice, *more), reverse=True)
    if len(faces) > MOST_DICE:
        raise RuntimeFault(f"more than {MOST_DICE:,} dice")
    return tuple(faces)


def without_dice(dice: Iterable[int], gone: Iterable[int]) -> tuple[int, ...]:
    """The faces that remain when one of each `gone` is removed."""
    left = list(dice)
    for face in gone:
        if face in left:
            left.remove(face)
    return tuple(left)


def first(number: int, values: Iterable[T]) -> tuple[T, ...]:
    """The first `number` values."""
    return tuple(values)[: max(0, number)]


def unique(values: Iterable[T]) -> tuple[T, ...]:
    """Distinct values."""
    return tuple(dict.fromkeys(values))


def kept(value: Dynamic) -> Dynamic:
    """A value fit to be stored; RuntimeFault for a number too large for a save."""
    if value.__class__ is int:
        if not -LARGEST <= value <= LARGEST:
            raise NumberTooLarge()
    elif value.__class__ is Fraction and max(abs(value.numerator), value.denominator) > LARGEST:
        raise NumberTooLarge("a fraction with numbers")
    return value


def bounded(value: Dynamic, low: int | None, high: int | None) -> Dynamic:
    """A value within the bounds of a variable; RuntimeFault for a number outside them."""
    for one in value if isinstance(value, Iterable) else (value,):
        if not lies_within(one, low, high):
            least, most = ("any" if bound is None else bound for bound in (low, high))
            raise RuntimeFault(f"a value of {one} for a variable of {least} to {most}")
    return value


class HasScope(Protocol):
    """The part of a run that an expression changes."""

    scope: Scope


def set_variable(run: HasScope, scope: Scope, index: int, value: Value) -> Scope:
    """The variables of the game with one set, stored in the run as well."""
    if scope[index] is not kept(value):
        run.scope = scope = with_entry(scope, index, value)
    return scope


def without_member(column: Column, kind: str, thing: Value) -> Column:
    """The column of a zone without a thing; the identical column if the thing is not there."""
    if kind == "map":
        return FrozenMap({point: x for point, x in column.items() if x != thing})
    if kind == "pile":
        return _without(column, thing)
    parts = column.items() if kind == "under" else enumerate(column)
    holder = next((owner for owner, held in parts if thing in held), None)
    if holder is None:
        return column
    return _with_part(column, holder, _without(column[holder], thing))


def _with_part(column: Column, owner: Dynamic, held: tuple[Value, ...]) -> Column:
    """The column of a zone with the part of an owner or place replaced."""
    if isinstance(column, FrozenMap):
        return column.with_entry(owner, held, ())
    return with_entry(column, owner, held)


def _without(pile: tuple[Value, ...], thing: Value) -> tuple[Value, ...]:
    return tuple([x for x in pile if x != thing]) if thing in pile else pile


def with_member(column: Column, thing: Dynamic, owner: Dynamic) -> Column:
    """The column of a zone, or of `owner` in it, with one more thing, sorted."""
    if owner is None:
        return tuple(sorted((*column, thing)))
    held = column.get(owner, ()) if isinstance(column, FrozenMap) else column[owner]
    return _with_part(column, owner, tuple(sorted((*held, thing))))


NO_ENDS: Ends = ((), ())


def several(value: Dynamic) -> tuple[Dynamic, ...]:
    """One or several values as a tuple, deduplicated."""
    if value is None:
        return ()
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (value,)


def between(pile: Column, ends: Ends) -> tuple[Value, ...]:
    """The things in a pile without a known order."""
    known = {*ends[0], *ends[1]}
    return tuple([thing for thing in pile if thing not in known]) if known else tuple(pile)


def known_next(ends: Ends, pile: Column) -> Value:
    """The thing certain to be drawn next; None if chance decides or none is left."""
    top, bottom = ends
    if top:
        return top[0]
    return bottom[0] if bottom and len(bottom) == len(pile) else None


def kept_ends(piles: Mapping[int, int], before: World, after: World) -> World:
    """A world with its known pile ends updated: a pile that gained things is shuffled."""
    columns = list(after)
    for pile, at in piles.items():
        if after[pile] is not before[pile] and after[at] != NO_ENDS:
            columns[at] = _kept(after[at], set(before[pile]), set(after[pile]))
    return tuple(columns)


def _kept(ends: Ends, before: set[Value], after: set[Value]) -> Ends:
    if not after <= before:
        return NO_ENDS
    gone = before - after
    return without(ends[0], gone), without(ends[1], gone)


Found = dict[tuple[Value, ...], tuple[int, ...]]


def by_field(program: Program, query: QueryInfo, layout: Layout) -> Query:
    """The query for one value of the field, or for any but none, or for the places of a zone; RuntimeFault
    for more than `most`."""
    if "." not in query.of:
        zone = layout.index[query.of]
        return lambda world: tuple(sorted(world[zone]))
    entity = program.entity(query.of.partition(".")[0])
    column = layout.index[query.of]
    there = layout.index[f"{entity.name}.{entity.present}"] if entity.present else column
    held: tuple[Column, Column, Found] = (None, None, {})

    def ask(world: World, *wanted: Value) -> tuple[int, ...]:
        nonlocal held
        values, present, kept = held
        if world[column] is not values or world[there] is not present:
            kept = _gathered(world, column, there)
            held = (world[column], world[there], kept)
        found = kept.get(wanted, ())
        if query.most is not None and len(found) > query.most:
            raise RuntimeFault(f"more than {query.most} {entity.plural} for `{query.name}`")
        return found

    return ask


def _gathered(world: World, column: int, there: int) -> Found:
    """The things present, by the value of the field; under `()` all whose field is not none."""
    found: dict[tuple[Value, ...], list[int]] = defaultdict(list)
    values = world[column]
    every = [number for number, present in enumerate(world[there]) if present is not None]
    for number in every:
        found[values[number],].append(number)
    found.pop((None,), None)
    found[()] = [number for number in every if values[number] is not None]
    return {key: tuple(numbers) for key, numbers in found.items()}
