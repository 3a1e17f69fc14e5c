"""Questions about seats, which go round the table clockwise: the next one is to the left.

Any vocabulary may declare them: `seat(place)`, `seat_after(player)`, `seat_before(player)`.
"""

from __future__ import annotations

from ruleloom.runtime.program.values import Query, World


def seat_queries(players: int) -> dict[str, Query]:
    """One function for each question, for so many players."""

    def seat(_world: World, place: int) -> int:
        return (place - 1) % players

    def seat_after(_world: World, player: int) -> int:
        return (player + 1) % players

    def seat_before(_world: World, player: int) -> int:
        return (player - 1) % players

    return {"seat": seat, "seat_after": seat_after, "seat_before": seat_before}
