"""Saved in mid-effect and resumed, a random game is the same game and plays on the same."""

from __future__ import annotations

import random

import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from tests.laws.gnostica.strategies import table
from tests.laws.resuming import differences, resume_law
from tests.laws.small.small_programs import small_program
from tests.laws.soak import soak
from tests.support.evening import bind, bind_for_game, step

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


def test_small_programs_saved_at_every_moment():
    """Random small programs with real dice: a save between any two answers is the same game."""
    moments = 0
    for seed in range(60):
        source = random.Random(seed)
        game = new_game(link_game(small_program(seed, 4), bind, ("A", "B")))
        for _ in range(12):
            if game.over:
                break
            found = loaded("\n".join(saved_lines(game)) + "\n", bind_for_game)
            assert not differences(game, found.game), f"seed {seed}, after {game.serial} answers"
            game = step(game, source)
            moments += 1
    assert moments > 100
