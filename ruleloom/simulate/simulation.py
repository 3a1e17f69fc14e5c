"""Runs a plan: hands out games, takes their records in, and stops in time.

How many workers there are, and in which order they are done, makes no difference to any game nor to
where a run stops: that is only looked at after so many games from the first one on.

Here, too: where games are played (this process, processes of this machine, a cluster), and the file that
keeps their records.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
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
from ruleloom.simulate.one_game import GameBatch, PlayedBatch, play_batch
from ruleloom.simulate.run_plan import GameRecord, RunPlan, SentProgram, plan_key, record_of

P = ParamSpec("P")
T = TypeVar("T")


class WorkPlace(Frozen):
    """A way to make an executor, and the number of its workers."""

    make: Callable[[], Executor]
    workers: int


class InThisProcess(Executor):
    """Does the work at once, where it is asked for."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of work that is done already."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def processes(workers: int | None) -> WorkPlace:
    """So many processes of this machine, else one for each processor; one is this process itself."""
    try:
        number = workers or len(os.sched_getaffinity(0))
    except AttributeError:  # not a Linux
        number = os.cpu_count() or 1
    if number == 1:
        return WorkPlace(InThisProcess, 1)
    # Ctrl-C is left to the parent process, which takes the records done and ends the workers.
    heedless = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    return WorkPlace(partial(ProcessPoolExecutor, number, initializer=heedless), number)


@contextmanager
def opened(place: WorkPlace) -> Iterator[Executor]:
    """An executor; nobody waits for what is under way in it once something went wrong.

    Otherwise it is done at the end, so that it does not close behind Python's back while that ends too.
    """
    executor, is_over = place.make(), False
    try:
        yield executor
        is_over = True
    finally:
        executor.shutdown(wait=is_over)


CHECKED_EVERY = 50
"""Games between two looks at whether enough is known."""
BATCH_SECONDS, LARGEST_BATCH = 1.0, 200
MOST_TRIES = 4
AHEAD = 2  # batches under way for each worker
QUIET_SECONDS = 5.0
"""So long nothing may come from the pool before it is asked whether it is still there."""

Enough = Callable[[Sequence[GameRecord]], bool]


class WorkersDied(Refused):
    """A batch has cost one worker after another its life."""


@dataclass
class Simulation:
    """One run. `kept` are the records of games that were played before, by number.

    `done` is told of each new record as soon as it is there, in any order.
    """

    sent: SentProgram
    plan: RunPlan
    place: WorkPlace
    done: Callable[[GameRecord], None] = lambda _: None
    kept: Mapping[int, GameRecord] = field(default_factory=dict)
    seconds: float | None = None
    """Nothing more is awaited once the games have taken each worker so long, in processor time."""
    lost: int = 0
    """Batches that were lost with a worker and played again."""

    def __post_init__(self) -> None:
        self.records = dict(self.kept)
        self._seconds = 0.0
        self._played = 0
        self._first = 0  # the first game that is not known yet
        # Batches under way, those to be played again, and how often each was lost.
        self._flying: dict[Future[PlayedBatch | None], GameBatch] = {}
        self._again: list[GameBatch] = []
        self._tried: dict[GameBatch, int] = {}
        self._most_seconds = inf if self.seconds is None else self.seconds * self.place.workers

    def run(self, most: int, enough: Enough = lambda _: False) -> list[GameRecord]:
        """Play until there are `most` games, or enough; the records by number.

        KeyboardInterrupt passes through; what is done by then is in `records`.
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
        """Hand out work, until there is enough ahead."""
        while len(self._flying) < AHEAD * self.place.workers:
            if not self._again:
                each = self._seconds / self._played if self._played else BATCH_SECONDS
                size = max(1, min(LARGEST_BATCH, int(BATCH_SECONDS / max(each, 1e-6))))
                numbers = tuple(islice(waiting, size))
                if not numbers:
                    return
                self._again.append(GameBatch(numbers, self.plan, self.sent.key))
            batch = self._again[-1]  # until it is under way: the pool may break now
            sent = self.sent if batch in self._tried else None
            future = executor.submit(play_batch, batch, sent)
            self._flying[future] = self._again.pop()

    def _take(self, executor: Executor) -> None:
        """Take in what is done; batches that need their program are sent again, also if the pool breaks."""
        ready, _ = wait(self._flying, QUIET_SECONDS, return_when=FIRST_COMPLETED)
        if not ready:  # raises if the pool broke as it was handed work, of which it never tells
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
        """Is there enough, or time over? For enough, only after each so many games is looked, all before
        them played."""
        while self._first < most and self._first in self.records:
            self._first += 1
            if self._first % CHECKED_EVERY == 0 and enough(self.from_first()):
                return True
        return self._first >= most or self._seconds >= self._most_seconds

    def from_first(self) -> list[GameRecord]:
        """The records of all games from the first on that are known without a gap."""
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
    """One open file of results, and the run in it that is being written."""

    path: Path
    connection: sqlite3.Connection
    key: str

    def games(self) -> dict[int, GameRecord]:
        """The games of the run that are there, by number."""
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
        connection = sqlite3.connect(path)
    with closing(connection):
        with _in_words(path), connection:
            (form,) = connection.execute("PRAGMA user_version").fetchone()
            if form not in (0, FORM):
                raise ResultsUnusable(f"{path} was written by another version of Ruleloom")
            connection.executescript(TABLES)
            # Written to a log of its own first: quick, and safe where a process is killed.
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
    except sqlite3.Error as error:
        raise ResultsUnusable(f"{path} cannot be used as a file of results: {error}") from None
