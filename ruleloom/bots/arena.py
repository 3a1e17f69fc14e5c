"""Plays whole games between bots, as fast as the machine goes: no prompts, labels or journal are made.

A seed gives the same game here as at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ruleloom.bots.answers import Bot
from ruleloom.bots.turns import TurnCounter
from runtime import link as op
from runtime.dice import Xoshiro
from runtime.game import new_game
from runtime.link import Linked
from runtime.node import Node
from runtime.state import Outcome


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game: `outcome` is None if the turns ran out first."""

    seed: int
    outcome: Outcome | None
    turns: int
    decisions: int


def play_out(linked: Linked, bots: Sequence[Bot], seed: int, turn_limit: int | None = None) -> Played:
    """One game between bots, to its end or to the limit."""
    node = new_game(linked).node
    dice = Xoshiro.seeded(seed)
    turns = TurnCounter(linked)
    decisions = 0
    while not node.over:
        if node.chance:
            value, dice = cast(node, dice)
            node = node.after(value)
            continue
        turns.see(node, node.events)
        if turn_limit is not None and turns.begun > turn_limit:
            return Played(seed, None, turn_limit, decisions)
        player = node.stop.who[0]
        value = bots[player].answer(node, player)
        node = node.after(value, player if node.secret else None)
        decisions += 1
    return Played(seed, node.state.outcome, turns.begun, decisions)


def cast(node: Node, dice: Xoshiro) -> tuple[Any, Xoshiro]:
    """What the dice or the deck answer, and the state of the dice after it."""
    step = node.step
    if step[0] == op.ROLL:
        return dice.roll(step[2], step[3])
    place, after = dice.below(len(node.options))
    return node.options[place], after
