"""The words of a game that effect texts use: each with its sort, its type, how it is called, its
English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, ParamSymbol, Signature, Symbols
from ruleloom.compiler.types import PLAIN, list_of
from ruleloom.editor.snapshot import Snapshot
from ruleloom.reference.hooks import result_text, signature_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import PLAYER, Type


@dataclass(frozen=True, slots=True)
class GameWord:
    """A name: `sort` is the author's word for what it is, `called` how it is written in full.

    `types` are those that it may have as a value; `params` is None for what takes none. `key` is the
    table and the name by which its place is known, or the id of its item.
    """

    name: str
    sort: str
    called: str
    types: tuple[Type, ...] = ()
    params: tuple[ParamSymbol, ...] | None = None
    english: str = ""
    id: str = ""

    @property
    def needed(self) -> tuple[ParamSymbol, ...]:
        """The parameters that have to be given."""
        return tuple(one for one in self.params or () if one.default is None)


Words = Mapping[str, GameWord]


@dataclass(frozen=True, slots=True)
class GameWords:
    """The words of a game, by what they may stand for."""

    operations: Words
    powers: Words
    values: Words
    """What stands in an expression: variables, settings, values of enums, zones, calls, fields."""
    numbers: Words
    """Rules, stats, measures and queries alone, whatever else has their name."""
    keywords: Words
    lasting: Words
    bonuses: Words
    types: Words
    events: Words
    things: Mapping[str, tuple[GameWord, ...]]
    """What items make, by the type of it."""
    options: Mapping[str, tuple[GameWord, ...]]
    """The values of enums and switches, by their type."""

    def called(self, name: str) -> Iterator[GameWord]:
        """Every word of this name that may take something."""
        plain = (self.powers, self.operations, self.values, self.keywords, self.lasting)
        for table in (*plain, self.bonuses, self.types):
            if name in table:
                yield table[name]

    def all_of(self, name: str) -> Iterator[GameWord]:
        """Every word of this name."""
        yield from self.called(name)
        for groups in (self.things, self.options):
            for many in groups.values():
                yield from (one for one in many if one.name == name)


def game_words(snapshot: Snapshot) -> GameWords:
    """The words of the game of a snapshot."""
    symbols = snapshot.symbols
    items = {item.id: item for item in snapshot.content.items}
    operations = [one for one in symbols.operations.values() if one.name.isidentifier()]
    return GameWords(
        operations=_by_name(_called(one, one.kind) for one in operations),
        powers=_by_name(_called(one, "power") for one in symbols.powers.values()),
        values=_by_name(_values(symbols, items)),
        numbers=_by_name(
            _called(one, one.kind) for one in symbols.callables.values() if one.name.isidentifier()
        ),
        keywords=_by_name(_called(one, "keyword") for one in symbols.keywords.values()),
        lasting=_by_name(
            _called(one.signature, "effect that lasts", one.names.item.slug, one.names.item.id)
            for one in symbols.lasting.values()
            if one.names.item.slug.isidentifier()
        ),
        bonuses=_by_name(_bonuses(symbols)),
        types=_by_name(_types(symbols)),
        events=_by_name(_events(symbols)),
        things=_things(symbols, items),
        options=_options(symbols),
    )


def _by_name(words: Iterator[GameWord] | list[GameWord]) -> Words:
    found: dict[str, GameWord] = {}
    for word in words:
        found.setdefault(word.name, word)
    return found


def _called(one: Signature, sort: str, name: str = "", id: str = "") -> GameWord:
    name = name or one.name
    params = signature_text(one)[len(one.name) :]
    result = result_text(one)
    called = f"{name}{params}{f': {result}' if result else ''}"
    types = (one.result,) if one.result is not None else ()
    return GameWord(name, sort, called, types, one.params, one.english, id or one.id)


def _values(symbols: Symbols, items: Mapping[str, Item]) -> Iterator[GameWord]:
    yield GameWord("players", "list", "players: List of Player", (list_of(PLAYER),))
    for name, scope in symbols.scope.items():
        if name.isidentifier():
            yield GameWord(name, "variable", f"{name}: {scope.type}", (scope.type,), id=name)
    yield from _settings(symbols, items)
    for name, enum in symbols.values.items():
        yield GameWord(name, f"value of {enum}", f"{name}: {enum}", (Type(enum),), id=enum)
    yield from _lists(symbols)
    for one in symbols.callables.values():
        if one.name.isidentifier():
            word = _called(one, one.kind)
            yield (
                word
                if one.params
                else GameWord(
                    one.name, one.kind, word.called, word.types, None, one.english, one.id
                )
            )
    for name, owners in symbols.fields.items():
        yield _field(name, owners)


def _settings(symbols: Symbols, items: Mapping[str, Item]) -> Iterator[GameWord]:
    chosen = {item.slug: item for item in items.values() if item.kind in CHOSEN}
    for name, setting in symbols.settings.items():
        item = chosen.get(name)
        said = str(item.data("english") or "") if item is not None else ""
        called = f"{name}: {setting.type} = {setting.value}"
        id = item.id if item is not None else ""
        yield GameWord(name, "setting", called, (setting.type,), english=said, id=id)


CHOSEN = ("setting", "switch")


def _lists(symbols: Symbols) -> Iterator[GameWord]:
    for name, zone in symbols.zones.items():
        types = (Type(zone.of, many=True),)
        owner = (ParamSymbol("player", PLAYER, None),) if zone.per_player else ()
        place = (ParamSymbol("at", Type(zone.at), None),) if zone.at else ()
        called = f"{name}: List of {zone.of}, seen by {zone.seen_by}"
        yield GameWord(name, "zone", called, types, place or (() if owner else None), id=name)
    for name in symbols.enums:
        yield GameWord(name, "enum", f"{name}: its values", (Type(name, many=True),), id=name)
    for name, entity in symbols.entities.items():
        if entity.recorded:
            called = f"{name}: all {entity.plural} there are"
            yield GameWord(name, "entity", called, (Type(name, many=True),), id=name)


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


def _things(symbols: Symbols, items: Mapping[str, Item]) -> Mapping[str, tuple[GameWord, ...]]:
    found: dict[str, tuple[GameWord, ...]] = {}
    titles = {item.slug: item for item in items.values() if item.kind in symbols.kinds}
    for entity, made in symbols.made.items():
        words = []
        for name in made.names:
            slug = name.replace("-", "_")
            item = titles.get(slug)
            title = str(item.data("title") or "") if item is not None else ""
            id = item.id if item is not None else ""
            if slug.isidentifier():
                words.append(
                    GameWord(slug, entity, f"{slug}: {entity}", (Type(entity),), None, title, id)
                )
        found[entity] = tuple(words)
    return found


def _options(symbols: Symbols) -> Mapping[str, tuple[GameWord, ...]]:
    found = {
        enum: tuple(
            GameWord(one, f"value of {enum}", f"{one}: {enum}", (Type(enum),), id=enum)
            for one in values
        )
        for enum, values in symbols.enums.items()
    }
    for name, setting in symbols.settings.items():
        if setting.options:
            found[setting.type.name] = tuple(
                GameWord(one, f"option of {name}", f"{one}: {name}", (setting.type,), id=name)
                for one in setting.options
            )
    return found
