"""Autosave of the game being played.

A saved game that a new one would replace is moved aside, a file without a saved game is never
overwritten, and if another process writes to the file, this game gets a file of its own.
"""

from __future__ import annotations

import shlex
import stat
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TypeAlias

from ruleloom.cli.faults import WrongUse
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import FileFault, held_alone, read_text, sweep
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import entry_data, scan
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.seats import Seat, tool_with

ASIDE = "~"
# The beginning of every save, even a truncated one.
FIRST_SIGNS = '{"crc":"'
# What tells whether a file was written since.
Mark: TypeAlias = tuple[int, int] | None


class Keeper:
    """Saves the game being played to a file, if one was named, and reports when that fails.

    `mark` is that of the file when the game in it was read, if it is gone on with.
    """

    def __init__(self, path: str | None, seats: Sequence[Seat], mark: Mark = None) -> None:
        self.path = path
        self.fault: FileFault | None = None
        self._tool = tool_with(seat.kind for seat in seats)
        self._kept: tuple[int, int] | None = None
        self._mark = mark

    def keep(self, game: Game) -> None:
        """Save the game unless it is saved already."""
        moment = (game.serial, id(game.journal))
        if self.path is None or moment == self._kept:
            return
        try:
            self._write(game, self.path)
        except FileFault as fault:
            if self.fault is None:
                _warn(f"the game could not be saved: {fault}")
            self.fault = fault
            return
        self._kept, self.fault = moment, None

    def start(
        self, game: Game, resumed: bool, asked_for: bool = True, recovered: bool = False
    ) -> None:
        """Save at once, so that an unwritable path is refused before anybody plays.

        Where nobody has asked for it the game is played anyway, and not kept. What was `recovered`
        does not take the place of the torn save.
        """
        if self.path is None:
            return
        sweep(Path(self.path).absolute().parent)
        if not asked_for:
            self.keep(game)
            self.path = None if self.fault is not None else self.path
            return
        try:
            if not resumed or recovered:
                self._make_room(self.path)
            self._write(game, self.path)
        except FileFault as fault:
            raise WrongUse(f"the game could not be saved in {fault.path}: {fault.reason}") from None

    def save_as(self, game: Game, name: str) -> str:
        """Save under a name, or the usual one; return what was done, in words."""
        path = name or self.path
        if path is None:
            return "say where: save FILE"
        aside = None
        try:
            if path == self.path:
                path = self._write(game, path)
            else:
                with held_alone(path):
                    aside = put_aside(path, game)
                    journal.save(game, path, self._tool)
        except FileFault as fault:
            return f"not saved: {fault}"
        moved = f" (the other game that was there is in {aside})" if aside else ""
        return f"saved in {path}{moved}; `{command_for(path)}` goes on with it"

    def _make_room(self, path: str) -> None:
        with held_alone(path):
            aside = put_aside(path)
        self._mark = None
        if aside is not None:
            _warn(f"the game that was saved in {path} is in {aside} now")

    def _write(self, game: Game, path: str) -> str:
        """Save to this file, or to one of our own if another process has written to it."""
        with held_alone(path):
            if mark_of(path) in (None, self._mark):
                self._save(game, path)
                return path
        own = _free(f"{path}-")
        with held_alone(own):
            self._save(game, own)
        _warn(f"another process has written to {path}; this game is saved in {own}")
        self.path = own
        return own

    def _save(self, game: Game, path: str) -> None:
        journal.save(game, path, self._tool)
        self._mark = mark_of(path)


def command_for(path: str) -> str:
    """The command that goes on with a saved game."""
    return f"ruleloom play --resume {shlex.quote(path)}"


def put_aside(path: str, game: Game | None = None) -> str | None:
    """Move aside a saved game at this path, unless it is an earlier moment of `game`.

    Return where it is now. Raises FileFault for a file with anything else.
    """
    if not Path(path).is_file() or Path(path).stat().st_size == 0:
        return None
    text = read_text(path)
    if not text.startswith(FIRST_SIGNS):
        raise FileFault(path, "it is not a saved game, and is never overwritten")
    if game is not None and _is_earlier(text, game):
        return None
    aside = f"{path}{ASIDE}"
    aside = _free(aside) if Path(aside).exists() else aside
    try:
        Path(path).replace(aside)
    except OSError as error:
        raise FileFault(path, f"the game in it cannot be moved aside: {error.strerror}") from None
    return aside


def _free(name: str) -> str:
    """The first name with a number behind it that no file has."""
    return next(free for number in count(2) if not Path(free := f"{name}{number}").exists())


def _is_earlier(text: str, game: Game) -> bool:
    """Is a save of an earlier moment of this game, or of this one?"""
    try:
        found = scan(text)
    except SaveError:
        return False
    head = found.header
    if head.get("seed") != game.seed or head.get("players") != list(game.players):
        return False
    answers = [entry_data(game, entry) for entry in game.entries]
    return list(found.answers) == answers[: len(found.answers)]


def mark_of(path: str) -> Mark:
    """A mark that changes when a file is written; None if there is no file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _warn(text: str) -> None:
    print(safe_text(text), file=sys.stderr)
