"""Runs the checker on small texts, within an invented game: that of tests/support/orchard, or of
tests/support/quarrel where it is named.

A text alone is one more file of that game's pack. A mapping of file names to texts is a pack of its
own.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ruleloom.api.requirements import with_requirements
from ruleloom.cli.check.filters import not_in_baseline
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from tests.conftest import ROOT
from tests.support.scratch import scratch

ORCHARD = Path(__file__).resolve().parent / "orchard"
COMMON = ROOT / "schemas"
NOTHING = ORCHARD / "no-such-folder"

Example = str | bytes | Mapping[str, str]


@cache
def schemas(game: Path = ORCHARD) -> Path:
    """Return a folder with the schemas every game shares and those of a game of the tests."""
    folder = scratch(f"{game.name}-schemas-")
    for path in COMMON.glob("*.schema.json"):
        shutil.copy(path, folder)
    shutil.copytree(game / "schemas" / game.name, folder / game.name)
    return folder


@cache
def game_files(game: Path = ORCHARD) -> Mapping[str, str]:
    """Return the files of the game's own pack."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((game / "game").glob("*.yaml"))
    }


@cache
def _pack(game: str) -> Path:
    """The folder of packs that are compiled and gone: one only, so that the compiler knows again
    what it has read there."""
    folder = scratch(f"{game}-") / game
    folder.mkdir()
    return folder


def compile_files(
    files: Mapping[str, str], game: Path = ORCHARD, texts: bool = False
) -> CompileResult:
    """Compile a pack of these files, with the schemas of the game."""
    pack = _pack(game.name)
    for path in pack.iterdir():
        path.unlink()
    for name, text in files.items():
        (pack / name).write_text(text, encoding="utf-8", newline="\n")
    return compile_paths([pack], builtin=NOTHING, schemas=schemas(game), texts=texts)


def compile_case(example: Example, texts: bool = False) -> CompileResult:
    """Compile one more file of the orchard, or a pack of its own."""
    assert not isinstance(example, bytes), "this layer reads texts"
    if isinstance(example, Mapping):
        return compile_files({"pack.yaml": game_files()["pack.yaml"], **example}, texts=texts)
    return compile_files({**game_files(), "zz_case.yaml": example}, texts=texts)


def run_game(example: Example) -> list[Diagnostic]:
    """Return what the checker says about a whole game in one file."""
    assert isinstance(example, str), "this layer reads one text"
    files = {"pack.yaml": game_files()["pack.yaml"], "zz_case.yaml": example}
    return list(compile_files(files).diagnostics)


def run_check(example: Example) -> list[Diagnostic]:
    """Return what the checker says about an example."""
    return list(compile_case(example).diagnostics)


def run_allowed(example: Example) -> list[Diagnostic]:
    """Return what is left of it beside the comments that allow something."""
    result = compile_case(example)
    return suppress(result.diagnostics, result.sources)


def run_baseline(example: Example) -> list[Diagnostic]:
    """Return what `fruits.yaml`, a file of the orchard, has beyond the `baseline.json` beside
    it."""
    assert isinstance(example, Mapping), "this layer reads two files"
    with tempfile.TemporaryDirectory(prefix="orchard-") as folder:
        for name, text in {**game_files(), **example}.items():
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")
        result = compile_paths([folder], builtin=NOTHING, schemas=schemas())
        path = Path(folder) / "baseline.json"
        left = not_in_baseline(path, result.diagnostics, dict(result.sources))
    return [one for one in left if one.severity == "error"] or left


def run_requirements(example: Example) -> list[Diagnostic]:
    """Return what the checker and the requirements of the game say about an example."""
    return list(with_requirements(compile_case(example)).diagnostics)


def run_homebrew(game: str, example: Example) -> list[Diagnostic]:
    """Check a file of a pack that somebody writes for a shipped game."""
    assert isinstance(example, str), "a pack of one file"
    folder = _pack(f"midnight-{game}")
    head = f"kind: pack\nid: midnight\nversion: 1.0.0\ngame: {game}\nedition: 1\ntitle: Midnight\n"
    needs = (
        f'requires: {{{game}: ">=0"}}\nauthors: [somebody]\nabout: "What is written at midnight."\n'
    )
    (folder / "pack.yaml").write_text(head + needs, encoding="utf-8")
    (folder / "items.yaml").write_text(example, encoding="utf-8")
    compile_paths(game)  # known to the compiler, so that of what has mistakes only those are new
    return list(compile_paths(folder).diagnostics)
