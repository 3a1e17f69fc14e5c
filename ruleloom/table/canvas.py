"""Coloured text of known width: lines of styled pieces, cut or padded to a width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import groupby

from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.safe_text import safe_text

Styled = tuple[str, tuple[str, ...]]
# For terminals of unknown width, and for files.
WIDTH = 79


class Look(Frozen):
    """The look of the table on this terminal: colour, ASCII instead of arrows, width, language."""

    colour: bool = False
    plain: bool = False
    width: int = WIDTH
    language: Language = ENGLISH

    def said(self, sentence: str, **values: str) -> str:
        """A sentence of ours in the language of the reader."""
        return self.language.said(sentence, **values)

    def paint(self, text: str, *styles: str) -> str:
        """Untrusted text escaped, in these styles."""
        return paint(safe_text(text), *styles, on=self.colour)

    def line(self, parts: Iterable[Styled]) -> str:
        """A line of styled pieces, without trailing blanks."""
        kept = list(parts)
        while kept and not kept[-1][0].strip():
            kept.pop()
        if kept:
            text, styles = kept.pop()
            kept.append((text.rstrip(), styles))
        return "".join(self.paint(text, *styles) for text, styles in kept)


def seen_width(text: str) -> int:
    """The width of a text in terminal columns."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def cut(text: str, width: int) -> str:
    """The text cut to `width` columns, with a final dot if it was cut."""
    if seen_width(text) <= width:
        return text
    while text and seen_width(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "." if width > 0 else ""


def fill(text: str, width: int) -> str:
    """The text cut or padded to exactly `width` columns."""
    text = cut(text, width)
    return text + " " * (width - seen_width(text))


def wrapped(text: str, width: int, indent: str = "", first: str = "") -> list[str]:
    """The text in lines of at most `width` columns; lines after the first are indented."""
    lines = [first]
    begun = False
    for word in text.split(" "):
        for part in _pieces(word, max(1, width - seen_width(indent))):
            room = width - seen_width(lines[-1]) - begun
            if begun and seen_width(part) > room:
                lines.append(indent)
                begun = False
            lines[-1] += f" {part}" if begun else part
            begun = True
    return [line.rstrip() for line in lines]


def _pieces(word: str, width: int) -> list[str]:
    """A word, split if it is wider than a line."""
    if seen_width(word) <= width:
        return [word]
    pieces = [""]
    for char in word:
        if seen_width(pieces[-1] + char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces


def counted(names: Iterable[str]) -> list[str]:
    """The names, with equal neighbours merged and counted: `red d4 x6`."""
    groups = ((name, sum(1 for _ in same)) for name, same in groupby(names))
    return [name if many == 1 else f"{name} x{many}" for name, many in groups]
