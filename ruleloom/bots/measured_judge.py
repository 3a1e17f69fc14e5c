"""What the greedy bot wants in a game whose ruleset says it: the measure `prospects(who: Player)`,
in whole numbers."""

from __future__ import annotations

from typing import Any

from ruleloom.bots.measures import Measured, measure
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.search.node import PlayNode

NAME = "prospects"
WIN, LOSS = 1_000_000, -1_000_000


class MeasuredJudge:
    """Judges positions by what the ruleset itself declares. It sees what the measure reads, and
    nothing else."""

    def __init__(self, prospects: Measured) -> None:
        self._prospects = prospects

    def worth(self, node: PlayNode, player: int) -> int:
        """How good it is for `player` that play stands at `node`."""
        state = node.stop.state
        if state.outcome is not None:
            winner = state.outcome.winner
            return 0 if winner is None else WIN if winner == player else LOSS
        return int(self._prospects(state, player))

    def secret(self, node: PlayNode, options: tuple[Any, ...], player: int) -> Any:
        """The first of what is on offer: what others choose is not known."""
        return options[0]

    def remember(self, node: PlayNode) -> None:
        """What was reached before is judged like anything else."""


def measured_judge(linked: Linked) -> MeasuredJudge | None:
    """The judge of a game by its own measure; None if its ruleset has none."""
    prospects = measure(linked, NAME)
    return None if prospects is None else MeasuredJudge(prospects)
