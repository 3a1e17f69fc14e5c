"""The index at the end: every word that heads something, with the places where it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleloom.reference.rulebook.document import Block, Definitions, Entries, Part, Reference, Terms
from ruleloom.reference.rulebook.marks import unmarked

# Longer headings are sentences, which nobody looks up.
MOST_WORDS = 6
ARTICLES = ("The ", "A ", "An ")

Index = Sequence[tuple[str, Sequence[tuple[str, Sequence[Reference]]]]]


def index_of(parts: Iterable[Part], numbers: Mapping[str, str]) -> Index:
    """The entries by their first letters."""
    found: dict[str, dict[str, Reference]] = {}
    for words, place in _heads(parts, numbers):
        found.setdefault(_turned(unmarked(words)), {})[place.anchor] = place
    letters: dict[str, list[tuple[str, Sequence[Reference]]]] = {}
    for words in sorted(found, key=str.casefold):
        first = words[:1].upper() if words[:1].isalpha() else "0–9"
        letters.setdefault(first, []).append((words, tuple(found[words].values())))
    return tuple((letter, tuple(entries)) for letter, entries in letters.items())


def _turned(words: str) -> str:
    """Without an article: `An Attack` stands under its second word."""
    for article in ARTICLES:
        if words.startswith(article):
            return words.removeprefix(article)[:1].upper() + words.removeprefix(article)[1:]
    return words


def _heads(parts: Iterable[Part], numbers: Mapping[str, str]) -> Iterator[tuple[str, Reference]]:
    for part in parts:
        number = numbers[part.anchor]
        if len(part.title.split()) <= MOST_WORDS:
            yield part.title, Reference(number, part.anchor)
        for block in part.blocks:
            heads = _heads_within(block, part.anchor)
            yield from ((head, Reference(number, anchor)) for head, anchor in heads)
        yield from _heads(part.parts, numbers)


def _heads_within(block: Block, anchor: str) -> list[tuple[str, str]]:
    """The words that a block explains, each with where."""
    if isinstance(block, Entries):
        return [(one.title, one.anchor) for one in block.entries if one.title]
    if isinstance(block, Terms):
        return [(word, anchor) for word, _ in block.rows]
    if isinstance(block, Definitions):
        heads = ((one.head, one.anchor) for one in block.entries)
        return [(head, place) for head, place in heads if len(head.split()) <= MOST_WORDS]
    return []
