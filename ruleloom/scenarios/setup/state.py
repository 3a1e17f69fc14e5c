"""The state of a case about things or effect text: set up from `given`, and read for its claims.

Names and values are resolved in the game's program; cases are checked before they are run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ruleloom.api.requirements import CANNOT, why_not
from ruleloom.compiler.cases.case_words import NONE, as_list, folded, name_and_words, number_in
from ruleloom.compiler.resolve.symbols import TAG_TYPE, EntitySymbol, FieldSymbol, Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.link.ops import with_member
from ruleloom.runtime.machine.labels import constant, number_text, title_text, value_text
from ruleloom.runtime.play.corrections import thing_of, things_there
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Expr, Zone
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.program.values import PLAYER, FrozenMap, Type, World, with_entry
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.setup.things import Made, own_piles, own_scope, unmarked

PART_OF_NAME = re.compile(r"[^.#]+")
PLAIN = ("Int", "Fraction", "Bool")
UNNAMED = ("Int", "Fraction", "Text")  # types without a value that could be named `none`


@lru_cache(maxsize=64)
def _numbers(names: tuple[str, ...]) -> Mapping[str, int]:
    """The number of each thing by its folded name; the first of two namesakes."""
    return {folded(name): number for number, name in reversed(tuple(enumerate(names)))}


@dataclass(eq=False)
class CaseNames:
    """The scope of a case's names and values: its own `things` with their entities, the program's names,
    and things made in play in `world`."""

    linked: Linked
    things: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""  # suffix of its things' names in the program
    world: World = ()
    made: dict[tuple[str, str], int] = field(default_factory=dict)
    """The index of each thing under `made:`, by its entity and name."""

    @classmethod
    def of(cls, made: Made, linked: Linked) -> CaseNames:
        """The names of a case that declares things or texts."""
        return cls(linked, made.things, made.mark)

    def number(self, entity: str, name: str) -> int | None:
        """The index of a case's thing (`hero`, `hero.lore`), a game's, or a player; or None."""
        if entity == "Player":
            players = self.linked.layout.players
            return players.index(name) if name in players else None
        known = _numbers(self.linked.layout.names.get(entity, ()))
        number = known.get(folded(self.marked(name)))
        found = self.linked.entities.get(entity)
        if number is not None or not self.world or found is None or known:
            return number
        there = thing_of(self.linked, self.world, found, name)
        has_names = entity in self.linked.layout.named
        return self._made(found, name) if there is None and not has_names else there

    def _made(self, entity: Entity, name: str) -> int | None:
        """The index of what stands under `made:`, if it is there."""
        made = self.made.get((entity.name, name))
        return made if made in things_there(self.linked, self.world, entity).values() else None

    def marked(self, name: str) -> str:
        """The program's name of a thing of this case, or of a part or copy of one."""
        own = set(map(folded, self.things))
        return PART_OF_NAME.sub(lambda one: one[0] + self.mark * (folded(one[0]) in own), name)

    def value(self, type_: Type, word: Any) -> Any:
        """The value of this type that a case's word denotes; StepNotUnderstood if there is none."""
        if type_.many:
            return self._values(type_, word)
        if type_.optional and (word is None or (word == NONE and type_.name in UNNAMED)):
            return None
        match type_.name:
            case "Text":
                return str(word)
            case "Bool" if isinstance(word, bool):
                return word
            case "Int" | "Fraction" if isinstance(number := number_in(str(word)), int):
                return number
        return self._named(type_, str(word))

    def _named(self, type_: Type, name: str) -> Any:
        """The case's thing of this name, else the program's constant."""
        thing = self.number(type_.name, name)
        try:
            return constant(self.linked, type_, name) if thing is None else thing
        except (ValueError, KeyError) as error:
            raise StepNotUnderstood(f"`{name}` is no {type_.name}") from error

    def _values(self, type_: Type, word: Any) -> tuple[Any, ...]:
        """The values of a list, in the machine's order."""
        words = [] if word in (NONE, None) else as_list(word)
        items = [self.value(type_.item, one) for one in words]
        return tuple(sorted(items, reverse=True) if type_.repeats else dict.fromkeys(items))

    def key_of(self, field: FieldSymbol, words: Sequence[str]) -> tuple[Any, ...]:
        """The key into a table field, from the words in parentheses after its name; empty for others."""
        return (self.value(Type(field.by), words[0]),) if field.by else ()

    def owner(self, zone: Zone, word: Any) -> Any:
        """Whoever has a part of a zone, or its place; a case may name a made one that has left."""
        made = self.made.get((zone.parted_by, str(word)))
        return self.value(Type(zone.parted_by), word) if made is None else made

    def parts(self, said: CaseData) -> Iterator[tuple[Zone, Any, Any, Any]]:
        """The parts of zones that a case names, one for each owner named: the zone, the owner or
        None, the things held, and the case's entry."""
        for name, of_zone in said.items():
            zone = self.linked.zones[folded(name)]
            held: Any = self.world[self.linked.layout.index[zone.name]]
            if zone.parted:
                for player, part in of_zone.items():
                    owner = self.owner(zone, player)
                    yield zone, owner, dict(zone.parts(held)).get(owner, ()), part
            else:
                yield zone, None, held, of_zone

    def called(self, zone: Zone, lying: Sequence[int]) -> list[str]:
        """The sorted names of things in a zone, without marks."""
        kind = Type(zone.of)
        return sorted(unmarked(value_text(self.linked, self.world, kind, one)) for one in lying)

    def shown(self, world: World, type_: Type, value: Any) -> Any:
        """A value in case notation."""
        is_plain = not type_.many and type_.name in PLAIN
        if value is not None and is_plain:
            return value
        is_titled = type_.name in self.linked.layout.named and value is not None
        text, kind = title_text if is_titled else value_text, type_.item if type_.many else type_
        many = value if type_.many else (value,)
        called = sorted(unmarked(text(self.linked, world, kind, one)) for one in many)
        return called if type_.many else called[0]


def claim_text(value: Any) -> str:
    """A claimed value in case notation, a list without its brackets."""
    is_list = isinstance(value, list)
    return ", ".join(map(_within, value)) or "nothing" if is_list else _within(value)


def _within(value: Any) -> str:
    match value:
        case Mapping():
            return "{" + ", ".join(f"{key}: {_within(one)}" for key, one in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_within, value))}]"
        case bool():
            return "true" if value else "false"
        case Fraction():
            return number_text(value)
    return NONE if value is None else str(value)


# ------------------------------------------------------------------------------------ numbers


@dataclass
class ClaimedNumbers:
    """The values of fields, stats and measures in one world; `cannot` is the message for a missing one."""

    symbols: Symbols
    words: CaseNames
    world: World
    scope: tuple[Any, ...]
    cannot: str = CANNOT

    def __post_init__(self) -> None:
        self.linked = self.words.linked
        self.words.world = self.world

    def wrong(self, numbers: Mapping[str, Any]) -> Iterator[str]:
        """The messages of the claims about numbers that do not hold."""
        for name, said in numbers.items():
            of_one = said if isinstance(said, Mapping) else {name: said}
            thing = str(name) if isinstance(said, Mapping) else ""
            for asked, wanted in of_one.items():
                found = self.value_of(str(asked), thing)
                if found not in (as_found(wanted, found), self._as_tags(wanted)):
                    label = f"{thing}: {asked}" if thing else asked
                    yield f"{label}: wanted {claim_text(wanted)}, found {claim_text(found)}"

    def _as_tags(self, wanted: Any) -> Any:
        """The claimed tags by their names in effect text; None if one is no tag."""
        tags = sorted(map(folded, as_list(wanted)))
        if not all(map(self.symbols.tags.__contains__, tags)):
            return None
        return tags if isinstance(wanted, list) else tags[0]

    def value_of(self, asked: str, thing: str = "") -> Any:
        """The value that a case asks for, in case notation; StepNotUnderstood if it has none."""
        said, words = name_and_words(asked)
        name = folded(said)
        if name in self.linked.scope_index and not thing and not words:
            index = self.linked.scope_index[name]
            type_ = Type.parse(self.linked.program.scope[index].type)
            return self.words.shown(self.world, type_, self.scope[index])
        fields = self.symbols.fields.get(name)
        if fields:
            entity, subject = self._whose(fields, name, thing)
            field = fields[entity]
            key = self.words.key_of(field, words)
            expr: Expr = ("static" if field.static else "field", f"{entity}.{name}", ("slot", 0))
            expr = ("lookup", expr, ("slot", 1)) if key else expr
            return self._computed(expr, (subject, *key), field.type, name)
        return self._value_of_call(asked, thing)

    def _value_of_call(self, asked: str, thing: str) -> Any:
        """The value of a query, stat or measure, whose first argument may be the thing."""
        said, words = name_and_words(asked)
        callee = self.symbols.callables.get(folded(said))
        if callee is None or callee.result is None:
            raise StepNotUnderstood(f"there is no stat or measure `{said}`")
        first: tuple[Any, ...] = ()
        if thing or len(words) != len(callee.params):
            first = self._whose([callee.params[0].type.name], callee.name, thing)[1:]
        left = callee.params[len(first) :]
        values = [self.words.value(one.type, word) for one, word in zip(left, words, strict=True)]
        form = ("query", callee.name) if callee.kind == "query" else ("function", callee.id)
        expr = (*form, *(("slot", number) for number in range(len(callee.params))))
        return self._computed(expr, (*first, *values), callee.result, asked)

    def _whose(self, entities: Collection[str], name: str, thing: str) -> tuple[str, int]:
        """The entity and index of the named thing, else of the only one with this field or parameter."""
        found = [(entity, one) for entity in entities for one in self._fitting(entity, thing)]
        if len(found) == 1:
            return found[0]
        if thing:
            raise StepNotUnderstood(f"`{thing}` is nothing of this case that has a `{name}`")
        first = next((one for one, of in self.words.things.items() if of in entities), None)
        say = f"say of which: `{first}: {{{name}: ...}}`"
        help = "none of the things has one" if first is None else say
        raise StepNotUnderstood(f"whose `{name}`? {help}")

    def _fitting(self, entity: str, thing: str) -> list[int]:
        """The index of the named thing; without a name, of the case's only thing of this entity."""
        own = [name for name, kind in self.words.things.items() if kind == entity]
        numbers = [self.words.number(entity, one) for one in ([thing] if thing else own)]
        return [one for one in numbers if one is not None] if len(numbers) == 1 else []

    def _computed(self, expr: Expr, slots: tuple[Any, ...], type_: Type, asked: str) -> Any:
        try:
            value = self.linked.codegen.value(expr)(self.world, slots, self.scope, NO_RULES)
        except (TypeError, RuntimeFault) as error:
            raise StepNotUnderstood(f"`{asked}`: {why_not(error, self.cannot)}") from error
        return self.words.shown(self.world, type_, value)


def as_found(wanted: Any, found: Any) -> Any:
    """The claimed value in the form of `found`: numbers exactly, also `1/2` and `40 9/10`."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        said = {"yes": True, "no": False}.get(wanted, wanted)
        return said if isinstance(said, bool) and isinstance(found, bool) else None
    if isinstance(found, list) and isinstance(wanted, int):
        return found if len(found) == wanted else None
    if isinstance(found, int | Fraction):
        return number_in(str(wanted))
    return sorted(map(str, wanted)) if isinstance(wanted, list) else str(wanted)


# -------------------------------------------------------------------------------------- zones


@dataclass
class ZoneSetup:
    """A world being filled with the things of a case."""

    words: CaseNames
    symbols: Symbols
    world: World

    def __post_init__(self) -> None:
        self.linked = self.words.linked
        self.words.world = self.world

    def make(self, said: CaseData) -> None:
        """Make the things of `{Card: {ann: {keeper: A}}}`: by kind and name, with their fields."""
        waiting: list[tuple[EntitySymbol, int, dict[str, Any]]] = []
        for kind, named in said.items():
            entity = self.symbols.entities[kind]
            for name, fields in named.items():
                own = {folded(key): value for key, value in fields.items()}
                type_ = entity.fields[entity.present].type
                there = self.words.value(type_, own.pop(entity.present))
                waiting.append((entity, self._new(entity, str(name), there), own))
        # Things may refer to each other, so all are made before any other field is set.
        for entity, number, own in waiting:
            for key, value in own.items():
                name, words = name_and_words(key)
                field = entity.fields.get(name)
                if field is not None:
                    self.put(field, number, words, value)
                else:
                    self._fill_list(self.symbols.callables[name].of, number, value)

    def _new(self, entity: EntitySymbol, name: str, there: Any) -> int:
        """The index of a new thing of this name; `there` is the value of its presence field."""
        place = self.linked.layout.index[f"{entity.name}.{entity.present}"]
        number = self.world[place].index(None)
        self._set(place, with_entry(self.world[place], number, there))
        if entity.named_by:
            self.put(entity.fields[entity.named_by], number, (), name)
        self.words.made[entity.name, name] = int(number)
        return int(number)

    def _fill_list(self, of: str, owner: int, said: Any) -> None:
        """Fill a query's list with things: by name, or a number of them for each value of an option field."""
        entity = self.symbols.entities[of.partition(".")[0]]
        changing = [one for one in entity.fields.values() if not one.static]
        for value, members in said.items() if isinstance(said, Mapping) else [("", said)]:
            sorts = [one for one in changing if value in self.symbols.options_of(one.type)]
            for name in [value] * members if isinstance(members, int) else map(str, members):
                number = self._new(entity, name, owner)
                for one in sorts:
                    self.put(one, number, (), value)

    def lay(self, said: CaseData) -> None:
        """Put things into zones, as in `{drawer: [red], hand: {A: [ace]}}`."""
        for zone, player, _, names in self.words.parts(said):
            column = self.linked.layout.index[zone.name]
            for name in names:
                thing = self._lying_nowhere(zone.of, str(name))
                self._set(column, with_member(self.world[column], thing, player))

    def _lying_nowhere(self, kind: str, name: str) -> int:
        """The first thing of this name that can be placed."""
        names = self.linked.layout.names.get(kind, ())
        wanted = folded(self.words.marked(name))
        bare = (folded(one.partition("#")[0]) for one in names)  # without the copy number
        both = zip(map(folded, names), bare, strict=True)
        alike = [number for number, called in enumerate(both) if wanted in called]
        taken = things_in(self.linked, self.world, kind)
        free = next((one for one in alike if one not in taken), None)
        if free is not None:
            return free
        drawn = next((one for one in alike if self._drawn(kind, one)), None)
        if drawn is None:
            raise StepNotUnderstood(f"there is no other `{name}` that could lie there")
        return drawn

    def _drawn(self, kind: str, thing: int) -> bool:
        """Remove a thing from the lazy pile that holds it; False if none does."""
        piles = [zone for zone in self.linked.program.zones if zone.of == kind and zone.lazy]
        for column in (self.linked.layout.index[zone.name] for zone in piles):
            if thing in self.world[column]:
                self._set(column, tuple(one for one in self.world[column] if one != thing))
                return True
        return False

    def put(self, field: FieldSymbol, number: int, words: Sequence[str], said: Any) -> None:
        """Set a field of a thing, or one entry of a table field, by the `words` behind its name."""
        place = self.linked.layout.index[f"{field.entity}.{field.name}"]
        value, key = self.words.value(field.type, said), self.words.key_of(field, words)
        if field.name == "tags" and field.type.name == TAG_TYPE:
            value = self.symbols.families.widened(value)
        if key:
            # Entries equal to the initial value are not kept.
            table: FrozenMap = self.world[place][number]
            kept = value != self.linked.layout.columns[place].initial
            value = table.with_item(key[0], value) if kept else table.without(key[0])
        self._set(place, with_entry(self.world[place], number, value))

    def change(self, said: CaseData, scope: list[Any]) -> None:
        """Set fields of things and variables of the game, as in `{A: {purse: 3}, price: 2}`."""
        laid_out, linked = self.world, self.linked
        for name, value in said.items():
            if isinstance(value, Mapping):
                for field_name, one in value.items():
                    self.set_field(str(name), str(field_name), one)
                    self.words.world = laid_out  # things keep the names by which they were laid out
            else:
                index = linked.scope_index[folded(name)]
                scope[index] = self.words.value(Type.parse(linked.program.scope[index].type), value)

    def set_field(self, thing: str, said: str, value: Any) -> None:
        """Set a field of the thing of this name."""
        name, words = name_and_words(said)
        for one in self.symbols.fields.get(folded(name), {}).values():
            number = None if one.static else self.words.number(one.entity, thing)
            if number is not None:
                self.put(one, number, words, value)
                return
        raise StepNotUnderstood(f"`{thing}` has no field `{name}` that changes in play")

    def _set(self, column: int, value: Any) -> None:
        self.world = self.words.world = with_entry(self.world, column, value)


def things_in(linked: Linked, world: World, entity: str) -> list[int]:
    """All things of an entity in zones, each as often as it lies there."""
    found: list[int] = []
    for zone in linked.program.zones:
        if zone.of == entity:
            parts = zone.parts(world[linked.layout.index[zone.name]])
            found.extend(number for _, part in parts for number in part)
    return found


def same_names(wanted: Iterable[Any], found: Iterable[Any]) -> bool:
    """Are these the same names, in any order?"""
    return sorted(map(folded, wanted)) == sorted(map(folded, found))


def start(linked: Linked, words: CaseNames, symbols: Symbols, given: CaseData) -> State:
    """The state before the first step, from `given`."""
    empty = own_piles(linked, empty_world(linked.layout), words.mark)
    table = ZoneSetup(words, symbols, linked.driver.start(empty))
    table.make(given.get("made") or {})
    table.lay(given.get("zones") or {})
    scope = list(own_scope(linked, words.mark))
    scope[linked.me] = words.value(PLAYER, given["me"]) if "me" in given else 0
    table.change(given.get("state") or {}, scope)
    return State(table.world, tuple(scope), None, (), False, None)
