"""Holds the things of a case against the game, field by field, as the items of a pack are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field, replace

from ruleloom.compiler.cases.case_values import (
    CaseValues,
    Faults,
    GameNames,
    entries,
    fault,
    scalar,
    some,
    unknown,
)
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.reactions import build_reaction
from ruleloom.compiler.lower.routines import Bodies, Contexts
from ruleloom.compiler.lower.stats import Stats
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.query.lookups import StillTable
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.record_values import folded, key_node
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item, kind_of
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr
from ruleloom.compiler.syntax.tree_walk import nodes_of
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.compiler.yaml.source_map import effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Routine
from ruleloom.runtime.program.values import BOOL, Type

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


TOLD = "renamed"  # the warning that cases have, too


@dataclass(slots=True)
class Lowered:
    """The texts of a case: what they ask, and what they say.

    Of one that is `broken`, nobody knows.
    """

    routines: list[Routine] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    broken: bool = False


class TextChecks:
    """The texts of the cases of a game."""

    def __init__(self, game: GameNames) -> None:
        self.game = game

    def wrong_step(
        self, values: CaseValues, node: YamlNode, odds: Sequence[YamlNode], found: Lowered
    ) -> Faults:
        """The mistakes in the text of a step, which YAML may have rewritten on the way, and with
        the conditions whose `odds` are claimed; what it asks goes to `found`."""
        report = Report()
        effect_text(node.source, node, report)
        if not any(one.code == "unmappable-text" for one in report.diagnostics()):
            yield from self.wrong_text(values, node, found, odds)
            return
        lines = (node.text or "").rstrip("\n").replace("\n", "\n ")
        source = Source(node.source.path, f"|\n {lines}\n")
        block = YamlNode(source, "text", node.text or "", 0, len(source.text), "|")
        for one in self.wrong_text(values, block, found, odds):
            yield replace(one, place=node.place)

    def wrong_text(
        self, values: CaseValues, node: YamlNode, found: Lowered, odds: Sequence[YamlNode] = ()
    ) -> Faults:
        """The mistakes in a text of statements."""
        report, things = Report(), values.names.params
        bodies = self._bodies(report, self.game.build.content)
        read = bodies.read(node, parse_block, "", things)
        if read is not None:
            context, statements = read
            names = tuple(one.name for one in things)
            found.routines.append(bodies.lowered(context, statements, names, node.place).routine)
            found.texts.update(one.value for one in nodes_of(statements, ast.TextLiteral))
            for one in odds:
                asked = read_text(bodies.content, one, parse_expr, report)
                if asked is not None:
                    context.passage = asked[0]
                    wanted(context, asked[1], BOOL)
        found.broken |= report.has_errors
        yield from self._told(report)

    def wrong_odds(self, values: CaseValues, odds: Iterable[YamlNode]) -> Faults:
        """The mistakes in conditions after a step that only names a flow."""
        report = Report()
        bodies = self._bodies(report, self.game.build.content)
        for one in odds:
            found = bodies.read(one, parse_expr, "", values.names.params)
            if found is not None:
                wanted(*found, BOOL)
        yield from self._told(report)

    def wrong_abilities(
        self, values: CaseValues, kind: str, name: str, thing: YamlNode, found: Lowered
    ) -> Faults:
        """The mistakes in the abilities of a thing, given as an item."""
        report, build = Report(), self.game.build
        pack, _ = build.content.files[thing.source.path]
        item = Item(kind, name, pack, thing.entries, thing.place, thing, thing.source)
        content = replace(build.content, items=(*build.content.by_kind("keyword"), item))
        bodies = self._bodies(report, content, values.names.things)
        abilities = bodies.stats.abilities
        for stat, planned in list(abilities.by_stat.items()):
            abilities.by_stat[stat] = [one for one in planned if one.texts[0].item is item]
            bodies.stats.modifiers(bodies.symbols.callables[stat])
        for reacting in abilities.reactions:
            made = build_reaction(bodies, reacting) if reacting.texts[0].item is item else None
            found.routines += [one.routine for one in made.routines.values()] if made else []
        found.broken |= report.has_errors
        yield from self._told(report)

    def _bodies(
        self, report: Report, content: Content, things: Mapping[str, str] | None = None
    ) -> Bodies:
        """The checker of texts against the game, for this report; abilities may name `things`."""
        symbols = self.game.symbols
        if things is not None:
            own = {name: ((entity, 0),) for name, entity in things.items()}
            symbols = replace(symbols, named=StillTable({**symbols.named, **own}))
        bodies = copy(self.game.build.bodies)
        bodies.content, bodies.symbols, bodies.report = content, symbols, report
        bodies.context = Contexts(symbols, report, bodies.functions, None)
        if things is not None:
            bodies.stats = Stats(Abilities(content, symbols, report), bodies.context)
        return bodies

    def _told(self, report: Report) -> Iterator[Diagnostic]:
        """The mistakes; of a name that a patch has taken out of the game, what has become of it."""
        for one in report.diagnostics():
            if one.severity != "error" and one.code != TOLD:
                continue
            word = self._word_at(one.place)
            became = self.game.what_became(word, one.place.path)
            if became is not None:
                message, help = became
                yield replace(one, message=message, help=help)
            elif not self.game.is_gone(word):
                yield one

    def _word_at(self, place: Place) -> str:
        """What stands at a place, if it is on one line of a file."""
        source = self.game.build.content.sources.get(place.path)
        if source is None or not place.line == place.end_line <= len(source.line_starts):
            return ""
        return source.text_at(place)
