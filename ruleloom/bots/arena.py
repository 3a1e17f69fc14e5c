"""Whole games between bots, at the machine's full speed: no prompts, labels or journal.

A seed gives the same game here as at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruleloom.bots.bot import Bot
from ruleloom.bots.preset_answers import PresetAnswer
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.state import Event, Outcome


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game: `outcome` is None if the turns ran out first."""

    seed: int
    outcome: Outcome | None
    turns: int
    decisions: int


def play_out(
    linked: Linked,
    bots: Sequence[Bot],
    seed: int,
    turn_limit: int | None = None,
    given: PresetAnswer | None = None,
) -> Played:
    """One game between bots, to its end or to the limit; a preset answer is not asked of them."""
    game = new_game(linked, seed)
    node, dice = game.node, game.random
    turns = TurnCounter()
    decisions = 0
    while not node.over:
        turns.see(node.events)
        if turn_limit is not None and turns.begun > turn_limit:
            return Played(seed, None, turn_limit, decisions)
        player = node.stop.who[0]
        if given is not None and given.answers(node):
            value = given.value
        else:
            value = bots[player].answer(node, player)
        node = node.after(value, player if node.secret else None, dice)
        dice = node.stop.dice or dice
        decisions += 1
    return Played(seed, node.state.outcome, turns.begun, decisions)


@dataclass
class TurnCounter:
    """The number of turns begun: one for each run of the flow `turn`, as the events tell."""

    begun: int = 0

    def see(self, events: Iterable[Event]) -> bool:
        """Take note of what happened; say whether a new turn has begun."""
        begun = sum(event.kind == "turn" for event in events)
        self.begun += begun
        return begun > 0
