"""Random decisions a second in Gnostica, against random moves a second in python-chess."""

from __future__ import annotations

import random
import time

import chess

from benchmarks.harness import Row, collector_off
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import Game, link_game, new_game
from ruleloom.runtime.search.node import sampled

MOST = 400


def rows(games: int = 40, rounds: int = 5) -> list[Row]:
    """Decisions between at least two options, every option listed; and all prompts, options
    sampled."""
    program = compile_paths(["gnostica"]).program
    assert program is not None
    linked = link_game(program, DRIVERS["gnostica"], "ABC")
    listed, sampled, moves = [], [], []
    for number in range(rounds):
        with collector_off():
            listed.append(_listed(linked, games, number))
            sampled.append(_sampled(linked, games, number))
            moves.append(_chess(number))
    moves_rate, listed_rate, sampled_rate = (
        sorted(x)[len(x) // 2] for x in (moves, listed, sampled)
    )
    reference = f"{moves_rate:,.0f}/s"
    return [
        Row(
            "random Gnostica decisions (two options or more, all listed)", f"{listed_rate:,.0f}/s", reference,
            listed_rate / moves_rate, 0.2, True,
        ),
        Row(
            "random Gnostica decisions (one sampled fairly)", f"{sampled_rate:,.0f}/s", reference,
            sampled_rate / moves_rate, 0.2, True,
        ),
    ]  # fmt: skip


def _listed(linked: Linked, games: int, seed: int) -> float:
    counted, start = 0, time.process_time()
    for number in range(games):
        rng, game, asked = (
            random.Random(seed * 1000 + number),
            new_game(linked, seed * 1000 + number),
            0,
        )
        while not game.over and asked < MOST:
            node = game.node
            if node.secret:
                game = _secret(game, rng)
            else:
                options = len(node.options)
                counted += options > 1 or node.limits() != (1, 1)
                game = game.choose(sampled(node, rng.randrange))
            asked += 1
    return counted / (time.process_time() - start)


def _sampled(linked: Linked, games: int, seed: int) -> float:
    counted, start = 0, time.process_time()
    for number in range(games):
        rng, game, asked = (
            random.Random(seed * 1000 + number),
            new_game(linked, seed * 1000 + number),
            0,
        )
        while not game.over and asked < MOST:
            node = game.node
            if node.secret:
                game = _secret(game, rng)
            else:
                counted += len(node.found) > 1
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
