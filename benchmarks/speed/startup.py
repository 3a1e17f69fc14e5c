"""How long commands take to their first answer, against bare Python."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import BARE, TOOL, in_turn, with_cache

TOY = Path(__file__).parents[1] / "toy"
FIRST_LIGHT = Path(__file__).parents[2] / "rulesets" / "examples" / "first-light"
ROUNDS = 5
NEW_GAME = "import ruleloom; ruleloom.new_game('moonstone', ['A', 'B'], seed=1)"
ONE_TURN = ("--players", "random,random", "--seed", "1", "--turn-limit", "1")

# First answers where nothing has changed since the last time. A game between bots is stopped as it
# begins: it has asked and answered one turn by then.
COMMANDS: Mapping[str, Sequence[str]] = {
    "toy": (TOOL, "check", "--no-cache", str(TOY)),
    "version": (TOOL, "--version"),
    "explain": (TOOL, "explain", "tower"),
    "why": (TOOL, "why", str(FIRST_LIGHT), "PR"),
    "odds": (TOOL, "odds", "moonstone", "roll luck = 1d20"),
    "play": (TOOL, "play", "gnostica", *ONE_TURN),
    "new-game": (sys.executable, "-c", NEW_GAME),
}


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Each command in turn with bare Python, in processor time; what they keep is in the cache."""
    with TemporaryDirectory() as cache:
        for key, words in COMMANDS.items():
            if key in keys:
                yield Figure(key, *in_turn(words, BARE, ROUNDS, **with_cache(cache)), ROUNDS)
