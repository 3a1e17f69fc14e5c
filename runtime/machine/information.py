"""Secrecy: the one place where anything is kept from a player.

A kind of thing is secret if one of its zones is not visible to all; a player knows such a thing if they
see the zone that holds it. Numbers, texts and places are secret if they derive from such a zone, through
variables, measures and queries. The length of a zone is no secret. Views, logs and players' saves use
`Secrecy.hides` and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ruleloom.runtime.analysis.derived_variables import made_before, told_slots, written_slots
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import walk
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.state import TemplateScope
from ruleloom.runtime.program.values import Dynamic, Type, Value, World

Viewer: TypeAlias = int | None
"""A player; or None for the host, who sees all."""


class Secrecy:
    """The secrets of one game."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.zones: dict[str, list[p.Zone]] = defaultdict(list)
        for zone in linked.program.zones:
            self.zones[zone.of].append(zone)
        self.kinds = {zone.of for zone in linked.program.zones if zone.seen_by != "all"}
        self.derived = linked.derived
        self.told_to = told_slots(linked.program.routines)
        self.types = {one.id: one.param_types for one in linked.program.functions}

    def hides(
        self, viewer: Viewer, of: Type, value: Value, worlds: Iterable[World], derived: bool = False
    ) -> bool:
        """Is this value hidden from `viewer`?

        A thing is known if the viewer sees it in one of `worlds`; a value is `derived` if it, or what it
        was picked from, was computed from something hidden.
        """
        if viewer is None:
            return False
        if of.name not in self.kinds:
            return derived and of.name not in self.linked.entities
        things = list(things_in(value))
        if not things:
            return derived
        seen = list(worlds)
        return any(
            not any(self._sees(world, viewer, of.name, thing) for world in seen) for thing in things
        )

    def was_told(
        self, viewer: Viewer, routine: str, expr: Expr, slots: tuple[Dynamic, ...]
    ) -> bool:
        """Was this variable's value shown to the viewer, whatever its zone?"""
        if expr[0] != "slot" or (routine, expr[1]) not in self.told_to:
            return False
        players = slots[self.told_to[routine, expr[1]]]
        return viewer == players or (isinstance(players, tuple) and viewer in players)

    def knows(self, viewer: int, moment: TemplateScope, expr: Expr) -> bool:
        """Does this value derive only from what the viewer was told, or things that they see?"""
        routine = self.linked.program.routines[self.linked.routine_index[moment.routine]]
        made = dict(made_before(routine)[moment.pc]) if moment.pc >= 0 else {}

        def known(expr: Expr) -> bool:
            things = {slot: kind for kind, slot in self._things_read(expr)}
            return all(
                kind == "slot"
                and (
                    (slot in things and self._sees_slot(viewer, things[slot], moment, slot))
                    or self.was_told(viewer, moment.routine, ("slot", slot), moment.slots)
                    or (slot in made and known(made[slot]))
                    or self._was_passed(viewer, routine, moment, slot)
                )
                for kind, _, slot in self.derived.hidden_in(moment.routine, expr, moment.pc)
            )

        return known(expr)

    def _was_passed(
        self, viewer: int, routine: p.Routine, moment: TemplateScope, slot: int
    ) -> bool:
        """Is this a parameter for which the caller gave what the viewer knows?"""
        caller = moment.caller
        if caller is None or slot >= len(routine.params) or slot in written_slots(routine):
            return False
        above = self.linked.program.routines[caller.routine]
        row = above.rows[caller.pc - 1]
        if not isinstance(row, p.Use) or row.routine != routine.id:
            return False
        there = moment._replace(
            routine=above.id, slots=caller.slots, pc=caller.pc - 1, caller=caller.parent
        )
        return self.knows(viewer, there, row.args[slot])

    def _things_read(self, expr: Expr) -> Iterator[tuple[str, int]]:
        """The variables of things of which an expression reads more, with their kinds."""
        for one in walk(expr):
            match one:
                case ("static" | "field", name, ("slot", slot)):
                    yield name.partition(".")[0], slot
                case ("function", id, *args):
                    both = zip(self.types[id], args, strict=True)
                    yield from ((of, arg[1]) for of, arg in both if arg[0] == "slot")

    def _sees_slot(self, viewer: int, kind: str, moment: TemplateScope, slot: int) -> bool:
        thing = moment.slots[slot]
        there = kind in self.kinds and thing is not None
        return there and not self.hides(viewer, Type(kind), thing, (moment.world,))

    def _sees(self, world: World, viewer: int, kind: str, thing: int) -> bool:
        return any(
            self.shows(viewer, zone, owner)
            for zone in self.zones[kind]
            for owner in self._owners(world, zone, thing)
        )

    def _owners(self, world: World, zone: p.Zone, thing: int) -> list[Value]:
        """The owner (or None) of each part of a zone that holds a thing."""
        column = world[self.linked.layout.index[zone.name]]
        return [owner for owner, held in zone.parts(column) if thing in held]

    def shows(self, viewer: int, zone: p.Zone, owner: Value) -> bool:
        """Does `viewer` see the contents of this zone (of `owner`)?"""
        return zone.seen_by == "all" or (zone.seen_by == "owner" and owner == viewer)


def things_in(value: Dynamic) -> Iterator[int]:
    """The things of a value: itself, or those of a list or table."""
    if isinstance(value, tuple):
        for item in value:
            yield from things_in(item)
    elif isinstance(value, dict):
        yield from things_in(tuple(value.values()))
    elif value is not None:
        yield value


@lru_cache(maxsize=8)
def secrecy_of(linked: Linked) -> Secrecy:
    """The secrets of a game; computed once."""
    return Secrecy(linked)
