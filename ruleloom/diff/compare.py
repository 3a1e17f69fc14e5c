"""Compares two packs: manifests, items, and the numbers and texts that change in consequence."""

from __future__ import annotations

from ruleloom.diff.changes import Changes, FieldChange, ItemChange
from ruleloom.diff.item_diff import Sides, item_changes, rules_texts
from ruleloom.diff.number_diff import number_changes
from ruleloom.diff.operand import Side

MANIFEST_LEFT_OUT = ("kind", "id", "version")
# What two packs can have in common in their manifests.
CHOICES = {"switches", "settings"}


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


def manifest_changes(sides: Sides) -> tuple[FieldChange, ...]:
    """Changes of the manifest but for the version; of different packs, only of their settings."""
    old, new = sides.old.pack.manifest, sides.new.pack.manifest
    left_out = (
        MANIFEST_LEFT_OUT if sides.alike else tuple(sorted({*old.fields, *new.fields} - CHOICES))
    )
    return sides.comparison({}).of_fields(old.fields, new.fields, left_out)


def changed_texts(sides: Sides, changes: list[ItemChange]) -> tuple[tuple[str, str, str], ...]:
    """Rules texts that say something else although their items do not: by ids, old and new text."""
    told = {change.id for change in changes}
    old, new = rules_texts(sides)
    return tuple(
        (id, old[id], new[id])
        for id in sorted(old.keys() & new.keys())
        if id not in told and old[id] != new[id]
    )
