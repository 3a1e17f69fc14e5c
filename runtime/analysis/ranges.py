"""What is known of an expression before anything has happened: its value, or an interval.

In goes an expression, and what is known of its slots; what comes out holds in every state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ruleloom.runtime.program.interval import (
    ANY_NUMBER,
    NEGATED,
    Interval,
    all_hold,
    arithmetic,
    compare,
    compare_values,
    extreme,
    negation,
    one_holds,
)
from ruleloom.runtime.program.program import Expr, Function, Program

DEPTH = 20


class Foresight:
    """What is known of a program's expressions; a slot maps to a value or an `Interval`."""

    def __init__(self, program: Program) -> None:
        self.functions: Mapping[str, Function] = {f.id: f for f in program.functions}
        self.settings = {
            s.name: Interval(s.low, s.high) for s in program.settings if s.type == "Int"
        }

    def known(self, expr: Expr, slots: Mapping[int, Any], depth: int = 0) -> Any:
        """A value or an `Interval`; None where nothing is known."""
        match expr:
            case ("value", value):
                return value
            case ("slot", slot):
                return slots.get(slot)
            case ("setting", name):
                return self.settings.get(name)
            case ("function", id, *args) if depth < DEPTH:
                found = {i: self.known(arg, slots, depth) for i, arg in enumerate(args)}
                return self.known(self.functions[id].body, found, depth + 1)
            case ("each", ("highest" | "lowest") as word, None, _, ("list", _, *_) as domain, None):
                return self._extreme(word, domain, slots, depth)
            case (form, *parts) if form in _WORK:
                return _WORK[form](*(self.known(part, slots, depth) for part in parts))
        return None

    def _extreme(self, word: str, listed: Expr, slots: Mapping[int, Any], depth: int) -> Interval:
        known = (_number(self.known(part, slots, depth)) for part in listed[1:])
        return extreme(word, [one or ANY_NUMBER for one in known])

    def options(self, domain: Expr, slots: Mapping[int, Any]) -> tuple[Any, ...]:
        """Values that are surely among those of a list."""
        if domain[0] == "..":
            low, high = (self.known(side, slots) for side in domain[1:])
            least = _number(high)
            known = least.low if least is not None else None
            return (low,) if type(low) is int and known is not None and low <= known else ()
        values = self.known(domain, slots)
        return tuple(values) if isinstance(values, tuple) and type(values) is not Interval else ()


def _number(value: Any) -> Interval | None:
    """A known number as its bounds."""
    if type(value) is Interval:
        return value
    return Interval(value, value) if type(value) is int else None


def _worked_out(form: str, left: Any, right: Any) -> Any:
    """Two numbers added, subtracted or compared; or two other constants."""
    ours, theirs = _number(left), _number(right)
    if ours is not None and theirs is not None:
        return (compare if form in NEGATED else arithmetic)(form, ours, theirs)
    if form in ("=", "!=") and isinstance(left, str | bool) and type(left) is type(right):
        return compare_values(form, left, right)
    return None


# What is known of a form, from what is known of its parts.
_WORK: Mapping[str, Callable[..., Any]] = {
    "not": lambda side: negation(all_hold([side])),
    "and": lambda *sides: all_hold(sides),
    "or": lambda *sides: one_holds(sides),
    "mod": lambda left, right: left % right if type(left) is int is type(right) and right else None,
    **{form: partial(_worked_out, form) for form in (*NEGATED, "+", "-")},
}
