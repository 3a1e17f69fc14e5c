"""Exact odds with equal states merged, against the same enumeration without merging."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from benchmarks.speed.effects import arena
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.runtime.search.odds import distribution


def figures(keys: Collection[str], rounds: int = 3) -> Iterator[Figure]:
    """The volley at two foes: 6^4 ways to fall, told by how many foes are felled."""
    linked = arena()
    world = linked.driver.start(empty_world(linked.layout))
    scope = list(linked.initial_scope)
    scope[linked.me] = 0
    state = State(world, tuple(scope), None, (), True, None)
    start = settled(linked, run(linked, state, live=True))
    kills = linked.scope_index["kills"]

    def odds(merge: bool) -> object:
        fresh = PlayNode(linked, start.stop)
        return distribution(
            fresh, lambda s: s.scope[kills], done=lambda node: not node.chance, merge=merge
        )

    assert odds(True) == odds(False)
    times = side_by_side(lambda: odds(True), lambda: odds(False), 1, rounds)
    yield Figure("merging", *times, rounds)
