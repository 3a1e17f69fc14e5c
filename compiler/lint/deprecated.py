"""Uses of what another pack has deprecated: an item, a word of its vocabulary, a value, or a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.resolve.embedded import GIVEN, ITEM, SETTING, THING, NameUse
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, text_of

DEPRECATED = "deprecated"
# The sorts of meanings that the names of each section of a vocabulary can have.
SORTS = {
    "operations": ("operation", "event"),
    "moments": ("operation", "event"),
    "queries": ("query",),
    "scope": ("variable",),
    "zones": ("zone",),
}
VOCABULARIES = ("vocabulary", "extension")
Name = tuple[str, str]
"""The table and name of a meaning."""


class Deprecated(NamedTuple):
    """A deprecated name as authors write it, and the text of its author."""

    name: str
    text: YamlNode


def deprecated(content: Content) -> dict[Name, Deprecated]:
    """What is deprecated, by its meanings."""
    return dict(_declared(content))


def _declared(content: Content) -> Iterator[tuple[Name, Deprecated]]:
    for item in content.items:
        if DEPRECATED in item.fields and item.kind not in VOCABULARIES:
            sort = SETTING if item.kind == "switch" else item.kind
            yield from _of_entry((sort,), item.slug, item.fields[DEPRECATED])
            yield from _of_entry((ITEM,), item.id, item.fields[DEPRECATED])
    for item in content.by_kind("vocabulary"):
        for part, sorts in SORTS.items():
            for name, node, _ in section(item, part):
                if (text := node.get(DEPRECATED)) is not None:
                    yield from _of_entry(sorts, name, text)
        for enum, values, _ in section(item, "enums"):
            for value in map(text_of, values.items):
                if (text := entries_of(item.fields.get(DEPRECATED)).get(value)) is not None:
                    yield ("value", f"{enum}.{value}"), Deprecated(value, text)
        for name, field in _fields(item):
            if (text := entries_of(field).get(DEPRECATED)) is not None:
                yield ("field", name), Deprecated(name, text)


def _fields(vocabulary: Item) -> Iterator[tuple[str, YamlNode]]:
    """The fields of all entities."""
    for _, node, _ in section(vocabulary, "entities"):
        for column in ("static", "fields"):
            yield from ((name, field) for name, field, _ in fields_of(node.get(column)))


def _of_entry(
    sorts: tuple[str, ...], name: str, text: YamlNode
) -> Iterator[tuple[Name, Deprecated]]:
    """The meanings of a name, or of its parameters that have a text each."""
    short = name.rpartition("/")[2]
    for sort in sorts:
        if text.kind != "map":
            yield (sort, name), Deprecated(short, text)
        for param, said in text.entries.items():
            yield (GIVEN, f"{sort} {name} {param}"), Deprecated(f"{param}` of `{short}", said)


def deprecated_uses(build: Build) -> None:
    """Warn about each use of a deprecated name, except in its own pack and in packs built upon."""
    names = deprecated(build.content)
    if not names:
        return
    _check_values(build)
    for name, place in {*_in_texts(build, build.symbols.uses), *_patched(build.content)}:
        _tell(build, names.get(name), place, build.report)


def deprecated_in_cases(
    build: Build, words: Iterable[tuple[str, Place]], uses: Iterable[NameUse], report: Report
) -> None:
    """Warn about the deprecated names among the words of cases, and among the uses in their texts."""
    names = deprecated(build.content)
    short = {
        slug_of(name.rpartition(".")[2]): one
        for (table, name), one in names.items()
        if table not in (GIVEN, ITEM)
    }
    for word, place in words if names else ():
        _tell(build, short.get(slug_of(word)), place, report)
    for name, place in {*_in_texts(build, uses)} if names else ():
        _tell(build, names.get(name), place, report)


def _tell(build: Build, found: Deprecated | None, place: Place, report: Report) -> None:
    """Warn about the use of a deprecated name at a place of another pack."""
    belonging = build.symbols.belonging
    known = build.content.built_upon | ({belonging.pack(found.text.place)} if found else set())
    if found is not None and belonging.pack(place) not in known:
        message = f"`{found.name}` is deprecated: {' '.join(text_of(found.text).split())}"
        notes = [Note(found.text.place, "it is said here")]
        report.warning(DEPRECATED, place, message, None, notes)


def _check_values(build: Build) -> None:
    """Report deprecated values that no enum has."""
    values = build.symbols.values
    for item in build.content.by_kind("vocabulary"):
        for value, _, place in fields_of(item.fields.get(DEPRECATED)):
            if value not in values:
                message = f"no enum has a value `{value}`"
                build.report.error("unknown-name", place, message, did_you_mean(value, values))


def _in_texts(build: Build, uses: Iterable[NameUse]) -> Iterator[tuple[Name, Place]]:
    """The names that texts and fields use, each with its place."""
    things = {
        f"{entity}.{number}": item
        for item in build.content.items
        for entity, number in build.symbols.named.get(item.name, ())
    }
    for use in uses:
        name = use.meaning.table, use.meaning.name
        if name[0] == THING and name[1] in things:
            name = ITEM, things[name[1]].id
        if not use.declares:
            yield name, use.place


def _patched(content: Content) -> Iterator[tuple[Name, Place]]:
    """The items that patches and manifests change by name, each with the place of the name."""
    for patch in content.by_kind("patch"):
        if (target := patch.fields.get("target")) is not None:
            yield from (((ITEM, one.id), target.place) for one in _items(content, text_of(target)))
    for pack in content.packs:
        for field in ("settings", "switches"):
            for name, _, place in fields_of(pack.manifest.fields.get(field)):
                yield from (((ITEM, one.id), place) for one in _items(content, f"{field}/{name}"))


def _items(content: Content, name: str) -> list[Item]:
    return content.items_called(
        name.replace("settings/", "setting/").replace("switches/", "switch/")
    )
