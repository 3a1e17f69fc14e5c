"""Comparison of two packs: manifests, items, and the numbers and texts that change with them."""

from __future__ import annotations

from ruleloom.diff.changes import Changes, FieldChange, ItemChange
from ruleloom.diff.item_diff import Sides, item_changes, rules_texts
from ruleloom.diff.number_diff import number_changes
from ruleloom.diff.operand import Side

MANIFEST_LEFT_OUT = {"kind", "id", "version"}
# What two packs can have in common in their manifests.
CHOICES = {"switches", "settings"}


def compare(old: Side, new: Side) -> Changes:
    """All that is different between two packs of one game."""
    sides = Sides(old, new)
    items = item_changes(sides)
    manifest = manifest_changes(sides)
    numbers = number_changes(sides, items)
    return Changes(manifest, tuple(items), numbers, changed_texts(sides, items))


def manifest_changes(sides: Sides) -> tuple[FieldChange, ...]:
    """Changes of the manifest but for the version; of different packs, only of their settings."""
    old, new = sides.old.pack.manifest.fields, sides.new.pack.manifest.fields
    left_out = MANIFEST_LEFT_OUT if sides.alike else {*old, *new} - CHOICES
    return sides.comparison({}).of_fields(old, new, left_out)


def changed_texts(sides: Sides, changes: list[ItemChange]) -> tuple[tuple[str, str, str], ...]:
    """Rules texts that changed although their items did not: by ids, old and new text."""
    told = {change.id for change in changes}
    old, new = rules_texts(sides)
    both = sorted(old.keys() & new.keys() - told)
    return tuple((id, old[id], new[id]) for id in both if old[id] != new[id])
