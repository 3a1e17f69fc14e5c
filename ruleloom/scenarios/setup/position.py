"""The position of a case, from its `given`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.settings import settings_of
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.play.game import empty_world, link_game
from ruleloom.runtime.program.faults import OutOfRange, Refused
from ruleloom.runtime.program.program import Entity, Program
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World
from ruleloom.runtime.search.node import settled
from ruleloom.scenarios.notation import Notation, StepNotUnderstood
from ruleloom.scenarios.setup.facts import parse_token
from ruleloom.scenarios.setup.rigged_chance import RiggedTable, chanced

BUILT_IN = ("players", "fresh", "switches", "settings", "dice")


class Links:
    """One program, linked once for each choice of players, settings and second copies."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[Any, Linked] = {}

    def linked(
        self, players: tuple[str, ...], chosen: Mapping[str, Any], copies: frozenset[str]
    ) -> Linked:
        """The linked program; NotUnderstood for unknown settings, Refused for unplayable ones."""
        key = (players, tuple(sorted(chosen.items())), copies)
        if key not in self._known:
            program = _with_copies(self.program, copies)
            try:
                settings_of(program, chosen)
            except OutOfRange:
                raise  # the name is known, so this is a game that nobody may begin, and no slip
            except Refused as error:
                raise StepNotUnderstood(error.reason) from error
            self._known[key] = link_game(program, driver_of(program.game), players, chosen)
        return self._known[key]


class PositionSetup:
    """One case being set up: the linked program, and the world as it fills."""

    def __init__(self, links: Links, notation: Notation, given: Mapping[str, Any]) -> None:
        unknown = [key for key in given if key not in notation.given and key not in BUILT_IN]
        if unknown:
            raise StepNotUnderstood(
                f"`given` has no `{unknown[0]}`; known are {', '.join(notation.given)}"
            )
        self.links = links
        self.notation = notation
        self.given = {
            key: said for key, said in given.items() if not _says_nothing(notation, key, said)
        }
        self.players = tuple(map(str, self.given.get("players", ["A", "B"])))
        self.fresh = bool(self.given.get("fresh", False))
        if self.fresh:
            self._only_what_a_new_game_takes()
        self.linked = links.linked(self.players, self._settings(), frozenset(_copies_in(given)))

    def _only_what_a_new_game_takes(self) -> None:
        """Refuse cards placed in a new game, which set-up places; only piles can be stacked."""
        piles = {zone.name for zone in self.links.program.zones if zone.lazy}
        for key in self.given:
            entry = self.notation.given.get(key, {})
            if (
                "scope" in entry
                or "token" in entry
                or ("zone" in entry and entry["zone"] not in piles)
            ):
                raise StepNotUnderstood(f"a game that begins afresh has no `{key}` of its own")

    def _settings(self) -> dict[str, Any]:
        chosen = {**self.given.get("switches", {}), **self.given.get("settings", {})}
        for key, entry in self.notation.given.items():
            if key in self.given and "setting" in entry:
                chosen[entry["setting"]] = self.given[key]
        return chosen

    # ------------------------------------------------------------------ the table

    def table(self) -> RiggedTable:
        """The table at the first prompt: of a new game if the case says `fresh`, else of a turn."""
        linked = self.linked
        start = linked.driver.start(empty_world(linked.program, linked.layout))
        order, shuffle = self._piled(), self._reshuffled()
        if self.fresh:
            state = State(
                start, self._scope(linked.initial_scope), None, (), frozenset(), False, None
            )
        else:
            world = self._world(start)
            state = State(
                world, self._scope(linked.initial_scope), None, (), frozenset(), True, None
            )
        node = settled(linked, run(linked, state, live=True))
        return chanced(RiggedTable(node, order, shuffle, tuple(self.given.get("dice", ()))))

    def _piled(self) -> tuple[str, ...]:
        """The order in which the lazy pile will show its cards."""
        for key, entry in self.notation.given.items():
            zone = self.linked.zones.get(entry.get("zone", ""))
            if zone is not None and zone.lazy and key in self.given:
                return tuple(map(str, self.given[key]))
        return ()

    def _reshuffled(self) -> tuple[str, ...]:
        """The order that a reshuffle will yield."""
        keys = [key for key, entry in self.notation.given.items() if "order_after" in entry]
        return tuple(map(str, self.given[keys[0]])) if keys and keys[0] in self.given else ()

    def _scope(self, scope: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(scope)
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
                many = said if isinstance(said, list) else [said]
                return tuple(constant(self.linked, type_.item, str(s)) for s in many)
            return constant(self.linked, type_, str(said))
        except ValueError as error:
            raise StepNotUnderstood(str(error)) from error

    # ------------------------------------------------------------------ the world

    def _world(self, start: World) -> World:
        world = list(start)
        index = self.linked.layout.index
        for zone in self.linked.program.zones:
            if zone.lazy:
                world[index[zone.name]] = ()
        entries = self.notation.given.items()
        for key, entry in entries:
            if "zone" in entry:
                zone = self.linked.zones[entry["zone"]]
                usual = next(iter(self.notation.tables), None) if zone.at else None
                said = self.given.get(key, usual)
                if said is not None:
                    fill = self._map if zone.at else self._zone
                    world[index[zone.name]] = fill(zone.name, said)
        result = tuple(world)
        self._once_each(result)
        placed = [(entry, self.given.get(key, [])) for key, entry in entries if "token" in entry]
        for entry, tokens in placed:
            for token in tokens:
                result = self._put(result, entry, token)
        return result

    def _once_each(self, world: World) -> None:
        """A thing that lies in two places would be there twice from then on."""
        for entity, names in self.linked.layout.names.items():
            seen: set[int] = set()
            for number in things_in(self.linked, world, entity):
                if number in seen:
                    raise StepNotUnderstood(f"{names[number]} lies in two places")
                seen.add(number)

    def _zone(self, name: str, said: Any) -> Any:
        zone = self.linked.zones[name]
        if not zone.per_player:
            return tuple(sorted(self._number(zone.of, n) for n in said))
        held = {p: said.get(p, []) for p in self.players}
        extra = [p for p in said if p not in self.players]
        if extra:
            raise StepNotUnderstood(f"{extra[0]} is no player of this case")
        return tuple(tuple(sorted(self._number(zone.of, n) for n in held[p])) for p in self.players)

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
            {self._value(point, at): self._number(zone.of, card) for at, card in said.items()}
        )

    def _put(self, world: World, entry: Mapping[str, Any], token: Any) -> World:
        parts = parse_token(self.linked, self.notation, entry["token"], str(token))
        operation = self.linked.operations[entry["made_by"]]
        if operation.function is None:
            raise StepNotUnderstood(f"`{entry['made_by']}` puts nothing on the table")
        placed = operation.function(
            world, *(parts[entry["args"][name]] for name, _ in operation.info.params)
        )
        done: World = placed[0] if operation.info.result else placed
        return done


def _says_nothing(notation: Notation, key: str, said: Any) -> bool:
    """Is this key of `given` as good as left out, as `pending: none` is?"""
    return said is None or (said == "none" and "scope" in notation.given.get(key, {}))


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
    if isinstance(given, Mapping):
        return {name for value in given.values() for name in _copies_in(value)}
    return (
        {name for value in given for name in _copies_in(value)}
        if isinstance(given, list)
        else set()
    )


def _with_copies(program: Program, names: frozenset[str]) -> Program:
    """The program with a second copy of each record that a case writes as `name#2`."""
    if not names:
        return program
    entities = tuple(_copied(entity, names) for entity in program.entities)
    return replace(program, entities=entities)


def _copied(entity: Entity, names: frozenset[str]) -> Entity:
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
