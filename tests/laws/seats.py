"""Plays random games of all rules in which one seat, a spy, calls every route with the questions and
answers of the others: nothing is done by it, and what it is answered tells nothing.

    python -m tests.laws.seats --games 2000 --workers 2 --first 1

Game number n is made from seed `--first` + n alone. Prints what was seen; ends with 1 if something
was done for another seat, or if two worlds that the spy cannot tell apart gave different answers.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ruleloom.web.live_table import UndoWish
from tests.laws.apart.routes import Place, deeds, later, probes
from tests.laws.apart.screens import screens
from tests.laws.apart.twins import Pair, Sitting
from tests.laws.many import Figures, Series

CHUNK, MOST_ANSWERS = 10, 0
# So many moments of a pair of games are looked at.
MOMENTS = 3
# What no seat is answered.
ELSEWHERE = ("host/", "bench/")


@dataclass
class Spied(Figures):
    """What was seen of games with a spy."""

    sorts: Counter[str] = field(default_factory=Counter)

    def headline(self) -> list[str]:
        n = self.counts
        return [
            f"{n['games']:,} games, {n['pairs']:,} pairs of worlds, {n['moments']:,} moments, "
            f"{n['apart']:,} of them with worlds that differ; {n['calls']:,} calls, "
            f"{n['screens']:,} screens ({n['screens apart']:,} where worlds differ)"
        ]

    def lines(self) -> list[str]:
        """The figures in words; answers are not what is counted here."""
        wrong = [f"  WRONG {line}" for line in self.wrong[:40]]
        return [*self.headline(), *self.details(), *wrong, f"{len(self.wrong):,} faults"]

    def details(self) -> list[str]:
        return [f"  {sort}: {many:,} moments" for sort, many in sorted(self.sorts.items())]


def _spy(of: Sitting, seen: Spied, most: int) -> None:
    places = Place(), Place()
    try:
        for pair in of.pairs():
            seen.counts["pairs"] += 1
            numbers = _moments(of, pair)
            for number in numbers:
                seen.wrong += [
                    f"{of}, answer {number}: {one}" for one in at_moment(places, pair, number, seen)
                ]
                seen.sorts[of.sort] += 1
            if numbers:
                seen.wrong += [f"{of}: {one}" for one in _done(places, pair.spy, seen)]
                seen.wrong += [f"{of}: {one}" for one in screens(pair, seen.counts)]
    finally:
        for place in places:
            place.close()


def _moments(of: Sitting, pair: Pair) -> list[int]:
    """Some moments of a pair, of those at which the worlds differ if there are any."""
    numbers = pair.apart or range(len(pair.here))
    return sorted(of.source("moments").sample(numbers, min(MOMENTS, len(numbers))))


def at_moment(places: Sequence[Place], pair: Pair, number: int, seen: Spied) -> list[str]:
    """What the spy learns or does at one moment, by what the others are asked and offered."""
    games = pair.here[number], pair.there[number]
    lives = [place.put(game) for place, game in zip(places, games, strict=True)]
    # Somebody waits for others to agree, and not for the spy.
    wishes = [UndoWish((pair.spy + 1) % len(live.seats), live.game, set()) for live in lives]
    for live, wish in zip(lives, wishes, strict=True):
        live.wish = wish
    seen.counts["moments"] += 1
    seen.counts["apart"] += number in pair.apart
    wrong = _differ("page", [place.shown(pair.spy) for place in places])
    one, other = places[0].shown(pair.spy)
    wrong += [] if _text(one) in _text(other) else ["a socket and a stream tell different things"]
    for probe in [*probes(lives, pair.spy), *later(lives, pair.spy)]:
        answers = [place.asked(probe, pair.spy) for place in places]
        seen.counts["calls"] += len(answers)
        wrong += _differ(str(probe), answers)
        if probe.path.startswith(ELSEWHERE) and not all(b"'status': 401" in one for one in answers):
            wrong.append(f"{probe} is answered")
        for place, live, game, wish in zip(places, lives, games, wishes, strict=True):
            if live.game is not game or place.store.writes or live.wish is not wish:
                place.store.writes = 0
                return [*wrong, f"{probe} has done something"]
    return wrong


def _text(sent: bytes) -> bytes:
    """What a page is sent, without how."""
    start = sent.find(b'{"type"')
    return sent[start : start + 200]


def _differ(what: str, answers: Sequence[object]) -> list[str]:
    one, other = map(str, answers)
    if one == other:
        return []
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return [f"{what}: {one[max(0, at - 120) : at + 120]} / {other[max(0, at - 120) : at + 120]}"]


def _done(places: Sequence[Place], spy: int, seen: Spied) -> list[str]:
    """What comes of what the spy may do, which must be the same as far as the spy sees it."""
    lives, wrong = [place.live for place in places], list[str]()
    for live in lives:
        live.wish = None
    for probe in deeds(lives, spy):
        answers = [place.asked(probe, spy) for place in places]
        seen.counts["calls"] += len(answers)
        wrong += _differ(f"{probe}", answers)
        wrong += _differ(f"page after {probe}", [place.shown(spy) for place in places])
    for place in places:
        place.store.writes = 0
    return wrong


def _sitting(seed: int, each: int) -> Sitting:
    return Sitting(seed)


SEATS = Series("game", "tests.laws.seats", __doc__, _sitting, _spy, Spied, CHUNK, MOST_ANSWERS, 0)


if __name__ == "__main__":
    sys.exit(SEATS.main())
