"""Adds what becomes of things in a zone `per` thing when that place goes: an operation and a rule.

`while: CONDITION` says of a `place` when it is one, `goes_to: ZONE` where its things go as soon as it is
none. Zones that lack either are reported by `ruleloom.compiler.resolve.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.lasting_parts import Map, longer_list, with_sections
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, text_of, with_entries

WHILE, GOES_TO = "while", "goes_to"
EMPTIED = (WHILE, GOES_TO)


def with_places(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items, with what empties zones of things added to the vocabulary."""
    return tuple(_whole(item) if item.kind == "vocabulary" else item for item in items)


def _whole(vocabulary: Item) -> Item:
    node = vocabulary.node
    for name, zone, _ in fields_of(node.get("zones")):
        place = entries_of(node.get("entities")).get(text_of(zone.get("per")))
        is_printed = place is not None and "records" in place.entries
        if is_printed and all(text_of(zone.get(word)) for word in EMPTIED):
            node = _emptied(node, name, zone)
    if node is vocabulary.node:
        return vocabulary
    return replace(vocabulary, fields=node.entries, node=node)


def _emptied(vocabulary: YamlNode, name: str, zone: YamlNode) -> YamlNode:
    """The vocabulary with the operation and the rule that empty a zone."""
    per, of, empty = text_of(zone.get("per")), text_of(zone.get("of")), f"empty_{name}"
    called = text_of(zone.get("english")).removeprefix("the ") or name.replace("_", " ")
    operation: Map = {
        "params": {"place": per, "things": f"List of {of}"},
        "sets": {},
        "moves": {"things": text_of(zone.get(GOES_TO))},
        "at_table": True,
        "english": f"empty the {called} of {{place}}",
        "log": f"the {called} of {{place}} is emptied",
    }
    rule: Map = {
        "name": empty,
        "for": "place",
        "in": f"those(place: {per} where count({name}(place)) > 0)",
        "when": f"not ({text_of(zone.get(WHILE))})",
        "do": f"{empty}(place, {name}(place))",
        "english": f"the {called} of what is no place any more is emptied",
    }
    anchor = zone.entries[WHILE].place
    node = with_sections(vocabulary, anchor, {"operations": {empty: operation}})
    return with_entries(node, {"always": longer_list(node.get("always"), rule, anchor)})
