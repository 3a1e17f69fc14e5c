"""The sources of rules, which `why` needs besides the program, stored so that it need not read and patch
files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple
from itertools import starmap
from pathlib import Path
from typing import Any, TypeVar

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Origin
from ruleloom.store.store import StoreEntry, StoreKind

T = TypeVar("T")
ChangedField = tuple[str, str]
"""The id of an item, and the name of one of its fields."""


class NumberItem(Frozen):
    """The item of a stat, measure, rule or table: its id, and its place with the displayed path."""

    id: str
    path: str
    line: int


class PatchBehind(Frozen):
    """A change of a field: its patch, pack and version, its place, and the old and new values.

    `path` is relative to the pack.
    """

    item: str
    field: str
    by: str
    pack: str
    version: str
    path: str
    line: int
    old: Any
    new: Any

    @property
    def root(self) -> str:
        """The field itself, if this is one of its rows."""
        return root_of(self.field)

    def to_json(self) -> dict[str, Any]:
        """The change as JSON."""
        return {
            **{"item": self.item, "field": self.field, "by": self.by},
            **{"pack": self.pack, "version": self.version, "old": self.old, "new": self.new},
            "at": {"path": self.path, "line": self.line},
        }


class PackSource(Frozen):
    """A pack: the displayed path of its manifest, and all its files, relative to its folder."""

    id: str
    manifest: str
    files: tuple[str, ...]


class RuleSources(Frozen):
    """The places of the rules of a game, and the changes of packs.

    `numbers` has the items by their names in texts, `places` the origin of each rule and setting. `fields`
    has the origin of each changed field's value, by the origin of its item; `rows` and `row_fields` are for
    the rows of changed tables; `changed` has the changed items, by origin.
    """

    packs: tuple[PackSource, ...]
    numbers: Mapping[str, NumberItem]
    places: Mapping[str, Origin]
    fields: Mapping[tuple[Origin, str], Origin]
    rows: Mapping[str, tuple[Origin | None, ...]]
    row_fields: Mapping[Origin, tuple[ChangedField, ...]]
    changed: Mapping[Origin, str]
    patches: tuple[PatchBehind, ...]
    folders: Mapping[str, Path]
    """The current folders of the packs, by id."""

    @property
    def files(self) -> set[tuple[str, str]]:
        """All files, as (pack, path within it)."""
        return {(pack.id, file) for pack in self.packs for file in pack.files}


def root_of(field: str) -> str:
    """The field that may contain this row."""
    return field.partition(".")[0]


def sources_data(sources: RuleSources) -> dict[str, Any]:
    """Sources as JSON data, for `read_sources`."""
    return {
        "packs": list(map(astuple, sources.packs)),
        "numbers": _tuples(sources.numbers),
        "places": _tuples(sources.places),
        "fields": [[astuple(of), name, astuple(at)] for (of, name), at in sources.fields.items()],
        "rows": {id: [one and astuple(one) for one in rows] for id, rows in sources.rows.items()},
        "row_fields": [[astuple(place), fields] for place, fields in sources.row_fields.items()],
        "changed": [[astuple(place), id] for place, id in sources.changed.items()],
        "patches": list(map(astuple, sources.patches)),
    }


def _tuples(table: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {name: astuple(one) for name, one in table.items()}


def _made(cls: Callable[..., T], table: Any) -> dict[str, T]:
    return {name: cls(*row) for name, row in table.items()}


def read_sources(entry: StoreEntry) -> RuleSources:
    """The sources of an entry."""
    data = entry.data
    return RuleSources(
        tuple(PackSource(id, manifest, tuple(files)) for id, manifest, files in data["packs"]),
        _made(NumberItem, data["numbers"]),
        _made(Origin, data["places"]),
        {(Origin(*of), name): Origin(*at) for of, name, at in data["fields"]},
        {id: tuple(one and Origin(*one) for one in rows) for id, rows in data["rows"].items()},
        {Origin(*place): tuple(map(tuple, fields)) for place, fields in data["row_fields"]},
        {Origin(*place): id for place, id in data["changed"]},
        tuple(starmap(PatchBehind, data["patches"])),
        {id: entry.folders[manifest] for id, manifest, _ in data["packs"]},
    )


SOURCES = StoreKind("sources", sources_data, read_sources)
