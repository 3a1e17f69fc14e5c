"""A comparison as JSON: one object, the same for the same packs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ruleloom.diff.changes import Changes, FieldChange, ItemChange, Where, plain
from ruleloom.diff.operand import Side
from ruleloom.diff.semver import Advice
from ruleloom.diff.text_report import shorter_difference

# Of this form of the data; a field may be added without its being raised.
FORMAT = 1


def as_data(old: Side, new: Side, changes: Changes, advised: Advice | None) -> dict[str, Any]:
    """A comparison as plain data. Numbers that are not whole are texts such as `1/2`."""
    reasons = (
        [{"words": one.words, "at": _at(one.at)} for one in advised.reasons] if advised else []
    )
    return {
        "format": FORMAT,
        "old": _side(old),
        "new": _side(new),
        "pack": [_field(one) for one in changes.manifest],
        "items": [_item(one) for one in changes.items],
        "numbers": [
            {**asdict(one), "old": plain(one.old), "new": plain(one.new)} for one in changes.numbers
        ],
        "texts": [{"id": id, "old": before, "new": after} for id, before, after in changes.texts],
        "version": None if advised is None else {**asdict(advised), "reasons": reasons},
    }


def _side(side: Side) -> dict[str, str]:
    pack = side.pack
    return {"label": side.label, "pack": pack.id, "version": pack.version, "hash": pack.hash}


def _item(one: ItemChange) -> dict[str, Any]:
    text: dict[str, Any] | None = None
    if one.text is not None:
        words = [[list(stretch) for stretch in line] for line in shorter_difference(*one.text)]
        text = {"old": one.text[0], "new": one.text[1], "words": words}
    about = {"id": one.id, "does": one.does, "was": one.was or None, "own": one.own}
    fields = [_field(field) for field in one.fields]
    return {**about, "patched": one.patched, **_places(one), "fields": fields, "text": text}


def _field(one: FieldChange) -> dict[str, Any]:
    values = {"old": one.old, "new": one.new}
    return {"field": one.name, "does": one.does, **values, **_places(one)}


def _places(one: ItemChange | FieldChange) -> dict[str, Any]:
    return {"old_at": _at(one.old_at), "new_at": _at(one.new_at)}


def _at(at: Where | None) -> dict[str, Any] | None:
    return dict(zip(("path", "line", "column"), at, strict=True)) if at is not None else None
