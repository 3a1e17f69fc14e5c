"""What a number counts stands in the singular behind 1, in the log and in questions."""

from __future__ import annotations

import pytest

from ruleloom.runtime.machine.labels import joined
from tests.runtime.test_dice import begun


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        (" dice are rolled", "1 die are rolled"),
        (" baskets", "1 basket"),
        (" comes", "1 comes"),
        (", dice", "1, dice"),
    ],
)
def test_one_of_them(behind: str, said: str):
    linked = begun("choose day_off from 1 .. 2 by me\nset day = day_off\n").linked
    assert joined(linked, [("1", True), (behind, False)]) == said
    assert joined(linked, [("2", True), (behind, False)]) == f"2{behind}"
    assert joined(linked, [("1", False), (behind, False)]) == f"1{behind}"


def test_a_question_counts():
    game = begun(
        'choose a from 1 .. 2 by me\nchoose b from 1 .. 2 by me "{a} dice?"\nset day = b\n'
    )
    assert game.choose(1).prompt.text == "1 die?"
    assert game.choose(2).prompt.text == "2 dice?"
