"""Saved games: those kept automatically, and the file of the current game.

The former are in the folder that `RULELOOM_GAMES` names, or in the platform's state folder; `off` keeps none.
Only files with generated names are ever deleted. A saved game that a new one would replace is moved aside, a
file without a saved game is never overwritten, and if another process writes to the file, this game gets a
file of its own.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import stat
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.output.terminal import count_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import FileFault, held_alone, read_text, sweep
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import entry_data
from ruleloom.runtime.play.scan import scan
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.texts import slug
from ruleloom.table.seats import Seat, tool_with

FOLDER, OFF = "RULELOOM_GAMES", "off"
MOST_KEPT = 20
# The generated names; any other file in the folder belongs to the user.
OURS = re.compile(r"[\w-]+-\d{8}-\d{6}-[0-9a-f]{4}\.save")


class KeptGame(Frozen):
    """A saved game in the folder: its players, and its number of answers."""

    path: Path
    game: str
    players: tuple[str, ...]
    answers: int
    when: float
    over: bool = False

    def line(self) -> str:
        """The line of the game in the list of games."""
        date = time.strftime("%d %b %Y, %H:%M", time.localtime(self.when))
        so_far = "finished" if self.over else count_of(self.answers, "answer")
        return f"{self.path.stem}: {', '.join(self.players)}; {so_far}; {date}"


def folder() -> Path | None:
    """The folder of kept games; None if none are kept."""
    if said := os.environ.get(FOLDER, ""):
        return None if said == OFF else Path(said)
    mac = sys.platform == "darwin"
    named = (Path(os.environ.get(one, "")) for one in ("XDG_STATE_HOME", "LOCALAPPDATA"))
    state = next((one for one in named if one.is_absolute()), None)
    with suppress(RuntimeError):  # no home directory
        state = state or Path.home() / ("Library/Application Support" if mac else ".local/state")
    return None if state is None else state / "ruleloom" / "games"


def new_place(game: str) -> str | None:
    """The file for a new game, after deleting old ones. None if none can be kept."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Keep one fewer than the maximum, counting only generated names.
        ours = [one for one in place.iterdir() if OURS.fullmatch(one.name) and one.is_file()]
        for old in sorted(ours, key=_age)[MOST_KEPT - 1 :]:
            with suppress(OSError):
                old.unlink()
    except OSError:
        return None
    moment = time.strftime("%Y%m%d-%H%M%S")
    return str(place / f"{slug(game)}-{moment}-{secrets.token_hex(2)}.save")


def _age(path: Path) -> float:
    """A sort key, smaller for newer files; a file deleted meanwhile sorts last."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def kept_games() -> list[KeptGame]:
    """The games in the folder, newest first."""
    place = folder()
    files = sorted(place.glob("*.save"), key=_age) if place is not None and place.is_dir() else []
    return [found for file in files if (found := _read(file)) is not None]


def _read(path: Path) -> KeptGame | None:
    """The game that the header of a save describes; None for any other file."""
    try:
        text = read_text(path)
        head = json.loads(text.partition(',"program":')[0] + "}")
        game, players = head["game"], tuple(map(str, head["players"]))
        headers = text.count('"ruleloom":"save"')  # one for each part, and each part has an end
        answers = max(0, text.count("\n") - 2 * headers)
        over = '"over":true' in text.rstrip("\n").rpartition("\n")[2]
        return KeptGame(path, str(game), players, answers, path.stat().st_mtime, over)
    except (FileFault, OSError, ValueError, KeyError, TypeError):
        return None


def chosen(word: str) -> str:
    """The file of the game that a word selects; `--resume` alone gives an empty word.

    A file of that name comes first, then a number or name in the list. Without a word, show the list and ask.
    Raises WrongUse.
    """
    if word and Path(word).exists():
        return word
    found = kept_games()
    word = word or _asked(found)
    if word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= len(found):
        return str(found[int(word) - 1].path)
    named = [one for one in found if one.path.name.startswith(word)]
    return str(min(named, key=lambda one: one.over).path) if named else word


def _asked(found: Sequence[KeptGame]) -> str:
    if not found:
        where = folder()
        told = f"in {where}" if where is not None else f"while {FOLDER} is off"
        raise WrongUse(f"no game is kept {told}", "ruleloom play --resume FILE")
    for number, one in enumerate(found, 1):
        print(safe_text(f"{number:>4}  {one.line()}"))
    usual = next((number for number, one in enumerate(found, 1) if not one.over), 1)
    print(f"Which one? Number or name, Enter for {usual}: ", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        raise WrongUse("no game was chosen", "ruleloom play --resume 1")
    return line.strip() or str(usual)


# ---------------------------------------------------------------------------------- current game

ASIDE = "~"
# The start of every save, even a truncated one.
FIRST_SIGNS = '{"crc":"'
# Tells whether a file has been written since.
Mark = tuple[int, int] | None


class Keeper:
    """Saves the current game to a file, if one was named, and reports failures.

    `mark` is the mark of the file when a resumed game was read from it.
    """

    def __init__(self, path: str | None, seats: Sequence[Seat], mark: Mark = None) -> None:
        self.path = path
        self.fault: FileFault | None = None
        self._tool = tool_with(seat.kind for seat in seats)
        self._kept: tuple[int, int] | None = None
        self._mark = mark

    def keep(self, game: Game) -> None:
        """Save the game unless already saved."""
        moment = (game.serial, id(game.journal))
        if self.path is None or moment == self._kept:
            return
        try:
            self._write(game, self.path)
            self._kept, self.fault = moment, None
        except FileFault as fault:
            if self.fault is None:
                _warn(f"the game could not be saved: {fault}")
            self.fault = fault

    def start(
        self, game: Game, resumed: bool, asked_for: bool = True, recovered: bool = False
    ) -> None:
        """Save at once, so that an unwritable path is refused before play.

        If the save was not asked for, the game is played anyway, but not kept. A `recovered` game does not
        replace the torn save.
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
                with held_alone(self.path):
                    aside = put_aside(self.path)
                self._mark = None
                if aside is not None:
                    _warn(f"the game that was saved in {self.path} is in {aside} now")
            self._write(game, self.path)
        except FileFault as fault:
            raise WrongUse(f"the game could not be saved in {fault.path}: {fault.reason}") from None

    def save_as(self, game: Game, name: str) -> str:
        """Save under a name, or to the current file; return a message."""
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

    def _write(self, game: Game, path: str) -> str:
        """Save to this file, or to a new one if another process wrote to it."""
        with held_alone(path):
            if mark_of(path) in (None, self._mark):
                self._save(game, path)
                return path
        own = free_name(f"{path}-")
        with held_alone(own):
            self._save(game, own)
        _warn(f"another process has written to {path}; this game is saved in {own}")
        self.path = own
        return own

    def _save(self, game: Game, path: str) -> None:
        journal.save(game, path, self._tool)
        self._mark = mark_of(path)


def command_for(path: str) -> str:
    """The command that resumes a saved game."""
    return f"ruleloom play --resume {shlex.quote(path)}"


def put_aside(path: str, game: Game | None = None) -> str | None:
    """Move aside a saved game at this path, unless it is an earlier position of `game`.

    Return its new path. Raises FileFault if the file is not a save.
    """
    if not Path(path).is_file() or Path(path).stat().st_size == 0:
        return None
    text = read_text(path)
    if not text.startswith(FIRST_SIGNS):
        raise FileFault(path, "it is not a saved game, and is never overwritten")
    if game is not None:
        with suppress(SaveError):
            found = scan(text)
            head, answers = found.header, [entry_data(game, entry) for entry in game.entries]
            is_same = (head.get("seed"), head.get("players")) == (game.seed, list(game.players))
            if is_same and list(found.answers) == answers[: len(found.answers)]:
                return None
    aside = name_aside(path)
    try:
        Path(path).replace(aside)
    except OSError as error:
        raise FileFault(path, f"the game in it cannot be moved aside: {error.strerror}") from None
    return aside


def name_aside(path: str) -> str:
    """An unused name beside a file, for what was in it."""
    aside = f"{path}{ASIDE}"
    return free_name(aside) if Path(aside).exists() else aside


def free_name(name: str) -> str:
    """The first unused name with a number appended, from 2 on."""
    return next(free for number in count(2) if not Path(free := f"{name}{number}").exists())


def mark_of(path: str) -> Mark:
    """A mark that changes when a file is written; None without a file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _warn(text: str) -> None:
    print(safe_text(text), file=sys.stderr)
