"""Makes entities of content: each item of a kind with `makes: X` is one X, or several.

With `copies: n` an item makes n of them, called name, name#2, ...; with `per: numbers` one for each
number from `from` to `to`, called by the item's name and the number. Static fields come from the
item's fields of the same name, or from the number, that of the copy where an item makes several;
each entry of an owner's field `under` makes a part of it, called by its owner's name with its
number, from 1, or with its key. The order is that of `records:`, then of packs, then of `number` or
of the file, for parts that of their owners: it never depends on the names of files. Items refer to a
record by its name, with `-` or `_` alike, or in full: `pack:kind/name`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, offer, quoted_list
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.fields import TAGS
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.packs.renames import notice
from ruleloom.compiler.resolve.embedded import THING, Meaning
from ruleloom.compiler.resolve.symbols import (
    TAG_TYPE,
    EntitySymbol,
    FieldSymbol,
    PartSymbol,
    Symbols,
)
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import is_unknown, with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, text_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Entity, FieldInfo
from ruleloom.runtime.program.values import (
    BOOL,
    FRACTION,
    INT,
    TEXT,
    FrozenMap,
    Type,
    exact,
    parse_point,
)


def build_entities(content: Content, symbols: Symbols, report: Report) -> tuple[Entity, ...]:
    """All kinds of entities, with those that records make."""
    register = Register()
    for entity in symbols.entities.values():
        if entity.records and entity.part is None:
            renamed = {
                old: item for (kind, old), item in content.renamed.items() if kind in entity.records
            }
            register.enter(entity.name, _of_items(content, entity, report), renamed)
    _enter_parts(symbols, register, report)
    values = Values(symbols, register, report)
    return tuple(
        _entity(content, entity, register, values, report) for entity in symbols.entities.values()
    )


def _of_items(content: Content, entity: EntitySymbol, report: Report) -> list[Record]:
    made: list[Record] = []
    for kind in entity.records:
        per = _per_field(content, kind)
        for item in _ordered(content, kind):
            made += _made_by(item, per, report)
    return made


def _check(entity: EntitySymbol, records: list[Record], report: Report) -> None:
    """Complain about names that stand twice, too many records, and fields that nothing fills."""
    seen: set[str] = set()
    for record in records:
        if record.name in seen:
            message = f"two {entity.plural} are called `{record.name}`"
            report.error("name-clash", record.place, message)
        seen.add(record.name)
    if len(records) > entity.most:
        there = f"there are {len(records)} {entity.plural}"
        message = f"{there}, and the vocabulary allows {entity.most}"
        help = f"raise `max:` of `{entity.name}`"
        report.error("out-of-bounds", records[entity.most].place, message, help)
    if not entity.recorded and any(field.static for field in entity.fields.values()):
        message = f"nothing makes {entity.plural}, so nothing is printed on them"
        help = "`records:` names the kinds that make them"
        report.error("kinds-disagree", entity.place, message, help)


def _entity(
    content: Content, entity: EntitySymbol, register: Register, values: Values, report: Report
) -> Entity:
    records = register.records.get(entity.name, [])
    _check(entity, records, report)
    fields = [field for field in entity.fields.values() if not field.static]
    static = [field for field in entity.fields.values() if field.static]
    return Entity(
        entity.name,
        entity.singular,
        entity.plural,
        entity.most,
        tuple(_info(field, entity, values) for field in (*fields, *static)),
        tuple((field.name, _printed(entity, field, records, values)) for field in static),
        tuple(record.name for record in records),
        tuple(record.title for record in records),
        tuple(record.power for record in records),
        entity.present,
        tuple(content.origin(record.place) for record in records),
        entity.named_by,
        entity.alike,
    )


def _printed(
    entity: EntitySymbol, field: FieldSymbol, records: list[Record], values: Values
) -> tuple[Any, ...]:
    """The value of one static field of every record."""
    if field.parts:
        return values.register.parts(field.type.name, len(records))
    if entity.part is not None and field.name == entity.part.owner:
        return tuple(record.owner for record in records)
    if field.type.name == TAG_TYPE and field.written is None:
        return tuple(values.tags(record) for record in records)
    if field.default is not None:
        values.default(field)
    return values.column(field, records)


def _info(field: FieldSymbol, entity: EntitySymbol, values: Values) -> FieldInfo:
    there = not entity.present  # players too, and what a vocabulary counts out
    initial = None if field.static else values.initial(field, there)
    said = field.written.get("shown") if field.written is not None else None
    shown = said is None or said.value is not False
    return FieldInfo(field.name, str(field.type), field.low, field.high, initial, field.by, shown)


def _ordered(content: Content, kind: str) -> list[Item]:
    packs = [pack.id for pack in content.packs]

    def order(pair: tuple[int, Item]) -> tuple[int, int, int]:
        index, item = pair
        number = item.data("number")
        pack = packs.index(item.pack) if item.pack in packs else 0
        return pack, number if type(number) is int else 0, index

    return [item for _, item in sorted(enumerate(content.by_kind(kind)), key=order)]


def _made_by(item: Item, per: str, report: Report) -> list[Record]:
    title = str(item.data("title") or item.name)
    power = item.id if "effect" in item.fields else ""

    def record(name: str, title: str, number: int | None = None) -> Record:
        id = f"{item.pack}:{item.kind}/{name}"
        return Record(name, title, item.name, item.place, item.fields, item.id, id, power, number)

    if per and per in item.fields:
        span = item.data(per)
        if not isinstance(span, dict) or not all(
            type(span.get(end)) is int for end in ("from", "to")
        ):
            message = f"`{per}` must be numbers from ... to ..."
            report.error("type-mismatch", item.fields[per].place, message)
            return []
        if span["from"] > span["to"]:
            message = f"nothing is from {span['from']} to {span['to']}, so this makes nothing"
            help = "the smaller number stands first"
            report.error("out-of-bounds", item.fields[per].place, message, help)
            return []
        numbers = range(span["from"], min(span["to"], span["from"] + 1_000) + 1)
        return [record(f"{item.name}{number}", f"{title} {number}", number) for number in numbers]
    copies = item.data("copies")
    count = copies if type(copies) is int and copies > 0 else 1
    if count == 1:
        return [record(item.name, title)]
    names = [item.name, *(f"{item.name}#{copy}" for copy in range(2, count + 1))]
    return [record(name, title, copy) for copy, name in enumerate(names, 1)]


def item_numbers(content: Content, symbols: Symbols) -> dict[str, tuple[int, ...]]:
    """The numbers of the entities that each item makes, by the item's id."""
    numbers: dict[str, tuple[int, ...]] = {}
    for entity in symbols.entities.values():
        for number, record in enumerate(_of_items(content, entity, Report())):
            numbers[record.item] = (*numbers.get(record.item, ()), number)
    return numbers


def _per_field(content: Content, kind: str) -> str:
    for vocabulary in content.by_kind("vocabulary"):
        entry = entries_of(vocabulary.fields.get("kinds")).get(kind)
        if per := text_of(entries_of(entry).get("per")):
            return per
    return ""


# -------------------------------------------------------------------------------------------- parts


def _enter_parts(symbols: Symbols, register: Register, report: Report) -> None:
    """Make the parts of all records, and the parts of those."""
    waiting = [entity for entity in symbols.entities.values() if entity.part is not None]
    while ready := [one for one in waiting if one.part and one.part.of in register.records]:
        for entity in ready:
            register.enter(entity.name, list(_Entries(entity, symbols, register, report).records()))
        waiting = [one for one in waiting if one not in ready]


# What makes one part: its number or key, where that stands, whether it is sound, its fields.
_Entry = tuple[str, Place, bool, Mapping[str, YamlNode]]


class _Entries:
    """The entries that make parts of one kind."""

    def __init__(
        self, entity: EntitySymbol, symbols: Symbols, register: Register, report: Report
    ) -> None:
        assert entity.part is not None, "it is a part"
        self.entity = entity
        self.part: PartSymbol = entity.part
        self.register = register
        self.report = report
        parts = (one.part for one in symbols.entities.values() if one.part is not None)
        inner = [part.under for part in parts if part.of == entity.name]
        printed = [field.name for field in entity.fields.values() if field.static]
        apart = (self.part.owner, self.part.key)
        self.known = [name for name in (*printed, *inner) if name not in apart]

    def records(self) -> Iterator[Record]:
        for number, owner in enumerate(self.register.records[self.part.of]):
            node = owner.fields.get(self.part.under)
            if node is None or node.kind == "null":
                continue
            if node.kind != ("map" if self.part.key else "list"):
                form = "`{name: value, name: value}`" if self.part.key else "`[one, another]`"
                what = "a mapping" if self.part.key else "a list"
                message = f"{what} of {self.entity.plural} is wanted here"
                self.report.error("type-mismatch", node.place, message, form)
                continue
            yield from self.of_owner(owner, number, node)

    def of_owner(self, owner: Record, number: int, node: YamlNode) -> Iterator[Record]:
        for word, place, fine, fields in self.entries(node):
            found = self.refers(self.part.key or self.part.short, fields)
            if self.part.key and found is not None:
                word = found.name
            name, said = f"{owner.name}.{word}", f"{owner.said}.{word}"
            title = found.title if found is not None else name
            yield Record(name, title, said, place, fields, owner=number, broken=not fine)

    def entries(self, node: YamlNode) -> Iterator[_Entry]:
        """The entries of a list or a mapping: number or key, place, soundness and fields."""
        if not self.part.key:
            for count, entry in enumerate(node.items, 1):
                fine = entry.kind != "null" or self.refuse(entry)
                fine, fields = self.fields(entry, self.part.short) if fine else (False, {})
                yield str(count), entry.place, fine, fields
            return
        for key, entry in node.entries.items():
            written = key_node(node, key)
            fine, fields = self.fields(entry, self.part.value)
            yield key, written.place, fine, {self.part.key: written, **fields}

    def fields(self, entry: YamlNode, plain: str) -> tuple[bool, Mapping[str, YamlNode]]:
        """Whether an entry is sound, and its fields; a plain value is that of the field `plain`."""
        if entry.kind == "map":
            known = {key: child for key, child in entry.entries.items() if self.check(entry, key)}
            return len(known) == len(entry.entries), known
        if entry.kind == "null":
            return True, {}
        return (True, {plain: entry}) if plain else (self.refuse(entry), {})

    def refuse(self, entry: YamlNode) -> bool:
        """Complain that an entry says nothing, or says it without the names of fields."""
        message = f"the fields of {with_article(self.entity.singular)} are wanted here"
        self.report.error("type-mismatch", entry.place, message, "`{field: value, field: value}`")
        return False

    def check(self, entry: YamlNode, key: str) -> bool:
        if key in self.known:
            return True
        noun = with_article(self.entity.singular)
        message = f"{noun} has no field `{key}`"
        if key == self.part.owner:
            message = f"`{key}` of {noun} is whoever it stands with, and is not written"
        elif key == self.part.key:
            message = f"`{key}` of {noun} stands before the colon, and is not written again"
        help = did_you_mean(key, self.known)
        self.report.error("unknown-field", entry.key_place(key), message, help)
        return False

    def refers(self, field: str, fields: Mapping[str, YamlNode]) -> Record | None:
        """The record that a field names, if it names one."""
        symbol, node = self.entity.fields.get(field), fields.get(field)
        if symbol is None or node is None or symbol.type.many:
            return None
        number = self.register.find(symbol.type.name, node.text or node.raw)
        return None if number is None else self.register.records[symbol.type.name][number]


# The most values of an enum that the help for a wrong one lists.
MOST_SHOWN = 12
MISSING_SHOWN = 3
QUOTES = ("'", '"')
# The first value of a field that declares none.
NATURAL = {INT: 0, FRACTION: 0, BOOL: False, TEXT: ""}


@dataclass(frozen=True, slots=True)
class Record:
    """One entity made by an item, or by an entry of one. `said` is its name in messages.

    `item` is the id of the item that makes it, `id` its own, which differs where the item makes
    several. `number` is set where the item makes one for each number, `owner` where the record is
    part of another. A `broken` one had fields refused, so missing ones are not reported.
    """

    name: str
    title: str
    said: str
    place: Place
    fields: Mapping[str, YamlNode]
    item: str = ""
    id: str = ""
    power: str = ""
    number: int | None = None
    owner: int | None = None
    broken: bool = False


@dataclass(slots=True)
class Register:
    """The records of each entity, in their order."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _renamed: dict[tuple[str, str], Item] = field(default_factory=dict)

    def enter(
        self, entity: str, records: list[Record], renamed: Mapping[str, Item] | None = None
    ) -> None:
        """Take in the records of an entity; `renamed` are the items that had other names before."""
        self.records[entity] = records
        numbers = self._numbers[entity] = {}
        for number, record in enumerate(records):
            for name in (record.name, record.id):
                numbers.setdefault(folded(name), number)
        for old, item in (renamed or {}).items():
            for name, new in ((old, item.name), (f"{item.pack}:{item.kind}/{old}", item.id)):
                if folded(name) not in numbers and folded(new) in numbers:
                    numbers[folded(name)] = numbers[folded(new)]
                    self._renamed[entity, folded(name)] = item

    def renamed(self, entity: str, name: str) -> Item | None:
        """The item that had this name before."""
        return self._renamed.get((entity, folded(name)))

    def find(self, entity: str, name: str) -> int | None:
        """The number of the record that an item calls `name`."""
        return self._numbers.get(entity, {}).get(folded(name)) if name else None

    def parts(self, entity: str, owners: int) -> tuple[tuple[int, ...], ...]:
        """The numbers of the parts of each owner."""
        found: list[list[int]] = [[] for _ in range(owners)]
        for number, record in enumerate(self.records.get(entity, ())):
            if record.owner is not None:
                found[record.owner].append(number)
        return tuple(map(tuple, found))

    def names(self, entity: str) -> list[str]:
        """The names of the records of an entity."""
        return [record.name for record in self.records.get(entity, ())]


def folded(name: str) -> str:
    """A name with `-` and `_` alike."""
    return name.replace("-", "_")


@dataclass(slots=True, eq=False)
class Values:
    """Reads the values of static fields; all records have their names by now."""

    symbols: Symbols
    register: Register
    report: Report
    _defaults: dict[tuple[str, str], Any] = field(default_factory=dict)
    _readers: dict[str, Callable[[YamlNode], Any]] = field(default_factory=dict)

    def column(self, field: FieldSymbol, records: Sequence[Record]) -> tuple[Any, ...]:
        """The values of one field of all records."""
        may_lack = field.type.optional or field.type.many or field.default is not None
        if field.by or field.name == "number" or not may_lack:
            return tuple([self.of(field, record) for record in records])
        unsaid, name = self.default(field), field.name
        return tuple([self.of(field, one) if name in one.fields else unsaid for one in records])

    def of(self, field: FieldSymbol, record: Record) -> Any:
        """The value of one field of one record."""
        node = record.fields.get(field.name)
        if field.by:
            return self._table(field, record, node)
        if node is None and field.name == "number" and record.number is not None:
            return record.number
        if node is None or node.kind == "null":
            may_lack = field.type.optional or field.type.many
            if field.default is not None and (node is None or not may_lack):
                return self.default(field)
            if not may_lack and not record.broken and not is_unknown(field.type):
                message = f"`{record.said}` has no `{field.name}`"
                help = f"every {self.symbols.nouns[field.entity][0]} has one: add `{field.name}:`"
                self.report.error("missing-value", record.place, message, help)
            return _nothing(field.type)
        return self._read(field, node)

    def tags(self, record: Record) -> tuple[str, ...]:
        """The tags that a record carries, and the wider ones, in the order of their items."""
        written = items_of(record.fields.get(TAGS))
        held = self.symbols.families.widened(slug_of(one.text or one.raw) for one in written)
        return tuple(tag for tag in self.symbols.tags if tag in held)

    def default(self, field: FieldSymbol) -> Any:
        """The value where an item says nothing; worked out, and complained about, once."""
        key = field.entity, field.name
        if key not in self._defaults:
            node = field.default
            self._defaults[key] = _nothing(field.type)
            if node is not None and node.kind != "null":
                self._defaults[key] = self._read(field, node)
        return self._defaults[key]

    def initial(self, field: FieldSymbol, there: bool) -> Any:
        """The first value of a field that changes. `there`: things have it from the start."""
        if field.default is not None:
            return self.default(field)
        natural = NATURAL.get(field.type) if there or field.by else None
        may_lack = field.type.optional or field.type.many or is_unknown(field.type)
        if natural is None and not may_lack and (there or field.by) and field.written is not None:
            message = f"`{field.name}` needs a value to begin with"
            self.report.error("missing-value", field.written.place, message, "add `initial:`")
        if natural is not None and field.written is not None:
            self._bounded(field, field.written, natural, "add `initial:`")
        return natural if natural is not None else _nothing(field.type)

    # ------------------------------------------------------------------ tables

    def _table(self, field: FieldSymbol, record: Record, node: YamlNode | None) -> FrozenMap:
        """A value for each key: the written ones, and the default for the others."""
        given = self._entries(field, node) if node is not None and node.kind != "null" else {}
        records = self.register.records.get(field.by, ())
        keys: Sequence[Any] = self.symbols.enums.get(field.by) or range(len(records))
        may_lack = field.default is not None or field.type.optional or field.type.many
        if given is not None and not may_lack and not record.broken:
            left = [key for key in keys if key not in given]
            if left and not self._are_new(field, record, left):
                self._missing(field, record, node, left)
        return FrozenMap({**dict.fromkeys(keys, self.default(field)), **(given or {})})

    def _entries(self, field: FieldSymbol, node: YamlNode) -> dict[Any, Any] | None:
        """The written entries of a table; None after a complaint about a key."""
        given: dict[Any, Any] = {}
        by, fine = Type(field.by), node.kind == "map"
        if not fine:
            message = f"a value for each {self.symbols.noun(by)} is wanted here"
            self._wrong(node, message, "`{name: value, name: value}`")
        for name, child in node.entries.items():
            key = self.single(by, key_node(node, name))
            if key is None:
                fine = False
            elif key in given:
                message = f"`{name}` stands here twice"
                self.report.error("name-clash", node.key_place(name), message)
            else:
                empty = child.kind == "null"
                given[key] = _nothing(field.type) if empty else self._read(field, child)
        return given if fine else None

    def _are_new(self, field: FieldSymbol, record: Record, left: list[Any]) -> bool:
        """Are these keys values that another pack has added, which this record cannot know?"""
        new = self.symbols.new_values
        if not new.are_all_new(field.by, left, record.place, self.symbols.belonging):
            return False
        new.note(field.by, left, record.said, field.name, record.item or record.said, record.place)
        return True

    def _missing(
        self, field: FieldSymbol, record: Record, node: YamlNode | None, left: list[Any]
    ) -> None:
        names = self.register.names(field.by)
        words = [key if isinstance(key, str) else names[key] for key in left]
        shown = words if len(words) <= MISSING_SHOWN else [*words[:MISSING_SHOWN], "..."]
        message = f"`{record.said}` has no `{field.name}` for {quoted_list(shown, 'or')}"
        place = node.place if node is not None else record.place
        help = f"add `{words[0]}:`, or give the field a `default:`"
        self.report.error("missing-value", place, message, help)

    # ------------------------------------------------------------------ values as they are written

    def _read(self, field: FieldSymbol, node: YamlNode) -> Any:
        if not field.type.many:
            return self._bounded(field, node, self.single(field.type, node))
        if node.kind != "list":
            plural = self.symbols.nouns.get(field.type.name, ("", "values"))[1]
            help = "`[]`" if node.text == "none" else f"`[{node.raw}]`" if node.text else None
            self._wrong(node, f"a list of {plural} is wanted here", help)
            return ()
        values: dict[Any, YamlNode] = {}
        item = field.type.item
        for one in node.items:
            value = self._bounded(field, one, self.single(item, one))
            if value is not None and value in values:
                self._repeated(field, one, values[value].place)
            values.setdefault(value, one)
        return tuple(values)

    def _repeated(self, field: FieldSymbol, node: YamlNode, first: Place) -> None:
        """Report a repeated value. A patch may have appended it: then the list stands elsewhere."""
        shown = node.text or node.raw
        if first.path == node.place.path:
            self.report.error("repeated-entry", node.place, f"`{shown}` stands here twice")
            return
        message = f"`{shown}` is in `{field.name}` already"
        notes = [Note(first, "the list of the item has it here")]
        self.report.error("repeated-entry", node.place, message, "leave it out", notes)

    def _bounded(
        self, field: FieldSymbol, node: YamlNode, value: Any, help: str | None = None
    ) -> Any:
        if isinstance(value, int | Fraction) and field.type.name in (INT.name, FRACTION.name):
            low, high = field.low, field.high
            if (low is not None and value < low) or (high is not None and value > high):
                message = f"{value} is not within `min` and `max` of `{field.name}`"
                self.report.error("out-of-bounds", node.place, message, help)
        return value

    def single(self, type_: Type, node: YamlNode) -> Any:
        """One value; None after a complaint."""
        if node.text == "none" and type_.optional and "none" not in self.symbols.options_of(type_):
            message = "what is left out is none"
            return self._wrong(node, message, "leave it out")
        read = self._readers.get(type_.name)  # it is no list: its name says all
        if read is None:
            read = self._readers[type_.name] = self._reader(type_)
        return read(node)

    def _reader(self, type_: Type) -> Callable[[YamlNode], Any]:
        """The reader of the values of a type, whose names are looked up once."""
        options = self.symbols.options_of(type_)
        if options:
            return partial(self._option, type_, options)
        if self.symbols.is_recorded(type_.name):
            return partial(self._record, type_)
        noun = with_article(self.symbols.noun(type_))
        if type_.name in self.symbols.points:
            return partial(self._parsed, parse_point, noun, "`2/-1`")
        if type_.name in self.symbols.entities:
            message = f"no item makes {noun}, so none can be named here"
            help = f"`type: {type_.name}?` without a value"
            return lambda node: self._wrong(node, message, help)
        if type_.name == FRACTION.name:
            return partial(self._parsed, exact, "a number", "`3`, `1/2` or `0.5`")
        return partial(self._plain, type_)

    def _plain(self, type_: Type, node: YamlNode) -> Any:
        kinds = {INT.name: "int", BOOL.name: "bool", TEXT.name: "text"}
        if node.kind != kinds.get(type_.name, node.kind):
            wanted = {INT.name: "a number", BOOL.name: "`true` or `false`"}.get(type_.name, "text")
            types = {INT.name: "integer", BOOL.name: "boolean"}.get(type_.name, "string")
            return self._wrong(node, f"{wanted} is wanted here", how_to_write(node, (types,)))
        return None if is_unknown(type_) or node.kind in ("map", "list") else node.value

    def _option(self, type_: Type, options: Sequence[str], node: YamlNode) -> Any:
        value = node.text or node.raw
        if value in options:
            return value
        if self.symbols.poisoned.may_declare(value):
            return None
        message = f"`{value}` is no {self.symbols.noun(type_)}"
        there_are = f"there are {quoted_list(options)}" if len(options) <= MOST_SHOWN else None
        help = did_you_mean(value, options)
        if isinstance(help, Suggestion) and there_are is not None:
            help = Suggestion(value, help.right, f"{help} {there_are}")
        self.report.error("unknown-name", node.place, message, help or there_are)
        return None

    def _record(self, type_: Type, node: YamlNode) -> Any:
        if node.kind in ("map", "list"):
            noun = with_article(self.symbols.noun(type_))
            return self._wrong(node, f"the name of {noun} is wanted here")
        name = node.text or node.raw
        found = self.register.find(type_.name, name)
        if found is None and not self._broken(type_.name, name):
            message = f"there is no {self.symbols.noun(type_)} `{name}`"
            known = self.register.names(type_.name)
            help = offer(name, known)
            self.report.error("unknown-name", node.place, message, help)
        if found is not None:
            meaning = Meaning(THING, f"{type_.name}.{found}")
            self.symbols.uses.note_value(node, meaning, self.symbols.noun(type_))
        if (item := self.register.renamed(type_.name, name)) is not None:
            notice(self.report, node.place, name, item, item.id if ":" in name else item.name)
        return found

    def _broken(self, entity: str, name: str) -> bool:
        """May this be the name of an item that could not be read?"""
        symbols = self.symbols
        if entity not in self.register.records:
            return True
        while (part := symbols.entities[entity].part) is not None and part.of in symbols.entities:
            entity, name = part.of, name.split(".")[0]
        kinds, poisoned = symbols.entities[entity].records, symbols.poisoned
        return poisoned.may_declare(name.rpartition("/")[2]) or any(map(poisoned.may_hold, kinds))

    def _parsed(self, parse: Callable[[str], Any], wanted: str, help: str, node: YamlNode) -> Any:
        try:
            return parse(node.text or node.raw)
        except ValueError:
            return self._wrong(node, f"{wanted} is wanted here", help)

    def _wrong(self, node: YamlNode, message: str, help: str | None = None) -> Any:
        self.report.error("type-mismatch", node.place, message, help)
        return None


def key_node(node: YamlNode, key: str) -> YamlNode:
    """A key of a mapping, as a value of its own."""
    assert node.key_spans is not None, "only a map has keys"
    start, end = node.key_spans[key]
    quote = node.source.text[start : start + 1]
    return YamlNode(node.source, "text", key, start, end, style=quote if quote in QUOTES else None)


def _nothing(type_: Type) -> Any:
    return () if type_.many else None
