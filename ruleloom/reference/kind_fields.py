"""The kinds of items of a game and their fields, from the schemas, with an example of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import dedent
from typing import Any

from ruleloom.compiler.analysis.alone import USUAL
from ruleloom.compiler.packs.content import COMMON_KINDS, KINDS_WITHOUT_ID, Item
from ruleloom.compiler.schema.registry import ENDING, SchemaStore
from ruleloom.compiler.yaml.node import YamlNode, written
from ruleloom.reference.gathered import Gathered, Mention
from ruleloom.reference.names import Piece
from ruleloom.runtime.dataclass import dataclass

# Kinds that stand once in a pack, and have pages elsewhere.
LEFT_OUT = frozenset({*KINDS_WITHOUT_ID, "pack", "extension"})
DEEPEST = 3
EFFECT_TEXT = "effect text"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of a kind: what it is for, and what it may be."""

    name: str
    title: str
    help: str
    allowed: str
    needed: bool
    depth: int


@dataclass(frozen=True, slots=True)
class KindEntry:
    """A kind of item: its fields, what it makes, and an item to copy from."""

    name: str
    about: str
    makes: str
    fields: tuple[FieldRow, ...]
    example: tuple[Piece, ...]
    of: Mention | None
    count: int


def kinds_of(made: Gathered) -> list[KindEntry]:
    """The kinds of a game: its own first, then those of every game."""
    store = made.content.schemas
    own = [kind for kind in made.symbols.kinds if kind in store.kinds]
    common = [kind for kind in COMMON_KINDS if kind in store.kinds and kind not in LEFT_OUT]
    return [_kind(made, store, kind) for kind in (*own, *common)]


def _kind(made: Gathered, store: SchemaStore, kind: str) -> KindEntry:
    schema = store.schema(kind)
    items = [item for item in made.items.values() if item.kind == kind]
    shown = example_of(items)
    text = _text_of(shown) if shown is not None else ""
    return KindEntry(
        kind,
        str(schema.get("description", "")),
        made.symbols.kinds.get(kind, ""),
        tuple(_rows(store, kind + ENDING, schema, 0)),
        tuple(made.names.pieces(text)),
        made.mention(shown.id) if shown is not None else None,
        len(items),
    )


def example_of(items: Sequence[Item]) -> Item | None:
    """The item that shows most in few lines: with an effect if any has one, of middling length."""
    telling = [one for one in items if USUAL.keys() & one.fields.keys()] or items
    usual = sorted(telling, key=lambda one: (-_usual_fields(one, telling), len(one.node.raw)))
    return usual[0] if usual else None


def _usual_fields(item: Item, items: Iterable[Item]) -> int:
    """The number of its fields that at least a third of the items have."""
    many = list(items)
    return sum(sum(field in one.fields for one in many) * 3 >= len(many) for field in item.fields)


def _text_of(item: Item) -> str:
    """An item as its author wrote it, at the left edge; one on a single line, a field a line."""
    if item.node.raw.startswith("{"):
        return "\n".join(f"{name}: {_written(node)}" for name, node in item.node.entries.items())
    column = item.node.place.column - 1
    return dedent(" " * column + item.node.raw).rstrip()


def _written(node: YamlNode) -> str:
    """A value as it was written in its line, quotes and all."""
    return " ".join(node.raw.split()) if node.style not in ("|", ">") else node.raw


def _rows(
    store: SchemaStore, file: str, schema: Mapping[str, Any], depth: int
) -> Iterator[FieldRow]:
    needed = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        if name == "kind" and not depth:
            continue
        at, whole = _resolved(store, file, field)
        yield FieldRow(
            name,
            str(whole.get("title", "")),
            str(whole.get("description", "")),
            _allowed(whole),
            name in needed,
            depth,
        )
        inner = whole.get("items") if whole.get("type") == "array" else whole
        if isinstance(inner, dict) and depth < DEEPEST:
            at, inner = _resolved(store, at, inner)
            yield from _rows(store, at, inner, depth + 1)


def _resolved(
    store: SchemaStore, file: str, schema: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """A schema with what it refers to."""
    if "$ref" not in schema:
        return file, schema
    at, found = store.resolve(file, schema["$ref"])
    return at, {**found, **schema}


def _allowed(schema: Mapping[str, Any]) -> str:
    """The allowed values of a field, in a few words."""
    if "const" in schema:
        return written(schema["const"])
    if "enum" in schema:
        return " | ".join(map(written, schema["enum"]))
    if schema.get("x-effect") in ("block", "abilities"):
        return EFFECT_TEXT
    types = schema.get("type", "")
    words = {"string": "text", "integer": "whole number", "boolean": "yes or no"}
    words |= {"array": "list", "object": "mapping", "number": "number"}
    named = [words.get(one, one) for one in (types if isinstance(types, list) else [types])]
    text = " or ".join(filter(None, named))
    low, high = schema.get("minimum"), schema.get("maximum")
    return f"{text}, {low} to {high}" if low is not None and high is not None else text
