"""The words of a game: each with its sort, types, signature, English and meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ruleloom.compiler.cases.case_words import NO_OFFER, asked
from ruleloom.compiler.packs.content import BETWEEN, Content
from ruleloom.compiler.packs.content import slug_of as slug_of
from ruleloom.compiler.packs.settings import RENAMED_FROM as RENAMED_FROM
from ruleloom.compiler.resolve.embedded import ITEM, THING, Meaning
from ruleloom.compiler.resolve.symbols import FieldSymbol, ParamSymbol, Signature, Symbols
from ruleloom.compiler.syntax.lexer import RESERVED
from ruleloom.compiler.types import PLAIN, list_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program as rows
from ruleloom.runtime.program.expr import reasons_of
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import PLAYER, Type


class GameWord(Frozen):
    """A name: `sort` is its category in the author's terms, `called` its full signature.

    `types` are the types that it may have as a value; `params` is None if it takes no arguments; `id`
    is the id of its item, or of its table.
    """

    name: str
    sort: str
    called: str
    types: tuple[Type, ...] = ()
    params: tuple[ParamSymbol, ...] | None = None
    english: str = ""
    id: str = ""

    @property
    def meaning(self) -> Meaning:
        """The meaning: an item, or a word of the vocabulary."""
        sort, _, of = self.sort.partition(" of ")
        # A prompt belongs to an item but does not denote it.
        if ":" in self.id and sort not in (PROMPT, WAY):
            return Meaning(ITEM, self.id)
        sort = "type" if sort == "entity" else sort
        has_owner = of and " or " not in of and sort in ("value", "field", "option")
        return Meaning(sort, f"{of}.{self.name}" if has_owner else self.name)

    @property
    def item(self) -> str:
        """The id of the item; empty for a word of the vocabulary."""
        return self.id if ":" in self.id else ""

    @property
    def needed(self) -> tuple[ParamSymbol, ...]:
        """The required parameters."""
        return tuple(one for one in self.params or () if one.default is None)


Words = Mapping[str, GameWord]
PROMPT, WAY = "prompt", "way"


class GameWords:
    """The words of a game in one table per role; `ids` are item ids by kind and name."""

    def __init__(
        self,
        content: Content,
        symbols: Symbols,
        ids: Mapping[tuple[str, str], str],
        program: rows.Program | None,
    ) -> None:
        self._symbols, self._items, self._ids = symbols, content.by_id, ids
        operations = (one for one in symbols.operations.values() if one.name.isidentifier())
        self.operations = _by_name(_called(one, one.kind) for one in operations)
        self.powers = _by_name(_called(one, "power") for one in symbols.powers.values())
        calls = (one for one in symbols.callables.values() if one.name.isidentifier())
        # Rules, stats, measures and queries only, even if another word shares the name.
        self.numbers = _by_name(_called(one, one.kind) for one in calls)
        self.fields = _by_name(_field(name, owners) for name, owners in symbols.fields.items())
        # The words of expressions: variables, settings, values of enums, zones, calls, fields.
        self.values = _by_name(self._values())
        self.keywords = _by_name(_called(one, "keyword") for one in symbols.keywords.values())
        self.lasting = _by_name(_lasting(symbols))
        self.bonuses = _by_name(_bonuses(symbols))
        self.types = _by_name(_types(symbols))
        self.events = _by_name(_events(symbols))
        self.kinds = _by_name(_kinds(content))
        # The things that items create, and the values of enums and switches, by type.
        self.things = {entity: _by_name(self._things(entity)) for entity in symbols.made}
        self.options = dict(_options(symbols))
        # The prompts for players and chance, and the labels of menu options.
        asked = [*_asked(program)]
        self.prompts = _by_name(one for one in asked if one.sort == PROMPT)
        self.labels = _by_name(one for one in asked if one.sort == WAY)
        self.reasons = _by_name(_reasons(program, symbols))

    @property
    def callable_tables(self) -> tuple[Words, ...]:
        """The tables of words that may take arguments."""
        plain = (self.powers, self.operations, self.values, self.keywords, self.lasting)
        return (*plain, self.bonuses, self.types)

    @property
    def in_fields(self) -> Mapping[str, Words]:
        """The tables of words that may occur in YAML fields, by sort."""
        plain = {
            "kind": self.kinds,
            "type": self.types,
            "bonus": self.bonuses,
            "event": self.events,
            "lasting": self.lasting,
            "operation": self.operations,
            "number": self.numbers,
            "field": self.fields,
            "prompt": self.prompts,
            "label": self.labels,
            "reason": self.reasons,
        }
        plain |= {f"fact {name}": _facts(one) for name, one in self.operations.items()}
        return plain | {f"enum {type_}": options for type_, options in self.options.items()}

    def called(self, name: str) -> Iterator[GameWord]:
        """Each word of this name that may take arguments."""
        return (table[name] for table in self.callable_tables if name in table)

    def all_of(self, name: str) -> Iterator[GameWord]:
        """Each word of this name, then those that have it behind that of their pack."""
        tables = (*self.callable_tables, *self.things.values(), *self.options.values())
        yield from (table[name] for table in tables if name in table)
        named = f"{BETWEEN}{name}"
        yield from (table[key] for table in tables for key in table if key.endswith(named))

    def in_yaml(self, written: str, is_key: bool) -> GameWord | None:
        """The word named by a key or value outside effect text."""
        name = slug_of(written)
        tables = (
            *((self.fields,) if is_key else ()),
            *(self.values, *self.options.values(), *self.things.values()),
            *(self.bonuses, self.operations, self.powers, self.keywords, self.lasting),
            *(self.types, self.events),
        )
        found = next((table[name] for table in tables if name in table), None)
        plain = (self.prompts, self.kinds) if is_key else (self.kinds, self.prompts, self.labels)
        return found or next((table[written] for table in plain if written in table), None)

    def _values(self) -> Iterator[GameWord]:
        symbols = self._symbols
        yield GameWord("players", "list", "players: List of Player", (list_of(PLAYER),))
        for name, scope in symbols.scope.items():
            if name.isidentifier():
                yield GameWord(name, "variable", f"{name}: {scope.type}", (scope.type,), id=name)
        for name, setting in symbols.settings.items():
            id = self._ids.get(("setting", name)) or self._ids.get(("switch", name), "")
            called = f"{name}: {setting.type} = {setting.value}"
            said = self._said(id, "english")
            yield GameWord(name, "setting", called, (setting.type,), english=said, id=id)
        for name, enum in symbols.values.items():
            yield GameWord(name, f"value of {enum}", f"{name}: {enum}", (Type(enum),), id=enum)
        yield from _lists(symbols)
        yield from (replace(one, params=one.params or None) for one in self.numbers.values())
        yield from self.fields.values()

    def _things(self, entity: str) -> Iterator[GameWord]:
        for number, name in enumerate(self._symbols.made[entity].names):
            slug, id = slug_of(name), self._ids.get((THING, f"{entity}.{number}"), "")
            if slug.isidentifier():
                called, title = f"{slug}: {entity}", self._said(id, "title")
                yield GameWord(slug, entity, called, (Type(entity),), None, title, id)

    def _said(self, id: str, field: str) -> str:
        return str(self._items[id].data(field) or "") if id else ""


def head_text(one: Signature) -> str:
    """A callable's name and parameters."""
    return f"{one.name}({', '.join(f'{param.name}: {param.type}' for param in one.params)})"


def result_text(one: Signature) -> str:
    """A callable's result by name and type; empty without one."""
    if one.result is None:
        return ""
    return f"{one.result_name}: {one.result}" if one.result_name else str(one.result)


def call_text(one: Signature) -> str:
    """A call and result."""
    given = result_text(one)
    return f"{head_text(one)}: {given}" if given else head_text(one)


def is_reserved(name: str) -> bool:
    """Is this a reserved word of the language?"""
    return slug_of(name) in RESERVED


def _by_name(words: Iterable[GameWord]) -> Words:
    found: dict[str, GameWord] = {}
    for word in words:
        found.setdefault(word.name, word)
    return found


def _called(one: Signature, sort: str, name: str = "", id: str = "") -> GameWord:
    name = name or one.name
    called = f"{name}{call_text(one)[len(one.name) :]}"
    types = (one.result,) if one.result is not None else ()
    return GameWord(name, sort, called, types, one.params, one.english, id or one.id)


def _lists(symbols: Symbols) -> Iterator[GameWord]:
    for name, zone in symbols.zones.items():
        called = f"{name}: List of {zone.of}, seen by {zone.seen_by}"
        types = (Type(zone.of, many=True),)
        yield GameWord(name, "zone", called, types, _place_in(zone), id=name)
    for name in symbols.enums:
        yield GameWord(name, "enum", f"{name}: its values", (Type(name, many=True),), id=name)
    for name, entity in symbols.entities.items():
        if entity.recorded:
            called = f"{name}: all {entity.plural} there are"
            yield GameWord(name, "entity", called, (Type(name, many=True),), id=name)


def _place_in(zone: Zone) -> tuple[ParamSymbol, ...] | None:
    """What a zone is called with: a point or a place, nothing for one's own, None for one that all share."""
    keys = (("at", zone.at), ("place", zone.under))
    found = tuple(ParamSymbol(name, Type(of), None) for name, of in keys if of)
    return found or (() if zone.per_player else None)


def _field(name: str, owners: Mapping[str, FieldSymbol]) -> GameWord:
    types = tuple(dict.fromkeys(one.type for one in owners.values()))
    one = next(iter(owners.values()))
    params = [ParamSymbol(one.entity.lower(), Type(one.entity), None)]
    if one.by:
        params.append(ParamSymbol(one.by.lower(), Type(one.by), None))
    of = " or ".join(owners)
    return GameWord(
        name, f"field of {of}", f"{name}({of}): {one.type}", types, tuple(params), one.english,
        f"{one.entity}.{name}",
    )  # fmt: skip


def _bonuses(symbols: Symbols) -> Iterator[GameWord]:
    for name, kept in symbols.bonuses.items():
        yield GameWord(name, "sort of bonus", f"{name}: {kept} of several count", id=name)
    for name, id in symbols.tags.items():
        yield GameWord(name, "tag", f"tag {name}", (Type("Tag"),), id=id)


def _types(symbols: Symbols) -> Iterator[GameWord]:
    for name in PLAIN:
        yield GameWord(name, "type", name)
    for name in symbols.types:
        entity = symbols.entities.get(name)
        what = f"{entity.singular}, {entity.plural}" if entity else ""
        values = ", ".join(symbols.enums.get(name, ()))
        yield GameWord(name, "type", f"{name}: {what or values or 'a type'}", id=name)


def _events(symbols: Symbols) -> Iterator[GameWord]:
    for name, told in symbols.events.items():
        operation = symbols.operations.get(name)
        english = operation.english if operation is not None else ""
        names = ", ".join(f"{one.name}: {one.type}" for one in told)
        yield GameWord(name, "event", f"{name}({names})", (), told, english, id=name)


def _lasting(symbols: Symbols) -> Iterator[GameWord]:
    for one in symbols.lasting.values():
        item = one.names.item
        if item.slug.isidentifier():
            yield _called(one.signature, "effect that lasts", item.slug, item.id)


def _kinds(content: Content) -> Iterator[GameWord]:
    store = content.schemas
    for kind in store.kinds:
        yield GameWord(kind, "kind", kind, english=str(store.schema(kind).get("description", "")))


def _options(symbols: Symbols) -> Iterator[tuple[str, Words]]:
    enums = [("value", enum, Type(enum), values) for enum, values in symbols.enums.items()]
    known = symbols.settings.items()
    switches = [("option", name, one.type, one.options) for name, one in known if one.options]
    for sort, name, type_, options in (*enums, *switches):
        words = (
            GameWord(one, f"{sort} of {name}", f"{one}: {name}", (type_,), id=name)
            for one in options
        )
        yield type_.name, _by_name(words)


def _reasons(program: rows.Program | None, symbols: Symbols) -> Iterator[GameWord]:
    """The names of what can refuse an answer, a step, a setting or a thing."""
    routines = program.routines if program is not None else ()
    asked = (name for one in routines for reason in reasons_of(one) for name in reason.names)
    for name in (*sorted(NO_OFFER), *asked, *symbols.settings, *symbols.zones):
        yield GameWord(name, "reason", name, id=name)


def _facts(operation: GameWord) -> Words:
    """What a case can claim of an operation in the log."""
    named = (one.name for one in operation.params or ())
    return _by_name(GameWord(one, "fact", one, id=one) for one in ("me", *named, "result"))


def _asked(program: rows.Program | None) -> Iterator[GameWord]:
    """The prompts that a case can answer, and the labels of menu options."""
    for routine in program.routines if program is not None else ():
        for one in asked(routine):
            said = " | ".join(one.labels) or one.question
            if not (one.labels or hasattr(one.row, "prompt")):
                said = "chance decides"
            yield GameWord(one.name, PROMPT, one.name, english=said, id=routine.id)
            yield from (GameWord(label, WAY, label, id=routine.id) for label in one.labels)
