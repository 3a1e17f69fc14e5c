"""Symbolic dice: of an open die only a range of faces is known.

Faces that the program never tells apart are enumerated together. A roll begins with all faces in
one range. Asking an open die what holds of only some faces of its range raises `ToldApart`, which
says where to cut the range; then the roll is enumerated again. An open die only compares: any other
use, from adding to hashing, cuts its range into single faces, and a single face is a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import ceil, comb, floor
from typing import NoReturn, TypeAlias, TypeVar

from ruleloom.runtime.program.values import Dynamic

Numbers = (int, Fraction)
RollKey = tuple[int, int, int]

T = TypeVar("T")
Face: TypeAlias = "int | OpenDie"
Faces: TypeAlias = tuple[Face, ...]


class ToldApart(BaseException):
    """The program tells apart faces that were drawn together: a range begins at each of `cuts`.

    It is no error, so no `except Exception` may catch it.
    """

    def __init__(self, roll: OpenRoll, cuts: Iterable[int]) -> None:
        super().__init__("faces are told apart")
        self.roll = roll
        self.cuts = frozenset(cuts)


class OpenDie:
    """One die of a roll: `low` to `high` is all that is known of its face; it equals only itself.

    Of the dice of one range `place` 1 is the highest; any further comparison cuts the range.
    """

    __slots__ = ("high", "low", "place", "roll", "token")

    def __init__(self, roll: OpenRoll, low: int, high: int, place: int) -> None:
        self.roll = roll
        self.low = low
        self.high = high
        self.place = place
        self.token = object()
        """Stands for the die in keys, where it is only asked whether it is the same die."""

    def tell(self, *_: object) -> NoReturn:
        """Each face of the range is wanted by itself."""
        raise ToldApart(self.roll, range(self.low + 1, self.high + 1))

    def of_all(self, of: Callable[[int], T]) -> T:
        """What holds of every face of the range; it is cut where that changes."""
        found = [of(face) for face in range(self.low, self.high + 1)]
        cuts = [self.low + 1 + i for i, (one, other) in enumerate(pairwise(found)) if one != other]
        if cuts:
            raise ToldApart(self.roll, cuts)
        return found[0]

    def _is_under(self, least: int) -> bool:
        if self.low < least <= self.high:
            raise ToldApart(self.roll, (least,))
        return self.high < least

    def is_like(self, other: OpenDie) -> bool:
        """Are both dice of one roll, with one range?"""
        return self.roll is other.roll and self.low == other.low

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is int and not self.low <= other <= self.high:
            return False
        if isinstance(other, OpenDie):
            return self.tell() if self.low <= other.high and other.low <= self.high else False
        if not isinstance(other, Numbers) or other.denominator != 1:
            return False
        if not self.low <= other <= self.high:
            return False
        raise ToldApart(self.roll, {int(other), int(other) + 1} - {self.low, self.high + 1})

    def __lt__(self, other: object) -> bool:
        if other.__class__ is int and not self.low < other <= self.high:
            return bool(self.high < other)
        if isinstance(other, Numbers):
            return self._is_under(ceil(other))
        if not isinstance(other, OpenDie):
            return NotImplemented
        if self is other or (self.is_like(other) and self.place < other.place):
            return False
        return self._lies_under(other, strictly=True)

    def __le__(self, other: object) -> bool:
        if other.__class__ is int and not self.low <= other < self.high:
            return bool(self.high <= other)
        if isinstance(other, Numbers):
            return self._is_under(floor(other) + 1)
        if not isinstance(other, OpenDie):
            return NotImplemented
        if self is other or (self.is_like(other) and self.place > other.place):
            return True
        return self._lies_under(other, strictly=False)

    def _lies_under(self, other: OpenDie, strictly: bool) -> bool:
        """Is the whole range under another, or not under it at all?"""
        if self.high < other.low or (self.high == other.low and not strictly):
            return True
        if self.low > other.high or (self.low == other.high and strictly):
            return False
        return self.tell()

    def __gt__(self, other: object) -> bool:
        if isinstance(other, OpenDie):
            return other < self
        under = self.__le__(other)
        return under if under is NotImplemented else not under

    def __ge__(self, other: object) -> bool:
        if isinstance(other, OpenDie):
            return other <= self
        under = self.__lt__(other)
        return under if under is NotImplemented else not under

    # Anything but comparing needs the face itself.
    __hash__ = tell
    __bool__ = __int__ = __index__ = __float__ = __complex__ = __str__ = __repr__ = tell
    __format__ = __round__ = __trunc__ = __floor__ = __ceil__ = __invert__ = __neg__ = tell
    __pos__ = __abs__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __matmul__ = tell
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __rmatmul__ = tell
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = tell
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = tell
    __rlshift__ = __rshift__ = __rrshift__ = tell
    __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


class OpenDice(tuple["Face", ...]):
    """Dice as they have fallen, the highest first, open ones among them."""

    name: tuple[object, ...]
    """Stands for the dice in keys."""


class OpenRoll:
    """The dice of one roll, in ranges that begin at `cuts`, behind `layer` other prompts."""

    def __init__(self, key: RollKey, layer: int, cuts: frozenset[int]) -> None:
        self.key = key
        self.layer = layer
        lows = (1, *sorted(cuts), key[2] + 1)
        self._ranges = [(low, after - 1) for low, after in reversed([*pairwise(lows)])]
        self._sizes = tuple(high - low + 1 for low, high in self._ranges)
        self._ways: dict[int, tuple[tuple[Faces, int], ...]] = {}
        self._dice: list[list[Face]] = [[] for _ in self._ranges]

    def many(self, number: int) -> int:
        """In how many ways so many dice can fall into these ranges."""
        return comb(number + len(self._sizes) - 1, number)

    def ways(self, number: int) -> tuple[tuple[Faces, int], ...]:
        """Each way that dice can fall into these ranges, with the orders that lead to it."""
        if number not in self._ways:
            for dice, (low, high) in zip(self._dice, self._ranges, strict=True):
                for place in range(len(dice) + 1, number + 1):
                    dice.append(low if low == high else OpenDie(self, low, high, place))
            # The first so many dice of each range, and what stands for them in keys.
            fallen = [[tuple(dice[:many]) for many in range(number + 1)] for dice in self._dice]
            names = [[tuple(map(named, dice)) for dice in of_range] for of_range in fallen]
            self._ways[number] = tuple(
                (_fallen(_picked(fallen, counts), _picked(names, counts)), orders)
                for counts, orders in drawn(number, self._sizes)
            )
        return self._ways[number]


def _picked(parts: list[list[tuple[T, ...]]], counts: Sequence[int]) -> tuple[T, ...]:
    return tuple(
        chain.from_iterable([of_range[many] for of_range, many in zip(parts, counts, strict=True)])
    )


def _fallen(dice: Faces, name: tuple[object, ...]) -> Faces:
    if not holds_open(dice):
        return dice
    fallen = OpenDice(dice)
    fallen.name = name
    return fallen


@lru_cache(maxsize=256)
def drawn(number: int, sizes: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """How many dice can fall into each range of faces, with the orders that lead to it."""
    if len(sizes) == 1:
        return (((number,), sizes[0] ** number),)
    return tuple(
        ((many, *others), comb(number, many) * sizes[0] ** many * orders)
        for many in range(number, -1, -1)
        for others, orders in drawn(number - many, sizes[1:])
    )


def outranks(one: Dynamic, other: Dynamic) -> bool:
    """Is a face higher, or the earlier of two open dice of one range?"""
    if one.__class__ is OpenDie is other.__class__ and one.is_like(other):
        return bool(one.place < other.place)
    return bool(one > other)


def is_outranked(one: Dynamic, other: Dynamic) -> bool:
    """Is a face the lower one, or the later of two dice of one range, of which it is not known?"""
    return outranks(other, one)


def holds_open(values: Iterable[Dynamic]) -> bool:
    """Is there an open die among these values, or in a list among them?"""
    if values.__class__ is OpenDice:
        return True
    for one in values:
        kind = one.__class__
        if kind is OpenDie or kind is OpenDice or (kind is tuple and holds_open(one)):
            return True
    return False


def seen(value: Dynamic) -> Dynamic:
    """The value, for somebody who looks at all of it: open dice in it are told apart."""
    kind = value.__class__
    if kind is OpenDie:
        value.tell()
    if kind is tuple or kind is list or kind is OpenDice:
        for one in value:
            seen(one)
    return value


def named(value: Dynamic) -> Dynamic:
    """A value as part of a key: a token stands for an open die."""
    kind = value.__class__
    if kind is OpenDie:
        return value.token
    if kind is OpenDice:
        return value.name
    return tuple(map(named, value)) if kind is tuple and holds_open(value) else value
