"""Exact odds of what is kept of a pool, against icepool on the same questions.

Both come to the same fractions, in a process that is warm. We compile the question first; icepool is
given what it is fastest with, and an evaluator that is made anew each time, as it keeps answers.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import icepool

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from benchmarks.odds.pools import fractions_of, pool_odds
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.odds.question import ask

GAME = Path(__file__).parents[2] / "rulesets" / "gnostica"
ROUNDS = 5


class Total(icepool.MultisetEvaluator):
    """What the dice that are kept add up to."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> int:
        """The sum so far, with the dice of one face more."""
        return (state or 0) + outcome * count


class LargestSet(icepool.MultisetEvaluator):
    """How many dice show the face that the most of them show."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> int:
        """The largest set so far."""
        return max(state or 0, count)


class LongestRun(icepool.MultisetEvaluator):
    """How many faces in a row are shown."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> tuple[int, int]:
        """The run that may go on, and the longest."""
        run, longest = state or (0, 0)
        run = run + 1 if count else 0
        return run, max(run, longest)

    def extra_outcomes(self, outcomes: Any) -> Any:
        """No face may be left out."""
        return self.consecutive(outcomes)

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, size: int) -> int:
        """The longest run."""
        return int(final_state[1])


def _kept(number: int, sides: int, most: int) -> Any:
    return Total().evaluate(icepool.d(sides).pool(number).highest(most))


def _opposed() -> Any:
    return _kept(12, 100, 3) > _kept(12, 100, 3)


SET = "highest(count(d: p where d = face) for face: 1 .. 10)"
RUN = "highest(n for n: 1 .. 6 where exists(f: 1 .. 6 where every(k: f .. f + n - 1 where k in p)))"
TWO = "roll each p = 12 d 100\nroll each q = 12 d 100"
ASKED: Mapping[str, tuple[str, str, Callable[[], Any]]] = {
    "keep-3-5d10": ("roll each p = 5 d 10", "sum(first(3, p))", partial(_kept, 5, 10, 3)),
    "keep-3-12d100": ("roll each p = 12 d 100", "sum(first(3, p))", partial(_kept, 12, 100, 3)),
    "highest-12d6": ("roll each p = 12 d 6", "highest(p)", partial(icepool.d6.highest, 12, 1)),
    "highest-2d100": ("roll each p = 2 d 100", "highest(p)", partial(icepool.d(100).highest, 2, 1)),
    "set-6d10": (
        "roll each p = 6 d 10",
        SET,
        lambda: LargestSet().evaluate(icepool.d(10).pool(6)),
    ),
    "run-20d6": ("roll each p = 20 d 6", RUN, lambda: LongestRun().evaluate(icepool.d6.pool(20))),
    "opposed": (TWO, "sum(first(3, p)) > sum(first(3, q))", _opposed),
}


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Sums of the best, the best, sets and runs of one pool, and one pool against another."""
    content = compile_paths([GAME], reasons=False).content
    assert content is not None
    questions = {key: ask(content, text, [told]) for key, (text, told, _) in ASKED.items()}
    gc.freeze()  # else each round would first collect among all these programs
    try:
        for key, (_, _, reference) in ASKED.items():
            if key in keys:
                ours = partial(pool_odds, questions[key], 0)
                assert ours() == fractions_of(reference())
                yield Figure(key, *side_by_side(ours, reference, 3, ROUNDS), ROUNDS)
    finally:
        gc.unfreeze()
