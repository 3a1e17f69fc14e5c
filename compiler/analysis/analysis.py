"""A game as its checker knows it: items, names, uses by span, what texts are checked against."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from ruleloom.compiler.analysis.words import GameWord, GameWords, game_words
from ruleloom.compiler.build import names_and_bodies
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.resolve.embedded import (
    ITEM,
    LABEL,
    LOCAL,
    SETTING,
    THING,
    Meaning,
    NameUse,
    Passage,
)
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.archive import is_archive
from ruleloom.compiler.source.file import Place, Source
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program

# The kinds of the items that are meant by what the checker knows them as.
KINDS = {
    THING: (THING,),
    SETTING: ("setting", "switch"),
    "bonus": ("bonus",),
    "query": ("lasting",),
}


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


def by_file(
    uses: Iterable[NameUse], content: Content, items: Mapping[tuple[str, str], str]
) -> Mapping[str, Sequence[Occurrence]]:
    """The uses of a game by shown file; `items` are ids by kind and name, or `made`."""
    found: dict[str, dict[tuple[int, int], Occurrence]] = defaultdict(dict)
    for use in uses:
        place = use.place
        source = content.sources.get(place.path)
        if source is not None:
            start, end = offsets(source, place)
            meaning = _of_item(use.meaning, items)
            known = found[place.path].get((start, end))
            if known is None or use.declares:
                found[place.path][start, end] = Occurrence(
                    start, end, meaning, use.declares, isinstance(use.passage, Passage), use.word
                )
    return {path: tuple(named.values()) for path, named in found.items()}


def offsets(source: Source, place: Place) -> tuple[int, int]:
    """From where to where a place goes in its text."""
    starts = source.line_starts
    return (
        starts[place.line - 1] + place.column - 1,
        starts[place.end_line - 1] + place.end_column - 1,
    )


def span_in(text: str, place: Place) -> tuple[int, int]:
    """From where to where a place goes in a text, which may be another one than it was."""
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
    """The names of an old text that stand where a new one says the same, at their place in that."""
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
"""Stands between the path of a zip and the name of a file in it."""


class GameAnalysis:
    """The analysis of one state of some packs, worked out on first use."""

    def __init__(
        self, content: Content, program: Program | None, uses: tuple[NameUse, ...] = ()
    ) -> None:
        self.content, self.program = content, program
        self._uses = uses

    @cached_property
    def uses(self) -> Mapping[str, Sequence[Occurrence]]:
        """The names that the checker has resolved, by shown file."""
        return by_file(self._uses, self.content, self.ids)

    def uses_in(self, shown: str, text: str) -> Iterable[Occurrence]:
        """Those names in a file that stand where its text says the same now."""
        source = self.content.sources.get(shown)
        return moved(self.uses.get(shown, ()), source.text if source else "", text)

    @cached_property
    def bodies(self) -> Bodies:
        """The names and bodies that effect texts are checked against."""
        return names_and_bodies(self.content)

    @property
    def symbols(self) -> Symbols:
        """Every name of the game."""
        return self.bodies.symbols

    @property
    def schemas(self) -> SchemaStore:
        """The schemas of the game, with what packs add."""
        return self.content.schemas

    @cached_property
    def words(self) -> GameWords:
        """The words of the game, by what they may stand for."""
        return game_words(self.content, self.symbols, self.ids, self.program)

    @property
    def items(self) -> Mapping[str, Item]:
        """The items by their ids."""
        return self.content.by_id

    @cached_property
    def ids(self) -> Mapping[tuple[str, str], str]:
        """The id of each item, by its kind and the name by which effect texts know what it makes."""
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
        """The declaration of each word of the vocabulary and its extensions."""
        found: dict[Meaning, Place] = {}
        for (table, name), place in self.symbols.places.items():
            for meaning in _declared_as(self.symbols, table, name):
                found.setdefault(meaning, place)
        return found

    def named_in_yaml(self, written: str, field: str = "", is_key: bool = False) -> GameWord | None:
        """What a word means that stands in a field and not in an effect text.

        In `power: create` and `clauses: [x]` the field is called after what it names; `power/create`
        says so itself. A word with `-` is the name of an item, if of one alone.
        """
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
        """The items by their names; None by a name that several have."""
        found: dict[str, Item | None] = {}
        for item in self.content.items:
            found[item.name] = None if item.name in found else item
        return found

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by how it is shown; of one in a zip, `ZIP!/NAME`."""
        return dict(real_paths(self.content, self.content.files))

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """How each file is shown, by its real path."""
        return {path: shown for shown, path in self.files.items()}


def real_paths(content: Content, wanted: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The real paths of files, by how they are shown."""
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


# What is declared in each section of a vocabulary, where that does not depend on its name.
DECLARES = {
    "operation": ("operation", "event"),
    "flow": ("event",),
    "menu": ("menu",),
    "kind": ("kind",),
}


def _declared_as(symbols: Symbols, table: str, name: str) -> Iterator[Meaning]:
    """The meanings of a name that the vocabulary declares."""
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
    """The meanings of a name of something callable: a query, or a field of things."""
    callee = symbols.callables.get(name)
    if callee is not None and ":" not in callee.id:
        yield Meaning("query", name)
    elif callee is None and name in symbols.fields:
        yield from (Meaning("field", f"{owner}.{name}") for owner in symbols.fields[name])
        yield Meaning("field", name)
