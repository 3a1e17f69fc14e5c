"""Table rows for the words of a game's vocabulary and its kinds: events, values, things, numbers,
settings, the fields of each kind with an example, and the prompts that scenarios answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from textwrap import dedent
from typing import Any

from ruleloom.compiler.analysis.effect_cursor import USUAL
from ruleloom.compiler.analysis.yaml_cursor import Step, fields_in, fields_on
from ruleloom.compiler.cases.case_words import AskedRow, asked
from ruleloom.compiler.packs.content import COMMON_KINDS, KINDS_WITHOUT_ID, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.reference.gathered import (
    Gathered,
    MenuHook,
    Piece,
    WordRow,
    menus,
    rolls,
)
from ruleloom.runtime.program.program import Ask, Choose, Modal, Roll, RollEach, Secret, Zone


def events_of(made: Gathered, moments: bool) -> list[Signature]:
    """A game's moments, or its other operations."""
    found = made.symbols.operations.values()
    return [one for one in found if (one.kind == "moment") == moments]


def other_events(made: Gathered) -> list[WordRow]:
    """Events that are not operations, such as `touched`."""
    symbols = made.symbols
    names = (one for one in symbols.events if one.isidentifier() and one not in symbols.operations)
    return [
        WordRow(name=name, where=made.answered_by.get(name, ()))
        for name in names
        if name not in made.names.powers
    ]


def rolls_of(made: Gathered) -> Iterator[WordRow]:
    """The rows of all rolls by name, each with the items that roll it."""
    for name, group in groupby(rolls(made.nodes), attrgetter("name")):
        many = list(group)
        about = "dice by themselves" if many[0].dice else "a number"
        where = dict.fromkeys(made.mention(one.item.id) for one in many)
        yield WordRow(name=name, about=about, where=[*where])


def menus_of(made: Gathered) -> list[tuple[MenuHook, Piece]]:
    """The menus that ways can extend, each with its item."""
    return [(menu, made.mention(menu.item.id)) for menu in menus(made.nodes)]


def type_of(one: Any) -> str:
    """The type of a field or a variable; of a zone, that of what lies there."""
    return one.of if isinstance(one, Zone) else str(one.type)


def english_of(made: Gathered, one: Any) -> str:
    """What a field, a zone or a variable says in English, or the schema of its kind for it."""
    said = getattr(one, "english", "")
    return said or (_printed_as(made, one) if isinstance(one, FieldSymbol) else "")


def _printed_as(made: Gathered, one: FieldSymbol) -> str:
    """The description of a printed field in its kind's schema, or empty."""
    if not one.static:
        return ""
    store = made.content.schemas
    kinds = (kind for kind in made.kinds_making(one.entity) if kind in store.kinds)
    fields = (store.schema(kind).get("properties", {}) for kind in kinds)
    said = (str(each.get(one.name, {}).get("description", "")) for each in fields)
    return next(filter(None, said), "")


def queries_of(made: Gathered) -> list[Signature]:
    """The queries of a game, without its measures."""
    return [one for one in made.symbols.callables.values() if one.kind == "query"]


# Kinds without a row: their items have no ids, or are packs and extensions.
LEFT_OUT = frozenset({*KINDS_WITHOUT_ID, "pack", "extension"})
DEEPEST = 3


def kinds_of(made: Gathered) -> list[WordRow]:
    """The kinds of a game: its own first, then common ones."""
    store = made.content.schemas
    own = [kind for kind in made.symbols.kinds if kind in store.kinds]
    common = [kind for kind in COMMON_KINDS if kind in store.kinds and kind not in LEFT_OUT]
    return [_kind(made, store, kind) for kind in (*own, *common)]


def _kind(made: Gathered, store: SchemaStore, kind: str) -> WordRow:
    """A kind's row: its fields, its entity, and an example item."""
    schema = store.schema(kind)
    items = [item for item in made.items.values() if item.kind == kind]
    shown = example_of(items)
    text = _text_of(shown) if shown is not None else ""
    return WordRow(
        name=kind,
        about=str(schema.get("description", "")),
        makes=made.symbols.kinds.get(kind, ""),
        fields=list(_rows(store, kind)),
        example=made.names.pieces(text),
        of=made.mention(shown.id) if shown is not None else None,
        count=len(items),
    )


def example_of(items: Sequence[Item]) -> Item | None:
    """The best short example: with an effect if any item has one, then with most fields that a
    third of the items have."""
    telling = [one for one in items if USUAL.keys() & one.fields.keys()] or items
    counts = Counter(field for one in telling for field in one.fields)
    usual = {field for field, count in counts.items() if count * 3 >= len(telling)}

    def weight(one: Item) -> tuple[int, int]:
        return -len(usual & one.fields.keys()), len(one.node.raw)

    return min(telling, key=weight, default=None)


def _text_of(item: Item) -> str:
    """The source text of an item, dedented; a flow mapping is split into one field per line, with
    each value as written."""
    node = item.node
    if not node.raw.startswith("{"):
        return dedent(" " * (node.place.column - 1) + node.raw).rstrip()
    values = {
        name: one.raw if one.style in ("|", ">") else " ".join(one.raw.split())
        for name, one in node.entries.items()
    }
    return "\n".join(f"{name}: {said}" for name, said in values.items())


def _rows(store: SchemaStore, kind: str, path: tuple[Step, ...] = ()) -> Iterator[WordRow]:
    """The fields of a kind, each with inner ones."""
    depth = sum(isinstance(step, str) for step in path)
    for field in fields_in(store, kind, path):
        if depth or (field.name != "kind" and field.name in store.fields(kind)):
            inner = (*path, field.name)
            form = store.effect_fields(kind).get(fields_on(inner), "")
            yield WordRow(**field._asdict(), form=form, depth=depth)
            if depth < DEEPEST:
                entry = (*inner, 0) if field.types[:1] == ("array",) else inner
                yield from _rows(store, kind, entry)


# The rows that ask, by what an answer of theirs may be.
ASKING = (Modal, Choose, Secret, Ask, RollEach, Roll)


def asks_as(row: object) -> str:
    """The name of the class of a row that asks; empty if chance decides."""
    return next((one.__name__ for one in ASKING if isinstance(row, one)), "")


def prompts_of(made: Gathered) -> list[WordRow]:
    """All prompts of a game by name, each with the items that ask, and what they ask."""
    found: dict[str, list[tuple[Piece, AskedRow]]] = defaultdict(list)
    for routine in made.program.routines:
        item = made.mention(routine.id.partition("#")[0])
        for one in asked(routine):
            found[one.name].append((item, one))
    names = sorted(found, key=lambda name: (name.lower(), name))
    return [WordRow(name=name, askings=found[name]) for name in names]
