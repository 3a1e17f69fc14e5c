"""What a player may know of the things of one kind by what happened on the way to a moment: what lay
where they see it, and what an event names to them wherever it lies.

It is read from the rules and the worlds, never from a line or a page: one that tells too much is a
leak.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Peek
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import Dynamic, Type, ends_name


def known_to(game: Game, spy: int, kind: str) -> set[int]:
    """The things of a kind that the spy may know."""
    secrecy, linked = secrecy_of(game.linked), game.linked
    worlds = [game.state.world, *(event.after for event in game.events)]
    worlds += [event.before for event in game.events]
    every = range(linked.layout.number_there(kind))
    found = {one for one in every if not secrecy.hides(spy, Type(kind), one, worlds)}
    for event in game.events:
        if event.seen_by is None or spy in event.seen_by:
            found |= {
                one for of, value in _named(linked, event) if of == kind for one in _in(value)
            }
    node = game.node
    if not game.over and node.chance and isinstance(node.row, Peek) and spy in node.stop.who:
        # So far; there are more to come.
        found |= {*game.state.world[linked.layout.index[ends_name(node.row.pile)]][0]}
    return found


def _named(linked: Linked, event: Event) -> Iterator[tuple[str, Dynamic]]:
    """What an event names to all who may read it, hidden or not, and of which kind it is."""
    match event.kind:
        case "looked":
            yield linked.zones[event.name].of, event.args[0]
        case "shown":
            yield Type.parse(event.name).name, event.args[0]
        case "revealed":
            yield Type.parse(event.args[1]).name, event.args[0]
        case "operation" if (info := linked.operations[event.name].info).reveals:
            params = zip(info.params, event.args, strict=False)
            yield from ((Type.parse(type_).name, value) for (_, type_), value in params)


def _in(value: Dynamic) -> Iterator[int]:
    """The things in a value: in a list, or what several have chosen."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for one in value:
            yield from _in(one)
    elif isinstance(value, int):
        yield value
