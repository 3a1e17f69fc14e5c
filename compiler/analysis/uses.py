"""The names of effect texts by their places in files, as the checker has noted them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.packs.content import Content
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
from ruleloom.compiler.source.file import Place, Source
from ruleloom.runtime.dataclass import dataclass

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
