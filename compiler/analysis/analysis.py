"""The analysis of a game for its readers: names and their meanings, items, by file and place."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ruleloom.compiler.analysis.effect_cursor import check_alone, form_of, surroundings
from ruleloom.compiler.analysis.words import GameWord, GameWords
from ruleloom.compiler.analysis.yaml_cursor import (
    ItemLines,
    YamlCursor,
    effect_tree,
    items_of,
    nodes_in,
)
from ruleloom.compiler.build import names_and_bodies
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import BETWEEN, Content, Item, slug_of
from ruleloom.compiler.packs.family import HOLE as HOLE_OF_FAMILY
from ruleloom.compiler.packs.settings import RENAMED_FROM
from ruleloom.compiler.resolve.embedded import (
    GIVEN,
    ITEM,
    LABEL,
    LOCAL,
    SETTING,
    THING,
    Meaning,
    NameUse,
    NameUses,
    Passage,
)
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import LIKE, SchemaStore, may_be_variant
from ruleloom.compiler.source.archive import is_archive
from ruleloom.compiler.source.file import Memo, Place, Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import EVENT, names_given, walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Program

TREES: Memo[YamlNode | None] = Memo(4_000_000)
"""The trees of files, shared by all groups of packs that contain them."""

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
    """An effect text in a file: its tree, its item and its field path."""

    written: EffectText
    form: str
    tree: object
    item: YamlNode
    path: tuple[str, ...]

    def span(self, span: ast.Span) -> tuple[int, int]:
        """A span of the text as offsets in the file."""
        return self.written.offset_of(span[0]), self.written.offset_of(span[1])


class SourceFile:
    """The items and names of the current text of one file.

    A name is resolved by the first of `states` that knows it: the current one, which may have errors,
    then the last sound one.
    """

    def __init__(self, states: Sequence[GameAnalysis], shown: str, text: str) -> None:
        self.states, self.shown, self.text = states, shown, text

    @property
    def sound(self) -> GameAnalysis:
        """The last sound state."""
        return self.states[-1]

    @cached_property
    def source(self) -> Source:
        """The source of the file; empty if its text is unreadable."""
        try:
            return Source.from_text(self.text, self.shown)
        except SourceError:
            return Source(self.shown, "")

    @cached_property
    def root(self) -> YamlNode | None:
        """The tree of the file, as far as it parses."""
        key = self.source.path, self.source.text
        return TREES.get(key, len(self.source.text), lambda: compose(self.source, Report()))

    @cached_property
    def items(self) -> list[YamlNode]:
        """The items of the file; a case file is one."""
        return items_of(self.root)

    @cached_property
    def all_texts(self) -> list[TextOf]:
        """The effect texts of the file; one that does not parse has the tree None."""
        return [text for item in self.items for text in self._texts_in(item)]

    @property
    def texts(self) -> list[TextOf]:
        """The effect texts of the file that parse."""
        return [text for text in self.all_texts if text.tree is not None]

    @cached_property
    def things(self) -> frozenset[str]:
        """The names that the cases of the file give to their own things."""
        cases = (item for item in self.items if item.get("cases") is not None)
        brought = (node.get("things") for item in cases for node in nodes_in(item))
        return frozenset(
            name for things in brought if things is not None for name in things.entries
        )

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """The file's names, in order."""
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
        """The shortest occurrence around an offset."""
        found = [one for one in self.occurrences if one.start <= offset <= one.end]
        return min(found, key=lambda one: one.end - one.start, default=None)

    def item_at(self, offset: int) -> YamlNode | None:
        """The item around an offset."""
        return next((one for one in self.items if one.start <= offset <= one.end), None)

    def item_near(self, offset: int) -> YamlNode | None:
        """The item around an offset, else the one before, else the first."""
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
        """The kind of an item; `scenarios` for a case file."""
        kind = item.get("kind")
        return (kind.text or "") if kind is not None else "scenarios" if item.get("cases") else ""

    def id_of(self, item: YamlNode) -> str:
        """The full id of an item of the file, which scopes its variables; the name may be empty."""
        now, named = self.states[0].content, item.get("id")
        pack, _ = now.files.get(self.source.path, (now.packs[-1].id, ""))
        name = (named.text or "") if named is not None else ""
        return in_full(now, self.source.path, f"{pack}:{self.kind_of(item)}/{name}")

    def _in_full(self, written: str) -> str:
        """A name in a field with that of its pack, where strangers have one each."""
        return in_full(self.sound.content, self.source.path, written)

    def _in_texts(self) -> Iterator[Occurrence]:
        """The names in effect texts, as resolved by the checker."""
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
        """The names in a text that no compilation has checked: of a case, or newly typed."""
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
        """The names in an item outside effect texts: its own, in fields, in the holes of prose."""
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
        """The names in the holes of a prose text, such as `{who}`."""
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
        """The meaning of a setting or variable of the game named in prose."""
        items, name = self.sound.ids, slug_of(self._in_full(name))
        id = items.get(("setting", name)) or items.get(("switch", name))
        if id is not None:
            return Meaning(ITEM, id)
        return Meaning("variable", name) if name in self.sound.symbols.scope else None

    def _keys(self, kind: str, node: YamlNode) -> Iterator[Occurrence]:
        known = self.sound.schemas.names_in(kind)
        for key, (start, end) in (node.key_spans or {}).items():
            for found in NAME.finditer(self.source.text, start, end):
                is_word = key not in PROSE and key not in known and found[0] not in self.things
                written = self._in_full(found[0])
                one = self.sound.named_in_yaml(written, is_key=True) if is_word else None
                if one is not None:
                    yield Occurrence(*found.span(), one.meaning, word=one.sort)

    def _value(self, node: YamlNode, path: tuple[str, ...], kind: str) -> Iterator[Occurrence]:
        """The names in a field outside effect text."""
        text, store = node.text or "", self.sound.schemas
        start, end = _inner(node)
        if form_of(store, kind, path):
            return
        full = self._in_full(text)
        if path == (LIKE,) and may_be_variant(kind, store):  # the item that this one derives from
            name = full.rpartition("/")[2]
            found = (one for one in self.sound.content.by_kind(kind) if one.name == name)
            yield from (Occurrence(start, end, Meaning("item", one.id), word=kind) for one in found)
        elif self.source.text[start:end] == text and text not in self.things:
            field = next((step for step in reversed(path) if step != "*"), "")
            one = self.sound.named_in_yaml(full, field)
            if FULL_ID.fullmatch(full):
                yield Occurrence(start, end, Meaning("item", full), word=full.partition(":")[2])
            elif one is not None:
                yield Occurrence(start, end, one.meaning, word=one.sort)

    def _vocabulary(self) -> Iterator[Occurrence]:
        """The words that the vocabulary and its extensions declare in this file."""
        for meaning, place in self.sound.declared.items():
            if place.path == self.source.path:
                start, end = span_in(self.source.text, place)
                name = meaning.name.rpartition(".")[2]
                if self.source.text[start:end].strip("\"'") in (name, name.rpartition(BETWEEN)[2]):
                    yield Occurrence(start, end, meaning, declares=True, word=meaning.table)


def in_full(content: Content, path: str, written: str) -> str:
    """A name or an id in a file, with the pack of the item before the name where strangers have one each."""
    head, slash, name = written.rpartition("/")
    pack, _, kind = head.rpartition(":")
    key = f"{pack}:{name}" if pack else name
    for (of, known), item in content.names_at(path).items():
        is_short = slug_of(item.short) == slug_of(name) != item.slug  # and not an old name
        if known == key and kind in ("", of) and is_short and not item.rivals:
            return f"{head}{slash}{item.name}"
    return written


def paths_in(
    node: YamlNode, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], YamlNode]]:
    """A node and its descendants, each with its field path; `*` for list entries."""
    yield path, node
    for key, child in node.entries.items():
        yield from paths_in(child, (*path, key))
    for child in node.items:
        yield from paths_in(child, (*path, "*"))


def declared_by(item: YamlNode) -> frozenset[str]:
    """The names that the fields of an item declare: its parameters and those that its event binds."""
    found: set[str] = set()
    for name, form in (("takes", "params"), ("of", "params"), ("event", "event")):
        node = item.get(name)
        tree = effect_tree(node.text or "", form) if node is not None else ()
        found |= {one.name for one in walk(tree) if isinstance(one, ast.Param)}
        found |= {one.id for one in names_given(tree, EVENT)}
    return frozenset(found)


def _inner(node: YamlNode) -> tuple[int, int]:
    """A value's unquoted span."""
    margin = 1 if node.style in ('"', "'") else 0
    return node.start + margin, node.end - margin


# The kinds of items, by the table under which the checker knows them.
KINDS = {
    THING: (THING,),
    SETTING: ("setting", "switch"),
    "bonus": ("bonus",),
    "query": ("lasting",),
}


class Occurrence(Frozen):
    """A name in a file, from `start` to `end`; `is_slug` if it is spelled as in effect text."""

    start: int
    end: int
    meaning: Meaning
    declares: bool = False
    is_slug: bool = False
    word: str = ""
    """The sort, in the author's terms."""


def by_file(
    uses: Iterable[NameUse], content: Content, items: Mapping[tuple[str, str], str]
) -> Mapping[str, Sequence[Occurrence]]:
    """The occurrences by shown file; `items` are ids by kind and name, or `made`."""
    found: dict[str, dict[tuple[int, int], Occurrence]] = defaultdict(dict)
    for use in uses:
        place = use.place
        source = content.sources.get(place.path)
        if source is not None and use.meaning.table != GIVEN:
            start, end = offsets(source, place)
            if place.member and HOLE_OF_FAMILY.search(source.text, start, end):
                continue  # each member names something else
            meaning = _of_item(use.meaning, items)
            known = found[place.path].get((start, end))
            if known is None or use.declares:
                found[place.path][start, end] = Occurrence(
                    start, end, meaning, use.declares, isinstance(use.passage, Passage), use.word
                )
    return {path: tuple(named.values()) for path, named in found.items()}


def offsets(source: Source, place: Place) -> tuple[int, int]:
    """The start and end offsets of a place."""
    starts = source.line_starts
    return (
        starts[place.line - 1] + place.column - 1,
        starts[place.end_line - 1] + place.end_column - 1,
    )


def span_in(text: str, place: Place) -> tuple[int, int]:
    """The start and end offsets of a place, clamped to a possibly changed text."""
    lines = text.split("\n")
    found = []
    for line, column in ((place.line, place.column), (place.end_line, place.end_column)):
        start = sum(len(one) + 1 for one in lines[: line - 1])
        width = len(lines[line - 1]) if line <= len(lines) else 0
        found.append(min(start + min(column - 1, width), len(text)))
    return found[0], max(found)


def _of_item(meaning: Meaning, items: Mapping[tuple[str, str], str]) -> Meaning:
    if meaning.table == LABEL:
        id, _, name = meaning.name.partition(" ")
        return Meaning(LOCAL, f"{id}:{name}")
    kinds = KINDS.get(meaning.table, ())
    ids = (items.get((kind, meaning.name)) for kind in kinds)
    return next((Meaning(ITEM, id) for id in ids if id is not None), meaning)


def moved(named: Iterable[Occurrence], old: str, new: str) -> Iterable[Occurrence]:
    """The occurrences of an old text outside the changed range, at their offsets in the new."""
    if old == new:
        return named
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    same = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    last, by = len(old) - same, len(new) - len(old)
    kept = [one for one in named if one.end < first]
    return kept + [
        replace(one, start=one.start + by, end=one.end + by) for one in named if one.start > last
    ]


IN_ZIP = "!/"
"""The separator between the path of a zip and a file name in it."""


class GameAnalysis:
    """The analysis of one state of some packs, computed on first use."""

    def __init__(
        self, content: Content, program: Program | None, uses: tuple[NameUse, ...] = ()
    ) -> None:
        self.content, self.program = content, program
        self._uses = uses

    @cached_property
    def uses(self) -> Mapping[str, Sequence[Occurrence]]:
        """The occurrences resolved by the checker, by shown file."""
        return by_file(self._uses, self.content, self.ids)

    def uses_in(self, shown: str, text: str) -> Iterable[Occurrence]:
        """The occurrences of a file in unchanged text, at current offsets."""
        source = self.content.sources.get(shown)
        return moved(self.uses.get(shown, ()), source.text if source else "", text)

    @cached_property
    def bodies(self) -> Bodies:
        """The symbols and bodies for the check of effect texts."""
        return names_and_bodies(self.content)

    @property
    def symbols(self) -> Symbols:
        """All names of the game."""
        return self.bodies.symbols

    @property
    def schemas(self) -> SchemaStore:
        """The schemas of the game and its packs."""
        return self.content.schemas

    @cached_property
    def words(self) -> GameWords:
        """The words of the game, in one table per role."""
        return GameWords(self.content, self.symbols, self.ids, self.program)

    @property
    def items(self) -> Mapping[str, Item]:
        """The items by id."""
        return self.content.by_id

    def made(self, item: Item) -> list[tuple[str, int]]:
        """The things that an item creates: the entity and index of each."""
        origin, program = self.content.origin(item.place), self.program
        return [
            (entity.name, number)
            for entity in (program.entities if program is not None else ())
            for number, place in enumerate(entity.places)
            if place == origin
        ]

    @cached_property
    def ids(self) -> Mapping[tuple[str, str], str]:
        """The id of each item, by its kind and the name in effect text of what it creates."""
        content, symbols = self.content, self.symbols
        found = {(item.kind, item.slug): item.id for item in content.items}
        places = {
            content.origin(item.place): item for item in content.items if item.kind in symbols.kinds
        }
        for made in symbols.made.values():
            for number, (name, origin) in enumerate(zip(made.names, made.places, strict=False)):
                item = places.get(origin)
                if item is not None:
                    found.setdefault((item.kind, slug_of(name)), item.id)
                    found[THING, f"{made.name}.{number}"] = item.id
        return found

    @cached_property
    def declared(self) -> Mapping[Meaning, Place]:
        """The declaration of each word of the vocabulary and extensions."""
        found: dict[Meaning, Place] = {}
        for (table, name), place in self.symbols.places.items():
            for meaning in _declared_as(self.symbols, table, name):
                found.setdefault(meaning, place)
        return found

    def named_in_yaml(self, written: str, field: str = "", is_key: bool = False) -> GameWord | None:
        """The meaning of a word in a field outside effect text; None if unknown.

        In `power: create` and `clauses: [x]` the field gives the kind; `power/create` gives it itself.
        In `kind: suit` the word is a kind, whatever else has that name.
        A word with `-` is the name of an item, if it is unique.
        """
        if field == "kind" and written in self.words.kinds:
            return self.words.kinds[written]
        before, slash, name = written.rpartition("/")
        slug, field = slug_of(name), before if slash else field
        for kind in (field, field.removesuffix("s"), field.removesuffix("es")):
            if (kind, slug) in self.ids:
                return GameWord(slug, kind, written, id=self.ids[kind, slug])
        item = self._only.get(written)
        alone = GameWord(slug, item.kind, written, id=item.id) if item is not None else None
        named = (alone if "-" in written else None) or self.words.in_yaml(written, is_key) or alone
        packs = (
            GameWord(one.id, "pack", one.id) for one in self.content.packs if one.id == written
        )
        return named or next(packs, None)

    @cached_property
    def _only(self) -> Mapping[str, Item | None]:
        """The items by name; None for a name that several share."""
        found: dict[str, Item | None] = {}
        for item in self.content.items:
            found[item.name] = None if item.name in found else item
        return found

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by shown path; `ZIP!/NAME` for one in a zip."""
        return dict(real_paths(self.content, self.content.files))

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """Each file's shown path, by real path."""
        return {path: shown for shown, path in self.files.items()}


def real_paths(content: Content, wanted: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of shown path and real path."""
    folders = content.folders
    for shown in wanted:
        pack, inside = content.files[shown]
        folder = folders[pack]
        if is_archive(str(folder)) and folder.is_file():
            yield shown, f"{os.path.realpath(folder)}{IN_ZIP}{inside}"
        else:
            inner = folder / inside
            is_loose = Path(shown).exists() and not inner.exists()
            yield shown, os.path.realpath(Path(shown) if is_loose else inner)


# The sorts that each section of a vocabulary declares, where that does not depend on the name.
DECLARES = {
    "operation": ("operation", "event"),
    "flow": ("event",),
    "menu": ("menu",),
    "kind": ("kind",),
}


def _declared_as(symbols: Symbols, table: str, name: str) -> Iterator[Meaning]:
    """The meanings of a name declared in a vocabulary."""
    yield from (Meaning(sort, name) for sort in DECLARES.get(table, ()))
    if table == "type":
        yield Meaning("enum" if name in symbols.enums else "type", name)
    elif table in ("value", "call"):
        kinds = (("zone", symbols.zones), ("variable", symbols.scope))
        yield from (Meaning(kind, name) for kind, names in kinds if name in names)
        if table == "call":
            yield from _called(symbols, name)
        elif name in symbols.values:
            yield Meaning("value", f"{symbols.values[name]}.{name}")


def _called(symbols: Symbols, name: str) -> Iterator[Meaning]:
    """The meanings of a callable's name: a query, or a field of things."""
    callee = symbols.callables.get(name)
    if callee is not None and ":" not in callee.id:
        yield Meaning("query", name)
    elif callee is None and name in symbols.fields:
        yield from (Meaning("field", f"{owner}.{name}") for owner in symbols.fields[name])
        yield Meaning("field", name)
