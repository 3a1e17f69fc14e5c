"""What a bot has learnt of a game by playing on: which questions matter, and how long a turn is.

Of some questions, looks ahead nearly never tell the answers apart. Whoever plays on quickly gives
the usual answer to them and looks ahead at the others only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.bots.lookahead import PlannedAnswers
from ruleloom.bots.simple import SteadyBot
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode, sampled

Place = tuple[int, int]
# How often a question is looked at before anything is said of it, and one in how many looks has to
# find a difference.
LOOKS, ONE_IN = 3, 4
# Of fewer turns nothing is said of how long they are.
LEAST_TURNS = 4


class PlayoutExperience:
    """What looks ahead have found of each question so far, which is a row of a routine that asks."""

    def __init__(self) -> None:
        self._looks_in_all, self._turns = 0, 0
        self._looks, self._told_apart = Counter[Place](), Counter[Place]()
        self._usual = SteadyBot()

    def note(self, node: PlayNode, ways: Sequence[PlannedAnswers]) -> None:
        """Somebody has looked ahead from a node, and these are the ways that were found."""
        place = _place_of(node)
        self._looks[place] += 1
        self._told_apart[place] += any(way.worth != ways[0].worth for way in ways)

    def note_length(self, looks: int, turns: int) -> None:
        """So many turns have been begun in a playout, with so many looks ahead."""
        self._looks_in_all += looks
        self._turns += turns

    def turns_worth(self, looks: int, most: int) -> int:
        """The turns that so many looks ahead suffice for, from 1 to `most`, which is said at first."""
        if self._turns < LEAST_TURNS:
            return most
        return max(1, min(most, looks * self._turns // max(1, self._looks_in_all)))

    def is_quiet(self, node: PlayNode) -> bool:
        """Have too few looks at this question told its answers apart?"""
        if node.secret or node.writes:
            return False
        place = _place_of(node)
        return self._looks[place] >= LOOKS and self._told_apart[place] * ONE_IN < self._looks[place]

    def answer(self, node: PlayNode, luck: Luck) -> Any:
        """The usual answer; where there is none, any."""
        if not _has_usual(node):
            return sampled(node, luck.below)
        return self._usual.answer(node, node.stop.who[0])


def _place_of(node: PlayNode) -> Place:
    return node.frame.routine, node.frame.pc


def _has_usual(node: PlayNode) -> bool:
    row = node.row
    return (
        node.default is not None
        or (isinstance(row, Modal) and row.kind == "optional")
        or (isinstance(row, Choose) and row.or_none)
    )
