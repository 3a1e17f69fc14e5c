"""Autosave of the game being played.

A game that a new one would replace is moved aside; a file that holds no game is never overwritten;
and where somebody else writes to the same file, this game goes on in one of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
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
# What every save begins with, also one that was cut off.
FIRST_SIGNS = '{"crc":"'


class Keeper:
    """Keeps the game being played in a file, if one was named, and says so when that fails."""

    def __init__(self, path: str | None, seats: Sequence[Seat]) -> None:
        self.path = path
        self._tool = f"ruleloom {VERSION}{SEATS_MARK}{','.join(seat.kind for seat in seats)}"
        self._kept: tuple[int, int] | None = None
        self._mark: tuple[int, int] | None = None
        self._failed = False

    def keep(self, game: Game) -> None:
        """Write the game down unless it stands there already."""
        mark = (game.serial, id(game.journal))
        if self.path is None or mark == self._kept:
            return
        try:
            if _mark_of(self.path) not in (None, self._mark):
                self._move()
            self._write(game)
        except FileFault as fault:
            if not self._failed:
                _say(f"the game could not be kept: {fault}")
            self._failed = True
            return
        self._kept, self._failed = mark, False

    def start(self, game: Game, resumed: bool) -> None:
        """Save at once, so that an unwritable place is refused before anybody plays."""
        if self.path is None:
            return
        try:
            if not resumed and put_aside(self.path):
                _say(f"the game that was kept in {self.path} is in {self.path}{ASIDE} now")
            self._write(game)
        except FileFault as fault:
            raise WrongUse(f"the game could not be kept in {fault.path}: {fault.reason}") from None

    def save_as(self, game: Game, name: str) -> str:
        """Save under a name, or the usual one; what was done, in words."""
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
        return f"saved in {path}{moved}; `ruleloom play --resume {path}` goes on with it"

    def _write(self, game: Game) -> None:
        assert self.path is not None
        journal.save(game, self.path, self._tool)
        self._mark = _mark_of(self.path)

    def _move(self) -> None:
        """Go on in a file of our own: somebody else writes to this one."""
        assert self.path is not None
        number = 2
        while Path(f"{self.path}-{number}").exists():
            number += 1
        theirs, self.path = self.path, f"{self.path}-{number}"
        _say(f"somebody else has written to {theirs}; this game is kept in {self.path} from now on")


def put_aside(path: str, game: Game | None = None) -> bool:
    """Move aside a game at this path, unless it is an earlier moment of `game`.

    Raises FileFault for a file that holds something else.
    """
    if not Path(path).is_file() or Path(path).stat().st_size == 0:
        return False
    text = read_text(path)
    if not text.startswith(FIRST_SIGNS):
        raise FileFault(path, "it holds something that is no saved game, and is left alone")
    if game is not None and _same_game(text, game):
        return False
    try:
        Path(path).replace(f"{path}{ASIDE}")
    except OSError as error:
        raise FileFault(path, f"the game in it cannot be put aside: {error.strerror}") from None
    return True


def _same_game(text: str, game: Game) -> bool:
    try:
        header = scan(text).header
    except SaveError:
        return False
    return header.get("seed") == game.seed and header.get("players") == list(game.players)


def _mark_of(path: str) -> tuple[int, int] | None:
    """What tells that a file was written again; None if there is none."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns


def _say(text: str) -> None:
    print(safe_text(text), file=sys.stderr)
