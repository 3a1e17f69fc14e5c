"""The schema gate: compiles the schema of a kind into a fast check that says yes or no.

The mistakes of an item that does not pass are for jsonschema to find and for `schema.wording` to
say; a property test holds the two to the same verdict. A keyword outside our subset of JSON Schema
2020-12, or a reference to nothing, raises `SchemaError` when the kind is first used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.yaml.node import Plain

Schema = dict[str, Any]
Gate = Callable[[Plain], bool]
# From a file and a `$ref` in it to the schema it points at and the file that one stands in.
Resolve = Callable[[str, str], tuple[str, Schema]]

# How to find the schemas within a schema: the keyword holds one, a list of them, or a map of them.
ONE = ("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("properties", "patternProperties", "$defs")
LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
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

# A limit looks at values of one type only, and lets all others pass. (In Python, True is an int.)
MEASURES: Mapping[str, tuple[type, Callable[[Any, Any], bool]]] = {
    "minimum": (int, lambda value, limit: value >= limit),
    "maximum": (int, lambda value, limit: value <= limit),
    "exclusiveMinimum": (int, lambda value, limit: value > limit),
    "exclusiveMaximum": (int, lambda value, limit: value < limit),
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
    """One of our own schemas is not written as it must be: a fault of ours, not of an author."""


class GateMaker:
    """Compiles the schemas of one game; each `$ref` target once."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._targets: dict[tuple[str, int], list[Gate]] = {}

    def gate(self, file: str, schema: Schema | bool) -> Gate:
        """Return the check of a schema that stands in `file`."""
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
        if "not" in schema:
            wrong = self.gate(file, schema["not"])
            yield lambda data: not wrong(data)
        conditional = [schema.get(key, True) for key in ("if", "then", "else")]
        test, then, otherwise = self._gates(file, conditional)
        if "if" in schema:
            yield lambda data: then(data) if test(data) else otherwise(data)

    def _inside(self, file: str, schema: Schema) -> Iterator[Gate]:
        if {"properties", "patternProperties", "additionalProperties"} & schema.keys():
            fields, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
            known = {name: self.gate(file, part) for name, part in fields.items()}
            like = [(re.compile(name), self.gate(file, part)) for name, part in patterns.items()]
            yield _fields(known, like, self.gate(file, schema.get("additionalProperties", True)))
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
    # As texts, since `1 == True` in Python and lists cannot be hashed.
    return len({json.dumps(value, sort_keys=True) for value in values}) == len(values)


def _fields(
    known: Mapping[str, Gate], like: Sequence[tuple[re.Pattern[str], Gate]], rest: Gate
) -> Gate:
    def found(name: str) -> Gate:
        checks = [known[name]] if name in known else []
        checks += [one for pattern, one in like if pattern.search(name)]
        return _every(checks) if checks else rest

    def gate(data: Plain) -> bool:
        if type(data) is not dict:
            return True
        for name, value in data.items():
            check = found(name) if like else known.get(name, rest)
            if not check(value):
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
