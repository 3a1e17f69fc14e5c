"""Statistics: intervals for shares and means, the games that a difference needs, and corrections for multiple
comparisons.

Figures are floats here: they are estimates, and are compared only with each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb, inf, sqrt
from operator import attrgetter
from random import Random
from statistics import NormalDist
from typing import Any, TypeVar

from ruleloom.bots.tree_search import RewardScale, scale_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.simulate.run_plan import GameRecord

CONFIDENCE = 0.95
SPREAD = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""The deviations on each side that hold this share of a normal curve."""
FOUND = SPREAD + NormalDist().inv_cdf(0.8)
"""The difference, in deviations, that four of five runs find."""
LEAST_DIFFERENT = 6
"""Fewer signs than this, all equal, occur by chance in more than one of twenty cases."""
FLIPS, ENOUGH_AS_FAR = 50_000, 200
"""Random signs are tried this often, or until this many come out as far from 0."""
BLOCK, PLACES = 8, 9
Key = TypeVar("Key")


class Estimate(Frozen):
    """A figure with its interval, from `games` games."""

    value: float
    low: float
    high: float
    games: int

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Is `value` outside the interval?"""
        return not self.low <= value <= self.high


def share(successes: float, games: int) -> Estimate:
    """A share and its Wilson interval. Shared wins may count as fractions."""
    if not games:
        return Estimate(0.0, 0.0, 1.0, 0)
    found, square = successes / games, SPREAD * SPREAD
    middle = (found + square / (2 * games)) / (1 + square / games)
    deviation = sqrt(found * (1 - found) / games + square / (4 * games * games))
    half = SPREAD / (1 + square / games) * deviation
    return Estimate(found, max(0.0, middle - half), min(1.0, middle + half), games)


def mean(values: Sequence[float]) -> Estimate:
    """A mean and its interval: infinite below two values."""
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
    """The mean of differences between -1 and 1, and its interval.

    Gains and losses are two shares of the pairs, each with a Wilson interval; the half-widths on each side
    are combined (Newcombe). So few differing pairs, or none, do not pass for certainty.
    """
    number = len(values)
    if not number:
        return Estimate(0.0, -1.0, 1.0, 0)
    gains = share(sum(max(one, 0.0) for one in values), number)
    losses = share(sum(max(-one, 0.0) for one in values), number)
    middle = gains.value - losses.value
    # A pair that gains does not lose: the two shares are negatively correlated.
    both = 2 * gains.value * losses.value * SPREAD**2 / number
    below = sqrt((gains.value - gains.low) ** 2 + (losses.high - losses.value) ** 2 + both)
    above = sqrt((gains.high - gains.value) ** 2 + (losses.value - losses.low) ** 2 + both)
    return Estimate(middle, max(-1.0, middle - below), min(1.0, middle + above), number)


def p_value(values: Sequence[float]) -> float:
    """The chance that these differences would be as far from 0 if each sign were equally likely.

    This is Wilcoxon's signed-rank test, for any sample size and spread: ranks of one size are tested
    exactly by their signs, and others with random signs. If the mean and the ranks disagree in sign, the
    result is 1.
    """
    ranks = _signed_ranks(list(filter(None, values)))
    if sum(ranks) * sum(values) <= 0:
        return 1.0
    if len({abs(one) for one in ranks}) == 1:
        return sign_test(sum(one > 0 for one in ranks), len(ranks))
    luck = Random(repr(values))
    sums = [_signed_sums(ranks[at : at + BLOCK]) for at in range(0, len(ranks), BLOCK)]
    least, as_far = abs(sum(ranks)), 1  # the observed signs are one of the cases
    for tried in range(1, FLIPS + 1):
        signs = luck.randbytes(len(sums))
        total = sum(block[sign] for block, sign in zip(sums, signs, strict=True))
        as_far += abs(total) >= least
        if as_far == ENOUGH_AS_FAR:
            return as_far / (tried + 1)
    return as_far / (FLIPS + 1)


def _signed_ranks(values: Sequence[float]) -> list[int]:
    """The signed rank of each value by size; doubled, so that the mean rank of ties is whole."""
    sizes = sorted(round(abs(one), PLACES) for one in values)
    places = {size: bisect_left(sizes, size) + bisect_right(sizes, size) + 1 for size in {*sizes}}
    return [places[round(abs(one), PLACES)] * (1 if one > 0 else -1) for one in values]


def _signed_sums(block: Sequence[int]) -> list[int]:
    """The sums of a block under all sign patterns, indexed by bits; surplus bits have no effect."""
    return [
        sum(one if signs >> place & 1 else -one for place, one in enumerate(block))
        for signs in range(1 << BLOCK)
    ]


def sign_test(rises: int, of: int) -> float:
    """The chance that `of` fair coins show as many heads as `rises`, or further from half."""
    rare = min(rises, of - rises)
    return float(min(1, 2 * sum(comb(of, number) for number in range(rare + 1)) / (1 << of)))


def games_for_width(half_width: float) -> int:
    """The games after which the interval of a share has at most this half-width."""
    return ceil(0.25 * (SPREAD / half_width) ** 2)


def games_for_difference(difference: float) -> int:
    """The games per side after which four of five runs find a difference of two shares.

    For games that share their seeds this is an upper bound: what both sides have in common cancels out.
    """
    return ceil(0.5 * (FOUND / difference) ** 2)


def smallest_difference(games: int) -> float:
    """The difference of two shares that this many games per side find in four of five runs."""
    return FOUND * sqrt(0.5 / games)


def rarest_seen(games: int) -> float:
    """The upper bound on the chance of what `games` never showed."""
    return 1.0 if games == 0 else 1 - (1 - CONFIDENCE) ** (1 / games)


def surely_different(found: Mapping[Key, float]) -> set[Key]:
    """The keys of the p-values that are significant after Holm: the chance of even one false report is at
    most 5 %."""
    kept: set[Key] = set()
    ordered = sorted(found.items(), key=lambda one: one[1])
    for place, (key, value) in enumerate(ordered):
        if value > (1 - CONFIDENCE) / (len(ordered) - place):
            break
        kept.add(key)
    return kept


Figure = Callable[[GameRecord], float]


class Contrast(Frozen):
    """One figure of two runs: its value in each, and their difference with its interval."""

    name: str
    old: float
    new: float
    difference: Estimate
    chance: float  # of a difference this large by chance alone
    is_share: bool
    sure: bool = False

    def exceeds(self, threshold: float) -> bool:
        """Does a share surely differ, by more than the threshold?"""
        return self.is_share and self.sure and abs(self.difference.value) > threshold


def contrasts(
    old: Sequence[GameRecord], new: Sequence[GameRecord], players: Sequence[str]
) -> list[Contrast]:
    """All figures of two runs, sure differences marked."""
    pairs = list(zip(old, new, strict=False))
    figures = _figures([*old, *new], players)
    return sure_together([[_contrast(*figure, pairs) for figure in figures]])[0]


def sure_together(found: Sequence[Sequence[Contrast]]) -> list[list[Contrast]]:
    """The figures of several comparisons, with those marked that are significant among all."""
    chances = {
        (number, one.name): one.chance for number, group in enumerate(found) for one in group
    }
    sure = surely_different(chances)
    return [
        [replace(one, sure=(number, one.name) in sure) for one in group]
        for number, group in enumerate(found)
    ]


def _contrast(
    name: str, figure: Figure, is_share: bool, pairs: Sequence[tuple[GameRecord, GameRecord]]
) -> Contrast:
    before = [figure(one) for one, _ in pairs]
    after = [figure(one) for _, one in pairs]
    differences = [b - a for a, b in zip(before, after, strict=True)]
    number = max(1, len(pairs))
    return Contrast(
        name,
        sum(before) / number,
        sum(after) / number,
        paired(differences) if is_share else mean(differences),
        p_value(differences),
        is_share,
    )


def _figures(
    records: Sequence[GameRecord], players: Sequence[str]
) -> list[tuple[str, Figure, bool]]:
    """The figures to compare: wins by seat and bot, endings, lengths of games, items used."""
    figures: list[tuple[str, Figure, bool]] = [
        (f"wins of {name}", lambda one, seat=seat: one.won(seat), True)  # type: ignore[misc]
        for seat, name in enumerate(players)
    ]
    figures += _standing_figures(records, players)
    kinds = sorted({kind for one in records for kind in one.seats})
    if len(kinds) > 1:
        figures += [
            (f"wins of {kind}", lambda one, kind=kind: won_by(one, kind), True)  # type: ignore[misc]
            for kind in kinds
        ]
    for why in sorted({one.ended for one in records if one.ended}):
        figures.append(
            (f"ends: {why}", lambda one, why=why: float(one.ended == why), True)  # type: ignore[misc]
        )
    figures.append(("comes to an end", lambda one: float(one.finished), True))
    figures.append(("turns", lambda one: float(one.turns), False))
    figures.append(("decisions", lambda one: float(one.decisions), False))
    for name in sorted({name for one in records for name in one.used}):
        figures.append(
            (f"games with {name}", lambda one, name=name: float(name in one.used), True)  # type: ignore[misc]
        )
    return figures


def _standing_figures(
    records: Sequence[GameRecord], players: Sequence[str]
) -> list[tuple[str, Figure, bool]]:
    """The standing of each seat, if unfinished games were judged."""
    judged = [one for one in records if one.standings]
    if not judged:
        return []
    scale = scale_of([one.ahead(seat) for one in judged for seat in range(len(players))])
    return [
        (f"standing of {name}", lambda one, seat=seat: standing(one, seat, scale), True)  # type: ignore[misc]
        for seat, name in enumerate(players)
    ]


def standing(record: GameRecord, seat: int, scale: RewardScale) -> float:
    """The worth of a game to a seat, from 0 to 1: a win or a loss, or else its lead at the end as rated by
    the judge."""
    return scale.reward(record.ahead(seat)) if record.standings else record.won(seat)


def won_by(record: GameRecord, kind: str) -> float:
    """The share of a win that all seats of one kind have."""
    return sum(record.won(seat) for seat, one in enumerate(record.seats) if one == kind)


ESTIMATE = "value low high games"
CONTRAST = (
    "figure=name old new difference=difference.value low=difference.low high=difference.high "
    "chance sure"
)


def data_of(one: Any, fields: str) -> dict[str, Any]:
    """Fields of an object as JSON data; `met=use.met` renames one."""
    pairs = (field.partition("=") for field in fields.split())
    return {name: plain_data(attrgetter(path or name)(one)) for name, _, path in pairs}


def plain_data(value: Any) -> Any:
    """A value as JSON data: floats rounded to six places, fractions as strings."""
    match value:
        case float():
            return round(value, 6)
        case Fraction():
            return str(value)
        case Estimate():
            return data_of(value, ESTIMATE)
        case Contrast():
            return data_of(value, CONTRAST)
        case Mapping():
            return {key: plain_data(one) for key, one in value.items()}
        case list() | tuple():
            return [plain_data(one) for one in value]
    return value
