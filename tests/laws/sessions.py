"""Plays thousands of sessions of Witchgates that nobody attends and holds every one against the laws of play.

    python -m tests.laws.sessions --games 2000 --saves 200 --workers 2 --first 1

Session number n is made from seed `--first` + n alone, and ends when there have been so many rolls, at least 30. With
`--saves N`, N of the sessions are saved and resumed, and undone to their last barrier. Prints what was
seen, and how often each part of the game was met; ends with 1 if a law was broken, if a session had fewer rolls, or if
something of the list in `subsystems.py` was never met by all of them together.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.laws.mages import Session, session
from tests.laws.mages_laws import Laws
from tests.laws.many import Job, asked, done, jobs_of
from tests.laws.resuming import Kept, kept
from tests.laws.subsystems import Met, never, told

MOST_ANSWERS, CHUNK, LEAST_ROLLS = 10_000, 10, 30
MOST_KEPT = 60
"""So many prompts of a session are saved and undone one by one."""


@dataclass
class Figures:
    """What was seen. Two of them add up."""

    counts: Counter[str] = field(default_factory=Counter)
    styles: Counter[str] = field(default_factory=Counter)
    fizzled: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        """Put other sessions' figures to these."""
        for name in ("counts", "styles", "fizzled", "met"):
            getattr(self, name).update(getattr(other, name))
        self.wrong += other.wrong
        self.seconds += other.seconds

    @property
    def complete(self) -> bool:
        """Was nothing wrong, and everything met?"""
        return not self.wrong and not never(self.met)

    def lines(self) -> list[str]:
        """The figures in words."""
        n = self.counts
        rate = n["answers"] / self.seconds if self.seconds else 0
        found = [
            f"{n['sessions']:,} sessions, {n['enough']:,} of at least {LEAST_ROLLS} rolls, {n['rolls']:,} rolls",
            f"{n['answers']:,} answers, {n['events']:,} events, {rate:,.0f} answers a second on one core, all checked",
            Kept.line(n),
        ]
        found += [f"  GM {style}: {many:,}" for style, many in sorted(self.styles.items())]
        found += [f"  {line}" for line in told(self.met)]
        found += [f"  fizzled: {many:,} {cause}" for cause, many in self.fizzled.most_common()]
        found += [f"  NEVER MET {line}" for line in never(self.met)]
        found += [f"  WRONG {line}" for line in self.wrong[:40]]
        return [*found, f"{len(self.wrong):,} faults"]


def play(of: Session, most: int = MOST_ANSWERS) -> Figures:
    """One session, every law held against it."""
    seen = Figures()
    seen.counts["sessions"] = 1
    begun = time.process_time()
    try:
        _play(of, seen, most)
    except Exception:
        seen.wrong.append(f"{of}: after {seen.counts['answers']} answers: {traceback.format_exc()}")
    seen.seconds = time.process_time() - begun
    return seen


def _play(of: Session, seen: Figures, most: int) -> None:
    game, everybody = of.game(), of.player()
    node, dice = game.node, game.random
    laws, met = Laws(of.linked, node), Met(of.linked)
    known: set[str] = set()
    while not node.over and seen.counts["answers"] < most:
        player = node.stop.who[0]
        value = everybody.answer(node, player)
        after = node.after(value, player if node.secret else None, dice)
        dice = after.stop.dice or dice
        seen.counts["answers"] += 1
        seen.counts["events"] += len(after.events)
        for event in after.events:
            if event.kind == "fizzled":
                seen.fizzled[f"{event.name}: {event.args[0]}"] += 1
        # What stays wrong is told once.
        faults = [fault for fault in laws.after(node, after) if fault not in known]
        known.update(faults)
        met.after(after)
        told_of = f"answer {seen.counts['answers']}, {node.routine.id} answered {value}"
        seen.wrong += [f"{of}: {told_of}: {fault}" for fault in faults]
        node = after
    rolls = node.state.scope[of.linked.scope_index["rolls_made"]]
    enough = node.over and rolls >= LEAST_ROLLS
    seen.counts["rolls"], seen.counts["enough"] = rolls, int(enough)
    seen.met = met.counts
    seen.styles[f"{of.styles[0]}, {'ended' if node.over else 'not ended'}"] += 1
    if not enough and most == MOST_ANSWERS:
        seen.wrong.append(f"{of}: {rolls} rolls after {seen.counts['answers']} answers")


def resumed(of: Session, most: int = MOST_KEPT) -> Figures:
    """One session held against the laws of saves and of undo."""
    seen, found = Figures(), kept(of, of.seed, most)
    seen.counts.update(found.counts)
    seen.wrong = found.wrong
    return seen


# ---------------------------------------------------------------------------------- many sessions


def work(job: Job) -> Figures:
    """Play the sessions of some seeds, the first few of which are saved and undone too."""
    seeds, saves = job
    total = Figures()
    for number, seed in enumerate(seeds):
        total.add(play(session(seed, CHUNK)))
        if number < saves:
            total.add(resumed(session(seed, CHUNK)))
    return total


def soak(games: int, workers: int, first: int = 0, saves: int = 0) -> Figures:
    """Play so many sessions on so many processes."""
    total = Figures()
    for seen in done(work, jobs_of(games, CHUNK, first, saves), workers):
        total.add(seen)
    return total


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    said = asked(words, "tests.laws.sessions", __doc__, "session")
    begun = time.perf_counter()
    total = soak(said.games, said.workers, said.first, said.saves)
    taken = time.perf_counter() - begun
    print(
        f"seeds {said.first} to {said.first + said.games - 1}, {said.workers} processes, {taken:,.0f} seconds"
    )
    print("\n".join(total.lines()))
    return 0 if total.complete else 1


if __name__ == "__main__":
    sys.exit(main())
