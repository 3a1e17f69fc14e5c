"""The schemas of a place in an item: the fields that may stand there, and their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.schema.compiled import Schema
from ruleloom.compiler.schema.registry import ENDING, LIKE, SchemaStore, may_be_variant
from ruleloom.compiler.yaml.node import written
from ruleloom.runtime.dataclass import dataclass

BRANCHES = ("allOf", "anyOf", "oneOf")
CONDITIONAL = ("then", "else")
DEEPEST = 24


@dataclass(frozen=True, slots=True)
class FieldHelp:
    """A field: what it is called, what it is for, what may stand in it, whether it has to be there."""

    name: str
    title: str
    help: str
    values: tuple[str, ...]
    types: tuple[str, ...]
    needed: bool


Step = str | int


def fields_on(path: Sequence[Step]) -> tuple[str, ...]:
    """A path as the names of fields; `*` for entries of lists."""
    return tuple("*" if isinstance(step, int) else step for step in path)


def schemas_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[tuple[str, Schema]]:
    """Every schema that may hold for a value in an item, each with its file."""
    if kind not in store.kinds:
        return []
    found = list(_branches(store, kind + ENDING, store.schema(kind), 0))
    for step in path:
        found = [
            inner
            for file, schema in found
            for child in _children(schema, step)
            for inner in _branches(store, file, child, 0)
        ]
    return found


def _children(schema: Schema, step: Step) -> Iterator[Schema]:
    if isinstance(step, int):
        children = [schema.get("items")]
    else:
        own = schema.get("properties", {}).get(step)
        children = [own if own is not None else schema.get("additionalProperties")]
    yield from (one for one in children if isinstance(one, dict))


def _branches(
    store: SchemaStore, file: str, schema: Schema, depth: int
) -> Iterator[tuple[str, Schema]]:
    """A schema with all that it refers to."""
    if depth > DEEPEST:
        return
    yield file, schema
    if "$ref" in schema:
        yield from _branches(store, *store.resolve(file, schema["$ref"]), depth + 1)
    for keyword in BRANCHES:
        for child in schema.get(keyword, ()):
            yield from _branches(store, file, child, depth + 1)
    for keyword in CONDITIONAL:
        if isinstance(schema.get(keyword), dict):
            yield from _branches(store, file, schema[keyword], depth + 1)


def fields_in(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[FieldHelp]:
    """The fields of a map in an item, in the order of the schema."""
    found: dict[str, FieldHelp] = {}
    for file, schema in schemas_at(store, kind, path):
        needed = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            if isinstance(field, dict):
                help = _field(store, file, name, field, name in needed)
                if name not in found or not found[name].help:
                    found[name] = help
    if not path and may_be_variant(kind, store):
        # An item may be like another one of its kind: that is no field of its schema.
        found[LIKE] = _field(store, f"common{ENDING}", LIKE, {"$ref": f"#/$defs/{LIKE}"}, False)
    return list(found.values())


def field_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> FieldHelp | None:
    """The help for the field that a path leads to."""
    names = [step for step in path if isinstance(step, str)]
    if not names:
        return None
    at = max(number for number, step in enumerate(path) if isinstance(step, str))
    fields = fields_in(store, kind, path[:at])
    return next((one for one in fields if one.name == names[-1]), None)


def values_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[str]:
    """The values that a schema lists for a place, as they are written."""
    found: list[str] = []
    for _, schema in schemas_at(store, kind, path):
        found += _values(schema)
    return list(dict.fromkeys(found))


def types_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> set[str]:
    """The types that schemas name for a place."""
    return {one for _, schema in schemas_at(store, kind, path) for one in _types(schema)}


def _types(schema: Schema) -> list[str]:
    named = schema.get("type", ())
    return [named] if isinstance(named, str) else [*named]


def _field(store: SchemaStore, file: str, name: str, field: Schema, needed: bool) -> FieldHelp:
    title = help = ""
    values: list[str] = []
    types: list[str] = []
    for _, schema in _branches(store, file, field, 0):
        title = title or str(schema.get("title", ""))
        help = help or str(schema.get("description", ""))
        values += _values(schema)
        types += _types(schema)
    return FieldHelp(
        name, title, help, tuple(dict.fromkeys(values)), tuple(dict.fromkeys(types)), needed
    )


def _values(schema: Schema) -> list[str]:
    if "const" in schema:
        return [written(schema["const"])]
    if "enum" in schema:
        return [written(one) for one in schema["enum"]]
    return ["yes", "no"] if "boolean" in _types(schema) else []
