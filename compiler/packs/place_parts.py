"""Adds what becomes of things in a zone `per` thing or point when that place goes: a query of the places
where something lies, an operation and a rule.

`while: CONDITION` says of a `place` when it is one, `goes_to: ZONE` where its things go as soon as it is
none. A thing that leaves play is none any more. Zones that lack either are reported by
`ruleloom.compiler.resolve.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.lasting_parts import Map, longer_list, with_sections
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, text_of, with_entries

WHILE, GOES_TO = "while", "goes_to"
EMPTIED = (WHILE, GOES_TO)
PLACES = "places_of_"


def with_places(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items, with what empties zones of things added to the vocabulary."""
    return tuple(_whole(item) if item.kind == "vocabulary" else item for item in items)


def _whole(vocabulary: Item) -> Item:
    node = vocabulary.node
    for name, zone, _ in fields_of(node.get("zones")):
        per = text_of(zone.get("per"))
        place = entries_of(node.get("entities")).get(per)
        is_point = per in entries_of(node.get("values"))
        if per != "Player" and (place is not None or is_point) and text_of(zone.get(GOES_TO)):
            node = _emptied(node, name, zone, text_of(place.get("present")) if place else "")
    if node is vocabulary.node:
        return vocabulary
    return replace(vocabulary, fields=node.entries, node=node)


def holds_while(zone: YamlNode, present: str) -> str:
    """The condition on which the `place` of a zone is one; a thing with `present` has to be in play."""
    there, written = f"{present}(place) is not none" if present else "", text_of(zone.get(WHILE))
    return f"{there} and ({written})" if there and written else there or written


def _emptied(vocabulary: YamlNode, name: str, zone: YamlNode, present: str) -> YamlNode:
    """The vocabulary with the query, the operation and the rule that empty a zone."""
    per, of, empty = text_of(zone.get("per")), text_of(zone.get("of")), f"empty_{name}"
    called = text_of(zone.get("english")).removeprefix("the ") or name.replace("_", " ")
    holds, most = holds_while(zone, present), vocabulary.entries["entities"].get(of)
    if not holds:
        return vocabulary
    query: Map = {
        "result": f"List of {per}",
        "of": name,
        "english": f"the places of the {called}",
    }
    if most is not None and (number := most.get("max")) is not None:
        query["max"] = number.value
    # A thing that has left play is passed to nothing.
    place, whose = ({}, "what has left") if present else ({"place": per}, "{place}")
    operation: Map = {
        "params": {**place, "things": f"List of {of}"},
        "sets": {},
        "moves": {"things": text_of(zone.get(GOES_TO))},
        "at_table": True,
        "english": f"empty the {called} of {whose}",
        "log": f"the {called} of {whose} is emptied",
    }
    rule: Map = {
        "name": empty,
        "for": "place",
        "in": f"{PLACES}{name}",
        "when": f"not ({holds})",
        "do": f"{empty}({name}(place))" if present else f"{empty}(place, {name}(place))",
        "english": f"the {called} of what is no place any more is emptied",
    }
    anchor = zone.entries[WHILE if WHILE in zone.entries else GOES_TO].place
    new = {"queries": {f"{PLACES}{name}": query}, "operations": {empty: operation}}
    node = with_sections(vocabulary, anchor, new)
    return with_entries(node, {"always": longer_list(node.get("always"), rule, anchor)})
