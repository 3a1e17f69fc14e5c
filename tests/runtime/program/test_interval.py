"""The lattice of intervals holds what it promises: of every number within them."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.program.interval import (
    ANY_NUMBER,
    MIRRORED,
    NEGATED,
    Interval,
    all_hold,
    arithmetic,
    compare,
    compare_values,
    extreme,
    interval_of,
    joined,
    lies_within,
    negation,
    one_holds,
)

WORK = {"+": operator.add, "-": operator.sub, "*": operator.mul}
DIVIDE = {"div": operator.floordiv, "mod": operator.mod}
NUMBERS = st.integers(-20, 20)


@st.composite
def within(draw: Any, least: int = -20) -> tuple[Interval, int]:
    """An interval, and a number in it."""
    low, number, high = sorted(draw(st.lists(st.integers(least, 20), min_size=3, max_size=3)))
    ends = (draw(st.sampled_from([low, None])), draw(st.sampled_from([high, None])))
    return Interval(*ends), number


@given(within(), within(), st.sampled_from(list(WORK)))
def test_what_is_worked_out_lies_within(left: Any, right: Any, op: str) -> None:
    assert lies_within(WORK[op](left[1], right[1]), *arithmetic(op, left[0], right[0]))


ENDS = st.tuples(st.integers(-6, 6), st.integers(-6, 6)).map(lambda ends: Interval(*sorted(ends)))


@given(ENDS, ENDS, st.sampled_from(list(WORK)))
def test_it_is_no_wider_than_what_can_come_of_it(left: Any, right: Any, op: str) -> None:
    numbers = (range(one.low, one.high + 1) for one in (left, right))
    found = [WORK[op](*pair) for pair in product(*numbers)]
    assert arithmetic(op, left, right) == (min(found), max(found))


@given(within(), within(least=1), st.sampled_from(list(DIVIDE)))
def test_so_does_what_is_divided(left: Any, right: Any, op: str) -> None:
    divisor = Interval(right[0].low or 1, right[0].high)
    assert lies_within(DIVIDE[op](left[1], right[1]), *arithmetic(op, left[0], divisor))


@given(within(), within(), st.sampled_from(list(NEGATED)))
def test_a_verdict_is_so_of_every_number(left: Any, right: Any, op: str) -> None:
    so = compare_values(op, left[1], right[1])
    assert compare(op, left[0], right[0]) in (None, so)
    assert compare(NEGATED[op], left[0], right[0]) is negation(compare(op, left[0], right[0]))
    assert compare(MIRRORED[op], right[0], left[0]) is compare(op, left[0], right[0])


@given(st.lists(within(), min_size=1))
def test_one_of_several_lies_within(found: list[Any]) -> None:
    spans, numbers = [one for one, _ in found], [number for _, number in found]
    assert all(lies_within(number, *joined(spans)) for number in numbers)
    assert lies_within(max(numbers), *extreme("highest", spans))
    assert lies_within(min(numbers), *extreme("lowest", spans))
    assert all(lies_within(-number, *one.negated) for one, number in found)


@given(NUMBERS, NUMBERS, st.sampled_from(list(NEGATED)))
def test_numbers_that_are_known_decide(left: int, right: int, op: str) -> None:
    ours, theirs = Interval(left, left), Interval(right, right)
    assert compare(op, ours, theirs) is compare_values(op, left, right)
    assert arithmetic("*", ours, theirs).exact == left * right


@pytest.mark.parametrize(
    ("verdicts", "all_", "one"),
    [
        ([True, True], True, True),
        ([True, None], None, True),
        ([False, None], False, None),
        ([False, False], False, False),
        ([True, 7], None, True),
        ([], True, False),
    ],
)
def test_several_conditions(verdicts: list[object], all_: object, one: object) -> None:
    assert (all_hold(verdicts), one_holds(verdicts)) == (all_, one)


def test_what_an_expression_is_worked_out_from() -> None:
    expr = ("if", ("slot", 0), ("+", ("slot", 1), ("value", 2)), ("negative", ("slot", 1)))
    assert interval_of(expr, lambda leaf: Interval(1, 3)) == (-3, 5)
    assert interval_of(expr, lambda leaf: Interval(1)) == ANY_NUMBER
    assert compare_values("<", "a", "b") is None
    assert compare_values("!=", "a", "b") is True
