"""How large a number can be, and how long a list, as far as a text alone can say.

In goes a lowered expression; out come the least and the greatest value, each None where nothing is
known. The bounds come from literals, settings, fields (`min`, `max`), queries (`max`), zones and
entities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Flow, Local
from ruleloom.compiler.flow.functions import Span
from ruleloom.runtime.program.expr import conjuncts, mentions
from ruleloom.runtime.program.program import MOST_DICE, Expr
from ruleloom.runtime.program.values import FrozenMap, Type

UNBOUNDED: Span = (None, None)


def numbers(ctx: Context, expr: Expr) -> Span:
    """The least and the greatest value of a number."""
    match expr:
        case ("value", int(value)):
            return value, value
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return _whole(setting.low, floor), _whole(setting.high, ceil)
        case ("slot", slot):
            local = _local(ctx, slot)
            return (local.low, local.high) if local else UNBOUNDED
        case (("field" | "static"), str(name), _):
            entity, _, field = name.partition(".")
            found = ctx.symbols.entities[entity].fields[field]
            return found.low, found.high
        case ("lookup", (("static" | "field"), *_) as table, _):
            return numbers(ctx, table)
        case ("query", name, *_):
            return None, ctx.symbols.callables[name].most
        case ("count", of):
            return 0, length(ctx, of)
        case ("if", _, then, otherwise):
            return either(numbers(ctx, then), numbers(ctx, otherwise))
        case ("negative", of):
            low, high = numbers(ctx, of)
            return minus(high), minus(low)
        case (("+" | "-" | "*" | "div" | "mod") as op, left, right):
            return combined(op, numbers(ctx, left), numbers(ctx, right))
        case ("function", id, *_):
            if id not in ctx.functions.spans:
                body = _body(ctx, id)
                within = replace(ctx, flow=Flow())
                ctx.functions.spans[id] = UNBOUNDED if body is None else numbers(within, body)
            return ctx.functions.spans[id]
        case ("table", _, _, (_, values), (_, otherwise)):
            return _rows((*values, otherwise))
        case ("each", *_):
            return _aggregate(ctx, expr)
        case _:
            return UNBOUNDED


def _whole(bound: int | Fraction | None, round: Callable[[Fraction], int]) -> int | None:
    return None if bound is None else round(Fraction(bound))


def length(ctx: Context, expr: Expr) -> int | None:
    """The greatest length of a list."""
    match expr:
        case ("value", tuple() as values):
            return len(values)
        case ("list", *parts):
            return len(parts)
        case ("players",):
            return ctx.symbols.entities["Player"].most
        case ("records", name):
            return len(ctx.symbols.made[name].names)
        case ("static", name, _) | ("lookup", ("static", name, _), _):
            return _longest_printed(ctx, name)
        case ("zone", name, *_):
            return ctx.symbols.entities[ctx.symbols.zones[name].of].most
        case ("query", name, *_):
            return ctx.symbols.callables[name].most
        case ("slot", slot):
            local = _local(ctx, slot)
            if local is None or not local.type.many:
                return None
            return local.high if local.high is not None else _as_many(ctx, local.type)
        case ("scope", name):
            return _as_many(ctx, ctx.symbols.scope[name].type)
        case ("..", low, high):
            least, most = numbers(ctx, low)[0], numbers(ctx, high)[1]
            return None if least is None or most is None else max(0, most - least + 1)
        case (("join" | "with_dice"), left, right):
            return _plus(length(ctx, left), length(ctx, right))
        case (("without" | "without_dice"), left, _):
            return length(ctx, left)
        case ("if", _, then, otherwise):
            return _larger(length(ctx, then), length(ctx, otherwise))
        case ("function", id, *_):
            if id not in ctx.functions.lengths:
                body = _body(ctx, id)
                within = replace(ctx, flow=Flow())
                ctx.functions.lengths[id] = None if body is None else length(within, body)
            return ctx.functions.lengths[id]
        case ("each", "those", _, slot, domain, where):
            return _smaller(length(ctx, domain), picked(ctx, slot, domain, where))
        case ("first", number, of):
            return _smaller(numbers(ctx, number)[1], length(ctx, of))
        case _:
            return None


def _as_many(ctx: Context, type_: Type) -> int | None:
    """How many there can be in a list of which nothing is known but its type."""
    return MOST_DICE if type_.repeats else things(ctx, type_.name)


def picked(ctx: Context, slot: int, domain: Expr, test: Expr | None) -> int | None:
    """How many of a list a condition can let pass because it wants them in another list; None if it
    says nothing of that. Only where the first holds nothing twice."""
    if test is None or domain[0] not in ("records", "players"):
        return None
    candidate: Expr = ("slot", slot)
    return _some(
        min,
        [
            length(ctx, part[2])
            for part in conjuncts(test)
            if part[:2] == ("in", candidate) and not mentions(part[2], candidate)
        ],
    )


def never_empty(ctx: Context, expr: Expr) -> bool:
    """Is there always something in a list of what cannot leave the table?"""
    match expr:
        case ("value", tuple() as values):
            return bool(values)
        case ("players",):
            return True
        case ("list", _, *_):
            return True
        case ("records", name):
            return bool(ctx.symbols.made[name].names)
        case ("..", low, high):
            most, least = numbers(ctx, low)[1], numbers(ctx, high)[0]
            return most is not None and least is not None and most <= least
        case ("join", left, right):
            return never_empty(ctx, left) or never_empty(ctx, right)
        case ("if", _, then, otherwise):
            return never_empty(ctx, then) and never_empty(ctx, otherwise)
        case _:
            return False


def members(ctx: Context, expr: Expr) -> Span:
    """The least and the greatest number in a list of numbers."""
    match expr:
        case ("..", low, high):
            return numbers(ctx, low)[0], numbers(ctx, high)[1]
        case ("value", tuple() as values) if values and all(isinstance(one, int) for one in values):
            return min(values), max(values)
        case ("list", *parts):
            spans = [numbers(ctx, part) for part in parts]
            return _all(min, [low for low, _ in spans]), _all(max, [high for _, high in spans])
        case _:
            return UNBOUNDED


def things(ctx: Context, type_name: str) -> int | None:
    """How many different things of a type there are: no list of them without repeats is longer."""
    if ctx.symbols.is_recorded(type_name) and type_name in ctx.symbols.made:
        return len(ctx.symbols.made[type_name].names)
    if type_name in ctx.symbols.entities:
        return ctx.symbols.entities[type_name].most
    return len(ctx.symbols.enums[type_name]) if type_name in ctx.symbols.enums else None


def _smaller(one: int | None, other: int | None) -> int | None:
    """The smaller of two limits, one of which may not be known."""
    return other if one is None else one if other is None else min(one, other)


def _longest_printed(ctx: Context, name: str) -> int:
    """How long a list that is printed on records gets."""
    entity, _, field = name.partition(".")
    values = dict(ctx.symbols.made[entity].static)[field]
    tables = [value.values() if isinstance(value, FrozenMap) else (value,) for value in values]
    return max((len(one) for table in tables for one in table if isinstance(one, tuple)), default=0)


def _body(ctx: Context, id: str) -> Expr | None:
    name = next(name for name, one in ctx.symbols.callables.items() if one.id == id)
    body = ctx.functions.body(name)
    return body.expr if body else None


def _local(ctx: Context, slot: int) -> Local | None:
    return next((local for local in ctx.flow.visible.values() if local.slot == slot), None)


def _aggregate(ctx: Context, expr: Expr) -> Span:
    _, kind, value, _, domain, _ = expr
    if kind == "count":
        return 0, length(ctx, domain)
    if kind not in ("highest", "lowest") or value is not None:
        return UNBOUNDED
    if domain[0] not in ("list", "value") or (
        domain[0] == "value" and not isinstance(domain[1], tuple)
    ):
        return UNBOUNDED
    parts = domain[1:] if domain[0] == "list" else tuple(("value", v) for v in domain[1])
    spans = [numbers(ctx, part) for part in parts]
    lows, highs = [low for low, _ in spans], [high for _, high in spans]
    if kind == "lowest":
        # The lowest is no more than any of them: one known bound is enough.
        return _all(min, lows), _some(min, highs)
    return _some(max, lows), _all(max, highs)


def _rows(values: tuple[object, ...]) -> Span:
    """The least and the greatest number of a table. None stands in no sum: whoever adds has asked
    for it."""
    whole = [one for one in values if type(one) is int]
    return (
        (min(whole), max(whole))
        if len(whole) + values.count(None) == len(values) and whole
        else UNBOUNDED
    )


def _all(pick: Callable[[list[int]], int], bounds: list[int | None]) -> int | None:
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known and len(known) == len(bounds) else None


def _some(pick: Callable[[list[int]], int], bounds: list[int | None]) -> int | None:
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known else None


def combined(op: str, left: Span, right: Span) -> Span:
    """The least and the greatest value of a sum, a difference, a product, a quotient or a rest."""
    match op:
        case "+":
            return _plus(left[0], right[0]), _plus(left[1], right[1])
        case "-":
            return _plus(left[0], minus(right[1])), _plus(left[1], minus(right[0]))
        case "mod":
            return 0, None if right[1] is None else right[1] - 1
    if None in (*left, *right):
        return UNBOUNDED
    ends = [(a, b) for a in left for b in right]
    if op == "*":
        results = [a * b for a, b in ends if a is not None and b is not None]
    else:
        results = [a // b for a, b in ends if a is not None and b]
    return (min(results), max(results)) if results else UNBOUNDED


def either(left: Span, right: Span) -> Span:
    """The least and the greatest value of what is one or the other."""
    lows, highs = [left[0], right[0]], [left[1], right[1]]
    return _all(min, lows), _all(max, highs)


def _plus(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _larger(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else max(left, right)


def minus(value: int | None) -> int | None:
    """A bound of what is taken away."""
    return None if value is None else -value
