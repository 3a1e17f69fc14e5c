"""Plays thousands of evenings of Monotheism without people and holds every one against the laws of play.

    python -m tests.laws.evenings --games 2000 --saves 200 --workers 2 --first 1

Evening number n is made from seed `--first` + n alone. With `--saves N`, N of the evenings are saved and resumed in
mid-effect, and undone to their last barrier. Prints what was seen; ends with 1 if a law was broken or if fewer than
nine in ten of the evenings came to an end by the rules.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.laws.gods import Evening, evening
from tests.laws.gods_laws import Laws
from tests.laws.many import Job, asked, done, jobs_of
from tests.laws.resuming import Kept, kept

MOST_ANSWERS, CHUNK = 10_000, 5
MOST_KEPT = 300
"""So many prompts of a game are saved and undone one by one."""
LEAST_ENDED = 0.9


@dataclass
class Figures:
    """What was seen. Two of them add up."""

    counts: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    styles: Counter[str] = field(default_factory=Counter)
    fizzled: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        """Put other evenings' figures to these."""
        for name in ("counts", "endings", "styles", "fizzled"):
            getattr(self, name).update(getattr(other, name))
        self.wrong += other.wrong
        self.seconds += other.seconds

    @property
    def ended(self) -> float:
        """The share of evenings that came to an end by the rules."""
        return self.counts["ended"] / self.counts["evenings"] if self.counts["evenings"] else 0.0

    def lines(self) -> list[str]:
        """The figures in words."""
        n = self.counts
        rate = n["answers"] / self.seconds if self.seconds else 0
        found = [
            f"{n['evenings']:,} evenings, {n['ended']:,} ended ({100 * self.ended:.1f}%), {n['turns']:,} turns, "
            f"{n['fallen']:,} deities fell, {n['miracles']:,} miracles, {n['missions']:,} missions",
            f"{n['answers']:,} answers, {n['events']:,} events, {rate:,.0f} answers a second on one core, all checked",
            Kept.line(n),
        ]
        found += [f"  ended: {many:,} {reason}" for reason, many in self.endings.most_common()]
        found += [f"  {style}: {many:,}" for style, many in sorted(self.styles.items())]
        found += [f"  fizzled: {many:,} {cause}" for cause, many in self.fizzled.most_common()]
        found += [f"  WRONG {line}" for line in self.wrong[:40]]
        return [*found, f"{len(self.wrong):,} faults"]


def play(of: Evening, most: int = MOST_ANSWERS) -> Figures:
    """One evening, every law held against it."""
    seen = Figures()
    seen.counts["evenings"] = 1
    begun = time.process_time()
    try:
        _play(of, seen, most)
    except Exception:
        seen.wrong.append(f"{of}: after {seen.counts['answers']} answers: {traceback.format_exc()}")
    seen.seconds = time.process_time() - begun
    return seen


def _play(of: Evening, seen: Figures, most: int) -> None:
    game, bots = of.game(), of.bots()
    node, dice = game.node, game.random
    laws = Laws(of.linked, node)
    while not node.over and seen.counts["answers"] < most:
        player = node.stop.who[0]
        value = bots[player].answer(node, player)
        after = node.after(value, player if node.secret else None, dice)
        dice = after.stop.dice or dice
        seen.counts["answers"] += 1
        for event in after.events:
            seen.counts["events"] += 1
            if event.kind == "fizzled":
                seen.fizzled[f"{event.name}: {event.args[0]}"] += 1
        faults = laws.after(node, after)
        told = f"answer {seen.counts['answers']}, {node.routine.id} answered {value}"
        seen.wrong += [f"{of}: {told}: {fault}" for fault in faults]
        node = after
    outcome = node.state.outcome
    seen.counts.update(laws.counts)
    seen.counts["ended"] += outcome is not None
    seen.endings[_how(outcome.reason) if outcome else "(so many answers are enough)"] += 1
    seen.styles[f"{of.style}, {'ended' if outcome else 'not ended'}"] += 1


def _how(reason: str) -> str:
    """The end of an evening, whoever it was."""
    return next((how for how in ("is the last deity", "have the most blue traits") if how in reason), reason)


def resumed(of: Evening) -> Figures:
    """One evening held against the laws of saves and of undo."""
    seen, found = Figures(), kept(of, of.seed, MOST_KEPT)
    seen.counts.update(found.counts)
    seen.wrong = found.wrong
    return seen


# ---------------------------------------------------------------------------------- many evenings


def work(job: Job) -> Figures:
    """Play the evenings of some seeds, the first few of which are saved and undone too."""
    seeds, saves = job
    total = Figures()
    for number, seed in enumerate(seeds):
        total.add(play(evening(seed, CHUNK)))
        if number < saves:
            total.add(resumed(evening(seed, CHUNK)))
    return total


def soak(games: int, workers: int, first: int = 0, saves: int = 0) -> Figures:
    """Play so many evenings on so many processes."""
    total = Figures()
    for seen in done(work, jobs_of(games, CHUNK, first, saves), workers):
        total.add(seen)
    return total


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    said = asked(words, "tests.laws.evenings", __doc__, "evening")
    begun = time.perf_counter()
    total = soak(said.games, said.workers, said.first, said.saves)
    taken = time.perf_counter() - begun
    seeds = f"seeds {said.first} to {said.first + said.games - 1}"
    print(f"{seeds}, {said.workers} processes, {taken:,.0f} seconds")
    print("\n".join(total.lines()))
    return 1 if total.wrong or total.ended < LEAST_ENDED else 0


if __name__ == "__main__":
    sys.exit(main())
