"""A document: a tree of parts, the blocks of each, all anchored spots, and the index.

Texts may contain marks, which become cross-references once all parts are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import combining, normalize

from ruleloom.compiler.analysis.game_texts import StepLine, unmarked
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.language import ENGLISH, Language

# The number of blocks or steps from which on an entry is long.
MANY = 4
# Longer headings are sentences, which do not belong in an index.
MOST_WORDS = 6
ARTICLE = re.compile("^(?:The|A|An) ")


class Prose(Frozen):
    """A paragraph; a `soft` one is set small, as a remark."""

    text: str
    soft: bool = False


class Steps(Frozen):
    """A list of steps, numbered unless their order does not matter."""

    lines: Sequence[StepLine]
    numbered: bool = True


class Grid(Frozen):
    """A table; the first cell of each row is its header unless `plain`."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    plain: bool = False


class Terms(Frozen):
    """Terms with their meanings."""

    rows: Sequence[tuple[str, str]]


class CatalogueEntry(NamedTuple):
    """An item of a catalogue: its printed `facts`, its text, and powers it alone uses."""

    title: str
    anchor: str
    facts: str
    blocks: Sequence[Block]
    source: str = ""


class Entries(Frozen):
    """A catalogue."""

    entries: Sequence[CatalogueEntry]

    @property
    def is_brief(self) -> bool:
        """Are all entries short enough for two columns?"""
        return not any(
            len(entry.blocks) >= MANY or any(map(_is_long, entry.blocks)) for entry in self.entries
        )


def _is_long(block: Block) -> bool:
    match block:
        case Steps(lines=lines):
            return len(lines) >= MANY or any(line.inner for line in lines)
        case Grid() | Detail():
            return True
    return False


class Definition(NamedTuple):
    """A term and its meaning."""

    anchor: str
    head: str
    text: str
    source: str = ""


class Definitions(Frozen):
    """A list of definitions that texts link to."""

    entries: Sequence[Definition]


class Detail(Frozen):
    """A subsection with an unnumbered heading."""

    title: str
    anchor: str
    blocks: Sequence[Block]


Block = Prose | Steps | Grid | Terms | Entries | Definitions | Detail


class Part(NamedTuple):
    """A chapter, or a section of one; `source` names its packs, if other than the game."""

    title: str
    anchor: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Part] = ()
    source: str = ""


class BookSpot(NamedTuple):
    """A spot in a document: its heading, and the number of its part.

    `said` is the text of a reference to it: `4.2` is the second section of chapter 4. It is empty for
    an entry of a list, and None for a spot without its own anchor.
    """

    head: str
    anchor: str
    number: str
    said: str | None


def spots_of(parts: Iterable[Part], above: str = "") -> Iterator[BookSpot]:
    """All spots of some parts, in order."""
    for at, part in enumerate(parts, 1):
        number = f"{above}{at}"
        yield BookSpot(part.title, part.anchor, number, number)
        for block in part.blocks:
            yield from _within(block, part.anchor, number)
        yield from spots_of(part.parts, f"{number}.")


def _within(block: Block, anchor: str, number: str) -> Iterator[BookSpot]:
    match block:
        case Definitions():
            yield from (BookSpot(one.head, one.anchor, number, "") for one in block.entries)
        case Terms():
            yield from (BookSpot(word, anchor, number, None) for word, _ in block.rows)
        case Entries():
            for entry in block.entries:
                yield BookSpot(entry.title, entry.anchor, number, "")
                for inner in entry.blocks:
                    yield from _within(inner, anchor, number)
        case Detail():
            yield BookSpot("", block.anchor, number, "below")


Index = Sequence[tuple[str, Sequence[tuple[str, Sequence[BookSpot]]]]]


def index_of(spots: Iterable[BookSpot], language: Language = ENGLISH) -> Index:
    """The index entries by first letter, each sorted without its article: `An Attack` under its second word.
    English drops the article there; in other languages an adjective would need another ending."""
    found: dict[str, dict[str, BookSpot]] = {}
    for spot in spots:
        if spot.head and (spot.said is None or len(spot.head.split()) <= MOST_WORDS):
            words = unmarked(spot.head)
            bare = _bare(words, language)
            turned = words if bare == words else f"{bare[:1].upper()}{bare[1:]}"
            shown = turned if language is ENGLISH else words
            found.setdefault(shown, {})[spot.anchor] = spot
    letters: dict[str, list[tuple[str, Sequence[BookSpot]]]] = {}
    for words in sorted(found, key=lambda one: _sorted_by(_bare(one, language))):
        first = _sorted_by(_bare(words, language))[:1].upper()
        letter = first if first.isalpha() else "0–9"
        letters.setdefault(letter, []).append((words, tuple(found[words].values())))
    return tuple((letter, tuple(entries)) for letter, entries in letters.items())


def _bare(words: str, language: Language) -> str:
    return ARTICLE.sub("", words) if language is ENGLISH else language.bare(words)


def _sorted_by(words: str) -> str:
    """Words by their letters: `ä` as `a`."""
    apart = normalize("NFD", words.casefold())
    return "".join(one for one in apart if not combining(one))


class Document(Frozen):
    """A document; `numbers` are its part numbers by anchor."""

    title: str
    sources: Sequence[str]
    parts: Sequence[Part]
    numbers: Mapping[str, str]
    index: Index
