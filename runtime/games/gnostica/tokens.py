"""How the table is written down: `A2E@0/1` is player A's medium piece facing east on space 0/1."""

from __future__ import annotations

from collections.abc import Callable

from ruleloom.runtime.games.gnostica.table import GnosticaColumns
from ruleloom.runtime.program.values import Layout, World, point_text


def token_of(table: GnosticaColumns, layout: Layout) -> Callable[[World, str, int], str | None]:
    """Names a piece by owner, size, direction and space; None while it is in the stash."""

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
