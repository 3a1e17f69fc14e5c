"""The open choices of a record: its fields, with type, bounds and value, under headings.

They are those of the schema of its kind, in its order; the vocabulary says which of them name things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ruleloom.api.requirements import ALLOWED
from ruleloom.building.bench import Bench
from ruleloom.building.field_words import entry_help, plain_help, things_help
from ruleloom.building.plain_tree import Data, Steps, path_text
from ruleloom.compiler.analysis.yaml_cursor import FieldHelp
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.schema.registry import ABILITY_FIELDS
from ruleloom.compiler.yaml.node import Plain
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, TEXT

NUMBER, WORDS, YES_NO, ONE, SEVERAL = "number", "text", "yes_no", "one", "several"
ENTRIES, GROUP, TABLE, RULES = "entries", "group", "table", "rules"
NOT_CHOSEN = ("kind", "renamed_from", "deprecated", "like", "but", "for", "clauses", ALLOWED)
MOST_ROWS = 24
"""A table by more things shows those that are written; the others are offers, each appraised."""
OWN_RULES = "rules of its own"
ABILITIES = ABILITY_FIELDS[0]
NUMBERS = (INT.name, FRACTION.name)
LISTS = (SEVERAL, ENTRIES, TABLE, GROUP)


class OpenChoice(Frozen):
    """A choice `at` a place of a record: its control, value, bounds, options and inner choices.

    `standard` is what holds if nothing is written. `of` is the entity whose things are on offer, `key` the
    enum or entity of a table's keys, `short` the field by which an entry is named, `by_number` if that is
    one; a `plain` entry may be its value alone.
    """

    at: str
    label: str
    help: str
    sort: str
    value: Any
    path: Steps
    standard: Any = None
    low: int | None = None
    high: int | None = None
    needed: bool = False
    options: tuple[str, ...] = ()
    choices: tuple[OpenChoice, ...] = ()
    of: str = ""
    key: str = ""
    short: str = ""
    plain: bool = True
    by_number: bool = False


class Heading(Frozen):
    """Choices that stand together."""

    title: str
    choices: tuple[OpenChoice, ...]


def headings_of(bench: Bench, data: Data) -> tuple[Heading, ...]:
    """All choices of a record: plain ones, then each list, then the rules of its own."""
    plain: list[OpenChoice] = []
    lists: list[Heading] = []
    own: list[OpenChoice] = []
    for one in ChoiceMaker(bench).inside(bench.rows.entity, (), data):
        if one.sort in (ENTRIES, TABLE) or (one.sort == SEVERAL and one.of):
            lists.append(Heading(one.label, (one,)))
        else:
            is_own = one.sort in (RULES, GROUP) or one.at in ABILITY_FIELDS
            (own if is_own else plain).append(one)
    rules = [Heading(OWN_RULES, tuple(own))] if own else []
    return (Heading(bench.rows.entity.singular, tuple(plain)), *lists, *rules)


def all_choices(choices: Sequence[OpenChoice]) -> Iterator[OpenChoice]:
    """Choices with those inside them."""
    for one in choices:
        yield one
        yield from all_choices(one.choices)


class ChoiceMaker(Frozen):
    """Makes the choices of a record."""

    bench: Bench

    def inside(self, entity: EntitySymbol | None, path: Steps, data: Plain) -> Iterator[OpenChoice]:
        """The choices within a map: of the record, or of a part that is such a thing."""
        values = data if isinstance(data, dict) else {}
        for about in self.bench.fields(path):
            if about.name not in NOT_CHOSEN and (path or self.is_open(about.name, values)):
                yield self.choice(entity, (*path, about.name), about, values.get(about.name))

    def is_open(self, name: str, values: Data) -> bool:
        """Is a field of the record a person's to say? Abilities are for kinds that somebody bears by the
        vocabulary, and how play counts them is asked once there are some."""
        if name not in ABILITY_FIELDS or name in values:
            return True
        has_bearer = self.bench.kind in self.bench.rows.symbols.bearers
        return has_bearer and (name == ABILITIES or ABILITIES in values)

    def choice(
        self, entity: EntitySymbol | None, path: Steps, about: FieldHelp, value: Plain
    ) -> OpenChoice:
        """The choice of one field."""
        name, symbols = about.name, self.bench.rows.symbols
        field = entity.fields.get(name) if entity is not None else None
        about = about._replace(help=self.help(field, path, about))
        if field is not None and field.parts:
            return self.parts(symbols.entities[field.type.name], path, about, value)
        if field is not None and field.static and field.by:
            return self.table(field, path, about, value)
        if field is not None and field.static:
            return self.of_type(field, path, about, value)
        return self.of_schema(path, about, value)

    def help(self, field: FieldSymbol | None, path: Steps, about: FieldHelp) -> str:
        """What a field holds, in words."""
        words, thing = plain_help(about), self.bench.rows.symbols.entities
        if field is not None and field.parts:
            part = thing[field.type.name].part
            entry = (*path, part.key if part is not None and part.key else 0)
            inner = (one for one in self.bench.fields(entry) if one.name not in NOT_CHOSEN)
            return f"{words} {entry_help([*inner])}".strip()
        if words or field is None or field.by:
            return words
        type_ = field.type.item if field.type.many else field.type
        named = thing.get(type_.name)
        return things_help(named, field.type.many) if named is not None else ""

    def of_type(
        self, field: FieldSymbol, path: Steps, about: FieldHelp, value: Plain
    ) -> OpenChoice:
        """The choice of a printed field."""
        symbols, type_ = self.bench.rows.symbols, field.type
        options = tuple(symbols.options_of(type_.item if type_.many else type_))
        of = type_.name if symbols.is_recorded(type_.name) else ""
        sorts = {INT.name: NUMBER, FRACTION.name: NUMBER, BOOL.name: YES_NO, TEXT.name: WORDS}
        sort = SEVERAL if type_.many else ONE if options or of else sorts.get(type_.name, WORDS)
        low, high = _bounds(field.low, field.high, about)
        standard = field.default.value if field.default is not None else None
        words = about.title or name_text(about.name), about.help
        return OpenChoice(
            *(path_text(path), *words, sort, value, path, standard, low, high, about.needed),
            options=options,
            of=of,
        )

    def table(self, field: FieldSymbol, path: Steps, about: FieldHelp, value: Plain) -> OpenChoice:
        """The choices of a value for each value of an enum, or for each thing."""
        written = value if isinstance(value, dict) else {}
        keys = self.keys(field.by)
        shown = keys if len(keys) <= MOST_ROWS else {key: keys.get(key, key) for key in written}
        inner = []
        for key, title in shown.items():
            row = FieldHelp(key, title, "", about.values, (), False)
            inner.append(self.of_type(field, (*path, key), row, written.get(key)))
        title = about.title or name_text(about.name)
        head = path_text(path), title, about.help, TABLE, value, path, None, field.low, field.high
        return OpenChoice(*head, about.needed, choices=tuple(inner), key=field.by)

    def keys(self, by: str) -> dict[str, str]:
        """The keys of a table by an enum or by things, with their titles."""
        enum = self.bench.rows.symbols.enums.get(by)
        if enum is not None:
            return {key: key for key in enum}
        made = next((one for one in self.bench.rows.entities if one.name == by), None)
        if made is None:
            return {}
        return {name: title for name, title in zip(made.names, made.titles, strict=True) if name}

    def parts(
        self, entity: EntitySymbol, path: Steps, about: FieldHelp, value: Plain
    ) -> OpenChoice:
        """The entries of a list or map that make parts of the record, each with its own choices."""
        part, symbols = entity.part, self.bench.rows.symbols
        assert part is not None, "its things are parts"
        short = part.short or part.key or self.first_needed(path)
        made = (
            self.keyed(entity, path, value) if part.key else self.listed(entity, short, path, value)
        )
        named = entity.fields.get(short)
        of = named.type.name if named is not None and symbols.is_recorded(named.type.name) else ""
        title, sort = about.title or name_text(about.name), TABLE if part.key else ENTRIES
        return OpenChoice(
            *(path_text(path), title, about.help, sort, value, path),
            needed=about.needed,
            choices=tuple(made),
            of=of,
            key=of if part.key else "",
            short=short,
            plain=bool(part.short or part.key),
            by_number=named is not None and named.type.name in NUMBERS,
        )

    def keyed(self, entity: EntitySymbol, path: Steps, value: Plain) -> Iterator[OpenChoice]:
        """The choices of a map of parts."""
        part = entity.part
        assert part is not None, "its things are parts"
        titles = self.keys(entity.fields[part.key].type.name)
        for key, one in (value if isinstance(value, dict) else {}).items():
            row = FieldHelp(key, titles.get(key, key), "", (), (), False)
            if isinstance(one, dict):
                yield self.group(entity, (*path, key), row.title, one)
            else:
                yield self.of_type(entity.fields[part.value], (*path, key), row, one)

    def listed(
        self, entity: EntitySymbol, short: str, path: Steps, value: Plain
    ) -> Iterator[OpenChoice]:
        """The choices of a list of parts."""
        for number, one in enumerate(value if isinstance(value, list) else []):
            yield self.group(entity, (*path, number), self.said(entity, short, one), one)

    def first_needed(self, path: Steps) -> str:
        """The first field that every entry of a list has."""
        fields = self.bench.fields((*path, 0))
        return next((one.name for one in fields if one.needed), "")

    def said(self, entity: EntitySymbol, short: str, value: Plain) -> str:
        """What an entry is called."""
        word = value.get(short) if isinstance(value, dict) and short in value else value
        if not isinstance(word, str):
            return str(word)
        field = entity.fields.get(short)
        return self.keys(field.type.name).get(word, word) if field is not None else word

    def group(self, entity: EntitySymbol, path: Steps, label: str, value: Plain) -> OpenChoice:
        """The choices within an entry; a plain one stands for one of its fields."""
        part = entity.part
        short = (part.value if part.key else part.short) if part is not None else ""
        data: Plain = value if isinstance(value, dict) else {short: value}
        inner = tuple(self.inside(entity, path, data))
        return OpenChoice(
            path_text(path), label, "", GROUP, value, path, choices=inner, short=short
        )

    def of_schema(self, path: Steps, about: FieldHelp, value: Plain) -> OpenChoice:
        """The choice of a field that only the schema describes."""
        low, high = _bounds(None, None, about)
        effects = self.bench.schemas.effect_fields(self.bench.kind)
        names = tuple("*" if isinstance(step, int) else step for step in path)
        sort = RULES if names in effects else _sort_of(about)
        inner = tuple(self.inside(None, path, value)) if sort == GROUP else ()
        options = tuple(about.values) if sort == ONE else ()
        head = path_text(path), about.title or name_text(about.name), about.help, sort, value, path
        return OpenChoice(*head, None, low, high, about.needed, options, inner)


def name_text(name: str) -> str:
    """The words of a name."""
    return name.replace("_", " ")


def _bounds(low: int | None, high: int | None, about: FieldHelp) -> tuple[int | None, int | None]:
    """The narrower of the bounds of a vocabulary and a schema."""
    least, most = (one if isinstance(one, int) else None for one in about.bounds)
    lows, highs = (
        [x for x in (low, least) if x is not None],
        [x for x in (high, most) if x is not None],
    )
    return max(lows, default=None), min(highs, default=None)


def _sort_of(about: FieldHelp) -> str:
    """The control of a field by its schema."""
    types = set(about.types)
    if about.values and types <= {"string"}:
        return ONE
    sorts = {"boolean": YES_NO, "integer": NUMBER, "array": SEVERAL, "object": GROUP}
    return next((sort for one, sort in sorts.items() if types == {one}), WORDS)
