"""Values that packs add to the enums of others, and what says nothing of them: nothing is silently
left out.

Gathered while tables and printed fields are read; `ruleloom.compiler.lint.silent_tables` tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.source.file import Place


@dataclass(frozen=True, slots=True)
class Silence:
    """Something that says nothing of a value: what it is called, where it stands, what a patch of
    it would say."""

    name: str
    place: Place
    patch: str


@dataclass(slots=True)
class NewValues:
    """The values that packs have added, by enum, each with its place; and what says nothing of
    them."""

    places: dict[str, dict[str, Place]] = field(default_factory=dict)
    silent: dict[tuple[str, str], list[Silence]] = field(default_factory=dict)

    def add(self, enum: str, value: str, place: Place) -> None:
        """Enter a value that some pack has added."""
        self.places.setdefault(enum, {})[value] = place

    def are_all_new(
        self, enum: str, values: Iterable[str], at: Place, belonging: Belonging
    ) -> bool:
        """Could what stands at a place not know of any of these values?"""
        added = self.places.get(enum, {})
        return all(one in added and not belonging.builds_on(at, added[one]) for one in values)

    def note(
        self, enum: str, values: Iterable[str], name: str, field: str, id: str, place: Place
    ) -> None:
        """Remember what says nothing of these values: the item `id`, whose `field` a patch would
        have to set."""
        for value in values:
            patch = f"`target: {id}` and `set: {{{field}.{value}: ...}}`"
            self.silent.setdefault((enum, value), []).append(Silence(name, place, patch))
