"""Exact odds: merging equal states changes the work, never a number."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, event, given
from hypothesis import strategies as st

from ruleloom.runtime.analysis.rows import forgotten
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.search import odds
from ruleloom.runtime.search import odds as canonical
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, distribution
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.positions import answered, routine_slugs, turn_of, world_of
from tests.laws.gnostica.strategies import linked, moments, table
from tests.laws.small.small_pools import small_pool
from tests.laws.small.small_programs import small_program
from tests.laws.small.small_variables import small_keeper
from tests.support.evening import bind
from tests.support.examples import examples

MOST_NODES = 5_000


class Counted:
    """Says whether a node is the end, and counts the nodes it is asked about."""

    def __init__(self, closing=frozenset()):
        self.seen = 0
        self.closing = closing

    def __call__(self, node: PlayNode) -> bool:
        self.seen += 1
        return node.over or bool(self.closing and routine_slugs(node) & self.closing)


def both(start, outcome, policy, closing=frozenset(), budget=MOST_NODES):
    """The odds with and without merging, and the nodes that each has seen."""
    merged, single = Counted(closing), Counted(closing)
    plain = distribution(start, outcome, policy, single, merge=False, budget=budget)
    found = distribution(start, outcome, policy, merged)
    return found, plain, merged.seen, single.seen


def every(node):
    return [(value, 1) for value in node.answers()]


def uneven(node):
    """Answers with weights of their own: 1, 2, 3, 1, 2, 3, ..."""
    return [(value, 1 + number % 3) for number, value in enumerate(node.answers())]


@examples(1.5, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 1_000_000), st.integers(1, 7))
def test_merged_odds_are_the_odds(seed, size):
    start = new_game(link_game(small_program(seed, size), bind, ("A", "B"))).node
    for policy in (every, uneven):
        try:
            found, plain, merged, single = both(start, lambda state: state[:2], policy)
        except OverBudget:
            assume(False)
        assert found == plain
        assert sum(found.values()) == 1
        assert all(isinstance(chance, Fraction) and chance > 0 for chance in found.values())
        assert merged <= single
    event("nodes saved" if merged < single else "nothing to merge")


def few(node):
    """The first answer, the last and one between: a person who thinks of three things at most."""
    found = list(islice(node.answers(), 60))
    return [(value, 1) for value in dict.fromkeys((found[0], found[len(found) // 2], found[-1]))]


BOARD = {(0, 0): "grow5", (1, 0): "attack13", (0, 1): "move3", (1, 1): "create12"}
MEN = (Man("A", 1, "E", (0, 0)), Man("A", 2, "N", (1, 0)), Man("B", 1, "W", (1, 1)))


@pytest.mark.parametrize(
    ("card", "draw", "policy"),
    [
        ("fool", ["wheel", "move9"], few),
        ("fool", ["world", "create5", "grow12"], few),
        ("wheel", ["sun", "grow3", "move11", "attack1"], every),
        ("temperance", [], every),
        ("high-priestess", ["sun", "grow3", "move11"], few),
    ],
)
def test_merged_odds_of_real_cards(card, draw, policy):
    """Cards that turn over and draw, played from the hand by somebody with all ideas, or with a
    few."""
    game = linked(2)
    world = world_of(
        game, BOARD | {(2, 0): "judgement"}, MEN, {"A": [card, "grow9"]}, ["attack4"], draw
    )
    start = answered(turn_of(game, world), "play-a-card", card)

    def outcome(state):
        both = zip(game.layout.columns, state.world, strict=True)
        return tuple(column for info, column in both if info.seen_by == "all"), state.scope

    closing = frozenset({"offer_announcement"})
    found, plain, merged, single = both(start, outcome, policy, closing, budget=40_000)
    print(f"{card}: {merged} nodes merged, {single} not, {len(found)} ways to end")
    assert found == plain
    assert sum(found.values()) == 1
    assert merged <= single


def test_only_what_cannot_be_read_again_is_forgotten():
    """What merging blanks are local variables, nothing else; and some of them at least."""
    game = linked(3)
    live = game.live
    blanked = 0
    for moment in islice(moments(table(11)), 400):
        state = moment.after.state
        short = forgotten(state, live)
        assert short._replace(frame=None) == state._replace(frame=None)
        one, other = state.frame, short.frame
        while one is not None:
            assert other is not None
            same = [
                (here, there)
                for here, there in zip(one.slots, other.slots, strict=True)
                if here != there
            ]
            assert all(there is None for _, there in same)
            blanked += len(same)
            assert one._replace(slots=(), parent=None) == other._replace(slots=(), parent=None)
            one, other = one.parent, other.parent
        assert other is None
    assert blanked > 60


def test_blanking_saves_work(monkeypatch):
    """Over many programs, fewer states are looked at where dead variables are blanked."""

    def looked_at():
        seen = 0
        for seed in range(60):
            start = new_game(link_game(small_program(seed, 4), bind, ("A", "B"))).node
            merged = Counted()
            distribution(start, lambda state: state[:2], every, merged)
            seen += merged.seen
        return seen

    with_blanking = looked_at()
    monkeypatch.setattr(canonical, "still_read", lambda frame, live: frame.slots)
    assert with_blanking < 0.9 * looked_at()


# -------------------------------------------------------------------- dead variables of the game


def world_at_end(state):
    """An outcome that reads no variable of the game."""
    return state.world


@examples(1.5, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 1_000_000), st.integers(1, 7))
def test_dead_variables_of_the_game_change_no_odds(seed, size):
    """What no row can read any more is forgotten where the outcome does not read it either."""
    start = new_game(link_game(small_keeper(seed, size), bind, ("A", "B"))).node
    try:
        plain = distribution(start, world_at_end, merge=False, budget=MOST_NODES)
    except OverBudget:
        assume(False)
    assert distribution(start, world_at_end, variables=False) == plain


def test_forgetting_dead_variables_saves_work():
    alive, dead = Counted(), Counted()
    for seed in range(60):
        start = new_game(link_game(small_keeper(seed, 6), bind, ("A", "B"))).node
        found = distribution(start, world_at_end, every, alive)
        assert found == distribution(start, world_at_end, every, dead, variables=False)
    print(f"{dead.seen} nodes without dead variables, {alive.seen} with them")
    assert dead.seen < 0.9 * alive.seen


# -------------------------------------------------------------------- faces that are drawn together


def all_faces(node):
    """Every way that dice fall, all faces told apart."""
    return list(Fair(node))


@examples(1, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 1_000_000), st.integers(1, 6))
def test_faces_drawn_together_change_no_odds(seed, size):
    """Whatever a program does with faces: a face that it asks nothing about is one of several, with
    the same odds."""
    start = new_game(link_game(small_pool(seed, size), bind, ("A", "B"))).node
    for outcome in (lambda state: state.world, lambda state: state[:2]):
        try:
            plain = distribution(start, outcome, merge=False, budget=MOST_NODES)
        except OverBudget:
            assume(False)
        found = distribution(start, outcome)
        assert found == plain
        assert sum(found.values()) == 1


def test_faces_drawn_together_save_work():
    """Over many programs, fewer states are looked at where faces are not told apart that nobody
    asks about."""
    together, apart = Counted(), Counted()
    for seed in range(60):
        start = new_game(link_game(small_pool(seed, 4), bind, ("A", "B"))).node
        found = distribution(start, lambda state: state.world, every, together)
        assert found == distribution(
            start, lambda state: state.world, every, apart, falls=all_faces
        )
    print(f"{together.seen} nodes together, {apart.seen} apart")
    assert together.seen < 0.9 * apart.seen


@examples(1.5, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 1_000_000), st.integers(1, 7), st.sampled_from((small_program, small_keeper)))
def test_sums_drawn_together_change_no_odds(seed, size, program):
    """A sum that is only compared, raised and lowered falls in ranges, with the same odds."""
    start = new_game(link_game(program(seed, size), bind, ("A", "B"))).node
    for outcome in (world_at_end, lambda state: state[:2]):
        try:
            plain = distribution(start, outcome, merge=False, budget=MOST_NODES)
        except OverBudget:
            assume(False)
        with patch.object(odds, "FEW_FALLS", 0):
            assert distribution(start, outcome) == plain


def test_sums_drawn_together_save_work():
    together, apart = Counted(), Counted()
    for seed in range(60):
        start = new_game(link_game(small_keeper(seed, 6), bind, ("A", "B"))).node
        with patch.object(odds, "FEW_FALLS", 0):
            found = distribution(start, world_at_end, every, together, variables=False)
        assert found == distribution(start, world_at_end, every, apart, variables=False)
    print(f"{together.seen} nodes together, {apart.seen} apart")
    assert together.seen < 0.9 * apart.seen


def test_too_much_is_refused():
    start = new_game(link_game(small_program(6, 7), bind, ("A", "B"))).node
    with pytest.raises(OverBudget, match="states"):
        distribution(start, lambda state: state[:2], budget=1)
