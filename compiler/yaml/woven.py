"""Texts woven from lines of several files: a source each of whose lines stands somewhere else.

In go the lines of a text, each with where it is written; out comes a node like one of a YAML file,
whose every place is that of the written line. It is read like any other effect text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class WovenLine:
    """A line as it stands in the woven text, and the offset in its file where its column 0 is.

    A line that was indented further has that offset before its words, perhaps before its own line:
    only words have places.
    """

    text: str
    source: Source
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class WovenSource(Source):
    """The text of a woven block, called by the file of its item."""

    lines: tuple[WovenLine, ...]

    def place(self, start: int, end: int) -> Place:
        """Return where a stretch is written; of several files, its part in the first one."""
        first, column = self.line_col(start)
        line = self.lines[first - 1]
        begin = stop = line.start + column - 1
        if end > start:
            last, column = self.line_col(end - 1)
            for number in range(first, last + 1):
                other = self.lines[number - 1]
                until = other.start + (column if number == last else len(other.text))
                if other.source is line.source and until > stop:
                    stop = until
        return line.source.place(max(begin, 0), max(stop, 0))

    def beginning(self, offset: int) -> tuple[str, int, int]:
        """Return the file, line and column at which a character is written."""
        place = self.place(offset, offset)
        return place.path, place.line, place.column


def woven_node(old: YamlNode, lines: Sequence[WovenLine]) -> YamlNode:
    """The node of a text made of these lines, in place of an old one."""
    head = WovenLine("|", old.source, old.start)
    text = "".join(f"{line.text}\n" for line in lines)
    source = WovenSource(old.source.path, f"|\n{text}", (head, *lines))
    return YamlNode(source, "text", text, 0, len(source.text), "|")
