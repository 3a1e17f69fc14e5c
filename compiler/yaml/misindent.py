"""Finds the misindented one of two lines of a YAML file that do not go together.

The line to blame may stand above the one that YAML gives up at. Of two lines that disagree, the one
that keeps to the usual step of two columns is right, and so is the one that lines up with its
neighbours.
"""

from __future__ import annotations

import re
from collections import Counter

from ruleloom.compiler.yaml.layout import Line, line_end

STEP = 2
NEXT_WORDS = re.compile(r"\n( *)[^\S\n]*[^\s#]")


def line_to_blame(here: Line) -> Line | None:
    """Return the line above that is to blame, where YAML gives up at the line *here*."""
    above = here.above
    if above is None:
        return None
    before = above.above
    if above.indent < here.indent:
        is_inner = above.opens or (above.begins_entry and not _ends_above(here))
        return above if not is_inner and _stands_out(above, before, here) else None
    if above.begins_entry and above.indent == here.indent:
        return above if _is_dash_too_far_in(above, before) else _parent_to_blame(here)
    return above if _is_too_far_in(above, before, here) else _parent_to_blame(here)


def _ends_above(here: Line) -> bool:
    """Say whether *here* begins an entry and the one above may be in a wrong column, not this one."""
    above = here.above
    return above is not None and here.begins_entry and _indent_below(here) != above.indent


def _is_dash_too_far_in(above: Line, before: Line | None) -> bool:
    """Say whether the first entry of a list has its dash where the words behind it should begin."""
    if before is None:
        return above.indent > 0
    return before.opens and above.indent - before.column not in (0, STEP)


def _is_too_far_in(above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *here* keeps to the usual step below *before*, and *above* stands further in."""
    if above.opens or above.indent <= here.indent:
        return False
    if before is None:
        return here.indent == 0
    right, wrong = here.indent - before.column, above.indent - before.column
    return before.opens and right == STEP != wrong


def _stands_out(above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *above* stands too far left: its parent is empty, or its neighbours agree."""
    if before is None:
        return False
    if before.opens and above.indent == before.column and here.indent == before.column + STEP:
        return True
    if before.indent != here.indent:
        return False
    votes = _votes(above, here.indent) - _votes(here, above.indent)
    if votes:
        return votes > 0
    if _indent_below(here) == here.indent:
        return True
    return before.value_sort == above.value_sort == here.value_sort


def _votes(line: Line, indent: int) -> int:
    """Count the lines with the same field at *indent*, less those at the line's own indentation."""
    if not line.key:
        return 0
    same_field = re.compile(rf"^( *){re.escape(line.key)}:", re.MULTILINE)
    found = Counter(len(match[1]) for match in same_field.finditer(line.file))
    return found[indent] - (found[line.indent] - 1)


def _parent_to_blame(here: Line) -> Line | None:
    """Return the line whose children stand too far in, where a step to the right it would fit."""
    line, child = _parent_and_child(here)
    if line is None or child is None:
        return None
    if line.begins_text:
        # The first line of a text sets its margin, and this one is to stand inside too.
        return child if here.indent - line.column == STEP else None
    if child.indent - here.indent != STEP or child.indent - line.column == STEP:
        return None
    # A child that should have children and has none stands in their column itself.
    return child if child.opens and _indent_below(child) == child.indent else line


def _parent_and_child(here: Line) -> tuple[Line | None, Line | None]:
    """Return the next line above that is indented less and opens, and the first line below it."""
    child, line = None, here.above
    while line is not None and line.indent > here.indent:
        child, line = line, line.above
    if line is None or line.indent == here.indent or line.begins_entry or not line.opens:
        return None, None
    return line, child


def _indent_below(line: Line) -> int | None:
    """Return how far in the next line of words below stands."""
    below = NEXT_WORDS.search(line.file, line_end(line.file, line.start))
    return None if below is None else len(below[1])
