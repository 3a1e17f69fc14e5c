"""Holds the schemas of one game, closed: what is not in the folder does not exist.

In goes the folder `schemas/` and a game; out comes a store that says which kinds there are, whether an item
passes, which fields a kind has and which of them hold effect text. A file `power.schema.json` describes
the kind `power` if it has a property `kind`; other files hold shared definitions, reached by `$ref` to
"common.schema.json#/$defs/..." and never from anywhere else.

The keywords a schema of a kind may use are those in `KEYWORDS` and `NOTES`. Each means the same in draft
2020-12 and in draft 7, which the gate compiles, or is translated by `_Bundle`: `$defs`, `$ref` beside others,
`prefixItems`, `dependentRequired`, `enum` and `const` (there Python's `1 == True` must not count). Any
other keyword is refused when the kind is first used, so that gate and jsonschema cannot drift apart. In
patterns `$` means the very end, never "before a last line end" as Python has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fastjsonschema

from compiler.yaml_node import Plain

Schema = dict[str, Any]
EffectPath = tuple[str, ...]
Gate = Callable[[Plain], bool]

ENDING = ".schema.json"
EFFECT_FORMS = ("block", "expr", "params", "result", "event")
# How to find the schemas within a schema: the keyword holds one, a list of them, or a map of them.
ONE = ("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("properties", "patternProperties", "$defs")
LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
COUNTS = ("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties")
PLAIN = ("type", "enum", "const", "pattern", "required", "dependentRequired", *LIMITS, *COUNTS)
KEYWORDS = frozenset((*ONE, *MANY, *NAMED, *PLAIN, "$ref"))
NOTES = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "examples", "default", "x-effect", "x-form"}
)
LAST = re.compile(r"(?<!\\)\$")
TYPE_OF = {bool: "boolean", int: "integer", str: "string", type(None): "null"}


class SchemaError(Exception):
    """One of our own schemas is not written as it must be: a fault of ours, not of an author."""


@dataclass(frozen=True, slots=True, eq=False)
class SchemaStore:
    """The schemas of one game by file name, and what has been worked out from them so far."""

    files: Mapping[str, Schema]
    kinds: tuple[str, ...]
    _gates: dict[str, Gate] = field(default_factory=dict, repr=False)
    _effects: dict[str, dict[EffectPath, str]] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, folder: Path, game: str | None = None) -> SchemaStore:
        """Read the schemas every game shares and those of *game*."""
        files: dict[str, Schema] = {}
        for place in (folder, folder / game) if game else (folder,):
            for path in sorted(place.glob(f"*{ENDING}")):
                if path.name in files:
                    raise SchemaError(f"two schemas are called {path.name}")
                files[path.name] = json.loads(path.read_text(encoding="utf-8"))
        return cls.of(files)

    @classmethod
    def of(cls, files: Mapping[str, Schema]) -> SchemaStore:
        """Make a store of schemas already in hand, by file name."""
        kinds = sorted(
            name.removesuffix(ENDING) for name, file in files.items() if "kind" in file.get("properties", ())
        )
        return cls({name: _tidied(file) for name, file in files.items()}, tuple(kinds))

    def schema(self, kind: str) -> Schema:
        """Return the schema of a kind, as it stands in its file."""
        return self.files[kind + ENDING]

    def passes(self, kind: str, data: Plain) -> bool:
        """Say whether *data* is a sound item of *kind*."""
        gate = self._gates.get(kind)
        if gate is None:
            gate = self._gates[kind] = _compiled(_Bundle(self, kind + ENDING).schema())
        return gate(data)

    def resolve(self, file: str, ref: str) -> tuple[str, Schema]:
        """Return the schema that *ref*, written in *file*, points at, with the file it stands in."""
        name, _, pointer = ref.partition("#")
        name = name or file
        found: Any = self.files.get(name)
        for step in pointer.strip("/").split("/") if pointer.strip("/") else ():
            found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise SchemaError(f"{file}: {ref} points at no schema")
        return name, found

    def fields(self, kind: str) -> tuple[str, ...]:
        """Return the names of the fields that items of *kind* can have."""
        return tuple(self.schema(kind).get("properties", ()))

    def fields_at(self, kind: str, path: Iterable[str | int]) -> tuple[str, ...]:
        """Return the names of the fields that a map within an item can have; none where they are free."""
        file, schema = kind + ENDING, self.schema(kind)
        for step in (*path, None):
            while "$ref" in schema:
                file, schema = self.resolve(file, schema["$ref"])
            if step is None:
                break
            inner = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
            inner = inner if inner is not None else schema.get("additionalProperties")
            if not isinstance(inner, dict):
                return ()
            schema = inner
        return tuple(schema.get("properties", ()))

    def kinds_with(self, field: str) -> list[str]:
        """Return the kinds whose items can have a field of this name."""
        return [kind for kind in self.kinds if field in self.fields(kind)]

    def effect_fields(self, kind: str) -> dict[EffectPath, str]:
        """Return the paths of fields that hold effect text, each with its form; `*` is any step."""
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
        for child in (
            *schema.get("patternProperties", {}).values(),
            *_schemas(schema, ("items", "additionalProperties")),
        ):
            yield from self._effects_in(file, child, (*path, "*"), refs)
        for child in schema.get("prefixItems", ()):
            yield from self._effects_in(file, child, (*path, "*"), refs)
        for child in _schemas(schema, ("allOf", "anyOf", "oneOf", "if", "then", "else")):
            yield from self._effects_in(file, child, path, refs)


def _tidied(schema: Any) -> Any:
    """Return a schema without `$id` (names stay file names), with `$` as the very end in patterns."""
    if isinstance(schema, list):
        return [_tidied(child) for child in schema]
    if not isinstance(schema, dict):
        return schema
    result: Schema = {}
    for key, value in schema.items():
        if key in ("enum", "const", "examples", "default"):
            result[key] = value
        elif key == "pattern" and isinstance(value, str):
            result[key] = LAST.sub(r"\\Z", value)
        elif key == "patternProperties":
            result[key] = {LAST.sub(r"\\Z", name): _tidied(child) for name, child in value.items()}
        elif key != "$id" or not isinstance(value, str):
            result[key] = _tidied(value)
    return result


def _schemas(schema: Schema, keywords: tuple[str, ...]) -> Iterator[Schema]:
    for keyword in keywords:
        held = schema.get(keyword)
        for child in held if isinstance(held, list) else [held]:
            if isinstance(child, dict):
                yield child


def _types_of(file: str, choices: list[Any]) -> list[str]:
    """Return the types of an enum's choices; Python's `1 == True` would else let each pass for the other."""
    types = {TYPE_OF.get(type(choice), "") for choice in choices}
    if "" in types or types >= {"boolean", "integer"}:
        raise SchemaError(f"{file}: the choices {choices} must be plain and not mix numbers with booleans")
    return sorted(types)


def _compiled(schema: Schema) -> Gate:
    # Without the details of exceptions, which nobody reads, the code is half as long.
    validate = fastjsonschema.compile(schema, use_default=False, use_formats=False, detailed_exceptions=False)

    def gate(data: Plain) -> bool:
        try:
            validate(data)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return gate


class _Bundle:
    """One kind's schema as a single draft 7 schema, with all it refers to under `definitions`."""

    def __init__(self, store: SchemaStore, file: str) -> None:
        self.store = store
        self.file = file
        self.definitions: dict[str, Schema] = {}
        self.names: dict[tuple[str, int], str] = {}

    def schema(self) -> Schema:
        whole = self.translate(self.file, self.store.files[self.file])
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": self.definitions}
        return {**head, "allOf": [whole]}

    def translate(self, file: str, schema: Schema | bool) -> Schema | bool:
        if isinstance(schema, bool):
            return schema
        strange = schema.keys() - KEYWORDS - NOTES
        if strange:
            raise SchemaError(f"{file}: {sorted(strange)} stand outside the keywords our schemas use")
        result = {key: schema[key] for key in PLAIN if key in schema}
        self.nested(file, schema, result)
        all_of = result.pop("allOf", [])
        if "prefixItems" in result:
            first = result.pop("prefixItems")
            result |= {"items": first, "additionalItems": result.get("items", True)}
        if "dependentRequired" in result:
            result["dependencies"] = result.pop("dependentRequired")
        if "const" in result:
            result["enum"] = [result.pop("const")]
        if "enum" in result:
            all_of.append({"type": _types_of(file, result["enum"])})
        if "$ref" in schema:
            all_of.append({"$ref": f"#/definitions/{self.definition(file, schema['$ref'])}"})
        if len(all_of) == 1 and not result:
            only: Schema = all_of[0]
            return only
        return {**result, "allOf": all_of} if all_of else result

    def nested(self, file: str, schema: Schema, result: Schema) -> None:
        for key in ONE:
            if key in schema:
                result[key] = self.translate(file, schema[key])
        for key in MANY:
            if key in schema:
                result[key] = [self.translate(file, child) for child in schema[key]]
        for key in ("properties", "patternProperties"):
            if key in schema:
                result[key] = {name: self.translate(file, child) for name, child in schema[key].items()}

    def definition(self, file: str, ref: str) -> str:
        target_file, target = self.store.resolve(file, ref)
        key = (target_file, id(target))
        if key not in self.names:
            self.names[key] = f"d{len(self.names)}"
            # Entered before it is translated, so that a definition may refer to itself.
            self.definitions[self.names[key]] = {}
            self.definitions[self.names[key]] = {"allOf": [self.translate(target_file, target)]}
        return self.names[key]
