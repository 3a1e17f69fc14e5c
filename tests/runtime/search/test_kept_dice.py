"""What is kept of pools as people roll them, by values that are known otherwise."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import comb, perm
from typing import Any

import pytest

from ruleloom.runtime.search.odds import distribution
from tests.support.on_quarrel import begun

LARGE = "roll each mine = 12 d 100\n"
BOTH = LARGE + "roll each yours = 12 d 100\n"
SETS = "highest(count(d: mine where d = f) for f: 1 .. {})"
RUNS = "highest(n for n: 1 .. 6 where exists(f: 1 .. 6 where every(k: f .. f + n - 1 where k in mine)))"


def odds_of(text: str, asked: str) -> dict[Any, Fraction]:
    game = begun(f'{text}set counted = {asked}\npay(me, 1)\nfinish drawn "over"')
    place = game.linked.scope_index["counted"]
    return distribution(game.node, lambda state: state.scope[place])


def best(of: int) -> list[Fraction]:
    """The chance that the highest of so many hundred-sided dice shows each face."""
    upto = [Fraction(face**of, 100**of) for face in range(101)]
    return [high - low for low, high in pairwise(upto)]


def test_the_highest_and_the_lowest_of_twelve():
    assert odds_of(LARGE, "highest(mine)") == dict(enumerate(best(12), 1))
    assert odds_of(LARGE, "lowest(mine)") == dict(zip(range(100, 0, -1), best(12), strict=True))


@pytest.mark.parametrize("place", [1, 2, 6, 12])
def test_the_die_at_a_place_is_an_order_statistic(place: int):
    """It shows so much or less if no more than the dice before it show more."""
    upto = [
        sum(
            Fraction(comb(12, more) * (100 - face) ** more * face ** (12 - more), 100**12)
            for more in range(place)
        )
        for face in range(101)
    ]
    wanted = {face: upto[face] - upto[face - 1] for face in range(1, 101)}
    assert odds_of(LARGE, f"lowest(first({place}, mine))") == wanted


def test_the_best_and_the_worst_few_add_up_to_the_same_from_either_end():
    top = odds_of(LARGE, "sum(first(3, mine))")
    low = odds_of(LARGE, "sum(mine - first(9, mine))")
    assert top == {3 * 101 - value: chance for value, chance in low.items()}
    assert sum(top.values()) == 1
    assert top[300] == 1 - sum(
        Fraction(comb(12, some) * 99 ** (12 - some), 100**12) for some in range(3)
    )


@pytest.mark.parametrize(
    ("asked", "of"),
    [
        ("sum(first(3, mine))", lambda f: sum(f[:3])),
        ("sum(mine - first(2, mine))", lambda f: sum(f[2:])),
        ("lowest(first(3, mine))", lambda f: f[2]),
        ("sum(mine - [highest(mine), lowest(mine)])", lambda f: sum(f[1:-1])),
        (SETS.format(5), lambda f: max(map(f.count, f))),
        ("count(d: mine where count(e: mine where e = d) >= 2)", lambda f: sum(f.count(d) > 1 for d in f)),
        ("count(d: mine where d = highest(mine))", lambda f: f.count(f[0])),
        ("highest(mine) - lowest(mine)", lambda f: f[0] - f[-1]),
    ],
)  # fmt: skip
def test_what_is_kept_of_five_is_that_of_every_fall(asked: str, of: Any):
    falls = Counter(of(sorted(f, reverse=True)) for f in product(range(1, 6), repeat=5))
    wanted = {value: Fraction(many, 5**5) for value, many in falls.items()}
    assert odds_of("roll each mine = 5 d 5\n", asked) == wanted


def test_sets_and_runs():
    assert odds_of("roll each mine = 6 d 10\n", SETS.format(10))[1] == Fraction(perm(10, 6), 10**6)
    every = sum((-1) ** gone * comb(6, gone) * Fraction(6 - gone, 6) ** 20 for gone in range(6))
    assert odds_of("roll each mine = 20 d 6\n", RUNS)[6] == every


def test_one_pool_against_another():
    lower = [Fraction(0), *accumulate(best(12))]
    wins = sum(chance * lower[at] for at, chance in enumerate(best(12)))
    asked = "1 if highest(mine) > highest(yours) else 0"
    assert odds_of(BOTH, asked) == {1: wins, 0: 1 - wins}
    asked = "sum(first(3, mine)) - sum(first(3, yours))"
    found = odds_of(BOTH, asked)
    assert found == {-value: chance for value, chance in found.items()}
    top = odds_of(LARGE, "sum(first(3, mine))")
    assert found[0] == sum(chance * chance for chance in top.values())


def test_a_branch_goes_on_with_what_it_knows():
    """Whoever has a hundred counts the hundreds, whoever has none the dice under ten."""
    text = (
        f"{LARGE}set counted = count(d: mine where d < 10)\n"
        "if highest(mine) = 100: set counted = count(d: mine where d = 100)\n"
    )
    found = odds_of(text, "counted")
    some = Fraction(comb(12, 1) * 99**11, 100**12) + comb(12, 1) * Fraction(9 * 90**11, 100**12)
    assert found[1] == some
