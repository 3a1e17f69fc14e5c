"""Puts the driver together: one function for each query and operation of the vocabulary."""

from __future__ import annotations

from runtime.games.gnostica.operations import card_operations, piece_operations, territory_operations
from runtime.games.gnostica.queries import piece_queries, space_queries
from runtime.games.gnostica.table import PIECES_EACH, Table, changed
from runtime.games.gnostica.tokens import position_of, token_of
from runtime.games.seats import seat_queries
from runtime.values import Driver, Layout, World


def bind(layout: Layout) -> Driver:
    """The driver for a game with this layout."""
    table = Table.of(layout)

    def start(world: World) -> World:
        owners = tuple(piece // PIECES_EACH for piece in range(len(world[table.owner])))
        return changed(world, {table.owner: owners})

    return Driver(
        queries={**piece_queries(table), **space_queries(table), **seat_queries(len(layout.players))},
        operations={**piece_operations(table), **territory_operations(table), **card_operations(table)},
        token=token_of(table, layout),
        position=position_of(table, layout),
        start=start,
    )
