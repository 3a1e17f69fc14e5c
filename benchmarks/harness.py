"""Timing two things side by side: in turn, medians, as processor time; and what a process takes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from ruleloom.runtime.dataclass import dataclass
from ruleloom.store.store import FOLDER, KEY

BARE = (sys.executable, "-c", "pass")
TOOL = str(Path(sys.executable).with_name("ruleloom"))
CHECK_JSONSCHEMA = str(Path(sys.executable).with_name("check-jsonschema"))
# `ru_maxrss` is in bytes here, and in kilobytes elsewhere.
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
# A process begins with the peak of whoever started it. So the one that is measured is started by one
# that has next to nothing.
STARTER = """
import os, sys, time
begun = time.perf_counter()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
status, used = os.wait4(pid, 0)[1:]
taken = time.perf_counter() - begun
with open(sys.argv[1], "w") as file:
    print(used.ru_utime + used.ru_stime, taken, used.ru_maxrss, file=file)
sys.exit(os.waitstatus_to_exitcode(status) and 1)
"""


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


def with_cache(folder: str | Path) -> dict[str, str]:
    """The variables for a command that keeps what it can in a folder, and finds nothing else."""
    return {FOLDER: str(folder), KEY: "of this benchmark"}


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """What a process took, its children together: seconds of processor time, seconds by the clock,
    bytes of memory at its peak; and what it printed."""

    processor: float
    clock: float
    memory: int
    output: str


def process_cost(words: Sequence[str], **environment: str) -> ProcessCost:
    """Run a command to its end. RuntimeError if it fails."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "cost"
        starter = [sys.executable, "-S", "-E", "-c", STARTER, str(told)]
        done = subprocess.run(
            [*starter, *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=as_installed() | environment,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout).decode()[-500:]
            raise RuntimeError(f"{' '.join(words)[:200]}: {said}")
        processor, clock, memory = told.read_text(encoding="ascii").split()
    peak = int(memory) * MEMORY_UNIT
    return ProcessCost(float(processor), float(clock), peak, done.stdout.decode())


def processor_time(words: Sequence[str], **environment: str) -> float:
    """Seconds of processor time that a command takes. RuntimeError if it fails."""
    return process_cost(words, **environment).processor


def in_turn(
    ours: Sequence[str], reference: Sequence[str], rounds: int, **environment: str
) -> tuple[float, float]:
    """Median seconds of processor time of two commands, run in turn, after a run of ours that is not
    counted: it leaves bytecode, and what is kept."""
    processor_time(ours, **environment)
    pairs = [
        (processor_time(ours, **environment), processor_time(reference, **environment))
        for _ in range(rounds)
    ]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


def seconds(value: float) -> str:
    """A time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
