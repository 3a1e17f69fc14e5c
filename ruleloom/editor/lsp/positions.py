"""Positions of the protocol, in lines and UTF-16 units from 0, and offsets into a text.

Only line feeds end a line here, with or without a carriage return before them, as in the compiler.
A position behind the end of its line is at its end, one behind the last line at the end of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from lsprotocol import types as lsp

from ruleloom.compiler.analysis.texts import line_end

WIDE = 0xFFFF


class TextLines:
    """The lines of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        lengths = (len(line) + 1 for line in text.split("\n")[:-1])
        self._starts: Sequence[int] = list(accumulate(lengths, initial=0))

    def offset(self, position: lsp.Position) -> int:
        """The offset of a position."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(position.line, 0)]
        line = self.text[start : line_end(self.text, start)]
        units = 0
        for number, sign in enumerate(line):
            if units >= position.character:
                return start + number
            units += 2 if ord(sign) > WIDE else 1
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        """The position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : offset]
        return lsp.Position(line, len(before) + sum(ord(sign) > WIDE for sign in before))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range from one offset to another."""
        return lsp.Range(self.position(start), self.position(end))

    def place(self, line: int, column: int) -> int:
        """The offset of a line and a column of characters, both from 1."""
        if line > len(self._starts):
            return len(self.text)
        start = self._starts[max(line, 1) - 1]
        return min(start + column - 1, line_end(self.text, start))


def changed(text: str, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> str:
    """A text after changes, one after the other."""
    for change in changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            lines = TextLines(text)
            start, end = lines.offset(change.range.start), lines.offset(change.range.end)
            text = text[:start] + change.text + text[max(start, end) :]
        else:
            text = change.text
    return text
