"""Compiled programs and the texts of their items in the cache, so that whoever plays a game or asks for
a text need not wait for the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleloom.cache.lookup import CacheQuery
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of

# The sorts of what is kept.
PLAYED = "program with rules texts and reasons"
BARE = "program"
TEXTS = "texts of items"


def kept_program(query: CacheQuery) -> Program | None:
    """The program that is kept of packs. It was checked when it was made, and is sealed."""
    kept = query.answer()
    try:
        return program_of(kept.data) if kept is not None else None
    except SaveError:
        return None


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """The texts of all items by id, in full and as a card would print them."""

    full: Mapping[str, str]
    cards: Mapping[str, str]


NO_TEXTS = ItemTexts({}, {})


def kept_texts(query: CacheQuery) -> ItemTexts | None:
    """The texts that are kept of packs."""
    kept = query.answer()
    try:
        return (
            None if kept is None else ItemTexts(dict(kept.data["full"]), dict(kept.data["cards"]))
        )
    except (ValueError, TypeError, KeyError):
        return None


def keep_texts(
    query: CacheQuery, texts: ItemTexts, sources: Mapping[str, str], packs: Mapping[str, Path]
) -> None:
    """Keep texts that were made of these sources, of the packs in these folders."""
    query.keep({"full": texts.full, "cards": texts.cards}, sources, packs)
