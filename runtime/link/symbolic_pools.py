"""Symbolic pools: dice that are looked at one by one, and of which only counts are asked.

The falls of a pool, by how many dice show a face of each range, are enumerated together until the
program asks what holds of only some of them. How many dice pass a test is a number for each fall: it
can be added, multiplied and compared, and a comparison that holds of only some falls raises
`PoolParted`, which has the parts. Whoever wants the dice themselves gets them fall by fall.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, repeat
from math import comb
from operator import add, eq, le, lt, mul, neg, sub
from typing import NoReturn, TypeVar

from ruleloom.runtime.link.symbolic_dice import (
    Face,
    Faces,
    OpenDie,
    OpenNumber,
    OpenSum,
    RollKey,
    Together,
    ToldApart,
    holds,
)
from ruleloom.runtime.program.values import LARGEST, Dynamic

T = TypeVar("T")
# How many dice show a face of each range, the highest range first.
Counts = tuple[int, ...]
# The last die of a range stands behind all others, however many they are.
LAST = 1 << 62


class PoolParted(ToldApart):
    """The program tells apart the falls of a pool: those of each of `parts` go on together."""

    def __init__(self, pool: OpenPool, parts: Sequence[OpenPool]) -> None:
        super().__init__(pool, ())
        self.pool = pool
        self.parts = parts


class OpenDice(tuple[Face, ...]):
    """Dice as they have fallen, the highest first, open ones among them."""

    name: tuple[object, ...]
    """Stands for the dice in keys."""
    ranges: tuple[tuple[Face, int], ...]
    """What stands for any die of a range, and how many there are of it."""


class OpenPool(Together):
    """Some falls of the dice of a roll, each with the orders that lead to it.

    It answers how many dice there are, how many pass a test, and which is the highest or lowest; for
    anything else each fall is told apart.
    """

    __slots__ = ("_columns", "_dice", "falls", "key", "number", "orders", "roll", "token", "ways")

    def __init__(
        self, roll: OpenRoll, number: int, falls: Sequence[Counts], orders: tuple[int, ...]
    ) -> None:
        self.roll = roll
        self.key = roll.key
        self.number = number
        self.falls = falls
        self.orders = orders
        self.ways = sum(orders)
        self.token: object = object()
        self._columns: list[Counts] | None = None
        self._dice: Faces | None = None

    @property
    def dice(self) -> Dynamic:
        """What the program gets: the dice, where only one fall is left."""
        if len(self.falls) > 1:
            return self
        if self._dice is None:
            self._dice = self.roll.fallen(self.falls[0])
        return self._dice

    @property
    def columns(self) -> list[Counts]:
        """The dice of each range, fall by fall."""
        if self._columns is None:
            self._columns = [*zip(*self.falls, strict=True)]
        return self._columns

    def parted(self, by: Iterable[Hashable]) -> NoReturn:
        """The falls are told apart by something that is known of each."""
        parts: dict[Hashable, tuple[list[Counts], list[int]]] = {}
        for one, counts, orders in zip(by, self.falls, self.orders, strict=True):
            falls, ways = parts.setdefault(one, ([], []))
            falls.append(counts)
            ways.append(orders)
        made = [
            OpenPool(self.roll, self.number, falls, tuple(ways)) for falls, ways in parts.values()
        ]
        raise PoolParted(self, made)

    def tell(self, *_: object) -> NoReturn:
        """Each fall is wanted by itself."""
        self.parted(range(len(self.falls)))

    def how_many(self, test: Callable[[Dynamic], bool]) -> Face:
        """How many dice pass a test."""
        both = zip(self.roll.any, self.columns, strict=True)
        passing = [column for one, column in both if any(column) and holds(test, one)]
        if len(passing) < 2:
            return number_of(self, passing[0]) if passing else 0
        return number_of(self, tuple(map(sum, zip(*passing, strict=True))))

    def highest(self) -> Face:
        """The highest die."""
        return self.roll.first[self._only(range(len(self.columns)))]

    def lowest(self) -> Face:
        """The lowest die."""
        return self.roll.last[self._only(range(len(self.columns))[::-1])]

    def _only(self, ranges: Sequence[int]) -> int:
        """The first of these ranges of which there is a die; it has to be the same for all falls."""
        found = next(one for one in ranges if any(self.columns[one]))
        if not all(self.columns[found]):
            self.parted([next(at for at in ranges if fall[at]) for fall in self.falls])
        return found

    def __len__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return True if self is other else False if other is None else self.tell()

    # Anything else needs the dice.
    __hash__ = __bool__ = __iter__ = __reversed__ = __contains__ = __getitem__ = tell
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = tell
    __mul__ = __rmul__ = __neg__ = __pos__ = __int__ = __index__ = __str__ = __repr__ = tell
    __format__ = __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


class OpenCount(OpenNumber):
    """A whole number that hangs on how the dice of a pool have fallen: one for each fall."""

    __slots__ = ("pool", "values")

    def __init__(self, pool: OpenPool, values: Counts, low: int, high: int) -> None:
        super().__init__(pool, low, high, 0)
        self.pool = pool
        self.values = values
        self.token = (pool.token, values)

    def cut_at(self, starts: Iterable[int]) -> NoReturn:
        from_ = sorted(starts)
        self.pool.parted([sum([one >= start for start in from_]) for one in self.values])

    def cut_everywhere(self) -> NoReturn:
        self.pool.parted(self.values)

    def of_all(self, of: Callable[[int], T]) -> T:
        """What holds of the number, whatever it is; falls are told apart by that."""
        answers = {one: of(one) for one in dict.fromkeys(self.values)}
        found = [answers[one] for one in self.values]
        if any(one != other for one, other in pairwise(found)):
            kinds: list[T] = []
            for one in found:
                if one not in kinds:
                    kinds.append(one)
            self.pool.parted([kinds.index(one) for one in found])
        return found[0]

    def with_other(self, do: Callable[[int, int], int], other: object) -> Face:
        """What comes of it and of another number, fall by fall."""
        if other.__class__ is int:
            return number_of(self.pool, tuple(map(do, self.values, repeat(other))))
        if other.__class__ is OpenCount and other.pool is self.pool:
            return number_of(self.pool, tuple(map(do, self.values, other.values)))
        return self.tell()

    def _is_same(self, other: OpenNumber) -> bool:
        if isinstance(other, OpenCount) and other.pool is self.pool:
            return self._compared(eq, other)
        return super()._is_same(other)

    def _lies_under(self, other: OpenNumber, strictly: bool) -> bool:
        if isinstance(other, OpenCount) and other.pool is self.pool:
            return self._compared(lt if strictly else le, other)
        return super()._lies_under(other, strictly)

    def _compared(self, do: Callable[[int, int], bool], other: OpenCount) -> bool:
        """What a comparison comes to for all falls."""
        found = [*map(do, self.values, other.values)]
        if found.count(found[0]) < len(found):
            self.pool.parted(found)
        return found[0]

    def __neg__(self) -> Face:
        return number_of(self.pool, tuple(map(neg, self.values)))

    def __add__(self, other: object) -> Face:
        return self.with_other(add, other)

    def __sub__(self, other: object) -> Face:
        return self.with_other(sub, other)

    def __rsub__(self, other: object) -> Face:
        return self.with_other(_taken_from, other)

    def __mul__(self, other: object) -> Face:  # type: ignore[override]
        return self.with_other(mul, other)

    __radd__ = __add__
    __rmul__ = __mul__  # type: ignore[assignment]


def _taken_from(one: int, other: int) -> int:
    return other - one


def number_of(pool: OpenPool, values: Counts) -> Face:
    """A number that has this value for each fall of a pool."""
    low, high = min(values), max(values)
    if low == high:
        return low
    found = OpenCount(pool, values, low, high)
    if not -LARGEST < low <= high < LARGEST:
        found.tell()  # what could be too large to be kept is told apart
    return found


class OpenRoll(Together):
    """The dice of one roll, in ranges that begin at `cuts`.

    The falls of so many dice are kept in the pools that the program has told apart; all are one pool
    at first, unless they are to be `single`. It may be used again for the same roll at the same
    point of the same question, but not for two rolls in one game: its dice would be the same ones.
    """

    def __init__(self, key: RollKey, cuts: frozenset[int], single: bool = False) -> None:
        self.key = key
        self.cuts = cuts
        self.single = single
        lows = (1, *sorted(cuts), key[2] + 1)
        self._ranges = [(low, after - 1) for low, after in reversed([*pairwise(lows)])]
        self._sizes = tuple(high - low + 1 for low, high in self._ranges)
        self._dice: list[list[Face]] = [[] for _ in self._ranges]
        self._pools: dict[int, list[OpenPool]] = {}
        self.any = [self._die(low, high, 0) for low, high in self._ranges]
        """What stands for any die of each range, the highest range first."""
        self.first = [self._die(low, high, 1) for low, high in self._ranges]
        self.last = [self._die(low, high, LAST) for low, high in self._ranges]

    def _die(self, low: int, high: int, place: int) -> Face:
        return low if low == high else OpenDie(self, low, high, place)

    def many(self, number: int) -> int:
        """In how many ways so many dice can fall into these ranges."""
        return comb(number + len(self._sizes) - 1, number)

    def pools(self, number: int) -> list[OpenPool]:
        """All falls of so many dice, in the pools that have been told apart so far."""
        if number not in self._pools:
            found = drawn(number, self._sizes)
            if self.single:
                made = [OpenPool(self, number, [one], (orders,)) for one, orders in found]
            else:
                falls, orders = zip(*found, strict=True)
                made = [OpenPool(self, number, falls, orders)]
            self._pools[number] = made
        return self._pools[number]

    def keep(self, number: int, pools: list[OpenPool]) -> None:
        """Keep the pools that all falls of so many dice have been told apart into."""
        self._pools[number] = pools

    def part(self, told: PoolParted) -> bool:
        """Put its parts in the place of a pool; False if that is none of these any more."""
        pools = self._pools.get(told.pool.number, [])
        if not any(one is told.pool for one in pools):
            return False
        left = [one for one in pools if one is not told.pool]
        self._pools[told.pool.number] = [*left, *told.parts]
        return True

    def fallen(self, counts: Counts) -> Faces:
        """The dice of one fall, the highest first."""
        for dice, first, (low, high), many in zip(
            self._dice, self.first, self._ranges, counts, strict=True
        ):
            for place in range(len(dice) + 1, many + 1):
                dice.append(first if place == 1 else self._die(low, high, place))
        faces = _picked(self._dice, counts)
        if not holds_open(faces):
            return faces
        fallen = OpenDice(faces)
        fallen.name = tuple(map(named, faces))
        both = zip(self.any, counts, strict=True)
        fallen.ranges = tuple([(one, many) for one, many in both if many])
        return fallen


def _picked(dice: Sequence[Sequence[Face]], counts: Counts) -> Faces:
    """The first so many dice of each range."""
    return tuple(chain.from_iterable([of[:many] for of, many in zip(dice, counts, strict=True)]))


@lru_cache(maxsize=256)
def drawn(number: int, sizes: tuple[int, ...]) -> tuple[tuple[Counts, int], ...]:
    """How many dice can fall into each range of faces, with the orders that lead to it."""
    if len(sizes) == 1:
        return (((number,), sizes[0] ** number),)
    return tuple(
        ((many, *others), comb(number, many) * sizes[0] ** many * orders)
        for many in range(number, -1, -1)
        for others, orders in drawn(number - many, sizes[1:])
    )


# The classes of open numbers, and of open dice that lie together.
OPEN = frozenset((OpenDie, OpenSum, OpenCount))
DICE = frozenset((OpenDice, OpenPool))


def holds_open(values: Iterable[Dynamic]) -> bool:
    """Is there an open die among these values, or in a list among them?"""
    if values.__class__ in DICE:
        return True
    for one in values:
        kind = one.__class__
        if kind in OPEN or kind in DICE or (kind is tuple and holds_open(one)):
            return True
    return False


def seen(value: Dynamic) -> Dynamic:
    """The value, for somebody who looks at all of it: open dice in it are told apart."""
    kind = value.__class__
    if kind in OPEN or kind is OpenPool:
        value.tell()
    if kind is tuple or kind is list or kind is OpenDice:
        for one in value:
            if one.__class__ is not int:
                seen(one)
    return value


def named(value: Dynamic) -> Dynamic:
    """A value as part of a key: a token stands for an open die."""
    kind = value.__class__
    if kind in OPEN or kind is OpenPool:
        return value.token
    if kind is OpenDice:
        return value.name
    return tuple(map(named, value)) if kind is tuple and holds_open(value) else value


def spread(value: Dynamic) -> tuple[Mapping[Dynamic, int], int]:
    """Each thing that a value can be, with its ways, and how many ways there are: a number that hangs
    on the dice of a pool is one for each fall. Other open dice in it are told apart."""
    pool = _pool_in(value)
    if pool is None:
        return {seen(value): 1}, 1
    found: dict[Dynamic, int] = {}
    of_all = 1
    if value.__class__ is OpenCount:
        for one, ways in zip(value.values, pool.orders, strict=True):
            found[one] = found.get(one, 0) + ways
        return found, pool.ways
    for at, ways in enumerate(pool.orders):
        inner, of_all = spread(_fallen_at(value, pool, at))
        for one, many in inner.items():
            found[one] = found.get(one, 0) + ways * many
    return found, pool.ways * of_all


def _pool_in(value: Dynamic) -> OpenPool | None:
    """A pool on which a number in a value hangs."""
    if value.__class__ is OpenCount:
        pool: OpenPool = value.pool
        return pool
    if value.__class__ is not tuple:
        return None
    return next((pool for pool in map(_pool_in, value) if pool is not None), None)


def _fallen_at(value: Dynamic, pool: OpenPool, at: int) -> Dynamic:
    """A value, with the numbers that hang on a pool as they are where it has fallen so."""
    if value.__class__ is OpenCount:
        return value.values[at] if value.pool is pool else value
    return (
        tuple([_fallen_at(one, pool, at) for one in value]) if value.__class__ is tuple else value
    )
