"""What `import ruleloom` offers: compile packs, start a game, take up a saved one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruleloom.api.version import VERSION as __version__
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime import games
from ruleloom.runtime.games import DRIVERS, plain
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game, link_game
from ruleloom.runtime.play.game import new_game as begin
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program

__all__ = [
    "CompileResult",
    "ContentError",
    "Diagnostic",
    "Game",
    "Refused",
    "__version__",
    "compile",
    "load",
    "new_game",
]


class ContentError(Exception):
    """Packs that cannot be played; `diagnostics` say what is wrong and where."""

    def __init__(self, result: CompileResult) -> None:
        self.diagnostics = result.diagnostics
        self.sources = result.sources
        super().__init__(render(result.diagnostics, result.sources, "concise").rstrip())


def compile(*packs: str | Path) -> CompileResult:
    """Compile packs (folders, or names of shipped games) into one program; the result says all
    about them."""
    return compile_paths(packs)


def program_of(*packs: str | Path) -> Program:
    """The program of packs; ContentError if they hold mistakes."""
    result = compile(*packs)
    if result.program is None:
        raise ContentError(result)
    return result.program


def new_game(
    game: str | Path | Program,
    players: Sequence[str],
    seed: int | None = None,
    *,
    packs: Sequence[str | Path] = (),
    switches: Mapping[str, Any] | None = None,
) -> Game:
    """Start a game: a shipped one by its name, a pack by its folder, or a program compiled before.

    Without a seed every roll and draw is a prompt, for real dice and cards. Raises ContentError for
    packs with mistakes, and Refused where players or switches do not fit the game.
    """
    program = game if isinstance(game, Program) else program_of(game, *packs)
    return begin(link_game(program, driver_of(program), players, switches), seed)


def driver_of(program: Program) -> Any:
    """What binds a program to its game in Python; Refused if this Ruleloom does not have the
    game."""
    if program.game in DRIVERS or (program.set_up and plain.serves(program)):
        return games.driver_of(program.game)
    raise Refused(
        f"this Ruleloom cannot play {program.game}: its vocabulary leaves questions or operations to a driver in "
        "Python, and there is none"
        if program.set_up
        else f"nothing says how {program.game} is played: it has no flow `set_up`"
    )


def load(path: str | Path) -> Game:
    """Take up a saved game; the save brings its own rules. Raises SaveError for what is no sound
    save."""
    return journal.load(path, games.driver_of).game
