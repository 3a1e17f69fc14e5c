"""The variables of a program that hold what only some players were told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import OfPart


def told_slots(routines: Iterable[p.Routine]) -> Mapping[tuple[str, int], int]:
    """The variables that hold what some players are told, each with the slot of those players.

    What one of them chooses from such a variable, or orders of it, is told to the same players.
    """
    found: dict[tuple[str, int], int] = {}
    for routine in routines:
        found |= {(routine.id, slot): who for slot, who in _told_by(routine).items()}
    return found


def _told_in(routine: p.Routine) -> Mapping[int, int]:
    told: dict[int, int] = {}
    writing = [row for row in routine.rows if getattr(row, "slot", -1) >= 0]
    for row in writing:
        who = _readers_slot(row, told)
        if who is not None:
            told[row.slot] = who  # type: ignore[attr-defined]
    # A variable that anything else is put into is nobody's in particular.
    before = len(told) + 1
    while before != (before := len(told)):
        for row in writing:
            slot: int = row.slot  # type: ignore[attr-defined]
            if slot in told and _readers_slot(row, told) != told[slot]:
                del told[slot]
    return told


def _readers_slot(row: p.Row, told: Mapping[int, int]) -> int | None:
    """The slot that holds the players whom a row tells what it puts into its own."""
    match row:
        case p.Choose(domain=("slot", slot)):
            return told.get(slot)
        case p.Let(value=("slot", slot) | ("lookup", ("slot", slot), *_)):
            return told.get(slot)
        case p.Let(value=("join" | "without", ("slot", slot), _)) if slot == row.slot:
            return told.get(slot)
        case p.Peek(by=("slot", slot)):
            return slot  # type: ignore[no-any-return]
        case p.SecretRoll() | p.SecretRollEach() | p.SecretForSome() if row.seen_by[0] == "slot":
            return row.seen_by[1]  # type: ignore[no-any-return]
    return None


_told_by = OfPart(_told_in)
