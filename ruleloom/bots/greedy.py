"""The greedy bot: it tries the ways through its use and takes the one to the best position.

It keeps to that way prompt by prompt, and thinks again after a draw, a roll, or another's answer.
"""

from __future__ import annotations

from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.bots.free_text import bot_text
from ruleloom.bots.lookahead import Judge, LookAhead
from ruleloom.runtime.search.node import PlayNode

BUDGET = 300


class GreedyBot:
    """The bot that looks one use ahead; `judge` says what its player wants."""

    def __init__(self, judge: Judge, seed: int, seat: int, budget: int = BUDGET) -> None:
        self._judge = judge
        self._luck = Luck(seed, seat)
        self._budget = budget
        self._plan: list[tuple[PlayNode, Any]] = []

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple for a set choice."""
        if node.writes:
            self._plan = []
            return bot_text(node, self._luck.below)
        if node.secret:
            return self._judge.secret(node, node.secret_options(player), player)
        if not self._plan or self._plan[0][0].state != node.state:
            self._plan = []
            if not node.takes_sets and len(node.options) == 1:
                return node.options[0]
            way = LookAhead(node, player, self._judge, self._luck, self._budget).run()
            if way is None:
                return next(iter(node.answers()))
            self._judge.remember(way.end)
            self._plan = way.steps
        return self._plan.pop(0)[1]
