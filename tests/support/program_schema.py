"""Makes the JSON Schemas of programs and saves from the classes, so that they cannot drift
apart."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from ruleloom.runtime.play.carry import Aside
from ruleloom.runtime.play.corrections import LONGEST_REASON
from ruleloom.runtime.play.scan import SAVE, SAVE_FORMAT
from ruleloom.runtime.play.seam import LONGEST_WORD
from ruleloom.runtime.program.program import (
    AGGREGATES,
    EXPRESSIONS,
    FORMAT,
    ROWS,
    Origin,
    Program,
    Row,
)
from ruleloom.runtime.program.program_json import SPARED
from ruleloom.runtime.program.values import LARGEST

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
INT: Schema = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
TEXT: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}


def table(properties: Schema, title: str = "", about: str = "") -> Schema:
    """A closed object all of whose properties must be there."""
    named = {"title": title} if title else {}
    named |= {"description": about} if about else {}
    return {
        **named,
        "type": "object",
        "properties": properties,
        "required": [one for one in properties if one not in SPARED],
        "additionalProperties": False,
    }


def fixed(*items: Schema) -> Schema:
    """A list of exactly these items."""
    return {
        "type": "array",
        "prefixItems": list(items),
        "minItems": len(items),
        "maxItems": len(items),
    }


def ref(name: str) -> Schema:
    """A definition of the same schema."""
    return {"$ref": f"#/$defs/{name}"}


def case(condition: Schema, then: Schema) -> Schema:
    """One of several forms, told apart by one word: `oneOf` would try all of them at every
    level."""
    return {"if": condition, "then": then}


class _Maker:
    def __init__(self) -> None:
        self.defs: Schema = {}

    def of(self, kind: Any, name: str = "") -> Schema:
        if kind is int:
            return INT
        if kind is str:
            return TEXT
        if kind is bool:
            return {"type": "boolean"}
        if kind is Any:
            return {} if name == "notation" else ref("Constant")
        if kind is Row:
            for row in ROWS:
                self.define(row, {"row": {"const": row.__name__}})
            names = [row.__name__ for row in ROWS]
            cases = [case({"properties": {"row": {"const": name}}}, ref(name)) for name in names]
            named = {"properties": {"row": {"enum": names}}, "required": ["row"]}
            return {"type": "object", **named, "allOf": cases}
        if isinstance(kind, type) and is_dataclass(kind):
            self.define(kind, {})
            return ref(kind.__name__)
        return self.compound(kind, name)

    def compound(self, kind: Any, name: str) -> Schema:
        parts = get_args(kind)
        if get_origin(kind) is not tuple:
            return {"anyOf": [NULL if part is NoneType else self.of(part, name) for part in parts]}
        if parts == (Any, ...):
            return (
                {"type": "array", "items": ref("Printed")}
                if name == "static"
                else ref("Expression")
            )
        if parts[-1] is Ellipsis:
            return {"type": "array", "items": self.of(parts[0], name)}
        return fixed(*(self.of(part, name) for part in parts))

    def define(self, cls: type[Any], more: Schema) -> None:
        if cls.__name__ in self.defs:
            return
        self.defs[cls.__name__] = {}
        if cls is Origin:
            self.defs["Origin"] = {
                "title": "pack, path, line, column",
                **fixed(TEXT, TEXT, INT, INT),
            }
            return
        hints = get_type_hints(cls)
        found = {f.name: self.of(hints[f.name], f.name) for f in fields(cls)}
        self.defs[cls.__name__] = table({**more, **found}, about=told(cls))


def told(cls: type[Any]) -> str:
    """What a class is, in its own words; empty for one that has none of its own."""
    words = inspect.cleandoc(cls.__doc__ or "")
    return "" if words.startswith(f"{cls.__name__}(") else " ".join(words.split())


def expression() -> Schema:
    """Every form of expression, each with the shape of its parts."""
    parts = {
        "x": ref("Expression"),
        "x?": {"anyOf": [NULL, ref("Expression")]},
        "i": {"type": "integer", "minimum": 0},
        "s": TEXT,
        "v": ref("Constant"),
        "c": fixed({"const": "value"}, ref("Constant")),
    }
    forms = []
    for form, shape in EXPRESSIONS.items():
        words = shape.split()
        many = words[-1:] == ["x*"]
        items = [{"const": form}, *(parts[word] for word in (words[:-1] if many else words))]
        if form == "each":
            items[1] = {"enum": list(AGGREGATES)}
        made = fixed(*items)
        if many:
            del made["maxItems"]
            made["items"] = ref("Expression")
        forms.append(case({"prefixItems": [{"const": form}]}, made))
    named: Schema = {"type": "array", "minItems": 1, "prefixItems": [{"enum": list(EXPRESSIONS)}]}
    return {**named, "allOf": forms}


PROGRAM_WORDS = (
    "What `ruleloom compile` writes and the machine runs: plain data. `runtime/program/program.py` says "
    "more of it."
)


def program_schema() -> Schema:
    """The schema of a program."""
    maker = _Maker()
    maker.define(Program, {})
    maker.defs["Expression"] = expression()
    whole = {"type": "integer"}
    ratio = table({"ratio": fixed(whole, {"minimum": 2, **whole})})
    many = {"type": "array", "items": ref("Constant")}
    plain: list[Schema] = [NULL, {"type": "boolean"}, INT, TEXT, many, ratio]
    maker.defs["Constant"] = {"anyOf": plain}
    pair = fixed({"anyOf": [INT, TEXT]}, ref("Constant"))
    maker.defs["Printed"] = {
        "anyOf": [ref("Constant"), table({"map": {"type": "array", "items": pair}})]
    }
    maker.defs["Program"]["properties"]["format"] = {
        "minimum": FORMAT,
        "maximum": FORMAT,
        **INT_ONLY,
    }
    return {
        "$schema": DIALECT,
        "title": "A compiled program",
        "description": PROGRAM_WORDS,
        **ref("Program"),
        "$defs": maker.defs,
    }


INT_ONLY: Schema = {"type": "integer"}


SAVE_WORDS = {
    "ruleloom": "What this is: a save.",
    "format": "The version of this form.",
    "tool": "The Ruleloom that wrote it.",
    "game": "The game that is played.",
    "players": "Who plays, in the order of seats.",
    "settings": "The settings and switches that were chosen for this game.",
    "seed": "What chance comes from; null where people throw the dice.",
    "lock": "The packs that the program was made of: id, version, hash.",
    "program": "The rules that were in force when the game began, whole.",
    "world": "What the game began with, if not with an empty table.",
    "crc": "A checksum of the line, against slips.",
    "n": "Which answer or correction it is, counted from 0.",
    "by": "Who answered; null for dice and decks.",
    "keys": "The keys of what was chosen.",
    "field": "The field or variable that was corrected.",
    "thing": "Whose field it is; null for a variable.",
    "key": "The key of an entry, where the field is a table.",
    "value": "What it was set to.",
    "reason": "Why, in the words of whoever corrected it.",
    "back": "Before which answer the game went on, counted from 0.",
    "agreed": "Who agreed to that: everybody.",
    "ratio": "A fraction: above the line, below the line.",
    "end": "How many answers and corrections there are.",
    "state": "A hash of the state that they lead to.",
    "random": "Where chance has come to.",
    "over": "That the game is over.",
    "seam": "How the game came here from another version of its rules; what was before stands above.",
}
# What stands in a seam.
SEAM_WORDS = {
    "save": "A hash of all lines above.",
    "state": "A hash of the state that was carried over.",
    "renames": "Names that are other ones now: the old one, the new one.",
    "agreed": "The word of the host for what was set aside; empty if nothing was.",
    "aside": "What has no place in the new version: whose it was, what, what it was, why.",
}


def line(properties: Schema, title: str, optional: str = "") -> Schema:
    """A line of a save, with what each of its parts is; one of them need not be there."""
    described = {
        name: {"description": SAVE_WORDS[name], **part} for name, part in properties.items()
    }
    made = table(described, title)
    return {**made, "required": [name for name in described if name != optional]}


def save_schema() -> Schema:
    """The schema of one line of a save."""
    crc = {"crc": {"type": "string", "pattern": "^[0-9a-f]{8}$"}}
    names: Schema = {"type": "array", "items": TEXT}
    formats = {"type": "integer", "minimum": SAVE_FORMAT, "maximum": SAVE_FORMAT}
    lock = {"type": "array", "items": fixed(TEXT, TEXT, TEXT)}
    common = {
        "format": formats,
        "tool": TEXT,
        "game": TEXT,
        "players": names,
        "settings": {"type": "object"},
    }
    by: Schema = {"anyOf": [NULL, TEXT]}
    count: Schema = {"type": "integer", "minimum": 0}
    word = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
    hash_ = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    seed = {"anyOf": [NULL, INT_ONLY]}
    host = {"ruleloom": {"const": SAVE}, **common, "seed": seed, "lock": lock}
    world: Schema = {"anyOf": [NULL, {"type": "array"}]}
    program = {"$ref": "program.schema.json"}
    end = {"end": count, "state": hash_, "random": {"anyOf": [NULL, fixed(word, word, word, word)]}}
    ratio = table({"ratio": {"description": SAVE_WORDS["ratio"], **fixed(INT_ONLY, INT_ONLY)}})
    value: Schema = {"anyOf": [NULL, {"type": "boolean"}, INT_ONLY, TEXT, {"type": "array"}, ratio]}
    reason = {"type": "string", "minLength": 1, "maxLength": LONGEST_REASON}
    set_right = {"field": TEXT, "thing": by, "key": by, "value": value, "reason": reason}
    parts: Schema = {
        "save": hash_,
        "state": hash_,
        "agreed": {"type": "string", "maxLength": LONGEST_WORD},
    }
    several: Schema = {"type": "array", "items": fixed(TEXT, TEXT)}
    aside: Schema = {"type": "array", "items": fixed(*[TEXT] * len(Aside._fields))}
    seam_parts: Schema = {**parts, "renames": several, "aside": aside}
    seam = {
        "seam": table({n: {"description": SEAM_WORDS[n], **one} for n, one in seam_parts.items()})
    }
    first = {**host, "program": program, "world": world, **seam, **crc}
    lines = [
        line(first, "the first line of a save, or of a part of it", optional="seam"),
        line({"n": count, "by": by, "keys": names, **crc}, "an answer"),
        line({"n": count, **set_right, **crc}, "a correction"),
        line({**end, "over": {"const": True}, **crc}, "the last line of a save", optional="over"),
        line({"n": count, "back": count, "agreed": names, **crc}, "a return"),
    ]
    about = "A save is a text of such lines: who plays what, then every answer, then the end."
    return {"$schema": DIALECT, "title": "One line of a save", "description": about, "oneOf": lines}


def written(schema: Schema) -> str:
    """The text of the file."""
    return json.dumps(schema, indent=2) + "\n"
