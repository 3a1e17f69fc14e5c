"""The state of a game at a question, carried by names to another version of its rules.

In goes a state with the program it was reached by, out comes one for the other program, and what that
program has no place for: it is set aside with its name and what it was, and never dropped. What has
happened stays as it is. The routines in which the state stands go on only where both versions have the
same program for them; otherwise `Waits` says which one the game has to come out of first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.play.carried_names import NewNames, shape
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Entity, Simultaneous
from ruleloom.runtime.program.state import Frame, Queued, State, frames
from ruleloom.runtime.program.values import (
    ENDS,
    Column,
    ColumnInfo,
    Dynamic,
    FrozenMap,
    Type,
    Value,
    World,
)

# What stands in place of a value that refers to something gone.
LOST: Dynamic = object()
GONE = "it is gone in the new version"
REFERS = "it refers to what is gone"
OTHER_TYPE = "it holds something else in the new version"


class Aside(NamedTuple):
    """What the new version has no place for: whose it was (empty for the table), what, and why."""

    of: str
    name: str
    was: str
    why: str

    @property
    def words(self) -> str:
        """The line for people."""
        what = f"{self.name} of {self.of}" if self.of else self.name
        return f"{what}, {self.was}: {self.why}" if self.was else f"{what}: {self.why}"


class CarriedState(NamedTuple):
    """A state under the new version, and what was set aside."""

    state: State
    aside: tuple[Aside, ...]


class Waits(Refused):
    """The game stands in a routine that reads otherwise in the new version; `routine` is its id."""

    def __init__(self, routine: str) -> None:
        super().__init__(f"`{routine}` is under way, and reads otherwise in the new version")
        self.routine = routine


class Bounded(NamedTuple):
    """Where a value goes: its type, the bounds of numbers, and what it starts with; `started` is what it
    started with in the old version."""

    type: Type
    low: int | None
    high: int | None
    initial: Value
    started: Value


def carry(old: Linked, state: State, new: Linked, renames: Mapping[str, str]) -> CarriedState:
    """The state for another version, with `renames` of its names. Raises Waits."""
    one = _Carrying(old.original, state, new.original, renames)
    world = one.carried_world()
    scope = one.carried_scope(state.scope)
    one.compare_settings()
    frame = one.carried_frame(state.frame)
    queue = tuple(one.carried_queue(state.queue))
    after = State(world, scope, frame, queue, state.begun, state.outcome)
    return CarriedState(after, tuple(one.aside))


class _Carrying:
    """One state on its way. `things` has the new number of each thing, or None if it is gone."""

    def __init__(self, old: Linked, state: State, new: Linked, renames: Mapping[str, str]) -> None:
        self.old, self.new, self.world = old, new, state.world
        self.names = NewNames(old.program, new.program, renames)
        self.aside: list[Aside] = []
        kinds = {name: self.names.of_declared("type", name, new.entities) for name in old.entities}
        self.kinds = {name: kind for name, kind in kinds.items() if kind is not None}
        self.things = {name: self._numbers(one) for name, one in old.entities.items()}
        while any(self._lose(one) for one in old.entities.values()):
            pass

    # ------------------------------------------------------------------ things

    def _numbers(self, entity: Entity) -> list[int | None]:
        """The new number of each thing of a kind."""
        there = self.old.layout.number_there(entity.name)
        kind = self.kinds.get(entity.name)
        if kind is None:
            return [None] * there
        most, names = self.new.layout.number_there(kind), self.new.layout.names_of(kind)
        if kind == "Player" or not (entity.names or names):
            return [number if number < most else None for number in range(there)]
        numbers = {name: number for number, name in enumerate(names)}
        found = (self.names.of_item(name, numbers) for name in entity.names)
        return [None if name is None else numbers[name] for name in found]

    def _lose(self, entity: Entity) -> bool:
        """Lose the things that cannot be without something lost; return whether there were any."""
        if not entity.present:
            return False
        things, layout, any_lost = self.things[entity.name], self.old.layout, False
        columns = [layout.index[f"{entity.name}.{field.name}"] for field in entity.changing]
        needed = [
            (info, self.world[at])
            for at in columns
            if _is_needed(info := layout.columns[at], f"{entity.name}.{entity.present}")
        ]
        for number in range(len(things)):
            if (
                things[number] is not None
                and self._is_there(entity.name, number)
                and any(
                    self._one(info.type.name, column[number]) is LOST for info, column in needed
                )
            ):
                things[number], any_lost = None, True
        return any_lost

    def _is_there(self, entity: str, number: int) -> bool:
        column = self.old.column_of(entity)
        return column is None or self.world[column][number] is not None

    # ------------------------------------------------------------------ values

    def _one(self, kind: str, value: Dynamic) -> Dynamic:
        """A single value of a type of the old version; LOST if it is gone."""
        if value is None or kind == "Player":  # a piece of a seat where nobody sits is never there
            return value
        if kind in self.things:
            number = self.things[kind][value]
            return LOST if number is None else number
        if kind in self.old.layout.enums:
            return self._enum_value(kind, value)
        return value

    def _enum_value(self, kind: str, value: str) -> Dynamic:
        now = self._type_name(kind)
        known = {f"{now}.{one}" for one in self.new.layout.enums.get(now, ())}
        found = self.names.of_declared("value", f"{kind}.{value}", known)
        if found is None and f"{now}.{value}" in known:
            return value
        return LOST if found is None else found.partition(".")[2]

    def _type_name(self, kind: str) -> str:
        """What a type is called in the new version."""
        if kind in self.old.entities:
            return self.kinds.get(kind, "")
        return self.names.of_declared("type", kind, self.new.layout.enums) or kind

    def _value(self, type_: Type, value: Dynamic) -> Dynamic:
        """A value of a type; LOST if it, or one of its parts, is gone."""
        if isinstance(value, FrozenMap):
            pairs = [(who, self._one(type_.name, one)) for who, one in value.items()]
            return LOST if any(one is LOST for _, one in pairs) else FrozenMap(pairs)
        if type_.many and isinstance(value, tuple):
            found = tuple([self._one(type_.name, one) for one in value])
            return LOST if any(one is LOST for one in found) else found
        return self._one(type_.name, value)

    def _placed(self, of: str, name: str, type_: Type, value: Dynamic, to: Bounded) -> Dynamic:
        """A value for its place in the new version; what does not fit there is set aside."""

        def put_aside(why: str, instead: Dynamic) -> Dynamic:
            self._put(of, name, title_text(self.old, self.world, type_, value), why)
            return instead

        if not self._agrees(type_, to.type, value):
            return to.initial if value == to.started else put_aside(OTHER_TYPE, to.initial)
        found = self._value(type_, value)
        if found is LOST:
            if not type_.many:
                return put_aside(REFERS, None if to.type.optional else to.initial)
            left = tuple(now for one in value if (now := self._one(type_.name, one)) is not LOST)
            return put_aside(REFERS, left)
        if isinstance(found, int | Fraction) and type_.name in ("Int", "Fraction"):
            if to.low is not None and found < to.low:
                return put_aside(f"the least is {to.low} in the new version", to.low)
            if to.high is not None and found > to.high:
                return put_aside(f"the most is {to.high} in the new version", to.high)
        return found

    def _agrees(self, was: Type, now: Type, value: Value) -> bool:
        """Can a place of a type take a value of another?"""
        name = self._type_name(was.name)
        same = now.name == name or (name, now.name) == ("Int", "Fraction")
        form = (was.many, was.by_player, was.repeats) == (now.many, now.by_player, now.repeats)
        return same and form and (now.optional or value is not None or was.optional == now.optional)

    def _put(self, of: str, name: str, was: str, why: str) -> None:
        self.aside.append(Aside(of, name, was, why))

    def _called(self, entity: str, number: int) -> str:
        return str(title_text(self.old, self.world, Type(entity), number))

    # ------------------------------------------------------------------ the world

    def carried_world(self) -> World:
        """The columns of the new version: those of a game that begins, with what there is put in."""
        layout = self.new.layout
        started = self.new.driver.start(empty_world(layout))
        columns = [
            self._without_carried(info, column)
            for info, column in zip(layout.columns, started, strict=True)
        ]
        for info, column in zip(self.old.layout.columns, self.world, strict=True):
            if info.kind == "field":
                self._carry_field(columns, info, column)
            else:
                self._carry_zone(columns, info, column)
        self._tell_lost()
        return tuple(columns)

    def _without_carried(self, info: ColumnInfo, column: Column) -> Column:
        """A column of a game that begins, with the things that are new alone."""
        if info.kind == "field":
            return column
        mine = {
            number
            for name, kind in self.kinds.items()
            if kind == info.type.name
            for number in self.things[name]
        }
        left = [
            (at, tuple(one for one in ids if one not in mine)) for at, ids in _parts(info, column)
        ]
        return _zone_made(info.kind, dict(left))

    def _carry_field(self, columns: list[Column], info: ColumnInfo, column: Column) -> None:
        entity, _, field = info.name.partition(".")
        at = self._column_at(info, entity, field)
        if at is None:
            self._put_column(info, entity, column)
            return
        now = self.new.layout.columns[at]
        to = self._bounds(now, info.initial)
        entries = list(columns[at])
        for number, thing in enumerate(self.things[entity]):
            if thing is None:
                continue
            value = column[number]
            if info.by:
                entries[thing] = self._table(entity, number, info, now, value, to)
            elif self._is_there(entity, number):
                of = self._called(entity, number) if self._differs(info, value, to) else ""
                entries[thing] = self._placed(of, field, info.type, value, to)
            elif value != info.initial:
                entries[thing] = self._kept(info.type, value, to)
        columns[at] = tuple(entries)

    def _differs(self, info: ColumnInfo, value: Dynamic, to: Bounded) -> bool:
        """Might this value be set aside? Only for those are things called by name."""
        found = self._value(info.type, value)
        return found is LOST or info.type != to.type or (to.low, to.high) != (None, None)

    def _kept(self, type_: Type, value: Dynamic, to: Bounded) -> Dynamic:
        """What a thing that is not there was left with, if it fits."""
        found = self._value(type_, value) if self._agrees(type_, to.type, value) else LOST
        return to.initial if found is LOST else found

    def _column_at(self, info: ColumnInfo, entity: str, field: str) -> int | None:
        """The column of a field in the new version, of the same form."""
        kind = self.kinds.get(entity)
        index = self.new.layout.index
        name = self.names.of_declared("field", info.name, index)
        if name is None and kind is not None:
            name = f"{kind}.{field}" if f"{kind}.{field}" in index else None
        if name is None or name.partition(".")[0] != kind:
            return None
        now = self.new.layout.columns[index[name]]
        alike = now.kind == "field" and bool(now.by) == bool(info.by)
        return (
            index[name] if alike and (not info.by or now.by == self._type_name(info.by)) else None
        )

    def _bounds(self, info: ColumnInfo, started: Value) -> Bounded:
        entity, _, field = info.name.partition(".")
        one = next(one for one in self.new.entities[entity].fields if one.name == field)
        return Bounded(info.type, one.low, one.high, info.initial, started)

    def _put_column(self, info: ColumnInfo, entity: str, column: Column) -> None:
        """Set aside a field that the new version has not, of each thing that goes on."""
        nothing = FrozenMap() if info.by else info.initial
        for number, value in enumerate(column):
            if value != nothing and self._is_there(entity, number):
                name = field_words(self.old, info.name.partition(".")[2])
                told = self._told(info, value)
                self._put(self._called(entity, number), name, told, GONE)

    def _told(self, info: ColumnInfo, value: Dynamic) -> str:
        """A field's value in words; of a table, its entries."""
        if not info.by:
            return str(title_text(self.old, self.world, info.type, value))
        entries = (
            f"{title_text(self.old, self.world, Type(info.by), key)} "
            f"{title_text(self.old, self.world, info.type, one)}"
            for key, one in value.items()
        )
        return ", ".join(entries)

    def _table(
        self, entity: str, number: int, info: ColumnInfo, now: ColumnInfo, table: FrozenMap,
        to: Bounded,
    ) -> FrozenMap:  # fmt: skip
        """A table of a thing; entries that are not there have the initial value of their version."""
        found: dict[Any, Any] = {}
        if info.initial != now.initial:
            keys = self.old.layout.enums.get(info.by)
            every = range(self.old.layout.number_there(info.by)) if keys is None else keys
            table = FrozenMap({key: table.get(key, info.initial) for key in every})
        for key, value in table.items():
            field = info.name.partition(".")[2]
            name = f"{field} {title_text(self.old, self.world, Type(info.by), key)}"
            place = self._one(info.by, key)
            if place is LOST:
                told = str(title_text(self.old, self.world, info.type, value))
                self._put(self._called(entity, number), name, told, GONE)
                continue
            entry = self._placed(self._called(entity, number), name, info.type, value, to)
            if entry != now.initial:
                found[place] = entry
        return FrozenMap(found)

    def _carry_zone(self, columns: list[Column], info: ColumnInfo, column: Column) -> None:
        at = self._zone_at(info)
        parts: dict[Dynamic, tuple[int, ...]] = {}
        for key, ids in _parts(info, column):
            place = self._one(info.by, key) if info.by else key
            if at is None or place is LOST:
                self._put_zone(info, ids)
                continue
            things = (self.things[info.type.name][one] for one in ids)
            parts[place] = tuple(one for one in things if one is not None)
        if at is not None:
            for key, ids in _parts(self.new.layout.columns[at], columns[at]):
                parts[key] = (*parts.get(key, ()), *ids)  # what is new begins there
            columns[at] = _zone_made(info.kind, parts)

    def _zone_at(self, info: ColumnInfo) -> int | None:
        """The column of a zone in the new version, of the same form."""
        index = self.new.layout.index
        name = self.names.of_declared("zone", info.name, index)
        if name is None:
            return None
        now = self.new.layout.columns[index[name]]
        alike = (now.kind, now.type.name) == (info.kind, self.kinds.get(info.type.name))
        return index[name] if alike else None

    def _put_zone(self, info: ColumnInfo, ids: Sequence[int]) -> None:
        """Set aside where things lay; the things go on, and lie nowhere."""
        zone = info.name.replace("_", " ")
        for one in ids:
            if self.things[info.type.name][one] is not None:
                self._put(self._called(info.type.name, one), "place", zone, GONE)

    def _tell_lost(self) -> None:
        """Set aside the things that are gone, with all that was kept of them."""
        begun = self.old.driver.start(empty_world(self.old.layout))
        for entity, numbers in self.things.items():
            gone = [one for one, thing in enumerate(numbers) if thing is None]
            one = self.old.entities[entity]
            for number in gone if entity != "Player" else ():
                told = list(self._of_lost(one, number, begun))
                if told or (one.present and self._is_there(entity, number)):
                    name = f"the {one.singular} {self._called(entity, number)}"
                    self._put("", name, ", ".join(told), GONE)

    def _of_lost(self, entity: Entity, number: int, begun: World) -> Iterator[str]:
        """Where a lost thing lay, and its fields that differ from those of a game that begins."""
        layout = self.old.layout
        if not self._is_there(entity.name, number):
            return
        for at, kind in self.old.zones_of.get(entity.name, ()):
            for key, ids in _parts(layout.columns[at], self.world[at]):
                if number in ids:
                    yield f"in {self._part_called(layout.columns[at], kind, key)}"
        if entity.name not in self.kinds:
            return  # its fields have been set aside one by one
        for field in entity.changing:
            at = layout.index[f"{entity.name}.{field.name}"]
            value = self.world[at][number]
            if value != begun[at][number]:
                name = field_words(self.old, field.name)
                yield f"{name} {self._told(layout.columns[at], value)}"

    def _part_called(self, info: ColumnInfo, kind: str, key: Dynamic) -> str:
        zone = info.name.replace("_", " ")
        if kind == "each":
            return f"the {zone} of {self.old.layout.players[key]}"
        return f"{zone} {key[0]}/{key[1]}" if kind == "map" else zone

    # ------------------------------------------------------------------ variables and settings

    def carried_scope(self, scope: Sequence[Dynamic]) -> tuple[Dynamic, ...]:
        """The variables of the new version: what they were, or what new ones begin with."""
        found = list(self.new.initial_scope)
        for variable, value in zip(self.old.program.scope, scope, strict=True):
            name = self.names.of_declared("variable", variable.name, self.new.scope_index)
            at = None if name is None else self.new.scope_index[name]
            type_, begins = Type.parse(variable.type), self.old.scope_index[variable.name]
            if at is not None and at == self.new.together:
                found[at] = self._looking_back(value)
            elif at is not None:
                one = self.new.program.scope[at]
                started = self.old.initial_scope[begins]
                to = Bounded(Type.parse(one.type), one.low, one.high, found[at], started)
                said = variable.name.replace("_", " ")
                found[at] = self._placed("", said, type_, value, to)
            elif value != self.old.initial_scope[begins]:
                told = str(title_text(self.old, self.world, type_, value))
                self._put("", variable.name.replace("_", " "), told, GONE)
        return tuple(found)

    def _looking_back(self, held: Dynamic) -> Dynamic:
        """What responses look back to. A world of the past is only kept where nothing has moved in it."""
        if not held or (not held[0] and not held[1]):
            return held
        if [*self.old.layout.columns] != [*self.new.layout.columns] or any(
            one != at for numbers in self.things.values() for at, one in enumerate(numbers)
        ):
            raise Waits(self.old.program.turn)
        return held

    def compare_settings(self) -> None:
        """Set aside what the host had chosen, where the new version plays by another value."""
        new = self.new.settings
        known = {one.name: one for one in self.old.program.settings}
        for name, value in self.old.settings.items():
            if value == known[name].value:
                continue
            now = self.names.of_item(name, new)
            if now is None or new[now] != value:
                why = GONE if now is None else f"it does not fit there, and is {new[now]}"
                self._put("", f"the setting {name}", str(value), why)

    # ------------------------------------------------------------------ routines

    def carried_frame(self, frame: Frame | None) -> Frame | None:
        """The routines in which the game stands. Raises Waits."""
        found: Frame | None = None
        for one in reversed([*frames(frame)]):
            found = self._frame(one, found)
        return found

    def _frame(self, frame: Frame, parent: Frame | None) -> Frame:
        was = self.old.program.routines[frame.routine]
        id = self.names.of_item(was.id, self.new.routine_index)
        if id is None or self._is_other(was.id, id):
            raise Waits(was.id)
        held = {row.slot for row in was.rows if isinstance(row, Simultaneous)}
        slots = [
            self._looking_back(value) if at in held else self._slot(was.id, type_, value)
            for at, (type_, value) in enumerate(zip(was.slot_types, frame.slots, strict=True))
        ]
        restore = tuple(self._restored(was.id, at, value) for at, value in frame.restore)
        return frame._replace(
            routine=self.new.routine_index[id],
            slots=tuple(slots),
            parent=parent,
            inherited=self._rules(frame.inherited),
            relaxed=self._rules(frame.relaxed),
            restore=restore,
        )

    def _is_other(self, was: str, now: str) -> bool:
        """Is a routine another program in the new version?"""
        old, new = self.old, self.new
        before = old.program.routines[old.routine_index[was]]
        after = new.program.routines[new.routine_index[now]]
        if before.rows == after.rows and before.slots == after.slots and not self._has_moved:
            return False
        return bool(self._renamed(shape(old.program, before)) != shape(new.program, after))

    @property
    def _has_moved(self) -> bool:
        """Has a thing another number?"""
        return any(one != at for numbers in self.things.values() for at, one in enumerate(numbers))

    def _renamed(self, form: Any) -> Any:
        """The shape of a routine with the names of the new version."""
        if isinstance(form, str):
            return self.names.later(form)
        if not isinstance(form, tuple):
            return form
        if len(form) == 3 and form[0] == "record" and isinstance(form[2], str):
            kind = self.kinds.get(form[1]) or str(form[1])
            known = self.new.layout.names_of(kind)
            return ("record", kind, self.names.of_item(form[2], known))
        return tuple(map(self._renamed, form))

    def _slot(self, routine: str, type_text: str, value: Dynamic) -> Dynamic:
        if value is None or not type_text:
            if self._has_moved and isinstance(value, int | tuple) and not isinstance(value, bool):
                raise Waits(routine)  # it may be a thing with another number
            return value
        found = self._value(Type.parse(type_text), value)
        if found is LOST:
            raise Waits(routine)
        return found

    def _restored(self, routine: str, at: int, value: Dynamic) -> tuple[int, Dynamic]:
        """A variable to reset when a routine ends."""
        variable = self.old.program.scope[at]
        name = self.names.of_declared("variable", variable.name, self.new.scope_index)
        if name is None:
            raise Waits(routine)
        now = self.new.scope_index[name]
        if now == self.new.together:
            return now, self._looking_back(value)
        return now, self._slot(routine, variable.type, value)

    def _rules(self, rules: frozenset[str]) -> frozenset[str]:
        """The rules that are lifted; what is no rule any more lifts nothing."""
        known = {one.id for one in self.new.program.functions} | self.new.marks
        found = set()
        for rule in rules:
            id, by, player = rule.partition(" of player ")
            now = rule if rule in known else self.names.of_item(id, known)
            if now is None:
                self._put("", f"the lifted rule {id}", "", GONE)
            else:
                found.add(f"{now}{by}{player}" if rule not in known else now)
        return frozenset(found)

    def carried_queue(self, queue: Sequence[Queued]) -> Iterator[Queued]:
        """The responses that wait. One of another form is set aside."""
        for one in queue:
            was = self.old.program.routines[one.routine]
            id = self.names.of_item(was.id, self.new.routine_index)
            at = None if id is None else self.new.routine_index[id]
            now = None if at is None else self.new.program.routines[at]
            types = was.slot_types[: len(one.args)]
            if at is None or now is None or now.params != was.params:
                self._put("", f"the waiting response of {was.id}", "", GONE)
                continue
            args = tuple(
                self._slot(was.id, type_, value)
                for type_, value in zip(types, one.args, strict=True)
            )
            past = self._looking_back(one.past)
            yield one._replace(routine=at, args=args, rules=self._rules(one.rules), past=past)


def _parts(info: ColumnInfo, column: Column) -> Iterator[tuple[Dynamic, tuple[int, ...]]]:
    """The parts of a zone with what lies in each: by player, place, end, or all in one."""
    if info.kind == "map":
        yield from ((at, (one,)) for at, one in column.items())
    elif info.kind == "under":
        yield from column.items()
    elif info.kind in ("each", ENDS):
        yield from enumerate(column)
    else:
        yield 0, column


def _is_needed(info: ColumnInfo, present: str) -> bool:
    """Can a thing not be without the one thing that this field names?"""
    single = not (info.type.many or info.type.by_player or info.by)
    return single and (not info.type.optional or info.name == present)


def _zone_made(kind: str, parts: Mapping[Dynamic, tuple[int, ...]]) -> Column:
    """The column of a zone from its parts."""
    if kind == "map":
        return FrozenMap({at: ids[0] for at, ids in parts.items() if ids})
    if kind == "under":
        return FrozenMap({at: tuple(sorted(ids)) for at, ids in parts.items() if ids})
    if kind == ENDS:
        return tuple(parts[at] for at in sorted(parts))
    if kind == "each":
        return tuple(tuple(sorted(parts[at])) for at in sorted(parts))
    return tuple(sorted(parts[0]))
