"""Compiled programs, stored so that games and numbers need no compiler."""

from __future__ import annotations

from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from ruleloom.store.store import StoreEntry, StoreKind


def read_program(entry: StoreEntry) -> Program:
    """A program ready to play. A sealed entry was validated before."""
    try:
        program = program_of(entry.data)
        if not entry.sealed:
            check_program(program)
    except SaveError as error:
        raise ValueError(str(error)) from None
    return program


GAME = StoreKind("game", program_data, read_program, ships=True, held=True)
"""Programs to play, with texts and reasons."""
RULES = StoreKind("rules", program_data, read_program, held=True, also=GAME)
"""Programs to compute numbers by."""
