"""Files of cases in no pack, alone or in a folder that also holds packs: found for a check.

`ruleloom test` plays them with the game of the packs beside them, or with the one that the names of
their cases and clauses begin with, and so they are held against that game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.source.file import SourceError
from ruleloom.runtime.dataclass import dataclass

# Other files in a folder of packs may be YAML for another program.
CASES = re.compile(r"^(?:kind: *scenarios|cases:)", re.MULTILINE)
GAME = re.compile(r"^game: *([\w-]+)", re.MULTILINE)
NAMED = re.compile(r"\b(?:id|clauses): *\[? *([a-z][\w-]*)\.")


@dataclass(frozen=True, slots=True)
class LooseCases:
    """Files of cases and the packs of the game that they are for."""

    packs: tuple[str | Path, ...]
    files: tuple[Path, ...]


def parted(paths: Sequence[str]) -> tuple[tuple[str, ...], list[LooseCases]]:
    """The paths that mean packs, and the cases that lie in none.

    A path whose cases name no game is left among the packs, where it is complained about.
    """
    packs: list[str] = []
    loose: list[LooseCases] = []
    for path in paths:
        folders = find_packs(path, BUILTIN, Report())
        files = _files_in(Path(path), folders)
        game = _game_of(files, folders) if files else ()
        if game:
            loose.append(LooseCases(game, tuple(files)))
        if folders or not game:
            packs.append(path)
    return tuple(packs), loose


def _files_in(path: Path, folders: Sequence[PackFolder]) -> list[Path]:
    here = path.resolve()
    inside = [folder.path.resolve() for folder in folders]
    if path.is_file() and path.name.endswith(ENDINGS) and not folders:
        found = [path]
    elif path.is_dir() and all(here in folder.parents for folder in inside):
        walked = (Path(one.path) for one in walk(path, str(path), Report())[0])
        found = [one for one in walked if not any(map(one.resolve().is_relative_to, inside))]
    else:
        found = []
    return [one for one in found if CASES.search(_text(one))]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _game_of(files: Sequence[Path], folders: Sequence[PackFolder]) -> tuple[str | Path, ...]:
    """The packs of the game of these cases, for the compiler; empty if the game is not clear."""
    shipped = set(shipped_packs(BUILTIN))
    games = {game: folder.path for folder in folders if (game := _game_in(folder))}
    named = {*games} or {name for one in files for name in NAMED.findall(_text(one))} & shipped
    if len(named) != 1:
        return ()
    game = named.pop()
    return (game,) if game in shipped else tuple(folder.path for folder in folders)


def _game_in(folder: PackFolder) -> str:
    try:
        found = GAME.search(folder.manifest().text)
    except SourceError:
        return ""
    return found[1] if found else ""
