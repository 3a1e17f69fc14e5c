"""Statistics of a pool of dice: functions of how many dice show each face, as small automata.

A statistic goes through the ranges of faces from the highest down, and keeps of the dice before only
what it still needs: of the sum of the best three, that sum and how many of the three there are.
A state is a tuple as long as anything is left to be found out, and then the value of the statistic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter

from ruleloom.runtime.program.values import Dynamic

Values = tuple[Dynamic, ...]
# What is done with the dice of a range before they are counted.
Stage = tuple[str, Dynamic]
FIRST, SKIP, WHERE, MORE, LESS = "first", "skip", "where", "more", "less"
UNBOUNDED = 1 << 62
# Of so many statistics it is known how they go through a pool, and not what comes of that.
MOST_KEPT = 4_096


def _chosen(truth: bool, both: tuple[Dynamic, Dynamic]) -> Dynamic:
    return both[0] if truth else both[1]


OPERATIONS: Mapping[str, Callable[[Dynamic, Dynamic], Dynamic]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "not": lambda truth, _: not truth,
    "if": _chosen,
    "table": lambda value, rows: dict(rows)[value],
}
TRUTHS = frozenset(("=", "!=", "<", "<=", ">", ">=", "not", "exists", "every"))


class Fall(tuple[int, ...]):
    """How many dice show a face of each range, as a value of a statistic."""

    __slots__ = ()


class Statistic:
    """What is asked of a pool. Equal ones have equal keys.

    It is known behind the range `last`, and lies between `low` and `high`; of one range `most` dice
    are like any more. It treats a range like the one before, unless that is one of `cuts`.
    """

    __slots__ = (
        "_hash", "adds_up", "cuts", "first", "high", "key", "last", "low", "most", "start", "truth",
    )  # fmt: skip

    def __init__(
        self, key: tuple[Dynamic, ...], first: int, last: int, most: int, cuts: frozenset[int]
    ) -> None:
        self.key = key
        self.cuts = cuts
        self._hash = hash(key)
        self.first = first
        self.last = last
        self.most = most
        self.start: tuple[Dynamic, ...] = ()
        self.low: Dynamic = False
        self.high: Dynamic = True
        self.truth = False
        # Is it a sum, and the first part of its state what it has come to so far?
        self.adds_up = False

    @property
    def base(self) -> Statistic:
        """The statistic that it is worked out from."""
        return self

    @property
    def reach(self) -> tuple[Dynamic, Dynamic]:
        """Between what its sum lies on the way."""
        return min(0, self.low), max(0, self.high)

    @property
    def terms(self) -> Sequence[tuple[Statistic, int]]:
        """Statistics of which it is the sum, each so many times."""
        return ((self, 1),)

    def of(self, value: Dynamic) -> Dynamic:
        """The value, from that of its base."""
        return value

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        """The state behind a range that so many dice show."""
        raise NotImplementedError

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Statistic) and self.key == other.key)


class Hand(Statistic):
    """The whole fall: how many dice show each range."""

    __slots__ = ()

    def __init__(self, ranges: int) -> None:
        super().__init__(("hand",), 0, ranges - 1, UNBOUNDED, frozenset(range(ranges)))

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found = (*state, count)
        return Fall(found) if at == self.last else found


class DiceTally(Statistic):
    """The sum, highest or lowest of the weights of dice, behind some stages.

    Of no dice it is 0; None is the weight of a range that is not asked about.
    """

    __slots__ = ("_ends", "_size", "_sure", "kind", "place", "stages", "weights")

    def __init__(
        self,
        kind: str,
        stages: tuple[Stage, ...],
        weights: tuple[Dynamic, ...],
        size: int,
        surely: bool,
    ) -> None:
        asked = [at for at, weight in enumerate(weights) if weight is not None]
        key = (kind, stages, weights, size, surely)
        counts = any(stage in (FIRST, SKIP) for stage, _ in stages)
        first = 0 if counts else asked[0]
        super().__init__(key, first, asked[-1], _most(kind, stages), _cuts(stages, weights))
        self.kind = kind
        self.adds_up = kind == "sum"
        self.stages = stages
        self.weights = weights
        self._size = size
        self.start = (0 if kind == "sum" else None, (0,) * len(stages))
        self._ends = _ends(stages)
        given = [weights[at] for at in asked]
        self._sure = kind != "sum" and given == sorted(given, reverse=kind == "highest")
        # Is it what the die at a place weighs, of which the higher ones weigh more?
        is_ranked = self._sure and kind == "highest" and None not in weights
        self.place = _place(stages) if is_ranked else None
        times = size if kind == "sum" else 1
        ends = given if surely and kind != "sum" else [0, *given]
        self.low, self.high = times * min(ends), times * max(ends)

    def adds_up_like(self, other: Statistic) -> bool:
        """Are these sums of what the same dice weigh?"""
        same = isinstance(other, DiceTally) and self.kind == other.kind == "sum"
        return same and self.stages == other.stages  # type: ignore[attr-defined]

    def added(self, other: Dynamic, times: int) -> Dynamic:
        """This sum, with another one of the same dice so many times."""
        both = zip(self.weights, other.weights, strict=True)
        weights = tuple([(one or 0) + times * (of or 0) or None for one, of in both])
        if all(one is None for one in weights):
            return 0
        return tallied("sum", self.stages, weights, max(self._size, other._size), False)

    def taken(self, used: tuple[int, ...], at: int, count: int) -> tuple[tuple[int, ...], int]:
        """How far the stages are behind a range, and how many dice of it come through them."""
        for place, (stage, of) in enumerate(self.stages):
            if stage == WHERE:
                count = count if of[at] else 0
            elif stage == MORE:
                count += of[at]
            elif stage == LESS:
                count = max(0, count - of[at])
            elif count:
                before = used[place]
                after = min(before + count, of)
                if after != before:
                    used = (*used[:place], after, *used[place + 1 :])
                count = after - before if stage == FIRST else before + count - after
        return used, count

    def ends(self, used: tuple[int, ...], at: int) -> bool:
        """Can no dice come any more?"""
        return at >= self.last or any(used[place] == of for place, of in self._ends)

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found, used = state
        if self.stages:
            used, count = self.taken(used, at, count)
        weight = self.weights[at]
        if count and weight is not None:
            if self.kind == "sum":
                found += weight * count
            elif found is None or (weight > found) == (self.kind == "highest"):
                found = weight
        if (self._sure and found is not None) or self.ends(used, at):
            return 0 if found is None else found
        return found, used


def _place(stages: Sequence[Stage]) -> int | None:
    """The place of the first die behind stages, 0 the highest, if they only leave higher ones out."""
    match stages:
        case ():
            return 0
        case ((stage, int(number)),) if stage == SKIP:
            return number
    return None


def _ends(stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """The stages behind which no dice come any more once so many have, by their places."""
    more = max((at for at, (stage, _) in enumerate(stages) if stage == MORE), default=-1)
    return [(at, of) for at, (stage, of) in enumerate(stages) if stage == FIRST and at > more]


def _cuts(stages: Iterable[Stage], weights: Sequence[Dynamic]) -> frozenset[int]:
    """The ranges that are treated otherwise than those before."""
    found = {at for at in range(1, len(weights)) if weights[at] != weights[at - 1]}
    for stage, of in stages:
        if stage == WHERE:
            found |= {at for at in range(1, len(of)) if of[at] != of[at - 1]}
        elif stage in (MORE, LESS):
            found |= {at for at in range(1, len(of)) if of[at] or of[at - 1]}
    return frozenset(found)


def _most(kind: str, stages: Sequence[Stage]) -> int:
    """From how many dice of one range on a tally sees no difference."""
    most = UNBOUNDED if kind == "sum" else 1
    for stage, of in reversed(stages):
        if stage == FIRST:
            most = of
        elif stage == SKIP:
            most += of
        elif stage == LESS:
            most += max(of)
    return most


tallied = lru_cache(maxsize=MOST_KEPT)(DiceTally)


class Mapped(Statistic):
    """A function of another statistic: operations with constants, one after the other."""

    __slots__ = ("_base", "_steps")

    def __init__(self, base: Statistic, steps: tuple[tuple[str, Dynamic, bool], ...]) -> None:
        key = ("mapped", base, steps)
        super().__init__(key, base.first, base.last, base.most, base.cuts)
        self._base = base
        self._steps = steps
        self.start = base.start
        self.truth = steps[-1][0] in TRUTHS
        self.low, self.high = base.low, base.high
        for name, constant, turned in steps:
            given = (constant, constant), (self.low, self.high)
            self.low, self.high = bounds(name, *(given if turned else given[::-1]))

    @property
    def base(self) -> Statistic:
        return self._base

    @property
    def steps(self) -> tuple[tuple[str, Dynamic, bool], ...]:
        """What is done with the value of the base."""
        return self._steps

    def of(self, value: Dynamic) -> Dynamic:
        for name, constant, turned in self._steps:
            do = OPERATIONS[name]
            value = do(constant, value) if turned else do(value, constant)
        return value

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found = self._base.step(state, at, count)
        return found if found.__class__ is tuple else self.of(found)


class Combined(Statistic):
    """An operation on several statistics, constants among them."""

    __slots__ = ("_do", "_parts", "name")

    def __init__(self, name: str, parts: tuple[Dynamic, ...]) -> None:
        inner = [one for one in parts if isinstance(one, Statistic)]
        first, last = min(one.first for one in inner), max(one.last for one in inner)
        most, cuts = (
            max(one.most for one in inner),
            inner[0].cuts.union(*[one.cuts for one in inner]),
        )
        super().__init__(("combined", name, parts), first, last, most, cuts)
        self.name = name
        self._parts = parts
        self.start = tuple([one.start if isinstance(one, Statistic) else one for one in parts])
        self.truth = name in TRUTHS
        spans = [(one.low, one.high) if isinstance(one, Statistic) else (one, one) for one in parts]
        if name == "if":
            self.low, self.high = _between([*spans[1], *spans[2]])
        else:
            self.low, self.high = bounds(name, *spans)

    @property
    def terms(self) -> Sequence[tuple[Statistic, int]]:
        if self.name not in ("+", "-"):
            return ((self, 1),)
        one, other = self._parts
        sign = 1 if self.name == "+" else -1
        return [*one.terms, *((of, times * sign) for of, times in other.terms)]

    @property
    def reach(self) -> tuple[Dynamic, Dynamic]:
        return _reached(self.terms) if self.name in ("+", "-") else super().reach

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found = [
            part.step(one, at, count) if one.__class__ is tuple else one
            for part, one in zip(self._parts, state, strict=True)
        ]
        if self.name == "if":
            return _of_two(found)
        if found[0].__class__ is tuple or found[1].__class__ is tuple:
            return tuple(found)
        return OPERATIONS[self.name](found[0], found[1])


def _of_two(found: list[Dynamic]) -> Dynamic:
    """The state of what hangs on a condition: of the other case nothing is kept once it is known."""
    truth, then, otherwise = found
    if truth.__class__ is tuple:
        return tuple(found)
    wanted = then if truth else otherwise
    if wanted.__class__ is not tuple:
        return wanted
    return (True, then, 0) if truth else (False, 0, otherwise)


@lru_cache(maxsize=MOST_KEPT, typed=True)
def mapped(of: Statistic, name: str, constant: Dynamic, turned: bool = False) -> Statistic:
    """An operation on a statistic and a constant, which may be the first of the two."""
    steps = of.steps if isinstance(of, Mapped) else ()
    return Mapped(of.base, (*steps, (name, constant, turned)))


# What comes of an operation on one and the same value twice.
_SAME = {"=": True, "<=": True, ">=": True, "!=": False, "<": False, ">": False, "-": 0}


@lru_cache(maxsize=MOST_KEPT, typed=True)
def operated(name: str, *parts: Dynamic) -> Dynamic:
    """An operation on statistics and constants: a statistic, or a constant where it is none."""
    one, *others = parts
    if name == "if":
        if any(isinstance(other, Statistic) for other in others):
            return Combined(name, parts)
        return mapped(one, name, tuple(others))
    (other,) = others or (None,)
    if not isinstance(other, Statistic):
        return _with_constant(name, one, other)
    if not isinstance(one, Statistic):
        if name == "+" or name == "*":
            return _with_constant(name, other, one)
        return mapped(other, name, one, True)
    if one == other and name in _SAME:
        return _SAME[name]
    if name in ("+", "-") and isinstance(one, DiceTally) and one.adds_up_like(other):
        return one.added(other, 1 if name == "+" else -1)
    return Combined(name, parts)


def _with_constant(name: str, one: Statistic, constant: Dynamic) -> Dynamic:
    if name == "*" and not constant:
        return 0
    if (name, constant) in (("+", 0), ("-", 0), ("*", 1)):
        return one
    if name == "*" and isinstance(one, DiceTally) and one.adds_up:
        return one.added(one, constant - 1)
    return mapped(one, name, constant)


# The truth that settles it, whatever the others are.
SURE = {"exists": True, "every": False}
FOLDS: Mapping[str, Callable[[Dynamic, Dynamic], Dynamic]] = {
    "sum": operator.add,
    "highest": max,
    "lowest": min,
    "exists": lambda one, other: bool(one or other),
    "every": lambda one, other: bool(one and other),
}


class Fold(Statistic):
    """The sum, highest or lowest of many statistics, or whether one or all of them hold.

    None counts for nothing, and the highest of nothing is 0.
    """

    __slots__ = ("_do", "_parts", "_sure", "kind")

    def __init__(self, kind: str, known: Dynamic, parts: tuple[Statistic, ...]) -> None:
        first, last = min(one.first for one in parts), max(one.last for one in parts)
        most = max(one.most for one in parts)
        cuts = frozenset().union(*[one.cuts for one in parts])
        super().__init__(("fold", kind, known, parts), first, last, most, cuts)
        self.kind = kind
        self.adds_up = kind == "sum"
        self.truth = kind in TRUTHS
        self._parts = sorted(parts, key=attrgetter("first"))
        self._do = FOLDS[kind]
        self._sure = SURE.get(kind)
        # What is known, the parts on their way, and how many parts have begun.
        self.start = (known, (), 0)
        spans = [(one.low, one.high) for one in parts]
        ends = [end for span in spans for end in span if end is not None]
        if kind == "sum":
            self.low = known + sum(low for low, _ in spans)
            self.high = known + sum(high for _, high in spans)
        elif not self.truth:
            both = [*ends, 0 if known is None else known]
            self.low, self.high = min(both), max(both)

    @property
    def reach(self) -> tuple[Dynamic, Dynamic]:
        if not self.adds_up:
            return super().reach
        low, high = _reached((one, 1) for one in self._parts)
        known = self.start[0]
        return low + min(0, known), high + max(0, known)

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        known, active, begun = state
        left = []
        waiting = [*active]
        while begun < len(self._parts) and self._parts[begun].first <= at:
            waiting.append((begun, self._parts[begun].start))
            begun += 1
        for number, one in waiting:
            found = self._parts[number].step(one, at, count)
            if found.__class__ is tuple:
                left.append((number, found))
            elif found is not None:
                known = found if known is None else self._do(known, found)
                if known is self._sure:
                    return known
        if left or begun < len(self._parts):
            return known, tuple(left), begun
        return 0 if known is None else known


fold = lru_cache(maxsize=MOST_KEPT, typed=True)(Fold)


def _reached(terms: Iterable[tuple[Statistic, int]]) -> tuple[int, int]:
    """Between what the sum of so many times statistics lies on the way."""
    low = high = 0
    for one, times in terms:
        least, most = one.reach if times > 0 else one.reach[::-1]
        low, high = low + times * least, high + times * most
    return low, high


def bounds(name: str, *spans: tuple[Dynamic, Dynamic]) -> tuple[Dynamic, Dynamic]:
    """Between what an operation on numbers in these spans comes to."""
    (a, b), (c, d) = spans
    if name in ("+", "-", "*", "//"):
        do = OPERATIONS[name]
        ends = [do(one, other) for one in (a, b) for other in (c, d)]
        return min(ends), max(ends)
    if name == "%":
        return 0, d
    if name == "if":
        return _between(c)
    if name == "table":
        return _between([value for _, value in c])
    return _compared(name, (a, b), (c, d))


def _between(ends: Iterable[Dynamic]) -> tuple[Dynamic, Dynamic]:
    """The least and the greatest of these; None counts for nothing."""
    found = [one for one in ends if one is not None]
    return min(found), max(found)


def _compared(
    name: str, one: tuple[Dynamic, Dynamic], other: tuple[Dynamic, Dynamic]
) -> tuple[bool, bool]:
    """May a comparison fail, and may it hold? As the least and the greatest that it comes to."""
    (a, b), (c, d) = one, other
    match name:
        case "<":
            return b < c, a < d
        case "<=":
            return b <= c, a <= d
        case ">":
            return a > d, b > c
        case ">=":
            return a >= d, b >= c
        case "=":
            return a == b == c == d, a <= d and c <= b
        case "!=":
            return a > d or c > b, not a == b == c == d
    return False, True
