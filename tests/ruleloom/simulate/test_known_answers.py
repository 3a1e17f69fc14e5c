"""Games whose value is known come out within their intervals, and the bots find what is best."""

from __future__ import annotations

from itertools import permutations

import pytest

from ruleloom.simulate.intervals import share
from ruleloom.simulate.tally import tally
from tests.support.known_games import plan_for, played


def first_wins(name: str, games: int, bots: str = "random,random", seed: int = 1, **settings: int):
    """The share of wins of whoever sits first."""
    records = played(name, games, plan_for(bots, seed, **settings))
    return tally(records, ("A", "B")).by_seat["A"]


def test_a_coin_with_a_bias():
    found = first_wins("coin", 400)
    assert not found.excludes(0.7)
    assert found.excludes(0.5)


def test_noughts_and_crosses_at_random():
    found = tally(played("noughts", 300), ("A", "B"))
    # 131,184, 77,904 and 46,080 of the 255,168 games, each weighed by how likely it is.
    assert not found.by_seat["A"].excludes(0.5849)
    assert not found.by_seat["B"].excludes(0.2881)
    assert not share(found.drawn, found.games).excludes(0.1270)


def outcomes_of_bids() -> tuple[float, float]:
    """How often the first wins and how often it is drawn, over all orders of bids."""
    leads = []
    for one in permutations((1, 2, 3)):
        for two in permutations((1, 2, 3)):
            rounds = enumerate(zip(one, two, strict=True), 1)
            leads.append(sum(prize * ((a > b) - (b > a)) for prize, (a, b) in rounds))
    return sum(lead > 0 for lead in leads) / len(leads), leads.count(0) / len(leads)


def test_secret_bids_at_random():
    wins, draws = outcomes_of_bids()
    found = tally(played("bids", 400), ("A", "B"))
    assert not found.by_seat["A"].excludes(wins)
    assert not share(found.drawn, found.games).excludes(draws)


@pytest.mark.parametrize(("heap", "first"), [(5, True), (7, True), (8, False)])
def test_searching_bots_play_nim_well(heap, first):
    found = first_wins("nim", 2, "searching:100,searching:100", at_first=heap)
    assert found.value == float(first)


def test_searching_bots_draw_noughts_and_crosses():
    found = tally(played("noughts", 1, plan_for("searching:1500,searching:1500")), ("A", "B"))
    assert found.drawn == found.games


@pytest.mark.parametrize(
    ("bots", "winner"), [("searching:150,random", "A"), ("random,searching:150", "B")]
)
def test_the_searching_bot_beats_chance_at_noughts_and_crosses(bots, winner):
    found = tally(played("noughts", 6, plan_for(bots)), ("A", "B"))
    assert found.by_seat[winner].value == 1


def test_the_searching_bot_is_not_beaten_at_bids():
    found = tally(played("bids", 30, plan_for("searching:40,random")), ("A", "B"))
    assert found.by_seat["A"].value >= found.by_seat["B"].value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [("coin", 0.7), ("noughts", 0.5849), ("bids", outcomes_of_bids()[0])]
)
def test_values_lie_within_their_intervals_in_95_of_100_runs(name, value):
    held = sum(not first_wins(name, 150, seed=seed).excludes(value) for seed in range(100))
    assert held >= 90  # 95 on average: fewer than 90 is less likely than 1 in 50
