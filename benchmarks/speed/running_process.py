"""Edits in a process that stays, as an editor or a server is one.

The packs are compiled again as a whole. Each edit makes another text, so that no answer is one of
before. The first edit is not counted: it works out what stays as long as nobody saves anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import timed
from benchmarks.speed.small_packs import SMALL_PACKS, SmallPack
from ruleloom.compiler.pipeline import Compiler

EDITS = 7


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Small packs, compiled again after an edit."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for small in SMALL_PACKS:
            if f"running-{small.game}" in keys:
                taken = compile_time(small, folder)
                yield Figure(f"running-{small.game}", taken, None, EDITS)


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
