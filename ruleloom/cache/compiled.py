"""Compiled programs in the cache, so that whoever plays a game or asks for a number need not wait for
the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleloom.cache.lookup import CacheAnswer, CacheQuery, PacksBelow
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program

# The sorts of what is kept.
PLAYED = "program with rules texts and reasons"
REASONED = "program with reasons"
BARE = "program"


MOST_READ = 16
_READ: dict[str, tuple[Program, PacksBelow]] = {}
"""The programs that this process has read, by the name of their query."""


def kept_program(query: CacheQuery) -> Program | None:
    """The program that is kept of packs, the same each time."""
    read = _READ.get(query.name)
    if read is not None and read[1].unchanged():
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


def kept_with_reasons(query: CacheQuery) -> Program | None:
    """A program with reasons, perhaps with rules texts as well."""
    reasoned = kept_program(query.of_sort(REASONED))
    return reasoned if reasoned is not None else kept_program(query.of_sort(PLAYED))


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
