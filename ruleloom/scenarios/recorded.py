"""Recorded games as cases: a save in the folder of a pack is played by the rules of today.

It passes if the same answers lead through the same questions, log and end. A recording brings the
rules that it was played by, so that what is another can be named.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleloom.compiler.cases.case_file import Case
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game, Parting, chosen_settings, parting
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import FAILED, PASSED, Result

ENDING = ".game"


def recordings_in(folder: Path) -> list[Path]:
    """The recorded games in the folder of a pack, by name; none in a zip."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob(f"*{ENDING}") if path.is_file())


def by_rules_of(recorded: Game, program: Program) -> Linked:
    """The rules of a program, linked for the players and settings of a recorded game.

    Raises Refused if they cannot be played so.
    """
    played = recorded.linked.program
    if played.game != program.game:
        raise Refused(f"this is a game of {played.game}, and these are rules of {program.game}")
    chosen = chosen_settings(recorded.linked)
    linked = link_game(program, driver_of(program.game), recorded.players, chosen)
    if recorded.started is not None and linked.layout.columns != recorded.linked.layout.columns:
        raise Refused("it begins in the middle of a game, on a table that these rules do not have")
    return linked


def replayed(path: Path, shown: str, program: Program) -> Result:
    """The result of one recorded game; nothing in it can raise."""
    case = Case(path.stem, (), {}, (), {}, shown, 1)
    try:
        recorded = journal.load(path, driver_of).game
        found = parting(recorded, by_rules_of(recorded, program))
    except SaveError as error:
        return Result(case, FAILED, str(error))
    except Refused as error:
        return Result(case, FAILED, error.reason)
    except RuntimeFault as error:
        return Result(case, FAILED, f"a fault in the rules: {error.told}")
    if found is None:
        return Result(case, PASSED, "")
    return Result(case, FAILED, told_of(found, len(recorded.entries)))


def told_of(found: Parting, answers: int) -> str:
    """Where a recorded game parts, and why, in a line."""
    if not found.number:
        return f"it begins otherwise: {found.why}"
    return f"it parts at answer {found.number} of {answers} ({found.answer}): {found.why}"


def results_of(folder: Path, shown: str, program: Program) -> Iterable[Result]:
    """The results of all recorded games in the folder of a pack."""
    for path in recordings_in(folder):
        yield replayed(path, f"{shown}/{path.relative_to(folder).as_posix()}", program)
