"""A ladder: how strong players are, from who has won against whom, after Bradley and Terry.

The odds that one beats another are as their strengths; strengths are told as points of a ladder on
which 400 points are odds of ten to one. A draw counts as half a win for each. Everybody has also
played one drawn game against a player of middling strength, so that nobody who has won all games is
infinitely strong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log, sqrt

from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.intervals import Estimate, quantile

ROUNDS = 500
POINTS = 400 / log(10)
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rung:
    """One player of a ladder: their points with an interval, and the games that these rest on."""

    name: str
    points: Estimate


def wins_of(records: Sequence[GameRecord]) -> dict[Pair, float]:
    """How often each kind of bot has done better than each other in a game; a draw counts half.

    Of several seats, each of one kind against each of another counts.
    """
    won: defaultdict[Pair, float] = defaultdict(float)
    for record in records:
        if not record.finished:
            continue
        for seat, kind in enumerate(record.seats):
            for other, rival in enumerate(record.seats):
                if kind != rival:
                    better = record.won(seat) - record.won(other)
                    won[kind, rival] += 0.5 + 0.5 * ((better > 0) - (better < 0))
    return dict(won)


def ladder(won: Mapping[Pair, float]) -> list[Rung]:
    """The rungs, the strongest first; their points are 0 on average."""
    names = sorted({name for pair in won for name in pair})
    strength = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        for name in names:
            # One step of Newton's method for one player, the others as they are.
            slope, bend = _slope_and_bend(name, names, won, strength)
            strength[name] += max(-1.0, min(1.0, slope / bend))
    middle = sum(strength.values()) / max(1, len(names))
    rungs = []
    for name in names:
        _, bend = _slope_and_bend(name, names, won, strength)
        half = quantile() / sqrt(bend) * POINTS
        points = (strength[name] - middle) * POINTS
        games = round(sum(won.get((name, o), 0) + won.get((o, name), 0) for o in names))
        rungs.append(Rung(name, Estimate(points, points - half, points + half, games)))
    return sorted(rungs, key=lambda one: -one.points.value)


def _slope_and_bend(
    name: str, names: Sequence[str], won: Mapping[Pair, float], strength: Mapping[str, float]
) -> tuple[float, float]:
    """How the likelihood of all results changes with the strength of one player."""
    expected = _better(strength[name], 0.0)
    slope, bend = 0.5 - expected, expected * (1 - expected)
    for other in names:
        games = won.get((name, other), 0.0) + won.get((other, name), 0.0)
        if other != name and games:
            expected = _better(strength[name], strength[other])
            slope += won.get((name, other), 0.0) - games * expected
            bend += games * expected * (1 - expected)
    return slope, bend


def _better(one: float, other: float) -> float:
    return 1 / (1 + exp(other - one))
