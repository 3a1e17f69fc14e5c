"""Bots that look at nothing: one answers at random, one by the same simple rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.bots.free_text import bot_text
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode, sampled

MOST_TRIES = 24


class RandomBot:
    """The bot that picks uniformly; of a set choice, first a size, then a set of that size."""

    def __init__(self, seed: int, seat: int) -> None:
        self.luck = Luck(seed, seat)

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return self.luck.pick(node.secret_options(player))
        if node.writes:
            return bot_text(node, self.luck.below)
        if not node.takes_sets:
            return self.luck.pick(node.options)
        if node.orders:
            return sampled(node, self.luck.below)
        least, most = node.limits()
        for _ in range(MOST_TRIES):
            chosen = self.luck.sample(node.found, least + self.luck.below(most - least + 1))
            if node.allows(chosen):
                return chosen
        return next(iter(node.answers()))


SKIP = 1  # the second mode of an optional part: to leave it out


class SteadyBot:
    """The stand-in that takes the usual, else the first or lowest, and skips what it may."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return node.secret_options(player)[0]
        if not node.writes and not node.takes_sets:
            return next(value for value in in_order(node) if node.allows(value))
        usual = node.default
        if usual is not None and node.allows(usual):
            return usual
        if node.takes_sets:
            return next(iter(node.answers()))  # the small sets come first
        return None if node.allows(None) else bot_text(node, lambda _: 0)


def in_order(node: PlayNode) -> Sequence[Any]:
    """The options found at a node, in the steady bot's order of preference."""
    row, found = node.row, list(node.found)
    if isinstance(row, Modal):
        return sorted(found, key=lambda mode: row.kind == "optional" and mode != SKIP)
    if node.default is not None and node.default in found:
        return [node.default, *found]
    if isinstance(row, Choose) and row.or_none:
        return [None, *found]
    return sorted(found) if isinstance(row, Choose) and row.type in ("Int", "Fraction") else found
