"""The names that may stand in YAML, by sort: items of each kind, ids, values, numbers, prompts.

No schema says in which field which sort of name stands, as a game decides that; but the values
that stand there show it (`sorts_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.analysis.words import GameWord
from ruleloom.compiler.packs.content import Item
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A name in YAML: what sort it is of, what people call it, and the id of its item."""

    name: str
    sort: str
    english: str = ""
    id: str = ""


Table = Mapping[str, Named]
# A sort is meant where at least so much of what stands in a field is of it.
ENOUGH = 0.2


class NameTables(dict[str, dict[str, Named]]):
    """The names of a game, by sort."""

    @cached_property
    def sorts(self) -> Mapping[str, tuple[str, ...]]:
        """The sorts of which each name is, in the order of the tables."""
        found: dict[str, tuple[str, ...]] = {}
        for sort, table in self.items():
            for name in table:
                found[name] = (*found.get(name, ()), sort)
        return found


def name_tables(analysis: GameAnalysis) -> NameTables:
    """All names of a game, by sort."""
    found = NameTables()
    for sort, named in _all_names(analysis):
        found.setdefault(sort, {}).setdefault(named.name, named)
    return found


def _all_names(analysis: GameAnalysis) -> Iterator[tuple[str, Named]]:
    words = analysis.words
    for item in analysis.content.items:
        title, short = title_of(item), f"{item.kind}/{item.name}"
        names = {"kind": item.name, "slug": item.slug, "id": item.id, "short id": short}
        if item.slug == item.name:
            del names["slug"]
        yield from (
            (f"{sort} {item.kind}", Named(name, item.kind, title, item.id))
            for sort, name in names.items()
        )
    for pack in analysis.content.packs:
        yield "pack", Named(pack.id, "pack", str(pack.manifest.data("title") or ""))
    plain = {
        "kind": words.kinds,
        "type": words.types,
        "bonus": words.bonuses,
        "event": words.events,
        "lasting": words.lasting,
        "operation": words.operations,
        "number": words.numbers,
        "field": words.fields,
        "prompt": words.prompts,
        "label": words.labels,
        **{f"enum {type_}": options for type_, options in words.options.items()},
    }
    for sort, table in plain.items():
        yield from ((sort, _named(one)) for one in table.values())
    for one in words.values.values():
        if one.sort in ("zone", "variable", "setting"):
            yield one.sort, _named(one)
    yield from _of_symbols(analysis)


def _named(one: GameWord) -> Named:
    return Named(one.name, one.sort, one.english, one.id if ":" in one.id else "")


def _of_symbols(analysis: GameAnalysis) -> Iterator[tuple[str, Named]]:
    """Names by more than their sort, and those that no effect text could write."""
    symbols = analysis.symbols
    for name in symbols.menus:
        yield "menu", Named(name, "menu")
    for name, id in symbols.tags.items():
        yield "tag", Named(name.replace("_", "-"), "tag", "", id)
    for entity, made in symbols.made.items():
        yield from ((f"made {entity}", Named(name, entity)) for name in made.names)
    for name, owners in symbols.fields.items():
        yield from ((f"field {entity}", Named(name, f"field of {entity}")) for entity in owners)
    for name, setting in symbols.settings.items():
        for option in setting.options:
            yield f"option {name}", Named(option, f"option of {name}")


def title_of(item: Item) -> str:
    """The name of an item for people: its title, or the first words that it has."""
    for field in ("title", "english", "gloss", "label", "about"):
        said = item.data(field)
        if isinstance(said, str) and said:
            return said
    return ""


def sorts_of(tables: NameTables, counts: Mapping[str, int]) -> list[tuple[str, float]]:
    """The sorts of names that stand in a field, each with its share of what stands there now.

    Of two sorts that hold the same, the smaller is meant.
    """
    total = sum(counts.values())
    if not total:
        return []
    shares: Counter[str] = Counter()
    for word, count in counts.items():
        for sort in tables.sorts.get(word, ()):
            shares[sort] += count
    held = [sort for sort in tables if shares[sort] / total >= ENOUGH]
    ranked = sorted(held, key=lambda sort: (-shares[sort], len(tables[sort])))
    return [(sort, shares[sort] / total) for sort in ranked]
