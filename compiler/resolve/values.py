"""Constants in items: the static fields of records, and the rows of tables.

A record is one entity. Items refer to it by its name, with `-` or `_` alike, or in full:
`pack:kind/name`. `key_param` and `looked_up` read the types of a table alone; `table_expr` reads the
rows once the things of the game have names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any

from ruleloom.compiler.diagnostics import suggest
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.content import BETWEEN, Item, slug_of
from ruleloom.compiler.packs.settings import TAGS, notice, renamed
from ruleloom.compiler.resolve.declare import type_in
from ruleloom.compiler.resolve.embedded import ITEM, THING, Meaning
from ruleloom.compiler.resolve.symbols import TAG_TYPE, FieldSymbol, ParamSymbol, Symbols
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import UNKNOWN, is_unknown, maybe, spoken, with_article
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import (
    BOOL,
    FRACTION,
    INT,
    LARGEST,
    TEXT,
    FrozenMap,
    Type,
    exact,
    parse_point,
)

KEY = "by"
"""The name of a table's one parameter."""
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,15}")
MISSING = object()
Names = Mapping[str, tuple[str, ...]]


# The most values of an enum that the help for a wrong one lists.
MOST_SHOWN = 12


MISSING_SHOWN = 3


QUOTES = ("'", '"')


# The initial value of a field that declares none.
NATURAL = {INT: 0, FRACTION: 0, BOOL: False, TEXT: ""}


class Record(Frozen):
    """One entity made by an item, or by an entry of one. `said` is its name in messages.

    `item` is the id of the item that makes it, `id` its own, which differs if the item makes several.
    `number` is set if the item makes one for each number, `owner` if the record is part of another. A
    `broken` one has invalid fields, so missing ones are not reported.
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
    """The records of each entity, in order."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)

    def enter(self, entity: str, records: list[Record]) -> None:
        """Add the records of an entity."""
        self.records[entity] = records
        numbers = self._numbers[entity] = {}
        for number, record in enumerate(records):
            for name in _names_of(record):
                numbers.setdefault(folded(name), number)

    def apart(self, entity: str, number: int, record: Record) -> Register:
        """A register with another record at a number, which leaves this one as it is."""
        records, names = [*self.records[entity]], {**self._numbers[entity]}
        records[number] = record
        for name in _names_of(record):
            names.setdefault(folded(name), number)
        return Register({**self.records, entity: records}, {**self._numbers, entity: names})

    def find(self, entity: str, name: str) -> int | None:
        """The number of the record called `name`."""
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


def _names_of(record: Record) -> Iterator[str]:
    """The names of a record: alone, with its pack, and in full."""
    yield record.name
    pack, colon, name = record.id.partition(":")
    if colon:
        name = name.partition("/")[2]
        yield from (f"{pack}:{name}", f"{pack}{BETWEEN}{name}", record.id)


def item_meant(symbols: Symbols, entity: str, written: str, place: Place) -> Item | None:
    """The item that makes such a thing, by an old name, or by its short one in the pack of the place."""
    names = symbols.scopes.get(symbols.belonging.scope(place), {})
    pack, _, inside = written.rpartition(":")
    kind, _, name = inside.rpartition("/")
    kinds = [one for one, made in symbols.kinds.items() if made == entity and kind in ("", one)]
    return next(filter(None, (renamed(names, pack, one, name) for one in kinds)), None)


def folded(name: str) -> str:
    """A name with `-` and `_` alike."""
    return name.replace("-", "_")


@dataclass(slots=True, eq=False)
class Values:
    """Reads the values of static fields, once all records have names."""

    symbols: Symbols
    register: Register
    report: Report
    _defaults: dict[tuple[str, str], Any] = field(default_factory=dict)

    def of(self, field: FieldSymbol, record: Record) -> Any:
        """The value of one field of one record."""
        node = record.fields.get(field.name)
        if field.by:
            return self._table(field, record, node)
        if node is None and field.name == "number" and record.number is not None:
            return record.number
        if node is None or node.kind == "null":
            return self._unwritten(field, record, node)
        return self._read(field, node)

    def _unwritten(self, field: FieldSymbol, record: Record, node: YamlNode | None) -> Any:
        may_lack = field.type.optional or field.type.many
        if field.default is not None and (node is None or not may_lack):
            return self.default(field)
        if not may_lack and not record.broken and not is_unknown(field.type):
            message = f"`{record.said}` has no `{field.name}`"
            help = f"every {self.symbols.nouns[field.entity][0]} has one: add `{field.name}:`"
            self.report.error("missing-value", record.place, message, help)
        return _nothing(field.type)

    def tags(self, record: Record) -> tuple[str, ...]:
        """The tags of a record, and their parents, in the order of their items."""
        written = items_of(record.fields.get(TAGS))
        held = self.symbols.families.widened(slug_of(one.text or one.raw) for one in written)
        return tuple(tag for tag in self.symbols.tags if tag in held)

    def default(self, field: FieldSymbol) -> Any:
        """The default of a field; read, and its errors reported, once."""
        key = field.entity, field.name
        if key not in self._defaults:
            node = field.default
            self._defaults[key] = _nothing(field.type)
            if node is not None and node.kind != "null":
                self._defaults[key] = self._read(field, node)
        return self._defaults[key]

    def initial(self, field: FieldSymbol, there: bool) -> Any:
        """The initial value of a field that changes. `there`: things have it from the start."""
        if field.default is not None:
            return self.default(field)
        natural = NATURAL.get(field.type) if there or field.by else None
        if natural is not None:
            if field.written is not None:
                self._bounded(field, field.written, natural, "add `initial:`")
            return natural
        may_lack = field.type.optional or field.type.many or is_unknown(field.type)
        if field.written is not None and not may_lack and (there or field.by):
            message = f"`{field.name}` needs a value to begin with"
            self.report.error("missing-value", field.written.place, message, "add `initial:`")
        return _nothing(field.type)

    def _table(self, field: FieldSymbol, record: Record, node: YamlNode | None) -> FrozenMap:
        """A value for each key: as written, else the default."""
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
        """The written entries of a table; None after an error."""
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
        """Whether these keys are values added by another pack, unknown to this record."""
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
        message = f"`{record.said}` has no `{field.name}` for {suggest.quoted_list(shown, 'or')}"
        place = node.place if node is not None else record.place
        help = f"add `{words[0]}:`, or give the field a `default:`"
        self.report.error("missing-value", place, message, help)

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
        """Report a repeated value. A patch may have appended it: then the list is in another file."""
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
        """The value of a node; None after an error."""
        options = self.symbols.options_of(type_)
        if node.text == "none" and type_.optional and "none" not in options:
            return self._wrong(node, "what is left out is none", "leave it out")
        if options:
            return self._option(type_, options, node)
        if self.symbols.is_recorded(type_.name):
            return self._record(type_, node)
        noun = with_article(self.symbols.noun(type_))
        if type_.name in self.symbols.points:
            return self._parsed(parse_point, noun, "`2/-1`", node)
        if type_.name in self.symbols.entities:
            message = f"no item makes {noun}, so none can be named here"
            return self._wrong(node, message, f"`type: {type_.name}?` without a value")
        if type_.name == FRACTION.name:
            return self._parsed(exact, "a number", "`3`, `1/2` or `0.5`", node)
        return self._plain(type_, node)

    def _plain(self, type_: Type, node: YamlNode) -> Any:
        kinds = {INT.name: "int", BOOL.name: "bool", TEXT.name: "text"}
        if node.kind != kinds.get(type_.name, node.kind):
            wanted = {INT.name: "a number", BOOL.name: "`true` or `false`"}.get(type_.name, "text")
            types = {INT.name: "integer", BOOL.name: "boolean"}.get(type_.name, "string")
            return self._wrong(node, f"{wanted} is wanted here", how_to_write(node, (types,)))
        return None if is_unknown(type_) or node.kind in ("map", "list") else node.value

    def _option(self, type_: Type, options: Sequence[str], node: YamlNode) -> Any:
        value = node.text or node.raw
        if type_.name == TAG_TYPE and slug_of(value) in options:
            value = slug_of(value)
            self.symbols.used.add(self.symbols.tags[value])
            meaning = Meaning(ITEM, self.symbols.tags[value])
            self.symbols.uses.note_value(node, meaning, self.symbols.noun(type_))
        if value in options:
            if type_.name in self.symbols.enums and type_.name != TAG_TYPE:
                note_option(self.symbols, type_, value, node)
            return value
        if self.symbols.poisoned.may_declare(value):
            return None
        message = f"`{value}` is no {self.symbols.noun(type_)}"
        there_are = (
            f"there are {suggest.quoted_list(options)}" if len(options) <= MOST_SHOWN else None
        )
        help = suggest.did_you_mean(value, options)
        if isinstance(help, suggest.Suggestion) and there_are is not None:
            help = suggest.Suggestion(value, help.right, f"{help} {there_are}")
        self.report.error("unknown-name", node.place, message, help or there_are)
        return None

    def _record(self, type_: Type, node: YamlNode) -> Any:
        if node.kind in ("map", "list"):
            noun = with_article(self.symbols.noun(type_))
            return self._wrong(node, f"the name of {noun} is wanted here")
        name = node.text or node.raw
        found = self.register.find(type_.name, name)
        item = item_meant(self.symbols, type_.name, name, node.place) if found is None else None
        if item is not None:
            notice(self.report, node.place, name, item, item.id if ":" in name else item.name)
            found = self.register.find(type_.name, item.name)
        if found is None and not self._broken(type_.name, name):
            message = f"there is no {self.symbols.noun(type_)} `{name}`"
            known = self.register.names(type_.name)
            help = suggest.offer(name, known)
            self.report.error("unknown-name", node.place, message, help)
        if found is not None:
            meaning = Meaning(THING, f"{type_.name}.{found}")
            self.symbols.uses.note_value(node, meaning, self.symbols.noun(type_))
        return found

    def _broken(self, entity: str, name: str) -> bool:
        """Whether a name may be that of an invalid item."""
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


def note_option(symbols: Symbols, type_: Type, value: str, node: YamlNode) -> None:
    """Note that a field or key is a value of an enum."""
    symbols.uses.note_value(node, Meaning("value", f"{type_.name}.{value}"), symbols.noun(type_))


def key_node(node: YamlNode, key: str) -> YamlNode:
    """A key of a mapping, as a node."""
    assert node.key_spans is not None, "only a map has keys"
    start, end = node.key_spans[key]
    quote = node.source.text[start : start + 1]
    return YamlNode(node.source, "text", key, start, end, style=quote if quote in QUOTES else None)


def _nothing(type_: Type) -> Any:
    return () if type_.many else None


def key_param(item: Item, symbols: Symbols, report: Report) -> tuple[ParamSymbol, ...] | None:
    """The one parameter of a table, its key."""
    node = item.fields.get("by")
    type_ = type_in(symbols, report, node)
    if node is None or is_unknown(type_):
        return None
    made = type_.name in symbols.entities and bool(symbols.entities[type_.name].records)
    if type_ != Type(type_.name) or not (
        type_ in (INT, BOOL) or type_.name in symbols.enums or made
    ):
        message = f"nothing is looked up by {spoken(type_, symbols.nouns)}"
        help = "`Int`, `Bool`, an enum, or things that items of a kind make"
        report.error("type-mismatch", node.place, message, help)
        return None
    return (ParamSymbol(KEY, type_),)


def looked_up(item: Item, symbols: Symbols, report: Report) -> Type:
    """The result type of a table: optional unless every key has a row, or there is an `otherwise`."""
    node = item.fields.get("gives")
    type_ = type_in(symbols, report, node)
    if node is None or is_unknown(type_):
        return UNKNOWN
    plain = (
        type_ in (INT, BOOL, TEXT, FRACTION)
        or type_.name in symbols.enums
        or type_.name in symbols.points
    )
    if type_ != Type(type_.name) or not plain:
        message = f"a table does not give {spoken(type_, symbols.nouns)}"
        help = "a number, a text, yes or no, an enum or a point"
        report.error("type-mismatch", node.place, message, help)
        return UNKNOWN
    return type_ if "otherwise" in item.fields or _covers(item, symbols) else maybe(type_)


def _covers(item: Item, symbols: Symbols) -> bool:
    by, rows = item.fields["by"].text or "", item.fields["rows"].entries
    if by == BOOL.name:
        return {TRUTHS.get(key) for key in rows} >= {True, False}
    if by not in symbols.enums:
        return False
    known = set(symbols.enums[by])
    lacking = [one for one in symbols.enums[by] if one not in rows]
    new = symbols.new_values
    some = lacking and known > set(lacking)
    if some and new.are_all_new(by, lacking, item.place, symbols.belonging):
        new.note(by, lacking, item.name, "rows", item.id, item.place)
        return True
    # A row for an unknown key is reported itself; it may be the missing one.
    return len(known - rows.keys()) <= len(rows.keys() - known)


def table_expr(
    item: Item, by: Type, gives: Type, symbols: Symbols, names: Names, report: Report
) -> Expr | None:
    """The look-up of slot 0 in a table; None after an error. `names` are those of the things."""
    seen: dict[Any, Place] = {}
    values: list[Any] = []
    fine = True
    rows, single = item.fields["rows"], Values(symbols, Register(), report).single

    def value_at(node: YamlNode) -> Any:
        written = gives == BOOL and node.text in TRUTHS
        return TRUTHS[node.text or ""] if written else single(gives, node)

    for written, node in rows.entries.items():
        # The key of a row from a patch is not in this map: the place of its value is used.
        own = node.source is rows.source and written in (rows.key_spans or {})
        place = rows.key_place(written) if own else node.place
        key = _key(by, written, place, symbols, names, rows.entries, report)
        if own and by.name in symbols.enums:
            note_option(symbols, by, written, key_node(rows, written))
        value = value_at(node)
        if key in seen:
            note, message = Note(seen[key], "the first one"), f"`{written}` has a row already"
            report.error("name-clash", place, message, "keep one of the two", (note,))
            key = MISSING
        fine &= key is not MISSING and value is not None
        if key is not MISSING:
            seen[key] = place
            values.append(value)
    other = item.fields.get("otherwise")
    otherwise = value_at(other) if other is not None else None
    if not fine or (other is not None and otherwise is None):
        return None
    columns = tuple(seen), tuple(values), otherwise
    return ("table", ("slot", 0), *(("value", column) for column in columns))


def _key(
    by: Type,
    written: str,
    place: Place,
    symbols: Symbols,
    names: Names,
    rows: Container[str],
    report: Report,
) -> Any:
    if by in (INT, BOOL):
        return _plain_key(by, written, place, report)
    known = symbols.enums.get(by.name) or names.get(by.name, ())
    if written in known:
        return written if by.name in symbols.enums else known.index(written)
    item = item_meant(symbols, by.name, written, place)
    if item is not None and item.name in known:
        notice(report, place, written, item, item.name)
        return known.index(item.name)
    made = symbols.entities.get(by.name)
    broken = made is not None and any(map(symbols.poisoned.may_hold, made.records))
    if not broken and not symbols.poisoned.may_declare(written):
        message = (
            f"there is no {symbols.noun(by)} `{written}`; {suggest.choices_text(written, known)}"
        )
        free = [one for one in known if one not in rows]
        help = suggest.did_you_mean(written, free) or suggest.did_you_mean(written, known)
        report.error("unknown-name", place, message, help)
    return MISSING


def _plain_key(by: Type, written: str, place: Place, report: Report) -> Any:
    if by == BOOL:
        if written in TRUTHS:
            return TRUTHS[written]
        message = f"`{written}` is neither `yes` nor `no`"
    else:
        if WHOLE.fullmatch(written) and abs(int(written)) <= LARGEST:
            return int(written)
        message = f"`{written}` is no whole number, and this table is by numbers"
    report.error("type-mismatch", place, message)
    return MISSING
