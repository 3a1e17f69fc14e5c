"""Finds out which of two lines that do not line up is the odd one.

In goes a text and the line that the parser trips over; out comes the line above it that is to blame, if it is
not that line itself. Everybody indents by the same step: of two lines that disagree, the one that keeps to
the step is right, and several that agree are right against one.
"""

from __future__ import annotations

import re
from collections import Counter

from compiler.effect.tree import Span
from compiler.effect.words import EffectSyntaxError

DEFAULT_STEP = 4
_SIGNS = re.compile(r'"[^"]*"|#.*|[][()]')


def odd_one_above(text: str, at: int) -> Span | None:
    """Return the first word of the line to blame instead of the one whose words begin at *at*."""
    lines = _lines(text)
    index = next((number for number, (start, _) in enumerate(lines) if start == at), 0)
    if index == 0:
        return None
    widths = [width for _, width in lines]
    width = widths[index]
    parent = max((number for number in range(index) if widths[number] < width), default=-1)
    if widths[index - 1] < width:
        head, parent = index - 1, index - 2
        if parent >= 0 and widths[parent] >= widths[head]:
            return None
    else:
        head = parent + 1
        if widths[head:index].count(widths[head]) > 1:
            return None
    if not _is_odd(widths, head, index, parent):
        return None
    start = lines[head][0]
    word = re.compile(r"\S+").match(text, start)
    return (start, word.end() if word else start + 1)


def odd_line(span: Span) -> EffectSyntaxError:
    """Return the mistake of a line that stands otherwise than those it belongs with."""
    message = "this line is not indented like those below it"
    return EffectSyntaxError(span, message, "line it up with those below it", "mixed-indentation")


def _is_odd(widths: list[int], head: int, index: int, parent: int) -> bool:
    """Say whether the line *head* is odd, where *index* disagrees with it."""
    others = [number for number in range(1, len(widths)) if number not in (head, head + 1, index, index + 1)]
    steps = Counter(widths[n] - widths[n - 1] for n in others if widths[n] > widths[n - 1])
    step = steps.most_common(1)[0][0] if steps else DEFAULT_STEP
    if parent < 0:
        # The first line of all sets the margin: it is odd if no other line keeps to it.
        rest = widths[index:]
        return (widths[index] - widths[head]) % step != 0 and len(rest) > 1 and min(rest) >= widths[index]
    base = widths[parent]
    return (widths[index] - base) % step == 0 and (widths[head] - base) % step != 0


def _lines(text: str) -> list[tuple[int, int]]:
    """Where the words of each line begin, and how far it is indented; no comments, nothing in brackets."""
    found: list[tuple[int, int]] = []
    at = depth = 0
    for line in text.split("\n"):
        words = line.lstrip(" ")
        if words and not words.startswith("#") and not depth:
            found.append((at + len(line) - len(words), len(line) - len(words)))
        for sign in _SIGNS.findall(line):
            depth = max(depth + (sign in "([") - (sign in ")]"), 0)
        at += len(line) + 1
    return found
