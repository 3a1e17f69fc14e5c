"""A recorder of running cases: rows, ways and values for coverage, and event logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.watched import RAN, Found, watched
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.program.program import JumpUnless, Modal, Row
from ruleloom.runtime.program.state import Event
from ruleloom.scenarios.setup.things import unmarked

Mark = tuple[Any, ...]
"""`("line", origin)`, `("condition", origin, yes or no)`, `("way", origin, label)`, or
`("value", function or modifier, yes, no or None)`."""


class Watch:
    """The coverage `marks` and the `logs` of passing cases, each only if wanted.

    Marks of the running case are kept apart until it has ended, as a failed case counts for nothing.
    """

    def __init__(self, covers: bool = True, keeps_logs: bool = False) -> None:
        self.covers, self.keeps_logs = covers, keeps_logs
        self.marks: set[Mark] = set()
        self.logs: dict[str, list[str]] = {}
        self._found = Found()
        self._current: set[Mark] = set()
        self._way: tuple[Linked, list[Event]] | None = None  # a case's last one is the longest

    def relink(self, linked: Linked) -> Linked:
        """The game, instrumented for coverage."""
        return watched(linked, self._found) if self.covers else linked

    def walk(self, events: Iterable[Event], linked: Linked) -> None:
        """Record the rows that the case's events have run."""
        if not (self.covers or self.keeps_logs):
            return
        self._way = linked, list(events)
        before: tuple[str, Row] | None = None
        for event in self._way[1]:
            if event.kind == RAN:
                number, row = event.args
                self._current.add(("line", row.origin))
                if before is not None and before[0] == event.name:
                    self._current.update(_taken(before[1], number))
                before = event.name, row

    def end(self, case: str, passed: bool) -> None:
        """End the case; keep its marks if it passed."""
        if passed:
            self.marks |= self._current
            self.marks.update(("value", what, value) for what, value in self._found.seen)
            if self.keeps_logs:
                self.logs[case] = [unmarked(line) for line in log(*self._way)] if self._way else []
        self._current.clear()
        self._found.seen.clear()
        self._way = None


def _taken(row: Row, to: int) -> Iterable[Mark]:
    """The mark of the way from a row to the row number `to`."""
    if isinstance(row, JumpUnless):
        return (("condition", row.origin, to != row.to),)
    if isinstance(row, Modal):
        return (("way", row.origin, mode.label) for mode in row.modes if mode.to == to)
    return ()


NOBODY = Watch(covers=False)
