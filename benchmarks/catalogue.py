"""The rows of `python -m benchmarks`: what each measures, against what, its budget, and what is wanted.

A budget is what every run has to keep, on any machine: it lies a little beyond what was measured. What
is wanted is the goal, and may be far away. The figure of a row is ours divided by the reference, or, in
rows `by_seconds`, the seconds that ours takes.

A key is for good: the history goes by it, while words may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal

from ruleloom.runtime.dataclass import dataclass

Sort = Literal["times", "rate", "seconds"]
BARE = "`python -c pass`"
BY_HAND_SET_UP = "set-up by hand"
CHESS = "python-chess random moves"
SCHEMA_ONLY = "check-jsonschema, schema only"
GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")


@dataclass(frozen=True, slots=True)
class Line:
    """A row before it is measured."""

    key: str
    what: str
    reference: str
    budget: float
    wanted: float | None = None
    sort: Sort = "times"

    def keeps(self, figure: float) -> bool:
        """Is a figure within the budget?"""
        return self._reaches(figure, self.budget)

    def meets(self, figure: float) -> bool | None:
        """Is a figure what is wanted? None if nothing is."""
        return None if self.wanted is None else self._reaches(figure, self.wanted)

    def _reaches(self, figure: float, limit: float) -> bool:
        return figure >= limit if self.sort == "rate" else figure <= limit


def rate(key: str, what: str, reference: str, budget: float, wanted: float | None = None) -> Line:
    """A row of rates: the more, the better."""
    return Line(key, what, reference, budget, wanted, "rate")


def by_seconds(
    key: str, what: str, reference: str, budget: float, wanted: float | None = None
) -> Line:
    """A row whose figure is seconds; a reference is only shown beside it."""
    return Line(key, what, reference, budget, wanted, "seconds")


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that one module measures."""

    module: str
    lines: tuple[Line, ...]


MADE, ALONE = "a character among 1,000 items of homebrew", "the game alone"
SMALL_PACK_BUDGETS = {"gnostica": 2, "monotheism": 2.2, "moonstone": 3, "witchgates": 4.2}


def _small_packs() -> Iterator[Line]:
    for game, most in SMALL_PACK_BUDGETS.items():
        what = f"`check` of a small homebrew pack of {game.capitalize()} after one edit"
        yield Line(f"edit-{game}", what, SCHEMA_ONLY, most, 1)


def _running() -> Iterator[Line]:
    for game in GAMES:
        what = f"an edit in a running process, a small homebrew pack of {game.capitalize()}"
        yield by_seconds(f"running-{game}", what, "", 0.25, 0.15)


def _tables() -> Iterator[Line]:
    for call in ("new_game", "load"):
        for game in ("gnostica", "moonstone"):
            by = BY_HAND_SET_UP if (call, game) == ("new_game", "gnostica") else ""
            what = f"`{call}` of {game.capitalize()} in a process"
            first = f"{what}, the first (with the import)"
            yield by_seconds(f"{call}-{game}-first", first, by, 0.3)
            yield by_seconds(f"{call}-{game}-next", f"{what}, the next", by, 0.008)


def _item_files() -> Iterator[Line]:
    for count in (1_000, 10_000):
        what = f"`check` of {count:,} item files, "
        yield Line(f"files-{count}-cold", f"{what}cold", SCHEMA_ONLY, 1)
        yield Line(f"files-{count}-warm", f"{what}warm", SCHEMA_ONLY, 0.12)
        if count == 1_000:
            changed = f"`check`, one file of {count:,} changed"
            yield Line(f"files-{count}-changed", changed, SCHEMA_ONLY, 1.1)


def _homebrew() -> Iterator[Line]:
    for game in GAMES:
        what = f"random decisions of {game.capitalize()}, with a dozen packs of homebrew"
        yield rate(f"homebrew-{game}", what, "without them", 0.3)


ICEPOOL = "icepool evaluator"
POOL = "odds of pools of 1 to 7 dice"
STRIKE = "`odds ... use strike` of Moonstone"

PARTS: Mapping[str, Part] = {
    "startup": Part(
        "benchmarks.speed.startup",
        (
            Line("toy", "`check` of a toy game, `--no-cache`", BARE, 24),
            Line("version", "start-up of `ruleloom --version`", BARE, 4),
            Line("explain", "first answer of `explain ITEM`, in four games", BARE, 13, 12),
            Line("why", "first answer of `why`, on top of Moonstone", BARE, 20, 15),
            by_seconds("odds", "first answer of `odds` of a roll, Moonstone", BARE, 1.2, 0.8),
            Line("play", "first prompt of `play`, Gnostica", BARE, 22, 15),
            Line("new-game", "`new_game` of Moonstone, with the import", BARE, 25),
        ),
    ),
    "small-packs": Part("benchmarks.speed.small_packs", tuple(_small_packs())),
    "running": Part("benchmarks.speed.running_process", tuple(_running())),
    "tables": Part("benchmarks.speed.tables", tuple(_tables())),
    "item-files": Part("benchmarks.speed.checking", tuple(_item_files())),
    "effects": Part(
        "benchmarks.speed.effects",
        (
            Line("expression", "pure expression", "the formula in Python", 1.3),
            Line(
                "effect",
                "effect of 20 operations with dice and state",
                "by hand behind the same calls",
                5,
            ),
        ),
    ),
    "decisions": Part(
        "benchmarks.speed.decisions",
        (
            rate("listed", "random Gnostica decisions, all options listed", CHESS, 0.22),
            rate("sampled", "random Gnostica decisions, one sampled fairly", CHESS, 0.3),
        ),
    ),
    "fights": Part(
        "benchmarks.speed.fighting", (rate("fights", "Moonstone fights", "by hand", 0.012),)
    ),
    "homebrew": Part("benchmarks.speed.homebrew", tuple(_homebrew())),
    "characters": Part(
        "benchmarks.speed.characters",
        (Line("characters", "1,000 characters checked and explained", "cost by hand", 7),),
    ),
    "making": Part(
        "benchmarks.speed.making",
        (
            by_seconds(
                "answer-of-building", f"{MADE}, an answer with all that is shown", ALONE, 0.05
            ),
            by_seconds(
                "offers-of-building", f"{MADE}, 40 offers with their prices", ALONE, 0.1, 0.05
            ),
        ),
    ),
    "pools": Part(
        "benchmarks.odds.pools",
        (
            Line("hits", f"{POOL}, the hits", "icepool", 0.4, 0.25),
            Line("glances", f"{POOL}, the hits and glances", "icepool", 0.4, 0.25),
            Line("trouble", f"{POOL}, the trouble", "icepool", 0.4, 0.25),
            Line("roll", "the whole roll of Witchgates", ICEPOOL, 1, 1),
        ),
    ),
    "keeping": Part(
        "benchmarks.odds.keeping",
        (
            Line("keep-3-5d10", "the sum of the best 3 of 5d10", ICEPOOL, 1, 1),
            Line("keep-3-12d100", "the sum of the best 3 of 12d100", ICEPOOL, 1, 1),
            Line("highest-12d6", "the highest of 12d6", "icepool's formula", 4, 1),
            Line("highest-2d100", "the highest of 2d100", "icepool's formula", 2, 1),
            Line("set-6d10", "the largest set of 6d10", ICEPOOL, 1, 1),
            Line("run-20d6", "the longest run of 20d6", ICEPOOL, 1, 1),
            Line("opposed", "the best 3 of 12d100 against as many", ICEPOOL, 1, 1),
        ),
    ),
    "strikes": Part(
        "benchmarks.odds.striking",
        (
            by_seconds("strike", f"{STRIKE}, alone", "`odds` of one die", 1.6),
            by_seconds("strike-large", f"{STRIKE}, with a large pack", "`odds` of one die", 3),
        ),
    ),
    "merging": Part(
        "benchmarks.odds.merging",
        (Line("merging", "exact odds by merging (6^6 ways)", "unmerged", 0.1),),
    ),
    "test": Part(
        "benchmarks.speed.all_cases",
        (by_seconds("test", "`ruleloom test` of all four games, 2 cores", "", 60),),
    ),
}
"""By the name that `--only` takes."""


def lines() -> Iterator[Line]:
    """All rows, in the order of the table."""
    return (line for part in PARTS.values() for line in part.lines)


def selected(names: Sequence[str]) -> Mapping[str, tuple[Line, ...]]:
    """The rows of each part that names select: keys of rows, or names of parts; all if none is
    given. ValueError for a name that is neither."""
    known = {*PARTS, *(line.key for line in lines())}
    unknown = [name for name in names if name not in known]
    if unknown:
        near = get_close_matches(unknown[0], known, 3) or sorted(PARTS)
        raise ValueError(f"`{unknown[0]}` is no row and no part; there is {', '.join(near)}")
    found = {
        name: tuple(line for line in part.lines if not names or name in names or line.key in names)
        for name, part in PARTS.items()
    }
    return {name: chosen for name, chosen in found.items() if chosen}
