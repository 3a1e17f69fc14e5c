"""The steady bot: takes what is usual, else the first or the lowest on offer, and never what may be
left out.

It plays any game without looking ahead and always the same way: a stand-in for somebody who is not
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.bots.free_text import narrated
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode

SKIP = 1
"""The number of the second mode of an optional part: to leave it out."""


class SteadyBot:
    """Answers every prompt by the same simple rule."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return node.secret_options(player)[0]
        if node.writes:
            return _text(node)
        if node.takes_sets:
            usual = node.default
            if usual is not None and node.allows(usual):
                return usual
            return next(iter(node.answers()))  # the small sets come first
        return next(value for value in in_order(node) if node.allows(value))


def _text(node: PlayNode) -> Any:
    """What is usual, else nothing, else a text that says that a bot wrote it."""
    usual = node.default
    if usual is not None and node.allows(usual):
        return usual
    return None if node.allows(None) else narrated(node, lambda _: 0)


def in_order(node: PlayNode) -> Sequence[Any]:
    """What was found at a node, what the steady bot likes best first."""
    row, found = node.row, list(node.found)
    if isinstance(row, Modal):
        return sorted(found, key=lambda mode: row.kind == "optional" and mode != SKIP)
    if node.default is not None and node.default in found:
        return [node.default, *found]
    if isinstance(row, Choose) and row.or_none:
        return [None, *found]
    return sorted(found) if isinstance(row, Choose) and row.type in ("Int", "Fraction") else found
