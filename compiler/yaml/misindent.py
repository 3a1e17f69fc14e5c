"""Finds the misindented one of two lines of a YAML file that do not go together.

In goes the text and the line that YAML gives up at; out comes the line to blame, which may stand
above it. Of two lines that disagree, the one that keeps to the usual step of two columns is right,
and so is the one that lines up with its neighbours.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ruleloom.compiler.yaml.layout import (
    BLOCK_HEADER,
    column_of_words,
    indent_of,
    line_above,
    line_end,
)

STEP = 2
KEY = re.compile(r" *([\w-]+):(?: |$)")


@dataclass(frozen=True, slots=True)
class IndentedLine:
    """A line of words: where it begins, its indentation, where its words begin."""

    start: int
    indent: int
    words: int
    opens: bool
    """Does it end with a colon, a `|` or a `>`, so that what belongs to it stands below?"""
    sort: str
    """What its value begins with: a quote, a bracket, a word."""

    begins_text: bool
    """Does it end with `|` or `>`?"""
    key: str

    @property
    def begins_entry(self) -> bool:
        """Does it begin an entry of a list?"""
        return self.words > self.indent


def line_to_blame(text: str, start: int) -> IndentedLine | None:
    """Return the line above that is to blame, where YAML gives up at the line at *start*."""
    here = _line(text, start, text[start : line_end(text, start)])
    above = _above(text, here)
    if above is None:
        return None
    before = _above(text, above)
    if above.indent < here.indent:
        stands_out = (
            not above.opens and not above.begins_entry and _stands_out(text, above, before, here)
        )
        return above if stands_out else None
    return above if _is_too_far_in(above, before, here) else _parent_to_blame(text, here)


def _is_too_far_in(above: IndentedLine, before: IndentedLine | None, here: IndentedLine) -> bool:
    """Say whether *here* keeps to the usual step below *before*, and *above* stands further in."""
    if above.opens or above.indent <= here.indent:
        return False
    if before is None:
        return here.indent == 0
    right, wrong = here.indent - before.words, above.indent - before.words
    return before.opens and right == STEP != wrong


def _stands_out(
    text: str, above: IndentedLine, before: IndentedLine | None, here: IndentedLine
) -> bool:
    """Say whether *above* stands too far left: its parent is empty, or its neighbours agree."""
    if before is None:
        return False
    if before.opens and above.indent == before.words and here.indent == before.words + STEP:
        return True
    if before.indent != here.indent:
        return False
    votes = _votes(text, above, here.indent) - _votes(text, here, above.indent)
    if votes:
        return votes > 0
    below = _below(text, here)
    if below is not None and below.indent == here.indent:
        return True
    return len({one.sort for one in (before, above, here)}) == 1


def _votes(text: str, line: IndentedLine, indent: int) -> int:
    """Count the lines with the same field at *indent*, less those at the line's own indentation."""
    if not line.key:
        return 0
    found = Counter(
        len(match[1]) for match in re.finditer(rf"^( *){re.escape(line.key)}:", text, re.MULTILINE)
    )
    return found[indent] - (found[line.indent] - 1)


def _parent_to_blame(text: str, here: IndentedLine) -> IndentedLine | None:
    """Return the line whose children stand too far in, where a step to the right it would fit."""
    line, child = _parent_and_child(text, here)
    if line is None or child is None or not line.opens or line.begins_entry:
        return None
    if line.indent == here.indent:
        return None
    if line.begins_text:
        # The first line of a text sets its margin, and this one is to stand inside too.
        return child if here.indent - line.words == STEP else None
    if child.indent - here.indent != STEP or child.indent - line.words == STEP:
        return None
    below = _below(text, child)
    # A child that should have children and has none stands in their column itself.
    return child if child.opens and below is not None and below.indent == child.indent else line


def _parent_and_child(
    text: str, here: IndentedLine
) -> tuple[IndentedLine | None, IndentedLine | None]:
    """Return the next line above that is indented no further, and the first line below that one."""
    child: IndentedLine | None = None
    line = _above(text, here)
    while line is not None and line.indent > here.indent:
        child, line = line, _above(text, line)
    return line, child


def _line(text: str, start: int, line: str) -> IndentedLine:
    value = line.partition(":")[2].strip()[:1]
    sort = "a" if value.isalnum() else value
    is_text = BLOCK_HEADER.search(line) is not None
    opens = is_text or line.rstrip().endswith(":")
    key = KEY.match(line)
    return IndentedLine(
        start,
        indent_of(line),
        column_of_words(line),
        opens,
        sort,
        is_text,
        key[1] if key is not None else "",
    )


def _above(text: str, line: IndentedLine) -> IndentedLine | None:
    found = line_above(text, line.start)
    return None if found is None else _line(text, *found)


def _below(text: str, line: IndentedLine) -> IndentedLine | None:
    at = line_end(text, line.start) + 1
    while at < len(text):
        end = line_end(text, at)
        words = text[at:end].strip()
        if words and not words.startswith("#"):
            return _line(text, at, text[at:end])
        at = end + 1
    return None
