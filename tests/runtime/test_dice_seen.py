"""Dice that are seen one by one: `roll each`, the type `Dice`, and the odds of pools."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from textwrap import dedent

import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.machine.chance import Falls
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.search.odds import distribution
from tests.support.on_quarrel import begun, on_quarrel, text_of
from tests.support.quarrel_table import ruleloom

CASES = """
kind: scenarios
cases:
  - id: each-die
    when: [{do: use throw(4) giving x, answers: {found: [5, 6, 6, 1], raise a die: yes, face: 5}}]
    then: {numbers: {shown: [6, 6, 6, 1], last: [6, 6, 1, 6, 6], A: {spent: 1}}, log: ["rolls 6, 6, 5, 1"]}

  - id: one-after-the-other
    when:
      - do: |
          use throw(2) giving x
          use throw(1) giving y
        answers: {found: [[5, 6], [3]], raise a die: [no, no]}
    then: {numbers: {shown: [3]}}

  - id: on-the-table
    given: {state: {shown: [1, 6, 1]}}
    when:
      - do: |
          if sum(shown) = 8 and highest(shown) = 6 and 6 in shown and 2 not in shown:
              set last = [2, 5, 2]
              remove 2 from last
              add [5] to last
              for each die in shown:
                  pay(me, die)
    then: {numbers: {shown: [6, 1, 1], last: [2, 5, 5], A: {spent: 8}}}

  - id: no-dice
    when: [{do: use throw(0) giving x}]
    then: {numbers: {shown: []}}

  - id: how-likely
    when: [{do: use throw(7) giving x, answers: {raise a die: no}}]
    then: {odds: {count(shown) = 7 and lowest(shown) = 6: 1/279936, 6 in shown: 201811/279936}}

  - id: too-few
    when: [{do: use throw(2) giving x, answers: {found: [5]}}]
    then: {numbers: {shown: []}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {**on_quarrel(text_of("dice")), "scenarios.yaml": CASES}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_cases_say_the_face_of_each_die(folder: Path):
    done = ruleloom("test", folder)
    assert "5 passed, 1 failed" in done.out
    assert "`found` asks for each die of 2d6, which cannot be `5`" in done.out


def test_a_text_is_written_as_it_stands(folder: Path):
    done = ruleloom("fmt", folder)
    assert "0 files changed" in done.out


def test_the_rules_say_that_each_die_is_looked_at(folder: Path):
    assert "Roll as many d6s as" in (
        said := ruleloom("explain", "quarrel:power/throw", "--pack", folder).out
    ), said
    assert "each by itself (the found dice)" in said


# ---------------------------------------------------------------------------------- at the table


def test_a_person_tells_each_face_in_any_order():
    game = begun("roll each x = 3d6\nset shown = x\n")
    assert (game.prompt.kind, game.prompt.text) == ("roll", "roll 3d6 and look at each")
    assert len(game.prompt.options) == comb(8, 3)
    assert sum(game.prompt.weights) == 6**3
    for keys in (("2", "6", "4"), ("6 4 2",), ("4, 2, 6",)):
        after = game.answer(game.prompt.id, keys)
        assert after.state.scope[after.linked.scope_index["shown"]] == (6, 4, 2)


@pytest.mark.parametrize(
    "keys", [("12",), ("6", "6"), ("7", "1", "1"), ("6", "4", "x"), ("6", "4", "2", "1")]
)
def test_what_the_dice_cannot_show_is_refused(keys: tuple[str, ...]):
    game = begun("roll each x = 3d6\n")
    with pytest.raises(Exception, match="name 3 faces from 1 to 6"):
        game.answer(game.prompt.id, keys)


def test_a_save_keeps_each_face():
    game = begun("roll each x = 5d6\nset shown = x\nchoose n from [1, 2]\n", seed=11)
    faces = game.state.scope[game.linked.scope_index["shown"]]
    assert faces == tuple(sorted(faces, reverse=True))
    assert len(faces) == 5
    again = loaded("\n".join(saved_lines(game)) + "\n", driver_of).game
    assert again.state == game.state


def test_seeded_dice_fall_as_their_sum_does():
    for seed in range(50):
        faces, after = Xoshiro.seeded(seed).roll_each(6, 8)
        assert Xoshiro.seeded(seed).roll(6, 8) == (sum(faces), after)


# ---------------------------------------------------------------------------------- what can fall


@pytest.mark.parametrize(("number", "sides"), [(0, 6), (1, 6), (3, 6), (4, 3), (7, 2)])
def test_every_way_the_dice_can_fall(number: int, sides: int):
    falls = Falls(number, sides)
    listed = list(falls)
    counted: dict[tuple[int, ...], int] = {}
    for faces in product(range(1, sides + 1), repeat=number):
        key = tuple(sorted(faces, reverse=True))
        counted[key] = counted.get(key, 0) + 1
    assert len(falls) == len(listed) == len(counted)
    assert dict(zip(listed, falls.ways(), strict=True)) == counted
    assert all(faces in falls for faces in listed)
    assert [falls[place] for place in range(len(falls))] == listed
    assert falls[-1] == listed[-1]
    assert falls[1:3] == tuple(listed[1:3])


def test_what_cannot_fall_is_not_there():
    falls = Falls(2, 6)
    assert not any(
        one in falls for one in ((6,), (1, 6), (7, 1), (6, 0), (True, True), "66", [6, 6])
    )
    assert len(Falls(1_000, 10_000)) == Falls.MOST


@pytest.mark.parametrize("number", range(1, 8))
def test_hits_are_binomial(number: int):
    game = begun(f'roll each x = {number}d6\nset shown = x\nfinish drawn "so"\n')
    found = distribution(
        game.node, lambda state: state.scope[game.linked.scope_index["shown"]].count(6)
    )
    assert found == {
        hits: Fraction(comb(number, hits) * 5 ** (number - hits), 6**number)
        for hits in range(number + 1)
    }


# ---------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ("roll each x = 2d6\npay(me, x)", "`x` is a roll of dice, but a number is wanted"),
        ("let x = [1, 2]\nset shown = x", "`x` is a list of numbers, but a roll of dice is wanted"),
        ("roll each x = 2d6\nset shown = x + [yes]", "yes or no"),
        ("roll each x = 2d6\ndraw y from x", "`x` are dice, and chance takes one of a list"),
        ("roll each x = 2d6\nset x = 3", "a roll of dice is wanted"),
    ],
)
def test_dice_are_no_list_and_no_number(effect: str, said: str, tmp_path: Path):
    text = (
        text_of("dice")
        + dedent("""
        - kind: power
          id: tried
          gloss: "x"
          effect: |
        """)
        + "".join(f"    {line}\n" for line in effect.split("\n"))
    )
    for name, written in on_quarrel(text).items():
        (tmp_path / name).write_text(written, "utf-8")
    assert said in (found := ruleloom("check", tmp_path).out), found


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 6), (2, 1), (7, 20), (300, 100)])
def test_many_dice_are_thrown_as_one_after_the_other(count: int, sides: int):
    start = state = Xoshiro.seeded(count)
    faces = []
    for _ in range(count):
        face, state = state.below(sides)
        faces.append(face + 1)
    assert start.roll(count, sides) == (sum(faces), state)
    assert start.roll_each(count, sides) == (tuple(sorted(faces, reverse=True)), state)


def test_a_number_that_would_not_be_fair_is_thrown_again():
    """With as many sides as this, every second number is left aside."""
    start, sides = Xoshiro.seeded(1), (1 << 63) + 1
    one, state = start.below(sides)
    two, state = state.below(sides)
    assert start.roll(2, sides) == (one + two + 2, state)
