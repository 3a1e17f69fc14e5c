"""Exact odds: merging equal states changes the work, never a number."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from runtime.game import link_game, new_game
from runtime.node import Node
from runtime.odds import OverBudget, distribution
from tests.laws.oracle import Man
from tests.laws.positions import answered, routine_slugs, turn_of, world_of
from tests.laws.small_programs import small_program
from tests.laws.strategies import linked
from tests.toy import bind

MOST_NODES = 5_000


class Counted:
    """Says whether a node is the end, and counts the nodes it is asked about."""

    def __init__(self, closing=frozenset()):
        self.seen = 0
        self.closing = closing

    def __call__(self, node: Node) -> bool:
        self.seen += 1
        return node.over or bool(self.closing and routine_slugs(node) & self.closing)


def both(start, outcome, policy, closing=frozenset()):
    """The odds with and without merging, and the nodes that each has seen."""
    merged, single = Counted(closing), Counted(closing)
    plain = distribution(start, outcome, policy, single, merge=False, budget=MOST_NODES)
    odds = distribution(start, outcome, policy, merged)
    return odds, plain, merged.seen, single.seen


def every(node):
    return [(value, 1) for value in node.answers()]


def uneven(node):
    """Answers with weights of their own: 1, 2, 3, 1, 2, 3, ..."""
    return [(value, 1 + number % 3) for number, value in enumerate(node.answers())]


@settings(max_examples=250, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 1_000_000), st.integers(1, 7))
def test_merged_odds_are_the_odds(seed, size):
    start = new_game(link_game(small_program(seed, size), bind, ("A", "B"))).node
    for policy in (every, uneven):
        try:
            odds, plain, merged, single = both(start, lambda state: state[:2], policy)
        except OverBudget:
            assume(False)
        assert odds == plain
        assert sum(odds.values()) == 1
        assert all(isinstance(chance, Fraction) and chance > 0 for chance in odds.values())
        assert merged <= single
    event("nodes saved" if merged < single else "nothing to merge")
