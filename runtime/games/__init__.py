"""The drivers of playable games."""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.runtime.games import gnostica, plain
from ruleloom.runtime.program.values import Bind

DRIVERS: Mapping[str, Bind] = {"gnostica": gnostica.bind}


def driver_of(game: str) -> Bind:
    """The driver of a game: its own, or the one for games without Python."""
    return DRIVERS.get(game, plain.bind)
