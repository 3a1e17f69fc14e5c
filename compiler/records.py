"""Makes entities of content: each item of a kind with `makes: X` is one X, or several.

With `copies: n` an item makes n of them, called name, name#2, ...; with `per: numbers` one for each number
from `from` to `to`, called by the item's name and the number. Printed fields come from the item's fields
of the same name, or from the number. The order is that of `records:`, then of packs, then of `number` or
of the file, so that it never depends on how files are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.content import Content, Item
from compiler.diagnostics import Report, did_you_mean
from compiler.symbols import EntitySymbol, FieldSymbol, Symbols
from compiler.yaml_node import Node
from runtime.program import Entity, FieldInfo
from runtime.values import BOOL, INT, TEXT, Type


@dataclass(frozen=True, slots=True)
class Record:
    """One entity made by an item; `number` where the item makes one for each number."""

    item: Item
    name: str
    title: str
    number: int | None


def build_entities(content: Content, symbols: Symbols, report: Report) -> tuple[Entity, ...]:
    """All kinds of entities, with those that records make."""
    return tuple(_entity(content, symbols, entity, report) for entity in symbols.entities.values())


def _entity(content: Content, symbols: Symbols, entity: EntitySymbol, report: Report) -> Entity:
    records = [
        record
        for kind in entity.records
        for per in (_per_field(content, kind),)
        for item in _ordered(content, kind)
        for record in _made_by(item, per, report)
    ]
    seen: set[str] = set()
    for record in records:
        if record.name in seen:
            report.error("name-clash", record.item.place, f"two {entity.plural} are called `{record.name}`")
        seen.add(record.name)
    if len(records) > entity.most:
        message = f"there are {len(records)} {entity.plural}, and the vocabulary allows {entity.most}"
        report.error(
            "out-of-bounds", records[entity.most].item.place, message, f"raise `max:` of `{entity.name}`"
        )
    if not entity.records:
        _no_static_fields(entity, report)
    fields = [field for field in entity.fields.values() if not field.static]
    static = [field for field in entity.fields.values() if field.static]
    powers = tuple(record.item.id if "effect" in record.item.fields else "" for record in records)
    return Entity(
        entity.name,
        entity.singular,
        entity.plural,
        entity.most,
        tuple(_info(field) for field in (*fields, *static)),
        tuple((field.name, _printed(field, records, symbols, report)) for field in static),
        tuple(record.name for record in records),
        tuple(record.title for record in records),
        powers,
        entity.present,
    )


def _info(field: FieldSymbol) -> FieldInfo:
    return FieldInfo(field.name, str(field.type), field.low, field.high)


def _no_static_fields(entity: EntitySymbol, report: Report) -> None:
    if any(field.static for field in entity.fields.values()):
        message = f"nothing makes {entity.plural}, so nothing is printed on them"
        report.error("kinds-disagree", entity.place, message, "`records:` names the kinds that make them")


def _ordered(content: Content, kind: str) -> list[Item]:
    packs = [pack.id for pack in content.packs]

    def order(pair: tuple[int, Item]) -> tuple[int, int, int]:
        number = pair[1].data("number")
        plain = isinstance(number, int) and not isinstance(number, bool)
        return packs.index(pair[1].pack) if pair[1].pack in packs else 0, number if plain else 0, pair[0]

    return [item for _, item in sorted(enumerate(content.by_kind(kind)), key=order)]


def _made_by(item: Item, per: str, report: Report) -> list[Record]:
    title = str(item.data("title") or item.name)
    if per and per in item.fields:
        span = item.data(per)
        if not isinstance(span, dict) or not all(_is_int(span.get(end)) for end in ("from", "to")):
            report.error("type-mismatch", item.fields[per].place, f"`{per}` must be numbers from ... to ...")
            return []
        numbers = range(span["from"], min(span["to"], span["from"] + 1_000) + 1)
        return [Record(item, f"{item.name}{number}", f"{title} {number}", number) for number in numbers]
    copies = item.data("copies")
    count = copies if _is_int(copies) and copies > 0 else 1
    names = [item.name, *(f"{item.name}#{copy}" for copy in range(2, count + 1))]
    return [Record(item, name, title, None) for name in names]


def item_numbers(content: Content, symbols: Symbols) -> dict[str, int]:
    """The number of what each item makes, by the item's id; of the first, where it makes several."""
    numbers: dict[str, int] = {}
    for entity in symbols.entities.values():
        made = [
            record
            for kind in entity.records
            for item in _ordered(content, kind)
            for record in _made_by(item, _per_field(content, kind), Report())
        ]
        for number, record in enumerate(made):
            numbers.setdefault(record.item.id, number)
    return numbers


def _per_field(content: Content, kind: str) -> str:
    for vocabulary in content.by_kind("vocabulary"):
        kinds = vocabulary.fields.get("kinds")
        entry = kinds.get(kind) if kinds is not None else None
        per = entry.get("per") if entry is not None else None
        if per is not None:
            return per.text or ""
    return ""


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# ---------------------------------------------------------------------------------- printed fields


def _printed(field: FieldSymbol, records: list[Record], symbols: Symbols, report: Report) -> tuple[Any, ...]:
    """The value of one printed field of every record."""
    return tuple(_value(field, record, symbols, report) for record in records)


def _value(field: FieldSymbol, record: Record, symbols: Symbols, report: Report) -> Any:
    node = record.item.fields.get(field.name)
    if node is None and field.name == "number" and record.number is not None:
        return record.number
    if node is None or node.kind == "null":
        if not field.type.optional and not field.type.many:
            message = f"`{record.item.name}` has no `{field.name}`"
            help = f"every {symbols.nouns[field.entity][0]} has one: add `{field.name}:`"
            report.error("missing-value", record.item.place, message, help)
        return () if field.type.many else None
    if field.type.many:
        return tuple(_single(field.type.item, one, symbols, report) for one in node.items)
    return _single(field.type, node, symbols, report)


def _single(type_: Type, node: Node, symbols: Symbols, report: Report) -> Any:
    options = symbols.options_of(type_)
    if options:
        value = node.text or node.raw
        if value not in options:
            help = did_you_mean(value, options)
            report.error("unknown-name", node.place, f"`{value}` is no {noun_of(symbols, type_)}", help)
        return value
    fine = {
        INT.name: node.kind == "int",
        BOOL.name: node.kind == "bool",
        TEXT.name: node.kind == "text",
    }.get(type_.name, True)
    if not fine:
        wanted = {INT.name: "a number", BOOL.name: "`true` or `false`"}.get(type_.name, "text")
        report.error("type-mismatch", node.place, f"{wanted} is wanted here")
    return node.value


def noun_of(symbols: Symbols, type_: Type) -> str:
    """What a value of this type is called."""
    return symbols.nouns.get(type_.name, (type_.name.lower(), ""))[0]
