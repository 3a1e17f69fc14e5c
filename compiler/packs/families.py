"""Tags as items write them: what carries which, with the wider tags that each one stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import slug_of

TAG, TAGS = "tag", "tags"


@dataclass(frozen=True, slots=True)
class Families:
    """Every tag of a game as effect text writes it, with its parent if it has one."""

    parents: Mapping[str, str]

    @classmethod
    def of(cls, items: Iterable[Item]) -> Families:
        """Read the tags among these items. Nothing is reported: they are checked later."""
        tags = [item for item in items if item.kind == TAG]
        return cls({item.slug: slug_of(str(item.data("parent") or "")) for item in tags})

    def widened(self, tags: Iterable[str]) -> tuple[str, ...]:
        """These tags, each once, and all the wider ones that go with them."""
        found: dict[str, None] = {}
        for tag in tags:
            while tag and tag not in found:
                found[tag] = None
                tag = self.parents.get(tag, "")
        return tuple(found)
