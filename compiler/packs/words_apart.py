"""Keeps apart the words of extensions by which packs that do not know each other mean two sorts of things:
a variable and a value, a moment and an operation.

In: the items of all packs, before extensions are merged. Out: the same items, of which extensions declare
such a word with the name of their pack before it (`lamps__heat`), and what it means by pack. A field and a
value keep the word: they stand in records. Two things of one sort are left to `with_extensions`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ruleloom.compiler.packs.apart import Below, Shared, are_strangers
from ruleloom.compiler.packs.content import BETWEEN, Item
from ruleloom.compiler.packs.settings import WORDS
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.tree import OPERATION
from ruleloom.compiler.yaml.node import (
    YamlNode,
    entries_of,
    fields_of,
    items_of,
    text_of,
    with_entries,
    with_keys,
)
from ruleloom.runtime.dataclass import Frozen

# Fields of extensions that are lists of names, or one.
NAMED = frozenset({"reads", "changes", "of", "goes_to"})
# The namespaces of the words that stand in texts alone, by the sections that declare them.
_SPACES: Mapping[str, tuple[str, ...]] = {
    "scope": ("value",),
    "zones": ("value", "call"),
    "queries": ("call",),
    "operations": ("operation",),
    "moments": ("operation",),
}


class _Word(Frozen):
    """A word that an extension declares: its sort, its namespaces, and the item that stands for it."""

    sort: str
    spaces: tuple[str, ...]
    item: Item

    def meets(self, other: _Word, below: Below) -> bool:
        """Do strangers mean two sorts of things by it, which have one namespace?"""
        return (
            self.sort != other.sort
            and not {*self.spaces}.isdisjoint(other.spaces)
            and are_strangers(self.item.pack, other.item.pack, below)
        )


def with_words_apart(
    items: Sequence[Item], below: Below
) -> tuple[tuple[Item, ...], Sequence[Shared]]:
    """The items with such words told apart, and what the words mean."""
    extensions = [item for item in items if item.kind == "extension"]
    shared = _shared_by(extensions, below)
    if not shared:
        return tuple(items), ()
    made = {id(one): _with_words(one, shared, below) for one in extensions}
    return tuple(made.get(id(item), item) for item in items), shared


def _shared_by(extensions: Iterable[Item], below: Below) -> list[Shared]:
    """The words by which extensions of strangers mean two sorts of things."""
    words: dict[str, list[_Word]] = defaultdict(list)
    for extension in extensions:
        for one in (*_said(extension), *_values(extension), *_fields(extension)):
            words[one.item.name].append(one)
    shared: list[Shared] = []
    for name, many in words.items():
        met = [one for one in many if any(one.meets(other, below) for other in many)]
        if met:
            shared.append(Shared(tuple((name, _now(one)) for one in met), frozenset()))
    return shared


def _word(
    sort: str, spaces: tuple[str, ...], name: str, node: YamlNode, place: Place, by: Item
) -> _Word:
    return _Word(sort, spaces, Item(sort, name, by.pack, {}, place, node, by.source))


def _said(extension: Item) -> Iterator[_Word]:
    """The words that stand in texts alone."""
    for section, spaces in _SPACES.items():
        for name, node, place in fields_of(extension.fields.get(section)):
            is_value = section == "queries" and not entries_of(node.get("params"))
            yield _word(
                section, (*spaces, "value") if is_value else spaces, name, node, place, extension
            )


def _values(extension: Item) -> Iterator[_Word]:
    enums, extends = (entries_of(extension.fields.get(one)) for one in ("enums", "extends"))
    for enum, values in (*enums.items(), *extends.items()):
        for node in items_of(values):
            sort = f"value of {enum}"
            yield _word(sort, ("value",), text_of(node), node, node.place, extension)


def _fields(extension: Item) -> Iterator[_Word]:
    entities, extends = (entries_of(extension.fields.get(one)) for one in ("entities", "extends"))
    for entity in (*entities.values(), *extends.values()):
        parts = (entity.get(part) for part in ("fields", "static"))
        for name, node, place in chain.from_iterable(map(fields_of, parts)):
            yield _word("field", ("call",), name, node, place, extension)
        if (under := entity.get("under")) is not None:
            yield _word("field", ("call",), text_of(under), under, under.place, extension)


def _now(word: _Word) -> Item:
    """What stands for a word, under its new name if it has one."""
    item = word.item
    if word.sort not in WORDS:
        return item
    return replace(item, name=f"{item.pack}{BETWEEN}{item.name}")


def _with_words(extension: Item, shared: Iterable[Shared], below: Below) -> Item:
    """An extension with the new names of its own words, and of those that it sees, outside effect text."""
    seen = dict(chain.from_iterable(_seen(one, extension, below) for one in shared))
    if not seen:
        return extension
    entries = {part: _named(part, node, seen) for part, node in extension.fields.items()}
    for name, item in seen.items():
        if item.pack == extension.pack and item.kind in entries:
            entries[item.kind] = with_keys(entries[item.kind], {name: item.slug})
    node = with_entries(extension.node, entries)
    return replace(extension, fields=entries, node=node)


def _seen(shared: Shared, extension: Item, below: Below) -> Iterator[tuple[str, Item]]:
    """The word with its new name, if it means one thing to an extension."""
    near = [pair for pair in shared.named if _is_near(pair[1], extension, below)]
    if len(near) == 1 and near[0][1].kind in WORDS:
        yield near[0]


def _is_near(item: Item, extension: Item, below: Below) -> bool:
    return item.pack == extension.pack or item.pack in below[extension.pack]


def _named(key: str, node: YamlNode, seen: Mapping[str, Item]) -> YamlNode:
    """A part of an extension with the new names in fields that are names."""
    if node.kind == "map":
        entries = {name: _named(name, child, seen) for name, child in node.entries.items()}
        made = with_entries(node, entries)
        return with_keys(made, _events(made, seen)) if key == "deciders" else made
    if node.kind == "list":
        return replace(node, value=[_named(key, child, seen) for child in node.items])
    item = seen.get(node.text or "") if key in NAMED else None
    return node if item is None else replace(node, value=item.slug)


def _events(deciders: YamlNode, seen: Mapping[str, Item]) -> dict[str, str]:
    """The new names of events, whose last word is that of an operation or a moment."""
    words = ((event, *event.rpartition(" ")) for event in deciders.entries)
    return {
        event: f"{phase}{space}{seen[word].slug}"
        for event, phase, space, word in words
        if word in seen and OPERATION in WORDS[seen[word].kind]
    }
