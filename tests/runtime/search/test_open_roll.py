"""The dice of an open roll before it is made, and no word of one that something hidden decides."""

from __future__ import annotations

import pytest

from ruleloom.runtime.search.options import open_roll
from tests.support.on_quarrel import begun

WAY = 'choose way from 1 .. 3 "Which way?"\n'
OMEN = "roll omen = 1d6 by me seen by me\n"


def dice(effect: str) -> list[tuple[int, int] | None]:
    """What is thrown after each answer to the first question of an effect."""
    game = begun(effect, seed=1)
    found = (open_roll(game.node, option.value) for option in game.prompt.options)
    return [None if after is None else after.dice for after in found]


@pytest.mark.parametrize(
    ("effect", "wanted"),
    [
        (WAY + "roll luck = 2d6\n", [(2, 6)] * 3),
        (WAY + "roll each luck = 2d6\n", [(2, 6)] * 3),
        (WAY + "roll luck = way d 8\n", [(1, 8), (2, 8), (3, 8)]),
        (WAY + "if way > 1:\n    pay(me, way)\n    roll luck = 1d20\n", [None, (1, 20), (1, 20)]),
        (WAY + "use throw(way) giving x\n", [(1, 6), (2, 6), (3, 6)]),
        ('choose one:\n    "dare":\n        roll luck = 1d4\n    "wait":\n        pay(me, 1)\n', [(1, 4), None]),
        # What was hidden before has led to the question, which everybody sees.
        (OMEN + "if omen > 7: pay(me, 1)\n" + WAY + "roll luck = 2d6\n", [(2, 6)] * 3),
    ],
)  # fmt: skip
def test_the_dice_of_an_open_roll_are_known_before(effect, wanted):
    assert dice(effect) == wanted


@pytest.mark.parametrize(
    "after",
    [
        "if omen > 0: pay(me, 1)\nroll luck = 2d6\n",
        "if omen > 0:\n    roll luck = 2d6\n",
        "roll luck = omen d 6\n",
        "let many = omen + 1\nroll luck = many d 6\n",
        "roll luck = 2d6 by me seen by me\n",
        "repeat omen times:\n    pay(me, 1)\nroll luck = 2d6\n",
    ],
)
def test_of_a_roll_that_something_hidden_decides_nothing_is_told(after):
    assert dice(OMEN + WAY + after) == [None] * 3


def test_no_roll_is_none():
    assert dice(WAY + "pay(me, way)\n") == [None] * 3
