"""Merges the extensions of packs into the vocabulary of their game.

Each part of the merged vocabulary keeps its file and line. Errors are: a name that exists already, an
extension of an unknown name or of a pack that is not required, a static field without a value for
existing items, and a change that a driver could not know of: drivers find columns by name, so that
more fields, variables and entities do no harm, but the values of its enums, the zones of its things,
and the fields it changes are its own. What strangers declare alike they share; what they declare
differently is an error, unless a pack that builds on both declares it, too: that declaration holds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.apart import are_strangers
from ruleloom.compiler.packs.content import Item, Poison, slug_of
from ruleloom.compiler.packs.manifest import Manifest
from ruleloom.compiler.packs.tagged_parts import TAGGED
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import read_type, with_article
from ruleloom.compiler.yaml.node import (
    YamlNode,
    empty_map,
    entries_of,
    fields_of,
    items_of,
    text_of,
    to_data,
    with_entries,
)
from ruleloom.runtime.dataclass import dataclass

KIND = "extension"
SECTIONS = (
    "enums",
    "directions",
    "words",
    "deprecated",
    "rolls",
    "counted",
    "values",
    "entities",
    "kinds",
    "zones",
    "scope",
    "queries",
    "operations",
    "moments",
    "deciders",
    "actions",
    "costs",
)
# The limits of a vocabulary apply to it merged with all extensions.
MOST_NAMES = 500
MOST_VALUES = 100
MOST_EXTENSIONS = 200
BAD = "bad-extension"


def with_extensions(
    items: Sequence[Item], manifests: Iterable[Manifest], kinds: Iterable[str], report: Report
) -> tuple[tuple[Item, ...], Poison]:
    """Return the items with one merged vocabulary, and the refused names.

    `kinds` are those of the game without extensions. Without a vocabulary nothing changes.
    """
    extensions = [item for item in items if item.kind == KIND]
    vocabulary = next((item for item in items if item.kind == "vocabulary"), None)
    if not extensions or vocabulary is None:
        return tuple(items), Poison()
    built_on = closures({one.id: one.needs() for one in manifests})
    work = _Extending(vocabulary, built_on, frozenset(kinds), report)
    work.take(extensions)
    whole = work.whole()
    return tuple(whole if item is vocabulary else item for item in items), work.poisoned


# Queries of these types alone, which read no columns, are answered in every game.
SEATED = frozenset({"Int", "Player"})
WORDS = ("english", "log", "noun")
TYPE = re.compile(r"[A-Z][A-Za-z0-9]*")
FIELD = re.compile(r"\s*([a-z][a-z0-9_]*)")


Problem = tuple[Place, str]
"""The place of a refused addition, and the message."""
ALWAYS = "always"
Declared = tuple[str, str]
"""A section or an extended entity, and the name that is declared there."""


@dataclass(frozen=True, slots=True, eq=False)
class _DriverLimits:
    """The types, entities and fields that a game's driver handles; empty without a driver."""

    game: str
    types: frozenset[str]
    entities: frozenset[str]
    fields: frozenset[str]

    @classmethod
    def of(cls, vocabulary: Item) -> _DriverLimits:
        """Read from the game's own vocabulary what its driver handles."""
        queries = entries_of(vocabulary.fields.get("queries")).values()
        operations = entries_of(vocabulary.fields.get("operations")).values()
        if not any(map(_looks, queries)) and all("sets" in one.entries for one in operations):
            return cls(vocabulary.pack, frozenset(), frozenset(), frozenset())
        entities = entries_of(vocabulary.fields.get("entities"))
        fields = {name for one in entities.values() for name in entries_of(one.get("fields"))}
        # The types of all columns, and of all arguments and results of the driver.
        parts = ("zones", "queries", "operations")
        declared = [
            *(one for part in parts for one in entries_of(vocabulary.fields.get(part)).values()),
            *(one.entries["fields"] for one in entities.values() if "fields" in one.entries),
        ]
        types = {name for one in declared for name in _types_in(one)}
        return cls(vocabulary.pack, frozenset(types), frozenset(entities), frozenset(fields))

    def problem(self, section: str, node: YamlNode) -> Problem | None:
        """The reason why a new operation is refused, or None."""
        for place, what, does in self._touched(node) if section == "operations" else ():
            owner = f"the driver of `{self.game}` looks after `{what}`"
            return place, f"{owner}, so nothing else {does}"
        return None

    def _touched(self, node: YamlNode) -> Iterator[tuple[Place, str, str]]:
        """The driver's own fields and things that an operation sets or makes."""
        for key, _, place in fields_of(node.get("sets")):
            field = FIELD.match(key)
            if field is not None and field[1] in self.fields:
                yield place, field[1], "sets it"
        makes = node.get("makes")
        if makes is not None and makes.text in self.entities:
            yield makes.place, makes.text, "makes one"

    def taking_from(self, zones: Mapping[str, YamlNode], operations: YamlNode) -> YamlNode:
        """The operations, of which the driver's take things out of these new zones, too."""
        taking: dict[str, YamlNode] = {}
        for name, one in operations.entries.items():
            types = set(map(text_of, entries_of(one.get("params")).values()))
            changes = one.get("changes")
            new = [
                YamlNode(zone.source, "text", key, zone.start, zone.end)
                for key, zone in zones.items()
                if text_of(zone.get("of")) in types & self.entities
            ]
            if changes is not None and new:
                taking[name] = with_entries(one, {"changes": _longer(changes, new)})
        return with_entries(operations, taking) if taking else operations


def _looks(query: YamlNode) -> bool:
    """Does the answer to a query depend on anything but the seats?"""
    if "of" in query.entries:
        return False
    return bool(items_of(query.get("reads"))) or not SEATED.issuperset(_types_in(query))


def _types_in(node: YamlNode) -> Iterator[str]:
    for child in (*(one for key, one in node.entries.items() if key not in WORDS), *node.items):
        if child.text is not None:
            yield from TYPE.findall(child.text)
        yield from _types_in(child)


@dataclass(slots=True, eq=False)
class _Entity:
    name: str
    node: YamlNode
    maps: dict[str, YamlNode]
    """The printed fields (`static`) and the others, additions included."""
    records: list[YamlNode] = field(default_factory=list)
    tagged: YamlNode | None = None

    @property
    def noun(self) -> str:
        singular = next(iter(items_of(self.node.get("noun"))), None)
        return with_article((singular.text if singular is not None else None) or self.name)

    @property
    def is_made(self) -> bool:
        """Are these made by items, or by entries of items?"""
        return "records" in self.node.entries or "part_of" in self.node.entries

    def tag(self, tagged: YamlNode | None) -> None:
        """Take over whether they have tags: they do if any extension says so."""
        if self.tagged is None or (tagged is not None and tagged.value is True):
            self.tagged = tagged

    def whole(self) -> YamlNode:
        parts = {
            part: more
            for part, more in self.maps.items()
            if more.entries and more is not self.node.get(part)
        }
        if self.records:
            written = self.node.get("records") or self.records[0]
            parts["records"] = _longer(written, self.records)
        if self.tagged is not None:
            parts[TAGGED] = self.tagged
        return with_entries(self.node, parts)


@dataclass(eq=False)
class _Extending:
    """The merging of extensions."""

    vocabulary: Item
    built_on: Mapping[str, frozenset[str]]
    kinds: frozenset[str]
    report: Report
    poisoned: Poison = field(default_factory=Poison)
    reported: set[str] = field(default_factory=set)
    always: dict[str, YamlNode] = field(default_factory=dict)
    more_values: dict[str, dict[str, YamlNode]] = field(default_factory=dict)
    entities: dict[str, _Entity] = field(default_factory=dict)
    packs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The packs that declare each name of a section."""
    files: dict[str, str] = field(default_factory=dict)
    """The pack of each file with extensions."""
    settled: Mapping[Declared, set[str]] = field(default_factory=dict)
    """The strangers in whose place a pack that builds on them declares a name."""

    def __post_init__(self) -> None:
        self.driver = _DriverLimits.of(self.vocabulary)
        fields, node = self.vocabulary.fields, self.vocabulary.node
        empty = empty_map(node.source, node.start)
        self.sections = {name: fields.get(name, empty) for name in SECTIONS}

    def take(self, extensions: list[Item]) -> None:
        """Merge all extensions up to the limit; each may extend what any declares."""
        if len(extensions) > MOST_EXTENSIONS:
            message = (
                f"there are {len(extensions):,} extensions, and {MOST_EXTENSIONS} are the most"
            )
            help = "put those of one pack into one"
            self.report.error(BAD, extensions[MOST_EXTENSIONS].place, message, help)
            self.poisoned.anything = True
            del extensions[MOST_EXTENSIONS:]
        self.files = {one.source.path: one.pack for one in extensions}
        self.settled = _settled(extensions, self.built_on)
        for extension in extensions:
            self.declare(extension)
        for extension in extensions:
            self.extend(extension)

    def declare(self, extension: Item) -> None:
        for name in SECTIONS:
            node = extension.fields.get(name)
            for key, child, place in fields_of(node):
                if self._is_settled(name, key, place):
                    self.packs[key].add(extension.pack)
                elif self._is_new(name, key, child, place):
                    self.sections[name] = with_entries(self.sections[name], {key: child}, node)
                    self.packs[key].add(extension.pack)
        for one in items_of(extension.fields.get(ALWAYS)):
            if self._is_new_always(one):
                self.always[text_of(one.get("name"))] = one

    def _is_settled(self, part: str, key: str, place: Place) -> bool:
        """Does a pack that builds on this one and on a stranger declare the name of both?"""
        return self.files[place.path] in self.settled.get((part, key), ())

    def _is_new_always(self, child: YamlNode) -> bool:
        key = text_of(child.get("name"))
        if self._is_settled(ALWAYS, key, child.place):
            return False
        first = self.always.get(key)
        if first is None or (
            self._are_strangers(child, first) and to_data(child) == to_data(first)
        ):
            return first is None
        place, other = child.entries["name"].place, first.entries["name"].place
        return self._twice(key, place, other, written=f"{ALWAYS}: [{{name: {key}, ...}}]")

    def _is_new(self, section: str, key: str, child: YamlNode, place: Place) -> bool:
        known = self.sections[section]
        if key in known.entries:
            help = self._own_name(key, place)
            other = known.entries[key]
            if self._are_strangers(child, other) and to_data(child) == to_data(other):
                self.packs[key].add(self.files[place.path])
                return False  # the same declaration twice, as either pack may be played alone
            if section == "deciders":
                help = "take one of the two out"
            if section in ("enums", "entities"):
                help = f"to add to it, name it under `extends:` of the extension: `extends: {{{key}: ...}}`"
            written = f"{section}: {{{key}: ...}}"
            return self._twice(key, place, known.key_place(key), help, written)
        if section == "kinds" and key in self.kinds:
            message = f"there are items of the kind `{key}` already"
            self.report.error("name-clash", place, message, "another name")
            return self._refused(key)
        if len(known.entries) >= MOST_NAMES:
            return self._too_many(place, f"a vocabulary has at most {MOST_NAMES} {section}", key)
        problem = self.driver.problem(section, child)
        return problem is None or self._wrong(*problem, key)

    def extend(self, extension: Item) -> None:
        for name, more, place in fields_of(extension.fields.get("extends")):
            if not self._may_extend(name, place, extension):
                self.poisoned.add(*_names_in(more))
            elif name in self.sections["enums"].entries:
                self._values(name, more, place)
            else:
                self._fields(name, more)

    def _may_extend(self, name: str, place: Place, extension: Item) -> bool:
        enums, entities = self.sections["enums"].entries, self.sections["entities"].entries
        if name not in enums and name not in entities:
            if self.poisoned.mentions(name):
                return False
            message = f"there is no enum or entity `{name}` to be extended"
            help = did_you_mean(name, [*enums, *entities]) or (
                "write a new one under `enums:` or `entities:`, not under `extends:`"
            )
            self.report.error("extends-nothing", place, message, help)
            return False
        owners, pack = self.packs.get(name, {self.vocabulary.pack}), extension.pack
        if not owners.isdisjoint(self.built_on[pack]):
            return True
        owner = min(owners)
        message = f"`{name}` is of the pack `{owner}`, and `{pack}` does not require that"
        help = f'add `requires: {{{owner}: "*"}}` to the manifest'
        self.report.error(BAD, place, message, help)
        return False

    def _values(self, enum: str, more: YamlNode, place: Place) -> None:
        if more.kind != "list":
            self._wrong(more.place, f"`{enum}` is an enum, and gets values", *_names_in(more))
            return
        if enum in self.driver.types:
            message = f"the driver of `{self.driver.game}` knows the values of `{enum}`"
            self._wrong(place, f"{message}, and could do nothing with more", *_names_in(more))
            return
        written = self.sections["enums"].entries[enum].items
        known = {one.text or one.raw: one for one in written}
        added = self.more_values.setdefault(enum, {})
        for one in more.items:
            value = one.text or one.raw
            first = known.get(value) or added.get(value)
            if value in added and self._are_strangers(one, added[value]):
                continue  # the names of values are everybody's: two packs that add one share it
            if first is not None:
                self._twice(value, one.place, first.place)
            elif len(known) + len(added) >= MOST_VALUES:
                message = f"`{enum}` has at most {MOST_VALUES} values"
                self._too_many(one.place, message, *_names_in(more))
                return
            else:
                added[value] = one

    def _fields(self, name: str, more: YamlNode) -> None:
        if more.kind != "map":
            self._wrong(more.place, f"`{name}` is an entity, and gets fields", *_names_in(more))
            return
        if name not in self.entities:
            node = self.sections["entities"].entries[name]
            empty = empty_map(node.source, node.start)
            maps = {part: node.get(part) or empty for part in ("fields", "static")}
            self.entities[name] = _Entity(name, node, maps)
        entity = self.entities[name]
        for part in entity.maps:
            fields, is_static = more.get(part), part == "static"
            for key, child, place in fields_of(fields):
                if self._is_settled(name, key, place):
                    continue
                is_new = self._is_new_field(entity, part, key, child, place)
                if is_new and self._has_a_value(entity, is_static, key, child, place):
                    entity.maps[part] = with_entries(entity.maps[part], {key: child}, fields)
        entity.records += items_of(more.get("records"))
        entity.tag(more.get(TAGGED))

    def _is_new_field(
        self, entity: _Entity, part: str, key: str, child: YamlNode, place: Place
    ) -> bool:
        there = next((one for one in entity.maps.values() if key in one.entries), None)
        if there is not None:
            known, is_part = there.entries[key], there is entity.maps[part]
            if is_part and self._are_strangers(child, known) and to_data(child) == to_data(known):
                return False  # as above
            other = self._own_name(key, place)
            written = f"extends: {{{entity.name}: {{{part}: {{{key}: ...}}}}}}"
            return self._twice(key, place, there.key_place(key), other, written)
        if sum(len(one.entries) for one in entity.maps.values()) >= MOST_NAMES:
            return self._too_many(place, f"`{entity.name}` has at most {MOST_NAMES} fields", key)
        return True

    def _has_a_value(
        self, entity: _Entity, printed: bool, key: str, child: YamlNode, place: Place
    ) -> bool:
        """Does a new field have a value for existing things, which do not set it?"""
        if printed and not entity.is_made:
            message = f"nothing makes {entity.noun}, so nothing is printed on it"
            return self._wrong(place, message, key)
        key_of_value = "default" if printed else "initial"
        is_there = entity.is_made and "present" not in entity.node.entries  # from the start
        natural = not printed and ("by" in child.entries or is_there)
        if natural or key_of_value in child.entries or _may_be_empty(child):
            return True
        message = f"{entity.noun} has no `{key}` so far, and needs a value to begin with"
        return self._wrong(place, message, key, help=f"add `{key_of_value}:`")

    def whole(self) -> Item:
        enums, entities = self.sections["enums"], self.sections["entities"]
        values = self.more_values.items()
        longer = {name: _longer(enums.entries[name], more.values()) for name, more in values}
        extended = {name: entity.whole() for name, entity in self.entities.items()}
        operations, zones = self.sections["operations"], self.sections["zones"].entries
        own = entries_of(self.vocabulary.fields.get("zones"))
        beside = {name: one for name, one in zones.items() if name not in own}
        whole = {
            **self.sections,
            "operations": self.driver.taking_from(beside, operations),
            "enums": with_entries(enums, longer),
            "entities": with_entries(entities, extended),
        }
        parts = {name: one for name, one in whole.items() if one.entries}
        if self.always:
            written, first = self.vocabulary.fields.get(ALWAYS), next(iter(self.always.values()))
            if written is None:
                written = YamlNode(first.source, "list", [], first.start, first.end)
            parts[ALWAYS] = _longer(written, self.always.values())
        node = with_entries(self.vocabulary.node, parts)
        return replace(self.vocabulary, fields=node.entries, node=node)

    def _are_strangers(self, one: YamlNode, other: YamlNode) -> bool:
        """Are these added by two packs, neither of which builds on the other?"""
        first, second = (self.files.get(node.source.path, "") for node in (one, other))
        return bool(first and second) and are_strangers(first, second, self.built_on)

    def _own_name(self, key: str, place: Place) -> str:
        """The help with a name that no other pack gives."""
        return f"another name, such as `{slug_of(self.files.get(place.path, key))}_{key}`"

    def _twice(
        self, name: str, place: Place, first: Place, help: str = "another name", written: str = ""
    ) -> bool:
        """Refuse a name that is there; one of two strangers with how a third pack has it `written`."""
        message, told = f"`{name}` is there already", "the first one"
        here, there = (self.files.get(one.path, "") for one in (place, first))
        if written and here and there and are_strangers(here, there, self.built_on):
            message = f"`{there}` and `{here}` both declare `{name}`, and not alike"
            told = f"that of `{there}`"
            help = f"`{written}` in an extension of a pack that requires both says what holds"
        self.report.error("name-clash", place, message, help, [Note(first, told)])
        return self._refused(name)

    def _wrong(self, place: Place, message: str, *names: str, help: str | None = None) -> bool:
        self.report.error(BAD, place, message, help)
        return self._refused(*names)

    def _too_many(self, place: Place, message: str, *names: str) -> bool:
        """Report once that a limit is exceeded, at the first addition beyond it."""
        if message in self.reported:
            return self._refused(*names)
        self.reported.add(message)
        return self._wrong(place, f"{message}, those of all packs counted", *names)

    def _refused(self, *names: str) -> bool:
        self.poisoned.add(*names)
        return False


def _settled(
    extensions: Iterable[Item], built_on: Mapping[str, frozenset[str]]
) -> dict[Declared, set[str]]:
    """Of each name the packs that declare it, and on which another that declares it builds, if some of
    these are strangers to one another."""
    packs: dict[Declared, set[str]] = defaultdict(set)
    for extension in extensions:
        for name in _declared_in(extension):
            packs[name].add(extension.pack)
    found: dict[Declared, set[str]] = {}
    for name, those in packs.items():
        for pack in those if len(those) > 2 else ():
            under = those & built_on[pack] - {pack}
            if any(are_strangers(*two, built_on) for two in combinations(under, 2)):
                found.setdefault(name, set()).update(under)
    return found


def _declared_in(extension: Item) -> Iterator[Declared]:
    """All names that an extension declares, those that it adds to an entity by the entity."""
    for section in SECTIONS:
        yield from ((section, key) for key in entries_of(extension.fields.get(section)))
    for one in items_of(extension.fields.get(ALWAYS)):
        yield ALWAYS, text_of(one.get("name"))
    for name, more in entries_of(extension.fields.get("extends")).items():
        for part in ("fields", "static"):
            yield from ((name, key) for key in entries_of(more.get(part)))


def _may_be_empty(field: YamlNode) -> bool:
    """Tell whether a field needs no value: it is optional or a list, or its type is unreadable."""
    written = field if field.kind == "text" else field.get("type")
    type_ = read_type(written.text or "") if written is not None else None
    return type_ is None or type_.optional or type_.many


def _names_in(more: YamlNode) -> Iterator[str]:
    yield from (one.text or one.raw for one in more.items)
    for part in more.entries.values():
        yield from part.entries


def _longer(written: YamlNode, more: Iterable[YamlNode]) -> YamlNode:
    """A list with more entries, which keep their places."""
    extra = [one for one in more if one is not written]
    return replace(written, kind="list", value=[*written.items, *extra])
