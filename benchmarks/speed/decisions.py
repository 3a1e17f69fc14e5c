"""Random decisions a second in Gnostica, against random moves a second in python-chess."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterator
from statistics import median

import chess

from benchmarks.figures import Figure
from benchmarks.harness import collector_off
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.search.node import PlayNode, sampled

MOST = 400


def figures(keys: Collection[str], games: int = 40, rounds: int = 5) -> Iterator[Figure]:
    """Decisions between at least two options, every option listed; and all prompts, options
    sampled."""
    linked = gnostica()
    rates: dict[str, list[float]] = {"listed": [], "sampled": [], "moves": []}
    for number in range(rounds):
        with collector_off():
            if "listed" in keys:
                rates["listed"].append(listed_rate(linked, games, number))
            if "sampled" in keys:
                rates["sampled"].append(sampled_rate(linked, games, number))
            rates["moves"].append(_chess(number))
    moves = median(rates.pop("moves"))
    for key, found in rates.items():
        if found:
            yield Figure(key, median(found), moves, rounds)


def gnostica() -> Linked:
    """The game, linked for three players."""
    program = compile_paths(["gnostica"], scenarios=False).program
    assert program is not None
    return link_game(program, DRIVERS["gnostica"], "ABC")


def listed_rate(linked: Linked, games: int, seed: int) -> float:
    """Decisions a second that have more than one option, all options listed at each."""
    return _rate(linked, games, seed, lambda node: len(node.options) > 1 or node.limits() != (1, 1))


def sampled_rate(linked: Linked, games: int, seed: int) -> float:
    """Decisions a second in which more than one option was found, one of them drawn fairly."""
    return _rate(linked, games, seed, lambda node: len(node.found) > 1)


def _rate(linked: Linked, games: int, seed: int, counts: Callable[[PlayNode], bool]) -> float:
    """Decisions a second in random games, of those that count."""
    counted, start = 0, time.process_time()
    for number in range(seed * 1000, seed * 1000 + games):
        rng, game, asked = random.Random(number), new_game(linked, number), 0
        while not game.over and asked < MOST:
            node = game.node
            if node.secret:
                game = _secret(game, rng)
            else:
                counted += counts(node)
                game = game.choose(sampled(node, rng.randrange))
            asked += 1
    return counted / (time.process_time() - start)


def _secret(game: Game, rng: random.Random) -> Game:
    prompt = game.prompt
    return game.answer(prompt.id, rng.choice(prompt.options).key)


def _chess(seed: int, seconds: float = 1.0) -> float:
    rng, moves, start = random.Random(seed), 0, time.process_time()
    board = chess.Board()
    while time.process_time() - start < seconds:
        legal = list(board.legal_moves)
        if not legal or board.halfmove_clock > 150:
            board = chess.Board()
            continue
        board.push(rng.choice(legal))
        moves += 1
    return moves / (time.process_time() - start)
