"""The schemas of a game, compiled to checks: those of its kinds, with the additions of extensions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.compiler.yaml.node import Plain
from ruleloom.runtime.dataclass import dataclass

Schema = dict[str, Any]
Gate = Callable[[Plain], bool]
# Resolves a `$ref` in a file to the target's file and schema.
Resolve = Callable[[str, str], tuple[str, Schema]]

# Keywords that contain schemas: a single one, a list of them, or a map of them.
ONE = ("items", "contains", "additionalProperties", "propertyNames", "if", "then", "else")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("properties", "$defs")
LIMITS = ("minimum", "maximum", "minLength", "maxLength")
COUNTS = ("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties")
PLAIN = ("type", "enum", "const", "pattern", "required", "dependentRequired", *LIMITS, *COUNTS)
KEYWORDS = frozenset((*ONE, *MANY, *NAMED, *PLAIN, "$ref"))
ABOUT = ("$schema", "$id", "$comment", "title", "description", "examples", "default")
NOTES = frozenset((*ABOUT, "x-effect", "x-form"))

TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}
SIMPLE = frozenset({str, int, bool, type(None)})

# A limit applies to values of one type and passes all others. (In Python, True is an int.)
MEASURES: Mapping[str, tuple[type, Callable[[Any, Any], bool]]] = {
    "minimum": (int, lambda value, limit: value >= limit),
    "maximum": (int, lambda value, limit: value <= limit),
    "minLength": (str, lambda value, limit: len(value) >= limit),
    "maxLength": (str, lambda value, limit: len(value) <= limit),
    "minItems": (list, lambda value, limit: len(value) >= limit),
    "maxItems": (list, lambda value, limit: len(value) <= limit),
    "minProperties": (dict, lambda value, limit: len(value) >= limit),
    "maxProperties": (dict, lambda value, limit: len(value) <= limit),
    "uniqueItems": (list, lambda value, limit: not limit or _differ(value)),
    "required": (dict, lambda value, names: all(name in value for name in names)),
    "dependentRequired": (
        dict,
        lambda value, table: all(
            name in value for key, names in table.items() if key in value for name in names
        ),
    ),
}


class SchemaError(Exception):
    """A fault in one of our own schemas, not an author's."""


class GateMaker:
    """Compiles the schemas of one game; each `$ref` target once."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._targets: dict[tuple[str, int], list[Gate]] = {}

    def gate(self, file: str, schema: Schema | bool) -> Gate:
        """Return the check of a schema in `file`."""
        if isinstance(schema, bool):
            return lambda data: schema
        strange = sorted(schema.keys() - KEYWORDS - NOTES)
        if strange:
            raise SchemaError(f"{file}: {strange} stand outside the keywords our schemas use")
        checks = list(self._checks(file, schema))
        return checks[0] if len(checks) == 1 else _every(checks)

    def _gates(self, file: str, schemas: Iterable[Schema | bool]) -> list[Gate]:
        return [self.gate(file, schema) for schema in schemas]

    def _checks(self, file: str, schema: Schema) -> Iterator[Gate]:
        if "type" in schema:
            names = schema["type"]
            types = frozenset(TYPES[one] for one in ([names] if isinstance(names, str) else names))
            yield lambda data: type(data) in types
        if "enum" in schema:
            yield _choice(file, schema["enum"])
        if "const" in schema:
            yield _choice(file, [schema["const"]])
        for key, (type_, holds) in MEASURES.items():
            if key in schema:
                yield _measure(type_, holds, schema[key])
        if "pattern" in schema:
            search = re.compile(schema["pattern"]).search
            yield _measure(str, lambda value, find: find(value) is not None, search)
        if "$ref" in schema:
            yield self._target(file, schema["$ref"])
        yield from self._joined(file, schema)
        yield from self._inside(file, schema)

    def _target(self, file: str, ref: str) -> Gate:
        name, schema = self._resolve(file, ref)
        target = self._targets.get((name, id(schema)))
        if target is None:
            # Entered before it is compiled, so that a definition may refer to itself.
            target = self._targets[name, id(schema)] = []
            target.append(self.gate(name, schema))
        return lambda data: target[0](data)

    def _joined(self, file: str, schema: Schema) -> Iterator[Gate]:
        if "allOf" in schema:
            yield _every(self._gates(file, schema["allOf"]))
        if "anyOf" in schema:
            ways = self._gates(file, schema["anyOf"])
            yield lambda data: any(way(data) for way in ways)
        if "oneOf" in schema:
            only = self._gates(file, schema["oneOf"])
            yield lambda data: sum(one(data) for one in only) == 1
        conditional = [schema.get(key, True) for key in ("if", "then", "else")]
        test, then, otherwise = self._gates(file, conditional)
        if "if" in schema:
            yield lambda data: then(data) if test(data) else otherwise(data)

    def _inside(self, file: str, schema: Schema) -> Iterator[Gate]:
        if {"properties", "additionalProperties"} & schema.keys():
            fields = schema.get("properties", {})
            known = {name: self.gate(file, part) for name, part in fields.items()}
            yield _fields(known, self.gate(file, schema.get("additionalProperties", True)))
        if "propertyNames" in schema:
            name = self.gate(file, schema["propertyNames"])
            yield _measure(dict, lambda value, _: all(name(key) for key in value), None)
        if "items" in schema or "prefixItems" in schema:
            first = self._gates(file, schema.get("prefixItems", ()))
            yield _elements(first, self.gate(file, schema.get("items", True)))
        if "contains" in schema:
            held = self.gate(file, schema["contains"])
            yield _measure(list, lambda value, _: any(held(one) for one in value), None)


def _every(checks: Sequence[Gate]) -> Gate:
    def gate(data: Plain) -> bool:
        for check in checks:  # noqa: SIM110 - `all` takes twice as long, for every value of every file
            if not check(data):
                return False
        return True

    return gate


def _choice(file: str, choices: list[Any]) -> Gate:
    types = {type(choice) for choice in choices}
    if not types <= SIMPLE or types >= {bool, int}:
        problem = "must be plain and not mix numbers with booleans"
        raise SchemaError(f"{file}: the choices {choices} {problem}")
    fine = frozenset(choices)
    return lambda data: type(data) in types and data in fine


def _measure(type_: type, holds: Callable[[Any, Any], bool], limit: Any) -> Gate:
    return lambda data: type(data) is not type_ or holds(data, limit)


def _differ(values: list[Plain]) -> bool:
    # Compared as texts, since `1 == True` in Python and lists are unhashable.
    return len({json.dumps(value, sort_keys=True) for value in values}) == len(values)


def _fields(known: Mapping[str, Gate], rest: Gate) -> Gate:
    def gate(data: Plain) -> bool:
        if type(data) is not dict:
            return True
        for name, value in data.items():  # noqa: SIM110 - see `_every`
            if not known.get(name, rest)(value):
                return False
        return True

    return gate


def _elements(first: Sequence[Gate], rest: Gate) -> Gate:
    def gate(data: Plain) -> bool:
        if type(data) is not list:
            return True
        if not all(check(value) for check, value in zip(first, data, strict=False)):
            return False
        return all(rest(value) for value in data[len(first) :])

    return gate


EffectPath = tuple[str, ...]

ENDING = ".schema.json"
ABILITY_FIELDS = ("abilities", "bearer", "stacks", "after")
"""What an item is like for whoever bears it, and how play counts it."""
EFFECT_FORMS = ("block", "abilities", "expr", "params", "result", "event", "occurrence")
TAGS_REF = "common.schema.json#/$defs/tags"
MOST_EXTENDED = 4
LIKE, BUT, FOR, AGAINST = "like", "but", "for", "against"
CHANGES = (
    *("add", "scale", "append", "remove"),
    *("before-step", "after-step", "replace-step", "remove-step"),
)
"""The operations of patches under `but:`; a new value is a field of the variant itself."""
WITHOUT = ("pack", "vocabulary", "notation", "extension", "patch", "scenarios")
"""The kinds whose items cannot be variants."""
LAST = re.compile(r"(?<!\\)\$")


@dataclass(frozen=True, slots=True, eq=False)
class SchemaStore:
    """The schemas of one game by file name, with caches of derived values."""

    files: Mapping[str, Schema]
    kinds: tuple[str, ...]
    _gates: dict[str, Gate] = field(default_factory=dict, repr=False)
    _effects: dict[str, dict[EffectPath, str]] = field(default_factory=dict, repr=False)
    _named: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    _extended: dict[str, SchemaStore] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, files: Mapping[str, Schema]) -> SchemaStore:
        """Make a store of given schemas, by file name."""
        files = {name: _normalized(file) for name, file in files.items()}
        of_kinds = [name for name, file in files.items() if "kind" in file.get("properties", ())]
        return cls(files, tuple(sorted(name.removesuffix(ENDING) for name in of_kinds)))

    def extended(self, files: Mapping[str, Schema]) -> SchemaStore:
        """Return a store with these files added or replaced: the same one for the same files, so that items
        that have passed its checks need no second check."""
        key = repr(files)  # a key in which True differs from 1
        if key not in self._extended:
            kinds = {*self.kinds, *(name.removesuffix(ENDING) for name in files)}
            gates = {kind: one for kind, one in self._gates.items() if kind + ENDING not in files}
            made = SchemaStore({**self.files, **files}, tuple(sorted(kinds)), gates)
            self._extended[key] = made
            if len(self._extended) > MOST_EXTENDED:
                del self._extended[next(iter(self._extended))]
        return self._extended[key]

    def is_alike(self, other: SchemaStore, kind: str) -> bool:
        """Is the schema of a kind the same in another store of the game?"""
        name = kind + ENDING
        return self.files.get(name) == other.files.get(name)

    def schema(self, kind: str) -> Schema:
        """Return the schema of a kind, with references unresolved."""
        return self.files[kind + ENDING]

    def passes(self, kind: str, data: Plain) -> bool:
        """Say whether *data* is a valid item of *kind*."""
        gate = self._gates.get(kind)
        if gate is None:
            file = kind + ENDING
            gate = self._gates[kind] = GateMaker(self.resolve).gate(file, self.files[file])
        return gate(data)

    def resolve(self, file: str, ref: str) -> tuple[str, Schema]:
        """Return the file and the schema that *ref* in *file* refers to."""
        name, _, pointer = ref.partition("#")
        name = name or file
        found: Any = self.files.get(name)
        for step in filter(None, pointer.strip("/").split("/")):
            name_of_part = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name_of_part) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise SchemaError(f"{file}: {ref} points at no schema")
        return name, found

    def followed(self, file: str, schema: Schema) -> tuple[str, Schema]:
        """Return a schema, or the one at the end of its references, and its file."""
        while "$ref" in schema:
            file, schema = self.resolve(file, schema["$ref"])
        return file, schema

    def fields(self, kind: str) -> tuple[str, ...]:
        """Return the names of the fields that items of *kind* can have."""
        return tuple(self.schema(kind).get("properties", ()))

    def data_fields(self, kind: str) -> Iterator[str]:
        """The fields of items of *kind* that are neither free text nor a list of free texts."""
        for name, said in self.schema(kind).get("properties", {}).items():
            _, said = self.followed(kind + ENDING, said)
            of_list = said.get("items", {}) if said.get("type") == "array" else said
            if of_list.get("type") != "string" or "enum" in of_list:
                yield name

    def fields_at(self, kind: str, path: Iterable[str | int]) -> tuple[str, ...]:
        """Return the fields that a map within an item can have; none if its names are free."""
        file, schema = kind + ENDING, self.schema(kind)
        for step in (*path, None):
            file, schema = self.followed(file, schema)
            if step is None:
                break
            at = schema.get("properties", {}).get(step)
            inner = schema.get("items") if isinstance(step, int) else at
            inner = inner if inner is not None else schema.get("additionalProperties")
            if not isinstance(inner, dict):
                return ()
            schema = inner
        return tuple(schema.get("properties", ()))

    def kinds_with(self, field: str) -> list[str]:
        """Return the kinds whose items can have a field of this name."""
        return [kind for kind in self.kinds if field in self.fields(kind)]

    def names_in(self, kind: str) -> frozenset[str]:
        """Return all fields at any depth of the schema of *kind*."""
        if kind not in self._named:
            names: set[str] = set()
            waiting = [self.schema(kind)] if kind in self.kinds else []
            while waiting:
                schema = waiting.pop()
                if isinstance(schema, dict):
                    properties = schema.get("properties")
                    names.update(properties if isinstance(properties, dict) else ())
                    waiting += schema.values()
                elif isinstance(schema, list):
                    waiting += schema
            self._named[kind] = frozenset(names)
        return self._named[kind]

    def effect_fields(self, kind: str) -> dict[EffectPath, str]:
        """Return the paths of fields with effect text, each with its form; `*` is any step."""
        if kind not in self._effects:
            file = kind + ENDING
            self._effects[kind] = dict(self._effects_in(file, self.schema(kind), (), ()))
        return self._effects[kind]

    def _effects_in(
        self, file: str, schema: Schema, path: EffectPath, refs: tuple[str, ...]
    ) -> Iterator[tuple[EffectPath, str]]:
        form = schema.get("x-effect")
        if form is not None:
            if form not in EFFECT_FORMS:
                raise SchemaError(f"{file}: x-effect knows no {form!r}")
            yield path, form
        ref = schema.get("$ref")
        if ref is not None and (file + ref) not in refs:
            name, target = self.resolve(file, ref)
            yield from self._effects_in(name, target, path, (*refs, file + ref))
        for name, child in schema.get("properties", {}).items():
            yield from self._effects_in(file, child, (*path, name), refs)
        parts = _schemas(schema, ("items", "additionalProperties", "prefixItems"))
        for child in parts:
            yield from self._effects_in(file, child, (*path, "*"), refs)
        for child in _schemas(schema, ("allOf", "anyOf", "oneOf", "if", "then", "else")):
            yield from self._effects_in(file, child, path, refs)


@cache
def schemas_of(folder: Path, game: str | None = None) -> SchemaStore:
    """Return the shared schemas and those of *game*, read only once, as they are ours and never change
    during a run. Raises SchemaError if two have one name."""
    files = _files_in(folder)
    own = _files_in(folder / game) if game else {}
    for name in files.keys() & own.keys():
        raise SchemaError(f"two schemas are called {name}")
    return SchemaStore.of({**files, **own})


@cache
def _files_in(folder: Path) -> dict[str, Schema]:
    """The schemas in one folder by file name; none if there is no folder."""
    found = sorted(folder.glob(f"*{ENDING}"))
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in found}


def is_tags(schema: Schema) -> bool:
    """Is `tags` the list of tags in a kind's schema, and not a game's own field of that name?"""
    field = schema.get("properties", {}).get("tags", {})
    return field in ({}, {"$ref": TAGS_REF})


def _normalized(schema: Any) -> Any:
    r"""Return a schema without `$id` (names stay file names) and with `$` as `\Z` in patterns."""
    if isinstance(schema, list):
        return [_normalized(child) for child in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _normalized(child) for key, child in schema.items()}
    if isinstance(found.get("$id"), str):
        del found["$id"]
    if isinstance(found.get("pattern"), str):
        found["pattern"] = LAST.sub(r"\\Z", found["pattern"])
    return found


def _schemas(schema: Schema, keywords: tuple[str, ...]) -> Iterator[Schema]:
    for keyword in keywords:
        held = schema.get(keyword)
        for child in held if isinstance(held, list) else [held]:
            if isinstance(child, dict):
                yield child


def may_be_variant(kind: str, store: SchemaStore) -> bool:
    """May items of a kind be variants? Not if the kind has a field `like` of its own."""
    return kind in store.kinds and kind not in WITHOUT and LIKE not in store.fields(kind)
