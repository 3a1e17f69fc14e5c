"""Starts a game for the table, or resumes a saved one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ruleloom.api.facade import driver_of
from ruleloom.bots.preset_answers import PresetAnswer
from ruleloom.cli.faults import FaultInRules, WrongUse
from ruleloom.cli.play.autosave import SEATS_MARK
from ruleloom.cli.play.scenes import loose_files, parse_scene
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.runtime import games
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import read_text
from ruleloom.runtime.play.game import Game, link_game
from ruleloom.runtime.play.save_lines import scan
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.table.canvas import WIDTH, Look
from ruleloom.table.seats import HUMAN, Seat, parse_seats

LEAST_WIDTH, MOST_WIDTH = 40, 160
MEND_THERE = "mend the effect text there, or what was changed around it"


def look_of(colour: bool) -> Look:
    """How the table looks on this terminal: arrows where it can write them."""
    try:
        "↑•".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return Look(colour, plain=True, width=_width())
    return Look(colour, width=_width())


def _width() -> int:
    """How wide the table may be drawn: as wide as the terminal is, within reason."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(LEAST_WIDTH, min(shutil.get_terminal_size((WIDTH, 24)).columns, MOST_WIDTH))


def seats_of(text: str, names: Sequence[str] = ()) -> tuple[Seat, ...]:
    """The seats that `--players` names."""
    try:
        return parse_seats(text, names)
    except Refused as refused:
        raise WrongUse(f"--players {text}: {refused.reason}") from None


@contextmanager
def rules_blamed() -> Iterator[None]:
    """What the rules do wrong while they are played becomes a message with its place in the pack.

    An exception of Python's that no driver raises on purpose is a fault of ours, and passes.
    """
    try:
        yield
    except RuntimeFault as fault:
        if not fault.by_rules:
            raise
        help = MEND_THERE if fault.place else "look at what was patched or added last"
        raise FaultInRules(f"the rules cannot be played on: {fault.told}", help) from None


def ready_game(
    game: str,
    packs: Sequence[str],
    switches: Mapping[str, Any],
    seats: Sequence[Seat],
    scene: str | None,
) -> tuple[Linked, PresetAnswer | None]:
    """A linked game for these seats, and the scene that was chosen. Raises WrongUse."""
    result = compile_paths([game, *packs], loose=loose_files(scene))
    if result.program is None or result.content is None:
        sys.stderr.write(render(result.diagnostics, result.sources, "text"))
        raise WrongUse(
            "this cannot be played before its mistakes are mended",
            f"ruleloom check {' '.join(packs) or game}",
        )
    program = result.program
    given = parse_scene(scene, program, result.content) if scene is not None else None
    try:
        linked = link_game(program, driver_of(program), [seat.name for seat in seats], switches)
        return linked, given
    except Refused as refused:
        raise WrongUse(refused.reason) from None


# ---------------------------------------------------------------------------------- saved games


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game taken up again: who sat where, and what there is to say of it."""

    game: Game
    kinds: str
    remarks: tuple[str, ...]


def resumed(path: str, game: str | None, packs: Sequence[str]) -> Resumed:
    """Load a saved game, which plays by its own rules; the remarks say how those on disk differ."""
    wanted = game if game in games.DRIVERS else None
    try:
        loaded = journal.load(path, games.driver_of, game=wanted)
    except SaveError as error:
        raise unusable(error) from None
    program = loaded.game.linked.program
    named = dict.fromkeys([program.game, *([game] if game else []), *packs])
    differences = journal.differences(program.lock, installed(list(named)))
    goes_on = "the game goes on by the rules in the save"
    remarks = tuple(f"{_hinted(difference)}; {goes_on}" for difference in differences)
    return Resumed(loaded.game, _kinds_in(path), remarks)


def _hinted(difference: str) -> str:
    """A pack that was not named on the command line was not looked for either."""
    gone = difference.endswith("no longer there")
    return f"{difference}, or not named with `--pack`" if gone else difference


def unusable(error: SaveError) -> WrongUse | FaultInRules:
    """The error for a save that cannot be resumed: it is unsound, or its rules are to blame."""
    return FaultInRules(str(error), MEND_THERE) if error.by_rules else WrongUse(str(error))


def installed(packs: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The packs on disk, id to version and hash; an unreadable one does not hide the others."""
    together = load(packs, Report(), scenarios=False)
    apart = () if together is not None else packs
    contents = [together, *(load([pack], Report(), scenarios=False) for pack in apart)]
    read = [pack for content in contents if content is not None for pack in content.packs]
    return {pack.id: (pack.version, pack.hash) for pack in read}


def _kinds_in(path: str) -> str:
    """The kinds of the seats when the game was saved, as in `--players`; empty if not recorded."""
    tool = str(scan(read_text(path)).header.get("tool", ""))
    return tool.partition(SEATS_MARK)[2]


def all_human(count: int) -> str:
    """`--players` for a game in which people play everything."""
    return ",".join([HUMAN] * count)
