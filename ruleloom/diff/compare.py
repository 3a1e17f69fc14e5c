"""Comparison of two packs: manifests, items, and the numbers and texts that change with them."""

from __future__ import annotations

from ruleloom.diff.changes import Changes
from ruleloom.diff.item_diff import Sides, item_changes, rules_texts
from ruleloom.diff.number_diff import number_changes
from ruleloom.diff.operand import Side

# What a manifest says apart from the settings is compared only between two versions of a pack.
MANIFEST_LEFT_OUT = {"kind", "id", "version"}
CHOICES = {"switches", "settings"}


def compare(old: Side, new: Side) -> Changes:
    """The differences between two packs of one game."""
    sides = Sides(old, new)
    before, after = old.pack.manifest.fields, new.pack.manifest.fields
    left_out = MANIFEST_LEFT_OUT if sides.alike else {*before, *after} - CHOICES
    manifest = sides.comparison({}).of_fields(before, after, left_out)
    was, now = texts = rules_texts(sides)
    items = item_changes(sides, texts)
    numbers = number_changes(sides, items)
    # Of items that did not change themselves.
    both = sorted(was.keys() & now.keys() - {item.id for item in items})
    others = tuple((id, was[id], now[id]) for id in both if was[id] != now[id])
    return Changes(manifest, tuple(items), numbers, others)
