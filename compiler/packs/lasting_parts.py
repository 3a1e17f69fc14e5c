"""Adds the storage of lasting effects to the vocabulary: an entity, lists of it, operations.

The items are returned with an extended vocabulary if any of them is of the kind `lasting`. All
additions have the place of their item's id. Impossible ones are left out, and reported by
`ruleloom.compiler.resolve.items`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.lasting_names import (
    BEARER,
    EACH,
    KIND,
    LONGEST,
    LONGEST_TIME,
    MOST,
    MOST_EACH,
    OWNER,
    OWNER_NAME,
    SELF,
    TAKEN_NAMES,
    THIS,
    TIME,
    TIME_NAME,
    Names,
    unit_of,
)
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_params
from ruleloom.compiler.types import read_type
from ruleloom.compiler.yaml.node import (
    Kind,
    Plain,
    YamlNode,
    empty_map,
    entries_of,
    text_of,
    with_entries,
)
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import Type

# Initial values of kept fields, until the operation that begins an effect sets them.
BEGINNINGS: Mapping[str, Plain] = {"Int": 0, "Fraction": 0, "Bool": False, "Text": ""}
WRITTEN: Mapping[str, str] = {"Int": "0", "Fraction": "0", "Bool": "no", "Text": '""'}
TYPES = ("entities", "enums", "values")
Map = dict[str, Any]
"""A map of plain data."""
_KINDS: Mapping[type, Kind] = {dict: "map", list: "list", str: "text", int: "int", bool: "bool"}


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedSource(Source):
    """A generated text, all of which has one place in a file."""

    anchor: Place

    def place(self, start: int, end: int) -> Place:
        """Return the place of the whole text."""
        return self.anchor


def with_lasting(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items, with the storage of lasting effects added to the vocabulary."""
    lasting = [item for item in items if item.kind == KIND]
    if not lasting:
        return tuple(items)
    return tuple(_whole(item, lasting) if item.kind == "vocabulary" else item for item in items)


def _whole(vocabulary: Item, lasting: Sequence[Item]) -> Item:
    """The vocabulary with the additions of all declarable items."""
    node = vocabulary.node
    for item in lasting:
        if is_declarable(node, item):
            node = with_sections(
                node, item.place, _declaration(item, _most(node, item), _unit(node, item))
            )
    return replace(vocabulary, fields=node.entries, node=node)


def is_declarable(vocabulary: YamlNode, item: Item) -> bool:
    """Can an item's additions be made: are its names free, and does the type of its bearer exist?"""
    names, params = Names(item), [one.name for one in taken(item)]
    new = (("entities", names.entity), ("queries", names.query), ("zones", names.query))
    is_taken = any(name in _section(vocabulary, section) for section, name in new)
    types = {"Player"}.union(*(_section(vocabulary, one) for one in TYPES))
    return not (
        is_taken
        or (names.on and names.on not in types)
        or len(set(params)) < len(params)
        or any(name in TAKEN_NAMES for name in params)
    )


def _most(vocabulary: YamlNode, item: Item) -> int:
    """The most effects at once; where one counts on each bearer, the most bearers."""
    written, names = item.data("most"), Names(item)
    if isinstance(written, int) or names.stacks == EACH:
        return written if isinstance(written, int) else MOST_EACH
    if not names.on:
        return 1
    bearers = _section(vocabulary, "entities").get(names.on)
    most = bearers.get("max") if bearers is not None else None
    return most.value if most is not None and isinstance(most.value, int) else MOST


def _section(vocabulary: YamlNode, section: str) -> Mapping[str, YamlNode]:
    node = vocabulary.get(section)
    return node.entries if node is not None else {}


def _unit(vocabulary: YamlNode, item: Item) -> str:
    """The words after a number of times that an effect lasts."""
    names = Names(item)
    if names.unit or names.counted is None:
        return names.unit
    event = names.counted.event.name.id
    operation = _section(vocabulary, "operations").get(event)
    english = text_of(operation.get("english")) if operation is not None else ""
    return f" {unit_of(event, english)}"


def _declaration(item: Item, most: int, unit: str) -> dict[str, Map]:
    """The additions of an item to each section of the vocabulary, in the form of an extension."""
    names = Names(item)
    values = {one.name: _taken(one.type) for one in taken(item)}
    kept: Map = {OWNER: {"type": "Player?"}}
    kept |= {BEARER: {"type": f"{names.on}?"}} if names.on else {}
    kept[TIME] = {"type": "Int", "min": 0, "max": LONGEST_TIME, "initial": 0}
    kept |= {name: _field(type_) for name, type_ in values.items()}
    thing: Map = {"noun": [names.noun, f"{names.noun}s"], "max": most, "present": OWNER}
    thing["fields"] = {name: {**one, "at_table": True} for name, one in kept.items()}
    operations = _operations(names, values, unit)
    return {
        "entities": {names.entity: thing},
        "queries": _queries(names, most),
        # Whether effects are begun, ended and read is reported for the item, not for its parts.
        "operations": {name: {**one, "at_table": True} for name, one in operations.items()},
    }


def _field(type_: Type) -> Map:
    """The field for a value; without a natural initial value it is optional."""
    beginning = BEGINNINGS.get(type_.name)
    if type_.many or type_.optional or beginning is None:
        return {"type": str(type_ if type_.many else replace(type_, optional=True))}
    return {"type": str(type_), "initial": beginning}


def _nothing(type_: Type) -> str:
    """The text of a value's field while there is no effect."""
    if type_.many:
        return "[]"
    return "none" if type_.optional else WRITTEN.get(type_.name, "none")


def _queries(names: Names, most: int) -> Map:
    many, noun = f"List of {names.entity}", names.noun
    every: Map = {"result": many, "max": most, "of": f"{names.entity}.{OWNER}"}
    every["english"] = f"all {noun}s"
    if not names.on:
        return {names.query: every}
    on: Map = {"params": {SELF: names.on}, "result": many, "of": f"{names.entity}.{BEARER}"}
    on |= {"max": most if names.stacks == EACH else 1, "english": f"the {noun}s on {{{SELF}}}"}
    return {names.query: on, names.all: every}


def _operations(names: Names, values: Mapping[str, Type], unit: str) -> dict[str, Map]:
    """The operations that begin and renew an effect, with bearer, values, time and owner; those that end it;
    and those that count down and change its time."""
    bearer: Map = {SELF: names.on} if names.on else {}
    typed = {name: str(type_) for name, type_ in values.items()}
    known = {**bearer, **typed, TIME_NAME: "Int", OWNER_NAME: "Player"}
    time = f"highest([1, lowest([{LONGEST_TIME}, {TIME_NAME}])])" if names.counts else "0"
    kept = {OWNER: OWNER_NAME, TIME: time, **({BEARER: SELF} if names.on else {})}
    kept |= {name: name for name in values}
    said = {"english": f"the {names.noun} begins", "log": names.begins(known, unit)}
    found: dict[str, Map] = {
        names.begin: {"params": known, "makes": names.entity, "sets": _set(kept, "result"), **said}
    }
    this = {THIS: names.entity}
    if names.stacks == LONGEST:
        found[names.renew] = {"params": {**known, **this}, "sets": _set(kept, THIS), **said}
    # An ended effect keeps no values, so that equal positions are equal.
    left = {OWNER: "none", TIME: "0", **({BEARER: "none"} if names.on else {})}
    left |= {name: _nothing(type_) for name, type_ in values.items()}
    over = {"sets": _set(left, THIS), "english": f"the {names.noun} ends"}
    over["log"] = f"{names.whole} is over"
    found[names.end] = {"params": {**bearer, **this}, **over}
    if names.fade:
        found[names.fade] = {"params": {**bearer, **typed, OWNER_NAME: "Player", **this}, **over}
    if names.on:
        found[names.lose] = {"params": this, **over, "log": f"a {names.noun} is over"}
    if names.counts:
        longer = f"highest([1, lowest([{LONGEST_TIME}, {TIME}({THIS}) + by])])"
        found[names.prolong] = {
            "params": {**bearer, "by": "Int", **this},
            "sets": {f"{TIME}({THIS})": longer},
            "english": f"the {names.noun} lasts longer by {{by}}",
            "log": f"{names.whole} lasts longer by {{by}}{unit}",
        }
        less = {f"{TIME}({THIS})": f"highest([0, {TIME}({THIS}) - 1])"}
        found[names.count] = {"params": this, "sets": less, "english": ""}
    return found


def _set(fields: Map, of: str) -> Map:
    return {f"{field}({of})": value for field, value in fields.items()}


def taken(item: Item) -> tuple[ast.Param, ...]:
    """Return the declared parameters of an item; empty if they cannot be parsed."""
    try:
        return parse_params(text_of(item.fields.get("takes")))
    except EffectSyntaxError:
        return ()


def _taken(one: ast.TypeName) -> Type:
    written = Type(one.name, one.many, one.optional, one.by_player)
    return read_type(str(written)) or written


def with_sections(
    vocabulary: YamlNode, anchor: Place, sections: Mapping[str, Mapping[str, Plain]]
) -> YamlNode:
    """The vocabulary with more entries in some sections, all at one place. Existing names are not
    replaced."""
    whole: dict[str, YamlNode] = {}
    for section, more in sections.items():
        added, old = generated(dict(more), anchor), vocabulary.get(section)
        new = {key: one for key, one in added.entries.items() if key not in entries_of(old)}
        whole[section] = with_entries(old or empty_map(added.source, 0), new, added)
    return with_entries(vocabulary, whole)


def longer_list(written: YamlNode | None, entry: Map, anchor: Place) -> YamlNode:
    """A list with one more entry, at a place."""
    new = generated(entry, anchor)
    if written is None:
        return YamlNode(new.source, "list", [new], 0, 0)
    return replace(written, value=[*written.items, new])


def generated(value: Plain, anchor: Place) -> YamlNode:
    """A node of this value, whose source text is the plain value, or the keys of the map."""
    kind = _KINDS[type(value)]
    text = "\n".join(value) if isinstance(value, dict) else "" if kind == "list" else str(value)
    source = GeneratedSource(anchor.path, text, anchor)
    if isinstance(value, dict):
        entries = {key: generated(child, anchor) for key, child in value.items()}
        ends = list(accumulate(len(key) + 1 for key in value))
        spans = {key: (end - len(key) - 1, end - 1) for key, end in zip(value, ends, strict=True)}
        return YamlNode(source, kind, entries, 0, len(text), None, spans)
    if isinstance(value, list):
        return YamlNode(source, kind, [generated(child, anchor) for child in value], 0, 0)
    return YamlNode(source, kind, value, 0, len(text))
