"""Compiled programs and the texts of their items in the cache, so that whoever plays a game or asks for
a text need not wait for the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleloom.cache.lookup import CacheAnswer, CacheQuery, PacksBelow
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program

# The sorts of what is kept.
PLAYED = "program with rules texts and reasons"
BARE = "program"
TEXTS = "texts of items"


MOST_READ = 16
_READ: dict[str, tuple[Program, PacksBelow]] = {}
"""The programs that this process has read, by the name of their query."""


def kept_program(query: CacheQuery) -> Program | None:
    """The program that is kept of packs, the same each time."""
    read = _READ.get(query.name)
    if read is not None and read[1].unchanged() is not None:
        return read[0]
    kept = query.answer() or query.brought()
    if kept is None:
        return None
    try:
        program = _sound_program(kept)
    except SaveError:
        return None
    if not kept.sealed:
        query.seal(kept)
    _READ[query.name] = program, kept.below
    if len(_READ) > MOST_READ:
        del _READ[next(iter(_READ))]
    return program


def kept_rules(query: CacheQuery) -> Program | None:
    """A program to compute numbers by: the bare one of a query, or else the one that is played."""
    bare = kept_program(query)
    return bare if bare is not None else kept_program(query.of_sort(PLAYED))


def _sound_program(kept: CacheAnswer) -> Program:
    """A program that can be played; SaveError if it is none. What is sealed was checked before."""
    program = program_of(kept.data)
    if not kept.sealed:
        check_program(program)
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
    kept = query.answer() or query.brought()
    try:
        return None if kept is None else read_texts(kept.data)
    except (ValueError, TypeError, KeyError):
        return None


def read_texts(data: Any) -> ItemTexts:
    """The texts that `texts_data` wrote; ValueError, TypeError or KeyError for anything else."""
    full, cards = dict(data["full"]), dict(data["cards"])
    if not all(
        type(text) is str for texts in (full, cards) for pair in texts.items() for text in pair
    ):
        raise TypeError("these are no texts")
    return ItemTexts(full, cards)


def texts_data(texts: ItemTexts) -> dict[str, Any]:
    """Texts as plain data."""
    return {"full": texts.full, "cards": texts.cards}


def keep_texts(
    query: CacheQuery, texts: ItemTexts, sources: Mapping[str, str], packs: Mapping[str, Path]
) -> None:
    """Keep texts that were made of these sources, of the packs in these folders."""
    query.keep(texts_data(texts), sources, packs)
