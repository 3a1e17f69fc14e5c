"""How long commands take to their first answer, against bare Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.harness import Row, commands, processor_time, time_row
from ruleloom.cache.store import FOLDER, KEY

ARENA = Path(__file__).parent / "arena"
FIRST_LIGHT = Path(__file__).parents[1] / "rulesets" / "examples" / "first-light"
ROUNDS = 5
BARE = [sys.executable, "-c", "pass"]
TOOL = str(Path(sys.executable).with_name("ruleloom"))
NEW_GAME = "import ruleloom; ruleloom.new_game('moonstone', ['A', 'B'], seed=1)"

# First answers where nothing has changed since the last time, with the budget for each. A game between
# bots is stopped as it begins: it has asked and answered one turn by then.
FIRST_ANSWERS: tuple[tuple[str, Sequence[str], float], ...] = (
    ("`explain ITEM`, in four games", [TOOL, "explain", "tower"], 15),
    (
        "`play gnostica`, the first turn",
        [
            TOOL,
            "play",
            "gnostica",
            "--players",
            "random,random",
            "--seed",
            "1",
            "--turn-limit",
            "1",
        ],
        26,
    ),
    ("`why` of a number, on top of Moonstone", [TOOL, "why", str(FIRST_LIGHT), "PR"], 60),
    ("`new_game` of Moonstone, with the import", [sys.executable, "-c", NEW_GAME], 28),
)


def rows() -> list[Row]:
    """`ruleloom --version`; `check` of a small pack, compiled each time; first answers of commands
    that find their game compiled, as processor time."""
    version = commands([TOOL, "--version"], BARE)
    check = commands([TOOL, "check", "--no-cache", str(ARENA)], BARE)
    return [
        time_row("start-up of `ruleloom --version`", *version, 4),
        time_row("`ruleloom check` of a small pack", *check, 15),
        *first_answers(),
    ]


def first_answers() -> list[Row]:
    """The rows of commands that find in the cache what they need."""
    with TemporaryDirectory() as cache:
        return [
            time_row(what, *_beside_bare(words, cache), budget)
            for what, words, budget in FIRST_ANSWERS
        ]


def _beside_bare(words: Sequence[str], cache: str) -> tuple[float, float]:
    """Median processor time of a command and of bare Python in turn, after a run that fills the
    cache."""
    kept = {FOLDER: cache, KEY: "of this benchmark"}
    processor_time(words, **kept)
    pairs = [(processor_time(words, **kept), processor_time(BARE)) for _ in range(ROUNDS)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)
