"""Edits in a process that stays, as an editor or a server is one.

After a key, the open text is looked at by itself, as the language server does; in a pause, the packs
are compiled again as a whole. Each edit makes another text, so that no answer is one of before. The
first edit is not counted: it works out what stays as long as nobody saves anything else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import timed
from benchmarks.large_pack import write_large_pack
from benchmarks.speed.small_packs import SMALL_PACKS, SmallPack
from ruleloom.compiler.analysis.quick_check import QuickCheck
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import Compiler
from ruleloom.editor.workspace import PackGroup, Workspace

ITEMS = 5_000
KEYS, EDITS = 30, 7
SMALL = BUILTIN / "examples" / "salt-and-lanterns"
# A file, and a text in it behind which somebody writes.
OPEN_IN_SMALL = ("world.yaml", '8, "tide')
OPEN_IN_LARGE = ("advantage-3.yaml", "  abilities: |\n    # copy")


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """The open text of a small and of a large pack; then small packs as a whole."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        if "open-text" in keys:
            yield Figure("open-text", open_text_time(SMALL, *OPEN_IN_SMALL), None, KEYS)
        if "open-text-large" in keys:
            large = folder / "bazaar"
            write_large_pack(large, ITEMS)
            yield Figure("open-text-large", open_text_time(large, *OPEN_IN_LARGE), None, KEYS)
        for small in SMALL_PACKS:
            if f"running-{small.game}" in keys:
                taken = compile_time(small, folder)
                yield Figure(f"running-{small.game}", taken, None, EDITS)


def open_text_time(pack: Path, file: str, behind: str) -> float:
    """Median seconds until the findings of an open text are known, letter by letter."""
    real = os.path.realpath(pack)
    snapshot = Workspace().check(PackGroup((real,)))
    assert snapshot is not None, f"{pack.name} can be read"
    quick, path = QuickCheck(snapshot.result, snapshot.kept), str(Path(real) / file)
    before, found, after = Path(path).read_text(encoding="utf-8").partition(behind)
    assert found, f"{file} holds `{behind}`"

    def look(letters: int) -> None:
        seen = quick.result_with(snapshot.shown[path], f"{before}{found}{'x' * letters}{after}")
        assert seen is not None, f"{file} is a file of {pack.name}"
        assert seen.diagnostics == snapshot.result.diagnostics

    return _each_time(KEYS, look)


def compile_time(small: SmallPack, folder: Path) -> float:
    """Median seconds until a small pack is compiled again, after an edit on disk."""
    pack, compiler = small.copied(folder), Compiler()

    def compiled(number: int) -> None:
        small.edit(pack, number)
        assert compiler.compile([pack]).ok

    return _each_time(EDITS, compiled)


def _each_time(times: int, work: Callable[[int], None]) -> float:
    work(0)
    return median(timed(partial(work, number), 1) for number in range(1, times + 1))
