"""The document: parts within parts, and the blocks that each consists of.

Texts may hold marks; they become references once every part has its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from ruleloom.reference.rulebook.telling import ToldLine
from ruleloom.runtime.dataclass import dataclass

# So many blocks, or steps, make an entry long.
MANY = 4


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; a `soft` one is set smaller, as a remark."""

    form: ClassVar[str] = "prose"
    text: str
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps with numbers, or without if their order does not matter."""

    form: ClassVar[str] = "steps"
    lines: Sequence[ToldLine]
    numbered: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of a row heads it, unless all are `plain`."""

    form: ClassVar[str] = "grid"
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """Words, each with what it means."""

    form: ClassVar[str] = "terms"
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """An item of a catalogue: its printed values, what it says, and what it alone brings."""

    title: str
    anchor: str
    facts: str
    blocks: Sequence[Block]
    source: str = ""

    @property
    def is_long(self) -> bool:
        """Does it need the width of a page?"""
        return any(_is_long(one) for one in self.blocks)


@dataclass(frozen=True, slots=True)
class Entries:
    """A catalogue."""

    form: ClassVar[str] = "entries"
    entries: Sequence[CatalogueEntry]

    @property
    def is_brief(self) -> bool:
        """Are all of them so short that two stand beside each other?"""
        return all(len(entry.blocks) < MANY and not entry.is_long for entry in self.entries)


def _is_long(block: Block) -> bool:
    match block:
        case Steps(lines=lines):
            return len(lines) >= MANY or any(line.inner for line in lines)
        case Grid() | Detail():
            return True
    return False


@dataclass(frozen=True, slots=True)
class Definition:
    """Some words, and what they mean."""

    anchor: str
    head: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Words that texts use, each to be found from there."""

    form: ClassVar[str] = "definitions"
    entries: Sequence[Definition]


@dataclass(frozen=True, slots=True)
class Detail:
    """A section below something else, under a heading without a number."""

    form: ClassVar[str] = "detail"
    title: str
    anchor: str
    blocks: Sequence[Block]


Block = Prose | Steps | Grid | Terms | Entries | Definitions | Detail


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter, or a section of one; `source` says which packs it comes from, if not the game."""

    title: str
    anchor: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Part] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a part, by its number and its anchor."""

    number: str
    anchor: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of text, and what it refers to behind it."""

    text: str
    place: Reference | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The whole of it."""

    title: str
    sources: Sequence[str]
    parts: Sequence[Part]
    numbers: Mapping[str, str] = field(default_factory=dict)
    index: Sequence[tuple[str, Sequence[tuple[str, Sequence[Reference]]]]] = ()


def numbers_of(parts: Iterable[Part], above: str = "") -> Iterator[tuple[str, str]]:
    """The number of every part, by its anchor: `4.2` is the second section of chapter 4."""
    for place, part in enumerate(parts, 1):
        number = f"{above}{place}"
        yield part.anchor, number
        yield from numbers_of(part.parts, f"{number}.")
