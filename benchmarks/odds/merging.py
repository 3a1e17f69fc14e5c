"""Exact odds with equal states merged, against the same enumeration without merging."""

from __future__ import annotations

from benchmarks.effects import arena
from benchmarks.harness import Row, side_by_side, time_row
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.play.game import empty_world
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.runtime.search.odds import distribution


def rows() -> list[Row]:
    """The volley at two foes: 6^4 ways to fall, told by how many foes are felled."""
    linked = arena()
    world = linked.driver.start(empty_world(linked.program, linked.layout))
    scope = list(linked.initial_scope)
    scope[linked.me] = 0
    state = State(world, tuple(scope), None, (), frozenset(), True, None)
    start = settled(linked, run(linked, state, live=True))
    kills = linked.scope_index["kills"]

    def odds(merge: bool) -> object:
        fresh = PlayNode(linked, start.stop)
        return distribution(
            fresh, lambda s: s.scope[kills], done=lambda node: not node.chance, merge=merge
        )

    assert odds(True) == odds(False)
    ours, reference = side_by_side(lambda: odds(True), lambda: odds(False), 1, rounds=3)
    return [time_row("exact odds by merging (6^6 ways; reference: unmerged)", ours, reference, 0.1)]
