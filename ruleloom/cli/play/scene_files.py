"""Compiler queries of `ruleloom play`: the scene that a file defines, and the pack versions on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import findings_of
from ruleloom.cli.faults import WrongUse
from ruleloom.cli.why.number_query import files_at, things_in
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.runtime.program.program import Entity, Program


def game_with_scene(
    packs: Sequence[str], scene_file: str
) -> tuple[Program, Callable[[str, Entity], int]]:
    """The program of packs and a loose scene file, and a function from a scene's file to its number. Raises
    ContentError for mistakes."""
    result = compile_paths(packs, texts=True, scenarios=False, loose=(scene_file,))
    if result.program is None or result.content is None:
        raise ContentError(findings_of(result))
    return result.program, partial(scene_in_file, result.content)


def scene_in_file(content: Content, path: str, entity: Entity) -> int:
    """The number of the only scene in a file. Raises WrongUse."""
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
