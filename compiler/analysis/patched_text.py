"""What the patches of some packs are written against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ruleloom.compiler.lint.against import AGAINST as AGAINST
from ruleloom.compiler.lint.against import patched_text, short_hash
from ruleloom.compiler.packs.content import Content, Item


class PatchedText(NamedTuple):
    """What a patch is about in the text of another pack, as it is there, with its hash."""

    patch: Item
    target: Item
    text: str
    hash: str


def patched_texts(content: Content) -> Iterator[PatchedText]:
    """The texts of other packs that patches of one item change."""
    for patch in content.by_kind("patch"):
        found = patched_text(content, patch)
        if found is not None and found[0].pack != patch.pack:
            yield PatchedText(patch, *found, short_hash(found[1]))
