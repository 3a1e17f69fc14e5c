"""Tables of odds: the values of each expression with their chances.

Exact within the budget of states; beyond it, random runs give each chance a 95 % interval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import Any

from ruleloom.odds.question import NOTHING, OddsQuestion, Policies
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.symbolic_pools import PoolTruth
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.program.program import DICE_A_STEP, Roll, RollEach
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, distribution

LEAST_RUNS = 1_000
# The standard deviations on each side that hold 19 of 20 in a normal distribution.
SPREAD = 1.959964
Interval = tuple[float, float]
Chances = Mapping[Any, Fraction]


class OddsRow(Frozen):
    """One value and its chance."""

    value: str
    chance: Fraction
    at_least: Fraction | None  # the chance of this number or more
    between: Interval | None  # of an estimated chance


class OddsTable(Frozen):
    """The values of one expression."""

    of: str
    lines: tuple[OddsRow, ...]
    mean: Fraction | None  # of its numbers, if any
    mean_between: Interval | None  # of an estimated mean


class Odds(Frozen):
    """The odds of all expressions of a question."""

    tables: tuple[OddsTable, ...]
    runs: int  # 0 if the chances are exact
    spent: str  # the reason if they are not
    # Prompts for free text, at which one text stood for all.
    written: tuple[str, ...] = ()


def odds(question: OddsQuestion, policies: Policies, seed: int) -> Odds:
    """The tables of a question. Raises OverBudget if the best answers are out of reach."""
    chances = [_chances(question, policies, one, seed) for one in range(len(question.nodes))]
    tables = tuple(
        _table(question, number, found, runs) for number, (found, runs, _) in enumerate(chances)
    )
    most = max((runs for _, runs, _ in chances), default=0)
    spent = next((spent for _, _, spent in chances if spent), "")
    return Odds(tables, most, spent, tuple(sorted(policies.written)))


def _chances(
    question: OddsQuestion, policies: Policies, number: int, seed: int
) -> tuple[Chances, int, str]:
    """The chance of each value of an expression, the number of runs, and their reason; 0 runs if exact."""

    def outcome(state: State) -> Hashable:
        found = question.value(state, number)
        return (isinstance(found[0], bool | PoolTruth), found[0]) if found else (NOTHING,)

    node, choice, ended = question.nodes[number], policies.choice, policies.ended
    budget, falls = policies.budget, policies.fall
    try:
        found = distribution(node, outcome, choice, ended, True, budget, falls, variables=False)
        return found, 0, ""
    except OverBudget as fault:
        if policies.best:
            raise
        spent = fault.message
    counts = sampled(node, outcome, policies, seed)
    runs = counts.total()
    return {key: Fraction(count, runs) for key, count in counts.items()}, runs, spent


def sampled(
    start: PlayNode, outcome: Callable[[State], Hashable], policies: Policies, seed: int
) -> Counter[Hashable]:
    """Counts of outcomes over random runs, until the budget of prompts is spent; a roll of many dice counts
    as several."""
    dice = Xoshiro.seeded(seed)
    counts: Counter[Hashable] = Counter()
    met = 0
    while met < policies.budget or counts.total() < LEAST_RUNS:
        node = start
        while not policies.ended(node):
            met += 1 + (node.dice[0] // DICE_A_STEP if isinstance(node.row, Roll) else 0)
            node, dice = _answered(node, policies, dice)
        counts[outcome(node.state)] += 1
    return counts


def _answered(node: PlayNode, policies: Policies, dice: Xoshiro) -> tuple[PlayNode, Xoshiro]:
    """The node after one random answer, and the next generator state. Dice are thrown, since their results
    are too many to list."""
    if isinstance(node.row, Roll) and isinstance(policies.fall(node), Fair):
        throw = dice.roll_each if isinstance(node.row, RollEach) else dice.roll
        value, dice = throw(*node.dice)
        return node.after(value), dice
    ways, player = policies.ways(node)
    ends = list(accumulate(weight for _, weight in ways))
    place, dice = dice.below(ends[-1])
    return node.after(ways[bisect_right(ends, place)][0], player), dice


def _table(question: OddsQuestion, number: int, found: Chances, runs: int) -> OddsTable:
    """The table of one expression: numbers in ascending order, then all else by name."""
    numbers = {k[1]: found[k] for k in sorted(k for k in found if _is_number(question, number, k))}
    weight = left = sum(numbers.values(), Fraction(0))
    lines = []
    for value, chance in numbers.items():
        text = question.text(number, value)
        lines.append(OddsRow(text, chance, left, _between(chance, runs)))
        left -= chance
    others = sorted(
        (NOTHING if len(key) == 1 else question.text(number, key[1]), chance)
        for key, chance in found.items()
        if not _is_number(question, number, key)
    )
    lines += [OddsRow(text, chance, None, _between(chance, runs)) for text, chance in others]
    mean, bounds = _mean(numbers, weight, runs) if numbers else (None, None)
    return OddsTable(question.asked[number], tuple(lines), mean, bounds)


def _mean(numbers: Chances, weight: Fraction, runs: int) -> tuple[Fraction, Interval | None]:
    """The mean of numbers whose chances add up to `weight`, with its interval for runs."""
    mean = sum((n * chance for n, chance in numbers.items()), Fraction(0)) / weight
    if not runs:
        return mean, None
    square = sum((n * n * chance for n, chance in numbers.items()), Fraction(0)) / weight
    half = SPREAD * sqrt((square - mean * mean) / (runs * weight))
    return mean, (float(mean) - half, float(mean) + half)


def _is_number(question: OddsQuestion, number: int, key: tuple[Any, ...]) -> bool:
    if len(key) == 1 or key[0] or not isinstance(key[1], int | Fraction):
        return False
    return question.types[number] in ("", "Int", "Int?", "Fraction", "Fraction?")


def _between(chance: Fraction, runs: int) -> Interval | None:
    """The Wilson interval of a chance estimated from `runs` runs."""
    if not runs:
        return None
    share, square = float(chance), SPREAD * SPREAD
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    deviation = sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    half = SPREAD / (1 + square / runs) * deviation
    return max(0.0, middle - half), min(1.0, middle + half)
