"""Who brought an item, and who changed it: the packs on top of the game, by their titles."""

from __future__ import annotations

from ruleloom.compiler.english.word import listed
from ruleloom.compiler.packs.content import Content, Item


def pack_title(content: Content, id: str) -> str:
    """What people call a pack."""
    return str(content.pack(id).manifest.data("title") or id)


def source_of(content: Content, item: Item) -> str:
    """`from River Folk, changed by House Rules`; empty for what stands in the game as it is."""
    said = []
    if item.pack != content.game:
        said.append(f"from {pack_title(content, item.pack)}")
    changed = dict.fromkeys(
        change.pack
        for (id, _), history in content.history.items()
        if id == item.id
        for change in history
    )
    titles = [pack_title(content, pack) for pack in changed if pack != item.pack]
    if titles:
        said.append(f"changed by {listed(titles)}")
    return ", ".join(said)
