"""Counts turns from outside the state: one for each run of the flow `turn`."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.link import Linked
from runtime.node import Node
from runtime.state import Event, Frame


class TurnCounter:
    """How many turns have begun, and whose turn it is."""

    def __init__(self, linked: Linked) -> None:
        self._linked = linked
        self._place: tuple[int, int | None] | None = None
        self.begun = 0

    def see(self, node: Node, events: Iterable[Event] = ()) -> bool:
        """Take note of where play stands; say whether a new turn has begun."""
        frame: Frame | None = node.stop.state.frame
        if frame is None:
            return False
        while frame.parent is not None:
            frame = frame.parent
        if frame.routine != self._linked.turn:
            return False
        place = (frame.routine, node.stop.state.scope[self._linked.me])
        if place == self._place:
            return False
        self._place = place
        self.begun += 1
        return True
