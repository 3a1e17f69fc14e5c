"""Makes entities of content: each item of a kind with `makes: X` is one X, or several.

With `copies: n` an item makes n of them, called name, name#2, ...; with `per: numbers` one for each
number from `from` to `to`, called by the item's name and the number. Static fields come from the
item's fields of the same name, or from the number, that of the copy where an item makes several;
entries of an item make parts (`ruleloom.compiler.resolve.record_parts`). The order is that of
`records:`, then of packs, then of `number` or of the file: it never depends on the names of files.
"""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.record_parts import enter_parts
from ruleloom.compiler.resolve.record_values import Record, Register, Values
from ruleloom.compiler.resolve.symbols import TAG_TYPE, EntitySymbol, FieldSymbol, Symbols
from ruleloom.compiler.yaml.node import entries_of
from ruleloom.runtime.program.program import Entity, FieldInfo


def build_entities(content: Content, symbols: Symbols, report: Report) -> tuple[Entity, ...]:
    """All kinds of entities, with those that records make."""
    register = Register()
    for entity in symbols.entities.values():
        if entity.records and entity.part is None:
            renamed = {
                old: item for (kind, old), item in content.renamed.items() if kind in entity.records
            }
            register.enter(entity.name, _of_items(content, entity, report), renamed)
    enter_parts(symbols, register, report)
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
        per = entries_of(entry).get("per")
        if per is not None:
            return per.text or ""
    return ""
