"""The lattice of intervals of numbers, and what they decide of a condition.

A verdict on a condition is True (it always holds), False (it never does) or None (it depends). The
analyses of the compiler and the machine know different things of fields, settings and variables.
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

# What each comparison is called from the other side, and what it is when it does not hold.
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    **{"=": operator.eq, "!=": operator.ne, "<": operator.lt},
    **{"<=": operator.le, ">": operator.gt, ">=": operator.ge},
}


class Interval(NamedTuple):
    """The least and the greatest value of a whole number; None where there is no bound."""

    low: int | None = None
    high: int | None = None

    @property
    def exact(self) -> int | None:
        """The only possible number, if there is just one."""
        return self.low if self.low == self.high else None

    @property
    def negated(self) -> Interval:
        """The interval of the number with the other sign."""
        low, high = self
        return Interval(None if high is None else -high, None if low is None else -low)


ANY_NUMBER = Interval()


def first_known(pick: Pick, bounds: Iterable[int | None]) -> int | None:
    """What `min` or `max` picks of those bounds that are known; None if none is."""
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known else None


def if_all_known(pick: Pick, bounds: Sequence[int | None]) -> int | None:
    """What `min`, `max` or `sum` makes of bounds; None if one of them is not known."""
    known = [bound for bound in bounds if bound is not None]
    return pick(known) if known and len(known) == len(bounds) else None


def joined(intervals: Sequence[Interval]) -> Interval:
    """The interval of a number that is one of several."""
    lows, highs = [one.low for one in intervals], [one.high for one in intervals]
    return Interval(if_all_known(min, lows), if_all_known(max, highs))


def extreme(kind: str, intervals: Sequence[Interval]) -> Interval:
    """The interval of the `highest` or the `lowest` of several numbers."""
    lows, highs = [one.low for one in intervals], [one.high for one in intervals]
    if kind == "lowest":
        # The lowest is no more than any of them: one known bound is enough.
        return Interval(if_all_known(min, lows), first_known(min, highs))
    return Interval(first_known(max, lows), if_all_known(max, highs))


def arithmetic(op: str, left: Interval, right: Interval) -> Interval:
    """The interval of a sum, difference, product, quotient or rest, whose divisor is positive."""
    match op:
        case "+":
            return Interval(*(if_all_known(sum, ends) for ends in zip(left, right, strict=True)))
        case "-":
            return arithmetic("+", left, right.negated)
        case "mod":
            return Interval(0, None if right.high is None else right.high - 1)
    return _of_ends(operator.mul if op == "*" else operator.floordiv, left, right)


def _of_ends(work: Callable[[int, int], int], left: Interval, right: Interval) -> Interval:
    """The interval spanned by the results at the ends of both."""
    ends = [(a, b) for a in left for b in right if a is not None and b is not None]
    if len(ends) < 4:
        return ANY_NUMBER
    found = [work(a, b) for a, b in ends if b or work is operator.mul]
    return Interval(min(found), max(found)) if found else ANY_NUMBER


def interval_of(expr: Expr, leaf: Callable[[Expr], Interval]) -> Interval:
    """The interval of an expression, from those of its leaves, given by `leaf`."""
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
    """Is a value between two bounds, as far as these are known? What is no number may be."""
    if not isinstance(value, int | Fraction):
        return True
    return (low is None or value >= low) and (high is None or value <= high)


def negation(verdict: Verdict) -> Verdict:
    """The verdict on the opposite."""
    return None if verdict is None else not verdict


def all_hold(verdicts: Sequence[object]) -> Verdict:
    """The verdict on several conditions together; what is no verdict counts as None."""
    if any(one is False for one in verdicts):
        return False
    return True if all(one is True for one in verdicts) else None


def one_holds(verdicts: Sequence[object]) -> Verdict:
    """The verdict on there being one among several conditions that holds."""
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
    """Is every number of one interval less than every one of another, or as much if it may?"""
    if left.high is None or right.low is None:
        return False
    return left.high < right.low or (may_touch and left.high == right.low)


def compare_values(op: str, left: object, right: object) -> Verdict:
    """The verdict on a comparison of two constants; None for an order of what is no number."""
    numbers = isinstance(left, int | Fraction) and isinstance(right, int | Fraction)
    return bool(_COMPARE[op](left, right)) if numbers or op in ("=", "!=") else None
