"""Two texts of an effect held against each other at the steps of the first.

What is inserted, replaced and taken out must begin or end with a step.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from typing import NamedTuple

from ruleloom.compiler.patch.edits import AFTER, BEFORE, REMOVE, REPLACE
from ruleloom.compiler.syntax.formatter import INDENT
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import NamedStep, read_steps


class UnsteppedLine(NamedTuple):
    """A line of a text without its steps: which begin and which end at it."""

    text: str
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


Changes = Mapping[str, Mapping[str, str]]
"""The lines by operation and step."""


def step_changes(old: str, new: str) -> Changes | None:
    """How a text differs from another one, as changes of its steps; None if it is not at steps."""
    try:
        lines = list(_unstepped(old, read_steps(old)))
    except EffectSyntaxError:
        return None
    ours = [one for one in new.rstrip().split("\n") if one.strip()]
    found: dict[str, dict[str, str]] = defaultdict(dict)
    matcher = difflib.SequenceMatcher(None, [one.text for one in lines], ours, autojunk=False)
    for does, first, last, start, end in matcher.get_opcodes():
        if does == "equal":
            continue
        brought = dedent("\n".join(ours[start:end]))
        place = _place(lines, first, last, start == end)
        if place is None or place[1] in found[place[0]]:
            return None
        found[place[0]][place[1]] = brought
    return found


def _place(
    lines: Sequence[UnsteppedLine], first: int, last: int, gone: bool
) -> tuple[str, str] | None:
    """The operation and step that stand for a range of lines."""
    if first == last:
        ends = lines[first - 1].ends if first else ()
        begins = lines[first].begins if first < len(lines) else ()
        if ends:
            return AFTER, ends[-1]
        return (BEFORE, begins[0]) if begins else None
    whole = [name for name in lines[first].begins if name in lines[last - 1].ends]
    return (REMOVE if gone else REPLACE, whole[0]) if whole else None


def _unstepped(text: str, steps: Sequence[NamedStep]) -> Iterator[UnsteppedLine]:
    """The lines of a text without the names of steps."""
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        around = [one for one in steps if one.first <= number <= one.last]
        body = _without_names(line, number, around)
        if body.strip():
            begins = [one.name for one in around if one.first + (not one.inline) == number]
            ends = [one.name for one in reversed(around) if one.last == number]
            yield UnsteppedLine(body, tuple(begins), tuple(ends))


def _without_names(line: str, number: int, around: Sequence[NamedStep]) -> str:
    """A line without the name of a step, as far to the left as if there were no steps around it."""
    shift = sum(INDENT for one in around if not one.inline and number > one.first)
    here = [one for one in around if one.first == number]
    if not here:
        return line[shift:]
    statement = line.partition(":")[2].strip() if here[-1].inline else ""
    return " " * (here[-1].column - shift) + statement
