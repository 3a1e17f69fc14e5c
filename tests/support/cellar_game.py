"""The cellar, a game in which nearly everything is hidden from somebody: played at random, and spied
upon.

`twins` plays the journal of a random game again with two bottles exchanged wherever they come up, as
long as a spy cannot know either of them, and tells what differs in all that the spy is given.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, JournalEntry, new_game, prompt_id
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.search.node import sampled
from tests.support.known import known_to

CELLAR = Path(__file__).resolve().parent / "cellar"
NAMES = ("A", "B", "C")


@cache
def program() -> Program:
    """The cellar, compiled once."""
    result = compile_paths([str(CELLAR)])
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program


@cache
def linked(players: int = 3) -> Linked:
    """The cellar for so many players."""
    return link_game(program(), driver_of("cellar"), NAMES[:players])


def step(game: Game, source: random.Random) -> Game:
    """Answer one open prompt, of a person or of chance, with anything on offer."""
    prompt = source.choice(game.prompts)
    if game.node.takes_sets:
        return game.choose(sampled(game.node, source.randrange))
    return game.answer(prompt.id, source.choice(prompt.options).key)


def played(seed: int, answers: int, by_chance: int | None = None) -> Game:
    """A game with so many answers; real bottles and dice, unless `by_chance` is a seed."""
    source, game = random.Random(seed), new_game(linked(), by_chance)
    for _ in range(answers):
        if game.over:
            break
        game = step(game, source)
    return game


def replayed(entries: list[JournalEntry], exchanged: dict[str, str]) -> Iterator[Game]:
    """The same game with other bottles, after each answer; Refused where one is not on offer."""
    game = new_game(linked())
    for entry in entries:
        keys = tuple(exchanged.get(key, key) for key in entry.keys)
        game = game.answer(prompt_id(game, entry.player), keys)
        yield game


def given(game: Game, spy: int) -> str:
    """Everything that the spy is given at one moment."""
    mine = [one for one in game.prompts if one.player == spy]
    prompts = [(one.id, one.text, [(o.key, o.label) for o in one.options]) for one in mine]
    refused = [(one.key, one.label, one.reason) for one in game.refusals] if mine else []
    return json.dumps([view(game, spy), prompts, refused, bool(game.past)], sort_keys=True)


def twins(seed: int, answers: int, source: random.Random) -> tuple[list[str], int, int]:
    """What tells two games apart for a spy, how often they were compared, and how often they were
    not the same."""
    entries = played(seed, answers).entries
    spy = source.randrange(len(NAMES))
    moments = list(replayed(entries, {}))
    known = [known_to(one, spy, "Bottle") for one in moments]
    late = sorted(range(24), key=lambda one: -_first(known, one))[:6]
    one, other = source.sample(late, 2)
    names = linked().layout.names["Bottle"]
    exchanged = {names[one]: names[other], names[other]: names[one]}
    until = min(_first(known, one), _first(known, other))
    compared = apart = 0
    try:
        for here, there in zip(moments[:until], replayed(entries, exchanged), strict=False):
            compared, apart = compared + 1, apart + (here.state != there.state)
            if given(here, spy) != given(there, spy):
                return [f"seed {seed}, spy {spy}, {exchanged}, answer {compared}"], compared, apart
    except Refused:
        pass  # what the other game has not on offer was the choice of somebody who sees the bottle
    return [], compared, apart


def _first(known: list[set[int]], bottle: int) -> int:
    return next((at for at, found in enumerate(known) if bottle in found), len(known))
