"""An evening in the orchard: a game of two to four players, on top of the orchard's own vocabulary,
that uses every kind of row once at least.

`PROGRAM` is its program; `play(seed, answers)` runs a game with random answers.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Any

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Bind, Driver, Layout, World
from tests.support import orchard_driver
from tests.support.check_layer import ORCHARD, compile_files, game_files

FIRST = ("flow/set_up", "flow/turn", "power/stride", "power/leap", "power/spy")
"""The routines that tests count on, in this order; the others stand behind them."""


def _evening() -> Program:
    """The program of the evening, with what a program can have and no text gives it."""
    files = {name: game_files()[name] for name in ("pack.yaml", "vocabulary.yaml")}
    for path in sorted((ORCHARD / "evening").glob("*.yaml")):
        files[path.name] = path.read_text(encoding="utf-8")
    program = compile_files(files, texts=True).program
    assert program is not None
    names = [f"orchard:{one}" for one in FIRST]
    place = {one.id: names.index(one.id) if one.id in names else 99 for one in program.routines}
    return replace(
        program,
        routines=tuple(sorted(program.routines, key=lambda one: place[one.id])),
        operations=tuple(
            replace(one, log="") if one.name == "fill" else one for one in program.operations
        ),
        notation={"steps": [{"walk": ["basket", "goal"]}], "most": 3, "none": None},
    )


PROGRAM = _evening()


def bind(layout: Layout) -> Driver:
    """The driver of the orchard, where a basket is called by whose it is, its size and its spot."""

    def token(world: World, kind: str, index: int) -> str | None:
        if kind != "Basket":
            return None
        owner, size, at = (
            world[layout.index[f"Basket.{name}"]][index] for name in ("owner", "size", "spot")
        )
        return f"{layout.players[owner]}'s basket {size} on {at[0]}/{at[1]}" if at else None

    return replace(orchard_driver.bind(layout), token=token)


def bind_for_game(name: str) -> Bind:
    """The driver of a game by its name."""
    return {"orchard": bind}[name]


def start(
    seed: int | None = 1, players: tuple[str, ...] = ("A", "B", "C"), **settings: Any
) -> Game:
    """A new game of the evening."""
    return new_game(link_game(PROGRAM, bind, players, settings), seed)


def step(game: Game, source: random.Random) -> Game:
    """Answer one open prompt at random."""
    prompt = source.choice(game.prompts)
    if prompt.kind == "subset":  # not every set can be used together
        names = {option.value: option.key for option in prompt.options}
        chosen = source.choice(list(islice(game.node.answers(), 40)))
        return game.answer(prompt.id, [names[value] for value in chosen])
    return game.answer(prompt.id, source.choice(prompt.options).key)


def play(game: Game, source: random.Random, answers: int) -> Game:
    """Answer at random, at most so many times."""
    for _ in range(answers):
        if game.over:
            break
        game = step(game, source)
    return game
