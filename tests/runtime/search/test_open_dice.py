"""Faces that nobody tells apart are drawn together: how far a program looks decides, and the odds
stay the same."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

import pytest

from ruleloom.runtime.link.symbolic_codegen import without_dice
from ruleloom.runtime.link.symbolic_pools import OpenRoll, PoolDice, PoolParted
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.odds import distribution, spread
from tests.support.on_quarrel import begun

DICE = 5
Faces = tuple[int, ...]

ASKED: list[tuple[str, Callable[[Faces], int], int]] = [
    ("count(found)", len, 1),
    ("count(d: found where d = 6)", lambda f: f.count(6), 6),
    ("count(d: found where d >= 4)", lambda f: sum(d >= 4 for d in f), 6),
    ("count(d: found where 4 > d)", lambda f: sum(d < 4 for d in f), 6),
    ("count(d: found where d != 1)", lambda f: sum(d != 1 for d in f), 6),
    ("count(d: found where d = 3)", lambda f: f.count(3), 6),
    ("count(d: found where d in [2, 3])", lambda f: f.count(2) + f.count(3), 6),
    ("count(d: found where d in 2 .. 5)", lambda f: sum(2 <= d <= 5 for d in f), 6),
    (
        "sixes(found) * 10 + count(good(found))",
        lambda f: f.count(6) * 10 + sum(d >= 4 for d in f),
        21,
    ),
    ("1 if 6 in found else 0", lambda f: int(6 in f), 2),
    ("1 if highest(found) >= 5 else 0", lambda f: int(max(f) >= 5), 2),
    ("1 if lowest(found) = 1 else 0", lambda f: int(min(f) == 1), 2),
    ("1 if highest(found) = highest(shown) else 0", lambda f: 1, 1),
    ("count(d: first(2, found) where d > 3)", lambda f: sum(d > 3 for d in sorted(f)[-2:]), 3),
    ("count(found - [6, 6])", lambda f: len(f) - min(2, f.count(6)), 3),
    ("count(d: found + [3] where d > 4)", lambda f: sum(d > 4 for d in f), 6),
    ("highest(found)", max, 6),
    ("lowest(found)", min, 6),
    ("sum(found)", sum, 26),
    ("highest(found) - lowest(found)", lambda f: max(f) - min(f), 6),
    ("highest(d * d for d: found)", lambda f: max(f) ** 2, 6),
    ("count(d: found where d mod 2 = 0)", lambda f: sum(d % 2 == 0 for d in f), 6),
    ("1 if exists(d: found where d < highest(found)) else 0", lambda f: int(len(set(f)) > 1), 2),
    (
        "2 if 2 * count(d: found where d = 1) > count(found) else 1",
        lambda f: 1 + (f.count(1) > 2),
        2,
    ),
    (
        "count(d: found where d = 1) * count(d: found where d = 6)",
        lambda f: f.count(1) * f.count(6),
        6,
    ),
    (
        "highest([count(d: found where d = 1), count(d: found where d = 6)])",
        lambda f: max(f.count(1), f.count(6)),
        6,
    ),
    (
        "7 - count(d: found where d = 1) "
        "if count(d: found where d = 1) = count(d: found where d < 3) else 1",
        lambda f: 7 - f.count(1) if 2 not in f else 1,
        7,
    ),
    ("count(d: found where d > 3) div 2", lambda f: sum(d > 3 for d in f) // 2, 3),
]


@pytest.mark.parametrize(("asked", "of_faces", "ways"), ASKED, ids=[asked for asked, _, _ in ASKED])
def test_what_is_asked_decides_how_many_ways_there_are(
    asked: str, of_faces: Callable[[Faces], int], ways: int
):
    """Each of the `ways` that are told apart ends in a state of its own; once that is known, nothing
    is looked at that is not one of them."""
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
    assert len(ended) == ways
    ended.clear()
    assert distribution(game.node, outcome) == wanted
    assert len(ended) == ways
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


def test_dice_that_are_added_up_end_in_each_sum():
    """There are more than a million falls of forty dice, and 201 sums."""
    game = begun('roll each found = 40 d 6\npay(me, sum(found))\nfinish drawn "over"')
    spent = game.linked.layout.index["Player.spent"]
    found = distribution(game.node, lambda state: state.world[spent][0])
    assert len(found) == 201
    assert found[40] == found[240] == Fraction(1, 6**40)


def test_falls_that_are_all_wanted_may_be_too_many():
    game = begun('roll each found = 40 d 6\nset shown = found\nfinish drawn "over"')
    place = game.linked.scope_index["shown"]
    with pytest.raises(OverBudget, match="more than 20,000 states"):
        distribution(game.node, lambda state: state.scope[place], budget=20_000)


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


def test_counts_that_are_compared_later_are_told_apart_then():
    """How many are good is one number until somebody has chosen, or until other dice have fallen."""
    game = begun(
        "roll each found = 3 d 6\nlet good = count(d: found where d > 4)\nchoose n from [1, 3]\n"
        "roll each again = 2 d 6\nlet more = count(d: again where d = 6)\n"
        'pay(me, (1 if good >= n else 0) + 10 * (good - more))\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    wanted = Counter(
        (sum(d > 4 for d in f) >= n) + 10 * (sum(d > 4 for d in f) - more)
        for f in product(range(1, 7), repeat=3)
        for n in (1, 3)
        for more in (0,) * 25 + (1,) * 10 + (2,)
    )
    for _ in range(2):
        found = distribution(game.node, lambda state: state.world[spent][0])
        assert found == {key: Fraction(many, 216 * 2 * 36) for key, many in wanted.items()}


def test_two_pools_that_are_held_against_each_other_are_parted_by_what_counts():
    """Seven dice can fall in 792 ways, and only the highest of them is looked at: six ways each."""
    game = begun(
        "roll each found = 7 d 6\nroll each again = 7 d 6\n"
        'pay(me, highest(found) - highest(again))\nfinish drawn "over"'
    )
    spent = game.linked.layout.index["Player.spent"]
    top = {face: Fraction(face**7 - (face - 1) ** 7, 6**7) for face in range(1, 7)}
    wanted = defaultdict[int, Fraction](Fraction)
    for one, other in product(top, repeat=2):
        wanted[one - other] += top[one] * top[other]
    ended: list[State] = []

    def outcome(state: State) -> object:
        ended.append(state)
        return state.world[spent][0]

    assert distribution(game.node, outcome) == wanted
    ended.clear()
    assert distribution(game.node, outcome) == wanted
    assert len(ended) == 36


def test_a_count_that_is_left_in_the_end_is_told_fall_by_fall():
    """Nothing is run for each of them: 40 dice end in one state."""
    ended: list[State] = []
    game = begun(
        "roll each found = 40 d 6\nset counted = count(d: found where d = 6)\n"
        'pay(me, 1)\nfinish drawn "over"'
    )
    place = game.linked.scope_index["counted"]

    def outcome(state: State) -> object:
        ended.append(state)
        return state.scope[place], (state.scope[place] * 2, 7)

    found = distribution(game.node, outcome)
    assert found == {
        (many, (2 * many, 7)): comb(40, many)
        * Fraction(1, 6) ** many
        * Fraction(5, 6) ** (40 - many)
        for many in range(41)
    }
    assert len(ended) == 1


def whole(number: int) -> PoolDice:
    """So many dice of two sides."""
    (pool,) = OpenRoll((0, 0, 2)).pools(number)
    dice: PoolDice = pool.dice
    return dice


def twos(dice: PoolDice) -> Any:
    return dice.those(lambda one: one == 2).how_many()


def test_numbers_that_hang_on_several_pools_are_told_together():
    """Each pool falls by itself."""
    coins, pairs = OpenRoll((0, 0, 2)), OpenRoll((0, 1, 2))
    (one,), (other,) = coins.pools(1), pairs.pools(2)
    heads, more = (pool.dice.those(lambda d: d == 2).how_many() for pool in (one, other))
    assert spread((heads, (more, "x"), heads + 1)) == (
        {(up, (many, "x"), up + 1): ways for up in (0, 1) for many, ways in enumerate((1, 2, 1))},
        8,
    )


ALONE = {((3, 0),), ((2, 1),), ((1, 2),), ((0, 3),)}
POOL_USES: list[Any] = [
    *((use, ALONE) for use in (list, str, hash, bool, reversed, partial(operator.eq, (2, 1)))),
    (lambda dice: bool(twos(dice) > 1), {((3, 0), (2, 1)), ((1, 2), (0, 3))}),
    (lambda dice: bool(twos(dice) * twos(dice) == 4), {((2, 1),), ((3, 0), (1, 2), (0, 3))}),
    (lambda dice: bool(twos(dice) - 3 < 2 - twos(dice)), {((3, 0),), ((2, 1), (1, 2), (0, 3))}),
    (lambda dice: int(twos(dice) // 2), {((3, 0), (2, 1)), ((1, 2), (0, 3))}),
    (lambda dice: twos(dice).of_all(lambda n: n % 2), {((3, 0), (1, 2)), ((2, 1), (0, 3))}),
    (lambda dice: bool(twos(dice.first(2)) > 1), {((3, 0), (2, 1)), ((1, 2), (0, 3))}),
    (lambda dice: str(twos(dice.behind(2))), {((3, 0),), ((2, 1), (1, 2), (0, 3))}),
]


@pytest.mark.parametrize(("use", "parts"), POOL_USES)
def test_who_asks_a_pool_parts_it_where_the_answer_changes(
    use: Callable[[PoolDice], object], parts: set[tuple[tuple[int, ...], ...]]
):
    """The falls of three dice, by how many are twos and how many are not."""
    dice = whole(3)
    with pytest.raises(PoolParted) as caught:
        use(dice)
    found = caught.value.pool.parts(caught.value.by)
    falls = {tuple(sorted(one.chances(one.roll.hand), reverse=True)) for one in found}
    assert falls == {tuple(sorted(one, reverse=True)) for one in parts}
    assert sum(one.ways for one in found) == dice.pool.ways == 2**3


def test_what_holds_of_all_falls_of_a_pool_is_answered():
    dice = whole(3)
    count = twos(dice)
    assert len(dice) == 3
    assert (count >= 0) is True
    assert (count < 4) is True
    assert count - count == 0
    assert bool(count + 1 > count)
    assert not operator.eq(dice, None)
    assert count.of_all(lambda n: n < 4)
    assert dice.those(lambda one: one > 0).how_many() == 3
    assert without_dice(dice, dice.first(1)).how_many() == 2


def test_what_is_known_of_a_part_needs_no_parting():
    """Of those falls that have two twos or three the count is one of these, and nobody has none."""
    dice = whole(3)
    with pytest.raises(PoolParted) as caught:
        bool(twos(dice) > 1)
    parts = caught.value.pool.parts(caught.value.by)
    few = max(parts, key=lambda one: max(one.chances(twos(dice).statistic)))
    assert few.ways == 4
    assert (twos(few.dice) > 0) is True
    assert few.chances(twos(few.dice).statistic) == {2: 3, 3: 1}


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
