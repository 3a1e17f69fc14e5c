"""Two runs held against each other, game by game: game n of both has the same seed.

What they have in common takes itself off, so that a difference is found with fewer games. Of many
figures looked at together, those are called different that Holm's correction leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ruleloom.bots.tree_search import RewardScale, scale_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.intervals import Estimate, mean, p_value, paired, surely_different

Figure = Callable[[GameRecord], float]


@dataclass(frozen=True, slots=True)
class Contrast:
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


def contrast_data(one: Contrast) -> dict[str, Any]:
    """A contrast as plain data."""
    return {
        "figure": one.name,
        "old": round(one.old, 6),
        "new": round(one.new, 6),
        "difference": round(one.difference.value, 6),
        "low": round(one.difference.low, 6),
        "high": round(one.difference.high, 6),
        "chance": round(one.chance, 6),
        "sure": one.sure,
    }
