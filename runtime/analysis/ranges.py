"""What is known of an expression before anything has happened: a value, or between which numbers it
lies.

In goes an expression, and what is known of its slots; out comes something that holds whatever the
table looks like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from ruleloom.runtime.program.program import Expr, Function, Program

DEPTH = 20


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, both among them; the infinite ends stand for no bound."""

    low: float
    high: float


ANY_NUMBER = Between(-inf, inf)
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Foresight:
    """What is known of the expressions of a program. `slots` maps a slot to a value, or to a
    `Between`."""

    def __init__(self, program: Program) -> None:
        self.functions: Mapping[str, Function] = {f.id: f for f in program.functions}
        self.settings = {s.name: _of(s.low, s.high) for s in program.settings if s.type == "Int"}

    def known(self, expr: Expr, slots: Mapping[int, Any], depth: int = 0) -> Any:
        """A value or a `Between`; None where nothing is known."""
        form = expr[0]
        if form == "value":
            return expr[1]
        if form == "slot":
            return slots.get(expr[1])
        if form == "setting":
            return self.settings.get(expr[1])
        if form == "function" and depth < DEPTH:
            args = {i: self.known(arg, slots, depth) for i, arg in enumerate(expr[2:])}
            return self.known(self.functions[expr[1]].body, args, depth + 1)
        if form == "not":
            inner = self.known(expr[1], slots, depth)
            return not inner if isinstance(inner, bool) else None
        if form in ("and", "or"):
            return self._either(form == "or", [self.known(side, slots, depth) for side in expr[1:]])
        if form == "each" and expr[1] in ("highest", "lowest"):
            return self._extreme(expr, slots, depth)
        if form in MIRRORED or form in ("=", "!=", "+", "-", "mod"):
            return _worked_out(form, *(self.known(side, slots, depth) for side in expr[1:]))
        return None

    def options(self, domain: Expr, slots: Mapping[int, Any]) -> tuple[Any, ...]:
        """Values that are surely among those of a list."""
        if domain[0] == "..":
            low, high = (self.known(side, slots) for side in domain[1:])
            least = _number(high)
            return (low,) if type(low) is int and least is not None and low <= least.low else ()
        values = self.known(domain, slots)
        return tuple(values) if isinstance(values, list | tuple) else ()

    @staticmethod
    def _either(deciding: bool, sides: list[Any]) -> bool | None:
        if any(side is deciding for side in sides):
            return deciding
        return (not deciding) if all(isinstance(side, bool) for side in sides) else None

    def _extreme(self, expr: Expr, slots: Mapping[int, Any], depth: int) -> Between | None:
        """The highest or the lowest of a list that is written out."""
        _, word, value, _, domain, where = expr
        if value is not None or where is not None or domain[0] != "list":
            return None
        parts = [_number(self.known(part, slots, depth)) or ANY_NUMBER for part in domain[1:]]
        pick = max if word == "highest" else min
        return Between(pick(p.low for p in parts), pick(p.high for p in parts)) if parts else None


def _of(low: int | None, high: int | None) -> Between:
    return Between(-inf if low is None else low, inf if high is None else high)


def _number(value: Any) -> Between | None:
    """A known number as its bounds."""
    if isinstance(value, Between):
        return value
    return Between(value, value) if type(value) is int else None


def _worked_out(form: str, left: Any, right: Any) -> Any:
    """Two values put together."""
    if form == "mod":
        return left % right if type(left) is int and type(right) is int and right else None
    ours, theirs = _number(left), _number(right)
    if form in ("=", "!="):
        return _same(left, right, ours, theirs, form)
    if ours is None or theirs is None:
        return None
    if form == "+":
        return Between(ours.low + theirs.low, ours.high + theirs.high)
    if form == "-":
        return Between(ours.low - theirs.high, ours.high - theirs.low)
    if form in (">", ">="):
        form, ours, theirs = MIRRORED[form], theirs, ours
    if form == "<":
        return True if ours.high < theirs.low else False if ours.low >= theirs.high else None
    return True if ours.high <= theirs.low else False if ours.low > theirs.high else None


def _same(
    left: Any, right: Any, ours: Between | None, theirs: Between | None, form: str
) -> bool | None:
    if ours is None or theirs is None:
        known = isinstance(left, str | bool) and type(left) is type(right)
        return (left == right) is (form == "=") if known else None
    if ours.high < theirs.low or ours.low > theirs.high:
        return form == "!="
    return form == "=" if ours.low == ours.high == theirs.low == theirs.high else None
