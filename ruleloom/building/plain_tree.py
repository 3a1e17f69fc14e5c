"""The data of a record as a tree that stands in no file, and paths in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from ruleloom.building.yaml_edits import changed
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import Kind, Plain, YamlNode
from ruleloom.runtime.dataclass import Frozen

Data = dict[str, Plain]
Steps = tuple[str | int, ...]
Span = tuple[int, int]
KINDS: Mapping[type, Kind] = {bool: "bool", int: "int", str: "text", type(None): "null"}


class PlainTree(Frozen):
    """Plain data as a tree that stands in no file: each value on a line of its own, for its path."""

    node: YamlNode
    paths: tuple[Steps, ...]

    @classmethod
    def of(cls, data: Plain) -> PlainTree:
        """The tree of some data."""
        values = [*_values((), data)]
        lines = [_line(value) for _, value in values]
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        spans = {
            path: (at, at + len(x)) for (path, _), at, x in zip(values, starts, lines, strict=False)
        }
        node = _node((), data, Source("record", "\n".join(lines)), spans)
        return cls(node, tuple(path for path, _ in values))

    def path(self, line: int) -> Steps:
        """The path of the value on a line."""
        return self.paths[line - 1] if line <= len(self.paths) else ()


def _values(path: Steps, value: Plain) -> Iterator[tuple[Steps, Plain]]:
    """A value and all those within it, each with its path."""
    yield path, value
    for key, one in _inner(value):
        yield from _values((*path, key), one)


def _inner(value: Plain) -> Iterable[tuple[str | int, Plain]]:
    """The values within a map or list, by key or number."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _line(value: Plain) -> str:
    """A plain value as it is written; empty for a map or list."""
    return "" if isinstance(value, dict | list) else " ".join(str(value).split())


def _node(path: Steps, value: Plain, source: Source, spans: Mapping[Steps, Span]) -> YamlNode:
    """The node of a value."""
    start, end = spans[path]
    nodes = {key: _node((*path, key), one, source, spans) for key, one in _inner(value)}
    if isinstance(value, dict):
        inner = {str(key): one for key, one in nodes.items()}
        keys = {key: (one.start, one.start) for key, one in inner.items()}
        return YamlNode(source, "map", inner, start, end, key_spans=keys)
    if isinstance(value, list):
        return YamlNode(source, "list", [*nodes.values()], start, end)
    return YamlNode(source, KINDS[type(value)], value, start, end)


def at_path(data: Plain, path: Sequence[str | int]) -> Plain:
    """What is written at a path; None if nothing is."""
    at: Any = data
    for step in path:
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            return None
    return at  # type: ignore[no-any-return]


def paths_like(names: Sequence[str], data: Plain, above: Steps = ()) -> Iterator[Steps]:
    """The paths of the values that are written at some names, where `*` is any key or entry."""
    if not names:
        yield above
        return
    for key, value in _inner(data):
        if names[0] in ("*", key):
            yield from paths_like(names[1:], value, (*above, key))


def path_text(path: Sequence[str | int]) -> str:
    """A place in a record as people write it: entries of a list are counted from 1."""
    return ".".join(str(one + 1) if isinstance(one, int) else one for one in path)


def entry_of(path: Steps) -> Steps:
    """The entry of a list or map that has to go for a mistake at a path."""
    return path if len(path) > 2 and isinstance(path[-1], int) else path[:2]


def _order(path: Steps) -> list[tuple[str, int]]:
    """The order of paths: entries of a list by their numbers."""
    return [("", step) if isinstance(step, int) else (step, 0) for step in path]


def without(data: Data, entries: Sequence[Steps]) -> Data:
    """The data without some entries."""
    for path in sorted(set(entries), key=_order, reverse=True):
        data = changed(data, path)  # type: ignore[assignment]
    return data


def restored(path: Steps, gone: Sequence[Steps]) -> Steps:
    """The path in the record of what stands at a path once some entries are gone."""
    steps = [*path]
    for one in sorted(set(gone), key=_order):
        at, last = len(one) - 1, one[-1]
        if isinstance(last, int) and tuple(steps[:at]) == one[:at] and len(steps) > at:
            step = steps[at]
            steps[at] = step + 1 if isinstance(step, int) and step >= last else step
    return tuple(steps)
