"""Timing two things side by side: interleaved rounds, medians, and the ratio between them."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from statistics import median
from tempfile import TemporaryDirectory


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: ours against a reference, and the budget for the ratio.

    `ratio` is ours / reference for times, and ours / reference for rates where `rate` is true; a
    rate must be at least the budget, a time at most.
    """

    what: str
    ours: str
    reference: str
    ratio: float
    budget: float
    rate: bool = False

    @property
    def kept(self) -> bool:
        """Is the budget kept?"""
        return self.ratio >= self.budget if self.rate else self.ratio <= self.budget


@contextmanager
def collector_off() -> Iterator[None]:
    """No search for garbage while this lasts: one that begins here looks through the compiled game.

    The command line looks only after a hundred times as many objects as Python does by itself.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(work: Callable[[], object], times: int) -> float:
    """Seconds of processor time for one call, over `times` calls, the collector off."""
    with collector_off():
        start = time.process_time()
        for _ in range(times):
            work()
        return (time.process_time() - start) / times


def side_by_side(
    ours: Callable[[], object], reference: Callable[[], object], times: int, rounds: int = 7
) -> tuple[float, float]:
    """Median seconds a call of each, in alternating rounds."""
    pairs = [(timed(ours, times), timed(reference, times)) for _ in range(rounds)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


@cache
def _bytecode() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def as_installed() -> dict[str, str]:
    """The environment of a command that runs from bytecode, as every installed package does.

    A checkout may have none, and may be told to leave none behind: then it goes to a folder of its
    own.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": _bytecode().name}


def command(words: Sequence[str], cwd: str | None = None) -> float:
    """Seconds that a command takes as a whole process. RuntimeError if it fails."""
    start = time.perf_counter()
    done = subprocess.run(words, capture_output=True, cwd=cwd, env=as_installed(), check=False)
    taken = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.decode()[-500:]}")
    return taken


def processor_time(words: Sequence[str], **environment: str) -> float:
    """Seconds of processor time that a command takes, all its processes together. RuntimeError if
    it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, env=as_installed() | environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(
            f"{' '.join(words)[:200]}: {(done.stderr or done.stdout).decode()[-500:]}"
        )
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def commands(ours: Sequence[str], reference: Sequence[str], rounds: int = 9) -> tuple[float, float]:
    """Median seconds of two commands, run in turn, after one run of each that is not counted."""
    command(ours)
    command(reference)
    pairs = [(command(ours), command(reference)) for _ in range(rounds)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


def time_row(what: str, ours: float, reference: float, budget: float) -> Row:
    """A row for two times in seconds."""
    return Row(what, seconds(ours), seconds(reference), ours / reference, budget)


def seconds(value: float) -> str:
    """A time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| what | ours | reference | ratio | budget | kept |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        sign = "at least" if row.rate else "at most"
        kept = "yes" if row.kept else "**no**"
        lines.append(
            f"| {row.what} | {row.ours} | {row.reference} | {row.ratio:.2f} | {sign} {row.budget:g} | "
            f"{kept} |"
        )
    return "\n".join(lines)
