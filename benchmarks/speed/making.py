"""An answer at the bench of `ruleloom build`, with 1,000 items of homebrew on top of the game, against the
same with the game alone.

An answer is a line, and everything that a page then shows: prices, requirements, choices, the sheet. The
offers are the first 40 of a list, each with its price and the reasons against it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from benchmarks.large_pack import write_large_pack
from ruleloom.building.building import Building, build
from ruleloom.building.offers import offers
from ruleloom.building.view_data import view_data

MANY, SHOWN = 1_000, 40
TURNS = ("start.Str = 14", "start.Str = 15", "skills.dodging = 2", "skills.dodging = 3")
BEGINNING = ("start.Str = 13", "skills.dodging = 1", "gifts + thick-hide", "flaws + debt")


def begun(packs: Sequence[str]) -> Building:
    """Somebody half made."""
    building = build("moonstone", "character", packs)
    for line in BEGINNING:
        building = building.say(line)
    return building


def answers(building: Building) -> Callable[[], object]:
    """One answer after the other, and what a page shows then."""
    lines = cycle(TURNS)
    return lambda: view_data(building.say(next(lines)))


def sought(building: Building) -> Callable[[], object]:
    """The first offers at a list."""
    return lambda: offers(building, "gifts", most=SHOWN)


def figures(keys: Collection[str], rounds: int = 7) -> Iterator[Figure]:
    """An answer and the offers at a list."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "bazaar"
        write_large_pack(folder, MANY)
        large, alone = begun([str(folder)]), begun([])
        for one in (large, alone):
            answers(one)()
            offers(one, "gifts", most=SHOWN)
        if "answer-of-building" in keys:
            both = side_by_side(answers(large), answers(alone), 20, rounds)
            yield Figure("answer-of-building", *both, rounds)
        if "offers-of-building" in keys:
            both = side_by_side(sought(large), sought(alone), 5, rounds)
            yield Figure("offers-of-building", *both, rounds)
