"""Homebrew of many people at one table: packs that were written from the docs alone, each by itself.

Every one is clean and passes its cases, and so do all of a game together. The slow runs play every
pair, and random games with all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from ruleloom.bots.arena import make_bot, play_out
from ruleloom.bots.bot import Bot
from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.setup.state import things_in
from tests.support.scenario_runs import run_cases

HOMEBREW = Path(__file__).parent / "packs"
GAMES = sorted(path.name for path in HOMEBREW.iterdir())
PACKS = {game: sorted(path for path in (HOMEBREW / game).iterdir()) for game in GAMES}
SEATS = {"gnostica": 3, "monotheism": 4, "moonstone": 3, "witchgates": 3}
GAMES_PLAYED, MOST_TURNS = 200, 12


def pairs() -> list[tuple[Path, Path]]:
    return [pair for game in GAMES for pair in combinations(PACKS[game], 2)]


def named(paths: tuple[Path, ...]) -> str:
    return "+".join(path.name for path in paths)


def compiled(*packs: Path) -> CompileResult:
    """The game with these packs, about which there is nothing to say."""
    result = compile_paths(packs, texts=False)
    assert [str(found) for found in result.diagnostics] == []
    return result


def failed(result: CompileResult, packs: tuple[Path, ...]) -> Iterator[str]:
    """The cases of these packs that do not pass."""
    content, program = result.content, result.program
    assert content is not None
    assert program is not None
    ids = {path.name for path in packs}
    for name in content.scenarios:
        if content.files[name][0] in ids:
            report = Report()
            cases = read_cases(content.sources[name], report) or ()
            assert report.diagnostics() == []
            done = run_cases(program, cases, content=content).results
            yield from (f"{one.case.id}: {one.message}" for one in done if one.status != PASSED)


@pytest.mark.parametrize("game", GAMES)
def test_there_are_twelve_or_more_of_each_game(game: str):
    assert len(PACKS[game]) >= 12
    for path in PACKS[game]:
        written = "".join(one.read_text(encoding="utf-8") for one in path.glob("*.yaml"))
        assert f"\ngame: {game}\n" in written
        assert "replace-effect" not in written


@pytest.mark.parametrize("game", GAMES)
def test_a_pack_passes_its_cases_beside_all_others(game: str):
    last = (PACKS[game][-1],)
    assert [*failed(compiled(*PACKS[game]), last)] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_cases_of_a_game_pass_together(game: str):
    packs = tuple(PACKS[game])
    assert [*failed(compiled(*packs), packs)] == []


@pytest.mark.slow
@pytest.mark.parametrize("pair", pairs(), ids=named)
def test_every_pair_goes_together(pair: tuple[Path, ...]):
    assert [*failed(compiled(*pair), pair)] == []


@dataclass
class Watching:
    """A bot that sees to it that nothing lies in two places, whenever it is asked."""

    bot: Bot

    def answer(self, node: PlayNode, player: int) -> Any:
        for entity in node.linked.program.entities:
            found = things_in(node.linked, node.state.world, entity.name)
            assert len(found) == len(set(found)), entity.name
        return self.bot.answer(node, player)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_games_with_all_of_them(game: str):
    """Nobody is asked what cannot be answered, nothing raises, and nothing is there twice."""
    program = compiled(*PACKS[game]).program
    assert program is not None
    names = list("ABCDEF"[: SEATS[game]])
    linked = link_game(program, driver_of(game), names, {})
    decisions = 0
    for seed in range(GAMES_PLAYED):
        bots = [Watching(make_bot("random", linked, seed, seat)) for seat in range(len(names))]
        decisions += play_out(linked, bots, seed, turn_limit=MOST_TURNS).decisions
    # Nobody has chosen a scene for Moonstone, whose sessions are short then.
    assert decisions > 3 * GAMES_PLAYED
