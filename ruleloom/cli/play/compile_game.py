"""What only the compiler knows of a game that is to be played: the program of packs that are not kept
compiled, the scene that a file defines, the versions of packs on disk."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.why.number_query import files_at
from ruleloom.cli.why.typed_values import things_in
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Entity, Program


@dataclass(frozen=True, slots=True)
class CompiledGame:
    """A game to be played: its program, its content, and the texts of all files that were read."""

    program: Program
    content: Content
    sources: Mapping[str, str]


def compile_game(packs: Sequence[str], scene_file: str | None) -> CompiledGame:
    """The game of packs, with a scene that lies in no pack. Raises WrongUse for mistakes."""
    loose = () if scene_file is None else (scene_file,)
    result = compile_paths(packs, texts=True, scenarios=False, loose=loose)
    if result.program is None or result.content is None:
        sys.stderr.write(render(result.diagnostics, result.sources, "text"))
        help = f"ruleloom check {' '.join(packs[1:]) or packs[0]}"
        raise WrongUse("this cannot be played before its mistakes are fixed", help)
    return CompiledGame(result.program, result.content, result.sources)


def scene_in_file(content: Content, path: str, entity: Entity) -> int:
    """The number of the one scene that a file defines. Raises WrongUse."""
    shown = shown_path(Path(path))
    if shown in content.files:
        files = {content.files[shown]}
    else:
        files = files_at(path, set(content.files.values()), content.folders)
    found = things_in(entity, files)
    if len(found) != 1:
        what = f"no {entity.singular}" if not found else f"{len(found)} {entity.plural}"
        help = "name one by its id: --scene NAME"
        raise WrongUse(f"{path} defines {what}, and one is needed", help)
    return found[0]


def installed(packs: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The version and hash of each pack on disk; an unreadable pack does not hide the others."""
    together = load(packs, Report(), scenarios=False)
    apart = () if together is not None else packs
    contents = [together, *(load([pack], Report(), scenarios=False) for pack in apart)]
    read = [pack for content in contents if content is not None for pack in content.packs]
    return {pack.id: (pack.version, pack.hash) for pack in read}
