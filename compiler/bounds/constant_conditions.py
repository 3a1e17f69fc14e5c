"""Conditions that always or never hold.

Bounds come from the vocabulary and the text only. What packs contribute does not count, since
others may bring more: the number of items, the rows of a table, the modifiers of a stat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial

from ruleloom.compiler.bounds.intervals import length, local_in, numbers, things
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Flow
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import interval
from ruleloom.runtime.program.expr import conjuncts, operands
from ruleloom.runtime.program.interval import ANY_NUMBER, MIRRORED, NEGATED, Interval, Verdict
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Value


def verdict(ctx: Context, expr: Expr) -> Verdict:
    """Does a condition always hold, or never? None where play decides."""
    match expr:
        case ("value", bool(value)):
            return value
        case ("not", part):
            return interval.negation(verdict(ctx, part))
        case ("in", left, ("value", tuple() as values)):
            span = bounds(ctx, left)
            return None if any(interval.lies_within(one, *span) for one in values) else False
        case (op, left, right) if op in NEGATED:
            return _compared(ctx, op, left, right)
        case ("and", *_):
            return _together(ctx, conjuncts(expr))
        case ("or", *_):
            denied = [_denied(part) for part in operands("or", expr)]
            return interval.negation(_together(ctx, denied))
        case _:
            return None


def _denied(expr: Expr) -> Expr:
    return expr[1] if expr[0] == "not" else ("not", expr)


def _compared(ctx: Context, op: str, left: Expr, right: Expr) -> Verdict:
    if left == right:
        return op in ("=", "<=", ">=")
    if left[0] == right[0] == "value":
        return interval.compare_values(op, left[1], right[1])
    found = interval.compare(op, bounds(ctx, left), bounds(ctx, right))
    # That two numbers can only be equal is left alone: the text may have narrowed one on purpose.
    same = (op == "=" and found is True) or (op == "!=" and found is False)
    return None if same else found


@dataclass
class _Left:
    """The values that some conditions leave to an expression."""

    low: int | Fraction | None
    high: int | Fraction | None
    out: set[Value] = field(default_factory=set)
    only: set[Value] | None = None

    def heed(self, op: str, values: tuple[Value, ...]) -> None:
        """Take out the values that a condition excludes: a comparison with one value, or `in` some."""
        if op in ("=", "in"):
            self.only = set(values) if self.only is None else self.only & set(values)
        elif op in ("!=", "not in"):
            self.out.update(values)
        elif isinstance(bound := values[0], int | Fraction):
            if op in ("<", "<="):
                self.high = bound if self.high is None else min(self.high, bound)
            else:
                self.low = bound if self.low is None else max(self.low, bound)
            if op in ("<", ">"):
                self.out.add(bound)

    @property
    def is_nothing(self) -> bool:
        if self.only is not None:
            return all(
                one in self.out or not interval.lies_within(one, self.low, self.high)
                for one in self.only
            )
        if self.low is None or self.high is None or self.low < self.high:
            return False
        return self.low > self.high or self.low in self.out


def _together(ctx: Context, parts: Sequence[Expr]) -> Verdict:
    return False if clash(ctx, parts) else interval.all_hold([verdict(ctx, part) for part in parts])


def comparisons(tests: Iterable[Expr]) -> frozenset[Expr]:
    """The parts of some conditions that compare something with values."""
    parts = (part for test in tests for part in conjuncts(test))
    return frozenset(part for part in parts if _comparison(part) is not None)


def clash(ctx: Context, parts: Sequence[Expr]) -> bool:
    """Do conditions on the same thing leave nothing that it can be?"""
    left: dict[Expr, _Left] = {}
    denied = {part[1] for part in parts if part[0] == "not"}
    for part in parts:
        if part in denied:
            return True
        found = _comparison(part)
        if found is not None:
            of, op, values = found
            if of not in left:
                left[of] = _Left(*bounds(ctx, of))
            left[of].heed(op, values)
    return any(one.is_nothing for one in left.values())


def _comparison(part: Expr) -> tuple[Expr, str, tuple[Value, ...]] | None:
    """The expression that a condition compares with values: itself, how, and the values."""
    match part:
        case ("not", ("in", of, ("value", tuple() as values))):
            return of, "not in", values
        case ("in", of, ("value", tuple() as values)):
            return of, "in", values
        case ("not", (op, left, right)) if op in NEGATED:
            return _comparison((NEGATED[op], left, right))
        case (op, of, ("value", value)) if op in MIRRORED:
            return of, op, (value,)
        case (op, ("value", value), of) if op in MIRRORED:
            return of, MIRRORED[op], (value,)
        case _:
            return None


def bounds(ctx: Context, expr: Expr) -> Interval:
    """The least and the greatest value of a number, whatever packs bring along."""
    return interval.interval_of(expr, partial(_lasting, ctx))


def _lasting(ctx: Context, expr: Expr) -> Interval:
    """The lasting bounds of a number that is read or counted: those of the vocabulary and the text."""
    match expr:
        case ("count", of) | ("each", "count", _, _, of, _):
            return Interval(0, _most_for_good(ctx, of))
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return ANY_NUMBER if setting.low == setting.high else numbers(ctx, expr)
        case (("slot" | "field" | "static" | "query" | "lookup"), *_):
            return numbers(ctx, expr)
        case ("function", id, *_):
            return _limits(ctx, id)
        case _:
            return ANY_NUMBER


def _most_for_good(ctx: Context, of: Expr) -> int | None:
    """The greatest length of a list that was chosen or is in play, however many things packs bring
    along; None for all others."""
    match of:
        case ("query", *_):
            return length(ctx, of)
        case ("each", "those", _, _, domain, _):
            return _most_for_good(ctx, domain)
        case ("zone", name, *_):
            thing = ctx.symbols.zones[name].of
        case ("slot", slot) if (local := local_in(ctx, slot)) is not None:
            thing = local.type.name
        case _:
            return None
    most = length(ctx, of)
    if most is None or not ctx.symbols.is_recorded(thing):
        return most
    return most if most < (things(ctx, thing) or 0) else None


def _limits(ctx: Context, id: str) -> Interval:
    functions = ctx.functions

    def found() -> Interval:
        callee = ctx.symbols.callables[slug_of(id.rpartition("/")[2])]
        body = functions.body(callee.name) if callee.kind == "measure" else None
        span = ANY_NUMBER if body is None else bounds(replace(ctx, flow=Flow()), body.expr)
        # A measure that is one number is there for packs to change.
        return ANY_NUMBER if span.exact is not None else span

    limit = functions.limits.get(id)
    return functions.lasting.get(id, found) if limit is None else limit
