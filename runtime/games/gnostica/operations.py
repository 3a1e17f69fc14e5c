"""The operations: every way in which pieces and cards change place. Each returns the new world.

The effect texts make sure that an operation is possible; an impossible one raises ValueError and
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.runtime.games.gnostica.table import PIECES_EACH, GnosticaColumns, changed
from ruleloom.runtime.link.ops import with_member
from ruleloom.runtime.program.values import Column, FrozenMap, Operation, Point, World, with_entry


def piece_operations(table: GnosticaColumns, players: Sequence[str]) -> dict[str, Operation]:
    """Operations on pieces; a piece keeps its number through every change.

    `players` are their names in the order of their seats.
    """

    def place(world: World, player: int, size: int, at: Point, way: str) -> tuple[World, int]:
        spaces = world[table.space]
        first = player * PIECES_EACH
        piece = next((i for i in range(first, first + PIECES_EACH) if spaces[i] is None), None)
        if piece is None:
            raise ValueError(f"{players[player]} has no piece left")
        columns = {
            table.pips: with_entry(world[table.pips], piece, size),
            table.facing: with_entry(world[table.facing], piece, way),
            table.space: with_entry(spaces, piece, at),
        }
        return changed(world, columns), piece

    def return_to_stash(world: World, piece: int) -> World:
        columns = (table.pips, table.facing, table.space)
        return changed(
            world, {column: with_entry(world[column], piece, None) for column in columns}
        )

    def altered(world: World, column: int, piece: int, value: Point | int | str) -> World:
        return changed(world, {column: with_entry(world[column], piece, value)})

    return {
        "place": place,
        "return_to_stash": return_to_stash,
        "shift": lambda world, piece, to: altered(world, table.space, piece, to),
        "face": lambda world, piece, way: altered(world, table.facing, piece, way),
        "resize": lambda world, piece, size: altered(world, table.pips, piece, size),
    }


def territory_operations(table: GnosticaColumns) -> dict[str, Operation]:
    """What happens to cards on the board."""

    def lay(world: World, card: int, at: Point) -> World:
        world = taken_out(table, world, card)
        board: FrozenMap = world[table.board]
        covered = board.get(at)
        columns: dict[int, Column] = {table.board: board.with_item(at, card)}
        if covered is not None:
            columns[table.discard_pile] = with_member(world[table.discard_pile], covered, None)
        return changed(world, columns)

    def raze(world: World, at: Point) -> World:
        board: FrozenMap = world[table.board]
        pile = with_member(world[table.discard_pile], board[at], None)
        return changed(world, {table.board: board.without(at), table.discard_pile: pile})

    def slide(world: World, start: Point, to: Point) -> World:
        board: FrozenMap = world[table.board]
        if to in board:
            raise ValueError("a territory cannot come to rest on another")
        return changed(world, {table.board: board.without(start).with_item(to, board[start])})

    return {"lay": lay, "raze": raze, "slide": slide}


def card_operations(table: GnosticaColumns) -> dict[str, Operation]:
    """What happens to cards that are not on the board."""

    def discard(world: World, card: int) -> World:
        world = taken_out(table, world, card)
        return changed(
            world, {table.discard_pile: with_member(world[table.discard_pile], card, None)}
        )

    def take_up(world: World, card: int, player: int) -> World:
        world = taken_out(table, world, card)
        return changed(world, {table.hand: with_member(world[table.hand], card, player)})

    def set_aside(world: World, card: int) -> World:
        world = taken_out(table, world, card)
        return changed(world, {table.aside: with_member(world[table.aside], card, None)})

    def recycle(world: World, held: tuple[int, ...]) -> World:
        pile = world[table.discard_pile]
        fresh = {card for card in pile if card not in held}
        columns = {
            table.draw_pile: tuple(sorted({*world[table.draw_pile], *fresh})),
            table.discard_pile: tuple(card for card in pile if card not in fresh),
        }
        return changed(world, columns)

    def trade_hands(world: World, one: int, other: int) -> World:
        hands = world[table.hand]
        swapped = with_entry(with_entry(hands, one, hands[other]), other, hands[one])
        return changed(world, {table.hand: swapped})

    return {
        "discard": discard,
        "take_up": take_up,
        "set_aside": set_aside,
        "recycle": recycle,
        "trade_hands": trade_hands,
    }


def taken_out(table: GnosticaColumns, world: World, card: int) -> World:
    """The world without a card that lies in a hand, among the discards or aside."""
    for column in (table.discard_pile, table.aside):
        if card in world[column]:
            return changed(world, {column: tuple(c for c in world[column] if c != card)})
    hands = world[table.hand]
    for player, hand in enumerate(hands):
        if card in hand:
            rest = tuple(c for c in hand if c != card)
            return changed(world, {table.hand: with_entry(hands, player, rest)})
    raise ValueError(f"card {card} is neither in a hand nor discarded nor set aside")
