"""Autosave of the game being played.

A saved game that a new one would replace is moved aside, a file without a saved game is never
overwritten, and if another process writes to the file, this game gets a file of its own.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from ruleloom.api.version import VERSION
from ruleloom.cli.faults import WrongUse
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import FileFault, read_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.save_lines import scan
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.seats import Seat

SEATS_MARK = "; seats "
ASIDE = "~"
# The beginning of every save, even a truncated one.
FIRST_SIGNS = '{"crc":"'


class Keeper:
    """Saves the game being played to a file, if one was named, and reports when that fails."""

    def __init__(self, path: str | None, seats: Sequence[Seat]) -> None:
        self.path = path
        self._tool = f"ruleloom {VERSION}{SEATS_MARK}{','.join(seat.kind for seat in seats)}"
        self._kept: tuple[int, int] | None = None
        self._mark: tuple[int, int] | None = None
        self._failed = False

    def keep(self, game: Game) -> None:
        """Save the game unless it is saved already."""
        mark = (game.serial, id(game.journal))
        if self.path is None or mark == self._kept:
            return
        try:
            if _mark_of(self.path) not in (None, self._mark):
                theirs = self.path
                names = (f"{theirs}-{number}" for number in count(2))
                self.path = next(name for name in names if not Path(name).exists())
                _warn(f"another process has written to {theirs}; this game is saved in {self.path}")
            self._write(game, self.path)
        except FileFault as fault:
            if not self._failed:
                _warn(f"the game could not be saved: {fault}")
            self._failed = True
            return
        self._kept, self._failed = mark, False

    def start(self, game: Game, resumed: bool, asked_for: bool = True) -> None:
        """Save at once, so that an unwritable path is refused before anybody plays.

        Where nobody has asked for it the game is played anyway, and not kept.
        """
        if self.path is None:
            return
        if not asked_for:
            self.keep(game)
            self.path = None if self._failed else self.path
            return
        try:
            if not resumed and put_aside(self.path):
                _warn(f"the game that was saved in {self.path} is in {self.path}{ASIDE} now")
            self._write(game, self.path)
        except FileFault as fault:
            raise WrongUse(f"the game could not be saved in {fault.path}: {fault.reason}") from None

    def save_as(self, game: Game, name: str) -> str:
        """Save under a name, or the usual one; return what was done, in words."""
        path = name or self.path
        if path is None:
            return "say where: save FILE"
        try:
            aside = path != self.path and put_aside(path, game)
            journal.save(game, path, self._tool)
        except FileFault as fault:
            return f"not saved: {fault}"
        if path == self.path:
            self._mark = _mark_of(path)
        moved = f" (the other game that was there is in {path}{ASIDE})" if aside else ""
        return f"saved in {path}{moved}; `{command_for(path)}` goes on with it"

    def _write(self, game: Game, path: str) -> None:
        journal.save(game, path, self._tool)
        self._mark = _mark_of(path)


def command_for(path: str) -> str:
    """The command that goes on with a saved game."""
    return f"ruleloom play --resume {shlex.quote(path)}"


def put_aside(path: str, game: Game | None = None) -> bool:
    """Move aside a saved game at this path, unless it is an earlier moment of `game`.

    Raises FileFault for a file with anything else.
    """
    if not Path(path).is_file() or Path(path).stat().st_size == 0:
        return False
    text = read_text(path)
    if not text.startswith(FIRST_SIGNS):
        raise FileFault(path, "it is not a saved game, and is never overwritten")
    if game is not None and _same_game(text, game):
        return False
    try:
        Path(path).replace(f"{path}{ASIDE}")
    except OSError as error:
        raise FileFault(path, f"the game in it cannot be moved aside: {error.strerror}") from None
    return True


def _same_game(text: str, game: Game) -> bool:
    try:
        header = scan(text).header
    except SaveError:
        return False
    return header.get("seed") == game.seed and header.get("players") == list(game.players)


def _mark_of(path: str) -> tuple[int, int] | None:
    """A mark that changes when a file is written; None if there is no file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns


def _warn(text: str) -> None:
    print(safe_text(text), file=sys.stderr)
