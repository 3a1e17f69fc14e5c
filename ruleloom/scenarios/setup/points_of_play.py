"""A point of play: the game there, the call stack, and the routines reachable from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.calls import callees_of, reached
from ruleloom.runtime.program.program import Draw, Peek, Pick, Roll, Take
from ruleloom.runtime.program.state import Event, Frame, frames
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed
from ruleloom.scenarios.notation import StepNotUnderstood


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


@dataclass(frozen=True, slots=True)
class RiggedTable:
    """A node with its stacked pile, the order after a reshuffle, and the fixed dice.

    `path` are the nodes that led here.
    """

    node: PlayNode
    order: tuple[str, ...] = ()
    shuffle: tuple[str, ...] = ()
    dice: tuple[int | str, ...] = ()
    path: tuple[PlayNode, ...] = ()

    def going_on(self, *nodes: PlayNode) -> RiggedTable:
        """The table at the last of these nodes, by way of the others."""
        return replace(self, node=nodes[-1], path=(*self.path, self.node, *nodes[:-1]))

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened on the way here."""
        return tuple(event for node in (*self.path, self.node) for event in node.events)


def next_by_chance(table: RiggedTable) -> Any:
    """The next card of the deck by name, or what the dice show next."""
    node = table.node
    if isinstance(node.row, Pick | Take):
        return _picked(table, node.row)
    if isinstance(node.row, Roll):
        return _rolled(table, node.row)
    pile = keyed(node, node.options)
    shown = _order(table, pile)[0]
    if shown not in pile:
        raise StepNotUnderstood(f"the case says {shown} comes next, but it is not in the pile")
    return shown


def by_chance(table: RiggedTable, shown: Any) -> RiggedTable:
    """The table after the deck or the dice have shown this."""
    node = table.node
    if not isinstance(node.row, Draw | Peek | Pick):
        return replace(table.going_on(node.after(shown)), dice=table.dice[1:])
    options = keyed(node, node.options)
    after = node.after(options[shown])
    if isinstance(node.row, Pick | Take):
        return replace(table.going_on(after), dice=table.dice[1:])
    return replace(table.going_on(after), order=_order(table, options)[1:])


def _rolled(table: RiggedTable, row: Roll) -> Any:
    """What the dice show, as the case fixes it."""
    if not table.dice:
        raise StepNotUnderstood("a roll comes up that `dice` does not fix")
    if table.dice[0] not in table.node.options:
        count, sides = table.node.dice
        shows = f"{count} to {count * sides}" if sides > 1 else count
        roll = f"the roll of {count}d{sides} for `{row.name}` shows {shows}"
        raise StepNotUnderstood(f"{roll}, and not {table.dice[0]} as `dice` has it")
    return table.dice[0]


def _picked(table: RiggedTable, row: Pick | Take) -> str:
    """The name of what chance picks from a list; the case gives it, or its place from 1."""
    known = keyed(table.node, table.node.options)
    said = table.dice[0] if table.dice else None
    if isinstance(said, int) and row.type != "Int" and 1 <= said <= len(known):
        return list(known)[said - 1]
    if str(said) not in known:
        listed = ", ".join(known)
        open_ = "and the case does not fix which under `dice`"
        raise StepNotUnderstood(f"chance takes one of {listed}, {open_}")
    return str(said)


def _order(table: RiggedTable, pile: dict[str, Any]) -> tuple[str, ...]:
    reshuffled = tuple(name for name in table.shuffle if name in pile)
    return table.order or reshuffled or tuple(sorted(pile))


def chanced(table: RiggedTable) -> RiggedTable:
    """The table after all rolls and draws, where a player is asked."""
    while table.node.stop.kind == ASK and table.node.chance:
        table = by_chance(table, next_by_chance(table))
    return table
