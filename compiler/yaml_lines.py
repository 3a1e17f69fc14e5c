"""Says what is wrong with the lines of an unreadable YAML file: indentation, colons, dashes.

In goes a `Failure`, libyaml's report; out comes a `Fault` at the line that is to blame, which may stand above
the one where libyaml gave up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compiler.yaml_columns import line_to_blame
from compiler.yaml_layout import (
    BLOCK_HEADER,
    SHORT,
    Fault,
    column_of_words,
    ends_unopened,
    indent_of,
    is_odd_head,
    line_above,
    line_end,
    line_start,
    missing_colon,
    missing_space,
    one,
    unopened_quote,
)

HAS_KEY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s#"'][^#]*?):(?:\s|$)""")
FIELD = re.compile(r" *(?:- +)*[\w-]+:(?: |$)")
TIGHT_KEY = re.compile(r"([\w-]+):[^\s]")
TIGHT_DASH = re.compile(r" *-[^\s-]")
VALUE = re.compile(r"(?: *- +)*(?: *[\w-]+: +)?")


@dataclass(frozen=True, slots=True)
class Failure:
    """What libyaml reported, and the line it means; *at* and *since* are offsets into the text."""

    text: str
    problem: str
    context: str
    at: int
    since: int

    @property
    def start(self) -> int:
        """Return where the line with the problem begins."""
        return line_start(self.text, self.at)

    @property
    def line(self) -> str:
        """Return the line with the problem."""
        return self.text[self.start : line_end(self.text, self.at)]

    @property
    def words(self) -> int:
        """Return where the words of that line begin, behind dashes."""
        return self.start + column_of_words(self.line)


def colon(failure: Failure) -> Fault | None:
    """A colon makes a key where none can be: by indentation, in a text, or by a slip in the line above."""
    if "found unexpected ':'" in failure.problem:
        return _colon_in_text(failure)
    if "mapping values are not allowed" not in failure.problem:
        return None
    key = failure.text[failure.words : failure.at]
    above = line_above(failure.text, failure.start)
    if HAS_KEY.match(key + " ") or above is None:
        return _colon_in_text(failure)
    start, line = above
    slip = _slip_in(failure, start, line)
    if slip is not None:
        return slip
    if HAS_KEY.match(line, column_of_words(line)) and indent_of(failure.line) > column_of_words(line):
        return _indentation(failure, failure.start)
    if _is_text_below(line_above(failure.text, start), line):
        return _without_colon(failure.text, start, line)
    return _colon_in_text(failure)


def _slip_in(failure: Failure, start: int, line: str) -> Fault | None:
    """Find what is missing in the line above, so that the line with the problem counts as more of it."""
    column = column_of_words(line)
    if TIGHT_DASH.match(line):
        return missing_space(start + indent_of(line) + 1, "dash")
    if column == len(line) or HAS_KEY.match(line, column) or line[column] in "[{\"'":
        return None
    if TIGHT_KEY.match(line, column):
        return missing_space(start + line.index(":", column) + 1, "colon")
    if indent_of(failure.line) == column and not _continues(failure, start, column):
        return _without_colon(failure.text, start, line)
    return None


def _continues(failure: Failure, start: int, column: int) -> bool:
    """Say whether the line at *start* is more of a text that begins above it."""
    above = line_above(failure.text, start)
    if above is None or column_of_words(above[1]) >= column:
        return False
    words = above[1][column_of_words(above[1]) :].rstrip()
    return bool(HAS_KEY.match(words)) and not words.endswith(":") and not BLOCK_HEADER.search(words)


def _colon_in_text(failure: Failure) -> Fault:
    found = VALUE.match(failure.line)
    value = failure.line[found.end() :].rstrip() if found else ""
    if ends_unopened(value):
        return unopened_quote(failure.start + len(failure.line.rstrip()) - 1, value[:-1])
    can_show = value and len(value) < SHORT and '"' not in value
    help = f'write "{value}"' if can_show else "put the text in quotes"
    message = "a colon and a space within a text need quotes around it"
    return Fault("colon-in-text", *one(failure.at), message, help)


def key_without_colon(failure: Failure) -> Fault | None:
    """A line has no colon, where only fields can stand."""
    if "could not find expected ':'" not in failure.problem:
        return None
    start = line_start(failure.text, failure.since)
    line = failure.text[start : line_end(failure.text, start)]
    column = column_of_words(line)
    if TIGHT_DASH.match(line):
        return missing_space(start + indent_of(line) + 1, "dash")
    if TIGHT_KEY.match(line, column):
        return missing_space(start + line.index(":", column) + 1, "colon")
    return _without_colon(failure.text, start, line)


def _without_colon(text: str, start: int, line: str) -> Fault:
    """Return what the line at *start* lacks: its colon, or the `|` above it."""
    above = line_above(text, start)
    for head in (above, _head_of_block(text, start, line)):
        if head is not None and BLOCK_HEADER.search(head[1]) and indent_of(line) <= column_of_words(head[1]):
            return _outside(start, line)
    if above is not None and _is_text_below(above, line):
        end = above[0] + len(above[1].rstrip())
        message = "text of several lines needs a `|` here"
        return Fault("block-text", *one(end), message, "put ` |` behind the colon")
    column = column_of_words(line)
    return missing_colon(start + column, line[column:].split()[0])


def _head_of_block(text: str, start: int, line: str) -> tuple[int, str] | None:
    """Return the line above that the lines between are indented below, as those of a block of text are."""
    above = line_above(text, start)
    while above is not None and indent_of(above[1]) > indent_of(line):
        above = line_above(text, above[0])
    return above


def _is_text_below(above: tuple[int, str] | None, line: str) -> bool:
    """Say whether *line* looks like effect text below a field's name, not like a field."""
    column = column_of_words(line)
    if above is None or "-" in line[:column] or not above[1].rstrip().endswith(":"):
        return False
    return column > column_of_words(above[1]) and len(line.split()) > 2


def text_outside(failure: Failure) -> Fault | None:
    """The first line of a text that `|` announces does not stand further in."""
    start = failure.start
    while (above := line_above(failure.text, start)) is not None:
        line = failure.text[start : line_end(failure.text, start)]
        if BLOCK_HEADER.search(above[1]) and HAS_KEY.match(above[1], column_of_words(above[1])):
            is_field = FIELD.match(line) is not None
            return None if is_field or indent_of(line) > column_of_words(above[1]) else _outside(start, line)
        start = above[0]
    return None


def _outside(start: int, line: str) -> Fault:
    message = "this line does not stand inside the text that the line above begins"
    return Fault("bad-indentation", *one(start + indent_of(line)), message, "indent it further")


def misplaced_line(failure: Failure) -> Fault | None:
    """A line stands in a column where nothing can go on."""
    if "did not find expected" not in failure.problem or failure.at > failure.words:
        return None
    if TIGHT_DASH.match(failure.line):
        return missing_space(failure.start + indent_of(failure.line) + 1, "dash")
    if failure.text.startswith(":", failure.at):
        return Fault("bad-key", *one(failure.at), "there is no word before this `:`")
    above = line_above(failure.text, failure.start)
    slip = None if above is None else _slip_in(failure, *above)
    return slip or _indentation(failure, failure.start)


def _indentation(failure: Failure, start: int) -> Fault:
    """Blame the line at *start*, or the one above it if that one is the odd one out."""
    text = failure.text
    indent = indent_of(text[start : line_end(text, start)])
    help = "line it up with those around it"
    odd = line_to_blame(text, start)
    if odd is not None:
        message = "this line is not indented like those below it"
        return Fault("bad-indentation", *one(odd.start + odd.indent), message, help)
    above = line_above(text, start)
    if above is not None:
        first, line = above
        words = column_of_words(line)
        dash = line.rfind("-", 0, words)
        if is_odd_head(text, first, indent):
            at = first + indent_of(line)
            return Fault("bad-indentation", *one(at), "this line is not indented like those below it", help)
        # Two columns behind the dash is what everybody writes.
        if dash >= 0 and indent == dash + 2 and words != indent:
            return Fault("bad-indentation", *one(first + words), "this stands too far behind its dash", help)
    message = "this line is not indented like any line it could belong to"
    return Fault("bad-indentation", *one(start + indent), message, help)
