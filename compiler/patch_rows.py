"""Patches of one row: `rows.IV` is the row `IV` of the map in the field `rows`.

An edit of a row is run like an edit of a field, on the row's value. What stands here splits and finds rows, and
puts them back into their map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from compiler.diagnostics import did_you_mean
from compiler.patch_edits import Edit, EditError
from compiler.schema_store import SchemaStore
from compiler.yaml_tree import Node

DOT = "."
Fields = Mapping[str, Node]


def root_of(field: str) -> str:
    """The field of the item that an edit changes, or a row of which it changes."""
    return field.partition(DOT)[0]


def is_row(field: str) -> bool:
    """Does an edit name a row of a field?"""
    return DOT in field


def has_rows(store: SchemaStore, kind: str, field: str) -> bool:
    """Is this field a map whose keys are the author's?"""
    schema = store.schema(kind).get("properties", {}).get(field, {})
    return isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema


def by_rows(edit: Edit, target: Fields) -> list[Edit]:
    """An edit as it is run: `remove` of a map takes out rows, each for itself."""
    base = target.get(edit.field)
    if edit.op != "remove" or base is None or base.kind != "map":
        return [edit]
    names = [(one.text if one.text is not None else one.raw, one) for one in edit.value.items]
    return [
        replace(edit, op="drop", field=f"{edit.field}{DOT}{name}", value=one, key=one.place)
        for name, one in names
    ]


def value_in(fields: Fields, field: str) -> Node | None:
    """The present value of a field or of a row, or None."""
    root, dot, row = field.partition(DOT)
    node = fields.get(root)
    return node if not dot or node is None else node.get(row)


def with_row(fields: dict[str, Node], field: str, value: Node | None) -> None:
    """Put the new value of a row into its map, or take the row out."""
    root, _, row = field.partition(DOT)
    old = fields[root]
    entries = {key: node for key, node in old.entries.items() if key != row or value is not None}
    if value is not None:
        entries[row] = value
    spans = {key: span for key, span in (old.key_spans or {}).items() if key in entries}
    # A row that a patch adds has no key in this file: it stands where the patch writes its value.
    fields[root] = Node(old.source, "map", entries, old.start, old.end, old.style, spans)


def with_help(error: EditError, field: str, fields: Fields) -> str | None:
    """The help of a refusal; for a row that is not there, the nearest one."""
    root, dot, row = field.partition(DOT)
    known = fields[root].entries if dot and root in fields else {}
    return (did_you_mean(row, known) if dot and row not in known else None) or error.help


def later_than_whole(whole: Sequence[Edit], rows: Sequence[Edit], position: Mapping[str, int]) -> list[Edit]:
    """The edits of a row that come after the last edit of its whole field: any before are overwritten."""
    last = max((position[edit.patch.name] for edit in whole), default=-1)
    return [edit for edit in rows if position[edit.patch.name] > last]
