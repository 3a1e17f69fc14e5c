"""Sightings of one game while it is played: the options offered, taken and refused, and the items used.

Everything is known by a name that stays the same from game to game: an item by its id, a way of a
menu by its power and label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ruleloom.bots.arena import Onlooker
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.watched import RAN, Found
from ruleloom.runtime.program.program import Choose, Expr, Modal
from ruleloom.runtime.program.state import Event, frames
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Compiled, Dynamic
from ruleloom.runtime.search.node import PlayNode

OFFERED, TAKEN, REFUSED = range(3)
MOST_CANDIDATES = 60
"""Choices from more than so many are not looked through for what is refused."""


class ContentNames:
    """The names of what a program holds, and which routine a line of its texts belongs to."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.things = {
            one.name: tuple(item_name(name) for name in one.names)
            for one in linked.program.entities
            if one.names
        }
        self.routine_at = {
            row.origin: number
            for number, routine in enumerate(linked.program.routines)
            for row in routine.rows
        }
        self.users = _users(linked)
        self.changing = {
            ("modifier", stat.id, one.via): of_item(one.item)
            for stat in linked.program.stats
            for one in stat.modifiers
        }
        self.hands = [
            (place, self.things[column.type.name])
            for place, column in enumerate(linked.layout.columns)
            if column.kind == "each" and column.type.name in self.things
        ]
        self._candidates: dict[Expr, Compiled[list[Dynamic]]] = {}
        self._ways: dict[tuple[int, int], list[str]] = {}

    def ways(self, node: PlayNode, row: Modal) -> list[str]:
        """The names of the ways of the menu at a node."""
        place = (node.frame.routine, node.frame.pc)
        known = self._ways.get(place)
        if known is None:
            modes = range(len(row.modes))
            known = self._ways[place] = [way_name(node.routine.id, row, mode) for mode in modes]
        return known

    def candidates(self, row: Choose, node: PlayNode) -> list[Dynamic]:
        """Everything a choice picks from before its conditions are asked."""
        known = self._candidates.get(row.domain)
        if known is None:
            known = self._candidates[row.domain] = self.linked.codegen.candidates(row.domain)
        frame = node.frame
        return known(node.state.world, frame.slots, node.state.scope, frame.ignored)


def _users(linked: Linked) -> dict[int, str]:
    """The items by the routines that run when somebody uses them, or of themselves."""
    program = linked.program
    # Several cards of a suit use the same text, which goes by the name of the item.
    found = {
        number: program.routines[number].id.rpartition("/")[2]
        for routines in linked.powers.values()
        for number in routines
        if number >= 0
    }
    of_themselves = [(one.routine, one.id) for one in program.triggers]
    of_themselves += [(one.routine, one.id) for one in program.replacements]
    for routine, id in of_themselves:
        found[linked.routine_index[routine]] = of_item(id)
    return found


def item_name(name: str) -> str:
    """The item that a thing was made by: `black-d4#3` is a `black-d4`."""
    return name.partition("#")[0]


def of_item(id: str) -> str:
    """The item that a part of it belongs to: `moonstone:advantage/undying#1` is of `undying`."""
    return item_name(id.rpartition("/")[2])


def way_name(routine: str, row: Modal, mode: int) -> str:
    """A way of a menu: the power that offers it, and its label."""
    label = slug(str(row.modes[mode].label))
    return f"{routine}: {label}" if row.kind != "optional" else f"{routine}: {('do', 'skip')[mode]}"


class Sightings(Onlooker):
    """The sightings of one game."""

    def __init__(self, names: ContentNames) -> None:
        self.names = names
        self.offers: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.nothing: Counter[str] = Counter()
        self.held: defaultdict[str, set[int]] = defaultdict(set)
        self.used: defaultdict[str, set[int]] = defaultdict(set)
        self.reached: set[int] = set()
        self.read: set[str] = set()
        self.first: PlayNode | None = None
        self.last: PlayNode | None = None
        self._hands: dict[int, Any] = {}

    def asked(self, node: PlayNode, value: Dynamic) -> None:
        """Somebody answers with `value`."""
        row = node.row
        if isinstance(row, Modal):
            ways = self.names.ways(node, row)
            self._count(set(ways), {ways[mode] for mode in node.options}, {ways[value]})
        elif isinstance(row, Choose) and row.type.removesuffix("?") in self.names.things:
            things = self.names.things[row.type.removesuffix("?")]
            values = value if node.takes_sets else (value,)
            offered = {things[one] for one in node.options if one is not None}
            taken = {things[one] for one in values if one is not None}
            self._count(offered | self._refused(row, node, things), offered, taken)

    def _count(self, every: set[str], offered: set[str], taken: set[str]) -> None:
        for name in every:
            counts = self.offers[name]
            counts[OFFERED] += name in offered
            counts[TAKEN] += name in taken
            counts[REFUSED] += name not in offered

    def _refused(self, row: Choose, node: PlayNode, things: tuple[str, ...]) -> set[str]:
        if not row.conditions and len(node.options) == len(node.found):
            return set()  # nothing was asked of them, and all can be finished
        found = self.names.candidates(row, node)
        return {things[one] for one in found} if len(found) <= MOST_CANDIDATES else set()

    def came_to(self, node: PlayNode) -> None:
        """Play has come to `node`."""
        self.last = node
        for event in node.events:
            self._happened(event)
            if event.kind == "turn" and self.first is None:
                self.first = node
        world = node.state.world
        for frame in frames(node.state.frame):
            self._ran(frame.routine, node.state.scope[self.names.linked.me])
        for place, things in self.names.hands:
            if world[place] is not self._hands.get(place):
                self._hands[place] = world[place]
                for player, hand in enumerate(world[place]):
                    for thing in hand:
                        self.held[things[thing]].add(player)

    def _happened(self, event: Event) -> None:
        if event.kind == RAN:
            number = self.names.linked.routine_index[event.name]
            self.reached.add(number)
            if number in self.names.users:
                self.read.add(self.names.users[number])
            return
        if event.kind == "fizzled":
            self.nothing[event.name] += 1
        if event.origin is not None and event.origin in self.names.routine_at:
            self._ran(self.names.routine_at[event.origin], event.actor)

    def _ran(self, routine: int, player: int | None) -> None:
        if routine in self.names.users and player is not None:
            self.used[self.names.users[routine]].add(player)

    def were_read(self, found: Found) -> None:
        """Take note of the items whose changes of a number held when it was worked out."""
        for what, holds in found.seen:
            if holds and what in self.names.changing:
                self.read.add(self.names.changing[what])

    def kept(self) -> dict[str, Any]:
        """The sightings as a record keeps them, in a fixed order."""
        return {
            "offers": {key: tuple(self.offers[key]) for key in sorted(self.offers)},
            "nothing": {key: self.nothing[key] for key in sorted(self.nothing)},
            "held": {key: tuple(sorted(self.held[key])) for key in sorted(self.held)},
            "used": {key: tuple(sorted(self.used[key])) for key in sorted(self.used)},
            "reached": tuple(sorted(self.reached)),
            "read": tuple(sorted(self.read)),
        }
