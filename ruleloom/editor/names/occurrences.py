"""Where names stand in one file: each place, what the name means, whether it is declared there.

In go the text of a file and the names of a game; nothing has to be sound. Effect texts that do not
parse, and fields that say nothing about what stands in them, hold no names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property

from ruleloom.compiler.analysis.yaml_cursor import ItemLines, YamlCursor
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.renames import RENAMED_FROM
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.name_uses import ITEM, LOCAL, Meaning, NameUses
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import LIKE, may_be_variant
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.source.memo import Memo
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import (
    parse_abilities,
    parse_block,
    parse_event,
    parse_expr,
    parse_occurrence,
    parse_params,
    parse_result,
)
from ruleloom.compiler.syntax.roles import names_given
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.editor.completion.usage import (
    Around,
    Shares,
    Usage,
    fields_named,
    map_around,
    value_around,
)
from ruleloom.editor.cursor.effect_cursor import form_of, surroundings
from ruleloom.editor.cursor.probe import check_alone
from ruleloom.editor.names.name_tables import Named, NameTables, sorts_of
from ruleloom.editor.names.use_table import Occurrence, by_file
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

TREES: Memo[YamlNode | None] = Memo(4_000_000)
"""The trees of files, which every group of packs shares that holds them."""

PARSERS: Mapping[str, Callable[[str], object]] = {
    "block": parse_block,
    "abilities": parse_abilities,
    "expr": parse_expr,
    "params": parse_params,
    "result": parse_result,
    "event": parse_event,
    "occurrence": parse_occurrence,
}
PROSE = frozenset(
    [
        *("title", "text", "english", "gloss", "note", "why", "reason", "help", "about", "log"),
        *("label", "description", "summary", "statement", "quote", "licence", "authors"),
    ]
)
FULL_ID = re.compile(r"[a-z][a-z0-9_-]*:[a-z-]+/[A-Za-z0-9_.-]+")
NAME = re.compile(r"[A-Za-z_][\w-]*")
HOLE = re.compile(r"\{([A-Za-z_]\w*)(?=[:}])")


@dataclass(frozen=True, slots=True)
class TextOf:
    """An effect text in a file: its tree, where it stands, and the item that holds it."""

    written: EffectText
    form: str
    tree: object
    item: YamlNode
    path: tuple[str, ...]

    def span(self, span: ast.Span) -> tuple[int, int]:
        """A stretch of the text as a stretch of the file."""
        return self.written.offset_of(span[0]), self.written.offset_of(span[1])


@dataclass(frozen=True, slots=True)
class Sense:
    """By what the meaning of names in YAML is told: the names there are, and what usually stands in
    each field. `sorts` remembers which sorts stand where."""

    snapshot: Snapshot
    tables: NameTables
    usage: Usage
    sorts: dict[Around, list[str]] = field(default_factory=dict)
    alone: dict[str, Named] = field(default_factory=dict)

    def named(self, shares: Shares, around: Sequence[Around], word: str) -> Named | None:
        """What a word means in a field, as what stands there otherwise shows."""
        for one in around:
            if one not in self.sorts:
                known = sorts_of(self.tables, shares.seen.get(one) or {})
                self.sorts[one] = [sort for sort, _ in known]
            for sort in self.sorts[one]:
                if word in self.tables[sort]:
                    return self.tables[sort][word]
        return self.unmistakable().get(word)

    def unmistakable(self) -> Mapping[str, Named]:
        """The names of items that are the name of nothing else."""
        if not self.alone:
            found: dict[str, Named | None] = {}
            for sort, table in self.tables.items():
                is_item = sort.startswith(("kind ", "slug ", "made "))
                for name, named in table.items():
                    id = named.id if is_item else ""
                    known = found.setdefault(name, named if id else None)
                    if not sort.startswith("made ") and (known is None or known.id != id):
                        found[name] = None
            self.alone.update({name: one for name, one in found.items() if one is not None})
        return self.alone


class FileNames:
    """The items and names of one file as it stands."""

    def __init__(self, sense: Sense, path: str, text: str) -> None:
        self.sense, self.snapshot = sense, sense.snapshot
        self.path, self.text = path, text

    @cached_property
    def source(self) -> Source:
        """The text of the file; what nobody can read is an empty one."""
        try:
            return Source.from_text(self.text, self.snapshot.shown.get(self.path, self.path))
        except SourceError:
            return Source(self.path, "")

    @cached_property
    def root(self) -> YamlNode | None:
        """The tree of the file, as far as it can be read."""
        key = self.source.path, self.source.text
        return TREES.get(key, len(self.source.text), lambda: compose(self.source, Report()))

    @cached_property
    def items(self) -> list[YamlNode]:
        """The items of the file; a file of cases is one."""
        root = self.root
        if root is None:
            return []
        return [one for one in (root.items if root.kind == "list" else [root]) if one.kind == "map"]

    @cached_property
    def all_texts(self) -> list[TextOf]:
        """The effect texts of the file; the tree of one that does not parse is None."""
        return [text for item in self.items for text in self._texts_in(item, item, ())]

    @property
    def texts(self) -> list[TextOf]:
        """The effect texts of the file that parse."""
        return [text for text in self.all_texts if text.tree is not None]

    @cached_property
    def things(self) -> frozenset[str]:
        """The names that the cases of the file give to things of their own."""
        found: set[str] = set()
        waiting = [item for item in self.items if item.get("cases") is not None]
        while waiting:
            node = waiting.pop()
            things = node.get("things")
            found.update(things.entries if things is not None else ())
            waiting += [*node.entries.values(), *node.items]
        return frozenset(found)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """All names of the file, in order."""
        found = [*self._in_texts()]
        for item in self.items:
            found += self._yaml_names(item, item, ())
            found += self._declared(item)
        found += self._vocabulary()
        best: dict[tuple[int, int], Occurrence] = {}
        for one in found:
            known = best.get((one.start, one.end))
            if known is None or (one.declares and not known.declares):
                best[one.start, one.end] = one
        return sorted(best.values(), key=lambda one: one.start)

    def at(self, offset: int) -> Occurrence | None:
        """The name at an offset, or just before it."""
        found = [one for one in self.occurrences if one.start <= offset <= one.end]
        return min(found, key=lambda one: one.end - one.start, default=None)

    def item_at(self, offset: int) -> YamlNode | None:
        """The item around an offset."""
        return next((one for one in self.items if one.start <= offset <= one.end), None)

    def text_at(self, offset: int) -> TextOf | None:
        """The effect text around an offset."""
        for text in self.texts:
            starts = text.written.source_starts
            if starts and starts[0] <= offset <= text.written.offset_of(text.written.end):
                return text
        return None

    def kind_of(self, item: YamlNode) -> str:
        """The kind of an item; a file of cases need not say it."""
        kind = item.get("kind")
        return (kind.text or "") if kind is not None else "scenarios" if item.get("cases") else ""

    def id_of(self, item: YamlNode, name: str) -> str:
        """The whole id of an item of the file that is called so."""
        return self._id_of(self.kind_of(item), name)

    def scope_of(self, item: YamlNode) -> str:
        """What the variables of an item belong to."""
        named = item.get("id")
        return self.id_of(item, named.text if named is not None and named.text else "")

    def _in_texts(self) -> Iterator[Occurrence]:
        """The names of effect texts, as the checker has noted them."""
        uses = [*self.snapshot.uses_in(self.source.path, self.source.text)]
        noted = {one.start for one in uses}
        for text in self.texts:
            start, end = text.span((0, text.written.end))
            if not any(start <= one < end for one in noted):
                uses += self._alone(text)
        for one in uses:
            target = one.meaning
            if target.table == LOCAL and ":" not in target.name:
                item = self.item_at(one.start)
                target = Meaning(LOCAL, f"{self.scope_of(item) if item else ''}:{target.name}")
            yield replace(one, meaning=target)

    def _alone(self, text: TextOf) -> Iterator[Occurrence]:
        """The names of a text that no compilation has checked: of a case, or just written."""
        if text.form not in ("block", "abilities", "expr"):
            return
        uses = NameUses(on=True)
        symbols = replace(self.snapshot.symbols, uses=uses)
        passage = Passage(text.written, self.snapshot.content)
        lines = ItemLines(self.source.text, text.item.start, text.item.end)
        first = text.span((0, 0))[0]
        cursor = YamlCursor(lines, text.path, "value", "", first)
        around = surroundings(self.snapshot, cursor)
        check_alone(self.snapshot.bodies, passage, text.tree, around, Report(), symbols)
        sources = {self.source.path: self.source}
        content = replace(self.snapshot.content, sources=sources)
        yield from by_file(uses, content, self.snapshot.kept.items).get(self.source.path, ())

    # ------------------------------------------------------------------ YAML

    def _texts_in(self, item: YamlNode, node: YamlNode, path: tuple[str, ...]) -> Iterator[TextOf]:
        if node.kind == "map":
            for key, child in node.entries.items():
                yield from self._texts_in(item, child, (*path, key))
        elif node.kind == "list":
            for child in node.items:
                yield from self._texts_in(item, child, (*path, "*"))
        elif node.kind != "null" and path:
            form = form_of(self.snapshot.schemas, self.kind_of(item), path)
            written = effect_text(self.source, node, Report()) if form else None
            if written is not None:
                tree = None
                with suppress(EffectSyntaxError):
                    tree = PARSERS[form](written.text)
                yield TextOf(written, form, tree, item, path)

    def _declared(self, item: YamlNode) -> Iterator[Occurrence]:
        """The name that an item has, and those that it had."""
        kind, named = self.kind_of(item), item.get("id")
        if named is None or named.text is None:
            return
        id = self._id_of(kind, named.text)
        target = Meaning("item", id)
        start, end = _inner(named)
        yield Occurrence(start, end, target, declares=True, word=kind)

    def _id_of(self, kind: str, name: str) -> str:
        now = self.snapshot.now
        pack, _ = now.files.get(self.source.path, (now.packs[-1].id, ""))
        return f"{pack}:{kind}/{name}"

    def _yaml_names(
        self, item: YamlNode, node: YamlNode, path: tuple[str, ...]
    ) -> Iterator[Occurrence]:
        kind, store = self.kind_of(item), self.snapshot.schemas
        if node.kind == "map":
            around = map_around(store, kind, path)
            for key, child in node.entries.items():
                yield from self._key(kind, node, key, path, around)
                if key in PROSE:
                    yield from self._holes(item, child)
                elif key != RENAMED_FROM or path:
                    yield from self._yaml_names(item, child, (*path, key))
        elif node.kind == "list":
            for child in node.items:
                yield from self._yaml_names(item, child, (*path, "*"))
        elif node.text is None or path in (("id",), ("kind",)) or form_of(store, kind, path):
            return
        elif path == (LIKE,) and may_be_variant(kind, store):
            yield from self._original(node, kind)
        else:
            yield from self._value(node, value_around(store, kind, path))

    def _holes(self, item: YamlNode, node: YamlNode) -> Iterator[Occurrence]:
        """The names in the holes of a text for people, such as `{who}`."""
        for child in (*node.items, *node.entries.values()):
            yield from self._holes(item, child)
        if node.text is None or "{" not in node.text:
            return
        scope = self.scope_of(item)
        known = declared_by(item)
        for hole in HOLE.finditer(self.source.text, node.start, node.end):
            name = hole[1]
            if name in known:
                yield Occurrence(*hole.span(1), Meaning(LOCAL, f"{scope}:{name}"), is_slug=True)
            elif (meaning := self._word(name)) is not None:
                yield Occurrence(*hole.span(1), meaning, is_slug=True)

    def _word(self, name: str) -> Meaning | None:
        """A setting or a variable of the game, which any English may tell."""
        items = self.snapshot.kept.items
        id = items.get(("setting", name)) or items.get(("switch", name))
        if id is not None:
            return Meaning(ITEM, id)
        return Meaning("variable", name) if name in self.snapshot.symbols.scope else None

    def _key(
        self, kind: str, node: YamlNode, key: str, path: tuple[str, ...], around: Sequence[Around]
    ) -> Iterator[Occurrence]:
        if not path or key in PROSE or node.key_spans is None or kind == "vocabulary":
            return
        if key in fields_named(self.snapshot.schemas, kind):
            return
        start, end = node.key_spans[key]
        for found in NAME.finditer(self.source.text, start, end):
            one = self.sense.named(self.sense.usage.keys, around, found[0])
            if one is not None and found[0] not in self.things:
                yield self._occurrence(found.start(), found.end(), one)

    def _value(self, node: YamlNode, around: Sequence[Around]) -> Iterator[Occurrence]:
        text = node.text or ""
        start, end = _inner(node)
        if self.source.text[start:end] != text:
            return
        if FULL_ID.fullmatch(text):
            yield Occurrence(start, end, Meaning("item", text), word=text.partition(":")[2])
            return
        one = self.sense.named(self.sense.usage.values, around, text)
        if one is not None and text not in self.things:
            yield self._occurrence(start, end, one)

    def _original(self, node: YamlNode, kind: str) -> Iterator[Occurrence]:
        """The item of this kind that another one is like."""
        name = (node.text or "").rpartition("/")[2]
        found = (one for one in self.snapshot.content.by_kind(kind) if one.name == name)
        yield from (Occurrence(*_inner(node), Meaning("item", one.id), word=kind) for one in found)

    def _occurrence(self, start: int, end: int, named: Named) -> Occurrence:
        # A prompt belongs to an item, and is not it.
        is_item = ":" in named.id and named.sort not in ("prompt", "way")
        target = Meaning("item", named.id) if is_item else self._plain(named)
        return Occurrence(start, end, target, word=named.sort)

    def _plain(self, named: Named) -> Meaning:
        sort, _, of = named.sort.partition(" of ")
        if sort in ("value", "field", "option"):
            return Meaning(sort, f"{of}.{named.name}" if of else named.name)
        return Meaning(sort, named.name)

    def _vocabulary(self) -> Iterator[Occurrence]:
        """What the vocabulary and its extensions declare in this file."""
        shown = self.source.path
        for (table, name), place in self.snapshot.symbols.places.items():
            if place.path == shown and table in DECLARED_IN:
                for target in _declared_targets(self.snapshot.symbols, table, name):
                    start = self._offset(place.line, place.column)
                    end = self._offset(place.end_line, place.end_column)
                    if self.source.text[start:end].strip("\"'") == name:
                        yield Occurrence(start, end, target, declares=True, word=table)

    def _offset(self, line: int, column: int) -> int:
        starts = self.source.line_starts
        return starts[min(line, len(starts)) - 1] + column - 1


def declared_by(item: YamlNode) -> frozenset[str]:
    """The names that the fields of an item declare: its parameters, what it gives, what its event tells."""
    found: set[str] = set()
    for name, parse in (("takes", parse_params), ("of", parse_params), ("event", parse_event)):
        node = item.get(name)
        with suppress(EffectSyntaxError):
            tree: object = parse(node.text or "") if node is not None else ()
            found |= {one.name for one in walk(tree) if isinstance(one, ast.Param)}
            found |= {one.id for one in names_given(tree)}
    return frozenset(found)


DECLARED_IN = ("value", "call", "operation", "type", "menu")


def _inner(node: YamlNode) -> tuple[int, int]:
    """A value without its quotes."""
    margin = 1 if node.style in ('"', "'") else 0
    return node.start + margin, node.end - margin


def _declared_targets(symbols: Symbols, table: str, name: str) -> Iterator[Meaning]:
    """What a name means by which the vocabulary declares something."""
    callee = symbols.callables.get(name)
    if table in ("operation", "menu"):
        yield Meaning(table, name)
    elif table == "type":
        yield Meaning("enum" if name in symbols.enums else "type", name)
    elif table == "value" and name in symbols.values:
        yield Meaning("value", f"{symbols.values[name]}.{name}")
    elif table == "value":
        kinds = (("zone", symbols.zones), ("variable", symbols.scope))
        yield from (Meaning(kind, name) for kind, names in kinds if name in names)
    elif callee is not None:
        yield from [Meaning("query", name)] if ":" not in callee.id else []
    elif name in symbols.fields:
        yield Meaning("field", name)
