"""The items whose printed text no text of effects carries out, by pack and kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ruleloom.compiler.packs.content import COMMON_KINDS, WORD, Content, Item
from ruleloom.compiler.schema.validate import effect_nodes

DOING = ("effect", "abilities")


def uncovered(content: Content) -> Iterator[tuple[str, list[str]]]:
    """Each pack and kind with such items, as `house: 2 of 5 major`, and the ids of these items.

    They have a `text` for people, no effect or ability of their own, and no text names them.
    """
    named = {word for item in content.items for text in _texts(item, content) for word in text}
    all_, left = (
        defaultdict[tuple[str, str], list[str]](list),
        defaultdict[tuple[str, str], int](int),
    )
    for item in content.items:
        if item.kind in COMMON_KINDS or not item.data("text"):
            continue
        left[item.pack, item.kind] += 1
        if item.slug not in named and not any(_texts(item, content)):
            all_[item.pack, item.kind].append(item.id)
    for (pack, kind), ids in all_.items():
        yield f"{pack}: {len(ids)} of {left[pack, kind]} {kind}", ids


def _texts(item: Item, content: Content) -> Iterator[list[str]]:
    """The words of each effect text of an item."""
    found = [node for _, node, _ in effect_nodes(item.node, item.kind, content.schemas)]
    found += [node for name in DOING if (node := item.fields.get(name)) is not None]
    yield from (WORD.findall(node.text or node.raw) for node in found)
