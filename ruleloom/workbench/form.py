"""The form of an item: the fields of its kind's schema, with their values.

A form has no state: a change of it is an edit of one value in the text, and a change of the text rebuilds
the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ruleloom.building import yaml_edits
from ruleloom.building.yaml_edits import Path
from ruleloom.compiler.analysis.yaml_cursor import (
    FieldHelp,
    FileEdit,
    fields_in,
    fields_on,
    schemas_at,
    types_at,
)
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
from ruleloom.editor.project import Project
from ruleloom.runtime.program.faults import Refused
from ruleloom.scenes.boards import Json
from ruleloom.web.pages import told

DEEPEST, MOST_ENTRIES = 6, 40
# A property name that occurs in no schema.
ANY_NAME = "?"
PLAIN = frozenset(["text", "int", "bool"])
# The input controls of fields.
TEXT, EFFECT, NUMBER, EITHER, YES_NO, CHOICE, LIST, GROUP, OTHER = (
    *("text", "effect", "number", "either", "yes_no", "choice", "list", "group", "other"),
)


def form_of(project: Project, path: str, offset: int) -> Json | None:
    """The form of the item at or near an offset in the current text: its index in the file, its kind and
    its fields. None without an item, or if its kind has no schema."""
    names, store = project.names(path), project.snapshot.kept.schemas
    item = names.item_near(offset)
    name = names.kind_of(item) if item is not None and item.get("kind") is not None else ""
    if item is None or name not in store.kinds:
        return None
    fields = _Form(store, name, project.text(path)).fields(item, ())
    return {"number": names.items.index(item), "kind": name, "fields": list(fields)}


def order_of(project: Project, kind: str, path: Path) -> list[str]:
    """The field names of a map, in schema order."""
    return [one.name for one in fields_in(project.snapshot.kept.schemas, kind, path)]


class _Form(NamedTuple):
    """The form of one kind of item, in one text."""

    store: SchemaStore
    kind: str
    text: str

    def fields(self, node: YamlNode | None, path: tuple[str | int, ...]) -> Iterator[Json]:
        """The fields of a map: those of its schema, then unknown ones in the text, which the checker
        reports."""
        known = fields_in(self.store, self.kind, path)
        there = {} if node is None else node.entries
        names = {one.name for one in known}
        strange = [FieldHelp(name, "", "", (), (), False) for name in there if name not in names]
        for one in (*known, *strange):
            if (*path, one.name) != ("kind",):
                yield self._field(one, there.get(one.name), (*path, one.name))

    def _field(
        self, about: FieldHelp, node: YamlNode | None, path: tuple[str | int, ...], by: str = ""
    ) -> Json:
        """A field: its control (`by`), its value (None if absent), its zero-based line (`at`, -1 if
        absent), and a group's inner fields. `more` is the control for a group's entries of any name;
        empty if it takes none."""
        by = by or self._filled_in(about, node, path)
        is_group = by == GROUP
        value = to_data(node) if node is not None and by not in (OTHER, GROUP) else None
        return {
            "path": list(path),
            "name": about.name,
            "title": about.title,
            "help": about.help,
            "by": by,
            "needed": about.needed,
            "there": node is not None,
            "value": value,
            "choices": list(about.values) if by == CHOICE else [],
            "at": self.text.count("\n", 0, node.start) if node is not None else -1,
            "more": self._open_to(path) if is_group else "",
            "fields": list(self._inner(node, path)) if is_group and len(path) <= DEEPEST else [],
        }

    def _inner(self, node: YamlNode | None, path: tuple[str | int, ...]) -> Iterator[Json]:
        """The fields of a map, or the entries of a list of maps, each a group."""
        if node is None or node.kind != "list":
            yield from self.fields(node, path)
            return
        for number, entry in enumerate(node.items[: MOST_ENTRIES + 1]):
            # The entries beyond the limit are edited in the text only.
            is_rest = number == MOST_ENTRIES
            name = f"{path[-1]} {number + 1}{f'-{len(node.items)}' if is_rest else ''}"
            about = FieldHelp(name, "", "", (), (), True)
            yield self._field(about, entry, (*path, number), OTHER if is_rest else "")

    def _filled_in(
        self, about: FieldHelp, node: YamlNode | None, path: tuple[str | int, ...]
    ) -> str:
        """The control of a field, by its node's structure, else its schema, else its scalar value."""
        structure = _by_structure(node)
        if fields_on(path) in self.store.effect_fields(self.kind):
            return OTHER if structure else EFFECT
        by_value = OTHER if node is None else EITHER if node.kind == "int" else TEXT
        return structure or self._by_type(about, path) or by_value

    def _by_type(self, about: FieldHelp, path: tuple[str | int, ...]) -> str:
        """The control of a field by the types in its schema; empty if these do not decide it."""
        types = set(about.types)
        if types == {"array"}:
            inner = types_at(self.store, self.kind, (*path, 0))
            return LIST if inner and inner <= {"string", "integer"} else OTHER
        if types == {"object"} and self._open_to(path):
            return GROUP
        return _by_schema(about)

    def _open_to(self, path: tuple[str | int, ...]) -> str:
        """The control for a map's entries of any name: number, text or either; empty if closed."""
        found = schemas_at(self.store, self.kind, path)
        if not any(isinstance(one.get("additionalProperties"), dict) for _, one in found):
            return ""
        types = types_at(self.store, self.kind, (*path, ANY_NAME))
        if "integer" in types:
            return NUMBER if "string" not in types else EITHER
        return TEXT if "string" in types else ""


def _by_schema(about: FieldHelp) -> str:
    """The control of a scalar by its schema; empty if undecided."""
    types = set(about.types)
    if "string" in types:
        return EITHER if "integer" in types else TEXT
    if about.values:
        return YES_NO if types == {"boolean"} else CHOICE
    return NUMBER if types == {"integer"} else ""


def _by_structure(node: YamlNode | None) -> str:
    """The control of an existing map or list; empty for any other node."""
    if node is None or node.kind not in ("map", "list"):
        return ""
    kinds = {"map"} if node.kind == "map" else {one.kind for one in node.items}
    return GROUP if kinds == {"map"} else LIST if kinds <= PLAIN else OTHER


# ---------------------------------------------------------------------------------- edits


@contextmanager
def _by_form() -> Iterator[None]:
    """Say in the words of the page that a change is not possible here."""
    try:
        yield
    except yaml_edits.NotEditable:
        raise Refused(told("not_by_form")) from None


def set_value(
    text: str, number: int, path: Path, value: Plain, order: Sequence[str] = ()
) -> FileEdit:
    """The edit that sets a value of item `number`, as `yaml_edits.set_value`."""
    with _by_form():
        return yaml_edits.set_value(text, number, path, value, order)


def remove_value(text: str, number: int, path: Path) -> FileEdit:
    """The edit that removes a field, or a list entry."""
    with _by_form():
        return yaml_edits.remove_value(text, number, path)
