"""The live local variables of each row: those that can still be read.

Suspended effects that differ only in dead variables go on alike, so blanking these merges states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import expressions_of, slots_read
from ruleloom.runtime.program.program import Program, Routine, Row
from ruleloom.runtime.program.state import Frame, State, frames
from ruleloom.runtime.program.values import Dynamic

Live = tuple[frozenset[int], ...]
Held = TypeVar("Held")


class LiveSlots(dict[int, Live]):
    """The live slots of each routine, by its number; computed on demand."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._routines = program.routines

    def __missing__(self, routine: int) -> Live:
        found = self[routine] = live_slots(self._routines[routine])
        return found


def live_slots(routine: Routine) -> Live:
    """For each row, the slots that the row itself or a row after it may read."""
    rows = routine.rows
    nothing: frozenset[int] = frozenset()
    live = [nothing] * (len(rows) + 1)
    result = {routine.result} - {-1}
    reads = [_read(row) | result for row in rows]
    # The table of a secret choice is filled one answer after the other.
    written = [{-1 if isinstance(row, p.Secret) else getattr(row, "slot", -1)} for row in rows]

    def read_from(pc: int) -> frozenset[int]:
        after = nothing.union(*(live[to] for to in successors(rows[pc], pc)))
        return (after - written[pc]) | reads[pc]

    settle(live, read_from)
    return tuple(live)


def settle(found: list[Held], holds: Callable[[int], Held]) -> bool:
    """Put what `holds` at each row, the last first, until nothing changes; the end stays as it is.

    False if nothing has changed at all.
    """
    before, changed = [*found], True
    while changed:
        changed = False
        for pc in range(len(found) - 2, -1, -1):
            now = holds(pc)
            if now != found[pc]:
                found[pc], changed = now, True
    return found != before


def successors(row: Row, pc: int) -> tuple[int, ...]:
    """The rows to which a row may lead."""
    match row:
        case p.Jump():
            return (row.to,)
        case p.JumpUnless() | p.Replaceable():
            return (pc + 1, row.to)
        case p.Modal():
            return tuple(mode.to for mode in row.modes)
        case _:
            return (pc + 1,)


def held_before(
    rows: Sequence[Row],
    nothing: Held,
    leads_to: Callable[[int, Held], Iterable[tuple[int, Held]]],
    beside: Callable[[Held, Held], Held],
) -> list[Held]:
    """For each row, what holds wherever it begins, whichever way has led there.

    `leads_to` are the rows behind one with what holds there, `beside` is what two ways share.
    """
    found, waiting = {0: nothing}, [0]
    while waiting:
        pc = waiting.pop()
        for to, held in leads_to(pc, found[pc]):
            known = found.get(to)
            now = held if known is None else beside(known, held)
            if now != known:
                found[to] = now
                waiting += [to] if to < len(rows) else []
    return [found.get(pc, nothing) for pc in range(len(rows))]


def _read(row: Row) -> frozenset[int]:
    found = frozenset[int]().union(*map(slots_read, expressions_of(row)))
    if isinstance(row, p.Secret):
        return found | {row.slot}
    return found - {row.slot} if isinstance(row, p.Choose | p.Draw) else found


def forgotten(state: State, live: LiveSlots) -> State:
    """The same state with every variable blanked that cannot be read any more."""
    blanked = None
    for frame in reversed([*frames(state.frame)]):
        blanked = frame._replace(slots=still_read(frame, live), parent=blanked)
    return state._replace(frame=blanked)


def still_read(frame: Frame, live: LiveSlots) -> tuple[Dynamic, ...]:
    """The variables of a frame, those blanked that cannot be read any more."""
    kept = live[frame.routine][frame.pc]
    return tuple([value if i in kept else None for i, value in enumerate(frame.slots)])
