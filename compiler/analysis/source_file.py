"""Where names stand in one file: each place, what the name means, whether it is declared there.

In go the text of a file and the names of a game; nothing has to be sound. Effect texts that do not
parse, and fields that say nothing about what stands in them, hold no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from ruleloom.compiler.analysis.analysis import GameAnalysis, Occurrence, by_file, span_in
from ruleloom.compiler.analysis.effect_cursor import check_alone, form_of, surroundings
from ruleloom.compiler.analysis.yaml_cursor import (
    ItemLines,
    YamlCursor,
    effect_tree,
    items_of,
    nodes_in,
)
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.renames import RENAMED_FROM
from ruleloom.compiler.resolve.embedded import ITEM, LOCAL, Meaning, NameUses, Passage
from ruleloom.compiler.schema.registry import LIKE, may_be_variant
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.source.memo import Memo
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import names_given, walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import EffectText, effect_text

TREES: Memo[YamlNode | None] = Memo(4_000_000)
"""The trees of files, which every group of packs shares that holds them."""

PROSE = frozenset(
    [
        *("title", "text", "english", "gloss", "note", "why", "reason", "help", "about", "log"),
        *("label", "description", "summary", "statement", "quote", "licence", "authors"),
    ]
)
FULL_ID = re.compile(r"[a-z][a-z0-9_-]*:[a-z-]+/[A-Za-z0-9_.-]+")
NAME = re.compile(r"[A-Za-z_][\w-]*")
HOLE = re.compile(r"\{([A-Za-z_]\w*)(?=[:}])")


class TextOf(NamedTuple):
    """An effect text in a file: its tree, where it stands, and the item that holds it."""

    written: EffectText
    form: str
    tree: object
    item: YamlNode
    path: tuple[str, ...]

    def span(self, span: ast.Span) -> tuple[int, int]:
        """A stretch of the text as a stretch of the file."""
        return self.written.offset_of(span[0]), self.written.offset_of(span[1])


class SourceFile:
    """The items and names of one file as it stands.

    Its names are those of the first of some `states` that knows them: the present one, which may have
    mistakes, and the last sound one.
    """

    def __init__(self, states: Sequence[GameAnalysis], shown: str, text: str) -> None:
        self.states, self.shown, self.text = states, shown, text

    @property
    def sound(self) -> GameAnalysis:
        """The last sound state."""
        return self.states[-1]

    @cached_property
    def source(self) -> Source:
        """The text of the file; what nobody can read is an empty one."""
        try:
            return Source.from_text(self.text, self.shown)
        except SourceError:
            return Source(self.shown, "")

    @cached_property
    def root(self) -> YamlNode | None:
        """The tree of the file, as far as it can be read."""
        key = self.source.path, self.source.text
        return TREES.get(key, len(self.source.text), lambda: compose(self.source, Report()))

    @cached_property
    def items(self) -> list[YamlNode]:
        """The items of the file; a file of cases is one."""
        return items_of(self.root)

    @cached_property
    def all_texts(self) -> list[TextOf]:
        """The effect texts of the file; the tree of one that does not parse is None."""
        return [text for item in self.items for text in self._texts_in(item)]

    @property
    def texts(self) -> list[TextOf]:
        """The effect texts of the file that parse."""
        return [text for text in self.all_texts if text.tree is not None]

    @cached_property
    def things(self) -> frozenset[str]:
        """The names that the cases of the file give to things of their own."""
        cases = (item for item in self.items if item.get("cases") is not None)
        brought = (node.get("things") for item in cases for node in nodes_in(item))
        return frozenset(
            name for things in brought if things is not None for name in things.entries
        )

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """All names of the file, in order."""
        found = [*self._in_texts()]
        for item in self.items:
            found += self._yaml_names(item)
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

    def item_near(self, offset: int) -> YamlNode | None:
        """The item around an offset, or the nearest before it, or the first."""
        before = [one for one in self.items if one.start <= offset]
        return self.item_at(offset) or next(iter(before[-1:] or self.items), None)

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

    def id_of(self, item: YamlNode) -> str:
        """The whole id of an item of the file; its variables belong to that, even without a name."""
        now, named = self.states[0].content, item.get("id")
        pack, _ = now.files.get(self.source.path, (now.packs[-1].id, ""))
        name = (named.text or "") if named is not None else ""
        return f"{pack}:{self.kind_of(item)}/{name}"

    def _in_texts(self) -> Iterator[Occurrence]:
        """The names of effect texts, as the checker has noted them."""
        known: dict[int, Occurrence] = {}
        for state in self.states:
            for one in state.uses_in(self.shown, self.source.text):
                known.setdefault(one.start, one)
        uses, noted = [*known.values()], known.keys()
        for text in self.texts:
            start, end = text.span((0, text.written.end))
            if not any(start <= one < end for one in noted):
                uses += self._alone(text)
        for one in uses:
            target = one.meaning
            if target.table == LOCAL and ":" not in target.name:
                item = self.item_at(one.start)
                target = Meaning(LOCAL, f"{self.id_of(item) if item else ''}:{target.name}")
            yield replace(one, meaning=target)

    def _alone(self, text: TextOf) -> Iterator[Occurrence]:
        """The names of a text that no compilation has checked: of a case, or just written."""
        if text.form not in ("block", "abilities", "expr"):
            return
        uses = NameUses(on=True)
        sound = self.sound
        symbols = replace(sound.symbols, uses=uses)
        passage = Passage(text.written, sound.content)
        lines = ItemLines(self.source.text, text.item.start, text.item.end)
        first = text.span((0, 0))[0]
        cursor = YamlCursor(lines, text.path, "value", "", first)
        around = surroundings(symbols, cursor)
        check_alone(sound.bodies, passage, text.tree, around, symbols)
        sources = {self.source.path: self.source}
        content = replace(sound.content, sources=sources)
        yield from by_file(uses, content, sound.ids).get(self.source.path, ())

    # ------------------------------------------------------------------ YAML

    def _texts_in(self, item: YamlNode) -> Iterator[TextOf]:
        for path, node in paths_in(item):
            plain = path and node.kind not in ("map", "list", "null")
            form = form_of(self.sound.schemas, self.kind_of(item), path) if plain else ""
            written = effect_text(self.source, node, Report()) if form else None
            if written is not None:
                tree = effect_tree(written.text, form)
                yield TextOf(written, form, tree, item, path)

    def _yaml_names(self, item: YamlNode) -> Iterator[Occurrence]:
        """The names in an item outside of effect texts: its own, in fields, in texts for people."""
        kind, named = self.kind_of(item), item.get("id")
        if named is not None and named.text is not None:
            target = Meaning(ITEM, self.id_of(item))
            yield Occurrence(*_inner(named), target, declares=True, word=kind)
        for path, node in paths_in(item):
            if path[:1] == (RENAMED_FROM,) or not PROSE.isdisjoint(path[:-1]):
                continue
            if path and path[-1] in PROSE:
                yield from self._holes(item, node)
            elif node.kind == "map":
                yield from self._keys(kind, node) if path and kind != "vocabulary" else ()
            elif node.text is not None and path not in (("id",), ("kind",)):
                yield from self._value(node, path, kind)

    def _holes(self, item: YamlNode, node: YamlNode) -> Iterator[Occurrence]:
        """The names in the holes of a text for people, such as `{who}`."""
        scope, known = self.id_of(item), declared_by(item)
        for part in nodes_in(node):
            if "{" not in (part.text or ""):
                continue
            for hole in HOLE.finditer(self.source.text, part.start, part.end):
                named = Meaning(LOCAL, f"{scope}:{hole[1]}")
                meaning = named if hole[1] in known else self._word(hole[1])
                if meaning is not None:
                    yield Occurrence(*hole.span(1), meaning, is_slug=True)

    def _word(self, name: str) -> Meaning | None:
        """A setting or a variable of the game, which any English may tell."""
        items = self.sound.ids
        id = items.get(("setting", name)) or items.get(("switch", name))
        if id is not None:
            return Meaning(ITEM, id)
        return Meaning("variable", name) if name in self.sound.symbols.scope else None

    def _keys(self, kind: str, node: YamlNode) -> Iterator[Occurrence]:
        known = self.sound.schemas.names_in(kind)
        for key, (start, end) in (node.key_spans or {}).items():
            for found in NAME.finditer(self.source.text, start, end):
                is_word = key not in PROSE and key not in known and found[0] not in self.things
                one = self.sound.named_in_yaml(found[0], is_key=True) if is_word else None
                if one is not None:
                    yield Occurrence(*found.span(), one.meaning, word=one.sort)

    def _value(self, node: YamlNode, path: tuple[str, ...], kind: str) -> Iterator[Occurrence]:
        """What is named in a field that is no effect text."""
        text, store = node.text or "", self.sound.schemas
        start, end = _inner(node)
        if form_of(store, kind, path):
            return
        if path == (LIKE,) and may_be_variant(kind, store):  # the item that this one is like
            name = text.rpartition("/")[2]
            found = (one for one in self.sound.content.by_kind(kind) if one.name == name)
            yield from (Occurrence(start, end, Meaning("item", one.id), word=kind) for one in found)
        elif self.source.text[start:end] == text and text not in self.things:
            field = next((step for step in reversed(path) if step != "*"), "")
            one = self.sound.named_in_yaml(text, field)
            if FULL_ID.fullmatch(text):
                yield Occurrence(start, end, Meaning("item", text), word=text.partition(":")[2])
            elif one is not None:
                yield Occurrence(start, end, one.meaning, word=one.sort)

    def _vocabulary(self) -> Iterator[Occurrence]:
        """The words that the vocabulary and its extensions declare in this file."""
        for meaning, place in self.sound.declared.items():
            if place.path == self.source.path:
                start, end = span_in(self.source.text, place)
                if self.source.text[start:end].strip("\"'") == meaning.name.rpartition(".")[2]:
                    yield Occurrence(start, end, meaning, declares=True, word=meaning.table)


def paths_in(
    node: YamlNode, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], YamlNode]]:
    """A node and all within it, each with the fields that lead there; `*` for entries of lists."""
    yield path, node
    for key, child in node.entries.items():
        yield from paths_in(child, (*path, key))
    for child in node.items:
        yield from paths_in(child, (*path, "*"))


def declared_by(item: YamlNode) -> frozenset[str]:
    """The names that the fields of an item declare: its parameters, what it gives, what its event tells."""
    found: set[str] = set()
    for name, form in (("takes", "params"), ("of", "params"), ("event", "event")):
        node = item.get(name)
        tree = effect_tree(node.text or "", form) if node is not None else ()
        found |= {one.name for one in walk(tree) if isinstance(one, ast.Param)}
        found |= {one.id for one in names_given(tree)}
    return frozenset(found)


def _inner(node: YamlNode) -> tuple[int, int]:
    """A value without its quotes."""
    margin = 1 if node.style in ('"', "'") else 0
    return node.start + margin, node.end - margin
