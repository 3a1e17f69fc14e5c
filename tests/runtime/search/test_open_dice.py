"""Faces that nobody tells apart are drawn together: how far a program looks decides, and the odds
stay the same."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb

import pytest

from ruleloom.runtime.link.symbolic_dice import OpenDie, OpenRoll, ToldApart
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.odds import OverBudget, distribution
from tests.support.on_quarrel import begun

DICE = 5
Faces = tuple[int, ...]

ASKED: list[tuple[str, Callable[[Faces], int], int]] = [
    ("count(found)", len, 1),
    ("count(d: found where d = 6)", lambda f: f.count(6), 2),
    ("count(d: found where d >= 4)", lambda f: sum(d >= 4 for d in f), 2),
    ("count(d: found where 4 > d)", lambda f: sum(d < 4 for d in f), 2),
    ("count(d: found where d != 1)", lambda f: sum(d != 1 for d in f), 2),
    ("count(d: found where d = 3)", lambda f: f.count(3), 3),
    ("count(d: found where d in [2, 3])", lambda f: f.count(2) + f.count(3), 3),
    ("count(d: found where d in 2 .. 5)", lambda f: sum(2 <= d <= 5 for d in f), 3),
    (
        "sixes(found) * 10 + count(good(found))",
        lambda f: f.count(6) * 10 + sum(d >= 4 for d in f),
        3,
    ),
    ("1 if 6 in found else 0", lambda f: int(6 in f), 2),
    ("1 if highest(found) >= 5 else 0", lambda f: int(max(f) >= 5), 2),
    ("1 if lowest(found) = 1 else 0", lambda f: int(min(f) == 1), 2),
    ("1 if highest(found) = highest(shown) else 0", lambda f: 1, 1),
    ("count(d: first(2, found) where d > 3)", lambda f: sum(d > 3 for d in sorted(f)[-2:]), 2),
    ("count(found - [6, 6])", lambda f: len(f) - min(2, f.count(6)), 2),
    ("count(d: found + [3] where d > 4)", lambda f: sum(d > 4 for d in f), 0),
    ("highest(found)", max, 6),
    ("lowest(found)", min, 6),
    ("sum(found)", sum, 6),
    ("highest(found) - lowest(found)", lambda f: max(f) - min(f), 6),
    ("highest(d * d for d: found)", lambda f: max(f) ** 2, 6),
    ("count(d: found where d mod 2 = 0)", lambda f: sum(d % 2 == 0 for d in f), 6),
    ("1 if exists(d: found where d < highest(found)) else 0", lambda f: int(len(set(f)) > 1), 6),
]


@pytest.mark.parametrize(
    ("asked", "of_faces", "ranges"), ASKED, ids=[asked for asked, _, _ in ASKED]
)
def test_what_is_asked_decides_how_many_ways_there_are(
    asked: str, of_faces: Callable[[Faces], int], ranges: int
):
    """`ranges` is into how many the faces fall; 0 if that does not matter. Each way ends in a state
    of its own."""
    game = begun(
        f'roll each found = {DICE} d 6\nset shown = found\npay(me, {asked})\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    ended: list[State] = []

    def outcome(state: State) -> int:
        ended.append(state)
        paid: int = state.world[spent][0]
        return paid

    falls = Counter(map(of_faces, product(range(1, 7), repeat=DICE)))
    wanted = {value: Fraction(many, 6**DICE) for value, many in falls.items()}
    assert distribution(game.node, outcome) == wanted
    assert not ranges or len(ended) == comb(DICE + ranges - 1, DICE)
    assert distribution(game.node, outcome, merge=False) == wanted


def test_forty_dice_are_no_harder_than_their_count():
    """There are more than a million ways for all faces, and 41 for sixes and others."""
    game = begun(
        'roll each found = 40 d 6\npay(me, count(d: found where d = 6))\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    assert distribution(game.node, lambda state: state.world[spent][0]) == {
        many: comb(40, many) * Fraction(1, 6) ** many * Fraction(5, 6) ** (40 - many)
        for many in range(41)
    }


def test_dice_that_are_added_up_are_as_many_as_before():
    """Nothing is gained where all faces count, and what is too much stays too much."""
    game = begun('roll each found = 40 d 6\npay(me, sum(found))\nfinish drawn "over"')
    with pytest.raises(OverBudget):
        distribution(game.node, lambda state: state.world)


def test_dice_that_are_looked_at_later_are_told_apart_then():
    """Nobody asks about a face until somebody has chosen; then all is looked through again."""
    game = begun(
        "roll each found = 3 d 6\nset shown = found\nchoose n from [1, 6]\n"
        'pay(me, count(d: shown where d = n))\nset shown = []\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    found = distribution(game.node, lambda state: state.world[spent][0])
    assert found == {
        many: comb(3, many) * Fraction(1, 6) ** many * Fraction(5, 6) ** (3 - many)
        for many in range(4)
    }


def test_dice_that_are_left_in_the_end_are_told_apart():
    game = begun('roll each found = 2 d 3\nset shown = found\nfinish drawn "over"')
    place = game.linked.scope_index["shown"]
    found = distribution(game.node, lambda state: state.scope[place])
    assert found == {
        (3, 3): Fraction(1, 9), (3, 2): Fraction(2, 9), (3, 1): Fraction(2, 9),
        (2, 2): Fraction(1, 9), (2, 1): Fraction(2, 9), (1, 1): Fraction(1, 9),
    }  # fmt: skip


def test_two_rolls_are_not_taken_for_each_other():
    game = begun(
        "roll each found = 1 d 6\nset last = found\nroll each again = 1 d 6\n"
        'pay(me, 1 if again = last else 0)\nset last = []\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    found = distribution(game.node, lambda state: state.world[spent][0])
    assert found == {1: Fraction(1, 6), 0: Fraction(5, 6)}


def test_a_line_that_rolls_twice_is_told_apart_at_both():
    """The first dice are asked about last, when the faces of the second have been told apart
    already."""
    game = begun(
        "repeat 2 times:\n    set last = shown\n    roll each found = 2 d 6\n    set shown = found\n"
        "    if count(last) > 0: pay(me, count(d: shown where d = 6))\n"
        'pay(me, 10 * count(d: last where d = 6))\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    sixes = {0: Fraction(25, 36), 1: Fraction(10, 36), 2: Fraction(1, 36)}
    found = distribution(game.node, lambda state: state.world[spent][0])
    assert found == {a + 10 * b: sixes[a] * sixes[b] for a in sixes for b in sixes}


def die(low: int = 2, high: int = 5) -> OpenDie:
    return OpenDie(OpenRoll((0, 0, 6), frozenset()), low, high, 1)


ALL = {3, 4, 5}
USES: list[tuple[Callable[[OpenDie], object], set[int]]] = [
    *(
        (use, ALL)
        for use in (
            str,
            repr,
            int,
            bool,
            float,
            hash,
            operator.index,
            operator.neg,
            operator.pos,
            round,
        )
    ),
    *(
        (partial(use, 2), ALL)
        for use in (operator.add, operator.sub, operator.mul, operator.mod, operator.and_)
    ),
    *(
        (operator.methodcaller(f"__{use}__", 2), ALL)
        for use in ("add", "sub", "floordiv", "mod", "pow", "rsub")
    ),
    (partial(operator.contains, {2: 3}), ALL),
    (partial(operator.getitem, (1, 2, 3)), ALL),
    (lambda one: f"{one}", ALL),
    (operator.attrgetter("numerator"), ALL),
    (lambda one: one == die(), ALL),
    (lambda one: one < die(), ALL),
    (lambda one: one == die(5, 6), ALL),
    (lambda one: one < 4, {4}),
    (lambda one: one <= 4, {5}),
    (lambda one: one > 4, {5}),
    (lambda one: one >= 4, {4}),
    (partial(operator.lt, 4), {5}),
    (partial(operator.ge, 4), {5}),
    (partial(operator.eq, 4), {4, 5}),
    (lambda one: one == 2, {3}),
    (lambda one: one != 5, {5}),
    (lambda one: one > Fraction(7, 2), {4}),
    (lambda one: one in (1, 6, 3), {3, 4}),
]


@pytest.mark.parametrize(("use", "cuts"), USES)
def test_who_asks_cuts_where_the_answer_changes_and_who_does_anything_else_everywhere(
    use: Callable[[OpenDie], object], cuts: set[int]
):
    with pytest.raises(ToldApart) as caught:
        use(die())
    assert caught.value.cuts == cuts


def test_what_holds_of_all_faces_of_a_range_is_answered():
    one, same = die(), operator.eq
    assert one > 1
    assert one >= 2
    assert one < 6
    assert one <= 5
    assert one < die(6, 6)
    assert one <= die(5, 6)
    assert not any(same(one, other) for other in (1, 6, Fraction(7, 2), "4", None, die(6, 6)))
    assert same(one, one)
    assert not operator.lt(one, one)
