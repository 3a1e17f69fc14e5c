"""How long refusals take, in worlds that a spy cannot tell apart: a rank test of the two.

python -m tests.laws.apart.timing --twins 50 --first 0
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import count, groupby, islice
from math import erfc, sqrt
from typing import TypeAlias

from tests.laws.apart.routes import Place, probes
from tests.laws.apart.twins import Pair, Sitting

Nanoseconds: TypeAlias = list[int]


def refusal_times(pairs: Iterator[Pair]) -> tuple[Nanoseconds, Nanoseconds]:
    """How long each refused request took in either world, each world first in turn."""
    places, times = (Place(), Place()), (Nanoseconds(), Nanoseconds())
    for pair in pairs:
        number = pair.apart[-1]
        games = pair.here[number], pair.there[number]
        lives = [place.put(game) for place, game in zip(places, games, strict=True)]
        for turn, probe in enumerate(probes(lives, pair.spy)):
            for world in (turn % 2, 1 - turn % 2):
                begun = time.perf_counter_ns()
                answer = places[world].asked(probe, pair.spy)
                taken = time.perf_counter_ns() - begun
                if b"'status': 200" not in answer:
                    times[world].append(taken)
    for place in places:
        place.close()
    return times


def rank_test(one: Sequence[float], other: Sequence[float]) -> float:
    """How likely ranks are at least this unlike by chance, by Mann and Whitney, of many numbers."""
    both = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks, ties, at = 0.0, 0, 0
    for _, group in groupby(both, key=lambda pair: pair[0]):
        held = [whose for _, whose in group]
        ranks += held.count(0) * (at + (len(held) + 1) / 2)
        ties += len(held) ** 3 - len(held)
        at += len(held)
    n, m, all_ = len(one), len(other), len(both)
    spread = sqrt(n * m / 12 * (all_ + 1 - ties / (all_ * (all_ - 1))))
    return erfc(abs(ranks - n * (all_ + 1) / 2) / spread / sqrt(2))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--twins", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    said = parser.parse_args()
    pairs = (pair for seed in count(said.first) for pair in Sitting(seed).pairs() if pair.apart)
    times = refusal_times(islice(pairs, said.twins))
    medians = [sorted(one)[len(one) // 2] / 1e6 for one in times]
    print(
        f"{said.twins} twins, {len(times[0]):,} and {len(times[1]):,} refusals, medians of "
        f"{medians[0]:.3f} and {medians[1]:.3f} ms, p = {rank_test(*times):.2f}"
    )


if __name__ == "__main__":
    main()
