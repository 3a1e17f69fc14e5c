"""Symbolic dice: of an open die only a range of faces is known.

Faces that the program never tells apart are enumerated together. A roll begins with all faces in
one range. Asking an open die what holds of only some faces of its range raises `ToldApart`, which
says where to cut the range; then the roll is enumerated again. An open die only compares: any other
use, from adding to hashing, cuts its range into single ones, and a single one is a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, pairwise
from math import ceil, floor
from typing import NoReturn, TypeAlias, TypeVar

from ruleloom.runtime.program.values import Dynamic

Numbers = (int, Fraction)
RollKey = tuple[int, int, int]

T = TypeVar("T")
Face: TypeAlias = "int | OpenNumber"
Faces: TypeAlias = tuple[Face, ...]


class Together:
    """Falls that are drawn together in one roll, until the program tells them apart."""

    key: RollKey


class ToldApart(BaseException):
    """The program tells apart what was drawn together: a range begins at each of `cuts`.

    It is no error, so no `except Exception` may catch it.
    """

    def __init__(self, roll: Together, cuts: Iterable[int]) -> None:
        super().__init__("what fell is told apart")
        self.roll = roll
        self.cuts = frozenset(cuts)


class OpenNumber:
    """A number between `low` and `high`, which is all that is known of it; it equals only itself.

    Of the dice of one range `place` 1 is the highest, and 0 stands for any of them; any further
    comparison cuts the range.
    """

    __slots__ = ("high", "low", "place", "roll", "token")

    def __init__(
        self, roll: Together, low: int, high: int, place: int, token: object = None
    ) -> None:
        self.roll = roll
        self.low = low
        self.high = high
        self.place = place
        self.token: object = token or object()
        """Stands for the number in keys, where it is only asked whether it is the same one."""

    def cut_at(self, starts: Iterable[int]) -> NoReturn:
        """Ranges have to begin at these numbers."""
        raise ToldApart(self.roll, starts)

    def cut_everywhere(self) -> NoReturn:
        """Each number of the range is wanted by itself."""
        self.cut_at(range(self.low + 1, self.high + 1))

    def tell(self, *_: object) -> NoReturn:
        """The refusal of any use that needs the number itself."""
        self.cut_everywhere()

    def of_all(self, of: Callable[[int], T]) -> T:
        """What holds of every number of the range; it is cut where that changes."""
        found = [of(one) for one in range(self.low, self.high + 1)]
        if any(isinstance(one, OpenNumber) for one in found):
            self.cut_everywhere()  # what holds hangs on other dice, too
        cuts = [self.low + 1 + i for i, (one, other) in enumerate(pairwise(found)) if one != other]
        if cuts:
            self.cut_at(cuts)
        return found[0]

    def _is_under(self, least: int) -> bool:
        if self.low < least <= self.high:
            self.cut_at((least,))
        return self.high < least

    def is_like(self, other: OpenNumber) -> bool:
        """Are both dice of one roll, with one range, of which each has its place?"""
        return (
            self.roll is other.roll and self.low == other.low and 0 not in (self.place, other.place)
        )

    def __eq__(self, other: object) -> bool:
        if self is other and self.place:
            return True
        if other.__class__ is int and not self.low <= other <= self.high:
            return False
        if isinstance(other, OpenNumber):
            return self._is_same(other)
        if not isinstance(other, Numbers) or other.denominator != 1:
            return False
        if self.low <= other <= self.high:
            self.cut_at({int(other), int(other) + 1} - {self.low, self.high + 1})
        return False

    def _is_same(self, other: OpenNumber) -> bool:
        """Are two open numbers the same one?"""
        return self.tell() if self.low <= other.high and other.low <= self.high else False

    def __lt__(self, other: object) -> bool:
        if other.__class__ is int and not self.low < other <= self.high:
            return bool(self.high < other)
        if isinstance(other, Numbers):
            return self._is_under(ceil(other))
        if not isinstance(other, OpenNumber):
            return NotImplemented
        if self.place and (self is other or (self.is_like(other) and self.place < other.place)):
            return False
        return self._lies_under(other, strictly=True)

    def __le__(self, other: object) -> bool:
        if other.__class__ is int and not self.low <= other < self.high:
            return bool(self.high <= other)
        if isinstance(other, Numbers):
            return self._is_under(floor(other) + 1)
        if not isinstance(other, OpenNumber):
            return NotImplemented
        if self.place and (self is other or (self.is_like(other) and self.place > other.place)):
            return True
        return self._lies_under(other, strictly=False)

    def _lies_under(self, other: OpenNumber, strictly: bool) -> bool:
        """Is the whole range under another, or not under it at all?"""
        if self.high < other.low or (self.high == other.low and not strictly):
            return True
        if self.low > other.high or (self.low == other.high and strictly):
            return False
        return self.tell()

    def __gt__(self, other: object) -> bool:
        if isinstance(other, OpenNumber):
            return other < self
        under = self.__le__(other)
        return under if under is NotImplemented else not under

    def __ge__(self, other: object) -> bool:
        if isinstance(other, OpenNumber):
            return other <= self
        under = self.__lt__(other)
        return under if under is NotImplemented else not under

    # Anything but comparing needs the number itself.
    __hash__ = tell
    __bool__ = __int__ = __index__ = __float__ = __complex__ = __str__ = __repr__ = tell
    __format__ = __round__ = __trunc__ = __floor__ = __ceil__ = __invert__ = tell
    __pos__ = __abs__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __matmul__ = tell
    __mul__ = __rmul__ = __rmatmul__ = tell
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = tell
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = tell
    __rlshift__ = __rshift__ = __rrshift__ = tell
    __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


class OpenDie(OpenNumber):
    """One die of a roll of which each is looked at."""

    __slots__ = ()

    __neg__ = __add__ = __radd__ = __sub__ = __rsub__ = OpenNumber.tell


def outranks(one: Dynamic, other: Dynamic) -> bool:
    """Is a face higher, or the earlier of two open dice of one range?"""
    if one.__class__ is OpenDie is other.__class__ and one.is_like(other):
        return bool(one.place < other.place)
    return bool(one > other)


def is_outranked(one: Dynamic, other: Dynamic) -> bool:
    """Is a face the lower one, or the later of two dice of one range, of which it is not known?"""
    return outranks(other, one)


def holds(test: Callable[[Dynamic], bool], value: Dynamic) -> bool:
    """Does a test hold of a value? Of an open die it does, or does not, of every face."""
    if not isinstance(value, OpenNumber):
        return test(value)
    try:
        return test(value)
    except ToldApart:  # more than the answer may depend on the face: say where that changes
        return bool(value.of_all(test))


class OpenDice(tuple[Face, ...]):
    """Dice as they have fallen, the highest first, open ones among them."""

    name: tuple[object, ...]
    """Stands for the dice in keys."""
    ranges: tuple[tuple[Face, int], ...]
    """A die for any of each range, and the number of them."""


def picked(dice: Sequence[Sequence[Face]], counts: Sequence[int]) -> Faces:
    """The first so many dice of each range."""
    return tuple(chain.from_iterable([of[:many] for of, many in zip(dice, counts, strict=True)]))


def divides(number: Dynamic) -> bool:
    """Can open numbers be divided by this?"""
    return bool(number.__class__ is int and number > 0)
