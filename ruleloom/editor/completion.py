"""Completion at any position of a file.

In YAML it offers the fields of an item, and the names and values allowed in them. No schema gives the
sort of name in a field, as that is up to the game; it is inferred from the field's existing values
(`sorts_of`), and predefined for the fields that all games share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.analysis.effect_cursor import LANGUAGE, effect_cursor, form_of
from ruleloom.compiler.analysis.words import GameWord, Words
from ruleloom.compiler.analysis.yaml_cursor import (
    FieldHelp,
    Step,
    YamlCursor,
    fields_in,
    fields_on,
    schemas_at,
    values_at,
    yaml_cursor,
)
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import BUT, LIKE
from ruleloom.editor.effect_names import EffectNames
from ruleloom.editor.project import Snapshot
from ruleloom.editor.usage import (
    FROM_NEAR,
    MOST_SHOWN,
    Around,
    Candidate,
    Completions,
    Nearness,
    Shares,
    SharesHere,
    Usage,
    key_around,
    match,
    offered,
    spoken,
    value_around,
)
from ruleloom.runtime.dataclass import dataclass

PATCH, SCENARIOS = "patch", "scenarios"
CHANGES = frozenset(["set", "add", "scale", "append", "remove", "merge"])
# The sorts of names by kind and field path; one with a trailing space is a prefix of sorts.
OF_KIND: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (PATCH, "target"): ("id ", "short id "),
    (PATCH, "except", "*"): ("id ", "kind "),
    (PATCH, "every"): ("kind",),
    ("pack", "game"): ("pack",),
    ("pack", "requires"): ("pack",),
    ("pack", "settings"): ("setting",),
    ("pack", "switches"): ("setting",),
    ("tag", "parent"): ("tag",),
    ("action", "at"): ("place of actions",),
    ("action", "costs"): ("cost",),
    ("random-table", "rows", "*", "table"): ("kind random-table",),
}
# The same in cases, at any depth.
OF_CASES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("settings",): ("setting",),
    ("switches",): ("setting",),
    ("answers",): ("prompt",),
    ("when", "*"): ("prompt",),
    ("when", "*", "power"): ("kind power", "slug power"),
    ("asked", "name"): ("prompt",),
    ("asked", "offered", "*"): ("label",),
    ("because",): ("reason",),
    ("because", "*"): ("reason",),
    ("log", "*"): ("operation",),
    ("unlogged", "*"): ("operation",),
}
TAGS = ("tags", "*")
BINDER = re.compile(r"\bfor (\w+):")
WORD = re.compile(r"[A-Za-z_][\w-]*(?:[:/][\w/-]+)?")
KIND = re.compile(r"\bkind: *([a-z][\w-]*)")
# The number of preceding items that suggest a kind, of sorts tried, and of characters around the cursor
# searched for words.
SOME, MOST_SORTS, NEAR = 6, 6, 4_000
# The minimum share of a field's values that are of a sort, and the minimum number of words seen for a
# context to count.
ENOUGH, ENOUGH_SEEN = 0.2, 3
LEAST, FROM_SCHEMA, FROM_SORT, FROM_FILE = 1e-6, 0.02, 1e-3, 1e-7
# The initial text of a field's value, by form or type.
BEGINNINGS = {"block": "|\n  $0", "abilities": "|\n  $0", "array": "[$0]", "object": "{$0}"}

NameTables = Mapping[str, Words]
"""The names allowed in YAML, by sort: items of each kind, ids, values, numbers, prompts."""


class FieldPlace(NamedTuple):
    """The kind of item that a field belongs to, and the field's path in such an item."""

    kind: str
    path: tuple[Step, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The path as field names; `*` for list indexes."""
        return fields_on(self.path)


def place_of(cursor: YamlCursor) -> FieldPlace:
    """The kind and path of the field at a cursor; within a patch's changes, of the patched kind."""
    kind, path = cursor.item.kind, cursor.path
    if path[:1] == (BUT,) and path[1:2] and path[1] in CHANGES:
        return FieldPlace(kind, path[2:])
    if kind != PATCH or not path or path[0] not in CHANGES:
        return FieldPlace(kind, path)
    target = cursor.item.value("target")
    changed = target.rpartition(":")[2].partition("/")[0] or cursor.item.value("every")
    return FieldPlace(changed, path[1:])


def sorts_here(place: FieldPlace, sorts: Mapping[str, object]) -> Iterator[str]:
    """The existing sorts of names that a place takes in every game."""
    for sort in _sorts_of(place):
        if sort.endswith(" "):
            yield from (one for one in sorts if one.startswith(sort))
        elif sort in sorts:
            yield sort


def _sorts_of(place: FieldPlace) -> Sequence[str]:
    """The sorts of names in a place; one with a trailing space is a prefix of sorts."""
    fields = place.fields
    if fields[-2:-1] in (("settings",), ("switches",)):
        return (f"option {fields[-1]}",)
    if fields[-2:] == TAGS:
        return ("tag",)
    usual = OF_KIND.get((place.kind, *fields), ())
    if len(fields) > 2:  # a map that is open to all keys is like a list
        usual = usual or OF_KIND.get((place.kind, fields[0], "*", *fields[2:]), ())
    if fields == (LIKE,):
        usual = (f"kind {place.kind}",)
    if place.kind == SCENARIOS and fields[-3:-1] in (("log", "*"), ("unlogged", "*")):
        return (f"fact {fields[-1]}",)
    if place.kind == SCENARIOS:
        ends = (fields[-length:] for length in (3, 2, 1))
        return next((OF_CASES[end] for end in ends if end in OF_CASES), usual)
    return usual


def name_tables(analysis: GameAnalysis) -> NameTables:
    """All names of a game, by sort."""
    words = analysis.words
    found: dict[str, dict[str, GameWord]] = {}
    for table, word in (*_of_content(analysis.content), *_of_symbols(analysis.symbols)):
        found.setdefault(table, {}).setdefault(word.name, word)
    found |= {sort: dict(table) for sort, table in words.in_fields.items() if table}
    for one in words.values.values():
        if one.sort in ("zone", "variable", "setting"):
            found.setdefault(one.sort, {}).setdefault(one.name, one)
    return found


def _word(name: str, sort: str, english: str = "", id: str = "") -> GameWord:
    return GameWord(name, sort, name, english=english, id=id)


def _of_content(content: Content) -> Iterator[tuple[str, GameWord]]:
    """The names of items and packs."""
    for item in content.items:
        kind, title = item.kind, title_of(item)
        names = {"kind": item.name, "slug": item.slug, "id": item.id}
        names["short id"] = f"{kind}/{item.name}"
        for sort, name in names.items():
            if sort != "slug" or name != item.name:
                yield f"{sort} {kind}", _word(name, kind, title, item.id)
    for vocabulary in content.by_kind("vocabulary"):
        for sort, field in (("place of actions", "actions"), ("cost", "costs")):
            for name in vocabulary.data(field) or ():
                yield sort, _word(name, sort)
    for pack in content.packs:
        yield "pack", _word(pack.id, "pack", str(pack.manifest.data("title") or ""))


def _of_symbols(symbols: Symbols) -> Iterator[tuple[str, GameWord]]:
    """The names by more specific sorts, and those invalid in effect text."""
    for name in symbols.menus:
        yield "menu", _word(name, "menu")
    for name, id in symbols.tags.items():
        yield "tag", _word(name.replace("_", "-"), "tag", id=id)
    for entity, made in symbols.made.items():
        yield from ((f"made {entity}", _word(name, entity)) for name in made.names)
    for name, owners in symbols.fields.items():
        yield from ((f"field {one}", _word(name, f"field of {one}")) for one in owners)
    for name, setting in symbols.settings.items():
        yield from ((f"option {name}", _word(one, f"option of {name}")) for one in setting.options)


def title_of(item: Item) -> str:
    """The display name of an item: its title, else its first other text."""
    said = (item.data(field) for field in ("title", "english", "gloss", "label", "about"))
    return next((one for one in said if isinstance(one, str) and one), "")


@dataclass
class Completer:
    """Completion for one snapshot of some packs; usage may be an earlier one's."""

    snapshot: Snapshot
    known_usage: Usage | None = None

    @cached_property
    def usage(self) -> Usage:
        """The counts of names by context."""
        words = self.snapshot.kept.words
        named = (*words.things.values(), *words.options.values())
        tables = (*words.callable_tables, words.events, *named)
        return self.known_usage or Usage.of(self.snapshot.now, LANGUAGE.union(*tables))

    @cached_property
    def tables(self) -> NameTables:
        """The names in YAML, by sort."""
        return name_tables(self.snapshot.kept)

    @cached_property
    def sorts(self) -> Mapping[str, tuple[str, ...]]:
        """The sorts of each name, in table order."""
        found: dict[str, tuple[str, ...]] = {}
        for sort, table in self.tables.items():
            for name in table:
                found[name] = (*found.get(name, ()), sort)
        return found

    @cached_property
    def effects(self) -> EffectNames:
        """The completion of effect texts."""
        return EffectNames(self.snapshot.kept.words, self.usage)

    def prepare(self) -> None:
        """Compute ahead what every completion needs."""
        _ = self.effects.things, self.sorts

    def complete(self, text: str, offset: int) -> Completions:
        """The completions at an offset of a text."""
        cursor = yaml_cursor(text, offset)
        effect = effect_cursor(self.snapshot.kept.bodies, cursor)
        if effect is not None:
            found = list(self.effects.candidates(effect, Nearness(cursor.item.text, cursor.start)))
            # `sum(f(x) for x: list)` names its variable after the cursor.
            binders = BINDER.findall(text[offset:].partition("\n")[0])
            found += [Candidate(name, "local variable", 0.2) for name in binders]
            offer = offered(offset - len(effect.word), offset, effect.word, found)
            is_part = self.effects.has_many and not effect.word
            return replace(offer, is_complete=offer.is_complete and not is_part)
        whole = _with_spaces(cursor)
        if whole is not None and any(sorts_here(place_of(cursor), self.tables)):
            offer = self._in_yaml(whole, offset)
            if offer.candidates:
                return offer
        return self._in_yaml(cursor, offset)

    def _in_yaml(self, cursor: YamlCursor, offset: int) -> Completions:
        """The completions in a field."""
        found: list[Candidate] = []
        if cursor.role == "key":
            found += self._keys(cursor)
        if cursor.role in ("value", "text") or (cursor.role == "key" and not cursor.keys):
            found += self._values(cursor)
        return offered(cursor.start, offset, cursor.word, found)

    def _keys(self, cursor: YamlCursor) -> Iterator[Candidate]:
        store, place = self.snapshot.kept.schemas, place_of(cursor)
        around = key_around(store, place.kind, place.fields, cursor.keys)
        here = self.usage.keys.here(around)
        known = fields_in(store, place.kind, place.path)
        if not place.kind and not place.path:
            yield Candidate("kind", "field", 1.0, "what sort of item this is", "", "kind: ")
        for field in known:
            if field.name in cursor.keys:
                continue
            form = form_of(store, place.kind, (*place.fields, field.name))
            of_type = BEGINNINGS.get(next(iter(field.types), ""), "")
            begun = "" if cursor.in_flow else BEGINNINGS.get(form, of_type)
            yield _key(field, here.share(field.name), begun)
        own = key_around(store, cursor.item.kind, cursor.fields, cursor.keys)
        yield from self._made_up_keys(cursor, own, {field.name for field in known})
        for sort in sorts_here(place, self.tables):
            for share, one in self._of_sort(sort, here, FROM_SCHEMA, cursor.word):
                if one.name not in cursor.keys:
                    yield _candidate(one, share, ": ")

    def _made_up_keys(
        self, cursor: YamlCursor, around: list[Around], known: set[str]
    ) -> Iterator[Candidate]:
        """The keys for maps with free keys: keys seen elsewhere, and names of the same sort."""
        seen = _widest(self.usage.keys, around[1:])
        if known and seen.keys() <= known:
            return
        for one in self._of_sorts(self.usage.keys, around, cursor, behind=": "):
            if one.label not in cursor.keys and one.label not in known:
                yield one
        if not known:
            yield from self._of_file(cursor)

    def _values(self, cursor: YamlCursor) -> Iterator[Candidate]:
        store, place = self.snapshot.kept.schemas, place_of(cursor)
        around = value_around(store, place.kind, place.fields)
        shares = self.usage.values
        here = shares.here(around)
        if cursor.fields == ("kind",):
            # In most files the items are of one kind, or of a few.
            before = Counter(KIND.findall(cursor.item.text[: cursor.start])[-SOME:])
            usual = shares.here([("value", "kind")])
            for share, named in self._of_sort("kind", usual, 0.0, cursor.word):
                yield _candidate(named, share + FROM_SCHEMA + before[named.name] / SOME)
            return
        for value in values_at(store, place.kind, place.path):
            yield Candidate(value, "value", here.share(value) + FROM_SCHEMA)
        for sort in self._typed(place):
            for share, one in self._of_sort(sort, here, FROM_SCHEMA, cursor.word):
                yield _candidate(one, share)
        yield from self._of_sorts(shares, around, cursor)
        if place.kind != cursor.item.kind:
            own = value_around(store, cursor.item.kind, cursor.fields)
            yield from self._of_sorts(shares, own, cursor)
        for sort in (*sorts_here(place, self.tables), *self._in_title(place, here)):
            found = self._of_sort(sort, here, FROM_SCHEMA, cursor.word)
            for share, one in islice(found, MOST_SHOWN + 1):
                yield _candidate(one, share)
        yield from self._of_file(cursor)

    def _in_title(self, place: FieldPlace, here: SharesHere) -> list[str]:
        """The kinds named by the title of a field's schema, if the field has no values yet."""
        if here.known:
            return []
        schemas = schemas_at(self.snapshot.kept.schemas, place.kind, place.path)
        titles = filter(None, (str(schema.get("title", "")) for _, schema in schemas))
        sorts = (f"kind {title.lower().replace(' ', '-')}" for title in titles)
        return [sort for sort in dict.fromkeys(sorts) if sort in self.tables]

    def _typed(self, place: FieldPlace) -> Sequence[str]:
        """The sorts of values that the type of a thing's field allows."""
        symbols = self.snapshot.kept.symbols
        names = [step for step in place.path if isinstance(step, str)]
        owners = symbols.fields.get(names[-1], {}) if names else {}
        field = owners.get(symbols.kinds.get(place.kind, ""))
        if field is None:
            return ()
        type_ = field.type.name
        return (f"enum {type_}", f"made {type_}", *(["tag"] if type_ == "Tag" else []))

    def _of_sorts(
        self, shares: Shares, around: list[Around], cursor: YamlCursor, behind: str = ""
    ) -> Iterator[Candidate]:
        """The names seen in this context, and others of their sorts, each followed by `behind`;
        those like nearby ones score higher."""
        wide = around[1:] if around[0][0] == "next" else around
        counts, here = _widest(shares, wide), shares.here(around)
        near = Nearness(cursor.item.text, cursor.start)
        for word in counts:
            if match(cursor.word, word):
                score = here.share(word) + near.of(word) + LEAST
                yield Candidate(word, "as elsewhere", score, insert=behind and f"{word}{behind}")
        for sort, share in self.sorts_of(counts)[:MOST_SORTS]:
            follows = near.following(list(self.tables[sort]))
            for score, one in self._of_sort(sort, here, FROM_SORT * share, cursor.word):
                like = near.of(one.name, one.item or one.sort)
                like += FROM_NEAR * follows.get(one.name, 0.0)
                yield _candidate(one, score + like, behind)

    def sorts_of(self, counts: Mapping[str, int]) -> list[tuple[str, float]]:
        """The sorts of the names counted in a field, each with its share, best first.

        Of two sorts with equal shares, the smaller one is first.
        """
        total = sum(counts.values())
        if not total:
            return []
        shares: Counter[str] = Counter()
        for word, count in counts.items():
            for sort in self.sorts.get(word, ()):
                shares[sort] += count
        held = [sort for sort in self.tables if shares[sort] / total >= ENOUGH]
        ranked = sorted(held, key=lambda sort: (-shares[sort], len(self.tables[sort])))
        return [(sort, shares[sort] / total) for sort in ranked]

    def _of_sort(
        self, sort: str, here: SharesHere, weight: float, written: str
    ) -> Iterator[tuple[float, GameWord]]:
        """The scores of the names of a sort that match a prefix, each with the name's word."""
        table = self.tables.get(sort, {})
        unseen = weight / (1 + len(table) ** 0.5) + LEAST
        for name, one in table.items():
            if match(written, name):
                yield here.share(name) + unseen, one

    def _of_file(self, cursor: YamlCursor) -> Iterator[Candidate]:
        """The words elsewhere in the item, such as the things of a case."""
        item = cursor.item
        text = item.text[max(item.start, cursor.start - NEAR) : min(item.end, cursor.start + NEAR)]
        here = item.text[cursor.start : cursor.start + 1]
        for number, word in enumerate(dict.fromkeys(reversed(WORD.findall(text)))):
            if word != here and len(word) > 1:
                yield Candidate(word, "word of the item", FROM_FILE / (1 + number))


def _with_spaces(cursor: YamlCursor) -> YamlCursor | None:
    """A cursor widened to all words of its value, perhaps a label; None for a single one."""
    written = cursor.before
    if written is None or cursor.is_block or " " not in written.strip(" "):
        return None
    start = cursor.start + len(cursor.word) - len(written)
    return replace(cursor, word=written, start=start)


def _key(field: FieldHelp, share: float, begun: str) -> Candidate:
    score = share + FROM_SCHEMA * (5 if field.needed else 1)
    detail = f"{field.title or field.name}{' (needed)' if field.needed else ''}"
    insert = f"{field.name}: {begun}"
    return Candidate(field.name, "field", score, detail, field.help, insert, bool(begun))


def _candidate(one: GameWord, score: float, behind: str = "") -> Candidate:
    insert = behind and f"{one.name}{behind}"
    return Candidate(one.name, one.sort, score, one.item or one.sort, spoken(one.english), insert)


def _widest(shares: Shares, around: list[Around]) -> Counter[str]:
    """The counts of the narrowest context with enough words."""
    counts: Counter[str] = Counter()
    for one in around:
        counts = shares.seen.get(one, Counter())
        if sum(count > 0 for count in counts.values()) >= ENOUGH_SEEN:
            break
    return counts
