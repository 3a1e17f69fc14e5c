"""The driver of games without Python: the vocabulary defines the effect of each operation.

Such a vocabulary may use only the queries about seats. Seats are numbered clockwise: the next one is to
the left.
"""

from __future__ import annotations

from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Driver, Layout, Query


def serves(program: Program) -> bool:
    """Are all queries and operations of a program known to this driver?"""
    return not left_to_driver(program)


def left_to_driver(program: Program) -> frozenset[str]:
    """The queries and operations of a game that need a driver in Python."""
    known = seat_queries(1)
    asked = (one.name for one in program.queries if not one.of and one.name not in known)
    done = (one.name for one in program.operations if one.sets is None)
    return frozenset((*asked, *done))


def bind(layout: Layout) -> Driver:
    """The driver for a game with this layout."""
    return Driver(
        queries=seat_queries(len(layout.players)),
        operations={},
        token=lambda _world, _kind, _number: None,
        spare=True,
    )


def seat_queries(players: int) -> dict[str, Query]:
    """The queries about seats, for a number of players."""

    return {
        "seat": lambda _world, place: (place - 1) % players,
        "seat_after": lambda _world, player: (player + 1) % players,
        "seat_before": lambda _world, player: (player - 1) % players,
    }
