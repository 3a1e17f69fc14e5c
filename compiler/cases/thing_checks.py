"""Holds the things of a case against the game, field by field, as the items of a pack are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from ruleloom.compiler.cases.case_values import CaseValues, Faults, fault, some, unknown
from ruleloom.compiler.cases.known_names import entries, scalar
from ruleloom.compiler.cases.text_checks import Lowered, TextChecks
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.resolve.values import folded, key_node
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item, kind_of
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.program.values import Type

TAKEN, CALL_IT = "already means something in this game", "call the thing something else"


def wrong_things(values: CaseValues, texts: TextChecks, given: YamlNode, found: Lowered) -> Faults:
    """The mistakes in the things that a case brings; what their texts ask goes to `found`."""
    store = values.names.game.build.content.schemas
    kinds, made = values.names.game.symbols.kinds, Counter[str]()
    for name, node, where in entries(given.get("things")):
        if not values.names.game.taken.isdisjoint({name, folded(name)}):
            yield fault("name-clash", where, f"`{name}` {TAKEN}", CALL_IT)
            continue
        report = Report()
        thing = read_thing(name, name, node, kinds, store, report)
        if thing is not None:
            kind, whole = thing
            yield from _too_many(values, kinds[kind], node, made)
            yield from _wrong_content(replace(values, are_printed=True), kinds[kind], node)
            if "abilities" in node.entries:
                yield from texts.wrong_abilities(values, kind, name, whole, found)
            if "effect" in node.entries:
                yield from texts.wrong_text(values, node.entries["effect"], found)
        yield from report.diagnostics()


def _too_many(values: CaseValues, entity: str, node: YamlNode, made: Counter[str]) -> Faults:
    """The thing of which the case brings more than there can be, besides those of the game."""
    symbol, copies = values.names.game.symbols.entities.get(entity), node.get("copies")
    if symbol is None:
        return
    of_game = sum(len(one.names) for one in values.names.game.build.entities if one.name == entity)
    made[entity] += copies.value if copies is not None and isinstance(copies.value, int) else 1
    there = of_game + made[entity]
    if there > symbol.most:
        message = f"there are {there} {symbol.plural}, and the vocabulary allows {symbol.most}"
        yield fault("out-of-bounds", node, message)


def read_thing(
    id: str,
    title: str,
    node: YamlNode,
    kinds: Mapping[str, str],
    store: SchemaStore,
    report: Report,
) -> tuple[str, YamlNode] | None:
    """The kind of a thing, and the thing as an item: its key is its id, and its title too where it has
    none; None after a complaint."""
    if "id" in node.entries:
        message = f"`{title}` has no `id`: its key is its id"
        report.error("unknown-field", node.key_place("id"), message)
        return None
    kind = kind_of(node, store, report)
    if kind is None:
        return None
    if kind not in kinds:
        message = f"`{kind}` is no kind of thing"
        report.add(unknown(node.entries["kind"], message, kind, kinds))
        return None
    span = (node.start, node.start)
    added = {"id": YamlNode(node.source, "text", id, *span)}
    if "title" in store.fields(kind) and "title" not in node.entries:
        added["title"] = YamlNode(node.source, "text", title, *span)
    spans = dict.fromkeys(added, span) | (node.key_spans or {})
    fields = {**added, **node.entries}
    whole = YamlNode(node.source, "map", fields, node.start, node.end, node.style, spans)
    return (kind, whole) if check_item(whole, kind, store, report) else None


def _wrong_content(values: CaseValues, entity: str, node: YamlNode) -> Faults:
    symbol = values.names.game.symbols.entities.get(entity)
    if symbol is None:
        return
    parts = {
        one.part.under: one
        for one in values.names.game.parts.get(entity, ())
        if one.part is not None
    }
    for name, child, _ in entries(node):
        field = symbol.fields.get(folded(name))
        if name in parts:
            yield from _wrong_parts(values, parts[name], child)
        elif field is not None and field.static and child.kind != "null":
            yield from _wrong_field(values, field, child)


def _wrong_field(values: CaseValues, field: FieldSymbol, node: YamlNode) -> Faults:
    if not field.by:
        found = values.why_not(field.type, node)
        yield from some(found) if found is not None else _repeated(node)
        return
    for key, child, _ in entries(node):
        named = key_node(node, key)
        found = values.why_not(Type(field.by), named)
        if found is None and child.kind != "null":
            found = values.why_not(field.type, child)
        if found is not None:
            yield found


def _repeated(node: YamlNode) -> Faults:
    """The entries of a list that stand there before."""
    seen: set[str] = set()
    for one in node.items:
        if folded(scalar(one)) in seen:
            yield fault("repeated-entry", one, f"`{scalar(one)}` stands here twice")
        seen.add(folded(scalar(one)))


def _wrong_parts(values: CaseValues, entity: EntitySymbol, node: YamlNode) -> Faults:
    """The entries that make parts of a thing."""
    part = entity.part
    assert part is not None
    plain = part.value if part.key else part.short
    for key, _, _ in entries(node) if part.key else ():
        yield from _wrong_plain(values, entity, part.key, key_node(node, key))
    for entry in node.entries.values() if part.key else items_of(node):
        if entry.kind == "map":
            yield from _wrong_entry(values, entity, entry)
        elif plain and entry.kind != "null":
            yield from _wrong_plain(values, entity, plain, entry)


def _wrong_plain(values: CaseValues, entity: EntitySymbol, name: str, node: YamlNode) -> Faults:
    field = entity.fields.get(name)
    if field is not None:
        yield from _wrong_field(values, field, node)


def _wrong_entry(values: CaseValues, entity: EntitySymbol, entry: YamlNode) -> Faults:
    assert entity.part is not None
    inner = [
        one.part.under
        for one in values.names.game.parts.get(entity.name, ())
        if one.part is not None
    ]
    apart = (entity.part.owner, entity.part.key)
    known = [*(one for one, of in entity.fields.items() if of.static and one not in apart), *inner]
    for key, _, where in entries(entry):
        if key not in known:
            message = f"{with_article(entity.singular)} has no field `{key}`"
            yield unknown(where, message, key, known)
            return
    yield from _wrong_content(values, entity.name, entry)
