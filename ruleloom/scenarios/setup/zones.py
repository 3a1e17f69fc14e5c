"""The state of a case: zones, things made in play and fields, as given first or claimed at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_words import folded, name_and_words, reach_of, within
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol, Signature, Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text, value_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.program import ScopeVariable
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World, with_entry
from ruleloom.scenarios.claims.numbers import CaseNames, claim_text
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.setup.position import things_in
from ruleloom.scenarios.setup.things import own_piles, own_scope, unmarked


@dataclass
class ZoneSetup:
    """A world that fills with the things of a case."""

    words: CaseNames
    symbols: Symbols
    world: World

    def __post_init__(self) -> None:
        self.linked = self.words.linked
        self.words.world = self.world

    def make(self, said: CaseData) -> None:
        """`{Card: {ann: {keeper: A}}}`: things of each kind by name, with their fields."""
        waiting: list[tuple[EntitySymbol, int, dict[str, Any]]] = []
        for kind, named in said.items():
            entity = self._made_in_play(str(kind))
            for name, fields in _mapping(named, f"`{kind}` has things by name").items():
                own = {**_mapping(fields, f"`{name}` has fields, each with a value")}
                if entity.present not in own:
                    missing = f"`made`: `{name}` is not there without a `{entity.present}`"
                    raise StepNotUnderstood(missing)
                presence = entity.fields[entity.present].type
                there = self.words.value(presence, own.pop(entity.present))
                waiting.append((entity, self._new(entity, str(name), there), own))
        # Things may name each other, so all are there before the other fields of the first are set.
        for entity, number, own in waiting:
            self._fill(entity, number, own)

    def _made_in_play(self, kind: str) -> EntitySymbol:
        entities = self.symbols.entities.values()
        known = {one.name: one for one in entities if one.present and not one.recorded}
        if kind in known:
            return known[kind]
        nothing = f"`made`: nothing makes a `{kind}` in play"
        raise StepNotUnderstood.of_name(nothing, folded(kind), list(known))

    def _new(self, entity: EntitySymbol, name: str, there: Any) -> int:
        """A new thing of this name; `there` is the value of its presence field."""
        column = self.world[self.linked.layout.index[f"{entity.name}.{entity.present}"]]
        free = next((number for number, value in enumerate(column) if value is None), None)
        if free is None or there is None:
            raise StepNotUnderstood(f"`made`: `{name}` is one too many of the {entity.plural}")
        self.put(entity.name, entity.present, free, there)
        if entity.named_by:
            self.put(entity.name, entity.named_by, free, name)
        return free

    def _fill(self, entity: EntitySymbol, number: int, fields: CaseData) -> None:
        for name, said in fields.items():
            said_name, keys = name_and_words(name)
            slug = folded(said_name)
            field, query = entity.fields.get(slug), self.symbols.callables.get(slug)
            if field is not None and not field.static:
                value, key = self.words.value(field.type, said), self.words.key_of(field, keys)
                self.put(entity.name, slug, number, value, key)
            elif query and query.of and [one.type.name for one in query.params] == [entity.name]:
                self._fill_list(query, number, said)
            else:
                raise StepNotUnderstood(f"`made`: {entity.singular} has no `{name}`")

    def _fill_list(self, query: Signature, owner: int, said: Any) -> None:
        """The things a query finds: by name, or a number of them for each value of their sort."""
        kind = query.of.partition(".")[0]
        entity = self._made_in_play(kind)
        if query.of != f"{kind}.{entity.present}":
            silent = f"`{query.name}` does not say which {entity.plural} there are"
            raise StepNotUnderstood(f"`made`: {silent}")
        groups = said.items() if isinstance(said, Mapping) else [(None, said)]
        for value, members in groups:
            sort = None if value is None else _sort_of(entity, self.symbols, str(value))
            for name in _names(members, str(value)):
                number = self._new(entity, name, owner)
                if sort is not None:
                    self.put(kind, sort.name, number, self.words.value(sort.type, value))

    def lay(self, said: CaseData) -> None:
        """`{drawer: [red], hand: {A: [ace]}}`: what lies in each zone."""
        for zone, held in said.items():
            column = self._column(zone)
            for player, names in self._parts(zone, column, held):
                for name in names:
                    thing, whole = self._lying_nowhere(column, str(name)), self.world[column]
                    after = tuple(sorted((*self._lying(column, player), thing)))
                    self._set(column, after if player is None else with_entry(whole, player, after))

    def wrong_zones(self, said: CaseData) -> Iterator[str]:
        """Each zone in which something else lies than is claimed."""
        for zone, held in said.items():
            column = self._column(zone)
            kind = self.linked.layout.columns[column].type.item
            for player, names in self._parts(zone, column, held):
                whose = "" if player is None else f" of {self.linked.layout.players[player]}"
                found = self._called(kind, self._lying(column, player))
                yield from _wrong_names(f"{zone}{whose}", names, found)

    def wrong_sight(self, said: CaseData) -> Iterator[str]:
        """Each zone that a player sees otherwise than claimed: its contents, or only a count."""
        for viewer, zones in said.items():
            eyes = self.words.value(Type("Player"), viewer)
            for zone, held in zones.items():
                column = self._column(zone)
                per_player = self.linked.layout.columns[column].kind == "each"
                for player, wanted in held.items() if per_player else [(None, held)]:
                    owner = None if player is None else self.words.value(Type("Player"), player)
                    found = self._seen(column, eyes, owner)
                    if isinstance(wanted, list) and isinstance(found, list):
                        same = _same_names(wanted, found)
                    else:
                        same = wanted == found
                    if not same:
                        told = f"wanted {claim_text(wanted)}, found {claim_text(found)}"
                        yield f"sees: {viewer}: {zone}: {told}"

    def _seen(self, column: int, eyes: int, owner: int | None) -> list[str] | int:
        """What a player sees in a zone: the names of what lies there, or only their number."""
        info, lying = self.linked.layout.columns[column], self._lying(column, owner)
        if secrecy_of(self.linked).shows(eyes, self.linked.zones[info.name], owner):
            return self._called(info.type.item, lying)
        return len(lying)

    def _lying(self, column: int, player: int | None) -> tuple[int, ...]:
        held: Any = self.world[column]
        lying: tuple[int, ...] = held if player is None else held[player]
        return lying

    def wrong_things(self, said: CaseData) -> Iterator[str]:
        """Each kind of which others are there than is claimed: `{Card: [ann, bob]}`."""
        for kind, names in said.items():
            entity = self.linked.entities[self._made_in_play(kind).name]
            things = things_there(self.linked, self.world, entity).values()
            type_ = Type(entity.name)
            there = sorted(title_text(self.linked, self.world, type_, one) for one in things)
            yield from _wrong_names(kind, names, there)

    def _called(self, kind: Type, lying: Sequence[int]) -> list[str]:
        """The names of the things that lie somewhere, those of the case as it calls them."""
        return sorted(unmarked(value_text(self.linked, self.world, kind, one)) for one in lying)

    def _column(self, zone: str) -> int:
        known = [name for name, one in self.symbols.zones.items() if not one.at]
        if folded(zone) not in known:
            raise StepNotUnderstood.of_name(f"there is no zone `{zone}`", folded(zone), known)
        return self.linked.layout.index[folded(zone)]

    def _parts(self, zone: str, column: int, held: Any) -> list[tuple[int | None, Sequence[Any]]]:
        """The parts of a zone that a case names: of each player named, or the whole of it."""
        per_player = self.linked.layout.columns[column].kind == "each"
        lists = list(held.values()) if isinstance(held, Mapping) else [held]
        if per_player != isinstance(held, Mapping) or not all(isinstance(x, list) for x in lists):
            what = "for each player" if per_player else "of what lies there"
            raise StepNotUnderstood(f"`{zone}` is a list {what}")
        if not per_player:
            return [(None, held)]
        return [(self.words.value(Type("Player"), player), names) for player, names in held.items()]

    def _lying_nowhere(self, column: int, name: str) -> int:
        """The first thing of this name that lies nowhere yet."""
        kind = self.linked.layout.columns[column].type.name
        names = self.linked.layout.names.get(kind, ())
        wanted = folded(self.words.marked(name))
        bare = (folded(one.partition("#")[0]) for one in names)  # without the number of a copy
        both = zip(map(folded, names), bare, strict=True)
        alike = [number for number, called in enumerate(both) if wanted in called]
        taken = things_in(self.linked, self.world, kind)
        free = next((one for one in alike if one not in taken), None)
        if free is None:
            free = next((one for one in alike if self._drawn(kind, one)), None)
        if free is not None:
            return free
        if alike:
            raise StepNotUnderstood(f"there is no other `{name}` that could lie there")
        # Those that are alike share one name: a numbered one is called by the name before its number.
        known = sorted({unmarked(one.partition("#")[0]) for one in names})
        stems = [one for one in known if folded(name).startswith(folded(one))]
        meant = folded(max(stems, key=len, default=name))
        nothing = f"there is no `{name}` that could lie there"
        raise StepNotUnderstood.of_name(nothing, meant, known)

    def _drawn(self, kind: str, thing: int) -> bool:
        """Take a thing out of a pile whose order nobody knows yet, if it is in one."""
        for zone in self.linked.program.zones:
            column = self.linked.layout.index[zone.name]
            if zone.of == kind and zone.lazy and thing in self.world[column]:
                self._set(column, tuple(one for one in self.world[column] if one != thing))
                return True
        return False

    def put(
        self, entity: str, field: str, number: int, value: Any, key: tuple[Any] | None = None
    ) -> None:
        """Set a field of a thing, or with a `key` one entry of a table field."""
        place = self.linked.layout.index[f"{entity}.{field}"]
        column = self.linked.layout.columns[place]
        if key is not None:
            # Entries equal to the initial value are not kept.
            table: FrozenMap = self.world[place][number]
            kept = value != column.initial
            value = table.with_item(key[0], value) if kept else table.without(key[0])
        self._set(place, with_entry(self.world[place], number, value))

    def _set(self, column: int, value: Any) -> None:
        self.world = self.words.world = with_entry(self.world, column, value)


def _same_names(wanted: Sequence[Any], found: Sequence[str]) -> bool:
    return sorted(map(folded, wanted)) == sorted(map(folded, found))


def _wrong_names(where: str, wanted: Sequence[Any], found: Sequence[str]) -> Iterator[str]:
    if not _same_names(wanted, found):
        said = claim_text(sorted(map(str, wanted)))
        yield f"{where}: wanted {said}, found {claim_text(list(found))}"


def _mapping(said: Any, wanted: str) -> CaseData:
    if not isinstance(said, Mapping):
        raise StepNotUnderstood(f"`made`: {wanted}")
    return said


def _sort_of(entity: EntitySymbol, symbols: Symbols, value: str) -> FieldSymbol:
    """The only field of a thing that can have this value of an enum."""
    changing = (one for one in entity.fields.values() if not one.static)
    fields = [one for one in changing if value in symbols.enums.get(one.type.name, ())]
    if len(fields) != 1:
        raise StepNotUnderstood(f"`made`: {entity.plural} are not told apart by `{value}`")
    return fields[0]


def _names(members: Any, value: str) -> Sequence[str]:
    """The names of some things, all alike if only their number is given."""
    if isinstance(members, int) and not isinstance(members, bool):
        return [value] * members
    if isinstance(members, list):
        if any(isinstance(one, bool) for one in members):
            quoted = "what is called so stands in quotes"
            raise StepNotUnderstood(f"`made`: true and yes are no names; {quoted}")
        return [str(one) for one in members]
    raise StepNotUnderstood(f"`made`: a list of names or a number is wanted, not `{members}`")


def start(linked: Linked, words: CaseNames, symbols: Symbols, given: CaseData) -> State:
    """The state before the first step, from `given`."""
    empty = own_piles(linked, empty_world(linked.layout), words.made)
    table = ZoneSetup(words, symbols, linked.driver.start(empty))
    table.make(given.get("made") or {})
    table.lay(given.get("zones") or {})
    laid_out = table.world
    scope = list(own_scope(linked, words.made))
    scope[linked.me] = words.value(Type("Player"), given["me"]) if "me" in given else 0
    for name, said in (given.get("state") or {}).items():
        index = linked.scope_index.get(folded(name))
        if isinstance(said, Mapping):
            for field, value in said.items():
                _set_field(table, str(name), str(field), value)
                words.world = laid_out  # things keep the names by which they were laid out
        elif index is not None:
            scope[index] = _variable(words, linked.program.scope[index], said)
        else:
            none = f"`state` has no `{name}`: there is no such variable of the game"
            raise StepNotUnderstood(none)
    return State(table.world, tuple(scope), None, (), False, None)


def _variable(words: CaseNames, variable: ScopeVariable, said: Any) -> Any:
    value = words.value(Type.parse(variable.type), said)
    if isinstance(value, int) and not within(variable, value):
        raise StepNotUnderstood(f"`{variable.name}` {reach_of(variable)}, not {said}")
    return value


def _set_field(table: ZoneSetup, thing: str, said: str, value: Any) -> None:
    words, (field_said, keys) = table.words, name_and_words(said)
    name = folded(field_said)
    for field in table.symbols.fields.get(name, {}).values():
        number = None if field.static else words.number(field.entity, thing)
        if number is None:
            continue
        key, what = words.key_of(field, keys), words.value(field.type, value)
        if isinstance(what, int) and not within(field, what):
            raise StepNotUnderstood(f"`{name}` of `{thing}` {reach_of(field)}, not {value}")
        table.put(field.entity, name, number, what, key)
        return
    known = [one for one, of in table.symbols.fields.items() if _changes(table, of, thing)]
    meant = did_you_mean(name, known)
    raise StepNotUnderstood(
        f"`{thing}` has no field `{name}` that changes in play" + (f": {meant}" if meant else "")
    )


def _changes(table: ZoneSetup, of: Mapping[str, FieldSymbol], thing: str) -> bool:
    """Whether one of these fields of the same name is of this thing, and changes in play."""
    own = (one for one in of.values() if not one.static)
    return any(table.words.number(one.entity, thing) is not None for one in own)
