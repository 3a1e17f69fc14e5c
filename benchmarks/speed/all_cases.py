"""`ruleloom test` of all four shipped games, a command each, two of them at a time."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from tempfile import TemporaryDirectory

from benchmarks.catalogue import GAMES
from benchmarks.figures import Figure
from benchmarks.harness import TOOL, ProcessCost, process_cost, seconds, with_cache

CORES = 2
PASSED = re.compile(r"^(\d+) passed, 0 failed", re.MULTILINE)


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """The processor time of all four together, run once; the most memory that one of them takes."""
    begun = time.perf_counter()
    with TemporaryDirectory() as cache, ThreadPoolExecutor(CORES) as pool:
        costs = list(pool.map(partial(_tested, cache), GAMES))
    taken = time.perf_counter() - begun
    cases = sum(map(passed, costs))
    note = f"{cases:,} cases, {seconds(taken)} by the clock on {CORES} cores"
    total, most = sum(one.processor for one in costs), max(one.memory for one in costs)
    yield Figure("test", total, None, 1, most, note=note)


def _tested(cache: str, game: str) -> ProcessCost:
    return process_cost([TOOL, "test", game, "--format", "concise"], **with_cache(cache))


def passed(cost: ProcessCost) -> int:
    """How many cases a run says to have passed. ValueError if it does not say that none failed."""
    found = PASSED.search(cost.output)
    if found is None:
        raise ValueError(f"this is no run without failures: {cost.output[-200:]}")
    return int(found[1])
