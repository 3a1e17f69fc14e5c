"""The driver of Gnostica: what happens on the table, and what can be asked about it.

`bind` binds one pure function to each query and operation of `rulesets/gnostica/vocabulary.yaml`.
Limits, powers and the course of the game are effect text in that folder, not here.
"""

from __future__ import annotations

from collections.abc import Callable

from ruleloom.runtime.games.gnostica import operations, queries
from ruleloom.runtime.games.gnostica.table import PIECES_EACH, GnosticaColumns, changed
from ruleloom.runtime.games.plain import seat_queries
from ruleloom.runtime.program.values import Driver, Layout, World, point_text


def bind(layout: Layout) -> Driver:
    """The driver for a game with this layout."""
    table = GnosticaColumns.of(layout)

    def start(world: World) -> World:
        owners = tuple(piece // PIECES_EACH for piece in range(len(world[table.owner])))
        return changed(world, {table.owner: owners})

    seats, pieces = (
        seat_queries(len(layout.players)),
        operations.piece_operations(table, layout.players),
    )
    cards = operations.territory_operations(table) | operations.card_operations(table)
    return Driver(
        queries=queries.piece_queries(table) | queries.space_queries(table) | seats,
        operations=pieces | cards,
        token=token_of(table, layout),
        position=position_of(table, layout),
        start=start,
    )


def token_of(table: GnosticaColumns, layout: Layout) -> Callable[[World, str, int], str | None]:
    """Names a piece: `A2E@0/1` is player A's medium one facing east on 0/1; None in the stash."""

    def token(world: World, kind: str, index: int) -> str | None:
        if kind != "Piece" or world[table.space][index] is None:
            return None
        owner = layout.players[world[table.owner][index]]
        size, way, space = (
            world[column][index] for column in (table.pips, table.facing, table.space)
        )
        return f"{owner}{size}{way}@{point_text(space)}"

    return token


def position_of(table: GnosticaColumns, layout: Layout) -> Callable[[World], str]:
    """Writes what everybody can see; worlds that differ only in equal pieces are one position."""
    token = token_of(table, layout)
    cards = layout.names["Card"]

    def position(world: World) -> str:
        pieces = sorted(str(token(world, "Piece", piece)) for piece in table.crowd(world).pieces)
        board = world[table.board]
        territories = [f"{point_text(at)} {cards[board[at]]}" for at in sorted(board)]
        piles = [
            " ".join(cards[card] for card in world[table.discard_pile]),
            " ".join(cards[card] for card in world[table.aside]),
            " ".join(str(len(hand)) for hand in world[table.hand]),
            str(len(world[table.draw_pile])),
        ]
        return " | ".join([" ".join(pieces), ", ".join(territories), *piles])

    return position
