"""Says what is wrong with the lines of an unreadable YAML file: indentation, colons, dashes.

In goes a `Failure`, libyaml's report; out comes a `Fault` at the line that is to blame, which may stand above
the one where libyaml gave up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compiler.yaml_layout import BLOCK_HEADER, Fault, column_of_words, indent_of, line_end, line_start, one

WORD = re.compile(r"[^\s:]+")
HAS_KEY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s#"'][^#]*?):(?:\s|$)""")
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

    @property
    def is_first(self) -> bool:
        """Say whether the problem is the first sign of its line."""
        return not self.text[self.start : self.at].strip()

    def line_above(self, start: int) -> tuple[int, str] | None:
        """Return the next line above *start* that says something, and where it begins."""
        while start > 0:
            end = start - 1
            start = line_start(self.text, end)
            line = self.text[start:end]
            if line.strip() and not line.lstrip().startswith("#"):
                return start, line
        return None


def colon(failure: Failure) -> Fault | None:
    """A colon makes a key where none can be: indentation, a text with a colon, or a slip in the line above."""
    if "mapping values are not allowed" not in failure.problem:
        return None
    key = failure.text[failure.words : failure.at]
    above = failure.line_above(failure.start)
    if HAS_KEY.match(key + " ") or above is None:
        return _colon_in_text(failure)
    start, line = above
    column = column_of_words(line)
    words = line[column:]
    if TIGHT_DASH.match(line):
        return _missing_space(start + indent_of(line) + 1, "dash")
    if HAS_KEY.match(words):
        if indent_of(failure.line) <= column:
            return _colon_in_text(failure)
        return _indentation(failure, failure.start)
    if TIGHT_KEY.match(words):
        return _missing_space(start + column + words.index(":") + 1, "colon")
    if indent_of(failure.line) == column and not _continues(failure, start, column):
        return _missing_colon(start + column, failure.text)
    return _colon_in_text(failure)


def _continues(failure: Failure, start: int, column: int) -> bool:
    """Say whether the line at *start* is more of a text that begins above it."""
    above = failure.line_above(start)
    if above is None or column_of_words(above[1]) >= column:
        return False
    words = above[1][column_of_words(above[1]) :].rstrip()
    return bool(HAS_KEY.match(words)) and not words.endswith(":") and not BLOCK_HEADER.search(words)


def _colon_in_text(failure: Failure) -> Fault:
    found = VALUE.match(failure.line)
    value = failure.line[found.end() :].rstrip() if found else ""
    quoted = (
        f'write "{value}"' if value and len(value) < 60 and '"' not in value else "put the text in quotes"
    )
    return Fault(
        "colon-in-text", *one(failure.at), "a colon and a space within a text need quotes around it", quoted
    )


def _missing_space(at: int, sign: str) -> Fault:
    return Fault("missing-space", at, at + 1, f"a space is missing behind this {sign}", "put a space here")


def _missing_colon(start: int, text: str) -> Fault:
    found = WORD.match(text, start)
    end = found.end() if found else start + 1
    word = text[start:end]
    return Fault("missing-colon", end, end + 1, f"a colon is missing behind `{word}`", f"write `{word}:`")


def key_without_colon(failure: Failure) -> Fault | None:
    """A line has no colon, where only fields can stand."""
    if "could not find expected ':'" not in failure.problem:
        return None
    start = line_start(failure.text, failure.since)
    line = failure.text[start : line_end(failure.text, start)]
    column = column_of_words(line)
    if TIGHT_DASH.match(line):
        return _missing_space(start + indent_of(line) + 1, "dash")
    if TIGHT_KEY.match(line, column):
        return _missing_space(start + line.index(":", column) + 1, "colon")
    return _missing_colon(start + column, failure.text)


def misplaced_line(failure: Failure) -> Fault | None:
    """A line stands in a column where nothing can go on."""
    if "did not find expected" not in failure.problem or not failure.is_first:
        return None
    if TIGHT_DASH.match(failure.line):
        return _missing_space(failure.start + indent_of(failure.line) + 1, "dash")
    if failure.line.lstrip().startswith(":"):
        return Fault("bad-key", *one(failure.at), "there is no word before this `:`")
    return _indentation(failure, failure.start)


def _indentation(failure: Failure, start: int) -> Fault:
    """Blame the line at *start*, or the one above it if that one is the odd one out."""
    line = failure.text[start : line_end(failure.text, start)]
    indent = indent_of(line)
    above = failure.line_above(start)
    if above is not None:
        first, words = above[0], column_of_words(above[1])
        dash = above[1].rfind("-", 0, words)
        opener = failure.line_above(first)
        parent = dash if dash >= 0 else None if opener is None else column_of_words(opener[1])
        # Two columns further in is what everybody writes: the line that keeps to it is not the odd one.
        heads = dash >= 0 or (opener is not None and opener[1].rstrip().endswith((":", "|")))
        if parent is not None and heads and indent == parent + 2 and words != parent + 2:
            at = first + words
            return Fault(
                "bad-indentation", *one(at), "this line is not indented like those below it", "line them up"
            )
    at = start + indent
    message = "this line is not indented like any line it could belong to"
    return Fault("bad-indentation", *one(at), message, "line it up with the lines around it")
