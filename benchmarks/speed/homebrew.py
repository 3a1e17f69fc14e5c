"""Random decisions a second with a dozen packs of homebrew, against the same game without."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from ruleloom.bots.arena import make_bot, play_out
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game

PACKS = Path(__file__).parents[2] / "tests" / "content" / "homebrew" / "packs"
PLAYERS = {"gnostica": "ABC", "monotheism": "ABC", "moonstone": "ABC", "witchgates": "ABC"}
MOST_TURNS = 10


def figures(keys: Collection[str], games: int = 12, rounds: int = 5) -> Iterator[Figure]:
    """For each game, whole games of random players up to a limit of turns, in turn."""
    for game, names in PLAYERS.items():
        if f"homebrew-{game}" in keys:
            packs = [str(path) for path in sorted((PACKS / game).iterdir())]
            plain, full = _linked([game], game, names), _linked(packs, game, names)
            rates = [(_rate(full, games, one), _rate(plain, games, one)) for one in range(rounds)]
            hooked, bare = map(median, zip(*rates, strict=True))
            yield Figure(f"homebrew-{game}", hooked, bare, rounds, note=f"{len(packs)} packs")


def _linked(packs: list[str], game: str, names: str) -> Linked:
    program = compile_paths(packs, scenarios=False).program
    assert program is not None
    return link_game(program, driver_of(game), tuple(names), {})


def _rate(linked: Linked, games: int, first: int) -> float:
    seats, decisions, start = range(len(linked.layout.players)), 0, time.process_time()
    for seed in range(first * games, (first + 1) * games):
        bots = [make_bot("random", linked, seed, seat) for seat in seats]
        decisions += play_out(linked, bots, seed, turn_limit=MOST_TURNS).decisions
    return decisions / (time.process_time() - start)
