"""Lengths on paper, in whole micrometres."""

from __future__ import annotations

import re
from fractions import Fraction

UNITS = {
    "mm": Fraction(1000),
    "cm": Fraction(10_000),
    "in": Fraction(25_400),
    "pt": Fraction(25_400, 72),
}
LENGTH = re.compile(r"(-?[0-9.]+)(mm|cm|in|pt)")


def micrometres(text: str) -> list[int]:
    """The lengths in a text, each a number and its unit."""
    return [round(Fraction(number) * UNITS[unit]) for number, unit in LENGTH.findall(text)]
