"""What stands in the fields that all games share: those of patches, manifests and cases, and tags.

In other fields, what stands there already shows it. These are known before anybody has written one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.schema_fields import Step, fields_on
from ruleloom.compiler.analysis.yaml_cursor import YamlCursor
from ruleloom.compiler.schema.registry import LIKE
from ruleloom.runtime.dataclass import dataclass

PATCH, SCENARIOS = "patch", "scenarios"
CHANGES = frozenset(["set", "add", "scale", "append", "remove", "merge"])
# The sorts of names, by the kind and the last fields; those that end with a space are all that begin so.
OF_KIND: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (PATCH, "target"): ("id ", "short id "),
    (PATCH, "except", "*"): ("id ", "kind "),
    (PATCH, "every"): ("kind",),
    ("pack", "game"): ("pack",),
    ("pack", "requires"): ("pack",),
    ("pack", "settings"): ("setting",),
    ("pack", "switches"): ("setting",),
    ("tag", "parent"): ("tag",),
}
# The same in cases, wherever they have these fields.
OF_CASES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("settings",): ("setting",),
    ("switches",): ("setting",),
    ("answers",): ("prompt",),
    ("when", "*"): ("prompt",),
    ("when", "*", "power"): ("kind power", "slug power"),
    ("asked", "name"): ("prompt",),
    ("asked", "offered", "*"): ("label",),
}
TAGS = ("tags", "*")


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The kind of which a field is, and the path that leads to it in an item of that kind."""

    kind: str
    path: tuple[Step, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The path as the names of fields; `*` for entries of lists."""
        return fields_on(self.path)


def place_of(cursor: YamlCursor) -> FieldPlace:
    """Of which kind the field is that is being written: in a patch, of the kind that it changes."""
    kind, path = cursor.item.kind, cursor.path
    if kind != PATCH or not path or path[0] not in CHANGES:
        return FieldPlace(kind, path)
    target = cursor.item.value("target")
    changed = target.rpartition(":")[2].partition("/")[0] or cursor.item.value("every")
    return FieldPlace(changed, path[1:])


def sorts_here(place: FieldPlace, sorts: Mapping[str, object]) -> Iterator[str]:
    """The sorts of names, of those that there are, which stand in a place in any game."""
    fields = place.fields
    wanted = OF_KIND.get((place.kind, *fields), ())
    if fields == (LIKE,):
        wanted = (f"kind {place.kind}",)
    if place.kind == SCENARIOS:
        wanted = next((OF_CASES[end] for end in _ends(fields) if end in OF_CASES), wanted)
    if fields[-2:] == TAGS:
        wanted = ("tag",)
    if fields[-2:-1] in (("settings",), ("switches",)):
        wanted = (f"option {fields[-1]}",)
    for sort in wanted:
        if sort.endswith(" "):
            yield from (one for one in sorts if one.startswith(sort))
        elif sort in sorts:
            yield sort


def _ends(fields: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for length in (3, 2, 1):
        yield fields[-length:]
