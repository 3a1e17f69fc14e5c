"""A point of play: the game there, the call stack, and the routines reachable from it.

Scenarios name routines by slug: `gnostica:power/move_piece` is `move_piece`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Use, UsePower
from ruleloom.runtime.program.state import Frame
from ruleloom.runtime.search.node import PlayNode


def game_at(node: PlayNode) -> Game:
    """A game that stands at this node, without a journal or dice of its own."""
    return Game(node.linked, node, 0, None, (), None, None, node.events)


def slug_of(routine: str) -> str:
    """`gnostica:power/move_piece` as `move_piece`; what abilities do is called after their item."""
    return routine.partition("#")[0].rsplit("/", 1)[-1].rsplit(":", 1)[-1].replace("-", "_")


def turn_began(node: PlayNode) -> bool:
    """Did another turn begin on the way to this node?"""
    return any(event.kind == "turn" for event in node.events)


def frames(node: PlayNode) -> Iterator[Frame]:
    """The frames of the routines that are running, innermost first."""
    frame = node.stop.state.frame
    while frame is not None:
        yield frame
        frame = frame.parent


def calls(node: PlayNode) -> Iterator[tuple[int, Frame | None]]:
    """The running routines, innermost first, each with its suspended caller to tell calls apart."""
    return ((frame.routine, frame.parent) for frame in frames(node))


def local(node: PlayNode, name: str) -> Any:
    """The value of the innermost local variable of this name, or None."""
    for frame in frames(node):
        names = node.linked.routines[frame.routine].names
        if name in names:
            return frame.slots[names.index(name)]
    return None


def chain_of(node: PlayNode) -> frozenset[str]:
    """The slugs of the routines that are running."""
    return frozenset(slug_of(node.linked.routines[routine].id) for routine, _ in calls(node))


def leads_to(node: PlayNode, after: PlayNode, powers: Collection[str]) -> bool:
    """Has the step from `node` to `after` begun a routine that can reach one of these powers?"""
    old = set(calls(node))
    begun = (routine for routine, parent in calls(after) if (routine, parent) not in old)
    return any(slug in powers for slug in _reached(node.linked, begun))


def _reached(linked: Linked, begun: Iterable[int]) -> Iterator[str]:
    """The slugs of these routines and of all that they can call."""
    waiting = list(begun)
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number in seen or number < 0:
            continue
        seen.add(number)
        yield slug_of(linked.routines[number].id)
        for row in linked.routines[number].rows:
            if isinstance(row, Use):
                waiting.append(linked.routine_index[row.routine])
            elif isinstance(row, UsePower):
                waiting.extend(linked.powers[row.entity])
