"""Faults in the YAML fields of items: keys, values, references, and items that stand there twice.

Where a mistake is: a key at its first character; a value at its first character; an entry too many
in a list at that entry, one too few at the list; a copied item at the later of the two ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from benchmarks.edits.shipped import File, Item, Shipped
from benchmarks.edits.sites import INVENTED, Edit, Site, as_slip, misspelt, of_node, replaced
from ruleloom.compiler.schema.registry import Schema, SchemaStore
from ruleloom.compiler.yaml.node import YamlNode

NORWAY = ("no", "No", "NO", "yes", "Yes", "on", "off", "n", "y")


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an item with its schema; `owner` is the map it stands in, `key` its name there."""

    file: File
    item: Item
    path: tuple[str, ...]
    node: YamlNode
    schema: Schema
    owner: YamlNode | None
    known: frozenset[str] | None
    """The fields that may stand in `owner`; None where the author makes up the names."""

    @property
    def group(self) -> str:
        """Kind of item and name of the field, without the author's own names."""
        return f"{self.item.kind}.{'.'.join(self.path[:1] + self.path[-1:])}"

    @property
    def types(self) -> tuple[str, ...]:
        """What JSON Schema says may stand here."""
        found: Any = self.schema.get("type", ())
        return (found,) if isinstance(found, str) else tuple(found)


def all_fields(pack: Shipped) -> Iterator[Field]:
    """Every value in every item, from the outside in."""
    for file, item in pack.items():
        yield from _below(pack.store, file, item, (), item.node, f"{item.kind}.schema.json", None)


def _resolved(store: SchemaStore, file: str, schema: Any) -> tuple[str, Schema]:
    """Follow `$ref`; what stands beside it is kept."""
    found: Schema = schema if isinstance(schema, dict) else {}
    while "$ref" in found:
        file, target = store.resolve(file, found["$ref"])
        found = {**{key: value for key, value in found.items() if key != "$ref"}, **target}
    return file, found


def _below(
    store: SchemaStore,
    file: File,
    item: Item,
    path: tuple[str, ...],
    node: YamlNode,
    home: str,
    schema: Any,
) -> Iterator[Field]:
    home, here = _resolved(store, home, store.schema(item.kind) if schema is None else schema)
    named = here.get("properties", {})
    known = frozenset(named) if here.get("additionalProperties") is False else None
    for key, child in node.entries.items():
        inner = named.get(key, here.get("additionalProperties"))
        below, plain = _resolved(store, home, inner)
        yield Field(file, item, (*path, key), child, plain, node, known)
        yield from _below(store, file, item, (*path, key), child, below, plain)
    for number, child in enumerate(node.items):
        below, plain = _resolved(store, home, here.get("items", {}))
        yield Field(file, item, (*path, "*"), child, plain, None, None)
        yield from _below(store, file, item, (*path, str(number)), child, below, plain)


# ---------------------------------------------------------------------------------- keys


def misspelt_keys(pack: Shipped, rng: Random) -> Iterator[Site]:
    """One letter wrong in the name of a field. The mistake: that name."""
    for field in all_fields(pack):
        if field.known is None or field.owner is None or field.owner.key_spans is None:
            continue
        key = field.path[-1]
        wrong = misspelt(key, field.known, rng)
        if wrong is not None:
            start, end = field.owner.key_spans[key]
            yield as_slip(replaced(field.file, field.group, start, end, wrong))


def foreign_keys(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A field that another kind has: put in as it stands there, or in place of this kind's own name
    for it.

    The mistake: the name of the field.
    """
    donors = [
        (file, item) for file, item in pack.items() if item.kind not in ("vocabulary", "notation")
    ]
    for file, item in donors:
        known = set(pack.store.fields(item.kind))
        for key, text in sorted(_foreign(donors, known, rng).items()):
            host = rng.choice([name for name in item.node.entries if name != "kind"])
            yield _inserted(file, item, host, f"{key}: {text}")
        for key in set(item.node.entries) - {"kind", "id"}:
            wrong = _namesake(pack, item, key, known)
            if wrong is not None:
                start, end = (item.node.key_spans or {})[key]
                yield replaced(file, f"{item.kind}.{key}", start, end, wrong)


def _foreign(donors: list[tuple[File, Item]], known: set[str], rng: Random) -> dict[str, str]:
    """Fields of other kinds, each as one of their items writes it on one line."""
    found: dict[str, list[str]] = {}
    for _, item in donors:
        for key, node in item.node.entries.items():
            is_block = node.kind in ("map", "list") and node.style is None
            if key not in known and not is_block and "\n" not in node.raw:
                found.setdefault(key, []).append(node.raw)
    return {key: rng.choice(texts) for key, texts in found.items()}


def _inserted(file: File, item: Item, host: str, line: str) -> Site:
    """A new field before another one, on a line of its own if the item is written as a block."""
    start, _ = (item.node.key_spans or {})[host]
    column = file.source.line_col(start)[1] - 1
    behind = ", " if item.node.style == "{" else f"\n{' ' * column}"
    edit = Edit(start, start, f"{line}{behind}")
    return Site(file, f"{item.kind}.{line.split(':')[0]}", (edit,), start, f"put in `{line}`")


# What other kinds call the thing that this kind calls otherwise.
NAMESAKES = {
    "effect": ("holds", "is"),
    "holds": ("is", "effect", "where"),
    "is": ("holds", "value"),
    "gloss": ("english",),
    "english": ("gloss", "title"),
    "value": ("default", "is"),
    "default": ("value",),
    "options": ("parts",),
    "takes": ("event",),
    "gives": ("type",),
    "title": ("gloss", "english"),
    "number": ("numbers", "value"),
    "numbers": ("number",),
    "event": ("takes",),
    "where": ("holds", "when"),
    "parts": ("options",),
    "clause": ("text",),
}


def _namesake(pack: Shipped, item: Item, key: str, known: set[str]) -> str | None:
    others = [
        one for one in NAMESAKES.get(key, ()) if one not in known and pack.store.kinds_with(one)
    ]
    return others[0] if others else None


# ---------------------------------------------------------------------------------- values


def wrong_choices(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A word where one of a few words is due: misspelt, or another word. The mistake: that word."""
    for field in all_fields(pack):
        choices = _choices(field, pack)
        if choices and field.node.text is not None:
            word = rng.choice([misspelt(field.node.text, pack.words, rng), *INVENTED[:2]])
            if word is not None and word not in choices:
                slip = word not in INVENTED
                yield replace(of_node(field.file, field.group, field.node, word), slip=slip)


def _choices(field: Field, pack: Shipped) -> list[str]:
    if "enum" in field.schema or (field.path == ("kind",) and "const" in field.schema):
        return [str(one) for one in field.schema.get("enum", pack.store.kinds)]
    if field.item.kind == "switch" and field.path == ("default",):
        return list(field.item.node.entries["options"].entries)
    return []


WRONG_TYPES: Mapping[str, tuple[str, ...]] = {
    "integer": ("three", '"3"', "[3]", "2.5", "{of: 3}"),
    "boolean": ('"true"', "1", "maybe", "[true]"),
    "string": ("[one, two]", "{en: word}", "7", "true"),
    "array": ("word", "7", "{one: two}"),
    "object": ("word", "[one, two]", "7"),
}


def wrong_types(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A value of another sort: a word for a number, a list for a text. The mistake: the value."""
    for field in all_fields(pack):
        if len(field.types) == 1 and field.node.style != "|" and "\n" not in field.node.raw:
            yield of_node(
                field.file, field.group, field.node, rng.choice(WRONG_TYPES[field.types[0]])
            )
        elif field.item.kind == "setting" and field.path == ("value",):
            yield of_node(
                field.file, field.group, field.node, rng.choice(("three", '"3"', "true", "[3]"))
            )


def norway(pack: Shipped, rng: Random) -> Iterator[Site]:
    """`no` and its kin, which YAML 1.1 would read as false: where true or false, a number, a list
    or one of a few words is due. The mistake: the word. Where any text may stand, `no` is that
    text, and no fault."""
    for field in all_fields(pack):
        takes_words = "string" in field.types and not _choices(field, pack)
        if takes_words or "\n" in field.node.raw or field.node.style == "|":
            continue
        word = rng.choice(NORWAY)
        if field.types or _choices(field, pack):
            yield of_node(field.file, field.group, field.node, word)


def wrong_counts(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A list with an entry too few (the mistake: the list) or too many (the mistake: that
    entry)."""
    for field in all_fields(pack):
        least, most = field.schema.get("minItems", 0), field.schema.get("maxItems", 1_000)
        if field.schema.get("items") is False:
            most = len(field.schema.get("prefixItems", ()))
        entries = field.node.items
        if field.node.style != "[" or not entries:
            continue
        if len(entries) == least:
            short = ", ".join(one.raw for one in entries[:-1])
            yield of_node(field.file, field.group, field.node, f"[{short}]")
        if len(entries) == most:
            extra = rng.choice([entries[0].raw, *INVENTED[:1]])
            end = entries[-1].end
            yield replaced(
                field.file, field.group, end, end, f", {extra}", f"one more entry `{extra}`", 2
            )


# ---------------------------------------------------------------------------------- references

# Fields that name something declared elsewhere; `*` is any key or position.
REFERENCES: Mapping[str, tuple[str, ...]] = {
    "vocabulary": (
        "entities/*/fields/*/type",
        "entities/*/static/*",
        "entities/*/records/*",
        "entities/*/present",
        "kinds/*/makes",
        "zones/*/of",
        "zones/*/at",
        "scope/*/type",
        "queries/*/params/*",
        "queries/*/result",
        "queries/*/reads/*",
        "operations/*/params/*",
        "operations/*/result",
        "operations/*/changes/*",
        "operations/*/touches/*",
        "game",
    ),
    "measure": ("gives",),
    "table": ("by", "gives"),
    "stat": ("gives",),
    "standing": ("for",),
    "fusion": ("parts/*",),
    "pack": ("game",),
    "notation": (
        "tables/*/*",
        "tokens/*",
        "given/*/zone",
        "given/*/token",
        "given/*/made_by",
        "given/*/args/*",
        "given/*/supply/for_each/*",
        "given/*/supply/most",
        "given/*/order_after",
        "given/*/scope",
        "given/*/setting",
        "then/*/zone",
        "then/*/token",
        "then/*/scope",
        "then/*/measure",
        "then/*/for_each/*",
        "then/*/first_true/*",
        "counts/*/powers/*",
        "counts/*/choices/*",
        "stops/*/powers/*",
        "same_as/*",
        "within/*/*",
        "steps/*/*/powers/*",
        "steps/*/*/keys/*",
        "steps/*/*/claims/*/of",
        "steps/*/*/claims/*/lies_in/*",
        "steps/*/*/together",
    ),
}


def dangling(pack: Shipped, rng: Random) -> Iterator[Site]:
    """The name of something that is not there. The mistake: that name."""
    for field in all_fields(pack):
        patterns = REFERENCES.get(field.item.kind, ())
        name = field.node.text
        if (
            name is None
            or field.node.style is not None
            or not any(_fits(field.path, p) for p in patterns)
        ):
            continue
        word = name.removeprefix("List of ").rstrip("?").split(".")[-1]
        start = field.node.start + name.rindex(word)
        slip = misspelt(word, pack.words, rng)
        wrong = rng.choice([slip, _invented(word, rng)])
        if wrong is not None:
            at = field.node.start - start
            site = replaced(field.file, field.group, start, start + len(word), wrong, at=at)
            yield replace(site, slip=wrong == slip)


def _invented(word: str, rng: Random) -> str:
    invented = rng.choice(INVENTED)
    return invented.capitalize() if word[0].isupper() else invented


def _fits(path: tuple[str, ...], pattern: str) -> bool:
    steps = pattern.split("/")
    return len(steps) == len(path) and all(
        want in ("*", step) for want, step in zip(steps, path, strict=True)
    )


# ---------------------------------------------------------------------------------- items


def duplicate_ids(pack: Shipped, rng: Random) -> Iterator[Site]:
    """An item copied to another place, or an item nothing speaks of that is given the id of another
    one.

    The mistake: the id of the later one, by file and line.
    """
    files = [file for file in pack.files if file.root.kind == "list" and file.items]
    for file, item in pack.items():
        if item.node.get("id") is None or file.root.kind != "list":
            continue
        yield _copied(file, item, rng.choice(files), rng)
        others = [one for one in file.items if one.kind == item.kind and one is not item]
        if item.kind in ("trigger", "fusion") and others:
            yield _renamed(file, item, rng.choice(others))


def _copied(file: File, item: Item, home: File, rng: Random) -> Site:
    # The pack's files write every item as an entry of a list, its dash two columns before its
    # fields.
    body = file.text[item.node.start : item.node.end].rstrip()
    start = rng.choice(home.items).node.start - 2
    edit = Edit(start, start, f"- {body}\n\n")
    old = item.node.entries["id"].start
    copy = start + 2 + old - item.node.start
    group, says = f"{item.kind}.id", f"a copy of {item.kind} `{item.name}` in {home.name}"
    if home is file:
        return Site(file, group, (edit,), copy if copy > old else old + len(edit.new), says)
    if home.name > file.name:
        return Site(home, group, (edit,), copy, says)
    return Site(home, group, (edit,), old, says, file)


def _renamed(file: File, item: Item, other: Item) -> Site:
    node, first = item.node.entries["id"], other.node.entries["id"]
    site = of_node(file, f"{item.kind}.id", node, other.name)
    if node.start > first.start:
        return site
    longer = len(other.name) - (node.end - node.start)
    return Site(file, site.group, site.edits, first.start + longer, site.says)
