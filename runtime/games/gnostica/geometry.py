"""The board as an endless plane of points: x grows to the east, y to the north."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import Point

SIDES: tuple[Point, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNERS: tuple[Point, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
# A piece that stands upright is not in this table: it points at its own space.
WAYS: dict[str, Point] = dict(zip("NESW", SIDES, strict=True))
# The vocabulary promises no more than 49 spaces.
WIDEST = 7


def ahead(start: Point, way: str, distance: int) -> Point:
    """The space so many steps in a direction; straight up leads nowhere else."""
    x, y = WAYS.get(way, (0, 0))
    return start[0] + distance * x, start[1] + distance * y


@lru_cache(maxsize=1_000)
def neighbours(at: Point, corners: bool) -> tuple[Point, ...]:
    """The four spaces that share a side with `at`; with `corners` the diagonal ones too."""
    x, y = at
    return tuple((x + dx, y + dy) for dx, dy in (SIDES + CORNERS if corners else SIDES))


def start_grid(width: int, height: int) -> tuple[Point, ...]:
    """The spaces of the first grid, row by row from `0/0`; ValueError for too many."""
    if width > WIDEST or height > WIDEST:
        most = f"{WIDEST} by {WIDEST} is the most"
        raise ValueError(f"a first grid of {width} by {height} spaces; {most}")
    return tuple((x, y) for y in range(height) for x in range(width))


@dataclass(frozen=True)
class Ground:
    """What follows from the places of the cards alone; made once for each board."""

    cards: frozenset[Point]

    @classmethod
    def under(cls, points: Iterable[Point]) -> Ground:
        """The ground of a board with cards at these points."""
        return cls(frozenset(points))

    @cached_property
    def territories(self) -> tuple[Point, ...]:
        """The spaces that have a card, in a fixed order."""
        return tuple(sorted(self.cards))

    @cached_property
    def beside(self) -> tuple[frozenset[Point], frozenset[Point]]:
        """Every space at the side of a card, with or without its own; and those at a corner too."""
        sides = frozenset(spot for card in self.cards for spot in neighbours(card, False))
        return sides, sides.union(*(neighbours(card, True) for card in self.cards))

    @cached_property
    def empty(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Those spaces of `beside` that have no card, in a fixed order."""
        sides, corners = self.beside
        return tuple(sorted(sides - self.cards)), tuple(sorted(corners - self.cards))
