"""Intervals and what is counted with them, held against figures from elsewhere."""

from __future__ import annotations

import random

import pytest

from ruleloom.simulate.intervals import (
    games_for_difference,
    games_for_width,
    mean,
    p_value,
    paired,
    rarest_seen,
    share,
    sign_test,
    surely_different,
)


def test_a_share_has_the_interval_of_wilson():
    # Newcombe (1998) gives 81 of 263 as an example: 0.2553 to 0.3662.
    found = share(81, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)


def test_a_share_of_nothing_may_be_anything():
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize("chance", [0.03, 0.3, 0.5, 0.9])
def test_the_interval_of_a_share_holds_the_true_one_in_95_of_100_runs(chance):
    luck = random.Random(f"shares {chance}")
    held = 0
    for _ in range(400):
        wins = sum(luck.random() < chance for _ in range(200))
        held += not share(wins, 200).excludes(chance)
    assert held / 400 >= 0.925


@pytest.mark.parametrize("better", [0.0, 0.02, 0.2])
def test_the_interval_of_pairs_holds_the_true_difference(better):
    luck = random.Random(f"pairs {better}")
    held = 0
    for _ in range(300):
        gains = [float(luck.random() < better) for _ in range(120)]
        held += not paired(gains).excludes(better)
    assert held / 300 >= 0.93


def test_pairs_that_never_differ_are_not_surely_alike():
    found = paired([0.0] * 50)
    assert found.value == 0
    assert found.low < -0.02
    assert found.high > 0.02


def test_a_mean_lies_within_its_interval():
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found.value == 2.5
    assert round(found.high - found.value, 3) == 1.265  # 1.96 times the error 0.6455


def test_games_that_a_width_and_a_difference_need():
    assert games_for_width(0.01) == 9604
    assert games_for_difference(0.05) == 1570


def test_what_was_never_seen_may_still_be_there():
    assert round(rarest_seen(300), 4) == 0.0099  # about three in three hundred


def test_chance_is_rarely_called_a_difference():
    luck = random.Random(4)
    called = sum(
        p_value([luck.choice((-1.0, 0.0, 1.0)) for _ in range(100)]) < 0.05 for _ in range(400)
    )
    assert called / 400 <= 0.08


def test_of_many_only_those_count_that_are_sure_together():
    assert surely_different({"a": 0.001, "b": 0.02, "c": 0.04}) == {"a", "b", "c"}
    assert surely_different({"a": 0.001, "b": 0.03, "c": 0.2}) == {"a"}


@pytest.mark.parametrize(
    ("rises", "falls", "chance"),
    [(0, 0, 1.0), (5, 0, 1 / 16), (0, 5, 1 / 16), (6, 0, 1 / 32), (8, 1, 20 / 512), (3, 3, 1.0)],
)
def test_of_differences_of_one_size_only_the_signs_count_exactly(rises, falls, chance):
    # 8 of 9: 1 + 9 of 512 cases are as unlike a half to one side, and as many to the other.
    for size in (0.2, 1.0):
        values = [size] * rises + [-size] * falls + [0.0] * 15
        assert p_value(values) == pytest.approx(chance)
    assert sign_test(rises, rises + falls) == pytest.approx(chance)


def test_of_differences_of_several_sizes_their_ranks_count():
    # Of 1, 2, 3, 4, 5 and 6 only 1 falls: as unlike a half are 2 of 32 cases to either side.
    assert p_value([-1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == pytest.approx(2 / 32, abs=0.02)
    assert p_value([1.0] * 5 + [2.0] * 5 + [9.0]) < 0.01


def test_nothing_is_sure_where_the_mean_goes_the_other_way():
    assert p_value([1.0] * 12 + [-100.0]) == 1.0


@pytest.mark.parametrize("differ", [0.1, 0.5, 1.0])
def test_differences_of_nothing_but_luck_are_called_sure_in_five_of_a_hundred_cases_at_most(differ):
    luck = random.Random(f"nulls {differ}")

    def difference() -> float:
        return luck.gauss(0, 0.3) if luck.random() < differ else 0.0

    sure = sum(p_value([difference() for _ in range(60)]) <= 0.05 for _ in range(600))
    assert sure / 600 <= 0.05 + 0.027  # three deviations of a count of 600
