"""The driver of Gnostica: its operations and queries.

`bind` binds one pure function to each query and operation of `rulesets/gnostica/vocabulary.yaml`.
Limits, powers and the course of the game are effect text in that folder, not here. The board is an
endless grid of points: x grows to the east, y to the north. Each player has fifteen numbered pieces:
player 2 owns the pieces 30 to 44. A piece in the stash has no space, no size and no direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games.plain import seat_queries
from ruleloom.runtime.link.ops import with_member
from ruleloom.runtime.program.values import (
    Column,
    Driver,
    FrozenMap,
    Layout,
    Operation,
    Point,
    Query,
    World,
    point_text,
    with_entry,
)

SIDES: tuple[Point, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNERS: tuple[Point, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
# Upright pieces have no entry: they point at their own space.
WAYS: dict[str, Point] = dict(zip("NESW", SIDES, strict=True))
# The vocabulary promises at most 49 spaces.
WIDEST = 7


def ahead(start: Point, way: str, distance: int) -> Point:
    """The space `distance` steps away; `start` itself for an upright piece."""
    x, y = WAYS.get(way, (0, 0))
    return start[0] + distance * x, start[1] + distance * y


@lru_cache(maxsize=1_000)
def neighbours(at: Point, corners: bool) -> tuple[Point, ...]:
    """The four spaces that share a side with `at`; with `corners` the diagonal ones too."""
    x, y = at
    return tuple((x + dx, y + dy) for dx, dy in (SIDES + CORNERS if corners else SIDES))


def start_grid(width: int, height: int) -> tuple[Point, ...]:
    """The spaces of the first grid, row by row from `0/0`; ValueError for too many."""
    if width > WIDEST or height > WIDEST:
        most = f"{WIDEST} by {WIDEST} is the most"
        raise ValueError(f"a first grid of {width} by {height} spaces; {most}")
    return tuple((x, y) for y in range(height) for x in range(width))


@dataclass(frozen=True)
class Ground:
    """The spaces derived from the places of the cards; made once for each board."""

    cards: frozenset[Point]

    @classmethod
    def under(cls, points: Iterable[Point]) -> Ground:
        """The ground of a board with cards at these points."""
        return cls(frozenset(points))

    @cached_property
    def territories(self) -> tuple[Point, ...]:
        """The spaces with a card, in a fixed order."""
        return tuple(sorted(self.cards))

    @cached_property
    def beside(self) -> tuple[frozenset[Point], frozenset[Point]]:
        """The spaces beside a card, with or without one of their own; and those plus diagonal ones."""
        sides = frozenset(spot for card in self.cards for spot in neighbours(card, False))
        return sides, sides.union(*(neighbours(card, True) for card in self.cards))

    @cached_property
    def empty(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """The spaces of `beside` without a card, in a fixed order."""
        sides, corners = self.beside
        return tuple(sorted(sides - self.cards)), tuple(sorted(corners - self.cards))


PIECES_EACH = 15

T = TypeVar("T")


class Kept(Generic[T]):
    """A function of one column that caches its answers by the identity of the column."""

    __slots__ = ("_answers", "_last", "_most", "_work")

    def __init__(self, work: Callable[[Column], T], most: int = 256) -> None:
        self._work = work
        self._most = most
        self._answers: dict[int, tuple[Column, T]] = {}
        self._last: tuple[Column, T] | None = None

    def __call__(self, column: Column) -> T:
        last = self._last
        if last is not None and last[0] is column:
            return last[1]
        answer = self._kept(column)
        self._last = (column, answer)
        return answer

    def _kept(self, column: Column) -> T:
        found = self._answers.get(id(column))
        if found is not None:
            return found[1]
        if len(self._answers) >= self._most:
            self._answers.clear()
        answer = self._work(column)
        self._answers[id(column)] = (column, answer)
        return answer


@dataclass(frozen=True)
class GnosticaColumns:
    """The indices of the columns, and a cached view that many queries need."""

    owner: int
    pips: int
    facing: int
    space: int
    hand: int
    draw_pile: int
    discard_pile: int
    aside: int
    board: int
    ground_of: Kept[Ground]

    @classmethod
    def of(cls, layout: Layout) -> GnosticaColumns:
        """The columns of a layout."""
        pieces = {
            name: layout.index[f"Piece.{name}"] for name in ("owner", "pips", "facing", "space")
        }
        zones = {
            name: layout.index[name]
            for name in ("hand", "draw_pile", "discard_pile", "aside", "board")
        }
        return cls(**pieces, **zones, ground_of=Kept(Ground.under))

    def ground(self, world: World) -> Ground:
        """The board."""
        return self.ground_of(world[self.board])


def changed(world: World, columns: dict[int, Column]) -> World:
    """The world with some columns replaced."""
    new = list(world)
    for number, column in columns.items():
        new[number] = column
    return tuple(new)


def piece_operations(table: GnosticaColumns, players: Sequence[str]) -> dict[str, Operation]:
    """Operations on pieces; a piece keeps its number through every change.

    `players` are their names in seating order.
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

    return {"place": place, "return_to_stash": return_to_stash}


def territory_operations(table: GnosticaColumns) -> dict[str, Operation]:
    """Operations on cards on the board."""

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
    """Operations on cards that are not on the board."""

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
    """The world without a card in a hand, discarded or set aside; ValueError for one that lies elsewhere."""
    for column in (table.discard_pile, table.aside):
        if card in world[column]:
            return changed(world, {column: _without(world[column], card)})
    hands = world[table.hand]
    for player, hand in enumerate(hands):
        if card in hand:
            return changed(world, {table.hand: with_entry(hands, player, _without(hand, card))})
    if card in world[table.draw_pile] or card in world[table.board].values():
        raise ValueError(f"card {card} is neither in a hand nor discarded nor set aside")
    return world


def _without(cards: Iterable[int], card: int) -> tuple[int, ...]:
    return tuple([one for one in cards if one != card])


def piece_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Queries about pieces."""

    def pieces_out(world: World, player: int, size: int) -> int:
        first = player * PIECES_EACH
        column: tuple[int | None, ...] = world[table.pips]
        return column[first : first + PIECES_EACH].count(size)

    def target_space(world: World, minion: int) -> Point:
        return ahead(world[table.space][minion], world[table.facing][minion], 1)

    return {"pieces_out": pieces_out, "target_space": target_space}


def space_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Queries about the board; with `corners` diagonal spaces are neighbours."""

    return {
        "ahead": lambda _world, start, way, distance: ahead(start, way, distance),
        "neighbours": lambda _world, at, corners: neighbours(at, corners),
        "beside_territory": lambda world, at, corners: at in table.ground(world).beside[corners],
        "territories": lambda world: table.ground(world).territories,
        "empty_spaces": lambda world, corners: table.ground(world).empty[corners],
        "start_grid": lambda _world, width, height: start_grid(width, height),
    }


def bind(layout: Layout) -> Driver:
    """The driver for a game with this layout."""
    table = GnosticaColumns.of(layout)

    def start(world: World) -> World:
        owners = tuple(piece // PIECES_EACH for piece in range(len(world[table.owner])))
        return changed(world, {table.owner: owners})

    seats, pieces = (
        seat_queries(len(layout.players)),
        piece_operations(table, layout.players),
    )
    cards = territory_operations(table) | card_operations(table)
    return Driver(
        queries=piece_queries(table) | space_queries(table) | seats,
        operations=pieces | cards,
        token=token_of(table, layout),
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
