"""One moment of any game, by the names of its vocabulary, as one viewer may see it.

A value that the game lacks, or that the viewer may not see, is None: a pack may have removed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ruleloom.bots.lookahead import Measured, function_called, measure
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import field_words, title_text, value_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, QueryInfo, ScopeVariable, Zone
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Dynamic, FrozenMap, Type, World

NOBODY = -1
"""A viewer without a seat, who sees only public information."""
FEW = 12


class Field(Frozen):
    """A changeable field: its column in the world, and its heading."""

    column: int
    name: str
    type: Type
    by: str
    heading: str


class KindSeen(NamedTuple):
    """The things of a kind: those in play (`there`), all of a few or the changed of many (`listed`), those
    with a value (`shown`), and their values by column, without empty columns."""

    entity: Entity
    there: list[int]
    listed: list[int]
    shown: list[int]
    cells: dict[Field, list[str]]

    @property
    def heading(self) -> str:
        """The kind's plural as a title."""
        return self.entity.plural[:1].upper() + self.entity.plural[1:]


class ZoneSeen(NamedTuple):
    """A zone, or one owner's part of it: the number of its things, and, if the viewer sees them, the things
    with their places."""

    zone: Zone
    owner: Dynamic
    many: int
    things: list[tuple[int, Dynamic]] | None


class TableScene:
    """A moment of a game for one viewer."""

    def __init__(self, linked: Linked, state: State, viewer: int) -> None:
        self.linked, self.state, self.viewer = linked, state, viewer
        self.world, self.start = state.world, start_of(linked)
        self._secrecy = secrecy_of(linked)

    # ------------------------------------------------------------------ values by name

    def things(self, kind: str) -> list[int]:
        """The things of a kind in play."""
        entity = self.linked.entities.get(kind)
        return [] if entity is None else list(self.names(entity).values())

    def names(self, entity: Entity) -> dict[str, int]:
        """The things of a kind in play, by the names that players can type."""
        return things_there(self.linked, self.world, entity)

    def column(self, name: str) -> Any:
        """A zone, or a changeable field of all things of a kind; None if the game has none such."""
        number = self.linked.layout.index.get(name)
        return None if number is None else self.world[number]

    def field(self, kind: str, name: str, thing: int) -> Dynamic:
        """A thing's value in a field, changeable or printed."""
        entity, column = self.linked.entities.get(kind), self.column(f"{kind}.{name}")
        if column is None and entity is not None:
            column = dict(entity.static).get(name)
        return None if column is None else column[thing]

    def scope(self, name: str) -> Dynamic:
        """The value of a variable of the game."""
        number = self.linked.scope_index.get(name)
        if number is None or self.hides(number):
            return None
        return self.state.scope[number]

    def hides(self, number: int) -> bool:
        """Is the value of a variable, by number, hidden from the viewer?"""
        variable, value = self.linked.program.scope[number], self.state.scope[number]
        derived = variable.name in self._secrecy.derived.scope
        type_ = Type.parse(variable.type)
        return self._secrecy.hides(self.viewer, type_, value, (self.world,), derived)

    def measured(self, name: str, *args: Dynamic) -> Dynamic:
        """The current value of a measure, rule or stat; None if it cannot be evaluated."""
        found = _measure(self.linked, name)
        if found is None or found[0] in self._secrecy.derived.functions:
            return None
        try:
            return found[1](self.state, *args)
        except (RuntimeFault, TypeError, LookupError, ArithmeticError):
            return None

    # ------------------------------------------------------------------ values in words

    def title(self, kind: str, value: Dynamic) -> str:
        """The title of a value."""
        return title_text(self.linked, self.world, Type.parse(kind), value)

    def title_or_none(self, kind: str, value: Dynamic) -> str | None:
        """The same, or None for None."""
        return None if value is None else self.title(kind, value)

    def titles(self, kind: str, values: Dynamic) -> list[str]:
        """The titles of several values."""
        return [self.title(kind, one) for one in values or ()]

    def ref(self, kind: str, value: Dynamic) -> str:
        """The reference of a thing or place, which links options to the board."""
        return f"{kind}:{self.name(kind, value)}"

    def name(self, kind: str, value: Dynamic) -> str:
        """The name of a value, as typed."""
        return value_text(self.linked, self.world, Type.parse(kind), value)

    def cell(self, field: Field, thing: int) -> str:
        """A value in brief; empty for none, no and an empty list."""
        return self.words(field.type, field.by, self.world[field.column][thing])

    def words(self, type_: Type, by: str, value: Any) -> str:
        """A value, or a table of values by name, in brief."""
        if not by:
            nothing = value is None or value is False or value == ()
            return "" if nothing else title_text(self.linked, self.world, type_, value)
        words = []
        for key in sorted(value) if isinstance(value, FrozenMap) else ():
            name, one = self.title(by, key), value[key]
            told = title_text(self.linked, self.world, type_, one)
            words.append(name if one is True else f"{name} {told}")
        return ", ".join(words)

    def variables(self, since: State | None = None) -> Iterator[str]:
        """The variables with a value to show, as far as the viewer may see them.

        Those unchanged `since` then are omitted unless always shown, as is the current player, who is marked
        elsewhere.
        """
        begun = self.linked.initial_scope
        before = begun if since is None else since.scope
        for number, variable in enumerate(self.linked.program.scope):
            value = self.state.scope[number]
            is_empty = value is None or value is False or value in ((), {}, begun[number])
            is_old = variable.shown is None and value == before[number]
            is_shown = variable.shown is not False and variable.name != "me"
            if is_shown and not (is_empty or is_old or self.hides(number)):
                yield self._variable(variable, value)

    def _variable(self, variable: ScopeVariable, value: Any) -> str:
        words = variable.english.removeprefix("the ") or field_words(self.linked, variable.name)
        if value is True:
            return words
        type_ = Type.parse(variable.type)
        by = "Player" if type_.by_player else ""
        one = Type(type_.name, type_.many, type_.optional) if by else type_
        return f"{words}: {self.words(one, by, value)}"

    # ------------------------------------------------------------------ kinds of things, zones

    def kind(self, entity: Entity) -> KindSeen:
        """The things of a kind with their values."""
        fields, there = fields_of(self.linked, entity), self.things(entity.name)
        listed = there
        if len(there) > FEW:
            listed = [one for one in there if self.have_changed(fields, [one])]
        return KindSeen(entity, there, listed, *self.cells(fields, listed))

    def cells(
        self, fields: Sequence[Field], things: Sequence[int]
    ) -> tuple[list[int], dict[Field, list[str]]]:
        """The things with a value to show, and their values by column, without empty columns."""
        speaking = [(f, one) for f in fields for one in things if self.speaks(f, one)]
        speakers = {thing for _, thing in speaking}
        shown = [thing for thing in things if thing in speakers]
        telling = dict.fromkeys(field for field, _ in speaking)
        return shown, {field: [self.cell(field, thing) for thing in shown] for field in telling}

    def have_changed(self, fields: Sequence[Field], things: Sequence[int]) -> bool:
        """Does any of these fields of these things differ from the start?"""
        columns = [(self.world[field.column], self.start[field.column]) for field in fields]
        return any(now[thing] != before[thing] for now, before in columns for thing in things)

    def speaks(self, field: Field, thing: int) -> bool:
        """Does a field of a thing have a value to show? An unchanged enum value is not shown."""
        named = field.type.name in self.linked.layout.enums and not field.by
        if named and not self.have_changed([field], [thing]):
            return False
        return says_something(self.cell(field, thing))

    def zones(self) -> Iterator[ZoneSeen]:
        """The zones, one per owner, as far as the viewer sees them."""
        for zone in self.linked.program.zones:
            column = self.column(zone.name)
            for owner, held in zone.parts(column):
                seen = self._secrecy.shows(self.viewer, zone, owner)
                pairs = (
                    [(column[at], at) for at in sorted(column)]
                    if zone.at
                    else [(one, None) for one in held]
                )
                yield ZoneSeen(zone, owner, len(held), pairs if seen else None)

    def owner(self, seen: ZoneSeen) -> str | None:
        """The name of the player or thing that has a part of a zone."""
        zone, owner = seen.zone, seen.owner
        if owner is None:
            return None
        return self.title(zone.under, owner) if zone.under else self.linked.layout.players[owner]

    def belongings(self, entity: Entity, thing: int) -> list[tuple[str, list[str]]]:
        """The belongings of a named thing, as lists with a title and names.

        They are the results of a query by field (`of: Tag.hangs_on`) whose field is the presence field of the
        other kind, grouped by that kind's first enum field.
        """
        if entity.name not in self.linked.layout.named:
            return []
        queries = _queries_of_belongings(self.linked, entity)
        return [one for query in queries for one in self._by_sort(query, thing)]

    def _by_sort(self, query: QueryInfo, owner: int) -> Iterator[tuple[str, list[str]]]:
        kind = query.of.partition(".")[0]
        column = enumerate(self.column(query.of))
        names = {number: self.title(kind, number) for number, value in column if value == owner}
        fields, enums = self.linked.entities[kind].fields, self.linked.layout.enums
        sort = next((one for one in fields if one.type in enums), None)
        if sort is None:
            yield field_words(self.linked, query.name), list(names.values())
            return
        sorts = self.column(f"{kind}.{sort.name}")
        for option in enums[sort.type]:
            if of_sort := [name for number, name in names.items() if sorts[number] == option]:
                yield option, of_sort


def says_something(text: str) -> bool:
    """Is a value neither empty nor zero?"""
    return text not in ("", "0")


# ---------------------------------------------------------------------------------- of a game, once


@lru_cache(maxsize=256)
def start_of(linked: Linked) -> World:
    """The world before the game."""
    return linked.driver.start(empty_world(linked.layout))


@lru_cache(maxsize=4_096)
def _measure(linked: Linked, name: str) -> tuple[str, Measured] | None:
    function, found = function_called(linked, name), measure(linked, name)
    return None if function is None or found is None else (function.id, found)


@lru_cache(maxsize=1_024)
def fields_of(linked: Linked, entity: Entity) -> list[Field]:
    """The drawn fields of a kind of thing, in vocabulary order.

    The name and a boolean presence field are left out, since the heading implies them.
    """
    found = []
    for info in entity.fields:
        number = linked.layout.index.get(f"{entity.name}.{info.name}")
        is_there = info.name == entity.present and info.type.removesuffix("?") == "Bool"
        if number is None or is_there or info.name == entity.named_by or not info.shown:
            continue
        column, heading = linked.layout.columns[number], field_words(linked, info.name)
        found.append(Field(number, info.name, column.type, column.by, heading))
    return found


def is_owner(linked: Linked, entity: Entity) -> bool:
    """Are things of this kind created and named by players, and have they belongings?"""
    return entity.name in linked.layout.named and bool(entity.present)


@lru_cache(maxsize=256)
def kinds_apart(linked: Linked) -> list[Entity]:
    """The kinds of things that are listed separately: all but belongings of things that players named."""
    owners = [one for one in linked.program.entities if is_owner(linked, one)]
    queries = [one for owner in owners for one in _queries_of_belongings(linked, owner)]
    owned = {one.of.partition(".")[0] for one in queries}
    return [one for one in linked.program.entities if one.name not in owned]


def _queries_of_belongings(linked: Linked, entity: Entity) -> list[QueryInfo]:
    """The queries for the belongings of a kind."""
    found = []
    for query in linked.program.queries:
        kind, _, name = query.of.partition(".")
        part = linked.entities.get(kind)
        of_entity = [type_ for _, type_ in query.params] == [entity.name]
        if part is not None and part.present == name and of_entity:
            found.append(query)
    return found


def ref_of(linked: Linked, world: World, kind: str, value: Dynamic) -> str | None:
    """The reference of an option on the board; None if it has no place there."""
    kinds: tuple[Mapping[str, object] | frozenset[str], ...]
    kinds = (linked.entities, linked.layout.points, linked.layout.enums)
    if value is None or not any(kind in one for one in kinds):
        return None
    return f"{kind}:{value_text(linked, world, Type(kind), value)}"
