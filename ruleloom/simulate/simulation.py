"""Runs a plan: hands out games, collects their records, and stops in time.

The number of workers, and the order in which they finish, affect neither the games nor where a run stops:
that is checked only at multiples of a fixed number of games, without gaps.

This module also has the executors (this process, processes of this machine, a cluster) and the file that
stores the records.
"""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import closing, contextmanager
from dataclasses import field
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import ParamSpec, TypeVar

from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.system import HAS_PROCESSES, processors
from ruleloom.simulate.one_game import GameBatch, PlayedBatch, play_batch
from ruleloom.simulate.run_plan import GameRecord, RunPlan, SentProgram, plan_key, record_of

P = ParamSpec("P")
T = TypeVar("T")


class WorkPlace(Frozen):
    """A factory of executors, and the number of workers."""

    make: Callable[[], Executor]
    workers: int


class InThisProcess(Executor):
    """Does work synchronously, on submission."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future that is already done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def processes(workers: int | None) -> WorkPlace:
    """Processes of this machine, by default one per processor; one is this process itself."""
    number = workers or processors()
    if number == 1 or not HAS_PROCESSES:
        return WorkPlace(InThisProcess, 1)
    # Ctrl-C is left to the parent process, which collects finished records and stops the workers.
    heedless = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    return WorkPlace(partial(futures.ProcessPoolExecutor, number, initializer=heedless), number)


@contextmanager
def opened(place: WorkPlace) -> Iterator[Executor]:
    """An executor; after an exception its pending work is not awaited.

    Otherwise it is, so that the pool does not shut down concurrently with the interpreter.
    """
    executor, is_over = place.make(), False
    try:
        yield executor
        is_over = True
    finally:
        executor.shutdown(wait=is_over)


CHECKED_EVERY = 50
"""The games between two checks for enough."""
BATCH_SECONDS, LARGEST_BATCH = 1.0, 200
MOST_TRIES = 4
AHEAD = 2  # batches in flight per worker
QUIET_SECONDS = 5.0
"""Silence of the pool after which it is checked for life."""

Enough = Callable[[Sequence[GameRecord]], bool]


class WorkersDied(Refused):
    """A batch has killed one worker after another."""


@dataclass
class Simulation:
    """One run. `kept` are the records of games played before, by number.

    `done` is called with each new record as it arrives, in any order.
    """

    sent: SentProgram
    plan: RunPlan
    place: WorkPlace
    done: Callable[[GameRecord], None] = lambda _: None
    kept: Mapping[int, GameRecord] = field(default_factory=dict)
    seconds: float | None = None
    """The processor time per worker after which the run stops."""
    lost: int = 0
    """Batches lost with a worker and played again."""

    def __post_init__(self) -> None:
        self.records = dict(self.kept)
        self._seconds = 0.0
        self._played = 0
        self._first = 0  # the first unknown game
        # Batches in flight, batches to replay, and the number of losses of each.
        self._flying: dict[Future[PlayedBatch | None], GameBatch] = {}
        self._again: list[GameBatch] = []
        self._tried: dict[GameBatch, int] = {}
        self._most_seconds = inf if self.seconds is None else self.seconds * self.place.workers

    def run(self, most: int, enough: Enough = lambda _: False) -> list[GameRecord]:
        """Play until there are `most` games, or enough; their records by number.

        KeyboardInterrupt passes through; finished games are in `records`.
        """
        waiting = iter(number for number in range(most) if number not in self.kept)
        while True:
            with opened(self.place) as executor:
                self._flying.clear()
                try:
                    while not self._over(most, enough):
                        self._send(executor, waiting)
                        self._take(executor)
                    return self.from_first()
                except (BrokenExecutor, CancelledError):
                    self._again += self._flying.values()
                    self._count_lost()
                finally:
                    for future in self._flying:
                        future.cancel()

    def _send(self, executor: Executor, waiting: Iterator[int]) -> None:
        """Submit batches until enough are in flight."""
        while len(self._flying) < AHEAD * self.place.workers:
            if not self._again:
                each = self._seconds / self._played if self._played else BATCH_SECONDS
                size = max(1, min(LARGEST_BATCH, int(BATCH_SECONDS / max(each, 1e-6))))
                numbers = tuple(islice(waiting, size))
                if not numbers:
                    return
                self._again.append(GameBatch(numbers, self.plan, self.sent.key))
            batch = self._again[-1]  # kept until submitted: the pool may break now
            sent = self.sent if batch in self._tried else None
            future = executor.submit(play_batch, batch, sent)
            self._flying[future] = self._again.pop()

    def _take(self, executor: Executor) -> None:
        """Collect finished batches; those without their program are sent again, also if the pool breaks."""
        ready, _ = wait(self._flying, QUIET_SECONDS, return_when=FIRST_COMPLETED)
        if not ready:  # raises if the pool broke during a submission, which it never reports
            executor.submit(int)
        for future in ready:
            played = future.result()
            batch = self._flying.pop(future)
            if played is None:
                self._tried.setdefault(batch, 0)
                self._again.append(batch)
                continue
            for line in played.lines:
                record = record_of(line)
                self.records[record.number] = record
                self.done(record)
            self._played += len(batch.numbers)
            self._seconds += played.seconds

    def _count_lost(self) -> None:
        self.lost += 1
        for batch in self._again:
            self._tried[batch] = self._tried.get(batch, 0) + 1
            if self._tried[batch] >= MOST_TRIES:
                first, last = batch.numbers[0], batch.numbers[-1]
                games = f"game {first}" if first == last else f"one of the games {first} to {last}"
                raise WorkersDied(f"{MOST_TRIES} workers have died, the last while playing {games}")

    def _over(self, most: int, enough: Enough) -> bool:
        """Are there enough games, or is time over? `enough` is asked only every CHECKED_EVERY games, without
        gaps."""
        while self._first < most and self._first in self.records:
            self._first += 1
            if self._first % CHECKED_EVERY == 0 and enough(self.from_first()):
                return True
        return self._first >= most or self._seconds >= self._most_seconds

    def from_first(self) -> list[GameRecord]:
        """The records of all games from the first up to the first gap."""
        return [self.records[number] for number in range(self._first)]


FORM = 1
TABLES = f"""
CREATE TABLE IF NOT EXISTS run (
    key TEXT PRIMARY KEY, title TEXT NOT NULL, program TEXT NOT NULL,
    plan TEXT NOT NULL, begun TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS game (
    run TEXT NOT NULL REFERENCES run (key), number INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
PRAGMA user_version = {FORM};
"""


class ResultsUnusable(Refused):
    """A file of results that cannot be read or written."""


class ResultsFile(Frozen):
    """An open file of results, and the run that it is writing."""

    path: Path
    connection: sqlite3.Connection
    key: str

    def games(self) -> dict[int, GameRecord]:
        """The stored games of the run, by number."""
        rows = self.connection.execute("SELECT record FROM game WHERE run = ?", (self.key,))
        records = [record_of(line) for (line,) in rows]
        return {record.number: record for record in records}

    def add(self, record: GameRecord) -> None:
        """Write one game."""
        with _in_words(self.path), self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO game VALUES (?, ?, ?)",
                (self.key, record.number, record.line()),
            )

    def forget(self) -> None:
        """Drop the games of the run."""
        with _in_words(self.path), self.connection:
            self.connection.execute("DELETE FROM game WHERE run = ?", (self.key,))


@contextmanager
def results_file(path: Path, sent: SentProgram, plan: RunPlan, title: str) -> Iterator[ResultsFile]:
    """Open a file of results for one run. Raises ResultsUnusable."""
    with _in_words(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path)
    with closing(connection):
        with _in_words(path), connection:
            (form,) = connection.execute("PRAGMA user_version").fetchone()
            if form not in (0, FORM):
                raise ResultsUnusable(f"{path} was written by another version of Ruleloom")
            connection.executescript(TABLES)
            # Write-ahead log: fast, and safe if a process is killed.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            key = plan_key(sent, plan)
            connection.execute(
                "INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?)",
                (
                    key,
                    title,
                    sent.key,
                    json.dumps(plan.as_data(), sort_keys=True),
                    time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                ),
            )
        yield ResultsFile(path, connection, key)


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise ResultsUnusable(f"{path} cannot be used as a file of results: {error}") from None
