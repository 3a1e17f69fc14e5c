"""Exact odds of pools of dice that are looked at one by one, against icepool on the same questions.

Both begin with a pool of so many dice, in a process that is warm, and come to the same fractions.
We ask the measures of Witchgates what each die is; icepool goes through the faces by an evaluator,
the quickest way that it has for counts of a pool: `keep_outcomes(...).size()` says the same and
takes longer. Neither keeps an answer: the evaluator, in which icepool keeps its own, is made anew
each time, and odds start from the first node. What both keep are binomials; we keep the program
that was made ready, too, and how far it looked at the dice the last time: which faces, and which falls
of so many dice, it tells apart. A row tells of the pool where the ratio is the worst.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import icepool

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.odds.question import OddsQuestion, Policies, Uniform, ask
from ruleloom.runtime.search.odds import distribution

WITCHGATES = Path(__file__).parents[2] / "rulesets" / "witchgates"
POOLS = range(1, 8)
Chances = dict[Any, Fraction]


class Hits(icepool.MultisetEvaluator):
    """How many dice of a pool show a 6."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> int:
        """The hits so far, with those of one face more."""
        return (state or 0) + (count if outcome == 6 else 0)


class HitsAndGlances(icepool.MultisetEvaluator):
    """How many dice of a pool show a 6, and how many a 5 or 4, as one number."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> tuple[int, int]:
        """The hits and glances so far, with those of one face more."""
        hits, glances = state or (0, 0)
        return hits + (count if outcome == 6 else 0), glances + (count if outcome in (4, 5) else 0)

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, size: int) -> int:
        """Ten for each hit, one for each glance."""
        return int(final_state[0]) * 10 + int(final_state[1])


class Trouble(icepool.MultisetEvaluator):
    """Do more than half of the dice of a pool show a 1?"""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> int:
        """The ones so far."""
        return (state or 0) + (count if outcome == 1 else 0)

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, size: int) -> bool:
        """Are they more than half?"""
        return bool(2 * final_state > size)


class Roll(icepool.MultisetEvaluator):
    """Hits, glances and trouble of a pool together, as one number."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> tuple[int, int, int]:
        """The hits, glances and ones so far."""
        hits, glances, ones = state or (0, 0, 0)
        hits, ones = hits + (count if outcome == 6 else 0), ones + (count if outcome == 1 else 0)
        return hits, glances + (count if outcome in (4, 5) else 0), ones

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, size: int) -> int:
        """Ten for each hit, one for each glance, and a hundred for trouble."""
        hits, glances, ones = final_state
        return int(hits * 10 + glances + (100 if 2 * ones > size else 0))


ASKED: Mapping[str, tuple[str, Any]] = {
    "hits": ("hits_of(thrown)", Hits),
    "glances": ("hits_of(thrown) * 10 + glances_of(thrown)", HitsAndGlances),
    "trouble": ("in_trouble(thrown, 1)", Trouble),
}
WHOLE = "hits_of(shown) * 10 + glances_of(shown) + (100 if trouble else 0)"
ROUNDS = 7


def given_dice(number: int) -> YamlNode:
    """What is given to a pool of so many dice."""
    return items_in(f"state: {{base_dice: {number}}}\n")[0]


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Hits, hits with glances, trouble, and the whole roll, each for every pool of 1 to 7 dice."""
    content = compile_paths([WITCHGATES], reasons=False).content
    assert content is not None
    expressions = [expression for expression, _ in ASKED.values()]
    questions = [
        ask(content, f"roll each thrown = {dice} d sides_of_a_die", expressions) for dice in POOLS
    ]
    given = [given_dice(dice) for dice in POOLS]
    rolls = [ask(content, "use throw_pool(me)", [WHOLE], given=one) for one in given]
    gc.freeze()  # else each round would first collect among all these programs
    try:
        for number, (key, (_, evaluator)) in enumerate(ASKED.items()):
            if key in keys:
                yield _worst(key, number, evaluator, questions)
        if "roll" in keys:
            yield _worst("roll", 0, Roll, rolls)
    finally:
        gc.unfreeze()


def _worst(key: str, number: int, evaluator: Any, questions: Sequence[OddsQuestion]) -> Figure:
    """The figure of the pool where the ratio is the worst, of all that give the same fractions."""
    found = []
    for dice, question in zip(POOLS, questions, strict=True):
        ours = partial(pool_odds, question, number)
        reference = partial(_reference, evaluator, dice)
        assert ours() == fractions_of(reference())
        taken, theirs = side_by_side(ours, reference, 10, ROUNDS)
        found.append((taken / theirs, taken, theirs, dice))
    _, taken, theirs, dice = max(found)
    return Figure(key, taken, theirs, ROUNDS, note=f"worst for {dice}")


def pool_odds(question: OddsQuestion, number: int) -> Chances:
    """The odds of an expression of a question, as `ruleloom odds` works them out."""
    plan = Policies(question, {}, Uniform(), 200_000)
    return distribution(
        question.nodes[number],
        lambda state: question.value(state, number)[0],
        plan.choice,
        plan.ended,
        falls=plan.fall,
        variables=False,
    )


def _reference(evaluator: Any, dice: int) -> Any:
    return evaluator().evaluate(icepool.d6.pool(dice))


def fractions_of(die: Any) -> Chances:
    """The chances of what icepool calls a die."""
    return {value: Fraction(die.quantity(value), die.denominator()) for value in die}
