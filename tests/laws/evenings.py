"""Plays thousands of evenings of Monotheism without people and holds every one against the laws of
play.

    python -m tests.laws.evenings --games 2000 --saves 200 --workers 2 --first 1

Evening number n is made from seed `--first` + n alone. With `--saves N`, N of the evenings are
saved and resumed in mid-effect, and undone to their last barrier. Prints what was seen; ends with 1
if a law was broken or if fewer than nine in ten of the evenings came to an end by the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from tests.laws.many import Figures, Series
from tests.laws.monotheism.gods import Evening, evening
from tests.laws.monotheism.gods_laws import Laws

MOST_ANSWERS, CHUNK = 10_000, 5
MOST_KEPT = 150
"""So many prompts of an evening are saved and undone one by one."""
LEAST_ENDED = 0.9


@dataclass
class Spent(Figures):
    """What was seen of evenings."""

    endings: Counter[str] = field(default_factory=Counter)
    styles: Counter[str] = field(default_factory=Counter)

    @property
    def ended(self) -> float:
        """The share of evenings that came to an end by the rules."""
        return self.counts["ended"] / self.counts["evenings"] if self.counts["evenings"] else 0.0

    @property
    def kept_law(self) -> bool:
        return not self.wrong and self.ended >= LEAST_ENDED

    def headline(self) -> list[str]:
        n = self.counts
        return [
            f"{n['evenings']:,} evenings, {n['ended']:,} ended ({100 * self.ended:.1f}%), "
            f"{n['turns']:,} turns, "
            f"{n['fallen']:,} deities fell, {n['miracles']:,} miracles, {n['missions']:,} missions"
        ]

    def details(self) -> list[str]:
        ended = [f"  ended: {many:,} {reason}" for reason, many in self.endings.most_common()]
        return [*ended, *(f"  {style}: {many:,}" for style, many in sorted(self.styles.items()))]


def _play(of: Evening, seen: Spent, most: int) -> None:
    game, bots = of.game(), of.bots()
    node, dice = game.node, game.random
    laws = Laws(of.linked, node)
    while not node.over and seen.counts["answers"] < most:
        player = node.stop.who[0]
        value = bots[player].answer(node, player)
        after = node.after(value, player if node.secret else None, dice)
        dice = after.stop.dice or dice
        seen.answered(after)
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
    return next(
        (how for how in ("is the last deity", "have the most blue traits") if how in reason), reason
    )


EVENINGS = Series(
    "evening", "tests.laws.evenings", __doc__, evening, _play, Spent, CHUNK, MOST_ANSWERS, MOST_KEPT
)


if __name__ == "__main__":
    sys.exit(EVENINGS.main())
