"""The position of a case, from its `given`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.notation_words import GIVEN_TO_PLAY, as_list
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, link_game, settings_of
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.faults import OutOfRange, Refused
from ruleloom.runtime.program.program import Entity, Program
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World
from ruleloom.runtime.search.node import settled
from ruleloom.scenarios.coverage.watch import NOBODY, Listener
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.setup.facts import parse_token
from ruleloom.scenarios.setup.rigged_chance import RiggedTable, chanced


class Links:
    """The links of one program, one for each choice of players, settings and second copies."""

    def __init__(self, program: Program, watch: Listener = NOBODY) -> None:
        self.program = program
        self.watch = watch
        self._known: dict[Any, Linked] = {}

    def linked(self, players: tuple[str, ...], chosen: CaseData, copies: frozenset[str]) -> Linked:
        """The linked program; StepNotUnderstood for unknown settings, Refused for unplayable ones."""
        key = (players, tuple(sorted(chosen.items())), copies)
        if key not in self._known:
            program = self.program
            if copies:
                entities = tuple(_copied(entity, copies) for entity in program.entities)
                program = replace(program, entities=entities)
            try:
                settings_of(program, chosen)
            except OutOfRange:
                raise  # the name is known, so the game refuses this value; it is no slip of a case
            except Refused as error:
                raise StepNotUnderstood(error.reason) from error
            linked = link_game(program, driver_of(program.game), players, chosen)
            self._known[key] = self.watch.relink(linked)
        return self._known[key]


def _check_keys(notation: Notation, given: CaseData) -> None:
    """Refuse a key that the game's notation does not have; a game may have none."""
    unknown = [key for key in given if key not in notation.given and key not in GIVEN_TO_PLAY]
    if unknown and not notation.forms:
        raise StepNotUnderstood("a step of this game is written `{do: EFFECT}`")
    if unknown:
        listed = ", ".join(notation.given)
        raise StepNotUnderstood(f"`given` has no `{unknown[0]}`; known are {listed}")


class PositionSetup:
    """One case being set up: the linked program, and the world as it fills."""

    def __init__(self, links: Links, notation: Notation, given: CaseData) -> None:
        _check_keys(notation, given)
        self.notation = notation
        # `pending: none` says as little as leaving it out.
        empty = {key for key, entry in notation.given.items() if "scope" in entry}
        said = {key: one for key, one in given.items() if one is not None}
        self.given = {key: one for key, one in said.items() if one != "none" or key not in empty}
        self.players = tuple(map(str, self.given.get("players", ["A", "B"])))
        self.fresh = bool(self.given.get("fresh", False))
        if self.fresh:
            self._check_fresh(links.program)
        self.linked = links.linked(self.players, self._chosen(), frozenset(_copies_in(given)))

    def _chosen(self) -> dict[str, Any]:
        said = self.given.get("switches", {}), self.given.get("settings", {})
        chosen = {**self.notation.settings, **said[0], **said[1]}
        for key, entry in self.notation.given.items():
            if key in self.given and "setting" in entry:
                chosen[entry["setting"]] = self.given[key]
        return chosen

    def _check_fresh(self, program: Program) -> None:
        """Refuse cards placed in a new game, which set-up places; only piles can be stacked."""
        piles = {zone.name for zone in program.zones if zone.lazy}
        for key in self.given:
            entry = self.notation.given.get(key, {})
            placed = "zone" in entry and entry["zone"] not in piles
            if placed or not entry.keys().isdisjoint(("scope", "token")):
                raise StepNotUnderstood(f"a fresh game takes no `{key}`: set-up places it")

    def table(self) -> RiggedTable:
        """The table at the first prompt: of a new game if the case says `fresh`, else of a turn."""
        linked = self.linked
        order, shuffle = self._orders()
        empty = linked.driver.start(empty_world(linked.layout))
        world = empty if self.fresh else self._world(empty)
        state = State(world, self._scope(), None, (), not self.fresh, None)
        node = settled(linked, run(linked, state, live=True))
        return chanced(RiggedTable(node, order, shuffle, tuple(self.given.get("dice", ()))))

    def _orders(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The order in which the lazy pile shows its cards, and the one after a reshuffle."""
        entries = self.notation.given.items()
        lazy = {zone.name for zone in self.linked.program.zones if zone.lazy}
        piles = [key for key, one in entries if one.get("zone") in lazy and key in self.given]
        after = [key for key, one in entries if "order_after" in one]
        order, shuffle = (self.given.get(keys[0], ()) if keys else () for keys in (piles, after))
        return tuple(map(str, order)), tuple(map(str, shuffle))

    def _scope(self) -> tuple[Any, ...]:
        values = list(self.linked.initial_scope)
        for key, entry in self.notation.given.items():
            if "scope" not in entry:
                continue
            index = self.linked.scope_index[entry["scope"]]
            type_ = Type.parse(self.linked.program.scope[index].type)
            if key in self.given:
                values[index] = self._value(type_, self.given[key])
            elif entry["scope"] == "me":
                values[index] = 0
        return tuple(values)

    def _value(self, type_: Type, said: Any) -> Any:
        try:
            if type_.many:
                return tuple(constant(self.linked, type_.item, str(s)) for s in as_list(said))
            return constant(self.linked, type_, str(said))
        except ValueError as error:
            raise StepNotUnderstood(str(error)) from error

    def _world(self, start: World) -> World:
        world = list(start)
        index = self.linked.layout.index
        for zone in self.linked.program.zones:
            if zone.lazy:
                world[index[zone.name]] = ()
        for key, entry in self.notation.given.items():
            if "zone" in entry:
                zone = self.linked.zones[entry["zone"]]
                usual = next(iter(self.notation.tables), None) if zone.at else None
                said = self.given.get(key, usual)
                if said is not None:
                    fill = self._map if zone.at else self._zone
                    world[index[zone.name]] = fill(zone.name, said)
        self._once_each(tuple(world))
        return self._with_tokens(tuple(world))

    def _once_each(self, world: World) -> None:
        """A thing that lies in two places would be there twice from then on."""
        for entity, names in self.linked.layout.names.items():
            there = things_in(self.linked, world, entity)
            twice = next((one for place, one in enumerate(there) if one in there[:place]), None)
            if twice is not None:
                raise StepNotUnderstood(f"{names[twice]} lies in two places")

    def _with_tokens(self, world: World) -> World:
        for key, entry in self.notation.given.items():
            for token in self.given.get(key, []) if "token" in entry else ():
                parts = parse_token(self.linked, self.notation, entry["token"], str(token))
                operation = self.linked.operations[entry["made_by"]]
                if operation.function is None:
                    raise StepNotUnderstood(f"`{entry['made_by']}` puts nothing on the table")
                arguments = (parts[entry["args"][name]] for name, _ in operation.info.params)
                try:
                    placed: Any = operation.function(world, *arguments)
                except ValueError as error:  # what a driver says of an impossible operation
                    impossible = f"`{token}` cannot be put on the table: {error}"
                    raise StepNotUnderstood(impossible) from error
                world = placed[0] if operation.info.result else placed
        return world

    def _zone(self, name: str, said: Any) -> Any:
        zone = self.linked.zones[name]
        if not zone.per_player:
            return tuple(sorted(self._number(zone.of, n) for n in said))
        hands = [said.get(player, []) for player in self.players]
        extra = [player for player in said if player not in self.players]
        if extra:
            raise StepNotUnderstood(f"{extra[0]} is no player of this case")
        return tuple(tuple(sorted(self._number(zone.of, n) for n in hand)) for hand in hands)

    def _number(self, entity: str, name: Any) -> int:
        number = self.linked.layout.number_of(entity, str(name))
        if number is None:
            raise StepNotUnderstood(f"there is no {entity.lower()} `{name}`")
        return number

    def _map(self, name: str, said: Any) -> FrozenMap:
        boards = self.notation.tables
        if isinstance(said, str):
            said = boards[said]
        elif "base" in said or "set" in said or "del" in said:
            base = dict(boards[said.get("base", next(iter(boards)))])
            base.update(said.get("set", {}))
            said = {k: v for k, v in base.items() if k not in said.get("del", [])}
        zone = self.linked.zones[name]
        point = Type(zone.at)
        return FrozenMap(
            (self._value(point, at), self._number(zone.of, card)) for at, card in said.items()
        )


def things_in(linked: Linked, world: World, entity: str) -> list[int]:
    """Every entity of a kind that lies in some zone, as often as it lies there."""
    found: list[int] = []
    for zone in linked.program.zones:
        if zone.of == entity:
            held = world[linked.layout.index[zone.name]]
            parts = held if zone.per_player else [held.values() if zone.at else held]
            found.extend(number for part in parts for number in part)
    return found


def _copies_in(given: Any) -> set[str]:
    """Every `name#2` that a case writes."""
    if isinstance(given, str):
        return {given} if "#" in given else set()
    values = given.values() if isinstance(given, Mapping) else given
    if not isinstance(values, Iterable):
        return set()
    return {name for value in values for name in _copies_in(value)}


def _copied(entity: Entity, names: frozenset[str]) -> Entity:
    """The entity with a second copy of each record that a case writes as `name#2`."""
    for name in sorted(names):
        original = name.split("#")[0]
        if name in entity.names or original not in entity.names:
            continue
        i = entity.names.index(original)
        entity = replace(
            entity,
            names=(*entity.names, name),
            titles=(*entity.titles, entity.titles[i]),
            powers=(*entity.powers, entity.powers[i]),
            static=tuple((field, (*values, values[i])) for field, values in entity.static),
            places=(*entity.places, *entity.places[i : i + 1]),
        )
    return entity
