"""Marks of coverage: the rows on the way that a case took, and the results of functions.

Rows go by where they stand in the source, since every case may have a program of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.watched import RAN, Found, watched
from ruleloom.runtime.program.program import JumpUnless, Modal, Row
from ruleloom.runtime.program.state import Event

Mark = tuple[Any, ...]
"""`("line", origin)`, `("condition", origin, yes or no)`, `("way", origin, label)`, or
`("value", function or modifier, yes, no or None)`."""


class Listener:
    """A listener to cases as they run, which does nothing by itself."""

    def relink(self, linked: Linked) -> Linked:
        """The game in the form in which cases play it."""
        return linked

    def walk(self, events: Iterable[Event], linked: Linked) -> None:
        """All that has happened so far on the way that the case takes."""

    def end(self, case: str, passed: bool) -> None:
        """The case has ended."""


NOBODY = Listener()


@dataclass(eq=False)
class Watch(Listener):
    """The marks of passing cases; those of the case that runs are kept apart until it has ended."""

    marks: set[Mark] = field(default_factory=set)
    _found: Found = field(default_factory=Found)
    _current: set[Mark] = field(default_factory=set)

    def relink(self, linked: Linked) -> Linked:
        """The game, telling what it does."""
        return watched(linked, self._found)

    def walk(self, events: Iterable[Event], linked: Linked) -> None:
        """Note the rows that were run on a way."""
        before: tuple[str, Row] | None = None
        for event in events:
            if event.kind == RAN:
                number, row = event.args
                self._current.add(("line", row.origin))
                if before is not None and before[0] == event.name:
                    self._current.update(_taken(before[1], number))
                before = event.name, row

    def end(self, case: str, passed: bool) -> None:
        """The case has ended; of one that failed nothing counts."""
        if passed:
            self.marks |= self._current
            self.marks.update(("value", what, value) for what, value in self._found.seen)
        self._current.clear()
        self._found.seen.clear()


def _taken(row: Row, to: int) -> Iterable[Mark]:
    """Which way was taken from a row, if the next one has this number."""
    if isinstance(row, JumpUnless):
        return (("condition", row.origin, to != row.to),)
    if isinstance(row, Modal):
        return (("way", row.origin, mode.label) for mode in row.modes if mode.to == to)
    return ()
