"""Marks in texts: each use of a power, and each mention of a number or rule, bears the mark of it.

A mark is one sign of a private area of Unicode. It is set behind the words of a power or a measure
before anything is put into words with them, and so stands wherever these come up, however the
sentence bends.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.resolve.symbols import Signature

K = TypeVar("K")
FIRST, LAST = 0xF0000, 0xFFFFD
MARK = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")


class TextMarks:
    """What each mark stands for, by id."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._marks: dict[str, str] = {}

    def marked(self, table: Mapping[K, Signature], kinds: Container[str]) -> Table[K, Signature]:
        """The same table with a mark behind the words of each power, number or rule of these kinds."""
        return Table({key: self._marked(one, kinds) for key, one in table.items()})

    def _marked(self, callee: Signature, kinds: Container[str]) -> Signature:
        mark = self.of(callee.id) or chr(FIRST + len(self._ids))
        if callee.kind not in kinds or not callee.english or not callee.id or mark > chr(LAST):
            return callee
        self._ids[mark], self._marks[callee.id] = callee.id, mark
        return replace(callee, english=f"{unmarked(callee.english)}{mark}")

    def of(self, id: str) -> str:
        """The mark of what has this id; empty if it has none."""
        return self._marks.get(id, "")

    def pieces(self, text: str) -> Iterator[tuple[str, str]]:
        """The stretches of a text, each with the id of what is marked at its end, if anything."""
        start = 0
        for mark in MARK.finditer(text):
            yield text[start : mark.start()], self._ids.get(mark[0], "")
            start = mark.end()
        if start < len(text):
            yield text[start:], ""

    def ids(self, text: str) -> Iterator[str]:
        """The ids of what is marked in a text."""
        return (id for _, id in self.pieces(text) if id)


def unmarked(text: str) -> str:
    """A text as it is to be read."""
    return MARK.sub("", text)
