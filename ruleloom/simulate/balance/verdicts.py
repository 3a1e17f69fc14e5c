"""Verdicts on trials of items: the difference in wins with its interval, and its relation to prices.

Each trial is two runs whose games share their seeds. Of several items tried together, those that pass Holm's
correction are called strong or weak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Any

from ruleloom.bots.tree_search import scale_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.simulate.balance.item_trials import BOUGHT, CHANGED
from ruleloom.simulate.intervals import (
    LEAST_DIFFERENT,
    SPREAD,
    Estimate,
    mean,
    p_value,
    paired,
    share,
    standing,
    surely_different,
)
from ruleloom.simulate.one_game import TAKEN
from ruleloom.simulate.run_plan import GameRecord

STRONG, WEAK, UNSURE = "helps", "hurts", "not sure"
NOT_MET, TOO_ALIKE = "never met", "too few pairs differ"


class ItemUse(Frozen):
    """The shares of games in which an item was met, used and read; only watched games record reads. `never`
    are the ways of its text that were on offer but never taken."""

    met: float
    used: float
    read: float | None
    never: tuple[str, ...] = ()


def use_of(name: str, records: Sequence[GameRecord], is_owned: bool) -> ItemUse:
    """The use of an item in games with it; an owned item is met in all of them."""
    games = max(1, len(records))
    met = [
        is_owned or any(name in one for one in (record.held, record.offers, record.used))
        for record in records
    ]
    watched = [record for record in records if record.reached]
    taken = Counter[str]()
    for record in records:
        for way, counts in record.offers.items():
            if way.partition(":")[2].partition(":")[0].rpartition("/")[2] == name:
                taken[way.rpartition(": ")[2]] += counts[TAKEN]
    return ItemUse(
        sum(met) / games,
        sum(name in one.used for one in records) / games,
        sum(name in one.read for one in watched) / len(watched) if watched else None,
        tuple(sorted(way for way, times in taken.items() if not times)),
    )


class ItemVerdict(Frozen):
    """The effect of an item on its owner's wins."""

    name: str
    how: str
    without: Estimate
    with_it: Estimate
    difference: Estimate
    chance: float
    price: float | None
    use: ItemUse
    differ: int
    """The number of pairs with a different outcome."""
    judged: bool = False
    """Do unfinished games count by final standing?"""
    sure: bool = False

    @property
    def says(self) -> str:
        """Strong, weak, not sure, or why nothing can be.

        Significant ranks without a significant mean, which is shown, are not sure.
        """
        if not self.use.met:
            return NOT_MET
        if self.differ < LEAST_DIFFERENT:
            return TOO_ALIKE
        if not self.sure or self.difference.low <= 0 <= self.difference.high:
            return UNSURE
        return STRONG if self.difference.value > 0 else WEAK

    @property
    def per_price(self) -> Estimate | None:
        """The difference per unit of the price."""
        if not self.price:
            return None
        found = self.difference
        each = (found.value / self.price, found.low / self.price, found.high / self.price)
        return Estimate(*each, found.games)


def _own_seat(one: GameRecord, rotates: bool) -> int:
    return one.number % len(one.seats) if rotates else 0


def values_of(
    runs: Sequence[Sequence[GameRecord]], seat_of: Callable[[GameRecord], int]
) -> list[list[float]]:
    """The worth of the games of several runs to a seat each, on one scale for all."""
    ahead = [one.ahead(seat_of(one)) for run in runs for one in run if one.standings]
    scale = scale_of(ahead)
    return [[standing(one, seat_of(one), scale) for one in run] for run in runs]


def verdict(
    name: str,
    how: str,
    price: float | None,
    without: Sequence[GameRecord],
    with_it: Sequence[GameRecord],
    rotates: bool,
) -> ItemVerdict:
    """The verdict on one item by itself."""
    pairs = min(len(without), len(with_it))
    runs = (without[:pairs], with_it[:pairs])
    lacked, had = values_of(runs, lambda one: _own_seat(one, rotates))
    differences = [b - a for a, b in zip(lacked, had, strict=True)]
    differ = sum(map(bool, differences))
    judged = any(one.standings for run in runs for one in run)
    return ItemVerdict(
        name,
        how,
        share(sum(lacked), pairs),
        share(sum(had), pairs),
        mean(differences) if judged and differ >= LEAST_DIFFERENT else paired(differences),
        p_value(differences),
        price,
        use_of(name, runs[1], how in (BOUGHT, CHANGED)),
        differ,
        judged,
    )


def together(found: Sequence[ItemVerdict]) -> list[ItemVerdict]:
    """Several verdicts, the jointly sure ones marked; the strongest first."""
    marked = _marked(found, [one.chance for one in found])
    return sorted(marked, key=lambda one: -one.difference.value)


def _marked(found: Sequence[Any], chances: Sequence[float]) -> list[Any]:
    """The findings, with those marked that are significant among all, given their p-values."""
    sure = surely_different(dict(enumerate(chances)))
    return [replace(one, sure=number in sure) for number, one in enumerate(found)]


# ---------------------------------------------------------------------------------- prices


class OutOfLine(Frozen):
    """An item that helps more, or less, than others of its price."""

    name: str
    price: float
    others: int
    difference: Estimate
    sure: bool = False


def out_of_line(found: Sequence[ItemVerdict]) -> list[OutOfLine]:
    """Each item against the mean of others at its price."""
    rows = []
    for one in found:
        others = [
            other.difference
            for other in found
            if other.price == one.price and other.name != one.name
        ]
        if one.price is None or not others:
            continue
        middle = sum(other.value for other in others) / len(others)
        spread = sum(other.half_width**2 for other in others) ** 0.5 / len(others)
        half = (one.difference.half_width**2 + spread**2) ** 0.5
        gap = one.difference.value - middle
        estimate = Estimate(gap, gap - half, gap + half, one.difference.games)
        rows.append(OutOfLine(one.name, one.price, len(others), estimate))
    return _marked(rows, [p_of(one.difference) for one in rows])


def p_of(estimate: Estimate) -> float:
    """The p-value of an estimate being 0, from its interval."""
    if estimate.half_width == 0:
        return 1.0
    deviation = estimate.half_width / SPREAD
    return 2 * (1 - NormalDist().cdf(abs(estimate.value) / deviation))


class BeatenBy(Frozen):
    """An item beaten in play by one no dearer."""

    worse: str
    better: str
    gap: Estimate


def beaten_in_play(found: Sequence[ItemVerdict]) -> list[BeatenBy]:
    """Pairs in which one item surely helps more than another and costs no more."""
    pairs: dict[tuple[str, str], Estimate] = {}
    for one in found:
        for other in found:
            if one.price is None or other.price is None or other.price > one.price:
                continue
            gap = other.difference.value - one.difference.value
            half = (one.difference.half_width**2 + other.difference.half_width**2) ** 0.5
            if one.name != other.name and gap > 0:
                games = one.difference.games
                pairs[one.name, other.name] = Estimate(gap, gap - half, gap + half, games)
    sure = surely_different({names: p_of(gap) for names, gap in pairs.items()})
    return [BeatenBy(*names, pairs[names]) for names in sorted(sure)]


# ---------------------------------------------------------------------------------- two together


class PairVerdict(Frozen):
    """The effect of two items together beyond the effects of each alone."""

    one: str
    other: str
    extra: Estimate
    chance: float
    sure: bool = False


def pair_verdict(names: tuple[str, str], runs: Sequence[Sequence[GameRecord]]) -> PairVerdict:
    """The verdict on a pair, from four runs: with neither, the first, the second, both."""
    number = min(map(len, runs))
    neither, first, second, both = values_of(
        [run[:number] for run in runs], lambda one: _own_seat(one, True)
    )
    extra = [d - b - c + a for a, b, c, d in zip(neither, first, second, both, strict=True)]
    return PairVerdict(*names, mean(extra), p_value(extra))


def pairs_together(found: Sequence[PairVerdict]) -> list[PairVerdict]:
    """Several pairs, jointly sure ones marked; the most significant first."""
    return sorted(_marked(found, [one.chance for one in found]), key=lambda one: one.chance)


def screened(
    records: Sequence[GameRecord], names: Sequence[str], most: int
) -> list[tuple[str, str]]:
    """The pairs with the largest apparent interaction in ordinary games.

    This is only a screening: each pair is then tried in games of its own. If they are few, all are
    returned.
    """
    pairs = list(combinations(names, 2))
    if len(pairs) <= most:
        return pairs
    seats = [
        ({name for name in names if seat in one.held.get(name, ())}, one.won(seat))
        for one in records
        if one.finished
        for seat in range(len(one.seats))
    ]
    found = [(_remarkable(seats, pair), pair) for pair in pairs]
    return [pair for _, pair in sorted(found, key=lambda one: -one[0])[:most]]


def _remarkable(seats: Sequence[tuple[set[str], float]], pair: tuple[str, str]) -> float:
    """The interaction of a pair, in deviations; 0 if one of the four cases is missing."""
    cells = [
        [won for has, won in seats if set(pair) & has == wanted]
        for wanted in (set[str](), {pair[0]}, {pair[1]}, set(pair))
    ]
    if not all(cells):
        return 0.0
    neither, first, second, both = (sum(cell) / len(cell) for cell in cells)
    error = sqrt(sum(0.25 / len(cell) for cell in cells))
    return abs(both - first - second + neither) / error
