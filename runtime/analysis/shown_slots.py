"""The local variables whose things have been shown to everybody, row by row.

Only what was shown on every way that leads to a row counts there, until the variable is set anew or
something may be hidden again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ruleloom.runtime.analysis.liveness import held_before, successors
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Type

Slots: TypeAlias = frozenset[int]
NO_SLOTS: Slots = frozenset()
# Where a row puts what it goes through, beside its result.
_CANDIDATES = ("candidate_slot", "player_slot", "counter")


class Handled(NamedTuple):
    """The parameters that an operation lays where all see them, and whether it may hide things."""

    shows: Slots
    hides: bool


class Showing:
    """The rows that show things to everybody in a program, and those that may hide them again."""

    def __init__(self, program: Program) -> None:
        self._open = {zone.name for zone in program.zones if zone.seen_by == "all"}
        self._closed = {zone.name for zone in program.zones} - self._open
        kinds = {zone.of for zone in program.zones if zone.name in self._closed}
        # The name of such a thing tells all of it, for good.
        self._printed = {e.name for e in program.entities if e.name in kinds and not e.changing}
        replaced = {one.operation for one in program.replacements}
        self._handled: Mapping[str, Handled] = {
            one.name: Handled(
                NO_SLOTS if one.name in replaced else self._shown_by(one),
                not self._closed.isdisjoint(one.changes),
            )
            for one in program.operations
        }

    def _shown_by(self, one: p.OperationInfo) -> Slots:
        """Those that a log that all read tells, too: what lies open might be gone at once."""
        moved = {move.thing: move.zone for move in one.moves if move.thing < len(one.params)}
        return frozenset(
            number
            for number, zone in moved.items()
            if zone in self._open
            and one.shown
            and Type.parse(one.params[number][1]).name in self._printed
            and f"{{{one.params[number][0]}}}" in one.told
        )

    def by_routine(self, routines: Iterable[p.Routine]) -> Mapping[str, list[Slots]]:
        """Those of each routine in which anything is shown."""
        found = {one.id: self._slots(one) for one in routines}
        return {id: rows for id, rows in found.items() if rows}

    def _slots(self, routine: p.Routine) -> list[Slots]:
        """For each row, the variables whose things everybody knows; empty if there are none."""
        rows = routine.rows
        if not any(self._shown_in(row) for row in rows):
            return []

        def leads_to(pc: int, shown: Slots) -> Iterator[tuple[int, Slots]]:
            row = rows[pc]
            kept = NO_SLOTS if self._may_hide(row) else shown
            now = (kept | self._shown_in(row)) - {getattr(row, "slot", -1)} - _candidates(row)
            return ((to, now) for to in successors(row, pc))

        held = held_before(rows, NO_SLOTS, leads_to, frozenset.intersection)
        return [one - _candidates(row) for one, row in zip(held, rows, strict=True)]

    def _shown_in(self, row: p.Row) -> Slots:
        """The variables whose things a row shows to everybody."""
        match row:
            case p.Show(things=("slot", slot), to=("players",)):
                return frozenset((slot,) if Type.parse(row.type).name in self._printed else ())
            case p.Operate():
                handled, each = self._handled[row.operation], {}
                if isinstance(row, p.AtOnce) and row.things is not None:
                    each[("slot", row.candidate_slot)] = row.things
                args = [(number, each.get(arg, arg)) for number, arg in enumerate(row.args)]
                shown = {arg for number, arg in args if number in handled.shows}
                shown -= {arg for number, arg in args if number not in handled.shows}
                return frozenset(arg[1] for arg in shown if arg[0] == "slot")
        return NO_SLOTS

    def _may_hide(self, row: p.Row) -> bool:
        match row:
            case p.Operate():
                return self._handled[row.operation].hides
            case p.Draw():
                return row.zone in self._closed
        return isinstance(row, p.Put)


def _candidates(row: p.Row) -> Slots:
    """The variables that hold something else while a row is being worked out."""
    found = {getattr(row, name, -1) for name in _CANDIDATES}
    return frozenset(found | {row.slot} if isinstance(row, p.Choose) else found)
