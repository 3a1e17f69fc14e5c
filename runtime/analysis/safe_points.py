"""Safe points: the rows from which a routine can be left whatever the board looks like.

A row is *calm* if nothing compulsory that could turn out impossible lies between it and the end of
its routine, or the next roll, which look-ahead never goes past. A row is *barred* if every way from
it comes to a roll before the routine ends: what waits for the routine does not matter there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from ruleloom.runtime.analysis.liveness import successors
from ruleloom.runtime.analysis.ranges import Foresight
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Program

Flags = list[bool]
"""For each row of a routine, and for its end."""


class Calm(NamedTuple):
    """For each row of a routine and its end: can it be left from here, and does a roll come first?"""

    calm: tuple[bool, ...]
    barred: tuple[bool, ...]


class SafePoints(dict[int, Calm]):
    """What is calm and what is barred in each routine, by its number; computed on demand.

    Dynamic uses are calm if every power begins calmly without them: with fuel, one such use ends
    well. `dynamic` says so beforehand.
    """

    def __init__(self, program: Program, dynamic: bool | None = None) -> None:
        super().__init__()
        self._program = program
        self._index = {routine.id: number for number, routine in enumerate(program.routines)}
        self._foresight = Foresight(program)
        self._dynamic = dynamic

    def __missing__(self, routine: int) -> Calm:
        for number in self._callees_first(routine):
            rows = self._program.routines[number].rows
            barred, calm = [False] * (len(rows) + 1), [True] * (len(rows) + 1)
            _settle(barred, partial(self._is_barred, rows, barred))
            _settle(calm, partial(self._is_calm, rows, calm))
            self[number] = Calm(tuple(calm), tuple(barred))
        return self[routine]

    def _callees_first(self, routine: int) -> list[int]:
        """A routine after all that it uses; a circle is left to the machine to refuse."""
        order: list[int] = []
        seen = set(self)
        waiting = [(routine, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                rows = self._program.routines[number].rows
                used = [self._index[row.routine] for row in rows if isinstance(row, p.Use)]
                waiting += [(number, True), *((callee, False) for callee in used)]
        return order

    def _start_of(self, routine: str) -> tuple[bool, bool]:
        """Whether the first row is calm, and barred; in a circle nothing is known yet."""
        known = self.get(self._index[routine])
        return (True, False) if known is None else (known.calm[0], known.barred[0])

    def _is_barred(self, rows: Sequence[p.Row], barred: Flags, pc: int) -> bool:
        row = rows[pc]
        match row:
            case p.Roll():
                return True
            case p.Return() | p.Finish() | p.Rank():
                return False
            case p.Use() if self._start_of(row.routine)[1]:
                return True
        return all(barred[to] for to in successors(row, pc))

    def _is_calm(self, rows: Sequence[p.Row], flags: Flags, pc: int) -> bool:
        row = rows[pc]
        match row:
            case p.Secret() | p.Roll() | p.Return() | p.Finish() | p.Rank():
                return True
            case p.Ensure():
                return False
            case p.Choose() if not _always_has_options(row, self._foresight):
                return False
            case p.UsePower() if not self._dynamic_uses_are_calm:
                return False
            case p.Modal():
                return any(not mode.conditions and flags[mode.to] for mode in row.modes)
            case p.Use():
                calm, barred = self._start_of(row.routine)
                return calm and (barred or flags[pc + 1])
        return all(flags[to] for to in successors(row, pc))

    @cached_property
    def _dynamic_uses_are_calm(self) -> bool:
        if self._dynamic is not None:
            return self._dynamic
        without = SafePoints(self._program, dynamic=False)
        powers = (name for entity in self._program.entities for name in entity.powers)
        return all(name in self._index and without[self._index[name]].calm[0] for name in powers)


def _settle(flags: Flags, holds: Callable[[int], bool]) -> None:
    """Set each flag but that of the end to what holds, the last first, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for pc in range(len(flags) - 2, -1, -1):
            now = holds(pc)
            changed = changed or now is not flags[pc]
            flags[pc] = now


def _always_has_options(row: p.Choose, foresight: Foresight) -> bool:
    """Is some value, surely in the domain, sure to pass every condition, or none needed?"""
    if row.count in ("any", "up_to", "order") or row.or_none:
        return True
    if row.count != "one":
        return False
    options = foresight.options(row.domain, {})
    refused = sum(foresight.refused(c.test, row.slot) for c in row.conditions)
    return len(set(options)) > refused or any(
        all(foresight.known(c.test, {row.slot: value}) is True for c in row.conditions)
        for value in options
    )
