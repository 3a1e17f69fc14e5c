"""Many random games on several processes: what is asked for at the command line, and how it is shared out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pool
from typing import TypeVar

Job = tuple[range, int]
"""The seeds of some games, and how many of these are saved, resumed and undone too."""
Seen = TypeVar("Seen")


def asked(words: Sequence[str] | None, program: str, doc: str | None, one: str) -> argparse.Namespace:
    """What the command is told: `games`, `workers`, `first` and `saves`. `one` is what one game is called."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=(doc or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help=f"the seed of the first {one}")
    parser.add_argument("--saves", type=int, default=0, help=f"save, resume and undo so many of the {one}s")
    return parser.parse_args(words)


def jobs_of(games: int, chunk: int, first: int, saves: int) -> list[Job]:
    """So many games from the first seed on, a chunk at a time; those to be saved are spread over all."""
    jobs = []
    for start in range(0, games, chunk):
        end = min(games, start + chunk)
        jobs.append((range(first + start, first + end), saves * end // games - saves * start // games))
    return jobs


def done(work: Callable[[Job], Seen], jobs: Sequence[Job], workers: int) -> Iterator[Seen]:
    """What each job came to, as soon as it is done; how many are done is told now and then."""
    with Pool(workers) as pool:
        for number, seen in enumerate(pool.imap_unordered(work, jobs), 1):
            yield seen
            if number % max(1, len(jobs) // 10) == 0:
                print(f"{number:,} of {len(jobs):,} parts", file=sys.stderr, flush=True)
