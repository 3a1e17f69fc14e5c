"""Games that are kept without being asked for: where they are, what they are called, which of them
to go on with, and how old ones go.

They are in the folder that `RULELOOM_GAMES` names, or in that of the platform for what programs
keep; `off` keeps none. Only files that were named here are ever taken away.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.output.terminal import count_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.files import FileFault, read_text
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.texts import slug

FOLDER, OFF = "RULELOOM_GAMES", "off"
MOST_KEPT = 20
# The names that are given here; any other file in the folder is somebody's own.
OURS = re.compile(r"[\w-]+-\d{8}-\d{6}-[0-9a-f]{4}\.save")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A saved game in the folder: what is played by whom, and how far it is."""

    path: Path
    game: str
    players: tuple[str, ...]
    answers: int
    when: float
    over: bool = False

    def line(self) -> str:
        """The line of the game in the list to pick from."""
        date = time.strftime("%d %b %Y, %H:%M", time.localtime(self.when))
        so_far = "finished" if self.over else count_of(self.answers, "answer")
        return f"{self.path.stem}: {', '.join(self.players)}; {so_far}; {date}"


def folder() -> Path | None:
    """The folder in which games are kept; None if nowhere."""
    said = os.environ.get(FOLDER, "")
    if said:
        return None if said == OFF else Path(said)
    with suppress(RuntimeError):  # there is no home
        return _state() / "ruleloom" / "games"
    return None


def _state() -> Path:
    """The folder of this platform for what programs keep from one run to the next."""
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        if (said := Path(os.environ.get(variable, ""))).is_absolute():
            return said
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path.home() / ".local" / "state"


def new_place(game: str) -> str | None:
    """A file for a new game; old ones make room for it. None if none can be kept."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        _prune(place)
    except OSError:
        return None
    moment = time.strftime("%Y%m%d-%H%M%S")
    return str(place / f"{slug(game)}-{moment}-{secrets.token_hex(2)}.save")


def _prune(place: Path) -> None:
    """Remove all but the latest, less one, of the games that were named here."""
    ours = [one for one in place.iterdir() if OURS.fullmatch(one.name) and one.is_file()]
    for old in sorted(ours, key=_age)[MOST_KEPT - 1 :]:
        with suppress(OSError):
            old.unlink()


def _age(path: Path) -> float:
    """A sort key, smaller for younger files; a file that is gone meanwhile is oldest."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def kept_games() -> list[KeptGame]:
    """The games in the folder, the latest first."""
    place = folder()
    files = sorted(place.glob("*.save"), key=_age) if place is not None and place.is_dir() else []
    return [found for file in files if (found := _read(file)) is not None]


def _read(path: Path) -> KeptGame | None:
    """The game that the beginning of a save describes; None for any other file."""
    try:
        text = read_text(path)
        head = json.loads(text.partition(',"program":')[0] + "}")
        game, players = head["game"], tuple(map(str, head["players"]))
        answers = max(0, text.count("\n") - 2)
        over = '"over":true' in text.rstrip("\n").rpartition("\n")[2]
        return KeptGame(path, str(game), players, answers, path.stat().st_mtime, over)
    except (FileFault, OSError, ValueError, KeyError, TypeError):
        return None


def chosen(word: str) -> str:
    """The file of the game that a word means, `--resume` alone being the empty one.

    A file of that name comes first; else a number or name of the list. Nothing: the list is shown,
    and one is asked for. Raises WrongUse.
    """
    if word and Path(word).exists():
        return word
    found = kept_games()
    if not word:
        word = _asked(found)
    if word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= len(found):
        return str(found[int(word) - 1].path)
    named = sorted(
        (one for one in found if one.path.name.startswith(word)), key=lambda one: one.over
    )
    return str(named[0].path) if named else word


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
