"""Whether a condition can hold at all: always, never, or as the game goes.

In goes a lowered condition; out comes True, False, or None where play decides. What a number can be
is taken from what the vocabulary and the text say of it. What packs bring along counts for nothing,
since others may bring more: how many items there are, the rows of a table, a setting without `min`
and `max`, what modifies a stat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ruleloom.compiler.bounds.intervals import UNBOUNDED, combined, either, minus, numbers
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Flow
from ruleloom.compiler.flow.functions import Span
from ruleloom.runtime.program.expr import conjuncts, operands
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Value

DENIED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def verdict(ctx: Context, expr: Expr) -> bool | None:
    """Does a condition always hold, or never? None where play decides."""
    match expr:
        case ("value", bool(value)):
            return value
        case ("not", part):
            return _denied_verdict(verdict(ctx, part))
        case ("in", left, ("value", tuple() as values)):
            span = bounds(ctx, left)
            return None if any(_is_within(one, span) for one in values) else False
        case (op, left, right) if op in TURNED:
            return _compared(ctx, op, left, right)
        case ("and", *_):
            return _together(ctx, conjuncts(expr))
        case ("or", *_):
            return _denied_verdict(_together(ctx, [_denied(part) for part in operands("or", expr)]))
        case _:
            return None


def _denied_verdict(found: bool | None) -> bool | None:
    return None if found is None else not found


def _denied(expr: Expr) -> Expr:
    return expr[1] if expr[0] == "not" else ("not", expr)


# ---------------------------------------------------------------------------------- one comparison


def _compared(ctx: Context, op: str, left: Expr, right: Expr) -> bool | None:
    if left == right:
        return op in ("=", "<=", ">=")
    if op in ("!=", ">", ">="):
        return _denied_verdict(_compared(ctx, DENIED[op], left, right))
    if left[0] == right[0] == "value":
        return _of_values(op, left[1], right[1])
    mine, other = bounds(ctx, left), bounds(ctx, right)
    if op == "=":
        return False if _below(mine, other, False) or _below(other, mine, False) else None
    if _below(mine, other, op == "<="):
        return True
    return False if _below(other, mine, op == "<") else None


def _of_values(op: str, left: Value, right: Value) -> bool | None:
    if op == "=":
        return bool(left == right)
    if not (isinstance(left, int | Fraction) and isinstance(right, int | Fraction)):
        return None
    return bool(left < right or (op == "<=" and left == right))


def _below(low: Span, high: Span, may_touch: bool) -> bool:
    """Is every number of one span less than every one of another, or as much if it may?"""
    most, least = low[1], high[0]
    return (
        most is not None and least is not None and (most < least or (may_touch and most == least))
    )


def _is_within(value: Value, span: Span) -> bool:
    if not isinstance(value, int | Fraction):
        return True
    return (span[0] is None or value >= span[0]) and (span[1] is None or value <= span[1])


# ---------------------------------------------------------------------------------- several at once


@dataclass
class _Left:
    """What is left of what an expression can be, after some conditions."""

    low: int | Fraction | None
    high: int | Fraction | None
    out: set[Value] = field(default_factory=set)
    only: set[Value] | None = None

    def heed(self, op: str, values: tuple[Value, ...]) -> None:
        """Take out what a condition takes out: comparison with one value, or `in` some."""
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
        """Can it be nothing at all?"""
        if self.only is not None:
            return not any(self._may_be(one) for one in self.only)
        if self.low is None or self.high is None or self.low < self.high:
            return False
        return self.low > self.high or self.low in self.out

    def _may_be(self, value: Value) -> bool:
        if value in self.out or not isinstance(value, int | Fraction):
            return value not in self.out
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def _together(ctx: Context, parts: Sequence[Expr]) -> bool | None:
    """Do conditions hold together: always, or never?"""
    found = [verdict(ctx, part) for part in parts]
    if False in found or clash(ctx, parts):
        return False
    return True if all(found) else None


def clash(ctx: Context, parts: Sequence[Expr]) -> bool:
    """Do conditions on the same thing leave nothing that it can be?"""
    left: dict[Expr, _Left] = {}
    denied = {part[1] for part in parts if part[0] == "not"}
    for part in parts:
        if part in denied:
            return True
        told = _told(part)
        if told is not None:
            of, op, values = told
            if of not in left:
                left[of] = _Left(*bounds(ctx, of))
            left[of].heed(op, values)
    return any(one.is_nothing for one in left.values())


def _told(part: Expr) -> tuple[Expr, str, tuple[Value, ...]] | None:
    """What a condition says of which expression: how it compares with a value."""
    match part:
        case ("not", ("in", of, ("value", tuple() as values))):
            return of, "not in", values
        case ("in", of, ("value", tuple() as values)):
            return of, "in", values
        case ("not", (op, left, right)) if op in DENIED:
            return _told((DENIED[op], left, right))
        case (op, of, ("value", value)) if op in TURNED:
            return of, op, (value,)
        case (op, ("value", value), of) if op in TURNED:
            return of, TURNED[op], (value,)
        case _:
            return None


# ---------------------------------------------------------------------------------- one number


def bounds(ctx: Context, expr: Expr) -> Span:
    """The least and the greatest value of a number, whatever packs bring along."""
    match expr:
        case ("count", _) | ("each", "count", *_):
            return 0, None
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return UNBOUNDED if setting.low == setting.high else numbers(ctx, expr)
        case (("value" | "slot" | "field" | "static" | "query"), *_):
            return numbers(ctx, expr)
        case ("lookup", (("static" | "field"), *_) as table, _):
            return numbers(ctx, table)
        case ("negative", of):
            low, high = bounds(ctx, of)
            return minus(high), minus(low)
        case ("if", _, then, otherwise):
            return either(bounds(ctx, then), bounds(ctx, otherwise))
        case (("+" | "-" | "*" | "div" | "mod") as op, left, right):
            return combined(op, bounds(ctx, left), bounds(ctx, right))
        case ("function", id, *_):
            return _of_function(ctx, id)
        case _:
            return UNBOUNDED


def _of_function(ctx: Context, id: str) -> Span:
    """The bounds of a measure, or the limits of a stat. A measure that is one number waits for a
    pack to change it."""
    known = ctx.functions.limits
    if id not in known:
        known[id] = UNBOUNDED
        callee = next(one for one in ctx.symbols.callables.values() if one.id == id)
        body = ctx.functions.body(callee.name) if callee.kind == "measure" else None
        found = bounds(replace(ctx, flow=Flow()), body.expr) if body is not None else UNBOUNDED
        known[id] = UNBOUNDED if found[0] == found[1] else found
    return known[id]
