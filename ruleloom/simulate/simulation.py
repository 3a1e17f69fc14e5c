"""Runs a plan: hands out games, takes their records in, and stops in time.

How many workers there are, and in which order they are done, makes no difference to any game nor to
where a run stops: that is only looked at after so many games from the first one on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import field
from itertools import islice
from math import inf

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.simulate.executors import WorkPlace, opened
from ruleloom.simulate.game_record import GameRecord, record_of
from ruleloom.simulate.one_game import GameBatch, PlayedBatch, play_batch
from ruleloom.simulate.run_plan import RunPlan, SentProgram

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
        self._most_seconds = inf if self.seconds is None else self.seconds * self.place.workers

    def run(self, most: int, enough: Enough = lambda _: False) -> list[GameRecord]:
        """Play until there are `most` games, or enough; the records by number.

        KeyboardInterrupt passes through; what is done by then is in `records`.
        """
        waiting = iter(number for number in range(most) if number not in self.kept)
        tried: dict[GameBatch, int] = {}
        again: list[GameBatch] = []
        while True:
            with opened(self.place) as executor:
                flying: dict[Future[PlayedBatch | None], GameBatch] = {}
                try:
                    while not self._over(most, enough):
                        self._send(executor, flying, tried, again, waiting)
                        self._take(executor, flying, tried, again)
                    return self.from_first()
                except (BrokenExecutor, CancelledError):
                    again += flying.values()
                    self._count_lost(again, tried)
                finally:
                    for future in flying:
                        future.cancel()

    def _send(
        self,
        executor: Executor,
        flying: dict[Future[PlayedBatch | None], GameBatch],
        tried: dict[GameBatch, int],
        again: list[GameBatch],
        waiting: Iterator[int],
    ) -> None:
        """Hand out work, until there is enough ahead."""
        while len(flying) < AHEAD * self.place.workers:
            batch = again.pop() if again else self._next_batch(waiting)
            if batch is None:
                return
            sent = self.sent if batch in tried else None
            again.append(batch)  # until it is under way: the pool may break now
            future = executor.submit(play_batch, batch, sent)
            flying[future] = again.pop()

    def _next_batch(self, waiting: Iterator[int]) -> GameBatch | None:
        each = self._seconds / self._played if self._played else BATCH_SECONDS
        size = max(1, min(LARGEST_BATCH, int(BATCH_SECONDS / max(each, 1e-6))))
        numbers = tuple(islice(waiting, size))
        return GameBatch(numbers, self.plan, self.sent.key) if numbers else None

    def _take(
        self,
        executor: Executor,
        flying: dict[Future[PlayedBatch | None], GameBatch],
        tried: dict[GameBatch, int],
        again: list[GameBatch],
    ) -> None:
        """Take in what is done; batches that need their program go to `again`, also if the pool breaks."""
        ready, _ = wait(flying, QUIET_SECONDS, return_when=FIRST_COMPLETED)
        if not ready:
            executor.submit(
                int
            )  # raises if the pool broke as it was handed work, of which it never tells
        for future in ready:
            played = future.result()
            batch = flying.pop(future)
            if played is None:
                tried.setdefault(batch, 0)
                again.append(batch)
                continue
            for line in played.lines:
                record = record_of(line)
                self.records[record.number] = record
                self.done(record)
            self._played += len(batch.numbers)
            self._seconds += played.seconds

    def _count_lost(self, lost: list[GameBatch], tried: dict[GameBatch, int]) -> None:
        self.lost += 1
        for batch in lost:
            tried[batch] = tried.get(batch, 0) + 1
            if tried[batch] >= MOST_TRIES:
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
