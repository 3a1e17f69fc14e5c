"""Reads which entities are parts of records, and holds what is printed on records against what there is.

In go the vocabulary items, all of whose entities are known by now; out come `PartSymbol`s. A part is made by an
entry of a field of its owner's item. What a record refers to has to be made by records too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.content import Content
from compiler.declaring import claim
from compiler.diagnostics import Report, did_you_mean
from compiler.source import Place
from compiler.symbols import EntitySymbol, FieldSymbol, PartSymbol, Symbols
from compiler.types import is_unknown, with_article
from compiler.vocabulary import section
from compiler.yaml_node import Node
from runtime.values import FRACTION, INT, Type


def read_parts(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter what the entities say of parts; complain about printed fields that no item could fill."""
    recorded = [name for name, one in symbols.entities.items() if one.recorded]
    for item in content.by_kind("vocabulary"):
        for name, node, place in section(item, "entities"):
            if "part_of" in node.entries and symbols.places.get(("type", name)) == place:
                part = _Reader(symbols.entities[name], node, symbols, report).part(recorded)
                symbols.entities[name] = replace(symbols.entities[name], part=part)
                _listed(name, part, node, symbols, report)
    _refuse_circles(symbols, report)
    for entity in symbols.entities.values():
        _check_types(entity, recorded, symbols, report)


def _listed(name: str, part: PartSymbol, node: Node, symbols: Symbols, report: Report) -> None:
    """Make the field that the entries stand under one that is read: the list of the parts of an owner."""
    under = node.get("under")
    whole = symbols.entities.get(part.of)
    if under is None or whole is None:
        return
    if not claim(symbols, report, f"field of {part.of}", part.under, under.place):
        return
    if part.under not in symbols.fields and not claim(symbols, report, "call", part.under, under.place):
        return
    field = FieldSymbol(part.of, part.under, Type(name, many=True), True, None, None, parts=True)
    symbols.entities[part.of] = replace(whole, fields={**whole.fields, part.under: field})
    symbols.fields.setdefault(part.under, {})[part.of] = field


class _Reader:
    """Reads what one entity says of itself as a part."""

    def __init__(self, entity: EntitySymbol, node: Node, symbols: Symbols, report: Report) -> None:
        self.entity = entity
        self.node = node
        self.symbols = symbols
        self.report = report
        self.fine = True

    def part(self, recorded: Iterable[str]) -> PartSymbol:
        of = self.node.entries["part_of"]
        whole, noun = of.text or of.raw, with_article(self.entity.singular)
        if self.entity.records:
            message = f"{noun} is made by items or is part of something, not both"
            self._wrong("kinds-disagree", of.place, message, "delete `records:` or `part_of:`")
        if whole not in recorded:
            help = did_you_mean(whole, recorded)
            self._wrong("unknown-type", of.place, f"`{whole}` is nothing that records make", help)
            whole = ""
        owner = self._field("owner")
        if owner is not None and whole and owner.type != Type(whole) and not is_unknown(owner.type):
            place, what = self.node.entries["owner"].place, with_article(self.symbols.nouns[whole][0])
            message = f"the owner of {noun} is {what}, so `{owner.name}` must be of the type `{whole}`"
            self._wrong("type-mismatch", place, message)
        names = {word: self._field(word, owner) for word in ("short", "key", "value")}
        short, key, value = (found.name if found is not None else "" for found in names.values())
        if "key" in self.node.entries and "short" in self.node.entries:
            place = self.node.key_place("short")
            message = f"with `key:` a plain value stands for the field `value:`, so {noun} has no `short:`"
            self._wrong("kinds-disagree", place, message, "write `value:`")
        under = self.node.get("under")
        name = under.text or under.raw if under is not None else ""
        whole = whole if self.fine else ""
        return PartSymbol(whole, name, owner.name if owner else "", short, key, value, of.place)

    def _wrong(self, code: str, place: Place, message: str, help: str | None = None) -> None:
        self.fine = False
        self.report.error(code, place, message, help)

    def _field(self, word: str, owner: FieldSymbol | None = None) -> FieldSymbol | None:
        """The printed field that stands behind `word:`."""
        node = self.node.get(word)
        if node is None:
            return None
        printed = {f.name: f for f in self.entity.fields.values() if f.static and f is not owner}
        name = node.text or node.raw
        if name not in printed:
            noun = with_article(self.entity.singular)
            message = f"nothing called `{name}` is printed on {noun}"
            if owner is not None and name == owner.name:
                message = f"`{name}` is the owner of {noun}, and is never written"
            self._wrong("unknown-name", node.place, message, did_you_mean(name, printed))
        elif printed[name].by:
            message = f"`{name}` is a table, so nothing plain can stand for it"
            self._wrong("type-mismatch", node.place, message)
        return printed.get(name)


def _refuse_circles(symbols: Symbols, report: Report) -> None:
    """Complain where a part is, some steps up, part of itself."""
    for name, entity in symbols.entities.items():
        if entity.part is not None and name in _above(name, symbols):
            report.error("kinds-disagree", entity.part.place, f"{entity.plural} are parts of themselves")


def _above(name: str, symbols: Symbols) -> Iterator[str]:
    """What an entity is part of, and what that is part of."""
    seen: set[str] = set()
    part = symbols.entities[name].part
    while part is not None and part.of and part.of not in seen:
        yield part.of
        seen.add(part.of)
        part = symbols.entities[part.of].part


def _check_types(entity: EntitySymbol, recorded: list[str], symbols: Symbols, report: Report) -> None:
    """A printed field holds plain values or names records; `by` of any is an enum or made by records."""
    keys = [*symbols.enums, *recorded]
    for field in entity.fields.values():
        if field.written is None:
            continue
        node, by = field.written.get("type") or field.written, field.written.get("by")
        if field.static and field.type.name in symbols.entities and field.type.name not in recorded:
            message = f"items can only name what items make, and no items make `{field.type.name}`"
            report.error("unknown-type", node.place, message, did_you_mean(field.type.name, recorded))
        if by is not None and field.by in symbols.types and field.by not in keys:
            message = f"`{field.by}` is not a type that can stand here"
            help = did_you_mean(field.by, keys) or "an enum, or an entity that items make"
            report.error("unknown-type", by.place, message, help)
        if field.type.by_player:
            message = f"`{field.type}` holds the answers of a secret choice, and no field keeps those"
            report.error("unknown-type", node.place, message)
        _check_bounds(field, field.written, report)


def _check_bounds(field: FieldSymbol, written: Node, report: Report) -> None:
    """Complain about a `min` or `max` that bounds nothing, or lets nothing be."""
    word = next((word for word in ("min", "max") if word in written.entries), None)
    if word is None or is_unknown(field.type):
        return
    if field.type.name not in (INT.name, FRACTION.name):
        message = f"`{word}` bounds a number, and `{field.name}` is of the type `{field.type}`"
        report.error("kinds-disagree", written.key_place(word), message, f"delete `{word}:`")
    elif field.low is not None and field.high is not None and field.low > field.high:
        message = f"nothing is from {field.low} to {field.high}"
        report.error("out-of-bounds", written.key_place("min"), message, "exchange `min` and `max`")
