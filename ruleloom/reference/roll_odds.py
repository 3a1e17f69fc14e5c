"""The odds of rolls whose dice are the same in every play: each result, exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ruleloom.reference.hooks import RollHook
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import number_text

# Beyond this a table tells nobody anything.
MOST_DICE, MOST_ROWS, LARGEST_POOL = 20, 60, 8
DICE = re.compile(r"(\d+)d(\d+)")


@dataclass(frozen=True, slots=True)
class RollRow:
    """A result, its chance, and that of so much or more."""

    value: int
    chance: str
    at_least: str


@dataclass(frozen=True, slots=True)
class PoolOdds:
    """The chances of the highest of so many dice: for each number of them, face by face."""

    name: str
    sides: int
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class RollOdds:
    """The results of one roll: of its sum, or of the highest of its dice."""

    name: str
    dice: str
    of: str
    mean: str
    rows: tuple[RollRow, ...]


def odds_of(rolls: Iterable[RollHook]) -> Iterator[RollOdds]:
    """The odds of those rolls whose dice are known; of equal ones of a name once."""
    for name, dice, each in dict.fromkeys((one.name, one.text, one.dice) for one in rolls):
        found = DICE.fullmatch(dice)
        if found and int(found[1]) <= MOST_DICE and 1 < int(found[1]) * int(found[2]) <= MOST_ROWS:
            yield _odds(name, int(found[1]), int(found[2]), each)


def pools_of(rolls: Iterable[RollHook]) -> Iterator[PoolOdds]:
    """The odds of dice by themselves of which play says how many there are."""
    for name, dice in dict.fromkeys((one.name, one.text) for one in rolls if one.dice):
        if dice.startswith("d") and 1 < int(dice[1:]) <= MOST_DICE:
            sides = int(dice[1:])
            counts = range(1, LARGEST_POOL + 1)
            rows = (
                (
                    count,
                    tuple(_percent(ways, sides**count) for ways in highest(count, sides).values()),
                )
                for count in counts
            )
            yield PoolOdds(name, sides, tuple(rows))


def _odds(name: str, count: int, sides: int, each: bool) -> RollOdds:
    ways = highest(count, sides) if each else sums(count, sides)
    total = sides**count
    mean = sum((Fraction(value * many, total) for value, many in ways.items()), Fraction(0))
    rows, left = [], total
    for value, many in sorted(ways.items()):
        rows.append(RollRow(value, _percent(many, total), _percent(left, total)))
        left -= many
    of = "the highest die" if each and count > 1 else "the sum" if count > 1 else "the die"
    return RollOdds(name, f"{count}d{sides}", of, number_text(mean), tuple(rows))


def sums(count: int, sides: int) -> dict[int, int]:
    """The number of ways in which dice make each sum."""
    ways = {0: 1}
    for _ in range(count):
        more: dict[int, int] = {}
        for total, many in ways.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + many
        ways = more
    return ways


def highest(count: int, sides: int) -> dict[int, int]:
    """The number of ways in which each face is the highest of the dice."""
    return {face: face**count - (face - 1) ** count for face in range(1, sides + 1)}


def _percent(part: int, whole: int) -> str:
    """A chance in percent, with one decimal; what is not nothing never reads as nothing."""
    tenths = round(Fraction(1000 * part, whole))
    if not tenths:
        return "under 0.1%"
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}%"
