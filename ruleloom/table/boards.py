"""The board drawn for each game, and a plain one for games without their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ruleloom.runtime.link.link import Linked
from ruleloom.table.canvas import Look
from ruleloom.table.gnostica_board import GnosticaTable
from ruleloom.table.plain_board import PlainTable

# A board of another game has the methods of `PlainTable`, and joins this union and `TABLES`.
Drawing = GnosticaTable | PlainTable
TABLES: Mapping[str, Callable[[Linked, Look], Drawing]] = {"gnostica": GnosticaTable}


def table_for(linked: Linked, look: Look) -> Drawing:
    """The table that draws a game."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
