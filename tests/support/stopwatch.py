"""How long something takes, in processor time of this process alone, so that other work on the
machine is no fault of ours."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

USUAL = 0.055
"""Seconds that `_yardstick` takes on the quiet machine on which the bounds of tests were set."""


def seconds_of(work: Callable[[], object]) -> float:
    """The processor seconds that the work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _yardstick() -> None:
    """Work as a compiler does it: small things, many of them, found by name."""
    kept = {}
    for number in range(50_000):
        name = str(number)
        kept[name] = (name, [number], {number: name})


def slowness() -> float:
    """How many times slower than usual this machine is just now; never less than one."""
    return max(1.0, *(seconds_of(_yardstick) / USUAL for _ in range(3)))


def in_time(took: float, seconds: float) -> bool:
    """Whether work that took so long would have kept its bound on a machine of the usual speed."""
    return took < seconds or took < seconds * slowness()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What stands below takes less on a machine of the usual speed. What earlier tests have left
    behind is not swept up meanwhile."""
    gc.disable()
    began = time.process_time()
    try:
        yield
    finally:
        took = time.process_time() - began
        gc.enable()
    assert in_time(took, seconds), f"{took:.2f} s"
