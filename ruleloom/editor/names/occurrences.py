"""Where names stand in one file: each place, what the name means, whether it is declared there.

In go the text of a file and the names of a game; nothing has to be sound. Effect texts that do not
parse, and fields that say nothing about what stands in them, hold no names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.renames import RENAMED_FROM
from ruleloom.compiler.resolve.embedded import EVENTS, NAMING
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Source, SourceError
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
from ruleloom.compiler.syntax.parts import holes
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.editor.completion.usage import (
    Around,
    Shares,
    Usage,
    fields_named,
    key_around,
    value_around,
)
from ruleloom.editor.cursor.effect_cursor import form_of
from ruleloom.editor.names.name_tables import Named, Table, sorts_of
from ruleloom.editor.snapshot import Snapshot

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
FULL_ID = re.compile(r"[a-z][a-z0-9_-]*:[a-z-]+/[A-Za-z0-9_-]+")
NAME = re.compile(r"[A-Za-z_][\w-]*")
HOLE = re.compile(r"\{([A-Za-z_]\w*)(?=[:}])")


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """What a name means: an item by its id, a word of a vocabulary, or a variable of one text."""

    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place of a file, from and to; `is_slug` where it stands as effect text writes it."""

    start: int
    end: int
    meaning: Meaning
    declares: bool = False
    is_slug: bool = False
    word: str = ""
    """The sort of it, as the author would say."""


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
    tables: Mapping[str, Table]
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
        return compose(self.source, Report())

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
        found = [one for text in self.texts for one in _names_in(self.snapshot, text)]
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
            around = key_around(store, kind, path)
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
        else:
            yield from self._value(node, value_around(store, kind, path))

    def _holes(self, item: YamlNode, node: YamlNode) -> Iterator[Occurrence]:
        """The names in the holes of a text for people, such as `{who}`."""
        for child in (*node.items, *node.entries.values()):
            yield from self._holes(item, child)
        if node.text is None or "{" not in node.text:
            return
        scope = f"{self.source.path}:{item.start}"
        known = _of_item(item)
        reader = _TextNames(self.snapshot.symbols, self.snapshot.kept.items, scope, known, "")
        for hole in HOLE.finditer(self.source.text, node.start, node.end):
            for span, meaning, _, word in reader.read(ast.Name(hole.span(1), hole[1])):
                yield Occurrence(*span, meaning, is_slug=True, word=word)

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


# ------------------------------------------------------------------ effect texts


def _names_in(snapshot: Snapshot, text: TextOf) -> Iterator[Occurrence]:
    """The names of an effect text."""
    scope = f"{text.written.source.path}:{text.item.start}"
    known = _locals(text.tree) | _of_item(text.item)
    reader = _TextNames(snapshot.symbols, snapshot.kept.items, scope, known, text.written.text)
    for span, target, declares, word in reader.read(text.tree):
        start, end = text.span(span)
        if start < end:
            yield Occurrence(start, end, target, declares, is_slug=True, word=word)


def _locals(tree: object) -> frozenset[str]:
    """The names that a text gives to something."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Param):
            found.add(node.name)
        for part in NAMING.get(type(node), ()):
            named = getattr(node, part)
            if isinstance(named, ast.Name):
                found.add(named.id)
        if isinstance(node, EVENTS):
            found |= {arg.value.id for arg in node.event.args if isinstance(arg.value, ast.Name)}
    if isinstance(tree, ast.CallExpr):
        found |= {arg.value.id for arg in tree.args if isinstance(arg.value, ast.Name)}
    return frozenset(found)


def _of_item(item: YamlNode) -> frozenset[str]:
    """The names that the other fields of an item declare: its parameters, what its event tells."""
    found: set[str] = set()
    for name, parse in (("takes", parse_params), ("of", parse_params), ("event", parse_event)):
        node = item.get(name)
        try:
            tree = parse(node.text or "") if node is not None else ()
        except EffectSyntaxError:
            continue
        found |= _locals(tree)
    return frozenset(found)


Found = tuple[ast.Span, Meaning, bool, str]


@dataclass(frozen=True, slots=True)
class _TextNames:
    symbols: Symbols
    items: Mapping[tuple[str, str], str]
    scope: str
    locals: frozenset[str]
    text: str

    def read(self, tree: object) -> Iterator[Found]:
        if isinstance(tree, ast.CallExpr):  # the event of a trigger
            yield from self._event(tree)
            return
        if isinstance(tree, tuple | ast.Param):
            yield from self._params(tree)
        roles = self._roles(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.TextLiteral):
                for hole in holes(node):
                    yield from self._plain(hole)
            elif isinstance(node, ast.Name):
                role = roles.get(id(node))
                if role is not None:
                    yield from role
                else:
                    yield from self._plain(node)

    def _params(self, tree: object) -> Iterator[Found]:
        for one in tree if isinstance(tree, tuple) else (tree,):
            if isinstance(one, ast.Param):
                start = one.span[0]
                local = self._local(one.name)
                yield (start, start + len(one.name)), local, True, "parameter"
                named = self._type(one.type)
                if named is not None:
                    start = self.text.index(one.type.name, one.type.span[0])
                    yield (start, start + len(one.type.name)), named, False, "type"

    def _type(self, node: ast.TypeName) -> Meaning | None:
        if node.name in self.symbols.enums:
            return Meaning("enum", node.name)
        return Meaning("type", node.name) if node.name in self.symbols.types else None

    def _roles(self, tree: object) -> dict[int, list[Found]]:
        """What those names mean that stand in a place of their own, by the node."""
        found: dict[int, list[Found]] = {}
        for node in ast.walk(tree):
            for name, meanings in self._own(node):
                found[id(name)] = list(meanings)
        return found

    def _own(self, node: ast.SyntaxNode) -> Iterator[tuple[ast.Name, Iterator[Found]]]:
        for part in NAMING.get(type(node), ()):
            named = getattr(node, part)
            if isinstance(named, ast.Name):
                declares = not isinstance(node, ast.MenuName)
                yield named, self._given(named) if declares else self._menu(named)
        symbols = self.symbols
        match node:
            case ast.UseStmt():
                yield node.power, self._signature(node.power, symbols.powers)
            case ast.CallExpr():
                yield node.name, self._call(node.name)
            case ast.Keyword():
                yield node.name, self._signature(node.name, symbols.keywords)
            case ast.Restrict() | ast.Allowed():
                yield node.rule, self._signature(node.rule, symbols.callables)
            case ast.IgnoringStmt():
                for rule in node.rules:
                    yield rule, self._signature(rule, symbols.callables)
            case ast.BeginStmt() | ast.EndStmt() | ast.ProlongStmt():
                yield node.name, self._lasting(node.name)
            case ast.Modify() | ast.When() | ast.Instead() | ast.LaterStmt():
                yield from self._of_ability(node)

    def _of_ability(
        self, node: ast.Modify | ast.When | ast.Instead | ast.LaterStmt
    ) -> Iterator[tuple[ast.Name, Iterator[Found]]]:
        if isinstance(node, ast.Modify):
            yield node.stat, self._signature(node.stat, self.symbols.callables)
            if node.bonus is not None:
                yield node.bonus, self._bonus(node.bonus)
            return
        yield node.event.name, self._event_name(node.event.name)
        for arg in node.event.args:
            if isinstance(arg.value, ast.Name):
                yield arg.value, self._given(arg.value)

    def _event(self, tree: ast.CallExpr) -> Iterator[Found]:
        yield from self._event_name(tree.name)
        for arg in tree.args:
            if isinstance(arg.value, ast.Name):
                yield from self._given(arg.value)

    def _local(self, name: str) -> Meaning:
        return Meaning("local", f"{self.scope}:{name}")

    def _given(self, node: ast.Name) -> Iterator[Found]:
        yield node.span, self._local(node.id), True, "local variable"

    def _menu(self, node: ast.Name) -> Iterator[Found]:
        yield node.span, Meaning("menu", node.id), True, "menu"

    def _event_name(self, node: ast.Name) -> Iterator[Found]:
        """The event that is answered: an operation, a moment, or what comes before or after a power."""
        word = node.id.rpartition(" ")[2]
        span = (node.span[1] - len(word), node.span[1])
        power = self.symbols.powers.get(word) if " " in node.id else None
        operation = self.symbols.operations.get(node.id)
        if power is not None:
            yield span, Meaning("item", power.id), False, "power"
        elif operation is not None and " " not in node.id:
            yield span, self._of(operation.id, "operation", word), False, "operation"
        else:
            yield span, Meaning("event", node.id), False, "event"

    def _of(self, id: str, table: str, name: str) -> Meaning:
        return Meaning("item", id) if ":" in id else Meaning(table, name)

    def _signature(self, node: ast.Name, table: Mapping[str, object]) -> Iterator[Found]:
        found = table.get(node.id)
        id = getattr(found, "id", "")
        if found is not None:
            kind = str(getattr(found, "kind", ""))
            yield node.span, self._of(id, "query", node.id), False, kind

    def _bonus(self, node: ast.Name) -> Iterator[Found]:
        if node.id in self.symbols.tags:
            yield node.span, Meaning("item", self.symbols.tags[node.id]), False, "tag"
        elif node.id in self.symbols.bonuses:
            yield node.span, Meaning("bonus", node.id), False, "sort of bonus"

    def _lasting(self, node: ast.Name) -> Iterator[Found]:
        if node.id in self.locals:
            yield node.span, self._local(node.id), False, "local variable"
        elif node.id in self.symbols.lasting:
            item = self.symbols.lasting[node.id].names.item
            yield node.span, Meaning("item", item.id), False, "effect that lasts"

    def _call(self, node: ast.Name) -> Iterator[Found]:
        symbols, name = self.symbols, node.id
        if name in self.locals and name not in symbols.callables:
            yield node.span, self._local(name), False, "local variable"
        elif name in symbols.operations:
            operation = symbols.operations[name]
            yield node.span, self._of(operation.id, "operation", name), False, operation.kind
        elif name in symbols.callables:
            yield from self._signature(node, symbols.callables)
        elif name in symbols.fields:
            yield node.span, Meaning("field", name), False, "field"
        elif name in symbols.zones:
            yield node.span, Meaning("zone", name), False, "zone"
        elif name in symbols.keywords:
            yield from self._signature(node, symbols.keywords)

    def _plain(self, node: ast.Name) -> Iterator[Found]:
        symbols, name = self.symbols, node.id
        if name in self.locals:
            yield node.span, self._local(name), False, "local variable"
        elif name in symbols.scope:
            yield node.span, Meaning("variable", name), False, "variable"
        elif name in symbols.settings:
            yield from self._item(node, ("setting", "switch"))
        elif name in symbols.values:
            yield node.span, Meaning("value", f"{symbols.values[name]}.{name}"), False, "value"
        elif name in symbols.zones:
            yield node.span, Meaning("zone", name), False, "zone"
        elif name in symbols.enums:
            yield node.span, Meaning("enum", name), False, "enum"
        elif name in symbols.callables:
            yield from self._signature(node, symbols.callables)
        elif name in symbols.types:
            yield node.span, Meaning("type", name), False, "type"
        elif name in symbols.tags:
            yield from self._bonus(node)
        else:
            yield from self._item(node, tuple(symbols.kinds))

    def _item(self, node: ast.Name, kinds: tuple[str, ...]) -> Iterator[Found]:
        for kind in kinds:
            id = self.items.get((kind, node.id))
            if id is not None:
                yield node.span, Meaning("item", id), False, kind
                return
