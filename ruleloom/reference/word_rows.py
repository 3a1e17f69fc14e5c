"""The words of a game's vocabulary and its kinds of items, as rows of tables: events, values, things,
numbers, settings, and the fields of each kind with an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from textwrap import dedent
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.effect_cursor import USUAL
from ruleloom.compiler.analysis.yaml_cursor import FieldHelp, Step, fields_in, fields_on
from ruleloom.compiler.packs.content import COMMON_KINDS, KINDS_WITHOUT_ID, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature
from ruleloom.compiler.schema.registry import LIKE, SchemaStore
from ruleloom.compiler.yaml.node import entries_of, written
from ruleloom.reference.entries import Entry
from ruleloom.reference.gathered import (
    Gathered,
    MenuHook,
    PageRow,
    Piece,
    item_link,
    menus,
    open_bounds,
    rolls,
)
from ruleloom.runtime.dataclass import Frozen


class EventRow(NamedTuple):
    """An operation or a moment: how it is written, what it means, when it comes, who answers."""

    name: str
    called: tuple[Piece, ...]
    english: str
    notes: tuple[str, ...]
    done_by: Sequence[Piece]
    answered_by: Sequence[Piece]


class ValueRow(NamedTuple):
    """A name with its type and what it is."""

    name: str
    type: tuple[Piece, ...]
    notes: tuple[str, ...]
    english: str = ""


class ThingRow(NamedTuple):
    """A sort of thing, its fields, and the kinds of items that make it."""

    name: str
    noun: str
    kinds: tuple[str, ...]
    fields: tuple[ValueRow, ...]


class NamedPlace(NamedTuple):
    """A roll or a menu by its name, with every item in which it stands."""

    name: str
    about: str
    items: tuple[Piece, ...]


def events_of(made: Gathered, moments: bool) -> list[EventRow]:
    """The moments of a game, or its other operations."""
    kept = {one.operation for one in made.program.always}
    return [
        _event(made, one, kept)
        for one in made.symbols.operations.values()
        if (one.kind == "moment") == moments
    ]


def _event(made: Gathered, one: Signature, kept: set[str]) -> EventRow:
    notes = []
    if one.open:
        notes.append(", ".join([f"answers may change {one.open}", *open_bounds(one)]))
    if decider := made.symbols.deciders.get(one.name):
        notes.append(f"{decider[0].text} says which answer comes first")
    if one.name in kept:
        notes.append("keeps a rule that always holds")
    info = next((info for info in made.program.operations if info.name == one.name), None)
    if info is not None and info.log and info.log != one.english:
        notes.append(f"the log says: {info.log}" if info.shown else "the log is silent about it")
    return EventRow(
        one.name,
        tuple(made.names.signature(one)),
        one.english,
        tuple(notes),
        made.done_by.get(one.name, ()),
        made.answered_by.get(one.name, ()),
    )


def other_events(made: Gathered) -> list[NamedPlace]:
    """The events that are no operations, such as `touched`."""
    symbols = made.symbols
    names = (one for one in symbols.events if one.isidentifier() and one not in symbols.operations)
    return [
        NamedPlace(name, "", tuple(made.answered_by.get(name, ())))
        for name in names
        if name not in made.names.powers
    ]


def rolls_of(made: Gathered) -> list[NamedPlace]:
    """The names of all rolls."""
    found = []
    for name, group in groupby(rolls(made.nodes), attrgetter("name")):
        many = list(group)
        about = "dice by themselves" if many[0].dice else "a number"
        items = tuple(dict.fromkeys(made.mention(one.item.id) for one in many))
        found.append(NamedPlace(name, about, items))
    return found


def menus_of(made: Gathered) -> list[tuple[MenuHook, Piece]]:
    """The menus that ways can join, each with the item in which it stands."""
    return [(menu, made.mention(menu.item.id)) for menu in menus(made.nodes)]


def things_of(made: Gathered) -> Iterator[ThingRow]:
    """The sorts of things of a game, with their fields."""
    symbols = made.symbols
    for one in symbols.entities.values():
        kinds = tuple(kind for kind, entity in symbols.kinds.items() if entity == one.name)
        owned = (owners.get(one.name) for owners in symbols.fields.values())
        fields = tuple(_field(made, field) for field in owned if field is not None)
        yield ThingRow(one.name, f"{one.singular}, {one.plural}", kinds, fields)


def _field(made: Gathered, one: FieldSymbol) -> ValueRow:
    notes = ["printed" if one.static else "changes in play"]
    if one.by:
        notes.append(f"one for each {one.by}")
    if one.low is not None and one.high is not None:
        notes.append(f"{one.low} to {one.high}")
    default: Any = None if one.default is None else one.default.text
    if default:
        notes.append(f"{'usually' if one.static else 'at first'} {default}")
    english = entries_of(one.written).get("english")
    said = (english.text if english is not None else _printed_as(made, one)) or ""
    return ValueRow(one.name, tuple(made.names.typed(str(one.type))), tuple(notes), said)


def _printed_as(made: Gathered, one: FieldSymbol) -> str:
    """The description of a field in the schema of the kind whose items print it."""
    if not one.static:
        return ""
    store = made.content.schemas
    kinds = [kind for kind, entity in made.symbols.kinds.items() if entity == one.entity]
    fields = (store.schema(kind).get("properties", {}) for kind in kinds if kind in store.kinds)
    said = (str(each.get(one.name, {}).get("description", "")) for each in fields)
    return next(filter(None, said), "")


def zones_of(made: Gathered) -> Iterator[ValueRow]:
    """The places in which things lie."""
    for one in made.symbols.zones.values():
        notes = ["one for each player" if one.per_player else "one for all"]
        notes += [f"seen by {one.seen_by}", *([f"one at each {one.at}"] if one.at else [])]
        yield ValueRow(one.name, tuple(made.names.typed(one.of)), tuple(notes))


def variables_of(made: Gathered) -> Iterator[ValueRow]:
    """The variables of the game."""
    lives = {"game": "until it is changed", "turn": "until the next turn"}
    for one in made.program.scope:
        notes = filter(None, (lives.get(one.life, one.life), _allowed(one.low, one.high)))
        yield ValueRow(one.name, tuple(made.names.typed(one.type)), tuple(notes), one.english)


def queries_of(made: Gathered) -> list[EventRow]:
    """The queries of a game besides its own measures."""
    return [
        _event(made, one, set()) for one in made.symbols.callables.values() if one.kind == "query"
    ]


def settings_of(made: Gathered) -> Iterator[PageRow]:
    """The settings and switches of a game: the value in force, what it may be, and who set it."""
    items = {one.slug: one for one in made.items.values() if one.kind in ("setting", "switch")}
    for one in made.program.settings:
        item = items.get(one.name)
        if item is None:
            continue
        readings: Mapping[str, Any] = item.data("options") or {}
        yield {
            "name": one.name,
            "href": item_link(item.id),
            "value": written(one.value),
            "english": one.english,
            "allowed": _allowed(one.low, one.high),
            "options": [(name, str(readings.get(name) or "")) for name in one.options],
            "clause": one.clause,
            "set_by": list(_set_by(made, item)),
        }


def _set_by(made: Gathered, item: Item) -> Iterator[str]:
    """The patches of a setting with what they change, and the packs that set it."""
    for change in made.content.history.get((item.id, "value"), ()):
        yield f"{change.by}: {change.old}, now {change.new}"
    for pack in made.content.packs:
        if item.name in (pack.manifest.data("switches") or {}):
            yield pack.id


def _allowed(low: Any, high: Any) -> str:
    match low, high:
        case None, None:
            return ""
        case None, _:
            return f"at most {high}"
        case _, None:
            return f"at least {low}"
    return f"{low} to {high}"


def numbers_of(made: Gathered, entries: Mapping[str, Sequence[Entry]]) -> Iterator[PageRow]:
    """The stats, measures, tables and rules of a game, each with all that changes it."""
    signatures = {one.id: one for one in made.symbols.callables.values()}
    for kind in ("stat", "measure", "table", "rule"):
        for entry in entries.get(kind, ()):
            one = signatures.get(entry.item.id)
            if one is not None:
                english = str(entry.item.data("english") or "")
                yield {"entry": entry, "called": made.names.signature(one), "english": english}


# Kinds that stand once in a pack, and have pages elsewhere.
LEFT_OUT = frozenset({*KINDS_WITHOUT_ID, "pack", "extension"})
DEEPEST = 3
EFFECT_TEXT = "effect text"
TYPES = {
    "string": "text",
    "integer": "whole number",
    "boolean": "yes or no",
    "array": "list",
    "object": "mapping",
}


class FieldRow(NamedTuple):
    """A field of a kind: what it is for, and what it may be."""

    name: str
    title: str
    help: str
    allowed: str
    needed: bool
    depth: int


class KindEntry(Frozen):
    """A kind of item: its fields, what it makes, and an item to copy from."""

    name: str
    about: str
    makes: str
    fields: tuple[FieldRow, ...]
    example: tuple[Piece, ...]
    of: Piece | None
    count: int


def kinds_of(made: Gathered) -> list[KindEntry]:
    """The kinds of a game: its own first, then those of every game."""
    store = made.content.schemas
    own = [kind for kind in made.symbols.kinds if kind in store.kinds]
    common = [kind for kind in COMMON_KINDS if kind in store.kinds and kind not in LEFT_OUT]
    return [_kind(made, store, kind) for kind in (*own, *common)]


def _kind(made: Gathered, store: SchemaStore, kind: str) -> KindEntry:
    schema = store.schema(kind)
    items = [item for item in made.items.values() if item.kind == kind]
    shown = example_of(items)
    text = _text_of(shown) if shown is not None else ""
    return KindEntry(
        kind,
        str(schema.get("description", "")),
        made.symbols.kinds.get(kind, ""),
        tuple(_rows(store, kind)),
        tuple(made.names.pieces(text)),
        made.mention(shown.id) if shown is not None else None,
        len(items),
    )


def example_of(items: Sequence[Item]) -> Item | None:
    """The item that shows most in few lines: with an effect if any has one, and with most of the
    fields that at least a third of the items have."""
    telling = [one for one in items if USUAL.keys() & one.fields.keys()] or items
    counts = Counter(field for one in telling for field in one.fields)
    usual = {field for field, count in counts.items() if count * 3 >= len(telling)}

    def weight(one: Item) -> tuple[int, int]:
        return -len(usual & one.fields.keys()), len(one.node.raw)

    return min(telling, key=weight, default=None)


def _text_of(item: Item) -> str:
    """An item as its author wrote it, at the left edge; one on a single line, a field a line, each
    value with its quotes and all."""
    node = item.node
    if not node.raw.startswith("{"):
        return dedent(" " * (node.place.column - 1) + node.raw).rstrip()
    values = {
        name: one.raw if one.style in ("|", ">") else " ".join(one.raw.split())
        for name, one in node.entries.items()
    }
    return "\n".join(f"{name}: {said}" for name, said in values.items())


def _rows(store: SchemaStore, kind: str, path: tuple[Step, ...] = ()) -> Iterator[FieldRow]:
    """The fields of a kind, each with those within it."""
    depth = sum(isinstance(step, str) for step in path)
    for field in fields_in(store, kind, path):
        if depth or field.name not in ("kind", LIKE):
            inner = (*path, field.name)
            allowed = _allowed_values(field, store.effect_fields(kind).get(fields_on(inner), ""))
            yield FieldRow(field.name, field.title, field.help, allowed, field.needed, depth)
            if depth < DEEPEST:
                entry = (*inner, 0) if field.types[:1] == ("array",) else inner
                yield from _rows(store, kind, entry)


def _allowed_values(field: FieldHelp, form: str) -> str:
    """The allowed values of a field, in a few words."""
    if form in ("block", "abilities"):
        return EFFECT_TEXT
    # Beside a form, a single value would pass for the only one.
    is_beside = field.types and (len(field.values) == 1 or "boolean" in field.types)
    if field.values and not is_beside:
        return " | ".join(field.values)
    text = " or ".join(TYPES.get(one, one) for one in field.types)
    low, high = field.bounds
    return f"{text}, {low} to {high}" if low is not None and high is not None else text
