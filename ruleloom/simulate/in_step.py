"""Luck that two games share although they have gone apart: it follows from the turn and the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ruleloom.bots.bot import Bot, Luck
from ruleloom.bots.lookahead import GreedyBot
from ruleloom.bots.searching import SearchingBot
from ruleloom.bots.simple import RandomBot
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.search.node import PlayNode
from ruleloom.simulate.run_plan import derived_seed


class LuckInStep:
    """The fate of one game. The n-th time in a turn that somebody is asked in a routine, all that falls
    until the next question falls as it does there in any game of this seed; what bots leave to chance
    does so too.
    """

    def __init__(self, seed: int, bots: Sequence[Bot]) -> None:
        self._seed = seed
        self._lucks: list[Luck | None] = [
            one.luck if isinstance(one, RandomBot | GreedyBot | SearchingBot) else None
            for one in bots
        ]
        self._turn, self._asked = 0, Counter[tuple[str, int]]()

    def dice_at(self, node: PlayNode, turn: int) -> Xoshiro:
        """The dice from a node of a turn on."""
        if turn != self._turn:
            self._turn = turn
            self._asked.clear()
        player = node.stop.who[0]
        place = (node.routine.id, player)
        self._asked[place] += 1
        seed = derived_seed(self._seed, turn, *place, self._asked[place])
        luck = self._lucks[player]
        if luck is not None:
            luck.restart(seed)
        return Xoshiro.seeded(seed)
