"""Makes records of the entries of items: each entry of an owner's field `under` is a part of it.

A part is called by its owner's name with its number, from 1, or with its key. The order is that of
the owners, then that of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.record_values import Record, Register, key_node
from ruleloom.compiler.resolve.symbols import EntitySymbol, PartSymbol, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode


def enter_parts(symbols: Symbols, register: Register, report: Report) -> None:
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
