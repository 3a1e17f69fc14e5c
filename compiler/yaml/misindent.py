"""Finds the misindented one of two lines of a YAML file that do not go together.

The line to blame may stand above the one that YAML gives up at. Of two lines that disagree, the one
that keeps to the usual step of two columns is right, and so is the one that lines up with its
neighbours.
"""

from __future__ import annotations

import re
from collections import Counter

from ruleloom.compiler.yaml.layout import Line, line_above, line_at, line_end

STEP = 2


def line_to_blame(text: str, start: int) -> Line | None:
    """Return the line above that is to blame, where YAML gives up at the line at *start*."""
    here = line_at(text, start)
    above = line_above(text, start)
    if above is None:
        return None
    before = line_above(text, above.start)
    if above.indent < here.indent:
        is_inner = above.opens or above.begins_entry
        return above if not is_inner and _stands_out(text, above, before, here) else None
    return above if _is_too_far_in(above, before, here) else _parent_to_blame(text, here)


def _is_too_far_in(above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *here* keeps to the usual step below *before*, and *above* stands further in."""
    if above.opens or above.indent <= here.indent:
        return False
    if before is None:
        return here.indent == 0
    right, wrong = here.indent - before.column, above.indent - before.column
    return before.opens and right == STEP != wrong


def _stands_out(text: str, above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *above* stands too far left: its parent is empty, or its neighbours agree."""
    if before is None:
        return False
    if before.opens and above.indent == before.column and here.indent == before.column + STEP:
        return True
    if before.indent != here.indent:
        return False
    votes = _votes(text, above, here.indent) - _votes(text, here, above.indent)
    if votes:
        return votes > 0
    below = _line_below(text, here)
    if below is not None and below.indent == here.indent:
        return True
    return before.value_sort == above.value_sort == here.value_sort


def _votes(text: str, line: Line, indent: int) -> int:
    """Count the lines with the same field at *indent*, less those at the line's own indentation."""
    if not line.key:
        return 0
    same_field = re.compile(rf"^( *){re.escape(line.key)}:", re.MULTILINE)
    found = Counter(len(match[1]) for match in same_field.finditer(text))
    return found[indent] - (found[line.indent] - 1)


def _parent_to_blame(text: str, here: Line) -> Line | None:
    """Return the line whose children stand too far in, where a step to the right it would fit."""
    found = _parent_and_child(text, here)
    if found is None:
        return None
    line, child = found
    if line.begins_text:
        # The first line of a text sets its margin, and this one is to stand inside too.
        return child if here.indent - line.column == STEP else None
    if child.indent - here.indent != STEP or child.indent - line.column == STEP:
        return None
    below = _line_below(text, child)
    # A child that should have children and has none stands in their column itself.
    return child if child.opens and below is not None and below.indent == child.indent else line


def _parent_and_child(text: str, here: Line) -> tuple[Line, Line] | None:
    """Return the next line above that is indented less, and the first line below that one."""
    child: Line | None = None
    line = line_above(text, here.start)
    while line is not None and line.indent > here.indent:
        child, line = line, line_above(text, line.start)
    if line is None or child is None or line.indent == here.indent:
        return None
    return (line, child) if line.opens and not line.begins_entry else None


def _line_below(text: str, line: Line) -> Line | None:
    at = line_end(text, line.start) + 1
    while at < len(text):
        below = line_at(text, at)
        words = below.text.strip()
        if words and not words.startswith("#"):
            return below
        at += len(below.text) + 1
    return None
