"""Compares two packs: what is different, and what that changes elsewhere."""

from __future__ import annotations

from ruleloom.diff.changes import Changes
from ruleloom.diff.items import Sides, changed_texts, item_changes, manifest_changes
from ruleloom.diff.numbers import number_changes
from ruleloom.diff.sides import Side


def compare(old: Side, new: Side) -> Changes:
    """All that is different between two packs of one game."""
    sides = Sides(old, new)
    items = item_changes(sides)
    return Changes(
        manifest_changes(sides), tuple(items), number_changes(sides, items), changed_texts(sides, items)
    )
