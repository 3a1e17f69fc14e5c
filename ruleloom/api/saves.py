"""Saves of games: as files, and as what `pickle` keeps of a game.

A save is text and brings its own rules; taking it up again answers every prompt once more, and
leads to the very same position. A pickled game is the text of its save: what the machine has linked
belongs to one process.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from pathlib import Path

from ruleloom.api.version import VERSION
from ruleloom.runtime import games
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game

TOOL = f"ruleloom {VERSION}"


def save(game: Game, path: str | Path) -> None:
    """Write a save of this moment; FileFault where that cannot be, and an older save stays whole.

    Everything is in it, also what is hidden from players: it is for the host.
    """
    journal.save(game, path, TOOL)


def load(path: str | Path) -> Game:
    """Take up a saved game; the save brings its own rules. SaveError for what is no sound save."""
    return journal.load(path, games.driver_of).game


def game_of(text: str) -> Game:
    """Take up the game in the text of a save; SaveError for what is none."""
    return journal.loaded(text, games.driver_of).game


def _reduced(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return game_of, ("\n".join(journal.saved_lines(game, TOOL)) + "\n",)


copyreg.pickle(Game, _reduced)
