"""Intervals of numbers and lengths of lists, as far as a text alone can say.

The bounds come from literals, settings, fields (`min`, `max`), queries (`max`), zones and entities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import ceil, floor
from typing import TypeVar

from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Flow, Local
from ruleloom.compiler.query.lookups import Remembered
from ruleloom.runtime.program import interval
from ruleloom.runtime.program.expr import ONE, conjuncts, mentions, rounding
from ruleloom.runtime.program.interval import ANY_NUMBER, Interval, first_known, if_all_known
from ruleloom.runtime.program.program import MOST_DICE, Expr
from ruleloom.runtime.program.values import FrozenMap, Type

T = TypeVar("T")


def numbers(ctx: Context, expr: Expr) -> Interval:
    """The least and the greatest value of a number."""
    return interval.interval_of(expr, partial(_read, ctx))


def _read(ctx: Context, expr: Expr) -> Interval:
    match expr:
        case ("count", of) | ("each", "count", _, _, of, _):
            return Interval(0, length(ctx, of))
        case ("function", id, *_):
            return _of_function(ctx, id, ctx.functions.spans, numbers) or ANY_NUMBER
        case ("table", _, _, (_, values), (_, otherwise)):
            return _rows((*values, otherwise))
        case ("each", ("highest" | "lowest") as kind, None, _, domain, _):
            return _extreme(ctx, kind, domain)
        case ("each", "sum", ("if", _, made, here), slot, ("list", value), None) if here == (
            "slot",
            slot,
        ) and (rounding(made) or ())[::2] == (here, ONE):
            return numbers(ctx, value)  # what is made whole stays within whole bounds
        case ("each", "sum", value, _, domain, where):
            return _sum(ctx, value, domain, where)
        case _:
            return _declared(ctx, expr)


def _declared(ctx: Context, expr: Expr) -> Interval:
    """The bounds that are noted for the name that an expression reads."""
    match expr:
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return Interval(_whole(setting.low, floor), _whole(setting.high, ceil))
        case ("slot", slot):
            local = local_in(ctx, slot)
            return Interval(local.low, local.high) if local is not None else ANY_NUMBER
        case (("field" | "static"), str(name), _) | (
            "lookup",
            (("field" | "static"), str(name), _),
            _,
        ):
            entity, _, field = name.partition(".")
            found = ctx.symbols.entities.part(entity, "fields", field)
            return Interval(found.low, found.high)
        case ("scope", name):
            variable = ctx.symbols.scope[name]
            return Interval(variable.low, variable.high)
        case ("query", name, *_):
            return Interval(None, ctx.symbols.callables[name].most)
        case _:
            return ANY_NUMBER


def _whole(bound: int | Fraction | None, round: Callable[[Fraction], int]) -> int | None:
    return None if bound is None else round(Fraction(bound))


def length(ctx: Context, expr: Expr) -> int | None:
    """The greatest length of a list."""
    match expr:
        case ("..", low, high):
            least, most = numbers(ctx, low).low, numbers(ctx, high).high
            return None if least is None or most is None else max(0, most - least + 1)
        case (("join" | "with_dice"), left, right):
            return if_all_known(sum, (length(ctx, left), length(ctx, right)))
        case (("without" | "without_dice"), left, _):
            return length(ctx, left)
        case ("if", _, then, otherwise):
            return if_all_known(max, (length(ctx, then), length(ctx, otherwise)))
        case ("function", id, *_):
            return _of_function(ctx, id, ctx.functions.lengths, length)
        case ("each", "those", _, slot, domain, where):
            return first_known(min, (length(ctx, domain), picked(ctx, slot, domain, where)))
        case ("first", number, of):
            return first_known(min, (numbers(ctx, number).high, length(ctx, of)))
    return _length_read(ctx, expr)


def _length_read(ctx: Context, expr: Expr) -> int | None:
    symbols = ctx.symbols
    match expr:
        case ("value", tuple() as values) | ("list", *values):
            return len(values)
        case ("players",):
            most: int = symbols.entities.part("Player", "most")
            return most
        case ("records", name):
            return len(symbols.made.part(name, "names"))
        case ("static", name, _) | ("lookup", ("static", name, _), _):
            return _longest_printed(ctx, name)
        case ("zone", name, *_):
            return things(ctx, symbols.zones[name].of)
        case ("query", name, *_):
            return symbols.callables[name].most
        case ("slot", slot):
            return _length_kept(ctx, local_in(ctx, slot))
        case ("scope", name):
            return _as_many(ctx, symbols.scope[name].type)
    return None


def _length_kept(ctx: Context, local: Local | None) -> int | None:
    if local is None or not local.type.many:
        return None
    return local.high if local.high is not None else _as_many(ctx, local.type)


def _as_many(ctx: Context, type_: Type) -> int | None:
    """The greatest length of a list of which only the type is known."""
    return MOST_DICE if type_.repeats else things(ctx, type_.name)


def picked(ctx: Context, slot: int, domain: Expr, test: Expr | None) -> int | None:
    """How many members a condition lets pass at most because it wants them in another list, or to be
    one thing."""
    # Other domains may hold a thing twice.
    if test is None or domain[0] not in ("records", "players"):
        return None
    candidate: Expr = ("slot", slot)
    found: list[int | None] = []
    for part in conjuncts(test):
        match part:
            case ("in", one, of) if one == candidate and not mentions(of, candidate):
                found.append(length(ctx, of))
            case ("=", one, of) if candidate in (one, of) and one != of:
                found.append(1 if mentions(one, candidate) != mentions(of, candidate) else None)
    return first_known(min, found)


def never_empty(ctx: Context, expr: Expr) -> bool:
    """Is there always something in a list of what cannot leave the table?"""
    match expr:
        case ("value", tuple() as values):
            return bool(values)
        case ("players",) | ("list", _, *_):
            return True
        case ("records", name):
            return bool(ctx.symbols.made.part(name, "names"))
        case ("..", low, high):
            return interval.compare("<=", numbers(ctx, low), numbers(ctx, high)) is True
        case ("join", left, right):
            return never_empty(ctx, left) or never_empty(ctx, right)
        case ("if", _, then, otherwise):
            return never_empty(ctx, then) and never_empty(ctx, otherwise)
        case _:
            return False


def members(ctx: Context, expr: Expr) -> Interval:
    """The least and the greatest number in a list of numbers."""
    match expr:
        case ("..", low, high):
            return Interval(numbers(ctx, low).low, numbers(ctx, high).high)
        case ("value", tuple() as values) if values and all(isinstance(one, int) for one in values):
            return Interval(min(values), max(values))
        case ("list", *parts):
            return interval.joined([numbers(ctx, part) for part in parts])
        case _:
            return ANY_NUMBER


def things(ctx: Context, type_name: str) -> int | None:
    """The number of different things of a type: no list of them without repeats is longer."""
    if ctx.symbols.is_recorded(type_name) and type_name in ctx.symbols.made:
        return len(ctx.symbols.made.part(type_name, "names"))
    if type_name in ctx.symbols.entities:
        most: int = ctx.symbols.entities.part(type_name, "most")
        return most
    return len(ctx.symbols.enums[type_name]) if type_name in ctx.symbols.enums else None


def _longest_printed(ctx: Context, name: str) -> int:
    entity, _, field = name.partition(".")
    values = ctx.symbols.printed[entity, field]
    tables = [value.values() if isinstance(value, FrozenMap) else (value,) for value in values]
    return max((len(one) for table in tables for one in table if isinstance(one, tuple)), default=0)


def _of_function(
    ctx: Context,
    id: str,
    known: Remembered[str, T | None],
    find: Callable[[Context, Expr], T | None],
) -> T | None:
    """A bound of the body of a rule or measure, found once; None of one that is broken."""

    def found() -> T | None:
        body = ctx.functions.of(id)
        return find(replace(ctx, flow=Flow()), body.expr) if body else None

    return known.get(id, found)


def local_in(ctx: Context, slot: int) -> Local | None:
    """The local that is visible here and stands in a slot; None for a hidden one."""
    return next((local for local in ctx.flow.visible.values() if local.slot == slot), None)


def _extreme(ctx: Context, kind: str, domain: Expr) -> Interval:
    match domain:
        case ("list", *parts):
            return interval.extreme(kind, [numbers(ctx, part) for part in parts])
        case ("value", tuple() as values):
            return interval.extreme(kind, [numbers(ctx, ("value", value)) for value in values])
    return ANY_NUMBER


def _sum(ctx: Context, value: Expr | None, domain: Expr, where: Expr | None) -> Interval:
    if value is None and where is None and domain[0] == "list":
        parts = (numbers(ctx, part) for part in domain[1:])
        return reduce(partial(interval.arithmetic, "+"), parts, Interval(0, 0))
    each = members(ctx, domain) if value is None else numbers(ctx, value)
    return interval.arithmetic("*", Interval(0, length(ctx, domain)), each)


def _rows(values: tuple[object, ...]) -> Interval:
    """The least and the greatest number of a table; entries that are none count for nothing."""
    whole = [one for one in values if type(one) is int]
    fits = whole and len(whole) + values.count(None) == len(values)
    return Interval(min(whole), max(whole)) if fits else ANY_NUMBER
