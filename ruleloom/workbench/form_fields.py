"""The form of an item: its fields as the schema of its kind has them, with what stands in them.

A form holds nothing of its own: each change of it is an edit of the text, and each change of the text
makes the form anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from ruleloom.compiler.analysis.yaml_cursor import (
    FieldHelp,
    fields_in,
    fields_on,
    schemas_at,
    types_at,
)
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
from ruleloom.editor.project import Project

DEEPEST, MOST_ENTRIES = 6, 40
# A name that no schema has.
ANY_NAME = "?"
PLAIN = frozenset(["text", "int", "bool"])
# How a field is filled in.
TEXT, EFFECT, NUMBER, EITHER, YES_NO, CHOICE, LIST, GROUP, OTHER = (
    *("text", "effect", "number", "either", "yes_no", "choice", "list", "group", "other"),
)


class FormField(TypedDict):
    """A field: how it is filled in (`by`), what stands there (None for nothing), where it stands in
    the text, and the fields in it, of a group. `more` says by what a group takes entries of any name,
    and is empty for one that takes none."""

    path: list[str | int]
    name: str
    title: str
    help: str
    by: str
    needed: bool
    there: bool
    value: Plain
    choices: list[str]
    at: int
    more: str
    fields: list[FormField]


class FormShown(TypedDict):
    """The form of an item: its number in the file, and its fields."""

    number: int
    kind: str
    fields: list[FormField]


def form_of(project: Project, path: str, offset: int) -> FormShown | None:
    """The form of the item around an offset, by the text as it stands; None where there is none, or
    where no schema says what it holds."""
    names, store = project.names(path), project.snapshot.schemas
    item = names.item_near(offset)
    name = names.kind_of(item) if item is not None and item.get("kind") is not None else ""
    if item is None or name not in store.kinds:
        return None
    number = names.items.index(item)
    return {"number": number, "kind": name, "fields": list(_fields(store, name, item, ()))}


def order_of(project: Project, kind: str, path: Sequence[str | int]) -> list[str]:
    """The names of the fields of a map, in the order of the schema."""
    return [one.name for one in fields_in(project.snapshot.schemas, kind, path)]


def _fields(
    store: SchemaStore, kind: str, node: YamlNode | None, path: tuple[str | int, ...]
) -> Iterator[FormField]:
    known = fields_in(store, kind, path)
    for one in known:
        if (*path, one.name) != ("kind",):
            inner = node.get(one.name) if node is not None else None
            yield _field(store, kind, one, inner, (*path, one.name))
    if (
        node is not None
    ):  # fields without a schema stand in the form, too; the checker complains of them
        names = {one.name for one in known}
        for name, inner in node.entries.items():
            if name not in names and (*path, name) != ("kind",):
                plain = FieldHelp(name, "", "", (), (), False)
                yield _field(store, kind, plain, inner, (*path, name))


def _field(
    store: SchemaStore,
    kind: str,
    about: FieldHelp,
    node: YamlNode | None,
    path: tuple[str | int, ...],
    by: str = "",
) -> FormField:
    by = by or _filled_in(store, kind, about, node, path)
    fields = list(_inner(store, kind, node, path)) if by == GROUP and len(path) <= DEEPEST else []
    value = to_data(node) if node is not None and by != OTHER else None
    return {
        "path": list(path),
        "name": about.name,
        "title": about.title,
        "help": about.help,
        "by": by,
        "needed": about.needed,
        "there": node is not None,
        "value": value if by != GROUP else None,
        "choices": list(about.values) if by == CHOICE else [],
        "at": node.start if node is not None else -1,
        "more": _open_to(store, kind, path) if by == GROUP else "",
        "fields": fields,
    }


def _inner(
    store: SchemaStore, kind: str, node: YamlNode | None, path: tuple[str | int, ...]
) -> Iterator[FormField]:
    """The fields of a map, or the entries of a list of maps, each a group."""
    if node is None or node.kind != "list":
        yield from _fields(store, kind, node, path)
        return
    for number, entry in enumerate(node.items[:MOST_ENTRIES]):
        about = FieldHelp(f"{path[-1]} {number + 1}", "", "", (), (), True)
        yield _field(store, kind, about, entry, (*path, number))
    if len(node.items) > MOST_ENTRIES:  # the rest is left to the text
        about = FieldHelp(f"{path[-1]} {MOST_ENTRIES + 1}-{len(node.items)}", "", "", (), (), True)
        yield _field(store, kind, about, node.items[MOST_ENTRIES], (*path, MOST_ENTRIES), OTHER)


def _filled_in(
    store: SchemaStore,
    kind: str,
    about: FieldHelp,
    node: YamlNode | None,
    path: tuple[str | int, ...],
) -> str:
    """How a field is filled in, by what stands there, or else by its schema."""
    structure = _by_structure(node)
    if fields_on(path) in store.effect_fields(kind):
        return OTHER if structure else EFFECT
    return structure or _by_type(store, kind, about, path) or _by_value(node)


def _by_structure(node: YamlNode | None) -> str:
    """How a map or a list that stands there is filled in; empty for anything else."""
    if node is None or node.kind not in ("map", "list"):
        return ""
    kinds = {"map"} if node.kind == "map" else {one.kind for one in node.items}
    return GROUP if kinds == {"map"} else LIST if kinds <= PLAIN else OTHER


def _by_value(node: YamlNode | None) -> str:
    """How a value is filled in of which no schema says anything."""
    return OTHER if node is None else EITHER if node.kind == "int" else TEXT


def _by_type(store: SchemaStore, kind: str, about: FieldHelp, path: tuple[str | int, ...]) -> str:
    """How a field is filled in by the types that its schema names; empty where it names none."""
    types = set(about.types)
    if types == {"array"}:
        return LIST if _holds_plain(store, kind, path) else OTHER
    if types == {"object"} and _open_to(store, kind, path):
        return GROUP
    return _by_schema(about)


def _by_schema(about: FieldHelp) -> str:
    """How one value is filled in; empty where the schema leaves that open."""
    types = set(about.types)
    if "string" in types:
        return EITHER if "integer" in types else TEXT
    if about.values:
        return YES_NO if types == {"boolean"} else CHOICE
    return NUMBER if types == {"integer"} else ""


def _holds_plain(store: SchemaStore, kind: str, path: tuple[str | int, ...]) -> bool:
    """May a list hold texts or numbers?"""
    types = types_at(store, kind, (*path, 0))
    return bool(types) and types <= {"string", "integer"}


def _open_to(store: SchemaStore, kind: str, path: tuple[str | int, ...]) -> str:
    """By what a map takes entries of any name: numbers, texts or either; empty where by nothing."""
    found = [schema.get("additionalProperties") for _, schema in schemas_at(store, kind, path)]
    if not any(isinstance(one, dict) for one in found):
        return ""
    types = types_at(store, kind, (*path, ANY_NAME))
    if "integer" in types:
        return NUMBER if "string" not in types else EITHER
    return TEXT if "string" in types else ""
