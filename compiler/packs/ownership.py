"""The pack that a place belongs to, the packs that each builds on, and the values that packs add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import Frozen, dataclass


class Belonging(Frozen):
    """The pack of each file, and all the packs that each pack builds on."""

    packs: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, content: Content) -> Belonging:
        """Read it from the manifests."""
        below = closures({pack.id: pack.needs for pack in content.packs})
        return cls({path: pack for path, (pack, _) in content.files.items()}, below)

    def pack(self, place: Place) -> str:
        """The pack in which something stands."""
        return self.packs.get(place.path, "")

    def is_later(self, place: Place, other: Place) -> bool:
        """Does a place stand in a pack behind that of the other one?"""
        rank = {pack: number for number, pack in enumerate(self.below)}
        one, two = self.pack(place), self.pack(other)
        return one in rank and two in rank and rank[one] > rank[two]

    def builds_on(self, place: Place, other: Place) -> bool:
        """Does the pack in which something stands know what stands in the other one's?"""
        return self.pack(other) in self.below.get(self.pack(place), (self.pack(place),))


class Silence(Frozen):
    """A table or record without a value for an enum's value; `patch` is what would add one."""

    name: str
    place: Place
    patch: str


@dataclass(slots=True)
class NewValues:
    """The values that packs have added, by enum, each with its place; and what lacks them."""

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
        """Remember an item that lacks these values, whose `field` a patch would have to set."""
        for value in values:
            patch = f"`target: {id}` and `set: {{{field}.{value}: ...}}`"
            self.silent.setdefault((enum, value), []).append(Silence(name, place, patch))
