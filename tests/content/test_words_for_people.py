"""What people read in play is words: no hole, no name of the vocabulary, no quotation mark upon another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruleloom.api.facade import new_game, program_of
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.options import SEVERAL, Prompt
from ruleloom.table.lookups import asking_rules

# Braces, names with underscores, ids with colons and numbers, and quoted quotations.
RAW = re.compile(r'[{}]|\b[a-z]+_[a-z_]+\b|\w+:\w+/\w+|""')
SALT = Path(__file__).parents[2] / "rulesets/examples/salt-and-lanterns"
STEPS = 150


def told(game: Game) -> Iterator[str]:
    """All that somebody reads at a moment: questions, options, refusals, glosses and the log."""
    for prompt in game.prompts:
        yield prompt.text
        yield from (one.label for one in prompt.options)
    for refusal in () if game.over else game.refusals[:20]:
        yield from (refusal.label, refusal.reason)
    yield from (gloss for _, gloss in asking_rules(game.linked, game.state))
    for viewer in (None, 0, 1):
        yield from log(game.linked, game.events, viewer)


def some_answer(prompt: Prompt, luck: random.Random) -> list[str]:
    if prompt.usual is not None and luck.random() < 0.35:
        return list(prompt.usual)
    if prompt.kind == "text":
        return [f"the red door {luck.randrange(1000)}"]
    keys = [one.key for one in prompt.options]
    if prompt.kind == "order":
        return keys
    least = prompt.least if prompt.kind in SEVERAL else 1
    return luck.sample(keys, min(len(keys), max(1, least)))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("packs", "players"),
    [(("gnostica",), 2), (("monotheism",), 3), (("moonstone", SALT), 2), (("witchgates",), 2)],
)
def test_people_read_words(packs, players, seed):
    luck, wrong = random.Random(seed), set[str]()
    game = new_game(program_of(*packs), ["Ann", "Ben", "Cyd"][:players], seed)
    for _ in range(STEPS):
        wrong |= {one for one in told(game) if RAW.search(one)}
        if game.over:
            break
        prompt = game.prompts[0]
        try:
            game = game.answer(prompt.id, some_answer(prompt, luck))
        except Refused:
            game = game.answer(prompt.id, [prompt.options[0].key])
    assert not wrong
