"""The pack of each place, the packs that each builds on, and the enum values that packs add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.apart import are_strangers
from ruleloom.compiler.packs.content import NO_PACK, Content
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import Frozen, dataclass


class Belonging(Frozen):
    """The pack of each file, and all the packs that each pack builds on."""

    packs: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, frozenset[str]] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()
    """The files that lie in no pack; they count to the last."""

    @classmethod
    def of(cls, content: Content) -> Belonging:
        """Read the relations from the manifests."""
        below = closures({pack.id: pack.needs for pack in content.packs})
        packs = {path: pack for path, (pack, _) in content.files.items()}
        return cls(packs, below, content.loose)

    def pack(self, place: Place) -> str:
        """The pack of a place, or empty."""
        return self.packs.get(place.path, "")

    def scope(self, place: Place) -> str:
        """The pack as which a place sees the items of others."""
        return NO_PACK if place.path in self.loose else self.packs.get(place.path, NO_PACK)

    def is_later(self, place: Place, other: Place) -> bool:
        """Is a place in a pack that comes after the other one's?"""
        rank = {pack: number for number, pack in enumerate(self.below)}
        one, two = self.pack(place), self.pack(other)
        return one in rank and two in rank and rank[one] > rank[two]

    def are_strangers(self, place: Place, other: Place) -> bool:
        """Are two places in packs neither of which builds on the other?"""
        one, two = self.pack(place), self.pack(other)
        return one in self.below and two in self.below and are_strangers(one, two, self.below)

    def builds_on(self, place: Place, other: Place) -> bool:
        """Does the pack of a place build on that of the other one?"""
        return self.pack(other) in self.below.get(self.pack(place), (self.pack(place),))


class Silence(Frozen):
    """A table or record without a value for an enum's value; `patch` is the patch that would add one."""

    name: str
    place: Place
    patch: str


@dataclass(slots=True)
class NewValues:
    """The values that packs have added, by enum, each with its place, and the items that lack them."""

    places: dict[str, dict[str, Place]] = field(default_factory=dict)
    silent: dict[tuple[str, str], list[Silence]] = field(default_factory=dict)

    def add(self, enum: str, value: str, place: Place) -> None:
        """Record a value that a pack has added."""
        self.places.setdefault(enum, {})[value] = place

    def are_all_new(
        self, enum: str, values: Iterable[str], at: Place, belonging: Belonging
    ) -> bool:
        """Are all of these values unknown to the pack of a place?"""
        added = self.places.get(enum, {})
        return all(one in added and not belonging.builds_on(at, added[one]) for one in values)

    def note(
        self, enum: str, values: Iterable[str], name: str, field: str, id: str, place: Place
    ) -> None:
        """Record an item that lacks these values, and the `field` that a patch would have to set."""
        for value in values:
            patch = f"`target: {id}` and `set: {{{field}.{value}: ...}}`"
            self.silent.setdefault((enum, value), []).append(Silence(name, place, patch))
