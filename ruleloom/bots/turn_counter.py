"""Counts turns from outside the state: one for each run of the flow `turn`, as the machine tells
it."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.runtime.program.state import Event

TURN = "turn"


class TurnCounter:
    """How many turns have begun."""

    def __init__(self) -> None:
        self.begun = 0

    def see(self, events: Iterable[Event]) -> bool:
        """Take note of what happened; say whether a new turn has begun."""
        begun = sum(event.kind == TURN for event in events)
        self.begun += begun
        return begun > 0
