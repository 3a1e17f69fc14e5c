"""Halves, thirds and other parts of whole numbers: how they are rounded is said."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.runtime.program.values import ROUND
from tests.support.on_quarrel import played, variable

PARTS = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(5, 4)]
NUMBERS = {"15 - life(me)": -5, "life(me) - 20": 0, "life(me) - 18": 2, "life(me) - 17": 3}


@pytest.mark.parametrize("how", ROUND)
@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("text", NUMBERS)
def test_a_part_of_a_number_is_rounded_as_it_says(text: str, part: Fraction, how: str):
    lines = [f"set tally = ({text}) * {part} rounded {how}"]
    if part.numerator == 1:
        lines.append(f"set tally = ({text}) div {part.denominator} rounded {how}")
    for line in lines:
        assert variable(played(line), "tally") == ROUND[how](NUMBERS[text] * part), line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + life(me) * 1/3 rounded up", 8),  # of the whole sum
        ("life(me) * 1/3 rounded up + 1", 8),
        ("2 * (life(me) * 1/3 rounded down)", 12),
        ("life(me) div 3", 6),
        ("3 if life(me) * 2/3 rounded up = 14 else 4", 3),
    ],
)
def test_what_is_rounded(text: str, value: int):
    assert variable(played(f"set tally = {text}"), "tally") == value
