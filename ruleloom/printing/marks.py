"""Drawings: the marks that a card is made of. Lengths are in micrometres, from the left and the top."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.printing.fonts import Face
from ruleloom.runtime.dataclass import Frozen

POINT = 25_400 / 72
"""Micrometres."""
QUARTERS = 4
"""Sizes of type are in quarters of a point."""


class TextRun(Frozen):
    """A line of text: where its base begins, its size in quarters of a point."""

    x: int
    y: int
    text: str
    face: Face
    size: int
    colour: str


class Shape(Frozen):
    """A rectangle with a ground, an edge, or both."""

    left: int
    top: int
    width: int
    height: int
    rounding: int
    ground: str
    edge: int
    colour: str


class Icon(Frozen):
    """An outline of 24 by 24, drawn as a square of this side."""

    left: int
    top: int
    side: int
    path: str
    colour: str


class Picture(Frozen):
    """A picture in a box: the whole of it, or cut so that it fills the box."""

    left: int
    top: int
    width: int
    height: int
    data: bytes
    media_type: str
    fill: bool


Mark = TextRun | Shape | Icon | Picture


class MarkGroup(Frozen):
    """Marks, upside down about a point if it is given."""

    marks: tuple[Mark, ...]
    about: tuple[int, int] | None = None


class Drawing(Frozen):
    """One side of a card: its size, how far it is printed beyond the cut, and its marks."""

    title: str
    width: int
    height: int
    bleed: int
    groups: tuple[MarkGroup, ...]

    def faces(self) -> Iterator[Face]:
        """The faces of its texts."""
        for group in self.groups:
            yield from (mark.face for mark in group.marks if isinstance(mark, TextRun))


def mixed(colour: str, share: int) -> str:
    """So many hundredths of a colour, the rest white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{255 - (255 - part) * share // 100:02x}" for part in parts)
