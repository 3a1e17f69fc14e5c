"""Finds the quote or bracket that a YAML file opens and never closes.

YAML itself notices at the end of the file, or at some later quote that seems to close the first
one. This walk minds the layout: a line that stands too far left cannot belong to the quote or
bracket above it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ruleloom.compiler.yaml import layout
from ruleloom.compiler.yaml.layout import KEY, Fault, indent_of, line_end, one

ESCAPED_OR_END = {'"': re.compile(r'\\.|"', re.DOTALL), "'": re.compile(r"''|'")}

# Most of a line: no sign of YAML's and no space. (The header of a block begins with `|` or `>`.)
PLAIN = re.compile(r"[^#:,\[\]{}\"'|> \t]+")
COMMENT = re.compile(r"(?<=[ \t])#")
# What a value may follow: in brackets also a comma.
BEFORE_VALUE = re.compile(r":(?![^ \t])")
BEFORE_VALUE_IN_FLOW = re.compile(r":(?![^ \t])|,")


CLOSING = {"[": "]", "{": "}"}


class _Bracket(NamedTuple):
    sign: str
    at: int
    column: int


class Scanner:
    """Walks the lines as YAML would, but minds the layout, to find signs that are never closed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.brackets: list[_Bracket] = []
        self.block: int | None = None  # the column that the lines of a `|` block must exceed
        self.plain: int | None = None  # the column that more lines of a plain text must exceed
        self.fault: Fault | None = None

    def find(self, last: int) -> Fault | None:
        """Return the first loose end of the file, if it stands no further than at *last*."""
        at = 0
        while at <= min(last, len(self.text)) and self.fault is None:
            at = self.line(at) + 1
        if self.fault is None and self.brackets and at > len(self.text):
            self.fault = self.unclosed_bracket()
        return self.fault if self.fault is not None and self.fault.start <= last else None

    def unclosed_bracket(self) -> Fault:
        sign, at, _ = self.brackets[-1]
        message = f"this `{sign}` is never closed by a `{CLOSING[sign]}`"
        return Fault("unclosed-bracket", *one(at), message)

    def line(self, start: int) -> int:
        """Read the line that begins at *start*; return where the reading ended."""
        end = line_end(self.text, start)
        line = self.text[start:end]
        indent = indent_of(line)
        if not line.strip() or line[indent] == "#":
            return end
        for column in (self.block, self.plain):
            if column is not None and indent > column and not self.brackets:
                return end
        self.block = self.plain = None
        if self.brackets and indent <= self.brackets[-1].column and KEY.match(line, indent):
            self.fault = self.unclosed_bracket()
            return end
        words = layout.line_at(self.text, start).column
        dash = line.rfind("-", 0, words)
        return self.tokens(start + words, end, words, dash if dash >= 0 else words)

    def tokens(self, at: int, end: int, column: int, outer: int) -> int:
        """Read signs from *at* to the end of the line; *column* is where its words begin."""
        text = self.text
        fresh, parent = True, outer
        while at < end and self.fault is None:
            words = PLAIN.match(text, at, end)
            if words is not None:
                fresh, at = False, words.end()
                continue
            if COMMENT.match(text, at):
                break
            char = text[at]
            if fresh and char in "\"'":
                at = self.quote(at, column)
                end, fresh = line_end(text, at), False
            elif fresh and char in "[{":
                self.brackets.append(_Bracket(char, at, column))
            elif char in "]}" and self.brackets:
                self.close(at)
                fresh = False
            elif self.before_value(at, end):
                fresh, parent = True, column
            elif fresh and self.begins_block(at, end):
                self.block = parent
                return end
            else:
                fresh &= char in " \t"
            at += 1
        self.plain = None if fresh else parent
        return end

    def before_value(self, at: int, end: int) -> bool:
        sign = BEFORE_VALUE_IN_FLOW if self.brackets else BEFORE_VALUE
        return sign.match(self.text, at, end) is not None

    def begins_block(self, at: int, end: int) -> bool:
        return not self.brackets and layout.BLOCK_HEADER.match(self.text, at, end) is not None

    def close(self, at: int) -> None:
        sign, opened_at, _ = self.brackets.pop()
        expected, found = CLOSING[sign], self.text[at]
        if found != expected:
            message = f"expected `{expected}` before this `{found}`"
            opened = ((one(opened_at), f"the `{sign}` to close is here"),)
            self.fault = Fault("unclosed-bracket", *one(at), message, None, opened)

    def quote(self, start: int, column: int) -> int:
        """Return where the quote that opens at *start* is closed, or *start* with the fault set."""
        signs = ESCAPED_OR_END[self.text[start]].finditer(self.text, start + 1)
        closing = next((sign.start() for sign in signs if len(sign.group()) == 1), None)
        stop = line_end(self.text, start)
        if closing is None or (closing >= stop and self.leaves(stop, closing, column)):
            self.fault = layout.unclosed_quote(self.text, start)
            return start
        return closing

    def leaves(self, at: int, closing: int, column: int) -> bool:
        """Say whether a line up to *closing* stands too far left to belong to the quote."""
        lines = self.text[at : line_end(self.text, closing)].split("\n")[1:]
        outer = [line for line in lines if line.strip() and indent_of(line) <= column]
        return any(not self.brackets or KEY.match(line, indent_of(line)) for line in outer)
