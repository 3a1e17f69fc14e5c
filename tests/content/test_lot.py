"""Who goes first by lot: one die with as many sides as there are players.

No scenario can show it: its dice are said beforehand, and one that comes to more than it has sides
means nothing.
"""

from __future__ import annotations

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.program import Program

NAMES = ("A", "B", "C", "D", "E", "F")
EACH = 40


@pytest.fixture(scope="module")
def program() -> Program:
    found = compile_paths("gnostica", scenarios=False).program
    assert found is not None
    return found


@pytest.mark.parametrize("count", range(2, 7))
def test_every_player_is_as_likely_to_go_first(program: Program, count: int):
    linked = link_game(program, DRIVERS["gnostica"], NAMES[:count], {"first_player": "by_lot"})
    first = [new_game(linked, seed).prompt.player for seed in range(EACH * count)]
    assert set(first) == set(range(count))
    assert all(EACH / 2 < first.count(player) < EACH * 1.5 for player in range(count))
