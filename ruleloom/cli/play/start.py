"""Starts a game for the table, or resumes a saved one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ruleloom.api.content_error import ContentError
from ruleloom.api.linking import driver_of
from ruleloom.api.ready import ready
from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import Bot, PresetAnswer, asked_in_set_up
from ruleloom.cli.faults import FaultInRules, WrongUse, refusals_told
from ruleloom.cli.why.number_query import find_thing
from ruleloom.compiler.diagnostics.render import text
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.runtime import games
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.files import FileFault, read_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.scan import scan
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Entity, Program
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.program.verify import check_program
from ruleloom.store.programs import GAME
from ruleloom.table.seats import SEATS_MARK, Seat, parse_seats

FileScene = Callable[[str, Entity], int]
"""Returns the number of the only scene in a file."""
SCENE = "scene"
ENDING = ".json"  # the ending of built programs
MEND_THERE = "mend the effect text there, or what was changed around it"


def seats_of(text: str, names: Sequence[str] = ()) -> tuple[Seat, ...]:
    """The seats that `--players` names."""
    try:
        return parse_seats(text, names)
    except Refused as refused:
        raise WrongUse(f"--players {text}: {refused.reason}") from None


@refusals_told()
def bots_of(seats: Sequence[Seat], linked: Linked, seed: int) -> dict[int, Bot]:
    """The bots by seat. Raises WrongUse."""
    return {
        place: make_bot(seat.kind, linked, seed, place)
        for place, seat in enumerate(seats)
        if not seat.is_human
    }


@contextmanager
def rules_blamed() -> Iterator[None]:
    """Turn rule errors during play into messages with places; bugs of Ruleloom pass through."""
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
    """A linked game for these seats, and the chosen scene. Raises WrongUse.

    `game` is a pack, the name of a shipped game, or the file of a built program.
    """
    is_built = game.endswith(ENDING) and Path(game).is_file()
    program, in_file = (_built if is_built else _ready)(game, packs, scene)
    given = parse_scene(scene, program, in_file) if scene is not None else None
    with refusals_told():
        names = [seat.name for seat in seats]
        return link_game(program, driver_of(program), names, switches), given


def _built(file: str, packs: Sequence[str], scene: str | None) -> tuple[Program, None]:
    """The built program in a file, validated like that of a save; packs cannot be added to it. Raises
    WrongUse."""
    if packs:
        message = f"{file} is built, and takes no further packs"
        raise WrongUse(message, "name the packs that it was built from")
    if scene is not None and is_path(scene):
        raise WrongUse(f"{file} is built, and takes no scene from a file", "name one by its id")
    try:
        program = program_of(read_json(read_text(file)))
        check_program(program)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be read: {fault.reason}") from None
    except SaveError as error:
        help = "`ruleloom compile PACK -o FILE` writes such a file"
        raise WrongUse(f"{file} is no program that can be played: {error}", help) from None
    return program, None


def _ready(game: str, packs: Sequence[str], scene: str | None) -> tuple[Program, FileScene | None]:
    """The program of packs, and a finder of the scene in a file. Raises WrongUse for packs with mistakes."""
    named = [game, *packs]
    try:
        # A scene file is compiled with the packs; other scenes are in them already.
        if scene is None or not is_path(scene):
            return ready(GAME, named), None
        # Imported late: the compiler takes longer to load than a cached game to start.
        from ruleloom.cli.play.scene_files import game_with_scene

        return game_with_scene(named, scene)
    except ContentError as error:
        found = error.findings
    sys.stderr.write(text(found.diagnostics, found.sources, False))
    help = f"ruleloom check {' '.join(named)}"
    if Path(game).is_file() and not game.endswith((*ENDINGS, ".zip")):
        help = f"a saved game goes on with `ruleloom play --resume {game}`"
    raise WrongUse("this cannot be played before its mistakes are fixed", help)


# ---------------------------------------------------------------------------------- saved games


def resumed(
    path: str, packs: Sequence[str], recover: bool = False
) -> tuple[Game, str, list[str], bool]:
    """Load a saved game, which plays by its own rules.

    Return it with its seat kinds, as in `--players`, remarks on how its rules differ from those on disk, and
    whether the save was torn and only its beginning is left.
    """
    wanted = packs[0] if packs and packs[0] in games.DRIVERS else None
    try:
        loaded = journal.load(path, games.driver_of, game=wanted, recover=recover)
    except SaveError as error:
        raise unusable(error) from None
    program = loaded.game.linked.program
    named = dict.fromkeys([program.game, *packs])
    # Imported late: a resumed game needs the compiler only for this, and loads in half the time.
    from ruleloom.cli.play.scene_files import installed

    remarks = [] if loaded.lost is None else [f"{path}: {loaded.lost}"]
    for difference in journal.differences(program.lock, installed(list(named))):
        # A pack that was not named on the command line was not looked up.
        gone = difference.endswith("no longer there")
        hint = ", or not named" if gone else ""
        remarks.append(f"{difference}{hint}; the game continues by the rules in the save")
    tool = str(scan(read_text(path)).header.get("tool", ""))
    if loaded.differences and not loaded.game.over:
        remarks.append(f"`ruleloom upgrade {path}` tells what would change by the rules of now")
    return loaded.game, tool.partition(SEATS_MARK)[2], remarks, loaded.lost is not None


def unusable(error: SaveError) -> WrongUse | FaultInRules:
    """The error for a save that cannot be resumed, because it is invalid or its rules fail."""
    if error.by_rules:
        return FaultInRules(str(error), MEND_THERE)
    help = "`--recover` goes on with what is intact" if error.intact is not None else None
    return WrongUse(str(error), help)


# ---------------------------------------------------------------------------------- scenes


def is_path(scene: str) -> bool:
    """Is this a path rather than a scene's name?"""
    return scene.endswith(ENDINGS) or "/" in scene or os.sep in scene


def parse_scene(scene: str, program: Program, in_file: FileScene | None) -> PresetAnswer:
    """The answer to the scene prompt; `in_file` finds the scene in a file."""
    row = asked_in_set_up(program, SCENE)
    if row is None:
        raise WrongUse(f"set-up of {program.title} asks for no {SCENE}", "leave out --scene")
    entity = next((one for one in program.entities if one.name == row.type.removesuffix("?")), None)
    if entity is None or not entity.names:
        raise WrongUse(f"packs define no {SCENE} of {program.title}", "leave out --scene")
    if in_file is not None and is_path(scene):
        number = in_file(scene, entity)
    else:
        number = find_thing(entity, scene, range(len(entity.names)))
    return PresetAnswer(SCENE, number, entity.titles[number])
