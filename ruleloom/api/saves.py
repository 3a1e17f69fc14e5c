"""Saves of games, in files and for `pickle`.

A save is text with its own rules; loading it replays every answer, and reaches the same position. A pickled
game is the text of its save, since a link is local to a process.
"""

from __future__ import annotations

import copyreg
from pathlib import Path

from ruleloom.api.version import VERSION
from ruleloom.runtime import games
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game

TOOL = f"ruleloom {VERSION}"


def save(game: Game, path: str | Path) -> None:
    """Write a save of this position; after a FileFault an older save is still intact.

    It includes hidden information, so it is for the host.
    """
    journal.save(game, path, TOOL)


def load(path: str | Path) -> Game:
    """Load a saved game, which plays by the rules in the save; SaveError if invalid."""
    return journal.load(path, games.driver_of).game


def game_of(text: str) -> Game:
    """Load the game in the text of a save; SaveError if invalid."""
    return journal.loaded(text, games.driver_of).game


copyreg.pickle(Game, lambda game: (game_of, ("\n".join(journal.saved_lines(game, TOOL)) + "\n",)))
