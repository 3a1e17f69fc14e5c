"""Puts the driver together: one function for each query and operation of the vocabulary."""

from __future__ import annotations

from ruleloom.runtime.games.gnostica.operations import (
    card_operations,
    piece_operations,
    territory_operations,
)
from ruleloom.runtime.games.gnostica.queries import piece_queries, space_queries
from ruleloom.runtime.games.gnostica.table import PIECES_EACH, GnosticaColumns, changed
from ruleloom.runtime.games.gnostica.tokens import position_of, token_of
from ruleloom.runtime.games.plain import seat_queries
from ruleloom.runtime.program.values import Driver, Layout, World


def bind(layout: Layout) -> Driver:
    """The driver for a game with this layout."""
    table = GnosticaColumns.of(layout)

    def start(world: World) -> World:
        owners = tuple(piece // PIECES_EACH for piece in range(len(world[table.owner])))
        return changed(world, {table.owner: owners})

    queries = piece_queries(table) | space_queries(table) | seat_queries(len(layout.players))
    return Driver(
        queries=queries,
        operations=piece_operations(table) | territory_operations(table) | card_operations(table),
        token=token_of(table, layout),
        position=position_of(table, layout),
        start=start,
    )
