"""The lattice of intervals of numbers, and verdicts on conditions.

A verdict on a condition is True (it always holds), False (it never does) or None (it depends). The
analyses of the compiler and the machine have different knowledge of fields, settings and variables.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from ruleloom.runtime.program.ir import Expr

Number = int | Fraction
Verdict = bool | None
Pick = Callable[[Iterable[int]], int]

# Each comparison with swapped operands, and its negation.
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    **{"=": operator.eq, "!=": operator.ne, "<": operator.lt},
    **{"<=": operator.le, ">": operator.gt, ">=": operator.ge},
}


class Interval(NamedTuple):
    """The bounds of a whole number, inclusive; None for no bound."""

    low: int | None = None
    high: int | None = None

    @property
    def exact(self) -> int | None:
        """The only possible number, or None."""
        return self.low if self.low == self.high else None

    @property
    def negated(self) -> Interval:
        """The interval of the negated number."""
        low, high = self
        return Interval(None if high is None else -high, None if low is None else -low)


ANY_NUMBER = Interval()


def first_known(pick: Pick, bounds: Iterable[int | None]) -> int | None:
    """The `min` or `max` of the known bounds; None if none is known."""
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known else None


def if_all_known(pick: Pick, bounds: Sequence[int | None]) -> int | None:
    """The `min`, `max` or `sum` of bounds; None unless all are known."""
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known and len(known) == len(bounds) else None


def joined(intervals: Sequence[Interval]) -> Interval:
    """The smallest interval that contains several."""
    lows, highs = [one.low for one in intervals], [one.high for one in intervals]
    return Interval(if_all_known(min, lows), if_all_known(max, highs))


def extreme(kind: str, intervals: Sequence[Interval]) -> Interval:
    """The interval of the `highest` or the `lowest` of several numbers."""
    lows, highs = [one.low for one in intervals], [one.high for one in intervals]
    if kind == "lowest":
        # The lowest is at most any of them: one known bound is enough.
        return Interval(if_all_known(min, lows), first_known(min, highs))
    return Interval(first_known(max, lows), if_all_known(max, highs))


def arithmetic(op: str, left: Interval, right: Interval) -> Interval:
    """The interval of a sum, difference, product, quotient or remainder; divisors are positive."""
    match op:
        case "+":
            return Interval(*(if_all_known(sum, ends) for ends in zip(left, right, strict=True)))
        case "-":
            return arithmetic("+", left, right.negated)
        case "mod":
            return Interval(0, None if right.high is None else right.high - 1)
    return _of_ends(operator.mul if op == "*" else operator.floordiv, left, right)


def _of_ends(work: Callable[[int, int], int], left: Interval, right: Interval) -> Interval:
    """The interval spanned by the results at all bounds."""
    ends = [(a, b) for a in left for b in right if a is not None and b is not None]
    if len(ends) < 4:
        return ANY_NUMBER
    found = [work(a, b) for a, b in ends if b or work is operator.mul]
    return Interval(min(found), max(found)) if found else ANY_NUMBER


def interval_of(expr: Expr, leaf: Callable[[Expr], Interval]) -> Interval:
    """The interval of an expression; `leaf` gives those of its leaves."""
    match expr:
        case ("value", int(value)):
            return Interval(value, value)
        case ("value", Fraction() as value):
            return Interval(floor(value), ceil(value))
        case ("negative", part):
            return interval_of(part, leaf).negated
        case ("if", _, then, otherwise):
            return joined([interval_of(then, leaf), interval_of(otherwise, leaf)])
        case (("+" | "-" | "*" | "div" | "mod") as op, left, right):
            return arithmetic(op, interval_of(left, leaf), interval_of(right, leaf))
    return leaf(expr)


def lies_within(value: object, low: Number | None, high: Number | None) -> bool:
    """Is a value between two bounds, as far as these are known? Always true of non-numbers."""
    if not isinstance(value, int | Fraction):
        return True
    return (low is None or value >= low) and (high is None or value <= high)


def negation(verdict: Verdict) -> Verdict:
    """The negated verdict."""
    return None if verdict is None else not verdict


def all_hold(verdicts: Sequence[object]) -> Verdict:
    """The verdict on a conjunction; anything but a verdict counts as None."""
    if any(one is False for one in verdicts):
        return False
    return True if all(one is True for one in verdicts) else None


def one_holds(verdicts: Sequence[object]) -> Verdict:
    """The verdict on a disjunction."""
    if any(one is True for one in verdicts):
        return True
    return False if all(one is False for one in verdicts) else None


def compare(op: str, left: Interval, right: Interval) -> Verdict:
    """The verdict on a comparison of two numbers."""
    if op in ("!=", ">", ">="):
        return negation(compare(NEGATED[op], left, right))
    if op == "=":
        if _below(left, right, False) or _below(right, left, False):
            return False
        return True if left == right and left.exact is not None else None
    if _below(left, right, op == "<="):
        return True
    return False if _below(right, left, op == "<") else None


def _below(left: Interval, right: Interval, may_touch: bool) -> bool:
    """Is one interval entirely below another, or touching it if `may_touch`?"""
    if left.high is None or right.low is None:
        return False
    return left.high < right.low or (may_touch and left.high == right.low)


def compare_values(op: str, left: object, right: object) -> Verdict:
    """The verdict on a comparison of two constants; None for an order of non-numbers."""
    numbers = isinstance(left, int | Fraction) and isinstance(right, int | Fraction)
    return bool(_COMPARE[op](left, right)) if numbers or op in ("=", "!=") else None
