"""The columns of the world by number, and cached views of them.

Each player has fifteen numbered pieces: player 2 owns the pieces 30 to 44. A piece in the stash has
no space, no size and no direction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import chain
from typing import Generic, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games.gnostica.geometry import Ground
from ruleloom.runtime.program.values import Column, Layout, Point, World

PIECES_EACH = 15

T = TypeVar("T")


class Kept(Generic[T]):
    """A function of one column that caches its answers by the identity of the column."""

    __slots__ = ("_answers", "_last", "_most", "_work")

    def __init__(self, work: Callable[[Column], T], most: int = 256) -> None:
        self._work = work
        self._most = most
        self._answers: dict[int, tuple[Column, T]] = {}
        self._last: tuple[Column, T] | None = None

    def __call__(self, column: Column) -> T:
        last = self._last
        if last is not None and last[0] is column:
            return last[1]
        answer = self._kept(column)
        self._last = (column, answer)
        return answer

    def _kept(self, column: Column) -> T:
        found = self._answers.get(id(column))
        if found is not None:
            return found[1]
        if len(self._answers) >= self._most:
            self._answers.clear()
        answer = self._work(column)
        self._answers[id(column)] = (column, answer)
        return answer


@dataclass(frozen=True)
class Crowd:
    """The pieces on the board: all, by space, and by player."""

    pieces: tuple[int, ...]
    on: dict[Point, tuple[int, ...]]
    of: tuple[tuple[int, ...], ...]

    @classmethod
    def standing(cls, spaces: tuple[Point | None, ...]) -> Crowd:
        """Read the column that says where each piece stands."""
        on: dict[Point, list[int]] = defaultdict(list)
        of: list[list[int]] = [[] for _ in range(len(spaces) // PIECES_EACH)]
        for piece, space in enumerate(spaces):
            if space is not None:
                on[space].append(piece)
                of[piece // PIECES_EACH].append(piece)
        by_space = {space: tuple(here) for space, here in on.items()}
        return cls(tuple(chain.from_iterable(of)), by_space, tuple(map(tuple, of)))


@dataclass(frozen=True)
class GnosticaColumns:
    """The numbers of the columns, and the two views that nearly every question needs."""

    owner: int
    pips: int
    facing: int
    space: int
    hand: int
    draw_pile: int
    discard_pile: int
    aside: int
    board: int
    crowd_of: Kept[Crowd]
    ground_of: Kept[Ground]

    @classmethod
    def of(cls, layout: Layout) -> GnosticaColumns:
        """Find the columns of a game."""
        pieces = {
            name: layout.index[f"Piece.{name}"] for name in ("owner", "pips", "facing", "space")
        }
        zones = {
            name: layout.index[name]
            for name in ("hand", "draw_pile", "discard_pile", "aside", "board")
        }
        return cls(**pieces, **zones, crowd_of=Kept(Crowd.standing), ground_of=Kept(Ground.under))

    def crowd(self, world: World) -> Crowd:
        """The pieces on the board."""
        return self.crowd_of(world[self.space])

    def ground(self, world: World) -> Ground:
        """The board."""
        return self.ground_of(world[self.board])


def changed(world: World, columns: dict[int, Column]) -> World:
    """The world with some columns replaced."""
    new = list(world)
    for number, column in columns.items():
        new[number] = column
    return tuple(new)
