"""The exact odds of dice rolls, and their averages, percentages and grouped values as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from ruleloom.runtime.machine.labels import number_text

Value = int | Fraction | bool
Odds = Mapping[Value, Fraction]


def dice_odds(count: int, sides: int, each: bool = False) -> dict[Value, Fraction]:
    """The odds of the sum of some dice, or of the highest die if `each`, ascending."""
    faces = range(1, sides + 1)
    ways = {face: face**count - (face - 1) ** count for face in faces} if each else {0: 1}
    for _ in range(0 if each else count):
        more: Counter[int] = Counter()
        for total, many in ways.items():
            more.update({total + face: many for face in faces})
        ways = dict(more)
    return {value: Fraction(many, sides**count) for value, many in sorted(ways.items())}


def is_yes_or_no(odds: Odds) -> bool:
    """Are these the odds of a condition?"""
    return {*odds} <= {True, False}


def mean_text(odds: Odds) -> str:
    """The average as text; empty for the odds of a condition."""
    mean = sum((Fraction(value) * chance for value, chance in odds.items()), Fraction(0))
    return "" if is_yes_or_no(odds) else number_text(mean)


def points(odds: Odds, most: int) -> list[tuple[str, Fraction]]:
    """Each value with its chance; beyond `most`, neighbours form a range."""
    if is_yes_or_no(odds):
        return [(word, odds.get(word == "yes", Fraction(0))) for word in ("yes", "no")]
    values = sorted(odds)
    step = -(-len(values) // most)
    found = []
    for at in range(0, len(values), step):
        group = values[at : at + step]
        label = "-".join(dict.fromkeys((number_text(group[0]), number_text(group[-1]))))
        found.append((label, sum((odds[one] for one in group), Fraction(0))))
    return found


def percent(chance: Fraction) -> str:
    """A chance in percent with one decimal; a positive one is never 0 %, an unsure one never 100 %."""
    tenths = round(chance * 1000)
    if tenths == 1000 and chance < 1:
        return ">99.9%"
    return "<0.1%" if chance and not tenths else f"{tenths // 10}.{tenths % 10}%"


def exact_percent(chance: Fraction) -> str:
    """A chance in percent with two decimals, as `ruleloom odds` tells it."""
    hundredths = round(chance * 10_000)  # not `:.2%`, which would round a float
    return f"{hundredths // 100}.{hundredths % 100:02}%"
