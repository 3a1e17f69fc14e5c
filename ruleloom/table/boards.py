"""Which table is drawn for which game, and a plain one for games that have none of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ruleloom.table.canvas import Look
from ruleloom.table.gnostica import GnosticaTable
from runtime.link import Linked
from runtime.state import State


class Drawing(Protocol):
    """A table that can be drawn, and its words for what lies on it."""

    def board(self, state: State) -> list[str]:
        """The board, in lines."""

    def status(self, state: State, seats: Sequence[str], viewer: int | None) -> list[str]:
        """How everybody stands, and what `viewer` (None: nobody) holds."""

    def hand(self, state: State, viewer: int) -> list[str]:
        """What `viewer` holds."""

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """A value in more words than its name; None if there are no more."""

    def style(self, player: int) -> tuple[str, ...]:
        """The colour of a player."""


class PlainTable:
    """A table without a board of its own: the driver's words for the position."""

    def __init__(self, linked: Linked, look: Look) -> None:
        self.linked = linked
        self.look = look

    def board(self, state: State) -> list[str]:
        """The position in the driver's words."""
        return [self.look.paint(line) for line in self.linked.driver.position(state.world).split("\n")]

    def status(self, state: State, seats: Sequence[str], viewer: int | None) -> list[str]:
        """Who plays."""
        players = zip(self.linked.layout.players, seats, strict=True)
        return [self.look.paint(f"    {name} ({seat})") for name, seat in players]

    def hand(self, state: State, viewer: int) -> list[str]:
        """Nothing: no zone is known to be a hand."""
        return []

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """No more words than the name."""
        return None

    def style(self, player: int) -> tuple[str, ...]:
        """Every player looks alike."""
        return ("bold",)


TABLES: Mapping[str, Callable[[Linked, Look], Drawing]] = {"gnostica": GnosticaTable}


def table_for(linked: Linked, look: Look) -> Drawing:
    """The table on which this game is shown."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
