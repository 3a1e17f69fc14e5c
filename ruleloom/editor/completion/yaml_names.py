"""Completion in YAML: the fields of an item, and the names and values that may stand in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from ruleloom.compiler.analysis.schema_fields import fields_in, schemas_at, values_at
from ruleloom.compiler.analysis.yaml_cursor import YamlCursor
from ruleloom.editor.completion.candidates import MOST_SHOWN, Candidate, match, spoken
from ruleloom.editor.completion.common_fields import FieldPlace, place_of, sorts_here
from ruleloom.editor.completion.name_tables import Named, NameTables, sorts_of
from ruleloom.editor.completion.nearness import FROM_NEAR, Nearness
from ruleloom.editor.completion.usage import (
    Around,
    Shares,
    SharesHere,
    Usage,
    key_around,
    value_around,
)
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

WORD = re.compile(r"[A-Za-z_][\w-]*(?:[:/][\w/-]+)?")
KIND = re.compile(r"\bkind: *([a-z][\w-]*)")
SOME = 6
MOST_SORTS = 6
LEAST, FROM_SCHEMA, FROM_SORT, FROM_FILE = 1e-6, 0.02, 1e-3, 1e-7


@dataclass(frozen=True, slots=True)
class YamlNames:
    """Completion in YAML, by the names of the game and how often each stands where."""

    snapshot: Snapshot
    tables: NameTables
    usage: Usage

    def candidates(self, cursor: YamlCursor) -> Iterator[Candidate]:
        """The candidates at a place."""
        if cursor.role == "key":
            yield from self._keys(cursor)
        if cursor.role in ("value", "text") or (cursor.role == "key" and not cursor.keys):
            yield from self._values(cursor)

    def _keys(self, cursor: YamlCursor) -> Iterator[Candidate]:
        store, place = self.snapshot.schemas, place_of(cursor)
        around = key_around(store, place.kind, place.fields, cursor.keys)
        here = self.usage.keys.here(around)
        known = fields_in(store, place.kind, place.path)
        if not place.kind and not place.path:
            yield Candidate("kind", "field", 1.0, "what sort of item this is", "", "kind: ")
        for field in known:
            if field.name in cursor.keys:
                continue
            score = here.share(field.name) + FROM_SCHEMA * (5 if field.needed else 1)
            detail = f"{field.title or field.name}{' (needed)' if field.needed else ''}"
            insert, is_snippet = _field_text(
                cursor, field.name, field.types, self._form(place, field.name)
            )
            yield Candidate(field.name, "field", score, detail, field.help, insert, is_snippet)
        own = key_around(store, cursor.item.kind, cursor.fields, cursor.keys)
        yield from self._made_up_keys(cursor, own, {field.name for field in known})
        for sort in sorts_here(place, self.tables):
            for share, one in self._of_sort(sort, here, FROM_SCHEMA, cursor.word):
                if one.name not in cursor.keys:
                    yield _candidate(one, share, ": ")

    def _form(self, place: FieldPlace, name: str) -> str:
        kind, store = place.kind, self.snapshot.schemas
        known = store.effect_fields(kind) if kind in store.kinds else {}
        usual = {"effect": "block", "abilities": "abilities"}.get(name, "")
        return known.get((*place.fields, name), usual)

    def _made_up_keys(
        self, cursor: YamlCursor, around: list[Around], known: set[str]
    ) -> Iterator[Candidate]:
        """Keys of maps in which any name may stand: those of others, and names of the same sort."""
        seen = _widest(self.usage.keys, around[1:])
        if known and seen.keys() <= known:
            return
        for one in self._of_sorts(self.usage.keys, around, cursor, behind=": "):
            if one.label not in cursor.keys and one.label not in known:
                yield one
        if not known:
            yield from self._of_file(cursor)

    def _values(self, cursor: YamlCursor) -> Iterator[Candidate]:
        store, place = self.snapshot.schemas, place_of(cursor)
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
        yield from self._typed(place, here, cursor.word)
        yield from self._of_sorts(shares, around, cursor)
        if place.kind != cursor.item.kind:
            own = value_around(store, cursor.item.kind, cursor.fields)
            yield from self._of_sorts(shares, own, cursor)
        for sort in (*sorts_here(place, self.tables), *self._in_title(place, here)):
            for share, one in islice(
                self._of_sort(sort, here, FROM_SCHEMA, cursor.word), MOST_SHOWN + 1
            ):
                yield _candidate(one, share)
        yield from self._of_file(cursor)

    def _in_title(self, place: FieldPlace, here: SharesHere) -> list[str]:
        """The kinds that the schema of a field is called after, where nothing has stood there yet."""
        if here.known:
            return []
        titles = (
            str(schema.get("title", ""))
            for _, schema in schemas_at(self.snapshot.schemas, place.kind, place.path)
        )
        sorts = (f"kind {title.lower().replace(' ', '-')}" for title in titles if title)
        return [sort for sort in dict.fromkeys(sorts) if sort in self.tables]

    def _typed(self, place: FieldPlace, here: SharesHere, written: str) -> Iterator[Candidate]:
        """The values that the type of a printed field allows."""
        symbols = self.snapshot.kept.symbols
        entity = symbols.kinds.get(place.kind, "")
        names = [step for step in place.path if isinstance(step, str)]
        owners = symbols.fields.get(names[-1]) if names else None
        field = owners.get(entity) if owners else None
        if field is None:
            return
        sorts = (f"enum {field.type.name}", f"made {field.type.name}")
        for sort in (*sorts, *(["tag"] if field.type.name == "Tag" else [])):
            for score, one in self._of_sort(sort, here, FROM_SCHEMA, written):
                yield _candidate(one, score)

    def _of_sorts(
        self, shares: Shares, around: list[Around], cursor: YamlCursor, behind: str = ""
    ) -> Iterator[Candidate]:
        """Names of the sorts that stand in such a place, with what is written behind each; those like
        what stands near come first."""
        wide = around[1:] if around[0][0] == "next" else around
        counts, here = _widest(shares, wide), shares.here(around)
        near = Nearness(cursor.item.text, cursor.start)
        for word in counts:
            if match(cursor.word, word):
                score = here.share(word) + near.of(word) + LEAST
                yield Candidate(word, "as elsewhere", score, insert=behind and f"{word}{behind}")
        for sort, share in sorts_of(self.tables, counts)[:MOST_SORTS]:
            follows = near.following(list(self.tables[sort]))
            for score, one in self._of_sort(sort, here, FROM_SORT * share, cursor.word):
                like = near.of(one.name, one.id or one.sort)
                like += FROM_NEAR * follows.get(one.name, 0.0)
                yield _candidate(one, score + like, behind)

    def _of_sort(
        self, sort: str, here: SharesHere, weight: float, written: str
    ) -> Iterator[tuple[float, Named]]:
        """The names of a sort that fit what is written of one, and how likely each is by itself."""
        table = self.tables.get(sort, {})
        unseen = weight / (1 + len(table) ** 0.5) + LEAST
        for name, one in table.items():
            if match(written, name):
                yield here.share(name) + unseen, one

    def _of_file(self, cursor: YamlCursor) -> Iterator[Candidate]:
        """Words that stand elsewhere in the item, such as the things of a case."""
        item = cursor.item
        text = item.text[max(item.start, cursor.start - NEAR) : min(item.end, cursor.start + NEAR)]
        here = item.text[cursor.start : cursor.start + 1]
        for number, word in enumerate(dict.fromkeys(reversed(WORD.findall(text)))):
            if word != here and len(word) > 1:
                yield Candidate(word, "word of the item", FROM_FILE / (1 + number))


NEAR = 4_000


def _candidate(one: Named, score: float, behind: str = "") -> Candidate:
    insert = behind and f"{one.name}{behind}"
    return Candidate(one.name, one.sort, score, one.id or one.sort, spoken(one.english), insert)


def _widest(shares: Shares, around: list[Around]) -> Counter[str]:
    """The counts in the narrowest surroundings that are known well enough."""
    counts: Counter[str] = Counter()
    for one in around:
        counts = shares.seen.get(one, Counter())
        if sum(count > 0 for count in counts.values()) >= ENOUGH:
            break
    return counts


ENOUGH = 3


def _field_text(
    cursor: YamlCursor, name: str, types: tuple[str, ...], form: str
) -> tuple[str, bool]:
    """A field with what its value begins with."""
    if cursor.in_flow:
        return f"{name}: ", False
    if form in ("block", "abilities"):
        return f"{name}: |\n  $0", True
    if types[:1] == ("array",):
        return f"{name}: [$0]", True
    if types[:1] == ("object",):
        return f"{name}: {{$0}}", True
    return f"{name}: ", False
