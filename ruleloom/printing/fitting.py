"""Lines of text in a box: words broken by the widths of their letters, in the largest type that fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ruleloom.printing.fonts import Face
from ruleloom.printing.marks import POINT, QUARTERS
from ruleloom.runtime.dataclass import Frozen

# The height of a line, and what is left free above a paragraph, in hundredths of the size.
LINE, GAP = 118, 45
# What may follow a break: a word with the spaces before it, or the rest of one behind a dash.
WORD = re.compile(r"\s*[^\s—–/-]+[—–/-]+(?=\w)|\s*\S+?(?=\s|$)|\s*\S+?(?=[—–/-])")


class Paragraph(Frozen):
    """A text, and how it is set; its size is in hundredths of that of the box."""

    text: str
    face: Face
    size: int = 100


class Line(Frozen):
    """A line that was broken: its text, face and size in quarters of a point, and its base below the top."""

    text: str
    face: Face
    size: int
    base: int
    width: int


class Fitted(Frozen):
    """Lines with the height of all of them, and the letters that their faces lack."""

    lines: tuple[Line, ...]
    height: int
    missing: tuple[str, ...]


def fitted(
    paragraphs: Sequence[Paragraph], box: tuple[int, int], points: int, least: int
) -> Fitted | None:
    """Paragraphs in a box (width, height), at `points` or less; None if they do not fit at `least`."""
    for size in range(points * QUARTERS, least * QUARTERS - 1, -1):
        found = _set(paragraphs, box[0], size)
        if found is not None and found.height <= box[1]:
            return found
    return None


def _set(paragraphs: Sequence[Paragraph], width: int, size: int) -> Fitted | None:
    lines: list[Line] = []
    top, missing = 0, set[str]()
    for at, paragraph in enumerate(paragraphs):
        own = size * paragraph.size // 100
        unit = own * POINT / QUARTERS / 1000
        top += round(own * POINT / QUARTERS * GAP / 100) if at else 0
        missing |= {*paragraph.face.missing(paragraph.text)}
        for text in _broken(paragraph.text, paragraph.face, width / unit):
            wide = round(paragraph.face.width(text) * unit)
            if wide > width:
                return None
            base = top + round(paragraph.face.ascent * unit)
            lines.append(Line(text, paragraph.face, own, base, wide))
            top += round(own * POINT / QUARTERS * LINE / 100)
    return Fitted(tuple(lines), top, tuple(sorted(missing)))


def _broken(text: str, face: Face, width: float) -> Iterator[str]:
    line = ""
    for part in words(text):
        if line and face.width(f"{line}{part}".strip()) > width:
            yield line.strip()
            line = ""
        line += part
    if line.strip():
        yield line.strip()


def words(text: str) -> Iterable[str]:
    """The parts of a text that it may be broken between, with the spaces before them."""
    return WORD.findall(text)
