"""Counts turns from outside the state: one for each run of the flow `turn`.

The machine says in an event when a flow begins. Where it does not say so, a turn is taken to begin when
another player comes to act, or when play stands at an earlier row of the flow and not in a loop of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.link import Linked
from runtime.node import Node
from runtime.program import Jump
from runtime.state import Event, Frame

BEGAN = "began"


class TurnCounter:
    """How many turns have begun."""

    def __init__(self, linked: Linked) -> None:
        self._me = linked.me
        self._turn = linked.turn
        self._id = linked.routines[linked.turn].id
        rows = linked.routines[linked.turn].rows
        self._loops = [(row.to, pc) for pc, row in enumerate(rows) if isinstance(row, Jump) and row.to <= pc]
        self._place: tuple[int | None, int] | None = None
        self._told = False
        self.begun = 0

    def see(self, node: Node, events: Iterable[Event] = ()) -> bool:
        """Take note of where play stands and what happened on the way; say whether a new turn has begun."""
        told = [event for event in events if event.kind == BEGAN]
        self._told = self._told or bool(told)
        begun = sum(event.name == self._id for event in told) if self._told else self._guessed(node)
        self.begun += begun
        return begun > 0

    def _guessed(self, node: Node) -> int:
        frame: Frame | None = node.stop.state.frame
        if frame is None:
            return 0
        while frame.parent is not None:
            frame = frame.parent
        if frame.routine != self._turn:
            return 0
        before, self._place = self._place, (node.stop.state.scope[self._me], frame.pc)
        if before is None or before[0] != self._place[0]:
            return 1
        looped = any(first <= frame.pc and before[1] <= last + 1 for first, last in self._loops)
        return int(frame.pc < before[1] and not looped)
