"""Compiled programs in the cache, so that who plays a game need not wait for the compiler."""

from __future__ import annotations

from ruleloom.cache.lookup import CacheQuery
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of

PLAYED = "program with rules texts and reasons"
BARE = "program"


def kept_program(query: CacheQuery) -> Program | None:
    """The program that is kept of packs. It was checked when it was made, and is sealed."""
    kept = query.answer()
    try:
        return program_of(kept.data) if kept is not None else None
    except SaveError:
        return None
