"""What `why` needs to know of a game besides its program: whoever asks for a number need not wait for the
files to be read and patched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Origin
from ruleloom.store.store import StoreEntry, StoreKind

ChangedField = tuple[str, str]
"""An item by its id, and the name of one of its fields."""


@dataclass(frozen=True, slots=True)
class NumberItem:
    """The item of a stat, measure, rule or table: its id, and where it stands as an author is shown it."""

    id: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class PatchBehind:
    """A change of a field: by which patch, of which pack and version, where, and from what to what.

    `path` is that within the pack.
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
        """The field itself, where this is one of its rows."""
        return root_of(self.field)

    def to_json(self) -> dict[str, Any]:
        """What JSON tells of it."""
        return {
            **{"item": self.item, "field": self.field, "by": self.by},
            **{"pack": self.pack, "version": self.version, "old": self.old, "new": self.new},
            "at": {"path": self.path, "line": self.line},
        }


@dataclass(frozen=True, slots=True)
class PackSource:
    """A pack: where its manifest stands as an author is shown it, and all its files, from its folder."""

    id: str
    manifest: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSources:
    """Where the rules of a game stand, and what packs have changed of them.

    `numbers` has the items by the names that texts use, `places` where each rule and setting stands.
    `fields` has where changed fields have their values from, by the place of their item; `rows` and
    `row_fields` are about the rows of changed tables; `changed` has the items that anything was
    changed of, by their places.
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
    """Where the packs lie now, by id."""

    @property
    def files(self) -> set[tuple[str, str]]:
        """All files, as pack and path within it."""
        return {(pack.id, file) for pack in self.packs for file in pack.files}


def root_of(field: str) -> str:
    """The field of which this may be a row."""
    return field.partition(".")[0]


def sources_data(sources: RuleSources) -> dict[str, Any]:
    """Sources as plain data, which `read_sources` reads."""
    return {
        "packs": [[one.id, one.manifest, list(one.files)] for one in sources.packs],
        "numbers": {slug: [one.id, one.path, one.line] for slug, one in sources.numbers.items()},
        "places": {id: _row(place) for id, place in sources.places.items()},
        "fields": [[_row(of), name, _row(at)] for (of, name), at in sources.fields.items()],
        "rows": {id: [one and _row(one) for one in places] for id, places in sources.rows.items()},
        "row_fields": [
            [_row(place), [list(field) for field in fields]]
            for place, fields in sources.row_fields.items()
        ],
        "changed": [[_row(place), id] for place, id in sources.changed.items()],
        "patches": [
            [
                *(one.item, one.field, one.by, one.pack, one.version),
                *(one.path, one.line, one.old, one.new),
            ]
            for one in sources.patches
        ],
    }


def read_sources(entry: StoreEntry) -> RuleSources:
    """Sources as they were kept."""
    data = entry.data
    return RuleSources(
        tuple(PackSource(id, manifest, tuple(files)) for id, manifest, files in data["packs"]),
        {slug: NumberItem(*row) for slug, row in data["numbers"].items()},
        {id: Origin(*row) for id, row in data["places"].items()},
        {(Origin(*of), name): Origin(*at) for of, name, at in data["fields"]},
        {
            id: tuple(None if one is None else Origin(*one) for one in places)
            for id, places in data["rows"].items()
        },
        {
            Origin(*place): tuple((item, name) for item, name in fields)
            for place, fields in data["row_fields"]
        },
        {Origin(*place): id for place, id in data["changed"]},
        tuple(PatchBehind(*row) for row in data["patches"]),
        {id: entry.folders[manifest] for id, manifest, _ in data["packs"]},
    )


def _row(place: Origin) -> list[str | int]:
    return [place.pack, place.path, place.line, place.column]


SOURCES = StoreKind("sources", sources_data, read_sources)
