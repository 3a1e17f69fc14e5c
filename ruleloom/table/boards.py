"""The board drawn for each game, and a plain one for games without their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import State
from ruleloom.table.canvas import Look
from ruleloom.table.gnostica_board import GnosticaTable
from ruleloom.table.plain_board import PlainTable


class Drawing(Protocol):
    """A table that can be drawn, and its words for what lies on it."""

    def sight(self, state: State) -> str:
        """What tells the drawing of one position from that of another."""

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


TABLES: Mapping[str, Callable[[Linked, Look], Drawing]] = {"gnostica": GnosticaTable}


def table_for(linked: Linked, look: Look) -> Drawing:
    """The table on which this game is shown."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
