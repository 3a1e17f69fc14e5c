"""Compiled programs and the texts of their items in the cache, so that whoever plays a game or asks for
a text need not wait for the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleloom.cache.lookup import CacheQuery, PacksBelow
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of

# The sorts of what is kept.
PLAYED = "program with rules texts and reasons"
BARE = "program"
TEXTS = "texts of items"


MOST_READ = 16
_READ: dict[str, tuple[Program, PacksBelow]] = {}
"""The programs that this process has read, by the name of their query."""


def kept_program(query: CacheQuery) -> Program | None:
    """The program that is kept of packs, the same each time. It was checked when it was made, and is
    sealed."""
    read = _READ.get(query.name)
    if read is not None and read[1].unchanged() is not None:
        return read[0]
    kept = query.answer()
    try:
        program = program_of(kept.data) if kept is not None else None
    except SaveError:
        return None
    if kept is not None and program is not None:
        _READ[query.name] = program, kept.below
        if len(_READ) > MOST_READ:
            del _READ[next(iter(_READ))]
    return program


def keep_program(
    query: CacheQuery, program: Program, sources: Mapping[str, str], packs: Mapping[str, Path]
) -> None:
    """Keep a program that was made of these sources, of the packs in these folders."""
    query.keep(program_data(program), sources, packs)


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
