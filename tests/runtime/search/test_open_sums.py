"""Sums of dice that are only compared, raised and lowered: they fall together, with the same odds."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.link.symbolic_pools import OpenPool, OpenRoll, PoolParted, named
from ruleloom.runtime.program.values import LARGEST
from ruleloom.runtime.search import odds
from ruleloom.runtime.search.odds import distribution, spread
from tests.support.on_quarrel import begun

LOW, HIGH = 2, 12
TWO_DICE = [(total, 6 - abs(7 - total)) for total in range(LOW, HIGH + 1)]
COMPARED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
STEPS: dict[str, Callable[[Any, int], Any]] = {
    "raised": lambda value, by: value - -by,  # as expressions write it
    "lowered": lambda value, by: value - by,
    "taken from": lambda value, by: by - value,
    "added to": lambda value, by: by - -value,
    "negated": lambda value, by: -value,
}
steps = st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(-9, 9)), max_size=4)


def pool() -> OpenPool:
    """All falls of two dice, of which the program gets the sum."""
    return OpenRoll((0, 0, 6), adds_up=True).pools(2)[0]


def worked_out(value: Any, taken: list[tuple[str, int]]) -> Any:
    for name, by in taken:
        value = STEPS[name](value, by)
    return value


@given(steps, st.sampled_from(COMPARED), st.integers(-30, 30))
def test_a_comparison_holds_in_as_many_ways_as_of_each_sum(taken, compared, number):
    wanted: Counter[bool] = Counter()
    for total, ways in TWO_DICE:
        wanted[compared(worked_out(total, taken), number)] += ways
    falls = pool()
    found = compared(worked_out(falls.dice, taken), number)
    assert spread(found) == ((dict(wanted), 36) if len(wanted) > 1 else ({found: 1}, 1))


@given(steps, steps)
def test_a_key_tells_the_same_number_from_others(one, other):
    found = pool().dice
    same = worked_out(5, one) == worked_out(5, other) and worked_out(8, one) == worked_out(8, other)
    assert (named(worked_out(found, one)) == named(worked_out(found, other))) is same


@pytest.mark.parametrize(
    "use", [lambda value: value + Fraction(1, 2), lambda value: value + LARGEST, hash, bool]
)
def test_any_other_use_wants_each_sum(use: Callable[[Any], object]):
    falls = pool()
    with pytest.raises(PoolParted) as told:
        use(falls.dice)
    assert [(part.dice, part.ways) for part in falls.parts(told.value.by)] == TWO_DICE


def test_parts_keep_their_ways():
    falls = pool()
    with pytest.raises(PoolParted) as told:
        bool(falls.dice > 10)
    parts = falls.parts(told.value.by)
    assert [(part.dice > 10, part.ways) for part in parts] == [(False, 33), (True, 3)]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("pay(me, 1 if found > 8 else 0)", lambda a, b: int(a > 8)),
        ("pay(me, 1 if 3 - found < -4 else 0)", lambda a, b: int(3 - a < -4)),
        ("pay(me, found)", lambda a, b: a),
        ("set mark = found + 1\nroll more = 2d6\npay(me, 1 if more < mark else 0)", lambda a, b: int(b < a + 1)),
        ("roll more = 2d6\npay(me, highest([0, found - 7]) - more)", lambda a, b: max(0, a - 7) - b),
        ("roll more = 2d6\nif found = more: pay(me, 1)\nif found - 3 = 2: pay(me, 2)", lambda a, b: (a == b) + 2 * (a == 5)),
        ("if found in [2, 12]: pay(me, 1)", lambda a, b: int(a in (2, 12))),
    ],
)  # fmt: skip
def test_odds_are_those_of_each_sum_by_itself(text: str, of: Callable[[int, int], int]):
    mark = "let mark = 0\n"
    game = begun(f'{mark if "mark" in text else ""}roll found = 2d6\n{text}\nfinish drawn "over"')
    spent = game.linked.layout.index["Player.spent"]
    falls = product(TWO_DICE, repeat=2)
    wanted: Counter[int] = Counter()
    for (one, ways), (other, more) in falls:
        wanted[of(one, other)] += ways * more
    with patch.object(odds, "FEW_FALLS", 0):
        found = distribution(game.node, lambda state: state.world[spent][0])
    assert found == {value: Fraction(many, 6**4) for value, many in wanted.items()}
