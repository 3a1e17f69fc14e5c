"""The tree of a YAML file: values, each with its source and its span in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from ruleloom.compiler.source.file import Place, Source
from ruleloom.runtime.dataclass import dataclass

Kind = Literal["map", "list", "text", "int", "bool", "null"]
Plain = dict[str, "Plain"] | list["Plain"] | str | int | bool | None

# A text that needs no quotes.
T = TypeVar("T")
BARE = re.compile(r"-?[A-Za-z0-9_/.+(](?:[A-Za-z0-9 _/.@+()*=<>-]*[A-Za-z0-9_/.@+()-])?")
# The dash of the next item, its kind, and the field after it.
NEXT_ITEM = re.compile(r"\s*(?:#[^\n]*\n\s*)*-[ ]+kind:[ ]*(?P<kind>\w+)[^\n]*\n[ ]+(?P<key>\w+):")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class YamlNode:
    """One value of a YAML file, with its span in the file.

    *style* is the quote or block sign of a text, the opening bracket of a map or list, or None.
    *key_sources* maps keys of a map that come from another file to that file.
    """

    source: Source
    kind: Kind
    value: dict[str, YamlNode] | list[YamlNode] | str | int | bool | None
    start: int
    end: int
    style: str | None = None
    key_spans: dict[str, tuple[int, int]] | None = None
    key_sources: dict[str, Source] | None = None

    @property
    def place(self) -> Place:
        """Return the place of this value."""
        return self.source.place(self.start, self.end)

    @property
    def inner_place(self) -> Place:
        """Return the place of this value, without its quotes."""
        margin = 1 if self.style in ("'", '"') else 0
        return self.source.place(self.start + margin, self.end - margin)

    @property
    def raw(self) -> str:
        """Return the source text of this value, including quotes."""
        return self.source.text[self.start : self.end]

    def key_place(self, key: str) -> Place:
        """Return the place of one key of a map."""
        assert self.key_spans is not None, "only a map has keys"
        source = self.key_sources.get(key, self.source) if self.key_sources else self.source
        return source.place(*self.key_spans[key])

    @property
    def entries(self) -> dict[str, YamlNode]:
        """Return the fields of a map; empty for other kinds."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[YamlNode]:
        """Return the elements of a list; empty for other kinds."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str | None:
        """Return the value of a text; None for other kinds."""
        return self.value if isinstance(self.value, str) else None

    def get(self, key: str) -> YamlNode | None:
        """Return one field of a map, or None."""
        return self.entries.get(key)


def entries_of(node: YamlNode | None) -> dict[str, YamlNode]:
    """Return the fields of a map that may be missing."""
    return {} if node is None else node.entries


def items_of(node: YamlNode | None) -> list[YamlNode]:
    """Return the elements of a list that may be missing."""
    return [] if node is None else node.items


def text_of(node: YamlNode | None) -> str:
    """Return the value of a text that may be missing; empty for other kinds."""
    return "" if node is None else node.text or ""


def fields_of(node: YamlNode | None) -> Iterator[tuple[str, YamlNode, Place]]:
    """Yield each field of a map that may be missing, with the place of its key."""
    if node is not None:
        yield from ((key, child, node.key_place(key)) for key, child in node.entries.items())


def with_entries(
    old: YamlNode, entries: Mapping[str, YamlNode], of: YamlNode | None = None
) -> YamlNode:
    """A map with replaced or added entries; a new key has its place in the map `of`, else that of its
    value."""
    spans, sources = dict(old.key_spans or {}), dict(old.key_sources or {})
    for key, child in entries.items():
        if key not in spans:
            spans[key], sources[key] = (child.start, child.end), child.source
            if of is not None and of.key_spans is not None:
                spans[key], sources[key] = of.key_spans[key], of.source
    value = {**old.entries, **entries}
    return replace(old, kind="map", value=value, key_spans=spans, key_sources=sources)


def with_keys(node: YamlNode, new: Mapping[str, str]) -> YamlNode:
    """A map with other keys in the same places."""

    def keyed(old: Mapping[str, T] | None) -> dict[str, T]:
        return {new.get(key, key): one for key, one in (old or {}).items()}

    spans, sources = keyed(node.key_spans), keyed(node.key_sources)
    return replace(node, value=keyed(node.entries), key_spans=spans, key_sources=sources)


def empty_map(source: Source, start: int) -> YamlNode:
    """A map without entries and without source text."""
    return YamlNode(source, "map", {}, start, start, None, {})


def to_data(node: YamlNode) -> Plain:
    """Return the plain values of the tree: dicts, lists, texts, integers, booleans and None."""
    value = node.value
    if isinstance(value, dict):
        return {key: to_data(child) for key, child in value.items()}
    if isinstance(value, list):
        return [to_data(child) for child in value]
    return value


def node_at(node: YamlNode, path: Iterable[str | int]) -> YamlNode:
    """Return the node at *path*, of keys and indices, from *node*."""
    for step in path:
        node = node.items[step] if isinstance(step, int) else node.entries[step]
    return node


def written(data: object) -> str:
    """Return a plain value in YAML's flow style, for an author to copy."""
    match data:
        case None:
            return "null"
        case bool():
            return "yes" if data else "no"
        case dict():
            return (
                f"{{{', '.join(f'{written(key)}: {written(one)}' for key, one in data.items())}}}"
            )
        case list():
            return f"[{', '.join(map(written, data))}]"
        case str() if not BARE.fullmatch(data):
            return '"' + data.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return str(data)
