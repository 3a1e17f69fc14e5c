"""Games of a few lines whose values are known, for what counts games: tests/support/known_games."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.program.program import Program
from ruleloom.simulate.run_plan import GameRecord, RunPlan, SentProgram
from ruleloom.simulate.simulation import Simulation, WorkPlace, processes
from tests.support.check_layer import schemas

FOLDER = Path(__file__).resolve().parent / "known_games"
HERE = processes(1)


@cache
def compiled(name: str) -> CompileResult:
    """A known game, compiled."""
    game = FOLDER / name / "game"
    if game.is_dir():
        return compile_paths([game], schemas=schemas(FOLDER / name), texts=True)
    return compile_paths([FOLDER / name], texts=True)


def program_of(name: str) -> Program:
    """Its program."""
    found = compiled(name).program
    assert found is not None, [one.message for one in compiled(name).diagnostics]
    return found


def linked(name: str, **settings: Any) -> Linked:
    """It between two players."""
    program = program_of(name)
    return link_game(program, driver_of(program), ("A", "B"), settings)


def plan_for(bots: str = "random,random", seed: int = 1, **settings: Any) -> RunPlan:
    """A plan for two players."""
    chosen = tuple(sorted(settings.items()))
    return RunPlan(("A", "B"), tuple(bots.split(",")), seed, chosen, rotates=False)


def played(
    name: str, games: int, plan: RunPlan | None = None, place: WorkPlace = HERE
) -> list[GameRecord]:
    """So many games of it."""
    sent = SentProgram.of(program_of(name))
    return Simulation(sent, plan or plan_for(), place).run(games)
