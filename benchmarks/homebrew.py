"""Random decisions a second with a dozen packs of homebrew, against the same game without."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.harness import Row
from ruleloom.bots.arena import make_bot, play_out
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import link_game

PACKS = Path(__file__).parent.parent / "tests" / "content" / "homebrew" / "packs"
PLAYERS = {"gnostica": "ABC", "monotheism": "ABC", "moonstone": "ABC", "witchgates": "ABC"}
MOST_TURNS = 10


def rows(games: int = 12, rounds: int = 5) -> list[Row]:
    """For each game, whole games of random players up to a limit of turns, turn about."""
    found = []
    for game, names in PLAYERS.items():
        plain = _linked([game], game, names)
        full = _linked([str(path) for path in sorted((PACKS / game).iterdir())], game, names)
        rates = [(_rate(full, games, one), _rate(plain, games, one)) for one in range(rounds)]
        hooked, bare = (sorted(column)[rounds // 2] for column in zip(*rates, strict=True))
        many = len(list((PACKS / game).iterdir()))
        label = f"random decisions of {plain.program.title}, with {many} packs of homebrew"
        reference = f"{bare:,.0f}/s without"
        found.append(Row(label, f"{hooked:,.0f}/s", reference, hooked / bare, 0.3, True))
    return found


def _linked(packs: list[str], game: str, names: str) -> Linked:
    program = compile_paths(packs).program
    assert program is not None
    return link_game(program, driver_of(game), tuple(names), {})


def _rate(linked: Linked, games: int, first: int) -> float:
    seats, decisions, start = range(len(linked.layout.players)), 0, time.process_time()
    for seed in range(first * games, (first + 1) * games):
        bots = [make_bot("random", linked, seed, seat) for seat in seats]
        decisions += play_out(linked, bots, seed, turn_limit=MOST_TURNS).decisions
    return decisions / (time.process_time() - start)
