"""The bot of a seat by its kind, with the judge of its game.

A game without a judge of its own is judged by its ruleset's measure `prospects(who: Player)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ruleloom.bots.bot import Bot
from ruleloom.bots.gnostica_judge import GnosticaJudge
from ruleloom.bots.greedy import GreedyBot
from ruleloom.bots.lookahead import LOSS, WIN, Judge
from ruleloom.bots.measures import Measured, measure
from ruleloom.bots.simple import RandomBot, SteadyBot
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode

KINDS = ("greedy", "random", "steady")
JUDGES: Mapping[str, Callable[[Linked], Judge]] = {"gnostica": GnosticaJudge}
# A measure is asked at every position: fewer of them, or a turn takes too long.
MEASURED_BUDGET = 60


def make_bot(kind: str, linked: Linked, seed: int, seat: int) -> Bot:
    """A bot for one seat of one game; its chance follows from the seed and the seat."""
    if kind == "random":
        return RandomBot(seed, seat)
    if kind == "steady":
        return SteadyBot()
    own = JUDGES.get(linked.program.game)
    if own is not None:
        return GreedyBot(own(linked), seed, seat)
    prospects = measure(linked, "prospects")
    if prospects is None:
        nobody = f"nobody has told the greedy bot what is good in {linked.program.title}"
        raise Refused(f"{nobody}; `random` and `steady` play it")
    return GreedyBot(MeasuredJudge(prospects), seed, seat, MEASURED_BUDGET)


class MeasuredJudge:
    """The judge by the ruleset's own measure; it sees only what the measure reads."""

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
        """Nothing: what was reached before is judged like anything else."""
