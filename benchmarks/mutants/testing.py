"""Mutation testing: the scenarios of a game against single small changes of its rules.

`python -m benchmarks.mutants` says what is counted, and prints the table.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

import yaml

from benchmarks.edits.shipped import read_shipped
from benchmarks.faults.injection import copy_of
from benchmarks.mutants.bench import KILLED, REFUSED, SAME, SURVIVED, Bench, Outcome, in_batches
from benchmarks.mutants.operators import KINDS, Mutant, all_mutants
from ruleloom.compiler.packs.locate import BUILTIN

SURVIVORS = Path(__file__).resolve().parent / "survivors.yaml"
TARGET = 0.95
SAMPLE = 200
COVERING = 50
"""From so many mutants on it is worth running every case once before."""


# ---------------------------------------------------------------------------------- running


def sampled(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Some of the mutants, of each kind its share."""
    rng = Random(seed)
    if count >= len(mutants):
        return list(mutants)
    picked: list[Mutant] = []
    for kind in KINDS:
        mine = [one for one in mutants if one.kind == kind]
        share = max(1, round(count * len(mine) / len(mutants)))
        picked += rng.sample(mine, min(share, len(mine)))
    return picked


@cache
def everything_of(game: str) -> dict[str, Mutant]:
    """All mutants of a game, by their ids."""
    return {mutant.id: mutant for mutant in all_mutants(read_shipped(BUILTIN / game))}


_BENCH: list[Bench] = []
"""The bench that workers are forked with, as it takes long to make one."""
Tried = tuple[list[Outcome], tuple[str, ...]]


def _try_out(game: str, ids: Sequence[str]) -> Tried:
    bench = _BENCH[0]
    outcomes = []
    for outcome in bench.try_out([everything_of(game)[id] for id in ids]):
        outcomes.append(outcome)
        if outcome.fate == SURVIVED:  # told at once, as all of them take a while
            print(f"survived: {outcome.place}: {outcome.id}", file=sys.stderr, flush=True)
    return outcomes, bench.broken


def _try_out_batch(batch: tuple[str, list[str]]) -> Tried:
    return _try_out(*batch)


def run(game: str, mutants: Sequence[Mutant], workers: int = 1, most: int | None = None) -> Tried:
    """Try mutants out; also the names of cases that turned out to fail without any mutant: they
    kill none."""
    batches = [(game, [mutant.id for mutant in batch]) for batch in in_batches(mutants)]
    with ExitStack() as stack:
        folders = [stack.enter_context(copy_of(game)).folder for _ in range(workers)]
        bench = Bench(folders[0], read_shipped(BUILTIN / game), most)
        if len(mutants) >= COVERING:
            bench.cover()
        bench.prepare()
        _BENCH[:] = [bench]
        done = list(
            _in_processes(batches, folders) if workers > 1 else map(_try_out_batch, batches)
        )
    by_id = {outcome.id: outcome for outcomes, _ in done for outcome in outcomes}
    return [by_id[one.id] for one in mutants], tuple(
        sorted({name for _, broken in done for name in broken})
    )


def _in_processes(
    batches: Sequence[tuple[str, list[str]]], folders: Sequence[Path]
) -> Iterator[Tried]:
    """Each process has a copy of the pack to itself."""
    context = get_context("fork")
    free = context.SimpleQueue()
    for folder in folders:
        free.put(folder)
    with context.Pool(len(folders), lambda: _BENCH[0].move(free.get())) as pool:
        for number, tried in enumerate(pool.imap_unordered(_try_out_batch, batches), 1):
            print(f"{number} of {len(batches)} batches", end="\r", file=sys.stderr, flush=True)
            yield tried


def known_survivors(game: str) -> dict[str, str]:
    """The mutants of a game that no scenario can tell apart, each with the reason."""
    listed = yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")).get(game) or []
    return {str(entry["id"]): str(entry["reason"]) for entry in listed}


# ---------------------------------------------------------------------------------- what is printed


def killed_share(outcomes: Sequence[Outcome], leave_out: Sequence[str] = ()) -> float:
    """How many of the mutants that compile are killed, from 0 to 1."""
    counted = [
        one for one in outcomes if one.fate in (KILLED, SURVIVED) and one.id not in leave_out
    ]
    return sum(one.fate == KILLED for one in counted) / max(len(counted), 1)


def table(outcomes: Sequence[Outcome], listed: Sequence[str]) -> str:
    """A line for each kind, and the totals."""
    head = (
        f"{'kind':30} {'made':>5} {'refused':>7} {'same':>4} {'killed':>6} {'survived':>8} "
        f"{'listed':>6} {'killed':>7} {'ms each':>7}"
    )
    lines = [head]
    for name in [*KINDS, "all"]:
        group = [one for one in outcomes if name in (one.kind, "all")]
        if group:
            fates = Counter(one.fate for one in group)
            speed = 1_000 * sum(one.seconds for one in group) / len(group)
            known = sum(one.fate == SURVIVED and one.id in listed for one in group)
            lines.append(
                f"{name:30} {len(group):5} {fates[REFUSED]:7} {fates[SAME]:4} {fates[KILLED]:6} "
                f"{fates[SURVIVED]:8} {known:6} {killed_share(group):7.1%} {speed:7.0f}"
            )
    return "\n".join(lines)
