"""Symbolic dice: of an open die only a range of faces is known, of an open sum a range of sums.

Faces that the program never tells apart are enumerated together. A roll begins with all faces in
one range. Asking an open die what holds of only some faces of its range raises `ToldApart`, which
says where to cut the range; then the roll is enumerated again. An open die only compares, an open
sum also takes numbers that are added to it or subtracted: any other use, from multiplying to hashing,
cuts its range into single ones, and a single one is a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import ceil, comb, floor
from typing import NoReturn, TypeAlias, TypeVar

from ruleloom.runtime.program.values import LARGEST, Dynamic

Numbers = (int, Fraction)
RollKey = tuple[int, int, int]

T = TypeVar("T")
Face: TypeAlias = "int | OpenNumber"
Faces: TypeAlias = tuple[Face, ...]


class ToldApart(BaseException):
    """The program tells apart what was drawn together: a range begins at each of `cuts`.

    It is no error, so no `except Exception` may catch it.
    """

    def __init__(self, roll: OpenRoll | SumRoll, cuts: Iterable[int]) -> None:
        super().__init__("what fell is told apart")
        self.roll = roll
        self.cuts = frozenset(cuts)


class OpenNumber:
    """A number between `low` and `high`, which is all that is known of it; it equals only itself.

    Of the dice of one range `place` 1 is the highest, and 0 stands for any of them; any further
    comparison cuts the range.
    """

    __slots__ = ("high", "low", "place", "roll", "token")

    def __init__(self, roll: OpenRoll | SumRoll, low: int, high: int, place: int) -> None:
        self.roll = roll
        self.low = low
        self.high = high
        self.place = place
        self.token: object = object()
        """Stands for the number in keys, where it is only asked whether it is the same one."""

    def cut_at(self, starts: Iterable[int]) -> NoReturn:
        """Ranges have to begin at these numbers."""
        raise ToldApart(self.roll, starts)

    def tell(self, *_: object) -> NoReturn:
        """Each number of the range is wanted by itself."""
        self.cut_at(range(self.low + 1, self.high + 1))

    def of_all(self, of: Callable[[int], T]) -> T:
        """What holds of every number of the range; it is cut where that changes."""
        found = [of(one) for one in range(self.low, self.high + 1)]
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
        if self is other:
            return True
        if other.__class__ is int and not self.low <= other <= self.high:
            return False
        if isinstance(other, OpenNumber):
            return self.tell() if self.low <= other.high and other.low <= self.high else False
        if not isinstance(other, Numbers) or other.denominator != 1:
            return False
        if self.low <= other <= self.high:
            self.cut_at({int(other), int(other) + 1} - {self.low, self.high + 1})
        return False

    def __lt__(self, other: object) -> bool:
        if other.__class__ is int and not self.low < other <= self.high:
            return bool(self.high < other)
        if isinstance(other, Numbers):
            return self._is_under(ceil(other))
        if not isinstance(other, OpenNumber):
            return NotImplemented
        if self is other or (self.is_like(other) and self.place < other.place):
            return False
        return self._lies_under(other, strictly=True)

    def __le__(self, other: object) -> bool:
        if other.__class__ is int and not self.low <= other < self.high:
            return bool(self.high <= other)
        if isinstance(other, Numbers):
            return self._is_under(floor(other) + 1)
        if not isinstance(other, OpenNumber):
            return NotImplemented
        if self is other or (self.is_like(other) and self.place > other.place):
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


class OpenSum(OpenNumber):
    """A sum of dice, or that of which it is a part: the sum, taken `sign` times, and `more`."""

    __slots__ = ("more", "of", "sign")

    def __init__(
        self, roll: SumRoll, low: int, high: int, of: object = None, sign: int = 1, more: int = 0
    ) -> None:
        super().__init__(roll, low, high, 0)
        # What stands for the sum itself, whatever has been added to it.
        self.of = object() if of is None else of
        self.sign = sign
        self.more = more
        self.token = (self.of, sign, more)

    def cut_at(self, starts: Iterable[int]) -> NoReturn:
        if self.sign < 0:
            raise ToldApart(self.roll, [self.more - start + 1 for start in starts])
        raise ToldApart(self.roll, [start - self.more for start in starts])

    def _with(self, more: object) -> OpenSum:
        """The sum with a number added. What could be too large to be kept is told apart."""
        if (
            more.__class__ is not int
            or not -LARGEST < self.low + more <= self.high + more < LARGEST
        ):
            self.tell()
        return self._as(self.low + more, self.high + more, self.sign, self.more + more)

    def _as(self, low: int, high: int, sign: int, more: int) -> OpenSum:
        assert isinstance(self.roll, SumRoll)
        return OpenSum(self.roll, low, high, self.of, sign, more)

    def __neg__(self) -> OpenSum:
        return self._as(-self.high, -self.low, -self.sign, -self.more)

    def __add__(self, other: object) -> OpenSum:
        return self._with(other)

    def __sub__(self, other: object) -> OpenSum:
        return self._with(-other if other.__class__ is int else None)

    def __rsub__(self, other: object) -> OpenSum:
        return (-self)._with(other)

    __radd__ = __add__


class OpenDice(tuple["Face", ...]):
    """Dice as they have fallen, the highest first, open ones among them."""

    name: tuple[object, ...]
    """Stands for the dice in keys."""
    ranges: tuple[tuple[Face, int], ...]
    """What stands for any die of a range, and how many there are of it."""


class OpenRoll:
    """The dice of one roll, in ranges that begin at `cuts`."""

    def __init__(self, key: RollKey, cuts: frozenset[int]) -> None:
        self.key = key
        self.cut(cuts)

    def cut(self, cuts: frozenset[int]) -> None:
        """Begin ranges at these faces, with new dice."""
        lows = (1, *sorted(cuts), self.key[2] + 1)
        self._ranges = [(low, after - 1) for low, after in reversed([*pairwise(lows)])]
        self._sizes = tuple(high - low + 1 for low, high in self._ranges)
        self._ways: dict[int, tuple[tuple[Faces, int], ...]] = {}
        self._dice: list[list[Face]] = [[] for _ in self._ranges]
        self._any = [self._die(low, high, 0) for low, high in self._ranges]

    def _die(self, low: int, high: int, place: int) -> Face:
        return low if low == high else OpenDie(self, low, high, place)

    def many(self, number: int) -> int:
        """In how many ways so many dice can fall into these ranges."""
        return comb(number + len(self._sizes) - 1, number)

    def ways(self, number: int) -> tuple[tuple[Faces, int], ...]:
        """Each way that dice can fall into these ranges, with the orders that lead to it."""
        if number not in self._ways:
            for dice, (low, high) in zip(self._dice, self._ranges, strict=True):
                for place in range(len(dice) + 1, number + 1):
                    dice.append(self._die(low, high, place))
            # The first so many dice of each range, and what stands for them in keys.
            fallen = [[tuple(dice[:many]) for many in range(number + 1)] for dice in self._dice]
            names = [[tuple(map(named, dice)) for dice in of_range] for of_range in fallen]
            self._ways[number] = tuple(
                (self._fallen(_picked(fallen, counts), _picked(names, counts), counts), orders)
                for counts, orders in drawn(number, self._sizes)
            )
        return self._ways[number]

    def _fallen(self, dice: Faces, name: tuple[object, ...], counts: Sequence[int]) -> Faces:
        if not holds_open(dice):
            return dice
        fallen = OpenDice(dice)
        fallen.name = name
        both = zip(self._any, counts, strict=True)
        fallen.ranges = tuple([(one, many) for one, many in both if many])
        return fallen


class SumRoll:
    """The sum of the dice of one roll, in ranges that begin where it is told apart."""

    def __init__(self, key: RollKey, falls: Sequence[tuple[int, int]]) -> None:
        self.key = key
        self._falls = falls
        self.cuts: frozenset[int] = frozenset()

    def tell(self, cuts: frozenset[int]) -> bool:
        """Cut the ranges; False if they have all been cut by now."""
        self.cuts |= cuts
        return len(self.cuts) < len(self._falls) - 1

    def ways(self) -> list[tuple[Face, int]]:
        """Each range, with the ways that lead to it."""
        lows = [0, *(at for at, (sum_, _) in enumerate(self._falls) if at and sum_ in self.cuts)]
        ends = [*lows[1:], len(self._falls)]
        found: list[tuple[Face, int]] = []
        for low, end in zip(lows, ends, strict=True):
            least, most = self._falls[low][0], self._falls[end - 1][0]
            sum_ = least if least == most else OpenSum(self, least, most)
            found.append((sum_, sum(many for _, many in self._falls[low:end])))
        return found


def _picked(parts: list[list[tuple[T, ...]]], counts: Sequence[int]) -> tuple[T, ...]:
    return tuple(
        chain.from_iterable([of_range[many] for of_range, many in zip(parts, counts, strict=True)])
    )


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


# The classes of open numbers.
OPEN = frozenset((OpenDie, OpenSum))


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


def holds_open(values: Iterable[Dynamic]) -> bool:
    """Is there an open die among these values, or in a list among them?"""
    if values.__class__ is OpenDice:
        return True
    for one in values:
        kind = one.__class__
        if kind in OPEN or kind is OpenDice or (kind is tuple and holds_open(one)):
            return True
    return False


def seen(value: Dynamic) -> Dynamic:
    """The value, for somebody who looks at all of it: open dice in it are told apart."""
    kind = value.__class__
    if kind in OPEN:
        value.tell()
    if kind is tuple or kind is list or kind is OpenDice:
        for one in value:
            if one.__class__ is not int:
                seen(one)
    return value


def named(value: Dynamic) -> Dynamic:
    """A value as part of a key: a token stands for an open die."""
    kind = value.__class__
    if kind in OPEN:
        return value.token
    if kind is OpenDice:
        return value.name
    return tuple(map(named, value)) if kind is tuple and holds_open(value) else value
