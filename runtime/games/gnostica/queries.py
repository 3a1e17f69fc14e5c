"""The queries: questions about pieces and spaces, each a pure function of the world."""

from __future__ import annotations

from ruleloom.runtime.games.gnostica import geometry
from ruleloom.runtime.games.gnostica.table import PIECES_EACH, GnosticaColumns
from ruleloom.runtime.program.values import Point, Query, World

# The vocabulary promises no more than 49 spaces.
WIDEST = 7


def piece_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Questions about pieces."""

    def pieces(world: World, at: Point) -> tuple[int, ...]:
        return table.crowd(world).on.get(at, ())

    def pieces_of(world: World, player: int) -> tuple[int, ...]:
        return table.crowd(world).of[player]

    def pieces_on_board(world: World) -> tuple[int, ...]:
        return table.crowd(world).pieces

    def pieces_out(world: World, player: int, size: int) -> int:
        first = player * PIECES_EACH
        column: tuple[int | None, ...] = world[table.pips]
        return column[first : first + PIECES_EACH].count(size)

    def target_space(world: World, minion: int) -> Point:
        return geometry.ahead(world[table.space][minion], world[table.facing][minion], 1)

    return {
        "pieces": pieces,
        "pieces_of": pieces_of,
        "pieces_on_board": pieces_on_board,
        "pieces_out": pieces_out,
        "target_space": target_space,
    }


def space_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Questions about the board; with `corners` diagonal spaces are neighbours."""

    def ahead(_world: World, start: Point, way: str, distance: int) -> Point:
        return geometry.ahead(start, way, distance)

    def neighbours(_world: World, at: Point, corners: bool) -> tuple[Point, ...]:
        return geometry.neighbours(at, corners)

    def beside_territory(world: World, at: Point, corners: bool) -> bool:
        return at in table.ground(world).beside(corners)

    def territories(world: World) -> tuple[Point, ...]:
        return table.ground(world).territories

    def empty_spaces(world: World, corners: bool) -> tuple[Point, ...]:
        return table.ground(world).empty(corners)

    def start_grid(_world: World, width: int, height: int) -> tuple[Point, ...]:
        if width > WIDEST or height > WIDEST:
            most = f"{WIDEST} by {WIDEST} is the most"
            raise ValueError(f"a first grid of {width} by {height} spaces; {most}")
        return geometry.start_grid(width, height)

    return {
        "ahead": ahead,
        "neighbours": neighbours,
        "beside_territory": beside_territory,
        "territories": territories,
        "empty_spaces": empty_spaces,
        "start_grid": start_grid,
    }
