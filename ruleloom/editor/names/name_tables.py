"""The names that may stand in YAML, by sort: items of each kind, ids, values, numbers, prompts.

No schema says in which field which sort of name stands, as a game decides that; but the values
that stand there show it (`sorts_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.name_uses import THING
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Draw,
    Modal,
    Peek,
    Pick,
    Roll,
    Secret,
)
from ruleloom.runtime.program.texts import with_holes


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


def name_tables(snapshot: Snapshot) -> NameTables:
    """All names of a game, by sort."""
    found = NameTables()
    for sort, named in _all_names(snapshot):
        found.setdefault(sort, {}).setdefault(named.name, named)
    return found


def _all_names(snapshot: Snapshot) -> Iterator[tuple[str, Named]]:
    content, symbols = snapshot.content, snapshot.symbols
    for item in content.items:
        title = title_of(item)
        yield f"kind {item.kind}", Named(item.name, item.kind, title, item.id)
        if item.slug != item.name:
            yield f"slug {item.kind}", Named(item.slug, item.kind, title, item.id)
        yield f"id {item.kind}", Named(item.id, item.kind, title, item.id)
        short = f"{item.kind}/{item.name}"
        yield f"short id {item.kind}", Named(short, item.kind, title, item.id)
    for pack in content.packs:
        title = str(pack.manifest.data("title") or "")
        yield "pack", Named(pack.id, "pack", title)
    for kind in snapshot.schemas.kinds:
        about = str(snapshot.schemas.schema(kind).get("description", ""))
        yield "kind", Named(kind, "kind", about)
    for enum, values in symbols.enums.items():
        for value in values:
            yield f"enum {enum}", Named(value, f"value of {enum}")
    yield from _symbols(snapshot)
    yield from _prompts(snapshot)


def _symbols(snapshot: Snapshot) -> Iterator[tuple[str, Named]]:
    symbols = snapshot.symbols
    plain = {
        "type": symbols.type_names(),
        "zone": symbols.zones,
        "variable": symbols.scope,
        "bonus": symbols.bonuses,
        "event": symbols.events,
        "menu": symbols.menus,
        "lasting": symbols.lasting,
    }
    for sort, names in plain.items():
        yield from ((sort, Named(name, SORTS.get(sort, sort))) for name in names)
    for one in (*symbols.callables.values(), *symbols.operations.values()):
        if one.name.isidentifier():
            sort = "operation" if one.name in symbols.operations else "number"
            yield sort, Named(one.name, one.kind, one.english, one.id if ":" in one.id else "")
    for name, id in symbols.tags.items():
        yield "tag", Named(name.replace("_", "-"), "tag", "", id)
    yield from _of_entities(snapshot)
    yield from _settings(symbols)


SORTS = {"bonus": "sort of bonus", "lasting": "effect that lasts"}


def _of_entities(snapshot: Snapshot) -> Iterator[tuple[str, Named]]:
    """What items make, and the fields of things."""
    symbols, items = snapshot.symbols, snapshot.kept.items
    for entity, made in symbols.made.items():
        for number, name in enumerate(made.names):
            id = items.get((THING, f"{entity}.{number}"), "")
            yield f"made {entity}", Named(name, entity, id=id)
    for name, owners in symbols.fields.items():
        yield "field", Named(name, "field")
        yield from ((f"field {entity}", Named(name, f"field of {entity}")) for entity in owners)


def _settings(symbols: Symbols) -> Iterator[tuple[str, Named]]:
    for name, setting in symbols.settings.items():
        yield "setting", Named(name, "setting", f"{setting.value}")
        for option in setting.options:
            yield f"option {name}", Named(option, f"option of {name}")


def _prompts(snapshot: Snapshot) -> Iterator[tuple[str, Named]]:
    """The prompts that a case can answer, and what may be answered to a menu."""
    routines = snapshot.program.routines if snapshot.program is not None else ()
    for routine in routines:
        for row in routine.rows:
            match row:
                case Modal():
                    labels = [with_holes(mode.label, routine.slots) for mode in row.modes]
                    name = with_holes(row.prompt, routine.slots) or labels[0]
                    yield "prompt", Named(name, "prompt", " | ".join(labels), routine.id)
                    yield from (("label", Named(one, "way", "", routine.id)) for one in labels)
                case Choose() | Secret() | Ask():
                    said = with_holes(row.prompt, routine.slots)
                    yield "prompt", Named(row.name, "prompt", said, routine.id)
                case Roll() | Draw() | Peek() | Pick():
                    yield "prompt", Named(row.name, "prompt", "chance decides", routine.id)


def title_of(item: Item) -> str:
    """What people call an item: its title, or the first words that it has."""
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
