"""Wordings that a fact accepts: in goes one line of the sheet, out comes whether a sentence has it.

`discard*` is any ending, `PR ... 5` has a few words between, `PR & 5` has both in any order,
`(higher|more)` is a choice, and a number stands for its digits and its words. All parts of a wording
stand in one sentence. Brackets that do not close are refused.
"""

from __future__ import annotations

import re
from functools import cache

_NUMBERS = (
    ("zero", "no"),
    ("one",),
    ("two",),
    ("three",),
    ("four",),
    ("five",),
    ("six",),
    ("seven",),
    ("eight",),
    ("nine",),
    ("ten",),
    ("eleven",),
    ("twelve",),
)
_FRACTIONS = {
    "1/2": ("half",),
    "1/4": ("a quarter", "one quarter"),
    "3/4": ("three quarters",),
    "2/3": ("two thirds",),
    "3/2": ("half as much again", "one and a half", "1 1/2"),
}
_NUMBER = re.compile(r"(?<![\w/])(\d+(?:/\d+)?)(?![\w/])")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences of a text; a line is never more than one."""
    return [one.strip() for one in _SENTENCE.split(text) if one.strip()]


def is_worded(wording: str, text: str) -> bool:
    """Does a sentence of the text have all parts of a wording?"""
    return found_in(wording, text) != ""


def found_in(wording: str, text: str) -> str:
    """The first sentence that has all parts of a wording; empty if there is none."""
    parts = [pattern(part) for part in wording.split(" & ")]
    return next(
        (one for one in sentences(text) if all(part.search(one) for part in parts)),
        "",
    )


@cache
def pattern(part: str) -> re.Pattern[str]:
    """One part of a wording as a regular expression. ValueError if its brackets do not close."""
    try:
        return re.compile(rf"(?<![\w.]){_expression(part.strip())}(?!\w)", re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"no wording: {part!r}: {error}") from error


def _expression(part: str) -> str:
    gaps = [_NUMBER.sub(_number, _escaped(words)) for words in part.split(" ... ")]
    return r"(?!\w).{0,90}?(?<!\w)".join(gaps)


def _escaped(words: str) -> str:
    plain = re.sub(r"[.+\[\]{}^$\\]", lambda sign: "\\" + sign[0], words)
    return re.sub(r" +", r"[\\s-]+", plain.replace("*", r"\w*"))


def _number(found: re.Match[str]) -> str:
    digits = found[1]
    words = _FRACTIONS.get(digits, ())
    if digits.isdigit() and int(digits) < len(_NUMBERS):
        words = _NUMBERS[int(digits)]
    return f"(?:{'|'.join((digits, *words))})"
