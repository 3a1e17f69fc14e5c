"""Adds tags to things that no item makes: a field, and operations that give and take them.

An entity with `tagged: true` gets all of this, an effect that lasts the tags of its item. What cannot be
tagged is left as it is, and reported by `ruleloom.compiler.resolve.vocabulary`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ruleloom.compiler.packs import lasting_names
from ruleloom.compiler.packs.content import Item, slug_of
from ruleloom.compiler.packs.lasting_parts import with_sections
from ruleloom.compiler.packs.settings import TAG, TAGS, Families
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, fields_of, items_of, with_entries

TAGGED = "tagged"
Map = dict[str, Any]
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def with_tagged(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items, with tags for what play makes added to the vocabulary."""
    if not any(item.kind == TAG for item in items):
        return tuple(items)
    families = Families.of(items)
    of_effects = dict(_of_effects(items, families))
    return tuple(
        _whole(item, families, of_effects) if item.kind == "vocabulary" else item for item in items
    )


def _of_effects(items: Sequence[Item], families: Families) -> Iterator[tuple[str, list[str]]]:
    """The tags of each effect that lasts, by the name of its entity."""
    for item in items:
        if item.kind == lasting_names.KIND and TAGS in item.fields:
            written = [slug_of(one.text or one.raw) for one in items_of(item.fields[TAGS])]
            known = [tag for tag in written if tag in families.parents]
            yield lasting_names.Names(item).entity, list(families.widened(known))


def _whole(vocabulary: Item, families: Families, of_effects: dict[str, list[str]]) -> Item:
    node = vocabulary.node
    for name, entity, place in fields_of(node.get("entities")):
        tagged = entity.get(TAGGED)
        if is_tagged(entity) and tagged is not None:
            node = _with_field(node, name, tagged.place, {})
            operations = {"operations": _operations(name, families)}
            node = with_sections(node, tagged.place, operations)
        elif name in of_effects:
            node = _with_field(node, name, place, {"initial": of_effects[name]})
    return replace(vocabulary, fields=node.entries, node=node)


def is_tagged(entity: YamlNode) -> bool:
    """Does play give tags to these things? On those of items they are printed."""
    tagged, made = entity.get(TAGGED), entity.entries.keys() & {"records", "part_of"}
    return tagged is not None and tagged.value is True and not made


def _with_field(vocabulary: YamlNode, name: str, anchor: Place, more: Map) -> YamlNode:
    entities = vocabulary.entries["entities"]
    field = {"type": "List of Tag", "english": "the tags of {it}", "at_table": True, **more}
    entity = with_sections(entities.entries[name], anchor, {"fields": {TAGS: field}})
    return with_entries(vocabulary, {"entities": with_entries(entities, {name: entity})})


def _operations(name: str, families: Families) -> Map:
    """The operations that give a tag, with the wider ones, and take it, with the narrower ones."""
    slug = _CAPITAL.sub("_", name).lower()
    wider: dict[str, list[str]] = {}
    for tag in families.parents:
        for above in families.widened([tag])[1:]:
            wider.setdefault(above, []).append(tag)
    bring, take = [f"{TAGS}(thing)", "[tag]"], [f"{TAGS}(thing)", "[tag]"]
    for above, below in wider.items():
        bring.append(f"([{above}] if tag in [{', '.join(below)}] else [])")
        take.append(f"([{', '.join(below)}] if tag = {above} else [])")
    both: Map = {"params": {"thing": name, "tag": "Tag"}, "at_table": True}
    return {
        f"tag_{slug}": {
            **both,
            "sets": {f"{TAGS}(thing)": " + ".join(bring)},
            "english": "{thing} is {tag} from now on",
            "log": "{thing} is {tag} from now on",
        },
        f"untag_{slug}": {
            **both,
            "sets": {f"{TAGS}(thing)": " - ".join(take)},
            "english": "{thing} is no longer {tag}",
            "log": "{thing} is no longer {tag}",
        },
    }
