"""A point of play: the game there, the call stack, and the routines reachable from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.calls import callees_of, reached
from ruleloom.runtime.program.state import Frame, frames
from ruleloom.runtime.search.node import PlayNode


def game_at(node: PlayNode) -> Game:
    """A game that stands at this node, without a journal or dice of its own."""
    return Game(node.linked, node, 0, None, (), None, None, node.events)


def turn_began(node: PlayNode) -> bool:
    """Whether another turn began on the way to this node."""
    return any(event.kind == "turn" for event in node.events)


def calls(node: PlayNode) -> list[tuple[str, tuple[int, Frame | None]]]:
    """The running calls, innermost first: the slug of each routine, and the identity of the call."""
    routines = node.linked.routines
    running = frames(node.stop.state.frame)
    return [(slug_of(routines[one.routine].id), (one.routine, one.parent)) for one in running]


def local(node: PlayNode, name: str) -> Any:
    """The value of the innermost local variable of this name, or None."""
    for frame in frames(node.stop.state.frame):
        names = node.linked.routines[frame.routine].names
        if name in names:
            return frame.slots[names.index(name)]
    return None


def chain_of(node: PlayNode) -> frozenset[str]:
    """The slugs of the routines that are running."""
    return frozenset(slug for slug, _ in calls(node))


def leads_to(node: PlayNode, after: PlayNode, powers: Collection[str]) -> bool:
    """Whether the step to `after` has begun a routine that can reach one of these powers."""
    linked, old = node.linked, {call for _, call in calls(node)}
    routines = linked.program.routines

    def used(number: int) -> Iterator[int]:
        for one in callees_of(routines[number]):
            if one.kind == "routine":
                yield linked.routine_index[one.name]
            elif one.kind == "record":
                yield from (power for power in linked.powers[one.name] if power >= 0)

    begun = (call[0] for _, call in calls(after) if call not in old)
    return any(slug_of(routines[one].id) in powers for one in reached(begun, used))
