"""How sure a figure is: intervals for shares and means, the games that a difference needs, and
corrections where many things are looked at together.

Figures are decimal numbers here: they are estimates, and nothing is compared with them but each
other.
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
"""So many deviations to each side hold this share of a normal distribution."""
FOUND = SPREAD + NormalDist().inv_cdf(0.8)
"""So many deviations is a difference that four of five runs find."""
LEAST_DIFFERENT = 6
"""Fewer than so many signs, all the same, come about by chance more often than in one of twenty cases."""
FLIPS, ENOUGH_AS_FAR = 50_000, 200
"""Random signs are tried so often, or until so many of them come out as far from 0."""
BLOCK, PLACES = 8, 9
Key = TypeVar("Key")


class Estimate(Frozen):
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
    ranks = _signed_ranks(list(filter(None, values)))
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


Figure = Callable[[GameRecord], float]


class Contrast(Frozen):
    """One figure of two runs: what it is in each, and their difference with its interval."""

    name: str
    old: float
    new: float
    difference: Estimate
    chance: float  # that a difference so large comes about by chance alone
    is_share: bool
    sure: bool = False

    def exceeds(self, threshold: float) -> bool:
        """Is a share surely different, and by more than the threshold?"""
        return self.is_share and self.sure and abs(self.difference.value) > threshold


def contrasts(
    old: Sequence[GameRecord], new: Sequence[GameRecord], players: Sequence[str]
) -> list[Contrast]:
    """All figures of two runs; those that surely differ are marked."""
    pairs = list(zip(old, new, strict=False))
    figures = _figures([*old, *new], players)
    return sure_together([[_contrast(*figure, pairs) for figure in figures]])[0]


def sure_together(found: Sequence[Sequence[Contrast]]) -> list[list[Contrast]]:
    """The figures of several comparisons, with those marked that are sure among all of them."""
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
    """The figures compared: wins by seat and by bot, endings, lengths of games, items used."""
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
    """The standing of each seat, where games were judged as they stood."""
    judged = [one for one in records if one.standings]
    if not judged:
        return []
    scale = scale_of([one.ahead(seat) for one in judged for seat in range(len(players))])
    return [
        (f"standing of {name}", lambda one, seat=seat: standing(one, seat, scale), True)  # type: ignore[misc]
        for seat, name in enumerate(players)
    ]


def standing(record: GameRecord, seat: int, scale: RewardScale) -> float:
    """What a game is worth to a seat, from 0 to 1: a win or a loss, or else how far ahead of the others
    it stands in the end, as the judge has it."""
    return scale.reward(record.ahead(seat)) if record.standings else record.won(seat)


def won_by(record: GameRecord, kind: str) -> float:
    """The share of the win that all seats of a kind of bot have."""
    return sum(record.won(seat) for seat, one in enumerate(record.seats) if one == kind)


ESTIMATE = "value low high games"
CONTRAST = (
    "figure=name old new difference=difference.value low=difference.low high=difference.high "
    "chance sure"
)


def data_of(one: Any, fields: str) -> dict[str, Any]:
    """Fields of a thing as plain data for JSON; `met=use.met` is one under a name of its own."""
    pairs = (field.partition("=") for field in fields.split())
    return {name: plain_data(attrgetter(path or name)(one)) for name, _, path in pairs}


def plain_data(value: Any) -> Any:
    """A value as plain data: decimal numbers to six places, fractions as texts."""
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
