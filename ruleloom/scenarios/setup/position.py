"""The position of a case played in steps, from its `given`, and later points of play.

Chance is rigged: the deck is stacked and the dice are fixed in advance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_words import NONE, slug_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.expr import callees_of, reached
from ruleloom.runtime.program.program import Draw, Entity, Peek, Pick, Program, Roll, Take, Zone
from ruleloom.runtime.program.state import Event, Frame, State, frames
from ruleloom.runtime.program.values import FrozenMap, Type, World
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.runtime.search.options import keyed
from ruleloom.scenarios.listener import NOBODY, Watch
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.setup.state import CaseNames, ZoneSetup


def game_at(node: PlayNode) -> Game:
    """A game at this node, with an empty journal and no dice of its own."""
    return Game(node.linked, node, 0, None, (), None, None, node.events)


def turn_began(node: PlayNode) -> bool:
    """Whether a new turn began on the way to this node."""
    return any(event.kind == "turn" for event in node.events)


def calls(node: PlayNode) -> list[tuple[str, tuple[int, Frame | None]]]:
    """The running calls, innermost first: each routine's slug, and the call's identity."""
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
    """The slugs of the running routines."""
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


class RiggedTable(Frozen):
    """A node with its stacked pile, the order after a reshuffle, and the fixed dice.

    `path` are the nodes before it.
    """

    node: PlayNode
    order: tuple[str, ...] = ()
    shuffle: tuple[str, ...] = ()
    dice: tuple[int | str, ...] = ()
    path: tuple[PlayNode, ...] = ()
    made: Mapping[tuple[str, str], int] = FrozenMap()  # as in `CaseNames`

    def going_on(self, *nodes: PlayNode) -> RiggedTable:
        """The table at the last node, with the others on its path."""
        return replace(self, node=nodes[-1], path=(*self.path, self.node, *nodes[:-1]))

    @property
    def events(self) -> tuple[Event, ...]:
        """All events on the path and at the node."""
        return tuple(event for node in (*self.path, self.node) for event in node.events)


def next_by_chance(table: RiggedTable) -> Any:
    """The name of the next card of the deck, or the next fixed roll."""
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
    """The table after this draw or roll."""
    node, options = table.node, dict[str, Any]()
    if isinstance(node.row, Draw | Peek | Pick):
        options = keyed(node, node.options)
    after = table.going_on(node.after(options.get(shown, shown)))
    if options and not isinstance(node.row, Pick | Take):
        return replace(after, order=_order(table, options)[1:])
    return replace(after, dice=table.dice[1:])


def _rolled(table: RiggedTable, row: Roll) -> Any:
    """The next fixed roll, if it is possible."""
    if not table.dice:
        raise StepNotUnderstood("a roll comes up that `dice` does not fix")
    if table.dice[0] not in table.node.options:
        count, sides = table.node.dice
        shows = f"{count} to {count * sides}" if sides > 1 else count
        roll = f"the roll of {count}d{sides} for `{row.name}` shows {shows}"
        raise StepNotUnderstood(f"{roll}, and not {table.dice[0]} as `dice` has it")
    return table.dice[0]


def _picked(table: RiggedTable, row: Pick | Take) -> str:
    """The name of the option that chance picks; the case gives it, or its index from 1."""
    known = keyed(table.node, table.node.options)
    said = table.dice[0] if table.dice else None
    if isinstance(said, int) and row.type != "Int" and 1 <= said <= len(known):
        return list(known)[said - 1]
    if str(said) in known:
        return str(said)
    one_of = f"chance takes one of {', '.join(known)}"
    raise StepNotUnderstood(f"{one_of}, and the case does not fix which under `dice`")


def _order(table: RiggedTable, pile: dict[str, Any]) -> tuple[str, ...]:
    reshuffled = tuple(name for name in table.shuffle if name in pile)
    return table.order or reshuffled or tuple(sorted(pile))


def chanced(table: RiggedTable) -> RiggedTable:
    """The table after all rolls and draws, at the next prompt to a player."""
    while table.node.stop.kind == ASK and table.node.chance:
        table = by_chance(table, next_by_chance(table))
    return table


class Links:
    """The links of one program, cached by players, settings and second copies."""

    def __init__(self, program: Program, watch: Watch = NOBODY) -> None:
        self.program = program
        self.watch = watch
        self._known: dict[Any, Linked] = {}

    def linked(self, players: tuple[str, ...], chosen: CaseData, copies: frozenset[str]) -> Linked:
        """The linked program; Refused for settings that it does not support."""
        key = (players, tuple(sorted(chosen.items())), copies)
        if key not in self._known:
            program = self.program
            if copies:
                entities = tuple(_copied(entity, copies) for entity in program.entities)
                program = replace(program, entities=entities)
            linked = link_game(program, driver_of(program.game), players, chosen)
            self._known[key] = self.watch.relink(linked)
        return self._known[key]


class PositionSetup:
    """The set-up of one case: the linked program and the world built from `given`."""

    def __init__(self, links: Links, notation: Notation, given: CaseData) -> None:
        self.notation = notation
        # `pending: none` means the same as leaving it out.
        empty = {key for key, entry in notation.given.items() if "scope" in entry}
        said = {key: one for key, one in given.items() if one is not None}
        self.given = {key: one for key, one in said.items() if one != NONE or key not in empty}
        self.players = tuple(map(str, self.given.get("players", ["A", "B"])))
        self.fresh = bool(self.given.get("fresh", False))
        self.linked = links.linked(self.players, self._chosen(), frozenset(_copies_in(given)))
        self.words = CaseNames(self.linked)

    def _chosen(self) -> dict[str, Any]:
        said = self.given.get("switches", {}), self.given.get("settings", {})
        chosen = {**self.notation.settings, **said[0], **said[1]}
        for key, entry in self.notation.given.items():
            if key in self.given and "setting" in entry:
                chosen[entry["setting"]] = self.given[key]
        return chosen

    def table(self) -> RiggedTable:
        """The table at the first prompt: of a new game if `given` has `fresh`, else of a turn."""
        linked = self.linked
        empty = linked.driver.start(empty_world(linked.layout))
        world, scope = empty if self.fresh else self._world(empty), self._scope()
        made, changes = self.given.get("made", {}), self.given.get("state", {})
        if made or changes:
            table = ZoneSetup(self.words, self.notation.symbols, world)
            table.make(made)
            table.change(changes, scope)
            world = table.world
        state = State(world, tuple(scope), None, (), not self.fresh, None)
        node = settled(linked, run(linked, state, live=True))
        lazy = {zone.name for zone in linked.program.zones if zone.lazy}
        order = self._names(lambda entry: entry.get("zone") in lazy)
        shuffle = self._names(lambda entry: "order_after" in entry)
        dice = tuple(self.given.get("dice", ()))
        return chanced(RiggedTable(node, order, shuffle, dice, made=self.words.made))

    def _names(self, is_it: Any) -> tuple[str, ...]:
        """The names under the first key whose notation entry satisfies `is_it`."""
        said = (self.given[key] for key in self.given if is_it(self.notation.given.get(key, {})))
        return tuple(map(str, next(said, ())))

    def _scope(self) -> list[Any]:
        values = list(self.linked.initial_scope)
        for key, entry in self.notation.given.items():
            index = self.linked.scope_index[entry["scope"]] if "scope" in entry else -1
            if index >= 0 and key in self.given:
                type_ = Type.parse(self.linked.program.scope[index].type)
                values[index] = self.words.value(type_, self.given[key])
            elif index >= 0 and entry["scope"] == "me":
                values[index] = 0
        return values

    def _world(self, start: World) -> World:
        world, index = list(start), self.linked.layout.index
        for zone in self.linked.program.zones:
            if zone.lazy:
                world[index[zone.name]] = ()
        zones = [
            (key, self.linked.zones[entry["zone"]])
            for key, entry in self.notation.given.items()
            if "zone" in entry
        ]
        for key, filled in zones:
            usual = next(iter(self.notation.tables), None) if filled.at else None
            said = self.given.get(key, usual)
            if said is not None and not filled.under:
                fill = self._map if filled.at else self._piles
                world[index[filled.name]] = fill(filled, said)
        # What lies under tokens is named by them.
        world = list(self._with_tokens(tuple(world)))
        self.words.world = tuple(world)
        for key, filled in zones:
            if filled.under and key in self.given:
                world[index[filled.name]] = self._under(filled, self.given[key])
        return tuple(world)

    def _with_tokens(self, world: World) -> World:
        for key, entry in self.notation.given.items():
            for token in self.given.get(key, []) if "token" in entry else ():
                fields = self.linked.entities[entry["token"]].fields
                types = {one.name: Type.parse(one.type) for one in fields}
                texts = self.notation.parts_of(self.linked, entry["token"], str(token))
                parts = {name: self.words.value(types[name], said) for name, said in texts.items()}
                operation = self.linked.operations[entry["made_by"]]
                arguments = (parts[entry["args"][name]] for name, _ in operation.info.params)
                assert operation.function is not None
                try:
                    placed: Any = operation.function(world, *arguments)
                except ValueError as error:  # a driver's message about an impossible operation
                    impossible = f"`{token}` cannot be put on the table: {error}"
                    raise StepNotUnderstood(impossible) from error
                world = placed[0] if operation.info.result else placed
        return world

    def _piles(self, zone: Zone, said: Any) -> Any:
        if not zone.parted:
            return self._pile(zone, said)
        return tuple(self._pile(zone, said.get(one, [])) for one in self.linked.layout.players)

    def _pile(self, zone: Zone, names: Any) -> tuple[Any, ...]:
        return tuple(sorted(self.words.value(Type(zone.of), one) for one in names))

    def _under(self, zone: Zone, said: Any) -> FrozenMap:
        lying = ((self.words.value(Type(zone.under), at), names) for at, names in said.items())
        return FrozenMap({place: self._pile(zone, names) for place, names in lying if names})

    def _map(self, zone: Zone, said: Any) -> FrozenMap:
        tables = self.notation.tables
        if isinstance(said, str):
            said = tables[said]
        elif "base" in said or "set" in said or "del" in said:
            base = {**tables[said.get("base", next(iter(tables)))], **said.get("set", {})}
            said = {at: one for at, one in base.items() if at not in said.get("del", [])}
        return FrozenMap(
            (self.words.value(Type(zone.at), at), self.words.value(Type(zone.of), one))
            for at, one in said.items()
        )


def _copies_in(given: Any) -> set[str]:
    """All names of the form `name#2` in a case."""
    if isinstance(given, str):
        return {given} if "#" in given else set()
    values = given.values() if isinstance(given, Mapping) else given
    if not isinstance(values, Iterable):
        return set()
    return {name for value in values for name in _copies_in(value)}


def _copied(entity: Entity, names: frozenset[str]) -> Entity:
    """The entity with a second copy of each record that the case names as `name#2`."""
    known = {name: number for number, name in enumerate(entity.names)}
    more = [name for name in sorted(names - known.keys()) if name.split("#")[0] in known]
    copied = [known[name.split("#")[0]] for name in more]

    def with_copies(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*values, *(values[number] for number in copied if number < len(values)))

    return replace(
        entity,
        names=(*entity.names, *more),
        titles=with_copies(entity.titles),
        powers=with_copies(entity.powers),
        static=tuple((field, with_copies(values)) for field, values in entity.static),
        places=with_copies(entity.places),
    )
