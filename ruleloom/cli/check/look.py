"""The findings of a check, for packs and the cases beside them.

Files of cases in no pack, alone or in a folder that also holds packs, are checked with the game of the packs
beside them, or the game that prefixes the names of their cases and clauses, as in `ruleloom test`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ruleloom.api.ready import ready, ready_cases
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.source.file import SourceError
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.findings import FINDINGS, Findings

# Other files in a folder of packs may be YAML of another program.
CASES = re.compile(r"^(?:kind: *scenarios|cases:)", re.MULTILINE)
GAME = re.compile(r"^game: *([\w-]+)", re.MULTILINE)
NAMED = re.compile(r"\b(?:id|clauses): *\[? *([a-z][\w-]*)\.")


class LooseCases(NamedTuple):
    """Case files outside any pack, with the packs of their game."""

    packs: tuple[str | Path, ...]
    files: tuple[Path, ...]


def parted(paths: Sequence[str]) -> tuple[tuple[str, ...], list[LooseCases]]:
    """The paths of packs, and the case files outside any pack.

    A path whose cases name no game stays among the packs, which reports it.
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
    found: Sequence[Path] = ()
    if path.is_file() and path.name.endswith(ENDINGS) and not folders:
        found = [path]
    elif path.is_dir() and all(here in folder.parents for folder in inside):
        walked = (Path(one.path) for one in walk(path, str(path), Report())[0])
        found = [one for one in walked if not any(map(one.resolve().is_relative_to, inside))]
    return [one for one in found if CASES.search(_text(one))]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _game_of(files: Sequence[Path], folders: Sequence[PackFolder]) -> tuple[str | Path, ...]:
    """The packs of the game of these cases, for the compiler; empty if the game is ambiguous."""
    shipped = set(shipped_packs(BUILTIN))
    games = dict[str, Path]()
    for folder in folders:
        with suppress(SourceError):
            if found := GAME.search(folder.manifest().text):
                games[found[1]] = folder.path
    named = {*games} or {name for one in files for name in NAMED.findall(_text(one))} & shipped
    if len(named) != 1:
        return ()
    game = named.pop()
    return (game,) if game in shipped else tuple(folder.path for folder in folders)


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings in packs and the cases beside them, with progress shown.

    Without `cache` nothing cached is read or stored; cases outside packs never are.
    """
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        packs, loose = parted(paths)
        found = [ready(FINDINGS, packs, cache)] if packs else []
        found += [ready_cases(one.packs, one.files) for one in loose]
        return found[0] if len(found) == 1 else _together(found)
    finally:
        progress("")


def _together(found: Sequence[Findings]) -> Findings:
    """Several sets of findings merged, without duplicates."""
    diagnostics = {one: None for some in found for one in some.diagnostics}
    sources = {path: text for some in found for path, text in some.sources.items()}
    return Findings(
        tuple(sorted(diagnostics, key=Diagnostic.order)),
        sources,
        all(one.sound for one in found),
        found[0].packs,
        found[0].items,
    )
