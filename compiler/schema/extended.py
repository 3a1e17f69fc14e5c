"""The schemas of a game with extensions: more values, more static fields, more kinds; and schemas for
kinds of the vocabulary that have none.

Schemas never come from a pack: new ones are derived from the declared types. Declarations are not
checked yet, so that anything unreadable allows every value, and is reported by their own checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from ruleloom.compiler.schema.registry import ABILITY_FIELDS, ENDING, Schema
from ruleloom.compiler.types import read_type
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, TEXT, Type

LONGEST_ID = 130
LONGEST_TEXT = 2_000
LONGEST_LIST = 500
MOST_COPIES = 200
SAID = ("id", "renamed_from", "deprecated", "allowed", "title", "clauses", "tags")
TEXT_SCHEMA: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}


@dataclass(slots=True)
class _Types:
    """The types of a game and its extensions."""

    enums: dict[str, list[str]] = field(default_factory=dict)
    more_values: dict[str, list[str]] = field(default_factory=dict)
    entities: dict[str, dict[str, Any]] = field(default_factory=dict)
    static: dict[str, dict[str, Any]] = field(default_factory=dict)
    """All printed fields of each entity."""
    more_static: dict[str, dict[str, Any]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    new_kinds: dict[str, dict[str, Any]] = field(default_factory=dict)

    def parts_of(self, entity: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, one in self.entities.items():
            if one.get("part_of") == entity and isinstance(one.get("under"), str):
                yield name, one


def extended_files(
    files: Mapping[str, Schema], vocabulary: Any, extensions: Iterable[Any]
) -> dict[str, Schema]:
    """Return the schema files that extensions change, and new ones for kinds without a schema."""
    types = _read(_map(vocabulary), [_map(one) for one in extensions])
    for kind, spec in _map(_map(vocabulary).get("kinds")).items():
        if kind + ENDING not in files:
            types.new_kinds.setdefault(kind, _map(spec))
    longer = {frozenset(types.enums[name]): more for name, more in types.more_values.items()}
    found: dict[str, Schema] = {}
    for kind, entity in types.kinds.items():
        file = files.get(kind + ENDING)
        if file is None or kind in types.new_kinds:
            continue
        grown = _with_values(file, longer) if longer else file
        grown = _with_fields(grown, entity, types)
        if grown != file:
            found[kind + ENDING] = grown
    for kind, spec in types.new_kinds.items():
        if kind + ENDING not in files:
            found[kind + ENDING] = _kind_schema(kind, spec, types)
    return found


def _read(vocabulary: dict[str, Any], extensions: list[dict[str, Any]]) -> _Types:
    types = _Types()
    # Of two declarations the later one holds: a pack stands behind those that it builds on.
    for one in (vocabulary, *reversed(extensions)):
        for name, values in _map(one.get("enums")).items():
            types.enums.setdefault(name, _words(values))
        for name, entity in _map(one.get("entities")).items():
            types.entities.setdefault(name, _map(entity))
            types.static.setdefault(name, dict(_map(_map(entity).get("static"))))
        for kind, spec in _map(one.get("kinds")).items():
            types.kinds.setdefault(kind, str(_map(spec).get("makes") or ""))
            if one is not vocabulary:
                types.new_kinds.setdefault(kind, _map(spec))
    for one in extensions:
        for name, more in _map(one.get("extends")).items():
            if name in types.enums:
                types.more_values.setdefault(name, []).extend(_words(more))
            printed = _map(_map(more).get("static"))
            types.more_static.setdefault(name, {}).update(printed)
            types.static.setdefault(name, {}).update(printed)
    return types


def _map(data: Any) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}


def _words(data: Any) -> list[str]:
    return [one for one in data if isinstance(one, str)] if isinstance(data, list) else []


def _with_values(schema: Any, longer: Mapping[frozenset[str], list[str]]) -> Any:
    """A schema in which each list of all values of an enum also has the new ones.

    A list of only some of them excludes others on purpose, and is unchanged.
    """
    if isinstance(schema, list):
        return [_with_values(one, longer) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _with_values(one, longer) for key, one in schema.items()}
    values = found.get("enum")
    if isinstance(values, list) and all(isinstance(one, str) for one in values):
        found["enum"] = list(dict.fromkeys([*values, *longer.get(frozenset(values), ())]))
    return found


def _with_fields(schema: Schema, entity: str, types: _Types) -> Schema:
    """The schema of an item or entry with the new static fields of its entity and its parts."""
    properties = dict(schema.get("properties", {}))
    for name, spec in types.more_static.get(entity, {}).items():
        properties.setdefault(name, _field_schema(name, spec, types))
    for part, spec in types.parts_of(entity):
        under = spec["under"]
        if under in properties and _has_more(part, types):
            properties[under] = _with_entries(properties[under], part, spec, types)
        elif under not in properties:
            properties[under] = _entries_schema(part, spec, types)
    is_same = properties == schema.get("properties")
    return schema if is_same else {**schema, "properties": properties}


def _has_more(part: str, types: _Types) -> bool:
    parts = (one for one, _ in types.parts_of(part))
    return bool(types.more_static.get(part)) or any(_has_more(one, types) for one in parts)


def _with_entries(schema: Schema, part: str, spec: dict[str, Any], types: _Types) -> Schema:
    """The schema of a field with parts, whose entries may have the new fields."""
    within = "additionalProperties" if "key" in spec else "items"
    entry = schema.get(within)
    if not isinstance(entry, dict):
        return schema
    ways = entry["anyOf"] if set(entry) == {"anyOf"} else [entry]
    grown = [_with_fields(one, part, types) if "properties" in one else one for one in ways]
    if not any("properties" in one for one in grown):
        grown.append(_part_schema(part, spec, types))
    return {**schema, within: {"anyOf": grown} if len(grown) > 1 else grown[0]}


def _kind_schema(kind: str, spec: dict[str, Any], types: _Types) -> Schema:
    entity = types.kinds[kind]
    about = "What it is like, in the author's own words."
    properties: Schema = {"kind": {"const": kind}, **{name: _common(name) for name in SAID}}
    properties["text"] = {"title": "Text", "description": about, **TEXT_SCHEMA}
    properties["effect"] = _common("effect")
    properties |= {name: _common(name) for name in ABILITY_FIELDS}
    if isinstance(spec.get("per"), str):
        span = {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}
        properties[spec["per"]] = _object({"from": span, "to": span}, ["from", "to"])
    elif entity:
        about = "How many of them an item makes."
        copies = {"title": "Copies", "description": about, "type": "integer"}
        properties["copies"] = {**copies, "minimum": 1, "maximum": MOST_COPIES}
    static = types.static.get(entity, {})
    for name, one in static.items():
        properties.setdefault(name, _field_schema(name, one, types))
    for part, one in types.parts_of(entity):
        properties.setdefault(one["under"], _entries_schema(part, one, types))
    needed = [name for name in _needed(static) if name != "number"]  # numbers of copies are made
    description = f"An item of the kind `{kind}`, as it is declared."
    whole = _object(properties, ["kind", "id", "title", *needed])
    return {"title": kind, "description": description, **whole}


def _common(name: str) -> Schema:
    return {"$ref": f"common.schema.json#/$defs/{name}"}


def _object(properties: Schema, required: list[str]) -> Schema:
    whole: Schema = {"type": "object", "properties": properties, "required": required}
    return {**whole, "additionalProperties": False}


def _entries_schema(part: str, spec: dict[str, Any], types: _Types) -> Schema:
    """The schema of a field with parts of a new entity."""
    whole = _part_schema(part, spec, types)
    short = spec.get("value" if "key" in spec else "short")
    plain = types.static.get(part, {}).get(short) if isinstance(short, str) else None
    entry = whole
    if plain is not None:
        entry = {"anyOf": [_field_schema(str(short), plain, types), whole]}
    title = {"title": _titled(str(spec["under"]))}
    if "key" in spec:
        return {**title, **_table_of(entry)}
    return {**title, "type": "array", "items": entry, "maxItems": LONGEST_LIST}


def _table_of(entry: Schema) -> Schema:
    return {"type": "object", "additionalProperties": entry, "maxProperties": LONGEST_LIST}


def _part_schema(part: str, spec: dict[str, Any], types: _Types) -> Schema:
    never = (spec.get("owner"), spec.get("key"))
    static = {name: one for name, one in types.static.get(part, {}).items() if name not in never}
    properties = {name: _field_schema(name, one, types) for name, one in static.items()}
    for inner, one in types.parts_of(part):
        properties.setdefault(one["under"], _entries_schema(inner, one, types))
    return _object(properties, _needed(static))


def _needed(static: Mapping[str, Any]) -> list[str]:
    """The fields that every item must have, by their declarations."""
    needed = []
    for name, spec in static.items():
        type_ = _written_type(spec)[1]
        may_lack = type_ is None or type_.optional or type_.many
        if not may_lack and "default" not in _map(spec):
            needed.append(name)
    return needed


def _written_type(spec: Any) -> tuple[Any, Type | None]:
    written = spec if isinstance(spec, str) else _map(spec).get("type")
    return written, read_type(written) if isinstance(written, str) else None


def _field_schema(name: str, spec: Any, types: _Types) -> Schema:
    """The schema of a printed field: a value, a list of values, or one for each key."""
    written, type_ = _written_type(spec)
    if type_ is None:
        return {}
    title = {"title": _titled(name), "description": f"{written}."}
    one = _value_schema(type_.name, _map(spec), types)
    if type_.many:
        one = {"type": "array", "items": one, "maxItems": LONGEST_LIST}
    by = _map(spec).get("by")
    if not isinstance(by, str):
        return {**title, **one}
    table = _table_of(one)
    if by in types.enums:
        table["propertyNames"] = {"enum": _all_values(by, types)}
    return {**title, **table}


def _value_schema(type_: str, spec: dict[str, Any], types: _Types) -> Schema:
    if type_ == INT.name:
        limits = {"minimum": spec.get("min"), "maximum": spec.get("max")}
        return {"type": "integer", **{key: one for key, one in limits.items() if type(one) is int}}
    if type_ == FRACTION.name:
        return {"type": ["integer", "string"], "maxLength": 20}
    if type_ == BOOL.name:
        return {"type": "boolean"}
    if type_ == TEXT.name:
        return TEXT_SCHEMA
    if type_ in types.enums:
        return {"enum": _all_values(type_, types)}
    return {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}


def _all_values(enum: str, types: _Types) -> list[str]:
    return list(dict.fromkeys([*types.enums[enum], *types.more_values.get(enum, ())]))


def _titled(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
