"""Answers as the machine takes them (values) and as a game writes them down (keys)."""

from __future__ import annotations

from typing import Any, Protocol

from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed


class Bot(Protocol):
    """Whatever answers for a player. It may look at what its player can see, and at nothing
    else."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple of options for a set choice."""


def keys_for(node: PlayNode, value: Any, player: int) -> tuple[str, ...]:
    """The keys under which `value` (a tuple for a set) is offered to `player` at `node`."""
    if node.writes:
        return ("" if value is None else value,)
    offered = node.secret_options(player) if node.secret else node.found
    key_of = {found: key for key, found in keyed(node, offered).items()}
    return tuple(key_of[one] for one in value) if node.takes_sets else (key_of[value],)
