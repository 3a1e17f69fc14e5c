"""Plays thousands of random games and holds every one against the laws.

    python -m tests.laws.soak --games 10000 --workers 2

Game number n is made from seed `--first` + n alone. After each event every card and piece is
accounted for, at each prompt there is something to answer. With `--every K`, each Kth prompt also
has all its refusals read; with `--saves N`, N of the games are saved and resumed in mid-effect, and
undone to their last barrier. Prints what was seen; ends with 1 if any law was broken.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.runtime.program.program import Choose, Modal, Secret
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.search.node import PlayNode
from tests.laws.gnostica.conserve import Account, refusing
from tests.laws.gnostica.strategies import Moment, Table, moments, program, table
from tests.laws.resuming import resume_law, undo_law

MOST_TURNS = 400
CHUNK = 20
CHANCE = ("drawn", "picked", "rolled", "revealed")
Asked = tuple[int, int, int]


class Job(NamedTuple):
    """What one worker does next: seeds, and how much is looked at."""

    seeds: range
    turns: int
    every: int
    saves: int


@dataclass
class Figures:
    """What was seen. Two of them add up."""

    games: int = 0
    finished: int = 0
    turns: int = 0
    decisions: int = 0
    real: int = 0
    events: int = 0
    refusals: int = 0
    saved: int = 0
    undone: int = 0
    seconds: float = 0.0
    endings: Counter[str] = field(default_factory=Counter)
    fizzled: Counter[str] = field(default_factory=Counter)
    asked: Counter[Asked] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Put other games' figures to these."""
        for name in (
            "games",
            "finished",
            "turns",
            "decisions",
            "real",
            "events",
            "refusals",
            "saved",
            "undone",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds
        self.endings.update(other.endings)
        self.fizzled.update(other.fizzled)
        self.asked.update(other.asked)
        self.wrong += other.wrong

    def lines(self) -> list[str]:
        """The figures in words."""
        rate = self.decisions / self.seconds if self.seconds else 0.0
        found = [
            f"{self.games:,} games, {self.finished:,} finished, {self.turns:,} turns",
            f"{self.decisions:,} decisions ({self.real:,} with at least two options), {self.events:,} "
            "events, "
            f"{self.refusals:,} prompts with all refusals read",
            f"{rate:,.0f} decisions a second on one core, with every check",
            f"{self.saved:,} saved and resumed in mid-effect, {self.undone:,} undone to a barrier",
        ]
        found += [f"  ended: {n:,} {reason}" for reason, n in self.endings.most_common()]
        found += [f"  fizzled: {n:,} {cause}" for cause, n in self.fizzled.most_common()]
        found += [f"  never asked: {what}" for what in unasked(self.asked)]
        found += [f"  WRONG {line}" for line in self.wrong[:40]]
        found.append(f"{len(self.wrong):,} faults")
        return found


def unasked(asked: Counter[Asked]) -> list[str]:
    """The choices and ways of the program that no game came to."""
    found = []
    for number, routine in enumerate(program().routines):
        for pc, row in enumerate(routine.rows):
            if isinstance(row, Modal):
                ways = [(mode.label, asked[number, pc, way]) for way, mode in enumerate(row.modes)]
                found += [f"{routine.id}: {label}" for label, times in ways if not times]
            elif isinstance(row, Choose | Secret) and not asked[number, pc, -1]:
                found.append(f"{routine.id}: {row.name}")
    return found


# ---------------------------------------------------------------------------------- one game


def play(of: Table, most_turns: int = MOST_TURNS, every: int = 0) -> Figures:
    """One random game, every law held against it."""
    seen = Figures(games=1)
    begun = time.process_time()
    try:
        _play(of, seen, most_turns, every)
    except Exception:
        seen.wrong.append(f"{of}: after {seen.decisions} decisions: {traceback.format_exc()}")
    seen.seconds = time.process_time() - begun
    return seen


def _play(of: Table, seen: Figures, most_turns: int, every: int) -> None:
    account = Account(of.linked)
    game = of.game()
    faults = account.events(game.events, game.state.world) + account.prompt(game.node, None)
    seen.wrong += [f"{of}: at the start: {fault}" for fault in faults]
    outcome = game.outcome
    for moment in moments(of, most_turns):
        seen.decisions += 1
        seen.real += _is_real(moment.before)
        _count(moment, seen)
        faults = account.events(moment.after.events, moment.after.state.world)
        faults += account.prompt(moment.after, moment.before) + too_early(moment)
        if every and seen.decisions % every == 0:
            seen.refusals += 1
            faults += refusing(moment.after)
        seen.wrong += [
            f"{of}: decision {seen.decisions}, {told(moment)}: {fault}" for fault in faults
        ]
        outcome = moment.after.state.outcome
    seen.finished = int(outcome is not None)
    seen.endings[outcome.reason if outcome else "(turns ran out)"] += 1


def told(moment: Moment) -> str:
    """One answer in words, for a report."""
    return f"{moment.before.routine.id} answered {moment.value}"


def _is_real(node: PlayNode) -> bool:
    if node.secret:
        return len(node.secret_options(node.stop.who[0])) > 1
    least, most = node.limits()
    return most > least if (least, most) != (1, 1) else len(node.options) > 1


def _count(moment: Moment, seen: Figures) -> None:
    frame = moment.before.frame
    way = moment.value if isinstance(moment.before.row, Modal) else -1
    seen.asked[frame.routine, frame.pc, way] += 1
    for event in moment.after.events:
        seen.events += 1
        seen.turns += event.kind == "turn"
        if event.kind == "fizzled":
            seen.fizzled[f"{event.name}: {event.args[0]}"] += 1


def too_early(moment: Moment) -> list[str]:
    """Nothing that was offered fizzles before chance, a reveal or another player has had a say."""
    operations = moment.after.linked.operations
    for event in moment.after.events:
        if event.kind in CHANCE or _reveals(event, operations):
            return []
        if event.kind == "fizzled":
            return [f"{event.name} fizzled without a barrier: {event.args[0]}"]
    return []


def _reveals(event: Event, operations: dict[str, Any]) -> bool:
    return event.kind == "operation" and operations[event.name].info.reveals


# ---------------------------------------------------------------------------------- many games


def work(job: Job) -> Figures:
    """Play the games of one job."""
    total = Figures()
    for number, seed in enumerate(job.seeds):
        total.add(play(table(seed), job.turns, job.every))
        if number < job.saves:
            total.add(resumed(seed))
    return total


def resumed(seed: int) -> Figures:
    """One game saved, resumed and undone at a random place within an effect."""
    seen = Figures()
    source = random.Random(seed)
    try:
        faults, saved = resume_law(table(seed), source)
        more, undone = undo_law(table(seed), source)
    except Exception:
        seen.wrong.append(f"{table(seed)}: {traceback.format_exc()}")
        return seen
    seen.saved, seen.undone = int(saved), int(undone)
    seen.wrong = [f"{table(seed)}: {fault}" for fault in faults + more]
    return seen


def soak(
    games: int,
    workers: int,
    first: int = 0,
    turns: int = MOST_TURNS,
    every: int = 0,
    saves: int = 0,
) -> Figures:
    """Play so many games on so many processes."""
    jobs = []
    for start in range(0, games, CHUNK):
        seeds = range(first + start, first + min(games, start + CHUNK))
        jobs.append(Job(seeds, turns, every, -(-saves * len(seeds) // games)))
    total = Figures()
    with Pool(workers) as pool:
        for done in pool.imap_unordered(work, jobs):
            total.add(done)
            show(total, games)
    return total


def show(total: Figures, games: int) -> None:
    """How far it has come: on a terminal after every few games, else after every tenth of them."""
    said = f"{total.games:,} of {games:,} games, {len(total.wrong):,} faults"
    if sys.stderr.isatty():
        print(f"\r{said}", end="", file=sys.stderr, flush=True)
    elif total.games % max(CHUNK, games // 10) < CHUNK:
        print(said, file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.soak", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument(
        "--turns", type=int, default=MOST_TURNS, help="a game is left after so many turns"
    )
    parser.add_argument(
        "--every", type=int, default=25, help="read all refusals at each so many-th prompt"
    )
    parser.add_argument(
        "--saves", type=int, default=0, help="save, resume and undo so many of the games"
    )
    parser.add_argument("--out", type=Path, help="also write the figures to this file")
    said = parser.parse_args(words)
    begun = time.perf_counter()
    total = soak(said.games, said.workers, said.first, said.turns, said.every, said.saves)
    lines: Iterable[str] = [
        f"seeds {said.first} to {said.first + said.games - 1}, at most {said.turns} turns a game, "
        f"{said.workers} processes, {time.perf_counter() - begun:,.0f} seconds",
        *total.lines(),
    ]
    text = "\n".join(lines)
    print(text)
    if said.out is not None:
        said.out.write_text(text + "\n", encoding="utf-8")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
