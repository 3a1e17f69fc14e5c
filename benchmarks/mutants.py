"""`python -m benchmarks.mutants --game moonstone [--sample 200 --seed 1] [--all] [--workers 2]`: do the scenarios
notice when a rule changes?

A mutant is a shipped game with one small change of an effect text, a table, or what is printed on a thing. The
game's own scenarios are run until one fails: then the mutant is killed. One that the checker refuses does not
count. What survives should be listed in `mutant_survivors.yaml` under its game, each with the reason why no
scenario can tell it apart.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from random import Random
from types import FrameType

import yaml

from benchmarks.faults import copy_of
from benchmarks.mutant_kinds import KINDS, Mutant, all_mutants
from benchmarks.shipped import GAMES, Item, Shipped, read_shipped
from compiler.diagnostics import Report
from compiler.packs import BUILTIN
from compiler.pipeline import CompileResult, compile_paths
from ruleloom.scenarios.cases import Case, read_cases
from ruleloom.scenarios.runner import FAILED, Runner

SURVIVORS = Path(__file__).resolve().parent / "mutant_survivors.yaml"
TARGET = 0.95
SAMPLE = 200
PATIENCE = 60
"""Seconds after which a mutant has gone round in circles, and is killed."""
FIRST = 24
"""How many cases about things are made and run before all the others: those that most likely notice a mutant."""
REFUSED, KILLED, SURVIVED = "refused", "killed", "survived"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant; `by` is the case that killed it, or what the checker said."""

    id: str
    kind: str
    place: str
    fate: str
    by: str
    seconds: float = 0.0


class TooLong(BaseException):
    """A mutant that does not come to an end. No `except Exception` of the machine may swallow it."""


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Raise TooLong in what takes longer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Bench:
    """A copy of the pack, its cases, and which of them have killed most."""

    def __init__(self, folder: Path, pack: Shipped) -> None:
        self.folder = folder
        self.pack = pack
        self.result = compile_paths(folder, texts=False)
        assert self.result.program is not None, "the shipped pack must be sound"
        self.cases = [case for case in cases_of(self.result) if case.steps is not None and not case.fault]
        # The scenarios are read by now; without them, compiling a mutant is much quicker.
        content = self.result.content
        assert content is not None
        for name in content.scenarios:
            (folder / content.files[name][1]).unlink()
        self.kills: Counter[str] = Counter()
        self._fails_anyway: dict[str, bool] = {}

    @property
    def broken(self) -> tuple[str, ...]:
        """The cases that were found to fail without any mutant. They kill none."""
        return tuple(sorted(id for id, fails in self._fails_anyway.items() if fails))

    def fails_anyway(self, case: Case) -> bool:
        """Does a case fail without any mutant? It is only run so once it has failed with one."""
        if case.id not in self._fails_anyway:
            plain = runner_of(self.result, [case]).run(case)
            self._fails_anyway[case.id] = plain.status == FAILED
        return self._fails_anyway[case.id]

    def try_out(self, mutant: Mutant) -> Outcome:
        """Compile one mutant and run scenarios until one fails."""
        site = mutant.site
        path = self.folder / site.file.name
        start = time.perf_counter()
        path.write_text(site.text, encoding="utf-8", newline="")
        try:
            fate, by = self._play(mutant, compile_paths(self.folder, texts=False, reasons=False))
        finally:
            path.write_text(site.file.text, encoding="utf-8", newline="")
        line, _ = site.file.source.line_col(site.at)
        seconds = time.perf_counter() - start
        return Outcome(mutant.id, mutant.kind, f"{site.file.name}:{line}", fate, by, seconds)

    def _play(self, mutant: Mutant, result: CompileResult) -> tuple[str, str]:
        if result.program is None:
            errors = [one for one in result.diagnostics if one.severity == "error"]
            return REFUSED, errors[0].message if errors else ""
        for part in in_parts(self.in_order(mutant.item)):
            # All things of a part are made together, so that a part is what takes time, and not a case.
            runner = runner_of(result, part)
            for case in part:
                try:
                    with patience(PATIENCE):
                        failed = runner.run(case).status == FAILED
                except (TooLong, Exception):  # a mutant may do anything; whatever is raised, it is noticed
                    failed = True
                if failed and not self.fails_anyway(case):
                    self.kills[case.id] += 1
                    return KILLED, case.id
        return SURVIVED, ""

    def in_order(self, item: Item) -> list[Case]:
        """The cases, first those that cite a clause of the item, then those that are called after it or speak of
        it, then those that have killed most."""
        node = item.node.get("clauses")
        cited = {one.text for one in node.items} if node is not None else set()
        name = item.name.replace("_", "-")

        def rank(case: Case) -> tuple[int, bool, int, str]:
            named = name in case.id or (case.things is not None and name in case.things.raw)
            return -len(cited & set(case.clauses)), not named, -self.kills[case.id], case.id

        return sorted(self.cases, key=rank)


def runner_of(result: CompileResult, cases: Sequence[Case]) -> Runner:
    """What runs these cases of a pack that compiles."""
    assert result.program is not None, "what the checker refuses is never run"
    return Runner(result.program, cases, content=result.content)


def in_parts(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """The cases in the same order, a few first and then the rest."""
    yield list(cases[:FIRST])
    if len(cases) > FIRST:
        yield list(cases[FIRST:])


def cases_of(result: CompileResult) -> list[Case]:
    """The scenarios that lie in the pack itself."""
    assert result.content is not None
    sources = [result.content.sources[name] for name in result.content.scenarios]
    return [case for source in sources for case in read_cases(source, Report()) or ()]


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
def _everything(game: str) -> dict[str, Mutant]:
    return {mutant.id: mutant for mutant in all_mutants(read_shipped(BUILTIN / game))}


def _part(game: str, ids: Sequence[str]) -> tuple[list[Outcome], tuple[str, ...]]:
    outcomes = []
    with copy_of(game) as copy:
        bench = Bench(copy.folder, read_shipped(BUILTIN / game))
        for id in ids:
            outcomes.append(bench.try_out(_everything(game)[id]))
            if outcomes[-1].fate == SURVIVED:  # told at once, as all of them take a while
                print(f"survived: {outcomes[-1].place}: {id}", file=sys.stderr, flush=True)
        return outcomes, bench.broken


def run(game: str, mutants: Sequence[Mutant], workers: int = 1) -> tuple[list[Outcome], tuple[str, ...]]:
    """Try mutants out; also the names of cases that turned out to fail without any mutant: they kill none."""
    ids = [mutant.id for mutant in mutants]
    if workers == 1:
        return _part(game, ids)
    parts = [(game, ids[start::workers]) for start in range(workers)]
    with Pool(workers) as pool:
        done = pool.starmap(_part, parts, chunksize=1)
    by_id = {outcome.id: outcome for outcomes, _ in done for outcome in outcomes}
    return [by_id[id] for id in ids], tuple(sorted({name for _, broken in done for name in broken}))


def known_survivors(game: str) -> dict[str, str]:
    """The mutants of a game that no scenario can tell apart, each with the reason."""
    listed = yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")).get(game) or []
    return {str(entry["id"]): str(entry["reason"]) for entry in listed}


# ---------------------------------------------------------------------------------- what is printed


def killed_share(outcomes: Sequence[Outcome], leave_out: Sequence[str] = ()) -> float:
    """How many of the mutants that compile are killed, from 0 to 1."""
    counted = [one for one in outcomes if one.fate != REFUSED and one.id not in leave_out]
    return sum(one.fate == KILLED for one in counted) / max(len(counted), 1)


def table(outcomes: Sequence[Outcome], listed: Sequence[str]) -> str:
    """A line for each kind, and the totals."""
    head = (
        f"{'kind':30} {'made':>5} {'refused':>7} {'killed':>6} {'survived':>8} {'listed':>6} {'killed':>7} "
        f"{'ms each':>7}"
    )
    lines = [head]
    for name in [*KINDS, "all"]:
        group = [one for one in outcomes if name in (one.kind, "all")]
        if group:
            fates = Counter(one.fate for one in group)
            speed = 1_000 * sum(one.seconds for one in group) / len(group)
            known = sum(one.fate == SURVIVED and one.id in listed for one in group)
            lines.append(
                f"{name:30} {len(group):5} {fates[REFUSED]:7} {fates[KILLED]:6} {fates[SURVIVED]:8} "
                f"{known:6} {killed_share(group):7.1%} {speed:7.0f}"
            )
    return "\n".join(lines)


def main() -> int:
    """Make, try out and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="gnostica")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many mutants to try out")
    parser.add_argument("--all", action="store_true", help="try out all of them")
    parser.add_argument("--kind", choices=list(KINDS), action="append", help="only mutants of this kind")
    parser.add_argument("--file", action="append", help="only mutants in this file of the game")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--refused", action="store_true", help="also list what the checker refused")
    options = parser.parse_args()
    everything = _everything(options.game).values()
    mutants = [
        one
        for one in everything
        if (not options.kind or one.kind in options.kind)
        and (not options.file or one.site.file.name in options.file)
    ]
    chosen = mutants if options.all else sampled(mutants, options.sample, options.seed)
    outcomes, broken = run(options.game, chosen, options.workers)
    listed = known_survivors(options.game)
    for one in outcomes:
        if one.fate == SURVIVED and one.id in listed:
            print(f"survived as listed: {one.place}: {one.id}: {listed[one.id]}")
        elif one.fate == KILLED and one.id in listed:
            print(f"listed as a survivor, but killed by {one.by}: {one.id}")
        elif one.fate == REFUSED and options.refused:
            print(f"refused: {one.place}: {one.id}: {one.by}")
    for name in broken:
        print(f"left out, as it fails without any mutant: {name}")
    print(table(outcomes, list(listed)))
    share = killed_share(outcomes)
    print(f"target: at least {TARGET:.0%} killed by scenarios: {'kept' if share >= TARGET else 'NOT KEPT'}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
