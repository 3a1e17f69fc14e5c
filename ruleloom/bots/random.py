"""The random bot: answers anything with any of the answers on offer, all as likely as the next."""

from __future__ import annotations

from typing import Any

from ruleloom.bots.free_text import narrated
from ruleloom.bots.luck import Luck
from ruleloom.runtime.search.node import PlayNode

MOST_TRIES = 24


class RandomBot:
    """Picks uniformly; of a set choice, first a size, then a set of that size."""

    def __init__(self, seed: int, seat: int) -> None:
        self._luck = Luck(seed, seat)

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return self._luck.pick(node.secret_options(player))
        if node.writes:
            return narrated(node, self._luck.below)
        if not node.takes_sets:
            return self._luck.pick(node.options)
        return self._set(node)

    def _set(self, node: PlayNode) -> tuple[Any, ...]:
        least, most = node.limits()
        for _ in range(MOST_TRIES):
            chosen = self._luck.sample(node.found, least + self._luck.below(most - least + 1))
            if node.allows(chosen):
                return chosen
        return next(iter(node.answers()))
