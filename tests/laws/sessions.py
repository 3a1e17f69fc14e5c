"""Plays thousands of sessions of Witchgates that nobody attends and holds every one against the
laws of play.

    python -m tests.laws.sessions --games 2000 --saves 200 --workers 2 --first 1

Session number n is made from seed `--first` + n alone, and ends when there have been so many rolls,
at least 30. With `--saves N`, N of the sessions are saved and resumed, and undone to their last
barrier. Prints what was seen, and how often each part of the game was met; ends with 1 if a law was
broken, if a session had fewer rolls, or if something of the list in `subsystems.py` was never met
by all of them together.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from tests.laws.many import Figures, Series
from tests.laws.witchgates.mages import Session, session
from tests.laws.witchgates.mages_laws import Laws
from tests.laws.witchgates.subsystems import Met, never, told

MOST_ANSWERS, CHUNK, LEAST_ROLLS = 10_000, 10, 30
MOST_KEPT = 60
"""So many prompts of a session are saved and undone one by one."""


@dataclass
class Seen(Figures):
    """What was seen of sessions."""

    styles: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)

    @property
    def kept_law(self) -> bool:
        """Was nothing wrong, and everything met?"""
        return not self.wrong and not never(self.met)

    def headline(self) -> list[str]:
        n = self.counts
        return [
            f"{n['sessions']:,} sessions, {n['enough']:,} of at least {LEAST_ROLLS} rolls, "
            f"{n['rolls']:,} rolls"
        ]

    def details(self) -> list[str]:
        return [
            *(f"  GM {style}: {many:,}" for style, many in sorted(self.styles.items())),
            *(f"  {line}" for line in told(self.met)),
            *(f"  NEVER MET {line}" for line in never(self.met)),
        ]


def _play(of: Session, seen: Seen, most: int) -> None:
    game, everybody = of.game(), of.player()
    node, dice = game.node, game.random
    laws, met = Laws(of.linked, node), Met(of.linked)
    known: set[str] = set()
    while not node.over and seen.counts["answers"] < most:
        player = node.stop.who[0]
        value = everybody.answer(node, player)
        after = node.after(value, player if node.secret else None, dice)
        dice = after.stop.dice or dice
        seen.answered(after)
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


SESSIONS = Series(
    "session", "tests.laws.sessions", __doc__, session, _play, Seen, CHUNK, MOST_ANSWERS, MOST_KEPT
)


if __name__ == "__main__":
    sys.exit(SESSIONS.main())
