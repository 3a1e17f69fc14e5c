"""The queries: questions about pieces and spaces, each a pure function of the world."""

from __future__ import annotations

from ruleloom.runtime.games.gnostica import geometry
from ruleloom.runtime.games.gnostica.table import PIECES_EACH, GnosticaColumns
from ruleloom.runtime.program.values import Point, Query, World


def piece_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Questions about pieces."""

    crowd, space = table.crowd_of, table.space

    def pieces_out(world: World, player: int, size: int) -> int:
        first = player * PIECES_EACH
        column: tuple[int | None, ...] = world[table.pips]
        return column[first : first + PIECES_EACH].count(size)

    def target_space(world: World, minion: int) -> Point:
        return geometry.ahead(world[table.space][minion], world[table.facing][minion], 1)

    return {
        "pieces": lambda world, at: crowd(world[space]).on.get(at, ()),
        "pieces_of": lambda world, player: crowd(world[space]).of[player],
        "pieces_on_board": lambda world: crowd(world[space]).pieces,
        "pieces_out": pieces_out,
        "target_space": target_space,
    }


def space_queries(table: GnosticaColumns) -> dict[str, Query]:
    """Questions about the board; with `corners` diagonal spaces are neighbours."""

    return {
        "ahead": lambda _world, start, way, distance: geometry.ahead(start, way, distance),
        "neighbours": lambda _world, at, corners: geometry.neighbours(at, corners),
        "beside_territory": lambda world, at, corners: at in table.ground(world).beside[corners],
        "territories": lambda world: table.ground(world).territories,
        "empty_spaces": lambda world, corners: table.ground(world).empty[corners],
        "start_grid": lambda _world, width, height: geometry.start_grid(width, height),
    }
