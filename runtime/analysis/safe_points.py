"""Safe points: the rows from which a routine can be left whatever the board looks like.

A row is *calm* if nothing compulsory that could turn out impossible lies between it and the end of
its routine, or the next roll, which look-ahead never goes past. A row is *barred* if every way from
it comes to a roll before the routine ends: what waits for the routine does not matter there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from ruleloom.runtime.analysis.liveness import successors
from ruleloom.runtime.analysis.ranges import Foresight
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Program

Flags = list[list[bool]]
"""For each row of each routine, and for its end."""


class Calm(NamedTuple):
    """For each row of a routine and its end: can it be left from here, and does a roll come first?"""

    calm: tuple[bool, ...]
    barred: tuple[bool, ...]


def calm_rows(program: Program) -> list[Calm]:
    """What is calm and what is barred, routine by routine.

    Dynamic uses are calm if every power begins calmly without them: with fuel, one such use ends
    well.
    """
    survey = _Survey(program)
    calm = survey.calm(dynamic=False)
    powers = [name for entity in program.entities for name in entity.powers]
    if all(name in survey.index and calm[survey.index[name]][0] for name in powers):
        calm = survey.calm(dynamic=True)
    return [Calm(tuple(c), tuple(b)) for c, b in zip(calm, survey.barred, strict=True)]


class _Survey:
    def __init__(self, program: Program) -> None:
        self.routines = program.routines
        self.index: Mapping[str, int] = {r.id: i for i, r in enumerate(program.routines)}
        self.order = self._callees_first()
        foresight = Foresight(program)
        self.sure = {
            (number, pc)
            for number, routine in enumerate(program.routines)
            for pc, row in enumerate(routine.rows)
            if isinstance(row, p.Choose) and _always_has_options(row, foresight)
        }
        self.barred: Flags = [[False] * (len(r.rows) + 1) for r in program.routines]
        for number in self.order:
            _settle(self.barred[number], partial(self._is_barred, number))

    def _callees_first(self) -> list[int]:
        """The routines, each after those it uses; a circle is left to the machine to refuse."""
        order: list[int] = []
        seen: set[int] = set()
        waiting = [(number, False) for number in reversed(range(len(self.routines)))]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                rows = self.routines[number].rows
                used = [self.index[row.routine] for row in rows if isinstance(row, p.Use)]
                waiting += [(number, True), *((callee, False) for callee in used)]
        return order

    def calm(self, dynamic: bool) -> Flags:
        """Which rows are calm, if dynamic uses are or are not."""
        calm = [[True] * (len(r.rows) + 1) for r in self.routines]
        for number in self.order:
            _settle(calm[number], partial(self._is_calm, number, calm, dynamic))
        return calm

    def _is_barred(self, number: int, pc: int) -> bool:
        row = self.routines[number].rows[pc]
        match row:
            case p.Roll():
                return True
            case p.Return() | p.Finish():
                return False
            case p.Use() if self.barred[self.index[row.routine]][0]:
                return True
        return all(self.barred[number][to] for to in successors(row, pc))

    def _is_calm(self, number: int, calm: Flags, dynamic: bool, pc: int) -> bool:
        row, flags = self.routines[number].rows[pc], calm[number]
        match row:
            case p.Secret() | p.Roll() | p.Return() | p.Finish():
                return True
            case p.Ensure():
                return False
            case p.Choose() if (number, pc) not in self.sure:
                return False
            case p.UsePower() if not dynamic:
                return False
            case p.Modal():
                return any(not mode.conditions and flags[mode.to] for mode in row.modes)
            case p.Use():
                used = self.index[row.routine]
                return calm[used][0] and (self.barred[used][0] or flags[pc + 1])
        return all(flags[to] for to in successors(row, pc))


def _settle(flags: list[bool], holds: Callable[[int], bool]) -> None:
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
    if row.count in ("any", "up_to") or row.or_none:
        return True
    return row.count == "one" and any(
        all(foresight.known(c.test, {row.slot: value}) is True for c in row.conditions)
        for value in foresight.options(row.domain, {})
    )
