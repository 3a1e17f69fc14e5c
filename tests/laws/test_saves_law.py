"""Saved in mid-effect and resumed, a random game is the same game and plays on the same."""

from __future__ import annotations

import random

import pytest

from tests.laws.resuming import resume_law
from tests.laws.soak import soak
from tests.laws.strategies import table

FAST = 10


def test_saved_in_mid_effect_and_resumed():
    wrong: list[str] = []
    saved = 0
    for seed in range(FAST):
        faults, done = resume_law(table(seed), random.Random(seed))
        wrong += [f"{table(seed)}: {fault}" for fault in faults]
        saved += done
    assert not wrong, "\n".join(wrong)
    assert saved >= FAST - 2


@pytest.mark.slow
def test_a_thousand_games_saved_and_undone():
    total = soak(1_000, workers=2, first=2_000_000, turns=1, saves=1_000)
    print("seeds 2000000 to 2000999", *total.lines(), sep="\n")
    assert not total.wrong
    assert total.saved >= 900
    assert total.undone >= 900
