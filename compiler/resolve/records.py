"""Makes entities from content: each item of a kind with `makes: X` is one X, or several.

With `copies: n` an item makes n of them, named name, name#2, ...; with `per: numbers` one for each
number from `from` to `to`, named after the item and the number. Static fields come from the item's
fields of the same name, or from the number, which is that of the copy if an item makes several; each
entry of an owner's field `under` makes a part of it, named after its owner with its number, from 1, or
its key. The order is that of `records:`, then of packs, then of `number` or of the file, for parts that
of their owners: it never depends on file names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import (
    TAG_TYPE,
    EntitySymbol,
    FieldSymbol,
    PartSymbol,
    Symbols,
)
from ruleloom.compiler.resolve.values import Record, Register, Values, item_meant, key_node
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, text_of
from ruleloom.runtime.program.program import Entity, FieldInfo

# The source of one part: its number or key, place, validity and fields.
_Entry = tuple[str, Place, bool, Mapping[str, YamlNode]]


def build_entities(content: Content, symbols: Symbols, report: Report) -> tuple[Entity, ...]:
    """All entities, with the things that records make."""
    register = Register()
    _enter_items(content, symbols, register, report)
    _enter_parts(symbols, register, report)
    return _entities(content, symbols, register, report)


def _enter_items(content: Content, symbols: Symbols, register: Register, report: Report) -> None:
    """Make the records of all items."""
    for entity in symbols.entities.values():
        if entity.records and entity.part is None:
            register.enter(entity.name, _of_items(content, entity, report))


def _entities(
    content: Content, symbols: Symbols, register: Register, report: Report
) -> tuple[Entity, ...]:
    values = Values(symbols, register, report)
    return tuple(
        _entity(content, entity, register, values, report) for entity in symbols.entities.values()
    )


def _of_items(content: Content, entity: EntitySymbol, report: Report) -> list[Record]:
    packs = [pack.id for pack in content.packs]

    def order(item: Item) -> tuple[int, int]:
        number = item.data("number")
        pack = packs.index(item.pack) if item.pack in packs else 0
        return pack, number if type(number) is int else 0

    made: list[Record] = []
    for kind in entity.records:
        per = _per(content, kind)
        for item in sorted(content.by_kind(kind), key=order):
            made += _made_by(item, per, report)
    return made


def _per(content: Content, kind: str) -> str:
    """The field by whose numbers an item of a kind makes several things; empty without one."""
    kinds = (node for name, node, _ in sections(content, "kinds") if name == kind)
    return next(filter(None, (text_of(node.get("per")) for node in kinds)), "")


def _check(entity: EntitySymbol, records: list[Record], report: Report) -> None:
    """Report duplicate names, too many records, and fields that nothing fills."""
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
    fields = sorted(entity.fields.values(), key=attrgetter("static"))
    static = [field for field in fields if field.static]
    return Entity(
        entity.name,
        entity.singular,
        entity.plural,
        entity.most,
        tuple(_info(field, entity, values) for field in fields),
        tuple((field.name, _printed(entity, field, records, values)) for field in static),
        tuple(record.name for record in records),
        tuple(record.title for record in records),
        tuple(record.power for record in records),
        entity.present,
        tuple(content.origin(record.place) for record in records),
        entity.named_by,
        entity.alike,
        entity.person,
        entity.described,
    )


def _printed(
    entity: EntitySymbol, field: FieldSymbol, records: list[Record], values: Values
) -> tuple[Any, ...]:
    """The values of one static field, by record."""
    if field.parts:
        return values.register.parts(field.type.name, len(records))
    if field.default is not None:
        values.default(field)
    return tuple(_value(entity, field, record, values) for record in records)


def _value(entity: EntitySymbol, field: FieldSymbol, record: Record, values: Values) -> Any:
    """The value of one static field of a record, other than its parts."""
    if entity.part is not None and field.name == entity.part.owner:
        return record.owner
    if field.type.name == TAG_TYPE and field.written is None:
        return values.tags(record)
    return values.of(field, record)


def _info(field: FieldSymbol, entity: EntitySymbol, values: Values) -> FieldInfo:
    there = not entity.present  # players too, and entities with a fixed number
    initial = None if field.static else values.initial(field, there)
    said = field.written.get("shown") if field.written is not None else None
    shown = said is None or said.value is not False
    return FieldInfo(
        field.name, str(field.type), field.low, field.high, initial, field.by, shown, field.called
    )


def _numbered(item: Item, per: str, report: Report) -> range:
    """The numbers for which an item makes records; empty after an error."""
    span, place = item.data(per), item.fields[per].place
    if not isinstance(span, dict) or not all(type(span.get(end)) is int for end in ("from", "to")):
        report.error("type-mismatch", place, f"`{per}` must be numbers from ... to ...")
        return range(0)
    first, last = span["from"], span["to"]
    if first > last:
        message = f"nothing is from {first} to {last}, so this makes nothing"
        report.error("out-of-bounds", place, message, "the smaller number stands first")
    return range(first, min(last, first + 1_000) + 1)


def _made_by(item: Item, per: str, report: Report) -> list[Record]:
    title = str(item.data("title") or item.name)
    power = item.id if "effect" in item.fields else ""

    def record(name: str, title: str, number: int | None = None) -> Record:
        id = f"{item.pack}:{item.kind}/{name}"
        return Record(name, title, item.name, item.place, item.fields, item.id, id, power, number)

    if per and per in item.fields:
        numbers = _numbered(item, per, report)
        return [record(f"{item.name}{number}", f"{title} {number}", number) for number in numbers]
    copies = item.data("copies")
    if type(copies) is not int:
        return [record(item.name, title)]
    names = [item.name, *(f"{item.name}#{copy}" for copy in range(2, copies + 1))]
    return [record(name, title, copy) for copy, name in enumerate(names, 1)]


def item_numbers(content: Content, symbols: Symbols) -> dict[str, tuple[int, ...]]:
    """The numbers of the entities that each item makes, by the item's id."""
    numbers: dict[str, tuple[int, ...]] = {}
    for entity in symbols.entities.values():
        for number, record in enumerate(_of_items(content, entity, Report())):
            numbers[record.item] = (*numbers.get(record.item, ()), number)
    return numbers


def _enter_parts(symbols: Symbols, register: Register, report: Report) -> None:
    """Make the parts of all records, recursively."""
    waiting = [entity for entity in symbols.entities.values() if entity.part is not None]
    while ready := [one for one in waiting if one.part and one.part.of in register.records]:
        for entity in ready:
            register.enter(entity.name, list(_Entries(entity, symbols, register, report).records()))
        waiting = [one for one in waiting if one not in ready]


class _Entries:
    """The entries that make the parts of one entity."""

    def __init__(
        self, entity: EntitySymbol, symbols: Symbols, register: Register, report: Report
    ) -> None:
        assert entity.part is not None, "it is a part"
        self.entity = entity
        self.part: PartSymbol = entity.part
        self.symbols = symbols
        self.register = register
        self.report = report
        parts = (one.part for one in symbols.entities.values() if one.part is not None)
        inner = [part.under for part in parts if part.of == entity.name]
        printed = [field.name for field in entity.fields.values() if field.static]
        apart = (self.part.owner, self.part.key)
        self.known = [name for name in (*printed, *inner) if name not in apart]

    def records(self) -> Iterator[Record]:
        for number, owner in enumerate(self.register.records[self.part.of]):
            yield from self.of_owner(owner, number)

    def of_owner(self, owner: Record, number: int) -> Iterator[Record]:
        """The parts of one owner."""
        node = owner.fields.get(self.part.under)
        if node is None or not self.fits(node):
            return
        for word, place, fine, fields in self.entries(node):
            found = self.refers(self.part.key or self.part.short, fields)
            if self.part.key and found is not None:
                word = found.name
            name, said = f"{owner.name}.{word}", f"{owner.said}.{word}"
            title = found.title if found is not None else name
            yield Record(name, title, said, place, fields, owner=number, broken=not fine)

    def fits(self, node: YamlNode) -> bool:
        """Whether these are entries; reports anything else, but nothing of what is empty."""
        wanted = "map" if self.part.key else "list"
        if node.kind not in (wanted, "null"):
            form = "`{name: value, name: value}`" if self.part.key else "`[one, another]`"
            what = "a mapping" if self.part.key else "a list"
            message = f"{what} of {self.entity.plural} is wanted here"
            self.report.error("type-mismatch", node.place, message, form)
        return node.kind == wanted

    def entries(self, node: YamlNode) -> Iterator[_Entry]:
        """Yield the entries of a list or a mapping: number or key, place, validity and fields."""
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
        """Whether an entry is valid, and its fields; a plain value is that of the field `plain`."""
        if entry.kind == "map":
            known = {key: child for key, child in entry.entries.items() if self.check(entry, key)}
            return len(known) == len(entry.entries), known
        if entry.kind == "null":
            return True, {}
        return (True, {plain: entry}) if plain else (self.refuse(entry), {})

    def refuse(self, entry: YamlNode) -> bool:
        """Report an entry that is empty, or lacks field names; False."""
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
        """The record that a field refers to."""
        symbol, node = self.entity.fields.get(field), fields.get(field)
        if symbol is None or node is None or symbol.type.many:
            return None
        of, name = symbol.type.name, node.text or node.raw
        number = self.register.find(of, name)
        if number is None and (item := item_meant(self.symbols, of, name, node.place)) is not None:
            number = self.register.find(of, item.name)
        return None if number is None else self.register.records[of][number]


class ReadRow(NamedTuple):
    """The record of an item, or a part of one, and its values by static field; `path` is where it stands in
    the item."""

    number: int
    name: str
    title: str
    path: tuple[str | int, ...]
    values: tuple[Any, ...]


class RecordReader:
    """Reads one record of a game again and again: the records of the other items are made once.

    The record stands in place of the item of this name, or after all others. Of an item that makes several
    things the first is read.
    """

    def __init__(self, content: Content, symbols: Symbols, kind: str, name: str) -> None:
        self.symbols, self.entity = symbols, symbols.entities[symbols.kinds[kind]]
        self.register = Register()
        self.per = _per(content, kind)
        report = Report()
        _enter_items(content, symbols, self.register, report)
        records = self.register.records[self.entity.name]
        numbers = [
            number for number, one in enumerate(records) if one.item.endswith(f"{kind}/{name}")
        ]
        self.number = numbers[0] if numbers else len(records)
        place = self.entity.place
        records[self.number : self.number + 1] = [Record("", "", "", place, {}, broken=True)]
        _enter_parts(symbols, self.register, report)
        self.entities = _entities(content, symbols, self.register, report)
        self.parts = self._parts_of(self.entity)
        """The entities whose things are parts of the record, each after its owner."""

    def _parts_of(self, entity: EntitySymbol) -> tuple[EntitySymbol, ...]:
        own = (one for one in self.symbols.entities.values() if one.part is not None)
        found = [one for one in own if one.part and one.part.of == entity.name]
        return tuple(inner for one in found for inner in (one, *self._parts_of(one)))

    def read(self, item: Item, report: Report) -> dict[str, tuple[ReadRow, ...]]:
        """The rows that an item makes, by entity; mistakes go to the report."""
        made, *more = _made_by(item, self.per, report) or _made_by(item, "", report)
        if more:
            report.warning("out-of-bounds", item.place, "of several things, this is the first")
        main, register = self.entity.name, self.register.apart(self.entity.name, self.number, made)
        paths: dict[str, dict[int, tuple[str | int, ...]]] = {main: {self.number: ()}}
        for entity in self.parts:
            assert entity.part is not None, "it is a part"
            entries, part = _Entries(entity, self.symbols, register, report), entity.part
            found, before = [*register.records[entity.name]], paths[part.of]
            paths[entity.name] = {}
            for number, path in before.items():
                owner = register.records[part.of][number]
                for count, record in enumerate(entries.of_owner(owner, number)):
                    step = list(owner.fields[part.under].entries)[count] if part.key else count
                    paths[entity.name][len(found)] = (*path, part.under, step)
                    found.append(record)
            register.enter(entity.name, found)
        values = Values(self.symbols, register, report)
        return {
            entity.name: tuple(self._rows(entity, register, values, paths))
            for entity in (self.entity, *self.parts)
        }

    def _rows(
        self,
        entity: EntitySymbol,
        register: Register,
        values: Values,
        paths: Mapping[str, Mapping[int, tuple[str | int, ...]]],
    ) -> Iterator[ReadRow]:
        fields = [field for field in entity.fields.values() if field.static]
        for number, path in paths[entity.name].items():
            record = register.records[entity.name][number]
            row = tuple(
                self._own_parts(field.type.name, number, register, paths)
                if field.parts
                else _value(entity, field, record, values)
                for field in fields
            )
            yield ReadRow(number, record.name, record.title, path, row)

    def _own_parts(
        self,
        entity: str,
        owner: int,
        register: Register,
        paths: Mapping[str, Mapping[int, tuple[str | int, ...]]],
    ) -> tuple[int, ...]:
        records = register.records[entity]
        return tuple(number for number in paths[entity] if records[number].owner == owner)
