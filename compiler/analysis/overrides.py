"""What the entries of files override in other packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ruleloom.compiler.lint.against import (
    FileEntry,
    entries,
    moved_words,
    overridden,
    short_hash,
    text_in,
)
from ruleloom.compiler.packs.content import Content


class Override(NamedTuple):
    """An entry that overrides texts of other packs: these as they are there, with their hash, and the words
    for the case that they are not what the entry was written against."""

    entry: FileEntry
    text: str
    hash: str
    words: str


def overrides(content: Content, is_own: Callable[[str], bool]) -> Iterator[Override]:
    """What the entries of some files override, by the shown path of the file."""
    for entry in entries(content):
        found = overridden(content, entry) if is_own(entry.first.source.path) else []
        if found and content.files[found[0].place.path][0] != entry.first.pack:
            text = text_in(found)
            yield Override(entry, text, short_hash(text), moved_words(entry, found))
