"""Ladders: strengths from results, after Bradley and Terry."""

from __future__ import annotations

import random

from ruleloom.simulate.ladder import ladder, wins_of
from tests.support.command import call
from tests.support.known_games import FOLDER, plan_for, played


def test_three_to_one_are_191_points():
    strong, weak = ladder({("a", "b"): 7500, ("b", "a"): 2500})
    assert (strong.name, weak.name) == ("a", "b")
    assert round(strong.points.value - weak.points.value) == 191  # 400 * log10(3)


def test_strengths_come_out_within_their_intervals():
    true = {"a": 200.0, "b": 0.0, "c": -200.0}
    luck, won = random.Random(9), {}
    for one in true:
        for other in true:
            if one < other:
                chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
                won[one, other] = sum(luck.random() < chance for _ in range(400))
                won[other, one] = 400 - won[one, other]
    for rung in ladder(won):
        assert not rung.points.excludes(true[rung.name])


def test_somebody_who_has_won_all_games_is_not_infinitely_strong():
    strong, weak = ladder({("a", "b"): 20, ("b", "a"): 0})
    assert 300 < strong.points.value - weak.points.value < 2_000


def test_draws_count_half():
    records = played("noughts", 6, plan_for("random,steady"))
    won = wins_of(records)
    assert won["random", "steady"] + won["steady", "random"] == 6


def test_the_command_has_all_play_each_other():
    words = ("--ladder", "searching:60,random,steady", "--games", "4", "--workers", "1")
    done = call("simulate", FOLDER / "nim", *words)
    assert done.code == 0
    rungs = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")]
    assert {"searching:60", "random", "steady"} <= set(rungs)
    assert "Each against each" in done.out
