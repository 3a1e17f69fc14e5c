"""The index at the end: every word that heads something, with the places where it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleloom.reference.rulebook.document import Definitions, Entries, Part, Reference, Terms
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
            if isinstance(block, Entries):
                heads = ((one.title, one.anchor) for one in block.entries if one.title)
                yield from ((title, Reference(number, anchor)) for title, anchor in heads)
            elif isinstance(block, Terms):
                yield from ((word, Reference(number, part.anchor)) for word, _ in block.rows)
            elif isinstance(block, Definitions):
                short = (one for one in block.entries if len(one.head.split()) <= MOST_WORDS)
                yield from ((one.head, Reference(number, one.anchor)) for one in short)
        yield from _heads(part.parts, numbers)
