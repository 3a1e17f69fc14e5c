"""One JSON Schema of all files of a pack, for editors, that needs no other file.

Editors read YAML otherwise than Ruleloom: `0.25` is a number to them and a text here, so where a
whole number or a text may stand, any number may. Each kind has its worked example.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.extend import KIND as EXTENSION
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.schema.registry import ENDING, SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.scaffold.starters import example, kinds

Schema = dict[str, Any]
# Files that no pack holds.
OTHERS = ("save", "program")
FOLDER = ".ruleloom"


def file_name(game: str) -> str:
    """Where it lies within a pack. Packs leave folders alone whose name begins with a dot."""
    return f"{FOLDER}/{game}{ENDING}"


@cache
def editor_schema(game: str, schemas: Path = SCHEMAS) -> str:
    """The text of the schema of all files of packs for a game."""
    return _whole(game, dict(_parts(game, schemas)))


def schema_of_pack(pack: Path, game: str) -> str:
    """The schema for one pack, with the vocabulary that it and the packs it builds on add."""
    content = load([pack], Report(), scenarios=False)
    if content is None or not content.by_kind(EXTENSION):
        return editor_schema(game)
    plain = SchemaStore.load(SCHEMAS, game)
    files = content.schemas.files
    grown = {name: _untidied(file) for name, file in files.items() if file != plain.files.get(name)}
    more = {name.removesuffix(ENDING): file for name, file in grown.items()}
    parts = {name: _part(name, schema, game) for name, schema in more.items()}
    return _whole(game, {**dict(_parts(game, SCHEMAS)), **parts})


def _whole(game: str, parts: Mapping[str, Schema]) -> str:
    kinds = {
        name: part
        for name, part in parts.items()
        if "const" in part.get("properties", {}).get("kind", {})
    }
    whole: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A file of a pack for {game}",
        "description": "One item, or a list of items. Each says by its `kind` what it is.",
        "if": {"type": "array"},
        "then": {"items": {"$ref": "#/$defs/item"}},
        "else": {"$ref": "#/$defs/item"},
        "$defs": {"item": _item(kinds), **parts},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _item(kinds: Mapping[str, Schema]) -> Schema:
    """An item of any kind: its `kind` says which schema it has to meet."""
    cases = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"$ref": f"#/$defs/{kind}"},
        }
        for kind in kinds
    ]
    told = "\n".join(f"{kind}: {part.get('description', '')}" for kind, part in kinds.items())
    kind = {"description": f"What sort of item this is.\n\n{told}", "enum": list(kinds)}
    return {"type": "object", "properties": {"kind": kind}, "required": ["kind"], "allOf": cases}


def _parts(game: str, schemas: Path) -> Iterator[tuple[str, Schema]]:
    """Each schema file under its name, its references turned to where the parts stand now."""
    for folder in (schemas, schemas / game):
        for path in sorted(folder.glob(f"*{ENDING}")):
            name = path.name.removesuffix(ENDING)
            if name not in OTHERS:
                yield name, _part(name, json.loads(path.read_text(encoding="utf-8")), game)


def _part(name: str, schema: Schema, game: str) -> Schema:
    part = {
        key: value for key, value in _turned(schema, name).items() if key not in ("$id", "$schema")
    }
    return {**part, **_examples(game, name)}


def _untidied(schema: Any) -> Any:
    """A schema with patterns as editors read them: the very end is `$`, not Python's `\\Z`."""
    if isinstance(schema, list):
        return [_untidied(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _untidied(one) for key, one in schema.items()}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = found["pattern"].replace(r"\Z", "$")
    return found


def _examples(game: str, kind: str) -> Schema:
    """The worked example of a kind as data, where there is one."""
    if kind not in kinds(game):
        return {}
    root = compose(Source.from_text(example(game, kind)[kind], kind), Report())
    items = [] if root is None else root.items or [root]
    found = [
        to_data(item)
        for item in items
        if (named := item.get("kind")) is not None and named.text == kind
    ]
    return {"examples": found}


def _turned(schema: Any, name: str) -> Any:
    if isinstance(schema, list):
        return [_turned(one, name) for one in schema]
    if not isinstance(schema, dict):
        return schema
    turned = {key: _turned(one, name) for key, one in schema.items()}
    if isinstance(schema.get("$ref"), str):
        file, _, pointer = schema["$ref"].partition("#")
        turned["$ref"] = f"#/$defs/{file.removesuffix(ENDING) or name}{pointer}"
    types = schema.get("type")
    if isinstance(types, list) and {"integer", "string"} <= set(types):
        turned["type"] = [*types, "number"]
    return turned
