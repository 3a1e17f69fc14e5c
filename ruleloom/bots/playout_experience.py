"""What a bot has learnt of a game by playing on: which questions matter, what was best, and how long a
turn is.

Of some questions, looks ahead nearly never tell the answers apart. A quick playout gives
the usual answer to them and looks ahead at the others only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.bots.lookahead import LookAhead, PlannedAnswers
from ruleloom.bots.simple import SteadyBot
from ruleloom.bots.way_order import answers_of
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode, sampled

Place = tuple[int, int]
# How often a question is looked at before anything is said of it, and one in how many looks has to
# find a difference.
LOOKS, ONE_IN = 3, 4
# Of fewer turns nothing is said of how long they are.
LEAST_TURNS = 4
# So many of the ways that were best at a question are tried again when it is asked anew.
REMEMBERED = 3


class PlayoutExperience:
    """The results of looks ahead for each question so far, which is a row of a routine that asks."""

    def __init__(self) -> None:
        self._looks_in_all, self._turns = 0, 0
        self._looks, self._told_apart = Counter[Place](), Counter[Place]()
        self._usual = SteadyBot()
        self._best = dict[tuple[Place, int], list[tuple[Any, ...]]]()

    def with_remembered(self, ahead: LookAhead, ways: list[PlannedAnswers]) -> list[PlannedAnswers]:
        """The ways, with those that were best when this was asked before; the best first."""
        known = self._best.setdefault((_place_of(ahead.root.node), ahead.player), [])
        found = {answers_of(way) for way in ways}
        again = [ahead.way_by(self._along(plan, ahead.player)) for plan in known]
        ways = ways + [way for way in again if way and answers_of(way) not in found]
        ways.sort(key=lambda way: -way.worth)
        if ways:
            best = answers_of(ways[0])
            known[:] = [best, *(plan for plan in known if plan != best)][:REMEMBERED]
        return ways

    def _along(self, plan: Sequence[Any], player: int) -> Callable[[PlayNode], Any]:
        """Answers after a plan; the usual one where it is over or does not fit."""
        left = iter(plan)

        def answer(node: PlayNode) -> Any:
            for value in left:
                if node.allows(value):
                    return value
            return self._usual.answer(node, player)

        return answer

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
