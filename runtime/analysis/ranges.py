"""The foresight of expressions, before anything has happened: a value, or an interval.

In goes an expression, and what is known of its slots; what comes out holds in every state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import TypeAlias

from ruleloom.runtime.program import interval
from ruleloom.runtime.program.expr import slots_read, substitute
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import Expr, Function, Program
from ruleloom.runtime.program.values import Value

DEPTH = 20
Known: TypeAlias = "Value | Interval"
"""A value, or the interval of a number; None where nothing is known."""


class Foresight:
    """The values or intervals of a program's expressions, from those of their slots."""

    def __init__(self, program: Program) -> None:
        self.functions: Mapping[str, Function] = {f.id: f for f in program.functions}
        numbers = (setting for setting in program.settings if setting.type == "Int")
        self.settings = {one.name: Interval(one.low, one.high) for one in numbers}
        counts = (variable for variable in program.scope if variable.type == "Int")
        self.variables = {one.name: Interval(one.low, one.high) for one in counts}

    def known(self, expr: Expr, slots: Mapping[int, Known], depth: int = 0) -> Known:
        """A value or an `Interval`; None where nothing is known."""
        match expr:
            case ("value", value):
                constant: Known = value
                return constant
            case ("slot", slot):
                return slots.get(slot)
            case ("setting", name):
                return self.settings.get(name)
            case ("scope", name):
                return self.variables.get(name)
            case ("function", id, *args) if depth < DEPTH:
                found = {i: self.known(arg, slots, depth) for i, arg in enumerate(args)}
                return self.known(self.functions[id].body, found, depth + 1)
            case ("each", ("highest" | "lowest") as word, None, _, ("list", _, *_) as domain, None):
                return self._extreme(word, domain, slots, depth)
            case (form, *parts) if form in _WORK:
                return _WORK[form](*(self.known(part, slots, depth) for part in parts))
        return None

    def _extreme(self, word: str, listed: Expr, slots: Mapping[int, Known], depth: int) -> Interval:
        known = (_number(self.known(part, slots, depth)) for part in listed[1:])
        return interval.extreme(word, [one or interval.ANY_NUMBER for one in known])

    def refused(self, test: Expr, slot: int, depth: int = 0) -> float:
        """The most values in `slot` that a condition can refuse: `x != facing(piece)` refuses one."""
        match test:
            case ("!=", *sides) | ("not", ("=", *sides)):
                other = [side for side in sides if side != ("slot", slot)]
                return 1 if len(other) == 1 and slot not in slots_read(other[0]) else inf
            case ("or", one, other):
                return min(self.refused(one, slot, depth), self.refused(other, slot, depth))
            case ("and", one, other):
                return self.refused(one, slot, depth) + self.refused(other, slot, depth)
            case ("function" | "allowed", id, *args) if depth < DEPTH:
                body = self.functions[id].body
                if slots_read(body) <= frozenset(range(len(args))):  # no candidates of its own
                    inner = substitute(body, dict(enumerate(args)))
                    return self.refused(inner, slot, depth + 1)
        return inf

    def options(self, domain: Expr, slots: Mapping[int, Known]) -> tuple[Known, ...]:
        """Values that are surely among those of a list."""
        if domain[0] == "..":
            low, high = (self.known(side, slots) for side in domain[1:])
            least = _number(high)
            known = least.low if least is not None else None
            return (low,) if type(low) is int and known is not None and low <= known else ()
        values = self.known(domain, slots)
        return tuple(values) if isinstance(values, tuple) and type(values) is not Interval else ()


def _number(value: Known) -> Interval | None:
    if type(value) is Interval:
        return value
    return Interval(value, value) if type(value) is int else None


def _worked_out(form: str, left: Known, right: Known) -> Known:
    """Two numbers added, subtracted or compared; or two other constants."""
    ours, theirs = _number(left), _number(right)
    if ours is not None and theirs is not None:
        work = interval.compare if form in interval.NEGATED else interval.arithmetic
        return work(form, ours, theirs)
    if form in ("=", "!=") and isinstance(left, str | bool) and type(left) is type(right):
        return interval.compare_values(form, left, right)
    return None


# The knowledge of a form, from that of its parts.
_WORK: Mapping[str, Callable[..., Known]] = {
    "not": lambda side: interval.negation(interval.all_hold([side])),
    "and": lambda *sides: interval.all_hold(sides),
    "or": lambda *sides: interval.one_holds(sides),
    "mod": lambda left, right: left % right if type(left) is int is type(right) and right else None,
    **{form: partial(_worked_out, form) for form in (*interval.NEGATED, "+", "-", "*")},
}
