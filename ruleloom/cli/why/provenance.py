"""The patches behind a number: what packs have changed of all that it is worked out from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from ruleloom.cli.why.field_history import brief
from ruleloom.compiler.packs.content import Change, Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.explain.printed_reads import printed_reads
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Dynamic, World

# What no number depends on.
PROSE = frozenset({"title", "text", "english", "gloss", "help", "clauses"})


@dataclass(frozen=True, slots=True)
class PatchBehind:
    """A change of a field of an item, with the version of the pack that makes it."""

    item: str
    field: str
    change: Change
    version: str
    path: str

    def to_json(self) -> dict[str, Any]:
        """What JSON tells of it."""
        one = self.change
        return {
            **{"item": self.item, "field": self.field, "by": one.by},
            **{"pack": one.pack, "version": self.version, "old": one.old, "new": one.new},
            "at": {"path": self.path, "line": one.line},
        }


class Provenance:
    """What packs have changed of the items of a game."""

    def __init__(self, content: Content, reckoning: Reckoning, world: World) -> None:
        self._content = content
        self._reckoning = reckoning
        self._world = world
        changed = {id for id, field in content.history if _root(field) not in PROSE}
        items = [item for item in content.items if item.id in changed]
        places = content.rule_places()
        self._items = {places[item.id]: item.id for item in items}
        self._items |= {content.origin(item.place): item.id for item in items}
        self._rows = content.patched_row_places()

    def patches(self, function: str, args: tuple[Dynamic, ...]) -> list[PatchBehind]:
        """The changes of whatever a function reads here, and of the rules in its whole derivation."""
        if not self._items:
            return []
        origins = set(_origins(self._reckoning.function(function, args)))
        rules = {self._items[one] for one in origins if one in self._items}
        rows = {row for one in origins for row in self._rows.get(one, ())}
        reads = printed_reads(self._reckoning.linked, self._world, function, args)
        printed = {(self._item_of(field, thing), field.partition(".")[2]) for field, thing in reads}
        return [
            self._patched(item, field, one)
            for (item, field), changes in self._content.history.items()
            if _root(field) not in PROSE
            and ((item, field) in rows or self._is_read(item, field, rules, printed))
            for one in changes
        ]

    def _is_read(
        self, item: str, field: str, rules: Set[str], printed: Set[tuple[str, str]]
    ) -> bool:
        """Was a changed field read, where it is no row of a table that still stands?"""
        still = any((item, field) in rows for rows in self._rows.values())
        return (item in rules and not still) or (item, _root(field)) in printed

    def _item_of(self, field: str, thing: int) -> str:
        """The item that has made a thing, if it was changed."""
        entity = self._reckoning.linked.entities[field.partition(".")[0]]
        return self._items.get(entity.places[thing], "") if entity.places else ""

    def _patched(self, item: str, field: str, one: Change) -> PatchBehind:
        path = self._content.files[one.path][1]
        return PatchBehind(item, field, one, self._content.pack(one.pack).version, path)


def _root(field: str) -> str:
    """The field of which this may be a row."""
    return field.partition(".")[0]


def _origins(found: Finding) -> Iterator[Origin]:
    """Where all stands that a finding rests upon, what does not count included."""
    yield from found.via
    for part in found.parts:
        yield from _origins(part)


def patch_lines(patches: Sequence[PatchBehind]) -> Iterator[str]:
    """A line for each patch: what it changes, its pack with the version, and its place."""
    for patch in patches:
        one = patch.change
        what = f"{patch.item}.{patch.field}: {brief(one.old)}, now {brief(one.new)}"
        who = f"{one.by} ({one.pack} {patch.version})"
        yield safe_text(f"patched: {what}, by {who}  {one.pack}/{patch.path}:{one.line}")
