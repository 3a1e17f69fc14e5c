"""How sure a figure is: intervals for shares and means, the games that a difference needs, and
corrections where many things are looked at together.

Figures are decimal numbers here: they are estimates, and nothing is compared with them but each
other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, comb, inf, sqrt
from statistics import NormalDist
from typing import TypeVar

from ruleloom.runtime.dataclass import dataclass

CONFIDENCE = 0.95
POWER = 0.8
SIGNS_BELOW = 10
"""Of fewer differences that are none of them 0, only the signs are counted."""
LEAST_DIFFERENT = 6
"""Fewer than so many signs, all the same, come about by chance more often than in one of twenty cases."""
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


def quantile(confidence: float = CONFIDENCE) -> float:
    """How many standard deviations to each side hold this share of a normal distribution."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def share(successes: float, games: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share and its interval, after Wilson. Shared wins may count as fractions."""
    if not games:
        return Estimate(0.0, 0.0, 1.0, 0)
    spread = quantile(confidence)
    found, square = successes / games, spread * spread
    middle = (found + square / (2 * games)) / (1 + square / games)
    deviation = sqrt(found * (1 - found) / games + square / (4 * games * games))
    half = spread / (1 + square / games) * deviation
    return Estimate(found, max(0.0, middle - half), min(1.0, middle + half), games)


def mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """A mean and its interval. From fewer than two values nothing is sure."""
    if not values:
        return Estimate(0.0, -inf, inf, 0)
    middle, deviation = _mean_and_error(values)
    half = quantile(confidence) * deviation
    return Estimate(middle, middle - half, middle + half, len(values))


def paired(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of differences that lie between -1 and 1, and its interval.

    Gains and losses are two shares of the pairs, each with its interval after Wilson; what these
    leave open to each side is put together (Newcombe). So a few pairs that differ, or none, do not
    pass for certainty.
    """
    number = len(values)
    if not number:
        return Estimate(0.0, -1.0, 1.0, 0)
    gains = share(sum(max(one, 0.0) for one in values), number, confidence)
    losses = share(sum(max(-one, 0.0) for one in values), number, confidence)
    middle = gains.value - losses.value
    # Where one pair gains, it does not lose: the two shares pull the same way.
    both = 2 * gains.value * losses.value * quantile(confidence) ** 2 / number
    below = sqrt((gains.value - gains.low) ** 2 + (losses.high - losses.value) ** 2 + both)
    above = sqrt((gains.high - gains.value) ** 2 + (losses.value - losses.low) ** 2 + both)
    return Estimate(middle, max(-1.0, middle - below), min(1.0, middle + above), number)


def p_value(values: Sequence[float]) -> float:
    """How often differences whose true mean is 0 would come out as far from 0 as these.

    Where only few games differ at all, the number of those that do is what tells: the exact sign test,
    which gives nothing below 5 % to fewer than `LEAST_DIFFERENT`.
    """
    apart = [one for one in values if one]
    if len(apart) < SIGNS_BELOW:
        return sign_test(sum(one > 0 for one in apart), len(apart))
    middle, error = _mean_and_error(values)
    # Under the assumption that the mean is 0, the error is that around 0.
    around_zero = sqrt(sum(one * one for one in values)) / len(values)
    return 2 * (1 - NormalDist().cdf(abs(middle) / max(error, around_zero)))


def sign_test(rises: int, of: int) -> float:
    """How often so many of several fair coins, or more unlike a half, show heads."""
    rare = min(rises, of - rises)
    return float(min(1, 2 * sum(comb(of, number) for number in range(rare + 1)) / (1 << of)))


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    number = len(values)
    middle = sum(values) / number
    if number < 2:
        return middle, inf
    variance = sum((one - middle) ** 2 for one in values) / (number - 1)
    return middle, sqrt(variance / number)


def games_for_width(half_width: float, confidence: float = CONFIDENCE, middle: float = 0.5) -> int:
    """The games after which the interval of a share is so wide to each side, or narrower."""
    spread = quantile(confidence)
    return ceil(middle * (1 - middle) * (spread / half_width) ** 2)


def games_for_difference(
    difference: float,
    middle: float = 0.5,
    power: float = POWER,
    confidence: float = CONFIDENCE,
) -> int:
    """The games on each side after which a difference of two shares is found with this `power`.

    For games that share their seeds this is the most that can be needed: what both sides have in
    common takes itself off.
    """
    both = quantile(confidence) + NormalDist().inv_cdf(power)
    return ceil(2 * middle * (1 - middle) * (both / difference) ** 2)


def smallest_difference(games: int, middle: float = 0.5, power: float = POWER) -> float:
    """The difference of two shares that so many games on each side find with this `power`."""
    both = quantile() + NormalDist().inv_cdf(power)
    return both * sqrt(2 * middle * (1 - middle) / games)


def rarest_seen(games: int, confidence: float = CONFIDENCE) -> float:
    """What never came up in so many games is rarer than this, so sure."""
    return 1.0 if games == 0 else 1 - (1 - confidence) ** (1 / games)


def surely_different(found: Mapping[Key, float], rate: float = 1 - CONFIDENCE) -> set[Key]:
    """Those of many p-values that count, where at most `rate` of all reported may be chance alone.

    Holm's step-down: the chance that even one of them is reported wrongly is at most `rate`.
    """
    kept: set[Key] = set()
    ordered = sorted(found.items(), key=lambda one: one[1])
    for place, (key, value) in enumerate(ordered):
        if value > rate / (len(ordered) - place):
            break
        kept.add(key)
    return kept
