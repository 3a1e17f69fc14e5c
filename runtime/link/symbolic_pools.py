"""Symbolic pools: dice that are looked at one by one, and of which the program asks statistics.

All falls of a pool are looked at together until the program asks what holds of only some of them. The
first few of its dice, the others, those that pass a test are known by the stages that lie before them
(`PoolDice`). How many they are, their sum and the highest of them is a statistic, and so is what comes
of such numbers and truths (`PoolNumber`, `PoolTruth`). Whoever wants such a value itself parts the
pool by it (`PoolParted`); whoever wants the dice themselves gets them fall by fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise
from math import comb
from operator import and_, contains
from typing import NoReturn, TypeVar

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
from ruleloom.runtime.link.symbolic_dice import (
    Face,
    Faces,
    Numbers,
    OpenDice,
    OpenDie,
    OpenNumber,
    RollKey,
    Together,
    ToldApart,
    divides,
    holds,
    picked,
)
from ruleloom.runtime.program.values import LARGEST, Dynamic

T = TypeVar("T")
Test = Callable[[Dynamic], Dynamic]
# The knowledge of a pool: the values that its statistics can have.
Conditions = dict[Statistic, frozenset[Dynamic]]
MOST_STATES = 1_000_000
# Of so few falls it is found out whether only one of them is left in a part of a pool.
FEW_FALLS = 200
# The last die of a range stands behind all others, however many they are.
LAST = 1 << 62
COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))


class PoolParted(ToldApart):
    """The program tells apart the falls of a pool, by the value of a statistic."""

    def __init__(self, pool: OpenPool, by: Statistic) -> None:
        super().__init__(pool, ())
        self.pool = pool
        self.by = by


class OpenPool(Together):
    """Some falls of the dice of a roll: those in which certain statistics have certain values."""

    __slots__ = ("_dice", "_values", "conditions", "key", "number", "roll", "token", "ways")

    def __init__(
        self, roll: OpenRoll, number: int, conditions: Conditions | None = None, ways: int = 0
    ) -> None:
        self.roll = roll
        self.key = roll.key
        self.number = number
        self.conditions = conditions or {}
        self.ways = ways or roll.key[2] ** number
        self.token: object = object()
        self._values: dict[Statistic, Dynamic] = {}
        self._dice: Dynamic = None

    @property
    def dice(self) -> Dynamic:
        """The value for the program: the sum of the dice, or the dice, where only one fall is left."""
        if self._dice is None and self.roll.adds_up:
            faces = tuple(self.roll.any)
            self._dice = self.value(tallied("sum", (), faces, self.number, False))
        if self._dice is None:
            falls = [*self.conditions.get(self.roll.hand, ())]
            if self.conditions and not falls and self.roll.many(self.number) <= FEW_FALLS:
                falls = [*self.chances(self.roll.hand)]
            self._dice = self.roll.fallen(falls[0]) if len(falls) == 1 else PoolDice(self)
        return self._dice

    def parted(self, by: Statistic) -> NoReturn:
        """The falls are told apart by the value of a statistic."""
        raise PoolParted(self, by)

    def parts(self, by: Statistic) -> list[OpenPool]:
        """The pool, parted by the value of a statistic."""
        kept: dict[Dynamic, list[Dynamic]] = {}
        for (value,) in self.joint((by.base,)):
            kept.setdefault(by.of(value), []).append(value)
        return [
            OpenPool(self.roll, self.number, self.conditions | {by.base: frozenset(kept[of])}, ways)
            for of, ways in self.chances(by).items()
        ]

    def joint(self, wanted: tuple[Statistic, ...]) -> Mapping[Values, int]:
        """The ways that lead to each value of some statistics together."""
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
        """The ways that lead to each value of statistics, for all that is known, piece by piece."""
        if not self.conditions:
            return (self.roll.ways(self.number, bases),)
        counted = self.roll.counted(self.number, tuple(self.conditions), bases)
        given = tuple(self.conditions.values())
        return [of for known, of in counted.items() if all(map(contains, given, known))]

    def chances(self, of: Statistic) -> dict[Dynamic, int]:
        """The ways that lead to each value of a statistic."""
        found: dict[Dynamic, int] = {}
        for (value,), ways in self.joint((of.base,)).items():
            value = of.of(value)
            found[value] = found.get(value, 0) + ways
        return found

    def possible(self, of: Statistic) -> Iterable[Dynamic]:
        """The values that a statistic may have, some others perhaps among them."""
        known = self.conditions.get(of.base)
        return self.chances(of) if known is None else dict.fromkeys(map(of.of, known))

    def value(self, of: Statistic) -> Dynamic:
        """The value of a statistic: one number or truth, if it is the same for all falls."""
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
            self.parted(of.base)  # what could be too large to be kept is told apart
        return (PoolTruth if of.truth else PoolNumber)(self, of, low, high)


class PoolDice:
    """Dice of a pool: of all that come through some stages those behind the first `skipped`, and of
    these at most the first `most`. `whole` is how many come through the stages, if that is known."""

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
        # With the stages that leave the first few out, or all others.
        self.all_stages = (*self.stages, *skip, *(() if most is None else ((FIRST, most),)))
        # How many dice these are, if that is known.
        self.size = 0 if most == 0 else self.whole
        if self.size is not None:
            left = max(0, self.size - skipped)
            self.size = left if most is None else min(left, most)

    @property
    def token(self) -> object:
        """Stands for the dice in keys."""
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
        """The first so many."""
        number = max(0, seen(number))
        if self.size is not None and number >= self.size:
            return self
        most = number if self.most is None else min(number, self.most)
        return PoolDice(self.pool, self.stages, self.whole, self.skipped, most)

    def behind(self, number: int) -> PoolDice:
        """All but the first so many."""
        most = None if self.most is None else max(0, self.most - number)
        return PoolDice(self.pool, self.stages, self.whole, self.skipped + number, most)

    def those(self, test: Test) -> PoolDice:
        """Those that pass a test."""
        mask = tuple([bool(holds(test, one)) for one in self.pool.roll.any])
        return self if all(mask) else self.passing(mask)

    def passing(self, mask: tuple[bool, ...]) -> PoolDice:
        """Those in some ranges."""
        return PoolDice(self.pool, (*self.all_stages, (WHERE, mask)))

    def ranked(self, place: int, weights: Values) -> Statistic:
        """The weight of the die at this place, 0 the highest."""
        skipped = self.skipped + place
        stages = (*self.stages, (SKIP, skipped)) if skipped else self.stages
        return tallied("highest", stages, weights, 1, True)

    def _face(self, place: int) -> Dynamic:
        """The face of the die at this place. While faces are told apart by ranges only, the pool is
        parted by the range that the highest or lowest of all dice lies in."""
        roll = self.pool.roll
        if len(roll.any) < roll.key[2] and not self.all_stages:
            found = self.pool.value(self.ranked(place, roll.numbers))
            return (roll.last if place else roll.first)[-seen(found)]
        return self.pool.value(self.ranked(place, tuple(map(seen, roll.any))))

    def tally(self, kind: str, weigh: Callable[[Dynamic], Dynamic] | None = None) -> Dynamic:
        """The sum, highest or lowest of what the dice weigh: by default of what they show."""
        if kind != "sum" and weigh is None and self.size:
            return self._face(0 if kind == "highest" else self.size - 1)
        stages, asked = self._asked()
        both = zip(self.pool.roll.any, asked, strict=True)
        weights = tuple([seen((weigh or seen)(one)) if of else None for one, of in both])
        if kind == "sum":
            weights = tuple([one or None for one in weights])
        value = self._tallied(kind, stages, weights)
        if any(one.__class__ is Fraction for one in weights):
            seen(value)  # no bounds tell whether a fraction can be kept
        return value

    def _tallied(self, kind: str, stages: tuple[Stage, ...], weights: Values) -> Dynamic:
        at_most = self.at_most
        if not at_most or weights.count(None) == len(weights):
            return 0
        surely = kind != "sum" and bool(self.size)
        return self.pool.value(tallied(kind, stages, weights, at_most, surely))

    def _asked(self) -> tuple[tuple[Stage, ...], Sequence[bool]]:
        """The stages before the last ones that only ask for ranges, and which ranges these ask for."""
        stages, asked = self.all_stages, self.pool.roll.all_ranges
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
        """Each fall is wanted by itself."""
        self.pool.parted(self.pool.roll.hand)

    def __len__(self) -> int:
        return self.size if self.size is not None else self.tell()

    def __eq__(self, other: object) -> bool:
        return True if self is other else False if other is None else self.tell()

    # Anything else needs the dice.
    __hash__ = __bool__ = __iter__ = __reversed__ = __contains__ = __getitem__ = tell
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = tell
    __mul__ = __rmul__ = __neg__ = __pos__ = __int__ = __index__ = __str__ = __repr__ = tell
    __format__ = __getattr__ = __reduce_ex__ = __copy__ = __deepcopy__ = tell


class PoolNumber(OpenNumber):
    """A whole number that hangs on how the dice of a pool have fallen."""

    __slots__ = ("pool", "statistic")

    def __init__(self, pool: OpenPool, statistic: Statistic, low: Dynamic, high: Dynamic) -> None:
        super().__init__(pool, low, high, 1, (pool.token, statistic))
        self.pool = pool
        self.statistic = statistic

    def cut_at(self, starts: Iterable[int]) -> NoReturn:
        self.pool.parted(self.statistic)

    def of_all(self, of: Callable[[int], T]) -> T:
        """What holds of the number, whatever it is; falls are told apart by that."""
        values = self.pool.possible(self.statistic)
        kinds: list[T] = []
        rows = []
        for one in values:
            found = of(one)
            if isinstance(found, OpenNumber):
                self.tell()
            if found not in kinds:
                kinds.append(found)
            rows.append((one, kinds.index(found)))
        if len(kinds) > 1:
            self.pool.parted(mapped(self.statistic, "table", tuple(rows)))
        return kinds[0]

    def _compared(self, name: str, other: object, otherwise: Dynamic = NotImplemented) -> Dynamic:
        return lifted(name, self, other) if isinstance(other, (*Numbers, OpenNumber)) else otherwise

    def __eq__(self, other: object) -> Dynamic:
        return True if self is other else self._compared("=", other, False)

    def __ne__(self, other: object) -> Dynamic:
        return False if self is other else self._compared("!=", other, True)

    def __lt__(self, other: object) -> Dynamic:
        return self._compared("<", other)

    def __le__(self, other: object) -> Dynamic:
        return self._compared("<=", other)

    def __gt__(self, other: object) -> Dynamic:
        return self._compared(">", other)

    def __ge__(self, other: object) -> Dynamic:
        return self._compared(">=", other)

    def __neg__(self) -> Dynamic:
        return lifted("*", self, -1)

    def __pos__(self) -> Dynamic:  # type: ignore[override]
        return self

    def __add__(self, other: object) -> Dynamic:
        return lifted("+", self, other)

    def __sub__(self, other: object) -> Dynamic:
        return lifted("-", self, other)

    def __rsub__(self, other: object) -> Dynamic:
        return lifted("-", other, self)

    def __mul__(self, other: object) -> Dynamic:  # type: ignore[override]
        return lifted("*", self, other)

    def __floordiv__(self, other: object) -> Dynamic:  # type: ignore[override]
        return lifted("//", self, other) if divides(other) else self.tell()

    def __mod__(self, other: object) -> Dynamic:  # type: ignore[override]
        return lifted("%", self, other) if divides(other) else self.tell()

    __radd__ = __add__
    __rmul__ = __mul__  # type: ignore[assignment]
    __hash__ = OpenNumber.tell


class PoolTruth(PoolNumber):
    """Whether something holds, where that hangs on how the dice of a pool have fallen."""

    __slots__ = ()

    def __bool__(self) -> bool:  # type: ignore[override]
        found = self.pool.chances(self.statistic)
        return bool(next(iter(found))) if len(found) == 1 else self.tell()

    __hash__ = OpenNumber.tell


# The classes of what hangs on pools, and of what operations take beside it.
ON_POOLS = frozenset((PoolNumber, PoolTruth))
PLAIN = frozenset((int, bool, type(None)))


def newest(hanging: Iterable[Dynamic]) -> Dynamic:
    """Of what hangs on several pools that of the last roll: it can be parted without starting again."""
    return max(hanging, key=lambda one: one.pool.roll.layer)


def pool_of(values: Iterable[Dynamic]) -> OpenPool | None:
    """The one pool on which some of these numbers hang; those of any other are told apart."""
    hanging: list[Dynamic] = [one for one in values if one.__class__ in OPEN]
    for one in hanging:
        if not isinstance(one, PoolNumber):
            one.tell()
    if any(one.pool is not hanging[0].pool for one in hanging):
        newest(hanging).tell()
    return hanging[0].pool if hanging else None


def lifted(name: str, *parts: Dynamic) -> Dynamic:
    """The result of an operation on numbers and truths, some of which hang on a pool."""
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


class OpenRoll(Together):
    """The dice of one roll, in ranges that begin at `cuts`, at so many prompts from the beginning.

    The falls of so many dice are kept in the pools that the program has told apart; all are one pool
    at first, unless they are to be `single`. It may be used again for the same roll at the same
    point of the same question, but not for two rolls in one game: its dice would be the same ones.
    """

    def __init__(
        self, key: RollKey, cuts: frozenset[int], single: bool = False, layer: int = 0
    ) -> None:
        self.key = key
        self.cuts = cuts
        self.single = single
        self.adds_up = False
        """Does the program get the sum of the dice?"""
        self.layer = layer
        lows = (1, *sorted(cuts), key[2] + 1)
        self._ranges = [(low, after - 1) for low, after in reversed([*pairwise(lows)])]
        self._sizes = tuple(high - low + 1 for low, high in self._ranges)
        self._dice: list[list[Face]] = [[] for _ in self._ranges]
        self._pools: dict[int, list[OpenPool]] = {}
        self.any = [self._die(low, high, 0) for low, high in self._ranges]
        """A die for any of each range, the highest range first."""
        self.first = [self._die(low, high, 1) for low, high in self._ranges]
        self.last = [self._die(low, high, LAST) for low, high in self._ranges]
        self.numbers = tuple(range(len(self._ranges), 0, -1))
        """The ranges, numbered from the lowest."""
        self.all_ranges = (True,) * len(self._ranges)
        self.hand = hand(len(self._ranges))
        self.begin(Counting(MOST_STATES))

    def begin(self, counting: Counting) -> None:
        """Forget what has been counted in another search."""
        self._counting = counting
        self._counted: dict[object, dict[Values, dict[Values, int]]] = {}

    def _die(self, low: int, high: int, place: int) -> Face:
        return low if low == high else OpenDie(self, low, high, place)

    def ways(self, number: int, of: tuple[Statistic, ...]) -> Mapping[Values, int]:
        """The ways of so many dice, by the values of statistics."""
        return self._counting.ways(self._sizes, number, of)

    def counted(
        self, number: int, given: tuple[Statistic, ...], wanted: tuple[Statistic, ...]
    ) -> dict[Values, dict[Values, int]]:
        """The ways of so many dice, by the values of what is `given`, and of what is `wanted`."""
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

    def places(self, faces: Iterable[Dynamic], dice: PoolDice, all_told: bool) -> tuple[int, ...]:
        """How many of these faces lie in each range, of one face each; others are left out, unless
        `all_told` of them matter."""
        counts = [0] * len(self._ranges)
        for face in map(seen, faces):
            if face.__class__ is not int or not 1 <= face <= self.key[2]:
                if all_told or face.__class__ is not int:
                    dice.tell()
                continue
            at = next(at for at, (low, _) in enumerate(self._ranges) if low <= face)
            if self._sizes[at] > 1:
                raise ToldApart(self, {face, face + 1} - {1, self.key[2] + 1})
            counts[at] += 1
        return tuple(counts)

    def many(self, number: int) -> int:
        """In how many ways so many dice can fall into these ranges."""
        return comb(number + len(self._sizes) - 1, number)

    def pools(self, number: int) -> list[OpenPool]:
        """All falls of so many dice, in the pools that have been told apart so far."""
        if number not in self._pools:
            whole = OpenPool(self, number)
            self._pools[number] = whole.parts(self.hand) if self.single else [whole]
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
        self._pools[told.pool.number] = [*left, *told.pool.parts(told.by)]
        return True

    def fallen(self, counts: Sequence[int]) -> Faces:
        """The dice of one fall, the highest first."""
        for dice, (low, high), many in zip(self._dice, self._ranges, counts, strict=True):
            for place in range(len(dice) + 1, many + 1):
                dice.append(self._die(low, high, place))
        faces = picked(self._dice, counts)
        if not holds_open(faces):
            return faces
        fallen = OpenDice(faces)
        fallen.name = tuple(map(named, faces))
        both = zip(self.any, counts, strict=True)
        fallen.ranges = tuple([(one, many) for one, many in both if many])
        return fallen


# The classes of open numbers, and of open dice that lie together.
OPEN = frozenset((OpenDie, PoolNumber, PoolTruth))
DICE = frozenset((OpenDice, PoolDice))


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
    if kind in OPEN or kind is PoolDice:
        value.tell()
    if kind is tuple or kind is list or kind is OpenDice:
        for one in value:
            if one.__class__ is not int:
                seen(one)
    return value


def named(value: Dynamic) -> Dynamic:
    """A value as part of a key: a token stands for an open die."""
    kind = value.__class__
    if kind in OPEN or kind is PoolDice:
        return value.token
    if kind is OpenDice:
        return value.name
    return tuple(map(named, value)) if kind is tuple and holds_open(value) else value
