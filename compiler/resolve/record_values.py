"""What is printed on records: the values of static fields, as items, entries and the vocabulary
write them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, quoted_list
from ruleloom.compiler.packs.renames import notice
from ruleloom.compiler.resolve.record_register import Record, Register
from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import is_unknown, with_article
from ruleloom.compiler.yaml.node import YamlNode
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

# Of so many values all are named to whoever has written another one.
MOST_SHOWN = 12

MISSING_SHOWN = 3
QUOTES = ("'", '"')
# What a field begins with that says nothing of it.
NATURAL = {INT: 0, FRACTION: 0, BOOL: False, TEXT: ""}


class Values:
    """Reads the values of static fields; all records have their names by now."""

    def __init__(self, symbols: Symbols, register: Register, report: Report) -> None:
        self._symbols = symbols
        self._register = register
        self._report = report
        self._defaults: dict[tuple[str, str], Any] = {}

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
                help = f"every {self._symbols.nouns[field.entity][0]} has one: add `{field.name}:`"
                self._report.error("missing-value", record.place, message, help)
            return _nothing(field.type)
        return self._read(field, node)

    def default(self, field: FieldSymbol) -> Any:
        """The value where an item says nothing; worked out, and complained about, once."""
        key = field.entity, field.name
        if key not in self._defaults:
            node = field.default
            said = node is not None and node.kind != "null"
            self._defaults[key] = (
                self._read(field, node) if node is not None and said else _nothing(field.type)
            )
        return self._defaults[key]

    def initial(self, field: FieldSymbol, there: bool) -> Any:
        """What a field that changes begins with. `there`: things have it from the start, so it has
        a value."""
        if field.default is not None:
            return self.default(field)
        natural = NATURAL.get(field.type) if there or field.by else None
        may_lack = field.type.optional or field.type.many or is_unknown(field.type)
        if natural is None and not may_lack and (there or field.by) and field.written is not None:
            message = f"`{field.name}` needs a value to begin with"
            self._report.error("missing-value", field.written.place, message, "`initial:`")
        if natural is not None and field.written is not None:
            self._bounded(field, field.written, natural, "`initial:`")
        return natural if natural is not None else _nothing(field.type)

    # ------------------------------------------------------------------ tables

    def _table(self, field: FieldSymbol, record: Record, node: YamlNode | None) -> FrozenMap:
        """A value for each key: what is written, and the default for the others."""
        given = self._entries(field, node) if node is not None and node.kind != "null" else {}
        left = (
            [key for key in self._keys(field.by) if key not in given] if given is not None else []
        )
        may_lack = field.type.optional or field.type.many or record.broken
        if (
            left
            and field.default is None
            and not may_lack
            and not self._is_news(field, record, left)
        ):
            self._missing(field, record, node, left)
        unsaid = self.default(field)
        return FrozenMap({key: (given or {}).get(key, unsaid) for key in self._keys(field.by)})

    def _entries(self, field: FieldSymbol, node: YamlNode) -> dict[Any, Any] | None:
        """What is written of a table; None after a complaint about a key."""
        given: dict[Any, Any] = {}
        by, fine = Type(field.by), node.kind == "map"
        if not fine:
            message = f"a value for each {self._noun(by)} is wanted here"
            self._wrong(node, message, "`{name: value, name: value}`")
        for name, child in node.entries.items():
            key = self._single(by, key_node(node, name))
            if key is None:
                fine = False
            elif key in given:
                self._report.error(
                    "name-clash", node.key_place(name), f"`{name}` stands here twice"
                )
            else:
                given[key] = (
                    _nothing(field.type) if child.kind == "null" else self._read(field, child)
                )
        return given if fine else None

    def _keys(self, by: str) -> Sequence[Any]:
        return self._symbols.enums.get(by) or range(len(self._register.records.get(by, ())))

    def _is_news(self, field: FieldSymbol, record: Record, left: list[Any]) -> bool:
        """Are these keys values that another pack has added, which this record cannot know?"""
        new = self._symbols.new_values
        if not new.are_all_new(field.by, left, record.place, self._symbols.belonging):
            return False
        new.note(field.by, left, record.said, field.name, record.item or record.said, record.place)
        return True

    def _missing(
        self, field: FieldSymbol, record: Record, node: YamlNode | None, left: list[Any]
    ) -> None:
        names = self._register.names(field.by)
        words = [key if isinstance(key, str) else names[key] for key in left]
        shown = words if len(words) <= MISSING_SHOWN else [*words[:MISSING_SHOWN], "..."]
        message = f"`{record.said}` has no `{field.name}` for {quoted_list(shown, 'or')}"
        place = node.place if node is not None else record.place
        help = f"add `{words[0]}:`, or give the field a `default:`"
        self._report.error("missing-value", place, message, help)

    # ------------------------------------------------------------------ values as they are written

    def _read(self, field: FieldSymbol, node: YamlNode) -> Any:
        if not field.type.many:
            return self._bounded(field, node, self._single(field.type, node))
        if node.kind != "list":
            plural = self._symbols.nouns.get(field.type.name, ("", "values"))[1]
            self._wrong(
                node, f"a list of {plural} is wanted here", f"`[{node.raw}]`" if node.text else None
            )
            return ()
        values: dict[Any, Place] = {}
        for one in node.items:
            value = self._bounded(field, one, self._single(field.type.item, one))
            if value is not None and value in values:
                self._repeated(field, one, values[value])
            values.setdefault(value, one.place)
        return tuple(values)

    def _repeated(self, field: FieldSymbol, node: YamlNode, first: Place) -> None:
        """What is there twice may have been appended by a patch: then the list stands elsewhere."""
        shown = node.text or node.raw
        if first.path == node.place.path:
            self._report.error("repeated-entry", node.place, f"`{shown}` stands here twice")
            return
        message = f"`{shown}` is in `{field.name}` already"
        notes = [Note(first, "the list of the item has it here")]
        self._report.error("repeated-entry", node.place, message, "leave it out", notes)

    def _bounded(
        self, field: FieldSymbol, node: YamlNode, value: Any, help: str | None = None
    ) -> Any:
        if isinstance(value, int | Fraction) and field.type.name in (INT.name, FRACTION.name):
            low, high = field.low, field.high
            if (low is not None and value < low) or (high is not None and value > high):
                message = f"{value} is not within `min` and `max` of `{field.name}`"
                self._report.error("out-of-bounds", node.place, message, help)
        return value

    def _single(self, type_: Type, node: YamlNode) -> Any:
        """One value; None after a complaint."""
        options = self._symbols.options_of(type_)
        if options:
            return self._option(type_, node, options)
        if self._symbols.is_recorded(type_.name):
            return self._record(type_, node)
        if type_.name in self._symbols.points:
            return self._point(type_, node)
        if type_.name in self._symbols.entities:
            return self._wrong(
                node, f"no item makes {with_article(self._noun(type_))}, so none can be named here"
            )
        if type_.name == FRACTION.name:
            return self._exact(node)
        kinds = {INT.name: "int", BOOL.name: "bool", TEXT.name: "text"}
        if node.kind != kinds.get(type_.name, node.kind):
            wanted = {INT.name: "a number", BOOL.name: "`true` or `false`"}.get(type_.name, "text")
            return self._wrong(node, f"{wanted} is wanted here")
        return None if is_unknown(type_) or node.kind in ("map", "list") else node.value

    def _option(self, type_: Type, node: YamlNode, options: Sequence[str]) -> Any:
        value = node.text or node.raw
        if value in options:
            return value
        if self._symbols.poisoned.may_declare(value):
            return None
        message = f"`{value}` is no {self._noun(type_)}"
        there_are = f"there are {quoted_list(options)}" if len(options) <= MOST_SHOWN else None
        help = did_you_mean(value, options)
        if isinstance(help, Suggestion) and there_are is not None:
            help = Suggestion(value, help.right, f"{help} {there_are}")
        self._report.error("unknown-name", node.place, message, help or there_are)
        return None

    def _record(self, type_: Type, node: YamlNode) -> Any:
        if node.kind in ("map", "list"):
            return self._wrong(
                node, f"the name of {with_article(self._noun(type_))} is wanted here"
            )
        name = node.text or node.raw
        found = self._register.find(type_.name, name)
        if found is None and not self._broken(type_.name, name):
            message = f"there is no {self._noun(type_)} `{name}`"
            help = did_you_mean(name, self._register.names(type_.name))
            self._report.error("unknown-name", node.place, message, help)
        if (item := self._register.renamed(type_.name, name)) is not None:
            notice(self._report, node.place, name, item, item.id if ":" in name else item.name)
        return found

    def _broken(self, entity: str, name: str) -> bool:
        """May this be the name of an item that could not be read?"""
        symbols = self._symbols
        if entity not in self._register.records:
            return True
        while (part := symbols.entities[entity].part) is not None and part.of in symbols.entities:
            entity, name = part.of, name.split(".")[0]
        kinds, poisoned = symbols.entities[entity].records, symbols.poisoned
        return poisoned.may_declare(name.rpartition("/")[2]) or any(map(poisoned.may_hold, kinds))

    def _exact(self, node: YamlNode) -> Any:
        try:
            return exact(node.text or node.raw)
        except ValueError:
            return self._wrong(node, "a number is wanted here", "`3`, `1/2` or `0.5`")

    def _point(self, type_: Type, node: YamlNode) -> Any:
        try:
            return parse_point(node.text or "")
        except ValueError:
            return self._wrong(node, f"{with_article(self._noun(type_))} is wanted here", "`2/-1`")

    def _wrong(self, node: YamlNode, message: str, help: str | None = None) -> Any:
        """Complain about a value; None stands in its place."""
        self._report.error("type-mismatch", node.place, message, help)
        return None

    def _noun(self, type_: Type) -> str:
        """What a value of this type is called."""
        return self._symbols.nouns.get(type_.name, (type_.name.lower(), ""))[0]


def key_node(node: YamlNode, key: str) -> YamlNode:
    """A key of a mapping, as a value of its own."""
    assert node.key_spans is not None, "only a map has keys"
    start, end = node.key_spans[key]
    quote = node.source.text[start : start + 1]
    return YamlNode(node.source, "text", key, start, end, style=quote if quote in QUOTES else None)


def _nothing(type_: Type) -> Any:
    return () if type_.many else None
