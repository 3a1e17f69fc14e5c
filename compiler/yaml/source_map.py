"""Source maps of effect text, from each character to its position in the YAML file.

A text that YAML has rewritten (folded, escaped, continued over lines) has no such map: it is an
`unmappable-text` error, which asks for a `|` block.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

MAX_BLOCK = 32_768
MAX_DEFINITION = 4_096
TAB_INDENT = re.compile(r"^ *(\t)[ \t]*[^ \t\n]", re.MULTILINE)


@dataclass(frozen=True, slots=True, eq=False)
class EffectText:
    """A text of the effect language, with the start of each of its lines in the text and in the file.

    *end* is the end of its words, before trailing newlines.
    """

    source: Source
    text: str
    text_starts: tuple[int, ...]
    source_starts: tuple[int, ...]
    end: int

    def offset_of(self, at: int) -> int:
        """Return the file offset of the character at offset *at* of the text."""
        at = min(at, self.end)  # trailing newlines map to the end of the words
        line = bisect_right(self.text_starts, at) - 1
        return self.source_starts[line] + at - self.text_starts[line]

    def beginning(self, at: int) -> tuple[str, int, int]:
        """Return the file, line and column of the character at offset *at* of the text."""
        return self.source.beginning(self.offset_of(at))

    def place_of(self, span: tuple[int, int]) -> Place:
        """Return the place in the file of a *span* of the text."""
        start, end = span
        first = self.offset_of(start)
        # A span up to the end of a line ends after its last character, not on the next line.
        covered = len(self.text[start:end].rstrip("\n"))
        last = self.offset_of(start + covered - 1) + 1 if covered else first
        return self.source.place(first, last)


def effect_text(source: Source, node: YamlNode, report: Report) -> EffectText | None:
    """Return the effect text in *node* with its map, or None, with the reason in *report*.

    A valid one is mapped once, and cached in its source.
    """
    known: EffectText | None = source.mapped.get((node.start, node.end))
    if known is not None:
        return known
    found = _checked(source, node, report)
    if found is not None:
        source.mapped[node.start, node.end] = found
    return found


def _checked(source: Source, node: YamlNode, report: Report) -> EffectText | None:
    text = node.raw if node.kind in ("int", "bool") else node.text
    if text is None:
        report.error("wrong-type", node.place, "expected effect text here")
        return None
    limit = MAX_BLOCK if node.style == "|" else MAX_DEFINITION
    if len(text) > limit:
        message = f"this effect text has {len(text):,} characters, and {limit:,} is the most"
        report.error("too-long", _head(source, node), message, "split it into several items")
        return None
    mapped = _block(source, node, text) if node.style == "|" else _single(source, node, text)
    if mapped is None:
        why = f"effect text cannot use escapes within {node.style}quotes{node.style}"
        if node.style == ">":
            why = "effect text cannot be folded with `>`"
        elif node.style is None or "\n" in node.raw:
            why = "effect text of several lines needs a `|` block"
        help = "write `|` after the field's name and the text below it, indented"
        report.error("unmappable-text", _head(source, node), why, help)
        return None
    tab = TAB_INDENT.search(text)
    if tab is not None:
        message = "a tab is used for indentation"
        report.error("tab", mapped.place_of(tab.span(1)), message, "use spaces")
        return None
    return mapped


def _head(source: Source, node: YamlNode) -> Place:
    """Return the place of the sign that opens a block or quoted text, or of a plain text's first line."""
    if node.style is not None:
        return source.place(node.start, node.start + 1)
    newline = source.text.find("\n", node.start, node.end)
    return source.place(node.start, node.end if newline < 0 else newline)


def _single(source: Source, node: YamlNode, text: str) -> EffectText | None:
    margin = 1 if node.style is not None else 0  # its quotes
    start, end = node.start + margin, node.end - margin
    if "\n" in text or source.text[start:end] != text:
        return None
    return EffectText(source, text, (0,), (start,), len(text))


def _block(source: Source, node: YamlNode, text: str) -> EffectText | None:
    written = text.rstrip("\n").split("\n")
    first_line, _ = source.line_col(node.start)
    if written == [""]:
        return EffectText(source, text, (0,), (node.end,), 0)
    margin = _margin(source, first_line + 1, written)
    text_starts: list[int] = []
    source_starts: list[int] = []
    at = 0
    for line, value in enumerate(written, first_line + 1):
        if line > len(source.line_starts):
            return None
        start, found = source.line_starts[line - 1], source.line_text(line)
        if found[margin : margin + len(value)] != value or (len(found) > margin + len(value)):
            return None
        text_starts.append(at)
        # A blank line may be shorter than the margin, and then maps to its end.
        source_starts.append(start + min(margin, len(found)))
        at += len(value) + 1
    end = len(text.rstrip("\n"))
    return EffectText(source, text, tuple(text_starts), tuple(source_starts), end)


def _margin(source: Source, first_line: int, written: list[str]) -> int:
    """Return the number of spaces removed from each line of a block."""
    for line, value in enumerate(written, first_line):
        if value.strip(" "):
            found = source.line_text(line)
            return (len(found) - len(found.lstrip(" "))) - (len(value) - len(value.lstrip(" ")))
    lines = enumerate(written, first_line)
    return max(len(source.line_text(line)) - len(value) for line, value in lines)


@dataclass(frozen=True, slots=True, eq=False)
class WovenLine:
    """A line of a woven text, and the offset in its file of its column 0.

    For a line that was indented further, this offset is before its words, perhaps before its own line:
    only words have places.
    """

    text: str
    source: Source
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class WovenSource(Source):
    """The text of a woven block, with the path of its item's file."""

    lines: tuple[WovenLine, ...]

    def place(self, start: int, end: int) -> Place:
        """Return the place of a span; of several files, its part in the first one."""
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
        """Return the file, line and column of a character."""
        place = self.place(offset, offset)
        return place.path, place.line, place.column


def woven_node(old: YamlNode, lines: Sequence[WovenLine]) -> YamlNode:
    """The node of a text made of these lines, in place of an old one."""
    head = WovenLine("|", old.source, old.start)
    text = "".join(f"{line.text}\n" for line in lines)
    source = WovenSource(old.source.path, f"|\n{text}", (head, *lines))
    return YamlNode(source, "text", text, 0, len(source.text), "|")
