"""The worked examples, `rulesets/starters/GAME/KIND.yaml` with scenarios beside each, and the JSON Schema of
all files in a pack, for editors, which includes these examples.

The folder of each game is a pack, checked and tested like any other. Names in it derive from the kind:
`my-major`, `my_major` in effect text, `My major` for people; `filled` replaces these names. Editors read YAML
differently: `0.25` is a number to them and a string to Ruleloom, so any number is allowed wherever an integer
and a string are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.schema.registry import BUT, ENDING, FOR, LIKE, WITHOUT, schemas_of
from ruleloom.compiler.yaml.node import to_data

STARTERS = BUILTIN / "starters"
SCENARIOS = "scenarios"
PACK = "pack"


def games() -> list[str]:
    """The games with examples."""
    return sorted(folder.name for folder in STARTERS.iterdir() if (folder / MANIFEST).is_file())


def kinds(game: str) -> list[str]:
    """The kinds of items with an example for a game."""
    names = {path.stem for path in (STARTERS / game).glob("*.yaml")}
    return sorted(name for name in names if not name.endswith(f"-{SCENARIOS}") and name != PACK)


def example(game: str, kind: str) -> dict[str, str]:
    """The texts of a kind's example: its own, and its scenarios under `scenarios`, if any."""
    folder = STARTERS / game
    texts = {kind: (folder / f"{kind}.yaml").read_text(encoding="utf-8")}
    scenarios = folder / f"{kind}-{SCENARIOS}.yaml"
    if scenarios.is_file():
        texts[SCENARIOS] = scenarios.read_text(encoding="utf-8")
    return texts


def workflow(sort: str, name: str) -> str:
    """The workflow that publishes a pack: its `pages`, or a `release`."""
    return (Path(__file__).parent / f"{sort}.yaml").read_text("utf-8").replace("PACK", name)


def title_of(name: str) -> str:
    """The title for a name: `Dark moth` for `dark-moth`."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def filled(text: str, kind: str, name: str) -> str:
    """An example of `kind`, renamed to `name` throughout."""
    stands_for = {
        f"my-{kind}": name,
        f"my_{kind.replace('-', '_')}": name.replace("-", "_"),
        title_of(f"my-{kind}"): title_of(name),
        f"my {kind.replace('-', ' ')}": title_of(name).lower(),
    }
    places = re.compile("|".join(map(re.escape, stands_for)))
    return places.sub(lambda found: stands_for[found[0]], text)


def new_item(game: str, kind: str, name: str) -> dict[str, str]:
    """The files of a new item, by name: its own, and its scenarios."""
    texts = example(game, kind)
    files = {f"{name}.yaml": filled(texts[kind], kind, name)}
    if SCENARIOS in texts and kind != SCENARIOS:
        files[f"{name}-{SCENARIOS}.yaml"] = filled(texts[SCENARIOS], kind, name)
    return files


Schema = dict[str, Any]
# Schemas of files outside packs.
OTHERS = ("save", "program")
FOLDER = ".ruleloom"


def file_name(game: str) -> str:
    """The schema's path in a pack; packs ignore folders whose name begins with a dot."""
    return f"{FOLDER}/{game}{ENDING}"


@cache
def editor_schema(game: str) -> str:
    """The schema of all files of packs for a game, as text."""
    return _whole(game, dict(_parts(game)))


def schema_of_pack(pack: Path, game: str) -> str:
    """The schema for one pack, with the vocabulary of the pack and of those it requires."""
    content = load([pack], Report(), scenarios=False)
    if content is None or not content.by_kind("extension"):
        return editor_schema(game)
    plain = schemas_of(SCHEMAS, game)
    files = content.schemas.files
    parts = dict(_parts(game))
    for name, schema in files.items():
        if schema != plain.files.get(name):
            part = name.removesuffix(ENDING)
            parts[part] = _part(part, schema, game)
    return _whole(game, parts)


def _whole(game: str, parts: Mapping[str, Schema]) -> str:
    properties = {name: part.get("properties", {}) for name, part in parts.items()}
    kinds = {
        name: parts[name] for name, has in properties.items() if "const" in has.get("kind", {})
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
    """An item's schema, selected by its `kind`."""
    cases = []
    for kind in kinds:
        # The template of a family is judged once its holes are filled.
        alone = {"kind": {"const": kind}, FOR: {"type": "string"}}
        selected = {"properties": alone, "required": ["kind"]}
        cases.append({"if": selected, "then": {"$ref": f"#/$defs/{kind}"}})
    listed = "\n".join(f"{kind}: {part.get('description', '')}" for kind, part in kinds.items())
    any_kind = {"description": f"What sort of item this is.\n\n{listed}", "enum": list(kinds)}
    properties = {"kind": any_kind}
    return {"type": "object", "properties": properties, "required": ["kind"], "allOf": cases}


def _parts(game: str) -> Iterator[tuple[str, Schema]]:
    """The name and part of each schema file."""
    for folder in (SCHEMAS, SCHEMAS / game):
        for path in sorted(folder.glob(f"*{ENDING}")):
            name = path.name.removesuffix(ENDING)
            if name not in OTHERS:
                yield name, _part(name, json.loads(path.read_text(encoding="utf-8")), game)


def _part(name: str, schema: Schema, game: str) -> Schema:
    """A schema for `$defs`, with the worked example of its kind, if any."""
    part: Schema = _for_editors(schema, name)
    fields = schema.get("properties", {})
    # An item of this kind may copy another, which has the required fields.
    if "const" in fields.get("kind", {}) and name not in WITHOUT and LIKE not in fields:
        for field in (LIKE, BUT):
            part["properties"][field] = {"$ref": f"#/$defs/common/$defs/{field}"}
        needed = {"required": part.pop("required", [])}
        part |= {"if": {"required": [LIKE]}, "then": {"required": ["kind", "id"]}, "else": needed}
    part.pop("$id", None)
    part.pop("$schema", None)
    if name in kinds(game):
        items = [to_data(item) for item in items_in(example(game, name)[name])]
        part["examples"] = [one for one in items if isinstance(one, dict) and one["kind"] == name]
    return part


def _for_editors(schema: Any, name: str) -> Any:
    """A schema with references into `$defs`, `$` ending patterns, and wider numbers."""
    if isinstance(schema, list):
        return [_for_editors(one, name) for one in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _for_editors(one, name) for key, one in schema.items()}
    if isinstance(schema.get("$ref"), str):
        file, _, pointer = schema["$ref"].partition("#")
        changed["$ref"] = f"#/$defs/{file.removesuffix(ENDING) or name}{pointer}"
    if isinstance(schema.get("pattern"), str):  # the compiler replaces `$` by Python's `\Z`
        changed["pattern"] = schema["pattern"].replace(r"\Z", "$")
    types = schema.get("type")
    if isinstance(types, list) and {"integer", "string"} <= set(types):
        changed["type"] = [*types, "number"]
    return changed
