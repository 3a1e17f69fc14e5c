"""Checks of a case's things and effect texts against its game, by the same rules as those of items.

A thing is checked field by field like an item of a pack. A text is checked with the things of the
case as parameters, and lowered: its prompts are read off its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

from ruleloom.compiler.cases.case_values import CaseValues, entries, unknown
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.reactions import build_reaction
from ruleloom.compiler.lower.routines import Bodies, fresh_context
from ruleloom.compiler.lower.stats import Stats
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.query.lookups import StillTable
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item, kind_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.compiler.yaml.source_map import effect_text
from ruleloom.runtime.program.values import BOOL, Type

TOLD = "renamed"  # a warning that is also reported in cases
TAKEN, CALL_IT = "already means something in this game", "call the thing something else"


class CaseThings(CaseValues):
    """The checks of one case's things and effect texts."""

    is_broken = False  # then it is unknown what its texts ask

    def check_things(self, given: YamlNode) -> None:
        """Check the things of a case, with their texts."""
        kinds = self.symbols.kinds
        for name, node, where in entries(given.get("things")):
            if not self.game.taken.isdisjoint({name, folded(name)}):
                self.tell("name-clash", where, f"`{name}` {TAKEN}", CALL_IT)
                continue
            report = Report()
            thing = read_thing(name, name, node, kinds, self.game.build.content.schemas, report)
            if thing is not None:
                kind, whole = thing
                self._check_number(kinds[kind], node)
                self.are_printed = True
                self._check_content(kinds[kind], node)
                self.are_printed = False
                if "abilities" in node.entries:
                    self._check_abilities(kind, name, whole)
                if "effect" in node.entries:
                    self.check_text(node.entries["effect"])
            self.found.extend(report.diagnostics())

    def _check_number(self, entity: str, node: YamlNode) -> None:
        """Report a thing that exceeds the maximum of its entity, those of the game included."""
        symbol, copies = self.symbols.entities.get(entity), node.get("copies")
        if symbol is None:
            return
        of_game = sum(len(one.names) for one in self.game.build.entities if one.name == entity)
        self.counts[entity] += (
            copies.value if copies is not None and isinstance(copies.value, int) else 1
        )
        there = of_game + self.counts[entity]
        if there > symbol.most:
            message = f"there are {there} {symbol.plural}, and the vocabulary allows {symbol.most}"
            self.tell("out-of-bounds", node, message)

    def _check_content(self, entity: str, node: YamlNode) -> None:
        symbol, parts = self.symbols.entities.get(entity), self.game.parts.get(entity, {})
        if symbol is None:
            return
        for name, child in node.entries.items():
            field = symbol.fields.get(folded(name))
            if name in parts:
                self._check_parts(parts[name], child)
            elif field is not None and field.static and child.kind != "null":
                self._check_field(field, child)

    def _check_field(self, field: FieldSymbol, node: YamlNode) -> None:
        if field.by:
            for _, child, key in entries(node):
                if self.hold(Type(field.by), key) and child.kind != "null":
                    self.hold(field.type, child)
        elif self.hold(field.type, node):
            self.check_repeated(node)

    def _check_parts(self, entity: EntitySymbol, node: YamlNode) -> None:
        """Check the entries that make the parts of a thing."""
        part = entity.part
        assert part is not None
        keyed = entity.fields.get(part.key)
        plain = entity.fields.get(part.value if part.key else part.short)
        if keyed is not None:
            for _, _, key in entries(node):
                self._check_field(keyed, key)
        for entry in node.entries.values() if part.key else items_of(node):
            if entry.kind == "map":
                self._check_entry(entity, entry)
            elif plain is not None and entry.kind != "null":
                self._check_field(plain, entry)

    def _check_entry(self, entity: EntitySymbol, entry: YamlNode) -> None:
        assert entity.part is not None
        fields = [one for one, of in entity.fields.items() if of.static]
        apart, inner = (entity.part.owner, entity.part.key), self.game.parts.get(entity.name, ())
        known = [*(one for one in fields if one not in apart), *inner]
        for key, _, where in entries(entry):
            if key not in known:
                message = f"{with_article(entity.singular)} has no field {{}}"
                self.tell_unknown(where, message, known)
                return
        self._check_content(entity.name, entry)

    # -------------------------------------------------------------------------------------- texts

    def check_do(self, node: YamlNode, odds: Sequence[YamlNode]) -> None:
        """Check the text of a step, even if YAML has folded or escaped it, and its `odds`."""
        report = Report()
        effect_text(node.source, node, report)
        if not any(one.code == "unmappable-text" for one in report.diagnostics()):
            self.check_text(node, odds)
            return
        lines = (node.text or "").rstrip("\n").replace("\n", "\n ")
        source, known = Source(node.source.path, f"|\n {lines}\n"), len(self.found)
        self.check_text(YamlNode(source, "text", node.text or "", 0, len(source.text), "|"), odds)
        self.found[known:] = [replace(one, place=node.place) for one in self.found[known:]]

    def check_text(self, node: YamlNode, odds: Sequence[YamlNode] = ()) -> None:
        """Check a block of statements."""
        report, things = Report(), self.names.params_of(node, *odds)
        bodies = self._bodies(report, self.game.build.content)
        read = bodies.read(node, parse_block, "", things)
        if read is not None:
            context, statements = read
            names = tuple(one.name for one in things)
            self.routines.append(bodies.lowered(context, statements, names, node.place).routine)
            self.texts.update(one.value for one in nodes_of(statements, ast.TextLiteral))
            for one in odds:
                asked = read_text(bodies.content, one, parse_expr, report)
                if asked is not None:
                    context.passage = asked[0]
                    wanted(context, asked[1], BOOL)
        self._take(report)

    def check_conditions(self, odds: Iterable[YamlNode]) -> None:
        """Check the conditions after a step that only names a flow."""
        report = Report()
        bodies = self._bodies(report, self.game.build.content)
        for one in odds:
            found = bodies.read(one, parse_expr, "", self.names.params_of(one))
            if found is not None:
                wanted(*found, BOOL)
        self._take(report)

    def _check_abilities(self, kind: str, name: str, thing: YamlNode) -> None:
        """Check the abilities of a thing, given as an item."""
        report, build = Report(), self.game.build
        item = Item(
            kind,
            name,
            self.game.pack_of(thing.source.path),
            thing.entries,
            thing.place,
            thing,
            thing.source,
        )
        content = replace(build.content, items=(*build.content.by_kind("keyword"), item))
        bodies = self._bodies(report, content, self.names.things)
        abilities = bodies.stats.abilities
        for stat, planned in list(abilities.by_stat.items()):
            abilities.by_stat[stat] = [one for one in planned if one.texts[0].item is item]
            bodies.stats.modifiers(bodies.symbols.callables[stat])
        for reacting in abilities.reactions:
            made = build_reaction(bodies, reacting) if reacting.texts[0].item is item else None
            if made is not None:
                self.routines += [one.routine for one in made.routines.values()]
        self._take(report)

    def _bodies(
        self, report: Report, content: Content, things: Mapping[str, str] | None = None
    ) -> Bodies:
        """The text checker of the game with this report; with `things`, abilities can refer to them."""
        symbols = self.game.symbols
        if things is not None:
            own = {name: ((entity, 0),) for name, entity in things.items()}
            symbols = replace(symbols, named=StillTable({**symbols.named, **own}))
        bodies = copy(self.game.build.bodies)
        bodies.content, bodies.symbols, bodies.report = content, symbols, report
        bodies.context = partial(fresh_context, symbols, report, bodies.functions, None)
        if things is not None:
            bodies.stats = Stats(Abilities(content, symbols, report), bodies.context)
        return bodies

    def _take(self, report: Report) -> None:
        """Add the errors of a report; a name that a patch has removed is reported with that patch."""
        self.is_broken |= report.has_errors
        for one in report.diagnostics():
            if one.severity != "error" and one.code != TOLD:
                continue
            source = self.game.build.content.sources.get(one.place.path)
            is_there = source is not None and one.place.end_line <= len(source.line_starts)
            is_word = is_there and one.place.line == one.place.end_line
            word = source.text_at(one.place) if source is not None and is_word else ""
            became = self.game.what_became(word, one.place.path)
            if became is not None:
                self.add(replace(one, message=became, help=None))
            elif not self.game.is_gone(word):
                self.add(one)


def read_thing(
    id: str,
    title: str,
    node: YamlNode,
    kinds: Mapping[str, str],
    store: SchemaStore,
    report: Report,
) -> tuple[str, YamlNode] | None:
    """The kind of a thing, and the thing as an item with its key as the id and the default title; None
    after reporting an error."""
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
