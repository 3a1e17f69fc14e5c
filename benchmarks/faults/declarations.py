"""Slips in what declares a game: its vocabulary, at every depth, and the notation of its cases.

A key misspelt; a name declared otherwise than texts use it; a name that refers to another
declaration misspelt; a value of another type; one value in a list; a field that is missing. What is
written for readers is left out. Where the mistake is: the key or value; of what is missing, any key
above it. A name that one place alone uses may be wrong there as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random

from benchmarks.edits.rewrite import without_field
from benchmarks.edits.shipped import Shipped, spots
from benchmarks.edits.sites import Site, as_slip, misspelt, of_node, replaced
from benchmarks.faults.fields import Field, all_fields
from ruleloom.compiler.schema.registry import Schema
from ruleloom.compiler.syntax import ast

PROSE = frozenset({"english", "log", "noun", "words", "rolls", "clauses", "tokens"})
PLAIN = frozenset({"Int", "Bool", "Text", "Number", "Fraction"})
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{3,}")
# By part of the vocabulary, where the names that it declares are used.
SPOKEN = ("scope", "queries", "operations", "moments", "zones")
TYPES = ("enums", "entities", "values")
Use = tuple[str, int]


def slips_in(kind: str, pack: Shipped, rng: Random) -> Iterator[Site]:
    """One slip in an item of this kind, at any depth."""
    schemas: dict[int, Schema] = {}
    for field in all_fields(pack):
        if field.item.kind != kind or PROSE & set(field.path):
            continue
        schemas[id(field.node)] = field.schema
        yield from _slips(field, schemas, pack, rng)


def _slips(field: Field, schemas: dict[int, Schema], pack: Shipped, rng: Random) -> Iterator[Site]:
    for make in (_misspelt_key, _renamed, _misspelt_name, _another_type, _listed):
        site = make(field, pack, rng)
        if site is not None:
            yield replace(site, lines=site.lines or ((field.file.name, site.line_col[0]),))
    owner = schemas.get(id(field.owner), {})
    if field.path[-1] in owner.get("required", ()) and field.owner is not None:
        key = field.path[-1]
        site = without_field(field.file, field.owner, key, _group("gone", field), f"no `{key}`")
        yield replace(site, lines=tuple(_keys_above(field)))


def _keys_above(field: Field) -> Iterator[tuple[str, int]]:
    """The lines of the keys that lead to a field, and of what stands first below the last one."""
    node = field.item.node
    for step in field.path[:-1]:
        if node.key_spans is not None and step in node.key_spans:
            yield field.file.name, field.file.source.line_col(node.key_spans[step][0])[0]
        if step.isdigit():
            node = node.items[int(step)]
            yield field.file.name, field.file.source.line_col(node.start)[0]
        elif step in node.entries:
            node = node.entries[step]
    yield field.file.name, field.file.source.line_col(node.start)[0]


def _group(what: str, field: Field) -> str:
    return f"{what} {len(field.path)} {field.path[0]}.{field.path[-1] if field.known else '*'}"


def _misspelt_key(field: Field, pack: Shipped, rng: Random) -> Site | None:
    """A key of the schema with a letter wrong."""
    if field.known is None or field.owner is None or field.owner.key_spans is None:
        return None
    start, end = field.owner.key_spans[field.path[-1]]
    wrong = misspelt(field.path[-1], field.known, rng)
    if wrong is None:
        return None
    return as_slip(replaced(field.file, _group("key", field), start, end, wrong))


def _renamed(field: Field, pack: Shipped, rng: Random) -> Site | None:
    """A declared name with a letter wrong, so that what uses it means nothing any more."""
    name = _declared(field)
    uses = _uses(pack).get(name, []) if name is not None else []
    if name is None or not uses or field.owner is None or field.owner.key_spans is None:
        return None
    wrong = misspelt(name, pack.words, rng)
    if wrong is None or wrong[0].isupper() != name[0].isupper():
        return None
    start, end = field.owner.key_spans[name]
    site = replaced(field.file, _group("renamed", field), start, end, wrong)
    return replace(site, lines=tuple(uses)) if len(uses) == 1 else site


def _declared(field: Field) -> str | None:
    """The name that a key of the vocabulary declares for all."""
    if field.item.kind != "vocabulary":
        return None
    if len(field.path) == 2 and field.path[0] in ("kinds", *SPOKEN, *TYPES):
        return None if field.path[1] in ("me", "Player") else field.path[1]
    if len(field.path) == 4 and field.path[0] == "entities":
        return field.path[3] if field.path[2] in ("fields", "static") else None
    return None


@cache
def _uses(pack: Shipped) -> dict[str, list[Use]]:
    """Where each name is used: by effect texts, and as the type or kind of something."""
    found: dict[str, set[Use]] = defaultdict(set)
    for text in pack.texts:
        for spot in spots(text.tree):
            if isinstance(spot.node, ast.Name | ast.TypeName):
                name = spot.node.id if isinstance(spot.node, ast.Name) else spot.node.name
                found[name].add(
                    (text.file.name, text.file.source.line_col(text.at(spot.node.span[0]))[0])
                )
    for file, item in pack.items():
        found[item.kind].add((file.name, file.source.line_col(item.node.start)[0]))
    for field in all_fields(pack):
        if field.item.kind == "vocabulary" and field.node.text is not None:
            line = field.file.source.line_col(field.node.start)[0]
            for word in (
                re.findall(r"[A-Z]\w*", field.node.text) if not PROSE & set(field.path) else ()
            ):
                found[word].add((field.file.name, line))
    return {name: sorted(uses) for name, uses in found.items()}


def _misspelt_name(field: Field, pack: Shipped, rng: Random) -> Site | None:
    """A name that is declared elsewhere with a letter wrong, where it is referred to."""
    text = field.node.text
    if text is None or "x-effect" in field.schema or field.path == ("game",):
        return None
    names = [word for word in WORD.findall(text) if word in _known(pack)]
    whole = re.fullmatch(r"(List of )?[A-Za-z_]+(\?|\.\w+)?( by Player)?", text)
    if not names or whole is None or field.node.style is not None:
        return None
    word = rng.choice(names)
    wrong = misspelt(word, pack.words, rng)
    if wrong is None:
        return None
    start = field.node.start + field.node.raw.index(word)
    return as_slip(replaced(field.file, _group("name", field), start, start + len(word), wrong))


@cache
def _known(pack: Shipped) -> frozenset[str]:
    """What the vocabulary and the items give a name, and what the schemas let be chosen."""
    parts = ("kinds", *SPOKEN, *TYPES)
    names = {name for part in parts for name in pack.declared(part)} | PLAIN
    for entity in pack.declared("entities").values():
        for part in ("fields", "static"):
            declared = entity.get(part)
            names |= set(declared.entries) if declared is not None else set()
    names |= {item.name for _, item in pack.items()}
    return frozenset(names)


def _another_type(field: Field, pack: Shipped, rng: Random) -> Site | None:
    """A word where a number, a truth or a map stands."""
    if field.node.kind in ("int", "bool") and {"integer", "boolean"} & set(field.types):
        return of_node(
            field.file, _group("type", field), field.node, rng.choice(["lots", "several"])
        )
    if field.node.kind == "map" and field.types == ("object",) and field.node.style == "{":
        return of_node(field.file, _group("type", field), field.node, "several")
    return None


def _listed(field: Field, pack: Shipped, rng: Random) -> Site | None:
    """One value in a list where a single one is wanted."""
    text = field.node.text
    if text is None or field.node.style is not None or not WORD.fullmatch(text):
        return None
    if "array" in field.types or field.path[-1] in ("*", "noun"):
        return None
    return of_node(field.file, _group("list", field), field.node, f"[{text}]")


vocabulary_slips = partial(slips_in, "vocabulary")
notation_slips = partial(slips_in, "notation")
