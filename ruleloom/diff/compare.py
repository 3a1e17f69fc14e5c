"""Compares two packs: what is different, and what that changes elsewhere."""

from __future__ import annotations

from ruleloom.diff.changes import Changes
from ruleloom.diff.item_diff import Sides, changed_texts, item_changes, manifest_changes
from ruleloom.diff.number_diff import number_changes
from ruleloom.diff.operand import Side


def compare(old: Side, new: Side) -> Changes:
    """All that is different between two packs of one game."""
    sides = Sides(old, new)
    items = item_changes(sides)
    return Changes(
        manifest_changes(sides),
        tuple(items),
        number_changes(sides, items),
        changed_texts(sides, items),
    )
