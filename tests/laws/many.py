"""Many random games of one sort: each is played and held against its laws, some are saved and
undone, on several processes; and the command that asks for them.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from multiprocessing import Pool
from typing import Generic, Protocol, TypeVar

from ruleloom.runtime.search.node import PlayNode
from tests.laws.resuming import Kept, Playable, kept

Job = tuple[range, int]
"""The seeds of some games, and how many of these are saved, resumed and undone too."""


class Seeded(Playable, Protocol):
    """One game to be, made from its seed alone."""

    @property
    def seed(self) -> int:
        """The seed."""


@dataclass
class Figures(ABC):
    """What was seen. Two of one class add up, whatever more that class counts."""

    counts: Counter[str] = field(default_factory=Counter)
    fizzled: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        """Put other games' figures to these."""
        self.seconds += other.seconds
        self.wrong += other.wrong
        for one in fields(self):
            mine = getattr(self, one.name)
            if isinstance(mine, Counter):
                mine.update(getattr(other, one.name))

    def answered(self, after: PlayNode) -> None:
        """Count an answer, and what came of it."""
        self.counts["answers"] += 1
        self.counts["events"] += len(after.events)
        self.fizzled.update(
            f"{one.name}: {one.args[0]}" for one in after.events if one.kind == "fizzled"
        )

    @property
    def kept_law(self) -> bool:
        """Was it all as it should be?"""
        return not self.wrong

    def lines(self) -> list[str]:
        """The figures in words."""
        n = self.counts
        rate = n["answers"] / self.seconds if self.seconds else 0
        return [
            *self.headline(),
            f"{n['answers']:,} answers, {n['events']:,} events, {rate:,.0f} answers a second on one "
            "core, all checked",
            Kept.line(n),
            *self.details(),
            *(f"  fizzled: {many:,} {cause}" for cause, many in self.fizzled.most_common()),
            *(f"  WRONG {line}" for line in self.wrong[:40]),
            f"{len(self.wrong):,} faults",
        ]

    @abstractmethod
    def headline(self) -> list[str]:
        """How many games, and what they came to."""

    @abstractmethod
    def details(self) -> list[str]:
        """What else was counted."""


Of = TypeVar("Of", bound=Seeded)
Seen = TypeVar("Seen", bound=Figures)


@dataclass(frozen=True)
class Series(Generic[Of, Seen]):
    """Games of one sort. `make` gives that of a seed, of which `chunk` in a row share what takes
    long to make; `through` plays it through, with so many answers at most. `one` is what one game
    is called, `module` and `doc` are those of the command. So many prompts of a game are saved and
    undone one by one: `most_kept`.
    """

    one: str
    module: str
    doc: str | None
    make: Callable[[int, int], Of]
    through: Callable[[Of, Seen, int], None]
    blank: type[Seen]
    chunk: int
    most_answers: int
    most_kept: int

    def play(self, of: Of, most: int | None = None) -> Seen:
        """One game, every law held against it."""
        seen = self.blank()
        seen.counts[f"{self.one}s"] = 1
        begun = time.process_time()
        try:
            self.through(of, seen, self.most_answers if most is None else most)
        except Exception:
            seen.wrong.append(
                f"{of}: after {seen.counts['answers']} answers: {traceback.format_exc()}"
            )
        seen.seconds = time.process_time() - begun
        return seen

    def resumed(self, of: Of, most: int | None = None) -> Seen:
        """One game held against the laws of saves and of undo."""
        seen, found = self.blank(), kept(of, of.seed, self.most_kept if most is None else most)
        seen.counts.update(found.counts)
        seen.wrong = found.wrong
        return seen

    def work(self, job: Job) -> Seen:
        """Play the games of some seeds, the first few of which are saved and undone too."""
        seeds, saves = job
        total = self.blank()
        for number, seed in enumerate(seeds):
            total.add(self.play(self.make(seed, self.chunk)))
            if number < saves:
                total.add(self.resumed(self.make(seed, self.chunk)))
        return total

    def soak(self, games: int, workers: int, first: int = 0, saves: int = 0) -> Seen:
        """Play so many games on so many processes."""
        total = self.blank()
        for seen in self._done(jobs_of(games, self.chunk, first, saves), workers):
            total.add(seen)
        return total

    def _done(self, jobs: Sequence[Job], workers: int) -> Iterator[Seen]:
        """What each job came to, as soon as it is done; how many are done is told now and then."""
        with Pool(workers) as pool:
            for number, seen in enumerate(pool.imap_unordered(self.work, jobs), 1):
                yield seen
                if number % max(1, len(jobs) // 10) == 0:
                    print(f"{number:,} of {len(jobs):,} parts", file=sys.stderr, flush=True)

    def main(self, words: Sequence[str] | None = None) -> int:
        """The command."""
        said = self._asked(words)
        begun = time.perf_counter()
        total = self.soak(said.games, said.workers, said.first, said.saves)
        taken = time.perf_counter() - begun
        seeds = f"seeds {said.first} to {said.first + said.games - 1}"
        print(f"{seeds}, {said.workers} processes, {taken:,.0f} seconds")
        print("\n".join(total.lines()))
        return 0 if total.kept_law else 1

    def _asked(self, words: Sequence[str] | None) -> argparse.Namespace:
        program, about = f"python -m {self.module}", (self.doc or "").split("\n")[0]
        parser = argparse.ArgumentParser(prog=program, description=about)
        parser.add_argument("--games", type=int, default=200)
        parser.add_argument("--workers", type=int, default=2)
        parser.add_argument(
            "--first", type=int, default=0, help=f"the seed of the first {self.one}"
        )
        parser.add_argument(
            "--saves", type=int, default=0, help=f"save, resume and undo so many of the {self.one}s"
        )
        return parser.parse_args(words)


def jobs_of(games: int, chunk: int, first: int, saves: int) -> list[Job]:
    """So many games from the first seed on, a chunk at a time; those to be saved are spread over
    all."""
    jobs = []
    for start in range(0, games, chunk):
        end = min(games, start + chunk)
        jobs.append(
            (range(first + start, first + end), saves * end // games - saves * start // games)
        )
    return jobs
