"""How sure a figure is: intervals for shares and means, the games that a difference needs, and
corrections where many things are looked at together.

Figures are decimal numbers here: they are estimates, and nothing is compared with them but each
other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import ceil, comb, inf, sqrt
from random import Random
from statistics import NormalDist
from typing import TypeVar

from ruleloom.runtime.dataclass import dataclass

CONFIDENCE = 0.95
SPREAD = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""So many deviations to each side hold this share of a normal distribution."""
FOUND = SPREAD + NormalDist().inv_cdf(0.8)
"""So many deviations is a difference that four of five runs find."""
LEAST_DIFFERENT = 6
"""Fewer than so many signs, all the same, come about by chance more often than in one of twenty cases."""
FLIPS, ENOUGH_AS_FAR = 50_000, 200
"""Random signs are tried so often, or until so many of them come out as far from 0."""
BLOCK, PLACES = 8, 9
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval; `games` it rests on."""

    value: float
    low: float
    high: float
    games: int

    @property
    def half_width(self) -> float:
        """Half of the interval's width: the figure is sure to so much."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Is `value` outside the interval?"""
        return not self.low <= value <= self.high


def share(successes: float, games: int) -> Estimate:
    """A share and its interval, after Wilson. Shared wins may count as fractions."""
    if not games:
        return Estimate(0.0, 0.0, 1.0, 0)
    found, square = successes / games, SPREAD * SPREAD
    middle = (found + square / (2 * games)) / (1 + square / games)
    deviation = sqrt(found * (1 - found) / games + square / (4 * games * games))
    half = SPREAD / (1 + square / games) * deviation
    return Estimate(found, max(0.0, middle - half), min(1.0, middle + half), games)


def mean(values: Sequence[float]) -> Estimate:
    """A mean and its interval. From fewer than two values nothing is sure."""
    if not values:
        return Estimate(0.0, -inf, inf, 0)
    number = len(values)
    middle = sum(values) / number
    if number < 2:
        return Estimate(middle, -inf, inf, number)
    variance = sum((one - middle) ** 2 for one in values) / (number - 1)
    half = SPREAD * sqrt(variance / number)
    return Estimate(middle, middle - half, middle + half, number)


def paired(values: Sequence[float]) -> Estimate:
    """The mean of differences that lie between -1 and 1, and its interval.

    Gains and losses are two shares of the pairs, each with its interval after Wilson; what these
    leave open to each side is put together (Newcombe). So a few pairs that differ, or none, do not
    pass for certainty.
    """
    number = len(values)
    if not number:
        return Estimate(0.0, -1.0, 1.0, 0)
    gains = share(sum(max(one, 0.0) for one in values), number)
    losses = share(sum(max(-one, 0.0) for one in values), number)
    middle = gains.value - losses.value
    # Where one pair gains, it does not lose: the two shares pull the same way.
    both = 2 * gains.value * losses.value * SPREAD**2 / number
    below = sqrt((gains.value - gains.low) ** 2 + (losses.high - losses.value) ** 2 + both)
    above = sqrt((gains.high - gains.value) ** 2 + (losses.value - losses.low) ** 2 + both)
    return Estimate(middle, max(-1.0, middle - below), min(1.0, middle + above), number)


def p_value(values: Sequence[float]) -> float:
    """How often these differences would come out as far from 0 if each could as well have the other sign.

    That is Wilcoxon's signed-rank test, exact however few they are and however they are spread: ranks of
    one size are counted by their signs, and for others random signs are tried. Where the mean goes the
    other way than the ranks do, nothing is sure.
    """
    ranks = _signed_ranks([one for one in values if one])
    if sum(ranks) * sum(values) <= 0:
        return 1.0
    if len({abs(one) for one in ranks}) == 1:
        return sign_test(sum(one > 0 for one in ranks), len(ranks))
    luck = Random(repr(values))
    sums = [_signed_sums(ranks[at : at + BLOCK]) for at in range(0, len(ranks), BLOCK)]
    least, as_far = abs(sum(ranks)), 1  # what was found is one of the cases
    for tried in range(1, FLIPS + 1):
        signs = luck.randbytes(len(sums))
        total = sum(block[sign] for block, sign in zip(sums, signs, strict=True))
        as_far += abs(total) >= least
        if as_far == ENOUGH_AS_FAR:
            return as_far / (tried + 1)
    return as_far / (FLIPS + 1)


def _signed_ranks(values: Sequence[float]) -> list[int]:
    """The place of each by its size, with its sign; twice the mean place where several are alike."""
    sizes = sorted(round(abs(one), PLACES) for one in values)
    places = {size: bisect_left(sizes, size) + bisect_right(sizes, size) + 1 for size in {*sizes}}
    return [places[round(abs(one), PLACES)] * (1 if one > 0 else -1) for one in values]


def _signed_sums(block: Sequence[int]) -> list[int]:
    """The sums of a block under all signs, by the bits of their place; more bits are for nothing."""
    return [
        sum(one if signs >> place & 1 else -one for place, one in enumerate(block))
        for signs in range(1 << BLOCK)
    ]


def sign_test(rises: int, of: int) -> float:
    """The chance that so many of several fair coins, or a number further from a half, show heads."""
    rare = min(rises, of - rises)
    return float(min(1, 2 * sum(comb(of, number) for number in range(rare + 1)) / (1 << of)))


def games_for_width(half_width: float) -> int:
    """The games after which the interval of a share is so wide to each side, or narrower."""
    return ceil(0.25 * (SPREAD / half_width) ** 2)


def games_for_difference(difference: float) -> int:
    """The games on each side after which four of five runs find a difference of two shares.

    For games that share their seeds this is the most that can be needed: what both sides have in
    common takes itself off.
    """
    return ceil(0.5 * (FOUND / difference) ** 2)


def smallest_difference(games: int) -> float:
    """The difference of two shares that so many games on each side find in four of five runs."""
    return FOUND * sqrt(0.5 / games)


def rarest_seen(games: int) -> float:
    """What never came up in so many games is rarer than this, so sure."""
    return 1.0 if games == 0 else 1 - (1 - CONFIDENCE) ** (1 / games)


def surely_different(found: Mapping[Key, float]) -> set[Key]:
    """Those of many p-values that count, after Holm: the chance that even one of them is reported
    wrongly is at most 5 %."""
    kept: set[Key] = set()
    ordered = sorted(found.items(), key=lambda one: one[1])
    for place, (key, value) in enumerate(ordered):
        if value > (1 - CONFIDENCE) / (len(ordered) - place):
            break
        kept.add(key)
    return kept
