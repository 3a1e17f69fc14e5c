"""One of the answers on offer, by chance: what is picked is looked ahead of, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.search.node import PlayNode


def sampled(node: PlayNode, below: Callable[[int], int]) -> Any:
    """One of the answers on offer, each equally likely; for a set choice a set of a random size.

    `below(n)` gives a fair number under n. This costs far less than listing the options.
    """
    left = list(node.options) if node.writes else list(node.found)
    if node.takes_sets:
        return _some_of(node, left, below)
    while left:
        value = left.pop(below(len(left)))
        if node.allows(value):
            return value
    raise RuntimeFault("nothing is on offer", node.row.origin)


def _some_of(node: PlayNode, left: list[Any], below: Callable[[int], int]) -> tuple[Any, ...]:
    least, most = node.limits()
    size = least + below(most - least + 1)
    taken = frozenset(left.pop(below(len(left))) for _ in range(size))
    picked = tuple(value for value in node.stop.found if value in taken)
    return picked if node.allows(picked) else next(iter(node.answers()))
