"""The pack that a place belongs to, and the packs that each builds on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.source.file import Place


@dataclass(frozen=True, slots=True)
class Belonging:
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
