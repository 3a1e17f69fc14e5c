"""Symbolic pools: dice rolled one by one, of which the program reads statistics.

All falls of a pool are handled together until the program asks for something that differs among them.
Subsets of its dice (the first few, the others, those that pass a test) are represented by the stages
before them (`PoolDice`). Their count, sum and highest are statistics, and so are values computed from
such numbers and truths (`PoolNumber`, `PoolTruth`). Reading such a value parts the pool by it
(`PoolParted`); reading the dice themselves parts it into single falls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from operator import and_, contains
from typing import NoReturn, TypeAlias, TypeVar

from ruleloom.runtime.link.pool_counting import Counting
from ruleloom.runtime.link.pool_statistics import (
    FIRST,
    MORE,
    SKIP,
    WHERE,
    Stage,
    Statistic,
    Values,
    hand,
    mapped,
    operated,
    tallied,
)
from ruleloom.runtime.program.values import LARGEST, Dynamic

Numbers = (int, Fraction)
RollKey = tuple[int, int, int]
T = TypeVar("T")
Test: TypeAlias = Callable[[Dynamic], Dynamic]
# What is known of a pool: the possible values of its statistics.
Conditions = dict[Statistic, frozenset[Dynamic]]
MOST_STATES = 1_000_000
COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))


class PoolParted(BaseException):
    """The program distinguishes falls of a pool by the value of a statistic.

    It is no error, so no `except Exception` may catch it.
    """

    def __init__(self, pool: OpenPool, by: Statistic) -> None:
        super().__init__("what fell is told apart")
        self.pool = pool
        self.by = by


class OpenPool:
    """Some falls of the dice of a roll: those with given values of certain statistics."""

    __slots__ = ("_dice", "_values", "conditions", "number", "roll", "token", "ways")

    def __init__(
        self, roll: OpenRoll, number: int, conditions: Conditions | None = None, ways: int = 0
    ) -> None:
        self.roll = roll
        self.number = number
        self.conditions = conditions or {}
        self.ways = ways or roll.key[2] ** number
        self.token: object = object()
        self._values: dict[Statistic, Dynamic] = {}
        self._dice: Dynamic = None

    @property
    def dice(self) -> Dynamic:
        """The value for the program: the sum of the dice; or the dice, as faces for a single fall."""
        if self._dice is None and self.roll.adds_up:
            self._dice = self.value(tallied("sum", (), self.roll.faces, self.number, False))
        if self._dice is None:
            falls = [*self.conditions.get(self.roll.hand, ())]
            self._dice = self.roll.fallen(falls[0]) if len(falls) == 1 else PoolDice(self)
        return self._dice

    def parted(self, by: Statistic) -> NoReturn:
        """Part the falls by the value of a statistic."""
        raise PoolParted(self, by)

    def parts(self, by: Statistic) -> list[OpenPool]:
        """The parts of the pool by a statistic's value."""
        kept: dict[Dynamic, list[Dynamic]] = {}
        for (value,) in self.joint((by.base,)):
            kept.setdefault(by.of(value), []).append(value)
        return [
            OpenPool(self.roll, self.number, self.conditions | {by.base: frozenset(kept[of])}, ways)
            for of, ways in self.chances(by).items()
        ]

    def joint(self, wanted: tuple[Statistic, ...]) -> Mapping[Values, int]:
        """The ways to each combination of values of some statistics."""
        bases = tuple(dict.fromkeys([one.base for one in wanted]))
        fitting = self._fitting(bases)
        if len(fitting) == 1 and bases == wanted:
            return fitting[0]
        places = [(one.of, bases.index(one.base)) for one in wanted]
        found: dict[Values, int] = {}
        for values, ways in chain.from_iterable([of.items() for of in fitting]):
            values = tuple([of(values[place]) for of, place in places])
            found[values] = found.get(values, 0) + ways
        return found

    def _fitting(self, bases: tuple[Statistic, ...]) -> Sequence[Mapping[Values, int]]:
        """The ways to each value of statistics, for each combination of known values."""
        if not self.conditions:
            return (self.roll.ways(self.number, bases),)
        counted = self.roll.counted(self.number, tuple(self.conditions), bases)
        given = tuple(self.conditions.values())
        return [of for known, of in counted.items() if all(map(contains, given, known))]

    def chances(self, of: Statistic) -> dict[Dynamic, int]:
        """The ways to each value of a statistic."""
        found: dict[Dynamic, int] = {}
        for (value,), ways in self.joint((of.base,)).items():
            value = of.of(value)
            found[value] = found.get(value, 0) + ways
        return found

    def possible(self, of: Statistic) -> Iterable[Dynamic]:
        """The values that a statistic may have, perhaps with some others."""
        known = self.conditions.get(of.base)
        return self.chances(of) if known is None else dict.fromkeys(map(of.of, known))

    def value(self, of: Statistic) -> Dynamic:
        """The value of a statistic: a plain number or truth if it is the same for all falls."""
        found = self._values.get(of)
        if found is None:
            found = self._values[of] = self._valued(of)
        return found

    def _valued(self, of: Statistic) -> Dynamic:
        low, high = of.low, of.high
        known = self.conditions.get(of.base)
        if known is not None:
            values = [of.of(one) for one in known]
            low, high = min(values), max(values)
        if low == high:
            return low
        if not of.truth and not -LARGEST < low <= high < LARGEST:
            self.parted(of.base)  # a value that might not be storable is resolved
        return (PoolTruth if of.truth else PoolNumber)(self, of, low, high)


class PoolDice:
    """Dice of a pool: of those that pass the stages, at most `most` after the first `skipped`. `whole`
    is the number that pass the stages, if known."""

    __slots__ = ("all_stages", "most", "pool", "size", "skipped", "stages", "whole")

    def __init__(
        self,
        pool: OpenPool,
        stages: tuple[Stage, ...] | None = None,
        whole: int | None = None,
        skipped: int = 0,
        most: int | None = None,
    ) -> None:
        self.pool = pool
        self.stages = stages or ()
        self.whole = pool.number if stages is None else whole
        self.skipped = skipped
        self.most = most
        skip = ((SKIP, skipped),) if skipped else ()
        # Including the stages for `skipped` and `most`.
        self.all_stages = (*self.stages, *skip, *(() if most is None else ((FIRST, most),)))
        # The number of these dice, if known.
        self.size = 0 if most == 0 else self.whole
        if self.size is not None:
            left = max(0, self.size - skipped)
            self.size = left if most is None else min(left, most)

    @property
    def token(self) -> object:
        """Identifies the dice in keys."""
        return self.pool.token, self.all_stages

    @property
    def at_most(self) -> int:
        """The most dice that these can be."""
        if self.size is not None:
            return self.size
        most = self.pool.number
        for stage, of in self.all_stages:
            if stage == MORE:
                most += sum(of)
            elif stage == FIRST:
                most = min(most, of)
            elif stage == SKIP:
                most = max(0, most - of)
        return most

    def first(self, number: Dynamic) -> PoolDice:
        """The first ones."""
        number = max(0, seen(number))
        if self.size is not None and number >= self.size:
            return self
        most = number if self.most is None else min(number, self.most)
        return PoolDice(self.pool, self.stages, self.whole, self.skipped, most)

    def behind(self, number: int) -> PoolDice:
        """All but the first ones."""
        most = None if self.most is None else max(0, self.most - number)
        return PoolDice(self.pool, self.stages, self.whole, self.skipped + number, most)

    def those(self, test: Test) -> PoolDice:
        """Those that pass a test."""
        mask = tuple([bool(test(one)) for one in self.pool.roll.faces])
        return self if all(mask) else self.passing(mask)

    def passing(self, mask: tuple[bool, ...]) -> PoolDice:
        """Those with a face in the mask."""
        return PoolDice(self.pool, (*self.all_stages, (WHERE, mask)))

    def ranked(self, place: int, weights: Values) -> Statistic:
        """The weight of the die at this place, 0 the highest."""
        skipped = self.skipped + place
        stages = (*self.stages, (SKIP, skipped)) if skipped else self.stages
        return tallied("highest", stages, weights, 1, True)

    def _face(self, place: int) -> Dynamic:
        """The face of the die at this place."""
        return self.pool.value(self.ranked(place, self.pool.roll.faces))

    def tally(self, kind: str, weigh: Callable[[Dynamic], Dynamic] | None = None) -> Dynamic:
        """The sum, highest or lowest of the dice's weights, by default of their faces."""
        if kind != "sum" and weigh is None and self.size:
            return self._face(0 if kind == "highest" else self.size - 1)
        stages, asked = self._asked()
        both = zip(self.pool.roll.faces, asked, strict=True)
        weights = tuple([seen((weigh or seen)(one)) if of else None for one, of in both])
        if kind == "sum":
            weights = tuple([one or None for one in weights])
        value = self._tallied(kind, stages, weights)
        if any(one.__class__ is Fraction for one in weights):
            seen(value)  # fractions have no bounds to check against the storable range
        return value

    def _tallied(self, kind: str, stages: tuple[Stage, ...], weights: Values) -> Dynamic:
        at_most = self.at_most
        if not at_most or weights.count(None) == len(weights):
            return 0
        surely = kind != "sum" and bool(self.size)
        return self.pool.value(tallied(kind, stages, weights, at_most, surely))

    def _asked(self) -> tuple[tuple[Stage, ...], Sequence[bool]]:
        """The stages without the final face filters, and the faces that pass these."""
        stages, asked = self.all_stages, (True,) * len(self.pool.roll.faces)
        while stages and stages[-1][0] == WHERE:
            asked = tuple(map(and_, asked, stages[-1][1]))
            stages = stages[:-1]
        return stages, asked

    def how_many(self) -> Dynamic:
        """The number of these dice."""
        if self.size is not None:
            return self.size
        stages, asked = self._asked()
        return self._tallied("sum", stages, tuple([1 if one else None for one in asked]))

    def any(self) -> Dynamic:
        """Are there any?"""
        return self.size > 0 if self.size is not None else self.tally("highest", lambda _: 1) > 0

    def tell(self, *_: object) -> NoReturn:
        """Part the pool into single falls."""
        self.pool.parted(self.pool.roll.hand)

    def __len__(self) -> int:
        return self.size if self.size is not None else self.tell()

    def __eq__(self, other: object) -> bool:
        return True if self is other else False if other is None else self.tell()

    # Anything else needs the actual dice.
    __hash__ = __bool__ = __iter__ = __reversed__ = __contains__ = __getitem__ = tell
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = tell
    __mul__ = __rmul__ = __neg__ = __pos__ = __int__ = __index__ = __str__ = __repr__ = tell
    __format__ = __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


def _lifted(name: str, swapped: bool = False) -> Callable[[Dynamic, Dynamic], Dynamic]:
    """An operator on a number that depends on a pool."""
    if swapped:
        return lambda one, other: lifted(name, other, one)
    return lambda one, other: lifted(name, one, other)


def _compared(name: str, same: bool, otherwise: Dynamic) -> Callable[[Dynamic, object], Dynamic]:
    """A comparison of such a number: decided for the same one, and for anything not a number."""

    def compare(one: PoolNumber, other: object) -> Dynamic:
        if name in ("=", "!=") and one is other:
            return same
        return lifted(name, one, other) if isinstance(other, (*Numbers, PoolNumber)) else otherwise

    return compare


def _divided(name: str) -> Callable[[Dynamic, Dynamic], Dynamic]:
    """A division by a whole number above 0; any other divisor resolves the number."""

    def divide(one: PoolNumber, other: object) -> Dynamic:
        by_number = other.__class__ is int and other > 0
        return lifted(name, one, other) if by_number else one.tell()

    return divide


class PoolNumber:
    """A whole number between `low` and `high` that depends on the dice of a pool."""

    __slots__ = ("high", "low", "pool", "statistic")

    def __init__(self, pool: OpenPool, statistic: Statistic, low: Dynamic, high: Dynamic) -> None:
        self.pool = pool
        self.statistic = statistic
        self.low = low
        self.high = high

    @property
    def token(self) -> object:
        """Identifies the number in keys, where only identity matters."""
        return self.pool.token, self.statistic

    def tell(self, *_: object) -> NoReturn:
        """Part the pool by each value."""
        self.pool.parted(self.statistic)

    def of_all(self, of: Callable[[int], T]) -> T:
        """A function of the number; the pool is parted where results differ."""
        values = self.pool.possible(self.statistic)
        kinds: list[T] = []
        rows = []
        for one in values:
            found = of(one)
            if isinstance(found, PoolNumber):
                self.tell()
            if found not in kinds:
                kinds.append(found)
            rows.append((one, kinds.index(found)))
        if len(kinds) > 1:
            self.pool.parted(mapped(self.statistic, "table", tuple(rows)))
        return kinds[0]

    __eq__ = _compared("=", True, False)
    __ne__ = _compared("!=", False, True)
    __lt__, __le__ = (_compared(name, False, NotImplemented) for name in ("<", "<="))
    __gt__, __ge__ = (_compared(name, False, NotImplemented) for name in (">", ">="))
    __add__ = __radd__ = _lifted("+")
    __sub__, __rsub__ = _lifted("-"), _lifted("-", swapped=True)
    __mul__ = __rmul__ = _lifted("*")
    __floordiv__, __mod__ = _divided("//"), _divided("%")

    def __neg__(self) -> Dynamic:
        return lifted("*", self, -1)

    def __pos__(self) -> PoolNumber:
        return self

    # Anything else needs the actual number.
    __hash__ = tell
    __bool__ = __int__ = __index__ = __float__ = __complex__ = __str__ = __repr__ = tell
    __format__ = __round__ = __trunc__ = __floor__ = __ceil__ = __invert__ = tell
    __abs__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = tell
    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = tell
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = tell
    __rlshift__ = __rshift__ = __rrshift__ = tell
    __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


class PoolTruth(PoolNumber):
    """A truth that depends on the dice of a pool."""

    __slots__ = ()

    def __bool__(self) -> bool:  # type: ignore[override]
        found = self.pool.chances(self.statistic)
        return bool(next(iter(found))) if len(found) == 1 else self.tell()

    __hash__ = PoolNumber.tell


# The classes of values on pools, and of operands allowed beside them.
ON_POOLS = frozenset((PoolNumber, PoolTruth))
PLAIN = frozenset((int, bool, type(None)))


def newest(hanging: Iterable[Dynamic]) -> Dynamic:
    """The value on the pool of the last roll, which can be parted without starting again."""
    return max(hanging, key=lambda one: one.pool.roll.layer)


def pool_of(values: Iterable[Dynamic]) -> OpenPool | None:
    """The pool of these numbers, or None; with several pools, the newest is parted."""
    hanging: list[Dynamic] = [one for one in values if one.__class__ in ON_POOLS]
    if any(one.pool is not hanging[0].pool for one in hanging):
        newest(hanging).tell()
    return hanging[0].pool if hanging else None


def lifted(name: str, *parts: Dynamic) -> Dynamic:
    """The result of an operation on numbers and truths, some of which depend on a pool."""
    hanging: list[PoolNumber] = []
    given, is_plain = [], True
    for one in parts:
        if one.__class__ in ON_POOLS:
            hanging.append(one)
            one = one.statistic
        elif one.__class__ not in PLAIN:
            is_plain = False
        given.append(one)
    pool = hanging[0].pool
    if not is_plain or any([one.pool is not pool for one in hanging]):  # noqa: C419 - quicker
        pool_of(parts)
        if name not in COMPARISONS:
            hanging[0].tell()
    return valued(pool, operated(name, *given))


def statistic_of(one: Dynamic) -> Dynamic:
    return one.statistic if one.__class__ in ON_POOLS else one


def valued(pool: OpenPool, found: Dynamic) -> Dynamic:
    return pool.value(found) if isinstance(found, Statistic) else found


class OpenRoll:
    """The dice of one roll, after a given number of prompts.

    The falls of each number of dice are kept as the pools that the program has distinguished: one pool
    at first, unless `single`. It may be reused for the same roll at the same point of the same question,
    but not for two rolls in one game: the dice would be identical.
    """

    def __init__(
        self, key: RollKey, single: bool = False, layer: int = 0, adds_up: bool = False
    ) -> None:
        self.key = key
        self.single = single
        self.adds_up = adds_up
        """Does the program get the sum of the dice?"""
        self.layer = layer
        self._pools: dict[int, list[OpenPool]] = {}
        self.faces = tuple(range(key[2], 0, -1))
        """The faces of a die, the highest first."""
        self.hand = hand(key[2])
        self.begin(Counting(MOST_STATES))

    def begin(self, counting: Counting) -> None:
        """Forget the counts of another search."""
        self._counting = counting
        self._counted: dict[object, dict[Values, dict[Values, int]]] = {}

    def ways(self, number: int, of: tuple[Statistic, ...]) -> Mapping[Values, int]:
        """The ways of `number` dice, by the values of statistics."""
        return self._counting.ways(self.key[2], number, of)

    def counted(
        self, number: int, given: tuple[Statistic, ...], wanted: tuple[Statistic, ...]
    ) -> dict[Values, dict[Values, int]]:
        """The ways of `number` dice, by values of the `given`, then of the `wanted` statistics."""
        key = (number, given, wanted)
        if key not in self._counted:
            both = tuple(dict.fromkeys((*given, *wanted)))
            places = [both.index(one) for one in wanted]
            found: dict[Values, dict[Values, int]] = {}
            for values, ways in self.ways(number, both).items():
                of = tuple([values[place] for place in places])
                among = found.setdefault(values[: len(given)], {})
                among[of] = among.get(of, 0) + ways
            self._counted[key] = found
        return self._counted[key]

    def pools(self, number: int) -> list[OpenPool]:
        """All falls of `number` dice, in the pools distinguished so far."""
        if number not in self._pools:
            whole = OpenPool(self, number)
            self._pools[number] = whole.parts(self.hand) if self.single else [whole]
        return self._pools[number]

    def keep(self, number: int, pools: list[OpenPool]) -> None:
        """Store the pools that partition all falls of `number` dice."""
        self._pools[number] = pools

    def part(self, told: PoolParted) -> bool:
        """Replace a pool by its parts; False if it is no longer one of these."""
        pools = self._pools.get(told.pool.number, [])
        if not any(one is told.pool for one in pools):
            return False
        left = [one for one in pools if one is not told.pool]
        self._pools[told.pool.number] = [*left, *told.pool.parts(told.by)]
        return True

    def fallen(self, counts: Sequence[int]) -> tuple[int, ...]:
        """The dice of one fall, the highest first."""
        both = zip(self.faces, counts, strict=True)
        return tuple(chain.from_iterable([(face,) * many for face, many in both]))


def holds_open(values: Iterable[Dynamic]) -> bool:
    """Does any of these values, or one in a list among them, depend on a pool?"""
    if values.__class__ is PoolDice:
        return True
    for one in values:
        kind = one.__class__
        if kind in ON_POOLS or kind is PoolDice or (kind is tuple and holds_open(one)):
            return True
    return False


def seen(value: Dynamic) -> Dynamic:
    """The value, fully resolved: pools that it depends on are parted."""
    kind = value.__class__
    if kind in ON_POOLS or kind is PoolDice:
        value.tell()
    if kind is tuple or kind is list:
        for one in value:
            if one.__class__ is not int:
                seen(one)
    return value


def named(value: Dynamic) -> Dynamic:
    """A value as part of a key: open values become tokens."""
    kind = value.__class__
    if kind in ON_POOLS or kind is PoolDice:
        return value.token
    return tuple(map(named, value)) if kind is tuple and holds_open(value) else value
