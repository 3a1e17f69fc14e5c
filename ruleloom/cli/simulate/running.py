"""Runs a simulation for a command: where it is played, what is kept, and its progress."""

from __future__ import annotations

import importlib
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType

import click

from ruleloom.cli.faults import INTERRUPTED, WrongUse
from ruleloom.cli.options import F, write_output
from ruleloom.output.terminal import count_of, progress
from ruleloom.reports.page import ReportPage, html_of, markdown_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.simulate.executors import WorkPlace, processes
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.results_db import ResultsFile, results_file
from ruleloom.simulate.run_plan import RunPlan, SentProgram
from ruleloom.simulate.simulation import Enough, Simulation

TOLD_EVERY = 0.2  # seconds between two lines of progress


def work_options(command: F) -> F:
    """`--workers`, `--dask`, `--store` and `--resume`."""
    help = "Go on with what --store holds of this run, instead of anew."
    command = click.option("--resume", is_flag=True, help=help)(command)
    help = "Keep each game in FILE (SQLite)."
    command = click.option("--store", metavar="FILE", help=help)(command)
    help = "Play on a cluster of Dask, or on one that is started here; needs ruleloom[dask]."
    command = click.option("--dask", metavar="ADDRESS|local", help=help)(command)
    help = "The number of processes; by default one for each processor."
    kind = click.IntRange(1, 1024)
    return click.option("--workers", type=kind, metavar="N", help=help)(command)


def report_options(command: F) -> F:
    """`--html` and `--markdown`."""
    help = "Write the report as Markdown."
    command = click.option("--markdown", metavar="FILE", help=help)(command)
    help = "Write the report as one HTML file."
    return click.option("--html", metavar="FILE", help=help)(command)


def typed_command() -> str:
    """The command as it was typed, for the head of a report."""
    return f"ruleloom {shlex.join(sys.argv[1:])}"


def write_reports(page: ReportPage, html: str | None, markdown: str | None) -> None:
    """Write the files of a report. Raises WrongUse."""
    if html:
        write_output(html, html_of(page))
    if markdown:
        write_output(markdown, markdown_of(page))


def stopped_after(done: str, store: str | None) -> int:
    """Say how far a run came before Ctrl-C; return the exit code."""
    kept = f"; --resume --store {store} goes on" if store else ""
    print(f"stopped {done}{kept}", file=sys.stderr)
    return INTERRUPTED


@dataclass(frozen=True, slots=True)
class RunWishes:
    """The number of games wanted, and their storage."""

    games: int
    enough: Enough
    store: str | None
    resume: bool
    seconds: float | None = None
    """So much processor time each worker has for games."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The games of a run from the first on; `stopped` if somebody broke it off."""

    records: list[GameRecord]
    stopped: bool
    lost: int


def bring_extra(module: str, extra: str) -> ModuleType:
    """A module that needs the libraries of an extra. Raises WrongUse if they are not there."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        help = f"pip install 'ruleloom[{extra}]'"
        raise WrongUse(
            f"this needs a library that is not installed: {missing.name}", help
        ) from None


@contextmanager
def work_place(workers: int | None, dask: str | None) -> Iterator[WorkPlace]:
    """The place where games are played: processes, or a cluster of Dask. Raises WrongUse."""
    if dask is None:
        yield processes(workers)
        return
    module = bring_extra("ruleloom.simulate.dask_cluster", "dask")
    try:
        with module.cluster(dask, workers) as place:
            yield place
    except Refused as refused:
        raise WrongUse(refused.reason) from None


def refuse_resume_without_store(resume: bool, store: str | None) -> None:
    """Raise WrongUse where a run is to go on that was kept nowhere."""
    if resume and store is None:
        raise WrongUse("--resume goes on with what is stored", "name the file: --store FILE")


def run_plan(
    sent: SentProgram, plan: RunPlan, title: str, place: WorkPlace, wishes: RunWishes
) -> RunResult:
    """Run a plan, with what a store holds of it already. Ctrl-C keeps what is done."""
    refuse_resume_without_store(wishes.resume, wishes.store)
    try:
        with ExitStack() as stack:
            results = None
            if wishes.store is not None:
                opened = results_file(Path(wishes.store), sent, plan, title)
                results = stack.enter_context(opened)
                if not wishes.resume:
                    results.forget()
            return _run(sent, plan, place, wishes, results)
    except Refused as refused:
        raise WrongUse(refused.reason) from None


def _run(
    sent: SentProgram,
    plan: RunPlan,
    place: WorkPlace,
    wishes: RunWishes,
    results: ResultsFile | None,
) -> RunResult:
    kept = results.games() if results is not None else {}
    clock = _Clock(wishes, len(kept))

    def done(record: GameRecord) -> None:
        if results is not None:
            results.add(record)
        clock.tick()

    simulation = Simulation(sent, plan, place, done, kept, wishes.seconds)
    stopped = False
    try:
        simulation.run(wishes.games, wishes.enough)
    except KeyboardInterrupt:
        stopped = True
    progress("")
    return RunResult(simulation.from_first(), stopped, simulation.lost)


class _Clock:
    """The progress of a run on a terminal: games done, and the time that is left."""

    def __init__(self, wishes: RunWishes, known: int) -> None:
        self._games, self._done, self._new = wishes.games, known, 0
        self._is_timed = wishes.seconds is not None
        self._begun = self._told = time.monotonic()

    def tick(self) -> None:
        """One more game is done."""
        self._done += 1
        self._new += 1
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY:
            self._told = now
            if self._is_timed:
                progress(count_of(self._done, "game"))
                return
            left = (now - self._begun) / self._new * max(0, self._games - self._done)
            most = count_of(self._games, "game")
            progress(f"{self._done:,} of at most {most}, {_span(left)} left at most")


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
