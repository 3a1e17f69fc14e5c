"""A table is set up, and a saved game loaded, in a process: the first time, with the import, and again.

The reference for Gnostica is its set-up by hand: the same dice, and the same cards in the same places,
or the measurement stops.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import ruleloom
from benchmarks.figures import Figure
from benchmarks.harness import process_cost, timed, with_cache
from ruleloom.runtime.machine.dice import Xoshiro

ROUNDS, AGAIN = 5, 30
PLAYERS = ("A", "B")
ANSWERS = 10  # in the saved game
CARDS, HAND, WIDTH, HEIGHT = 78, 6, 3, 3

# The first argument is a game or a save. Processor time is counted from before the import.
TIMES = """
import gc, json, sys, time
begun = time.process_time()
import ruleloom
def {name}(seed):
    return {call}
{name}(1)
first = time.process_time() - begun
gc.disable()
taken = []
for seed in range(2, {again} + 2):
    begun = time.process_time()
    {name}(seed)
    taken.append(time.process_time() - begun)
print(json.dumps([first, sorted(taken)[len(taken) // 2]]))
"""
CALLS = {
    "new_game": f"ruleloom.new_game(sys.argv[1], {list(PLAYERS)}, seed=seed)",
    "load": "ruleloom.load(sys.argv[1])",
}


class SetUp(NamedTuple):
    """The cards of a table of Gnostica: in the pile, in each hand, and by their place in the grid."""

    pile: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    board: dict[tuple[int, int], int]


def by_hand(seed: int) -> SetUp:
    """Deal a hand to each player, and lay the grid."""
    dice, pile = Xoshiro.seeded(seed), list(range(CARDS))

    def drawn() -> int:
        nonlocal dice
        place, dice = dice.below(len(pile))
        return pile.pop(place)

    hands = tuple(tuple(sorted(drawn() for _ in range(HAND))) for _ in PLAYERS)
    board = {(x, y): drawn() for y in range(HEIGHT) for x in range(WIDTH)}
    return SetUp(tuple(pile), hands, board)


def by_machine(seed: int) -> SetUp:
    """What `new_game` lays out."""
    game = ruleloom.new_game("gnostica", PLAYERS, seed)
    world, index = game.node.state.world, game.linked.layout.index
    return SetUp(world[index["draw_pile"]], world[index["hand"]], dict(world[index["board"]]))


def write_save(game: str, path: Path) -> None:
    """A save a few answers into a game: the first ones on offer, and never the last answer."""
    played = ruleloom.new_game(game, PLAYERS, seed=1)
    for _ in range(ANSWERS):
        prompt = played.prompt
        keys = [option.key for option in prompt.options[: max(1, prompt.least)]]
        after = played.answer(prompt.id, keys[0] if len(keys) == 1 else keys)
        if after.over:
            break
        played = after
    ruleloom.save(played, path)


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """`new_game` and `load` of two games, each in processes of their own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for game in ("gnostica", "moonstone"):
            if any(game in key for key in keys):
                save = folder / f"{game}.save"
                write_save(game, save)
                yield from _opened(game, "new_game", game, folder)
                yield from _opened(game, "load", str(save), folder)


def _opened(game: str, name: str, argument: str, folder: Path) -> Iterator[Figure]:
    """How long the first call takes, and the next ones."""
    script = TIMES.format(name=name, call=CALLS[name], again=AGAIN)
    words, kept = [sys.executable, "-c", script, argument], with_cache(folder / "cache")
    process_cost(words, **kept)  # not counted: it leaves bytecode and an entry in the cache
    pairs = [json.loads(process_cost(words, **kept).output) for _ in range(ROUNDS)]
    first, again = (median(column) for column in zip(*pairs, strict=True))
    hand = _time_by_hand() if (game, name) == ("gnostica", "new_game") else None
    yield Figure(f"{name}-{game}-first", first, hand, ROUNDS)
    yield Figure(f"{name}-{game}-next", again, hand, ROUNDS * AGAIN)


def _time_by_hand() -> float:
    assert all(by_machine(seed) == by_hand(seed) for seed in range(3))
    return median(timed(lambda: by_hand(7), 200) for _ in range(ROUNDS))
