"""The patches behind a number: the changes that packs have made to everything it is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.expr_words import printed_reads
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.program.faults import Origin
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Dynamic, World
from ruleloom.store.rule_sources import ChangedField, PatchBehind, RuleSources


class Provenance:
    """The changes that packs have made to the items of a game."""

    def __init__(self, sources: RuleSources, reckoning: Reckoning, world: World) -> None:
        self._sources = sources
        self._reckoning = reckoning
        self._world = world
        self._standing = {field for fields in sources.row_fields.values() for field in fields}
        entities = reckoning.linked.program.entities
        self._on_things = any(place in sources.changed for one in entities for place in one.places)
        """Have patches changed a printed field of a thing?"""

    def patches(self, function: str, args: tuple[Dynamic, ...]) -> list[PatchBehind]:
        """The changes of the fields that a function reads here, and of the rules in its whole derivation."""
        changed, row_fields = self._sources.changed, self._sources.row_fields
        if not changed:
            return []
        origins = set(_origins(self._reckoning.function(function, args)))
        rules = {changed[one] for one in origins if one in changed}
        rows = {field for one in origins for field in row_fields.get(one, ())}
        printed = self._printed(function, args) if self._on_things else set()
        return [
            one
            for one in self._sources.patches
            if (one.item, one.field) in rows or self._is_read(one, rules, printed)
        ]

    def _printed(self, function: str, args: tuple[Dynamic, ...]) -> set[ChangedField]:
        """The changed printed fields that a function reads, among others."""
        reads = printed_reads(self._reckoning.linked, self._world, function, args)
        return {(self._item_of(field, thing), field.partition(".")[2]) for field, thing in reads}

    def _is_read(self, patch: PatchBehind, rules: Set[str], printed: Set[ChangedField]) -> bool:
        """Was a changed field read, where it is no row of a table that still stands?"""
        still = (patch.item, patch.field) in self._standing
        return (patch.item in rules and not still) or (patch.item, patch.root) in printed

    def _item_of(self, field: str, thing: int) -> str:
        """The item that has made a thing, if it was changed."""
        entity = self._reckoning.linked.entities[field.partition(".")[0]]
        return self._sources.changed.get(entity.places[thing], "") if entity.places else ""


def _origins(found: Finding) -> Iterator[Origin]:
    """The places of all parts of a finding, of those that do not count as well."""
    yield from found.via
    for part in found.parts:
        yield from _origins(part)


def patch_lines(patches: Sequence[PatchBehind]) -> Iterator[str]:
    """A line for each patch: what it changes, its pack with the version, and its place."""
    for one in patches:
        what = f"{one.item}.{one.field}: {brief(one.old)}, now {brief(one.new)}"
        who = f"{one.by} ({one.pack} {one.version})"
        yield safe_text(f"patched: {what}, by {who}  {one.pack}/{one.path}:{one.line}")


def brief(data: Any) -> str:
    """A value in a few words."""
    if isinstance(data, list):
        return f"[{', '.join(map(brief, data))}]"
    if isinstance(data, dict):
        entries = (f"{safe_text(key)}: {brief(value)}" for key, value in data.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(data, bool):
        return "true" if data else "false"
    text = "nothing" if data is None else " ".join(str(data).split())
    return safe_text(text if len(text) <= 40 else f"{text[:37]}...")
