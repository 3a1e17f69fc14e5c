"""Basic blocks play as single rows do: random programs, and the shipped games.

The long run: `python -m tests.laws.single_rows --programs 100000 --games 500`.
"""

from __future__ import annotations

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.codegen import BasicBlock, BasicBlocks
from ruleloom.runtime.program.program import JumpUnless
from tests.conftest import ROOT
from tests.laws.single_rows import GAMES, both_of, difference, game_of, random_program
from tests.support.evening import bind

PROGRAMS = 100
REPLIES = ROOT / "tests" / "content" / "replies"


def test_random_programs_play_alike_in_single_rows():
    alike = 0
    for seed in range(PROGRAMS):
        same, told = difference(both_of(random_program(seed), bind, "AB"), seed, 40)
        assert not told
        alike += same
    assert alike > 5 * PROGRAMS


def test_games_of_gnostica_play_alike_in_single_rows():
    both, alike = game_of("gnostica"), 0
    for seed in range(6):
        same, told = difference(both, seed, 100)
        assert not told
        alike += same
    assert alike > 150


def test_powers_that_go_to_whoever_answered_play_alike_in_single_rows():
    program = compile_paths([REPLIES / "offerings"], scenarios=False).program
    assert program is not None
    both = both_of(program, driver_of("monotheism"), "AB")
    assert not any(difference(both, seed, 200)[1] for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_games_play_alike_in_single_rows(name: str):
    both = game_of(name)
    for seed in range(60):
        assert not difference(both, seed, 400)[1]


def test_a_block_that_jumps_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch):
    """The comparison notices a mistake in a basic block."""
    made = BasicBlocks.__missing__

    def jumpy(blocks: BasicBlocks, start: int) -> BasicBlock | None:
        row = blocks._routine.rows[start]
        if type(blocks) is not BasicBlocks or not isinstance(row, JumpUnless):
            return made(blocks, start)
        return lambda *_: row.to

    monkeypatch.setattr(BasicBlocks, "__missing__", jumpy)
    both = game_of("gnostica")
    assert any(difference(both, seed, 100)[1] for seed in range(6))
