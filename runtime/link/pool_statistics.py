"""Statistics of a pool of dice: functions of the number of dice per face, as small automata.

A statistic goes through the ranges of faces from the highest down, and keeps only what it still needs of
earlier dice: for the sum of the best three, that sum and how many of the three are found. A state is a
tuple while anything is undecided, and then the value of the statistic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, product
from operator import attrgetter

from ruleloom.runtime.program.values import Dynamic

Values = tuple[Dynamic, ...]
# A filter or adjustment of the dice of a range before they are counted.
Stage = tuple[str, Dynamic]
FIRST, SKIP, WHERE, MORE, LESS = "first", "skip", "where", "more", "less"
UNBOUNDED = 1 << 62
# The most statistics cached, each without its results.
MOST_KEPT = 4_096


def _chosen(truth: bool, both: tuple[Dynamic, Dynamic]) -> Dynamic:
    return both[0] if truth else both[1]


OPERATIONS: Mapping[str, Callable[[Dynamic, Dynamic], Dynamic]] = {
    "+": operator.add,
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
    """The number of dice in each range, as a value of a statistic."""

    __slots__ = ()


class Statistic:
    """A question about a pool. Interned while cached, and compared by identity.

    It is decided after the range `last`, and lies between `low` and `high`; more than `most` dice of one
    range make no difference. A range is treated like the one before, unless it is one of `cuts`.
    """

    __slots__ = ("adds_up", "cuts", "first", "high", "last", "low", "most", "start", "truth")

    def __init__(self, first: int, last: int, most: int, cuts: frozenset[int]) -> None:
        self.cuts = cuts
        self.first = first
        self.last = last
        self.most = most
        self.start: tuple[Dynamic, ...] = ()
        self.low: Dynamic = False
        self.high: Dynamic = True
        self.truth = False
        # Is it a sum, with the first part of its state the sum so far?
        self.adds_up = False

    @property
    def base(self) -> Statistic:
        """The statistic it is computed from."""
        return self

    @property
    def terms(self) -> Sequence[Statistic]:
        """The statistics it is the sum of."""
        return (self,)

    def of(self, value: Dynamic) -> Dynamic:
        """The value, from that of the base."""
        return value

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        """The state after `count` dice show a range."""
        raise NotImplementedError


class Hand(Statistic):
    """The whole fall: the number of dice in each range."""

    __slots__ = ()

    def __init__(self, ranges: int) -> None:
        super().__init__(0, ranges - 1, UNBOUNDED, frozenset(range(ranges)))

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found = (*state, count)
        return Fall(found) if at == self.last else found


hand = lru_cache(maxsize=MOST_KEPT)(Hand)


class DiceTally(Statistic):
    """The sum, highest or lowest of the weights of dice, after some stages.

    It is 0 for no dice; None is the weight of a range that is not asked about.
    """

    __slots__ = ("_ends", "_size", "_sure", "kind", "stages", "weights")

    def __init__(
        self,
        kind: str,
        stages: tuple[Stage, ...],
        weights: tuple[Dynamic, ...],
        size: int,
        surely: bool,
    ) -> None:
        asked = [at for at, weight in enumerate(weights) if weight is not None]
        counts = any(stage in (FIRST, SKIP) for stage, _ in stages)
        first = 0 if counts else asked[0]
        super().__init__(first, asked[-1], _most(kind, stages), _cuts(stages, weights))
        self.kind = kind
        self.adds_up = kind == "sum"
        self.stages = stages
        self.weights = weights
        self._size = size
        self.start = (0 if kind == "sum" else None, (0,) * len(stages))
        self._ends = _ends(stages)
        given = [weights[at] for at in asked]
        self._sure = kind != "sum" and given == sorted(given, reverse=kind == "highest")
        times = size if kind == "sum" else 1
        all_count = surely if kind != "sum" else not stages and None not in weights
        ends = given if all_count else [0, *given]
        self.low, self.high = times * min(ends), times * max(ends)

    def plus(self, other: Dynamic, times: int = 1) -> Dynamic:
        """This sum plus `times` another of the same dice."""
        both = zip(self.weights, other.weights, strict=True)
        weights = tuple([(one or 0) + times * (of or 0) or None for one, of in both])
        if all(one is None for one in weights):
            return 0
        return tallied("sum", self.stages, weights, max(self._size, other._size), False)

    def taken(self, used: tuple[int, ...], at: int, count: int) -> tuple[tuple[int, ...], int]:
        """The state of the stages after a range, and the number of its dice that pass them."""
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
        # Are no more dice to come, or none that make a difference?
        ends = at >= self.last or (self._sure and found is not None)
        if ends or (self._ends and any(used[place] == of for place, of in self._ends)):
            return 0 if found is None else found
        return found, used


def _ends(stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """The stages that are full after a number of dice, with their places."""
    more = max((at for at, (stage, _) in enumerate(stages) if stage == MORE), default=-1)
    return [(at, of) for at, (stage, of) in enumerate(stages) if stage == FIRST and at > more]


def _changes(of: Sequence[Dynamic]) -> set[int]:
    return {at for at in range(1, len(of)) if of[at] != of[at - 1]}


def _cuts(stages: Iterable[Stage], weights: Sequence[Dynamic]) -> frozenset[int]:
    """The ranges treated differently from the one before."""
    found = _changes(weights)
    for stage, of in stages:
        if stage == WHERE:
            found |= _changes(of)
        elif stage in (MORE, LESS):
            found |= {at for at in range(1, len(of)) if of[at] or of[at - 1]}
    return frozenset(found)


def _most(kind: str, stages: Sequence[Stage]) -> int:
    """The number of dice in a range beyond which a tally is the same."""
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
    """A function of another statistic: operations with constants, in order."""

    __slots__ = ("_base", "steps")

    def __init__(self, base: Statistic, steps: tuple[tuple[str, Dynamic], ...]) -> None:
        super().__init__(base.first, base.last, base.most, base.cuts)
        self._base = base
        self.steps = steps
        self.start = base.start
        self.truth = steps[-1][0] in TRUTHS
        self.low, self.high = base.low, base.high
        for name, constant in steps:
            self.low, self.high = _bounds(name, self.low, self.high, constant)

    @property
    def base(self) -> Statistic:
        return self._base

    def of(self, value: Dynamic) -> Dynamic:
        for name, constant in self.steps:
            value = OPERATIONS[name](value, constant)
        return value

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        found = self._base.step(state, at, count)
        return found if found.__class__ is tuple else self.of(found)


@lru_cache(maxsize=MOST_KEPT, typed=True)
def mapped(of: Statistic, name: str, constant: Dynamic) -> Statistic:
    """An operation on a statistic and a constant."""
    steps = of.steps if isinstance(of, Mapped) else ()
    return Mapped(of.base, (*steps, (name, constant)))


class Composed(Statistic):
    """A statistic computed from several others."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Statistic]) -> None:
        self.parts = sorted(parts, key=attrgetter("first"))
        cuts = frozenset[int]().union(*[one.cuts for one in self.parts])
        last, most = (max(map(attrgetter(name), self.parts)) for name in ("last", "most"))
        super().__init__(self.parts[0].first, last, most, cuts)


class Conditional(Composed):
    """One of two values, selected by a truth; None among them counts for nothing."""

    __slots__ = ("_cases",)

    def __init__(self, *cases: Dynamic) -> None:
        self._cases = cases
        super().__init__([one for one in cases if isinstance(one, Statistic)])
        self.start = tuple([one.start if isinstance(one, Statistic) else one for one in cases])
        spans = [(one.low, one.high) if isinstance(one, Statistic) else (one,) for one in cases[1:]]
        self.low, self.high = _between(chain(*spans))

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        truth, then, otherwise = [
            part.step(one, at, count) if one.__class__ is tuple else one
            for part, one in zip(self._cases, state, strict=True)
        ]
        if truth.__class__ is tuple:
            return truth, then, otherwise
        wanted = then if truth else otherwise
        if wanted.__class__ is not tuple:
            return wanted
        # Drop the state of the other case.
        return (True, then, 0) if truth else (False, 0, otherwise)


# The value that decides the fold, whatever the others are.
SURE: Mapping[str, Dynamic] = {"exists": True, "every": False, "product": 0}
FOLDS: Mapping[str, Callable[[Dynamic, Dynamic], Dynamic]] = {
    "sum": operator.add,
    "product": operator.mul,
    "highest": max,
    "lowest": min,
    "exists": lambda one, other: bool(one or other),
    "every": lambda one, other: bool(one and other),
}


class Fold(Composed):
    """The sum, product, highest or lowest of many statistics, or whether one or all of them hold.

    None counts for nothing, and the highest of nothing is 0.
    """

    __slots__ = ("_do", "_sure", "kind")

    def __init__(self, kind: str, known: Dynamic, parts: tuple[Statistic, ...]) -> None:
        super().__init__(parts)
        self.kind = kind
        self.truth = kind in TRUTHS
        self._do = FOLDS[kind]
        self._sure = SURE.get(kind)
        # The value so far, the active parts, and the number of parts begun.
        self.start = (known, (), 0)
        if not self.truth:
            self.low, self.high = self._span(known)

    def _span(self, known: Dynamic) -> tuple[Dynamic, Dynamic]:
        spans = [(one.low, one.high) for one in self.parts]
        if self.kind not in ("sum", "product"):
            return _between([*chain(*spans), 0 if known is None else known])
        found = known, known
        for of in spans:
            found = _between([self._do(*ends) for ends in product(found, of)])
        return found

    @property
    def terms(self) -> Sequence[Statistic]:
        return self.parts if self.kind == "sum" else (self,)

    def step(self, state: tuple[Dynamic, ...], at: int, count: int) -> Dynamic:
        known, active, begun = state
        left = []
        waiting = [*active]
        while begun < len(self.parts) and self.parts[begun].first <= at:
            waiting.append((begun, self.parts[begun].start))
            begun += 1
        for number, one in waiting:
            found = self.parts[number].step(one, at, count)
            if found.__class__ is tuple:
                left.append((number, found))
            elif found is not None:
                known = found if known is None else self._do(known, found)
                if known == self._sure is not None:
                    return known
        if left or begun < len(self.parts):
            return known, tuple(left), begun
        return 0 if known is None else known


fold = lru_cache(maxsize=MOST_KEPT, typed=True)(Fold)


# The result of an operation on a value and itself.
_SAME = {"=": True, "<=": True, ">=": True, "!=": False, "<": False, ">": False, "-": 0}


@lru_cache(maxsize=MOST_KEPT, typed=True)
def operated(name: str, one: Dynamic, *others: Dynamic) -> Dynamic:
    """The result of an operation on statistics and constants: a statistic, or a constant."""
    if name == "if":
        is_open = any(isinstance(other, Statistic) for other in others)
        return Conditional(one, *others) if is_open else mapped(one, name, others)
    (other,) = others or (None,)
    if one is other and name in _SAME:
        return _SAME[name]
    if name == "-":
        return operated(
            "+", one, operated("*", other, -1) if isinstance(other, Statistic) else -other
        )
    if not isinstance(other, Statistic):
        return _with_constant(name, one, other)
    if not isinstance(one, Statistic):  # only a sum or a product
        return _with_constant(name, other, one)
    if name == "+":
        return _added(one, other)
    if name == "*":
        return fold("product", 1, (one, other))
    less = operated("-", one, other)
    return operated(name, less, 0) if isinstance(less, Statistic) else OPERATIONS[name](less, 0)


def _added(one: Statistic, other: Statistic) -> Dynamic:
    """The sum of two; tallies of the same dice are merged."""
    tallies: dict[object, Dynamic] = {}
    for number, of in enumerate((*one.terms, *other.terms)):
        key = of.stages if isinstance(of, DiceTally) and of.adds_up else number
        tallies[key] = tallies[key].plus(of) if tallies.get(key) else of
    left = tuple([of for of in tallies.values() if of])
    return fold("sum", 0, left) if len(left) > 1 else left[0] if left else 0


def _with_constant(name: str, one: Dynamic, constant: Dynamic) -> Dynamic:
    if name == "*" and not constant:
        return 0
    if (name, constant) in (("+", 0), ("-", 0), ("*", 1)):
        return one
    if name in ("+", "*") and isinstance(one, Mapped) and one.steps[-1][0] == "+":
        # Equal numbers must be the same statistic, hence one state.
        *steps, (_, more) = one.steps
        inner = reduce(lambda of, step: mapped(of, *step), steps, one.base)
        if name == "+":
            return operated("+", inner, more + constant)
        return operated("+", operated("*", inner, constant), more * constant)
    return _times(one, constant) if name == "*" else mapped(one, name, constant)


def _times(one: Statistic, constant: Dynamic) -> Dynamic:
    if len(one.terms) > 1:
        return reduce(_added, [operated("*", of, constant) for of in one.terms])
    if isinstance(one, DiceTally) and one.adds_up:
        return one.plus(one, constant - 1)
    return mapped(one, "*", constant)


def _between(ends: Iterable[Dynamic]) -> tuple[Dynamic, Dynamic]:
    """The least and the greatest of these; None counts for nothing."""
    found = [one for one in ends if one is not None]
    return min(found), max(found)


def _bounds(name: str, low: Dynamic, high: Dynamic, constant: Dynamic) -> tuple[Dynamic, Dynamic]:
    """The bounds of an operation on a number in a span and a constant."""
    match name:
        case "%":
            return 0, constant
        case "if":
            return _between(constant)
        case "table":
            return _between([value for _, value in constant])
        case "=":
            return low == constant == high, low <= constant <= high
        case "!=":
            return not low <= constant <= high, not low == constant == high
    do = OPERATIONS[name]
    return _between((do(low, constant), do(high, constant)))
