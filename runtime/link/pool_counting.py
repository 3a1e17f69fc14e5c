"""Statistics of pools by counting: the ways of dice to all their values at once.

Iterates over ranges of faces by state and number of dice left, never over single falls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import comb

from ruleloom.runtime.link.pool_statistics import DiceTally, Statistic, Values
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.program.values import Dynamic

SOME = re.compile(rb"[^\0]")
# A sum with a wider span is kept in the state rather than in an exponent, and so is one that would
# shift the ways further.
WIDEST, MOST_STRIDE = 1 << 20, 5_000
# The most bits of all numbers multiplied together.
MOST_BITS = 1 << 38
# The most bits of a power.
MOST_POWER = 1 << 24
# The ways: by number of dice left, by state and dice left, and by final state.
_ByLeft = dict[int, int]
_Layer = dict[Values, _ByLeft]
_ByLast = dict[Values, int]


class Counting:
    """A budget of states, and the cached counts."""

    __slots__ = ("_found", "_left", "_most")

    def __init__(self, most: int) -> None:
        self._most = self._left = most
        self._found: dict[object, dict[Values, int]] = {}

    def spend(self, many: int) -> None:
        """Charge for some states. Raises OverBudget once the budget is exceeded."""
        self._left -= many
        if self._left < 0:
            raise OverBudget(f"more than {self._most:,} states")

    def ways(self, sides: int, number: int, of: tuple[Statistic, ...]) -> Mapping[Values, int]:
        """The ways of `number` dice of `sides` sides, by the values of the statistics."""
        key = (sides, number, of)
        if key not in self._found:
            self._found[key] = counted(sides, number, of, self.spend)
        return self._found[key]


class _Carried:
    """Statistics carried through the ranges. Sums are not in a state but exponents of its ways, term by
    term: a number in base 256 ** `width` has a digit for each value. What each die adds to a sum on its
    own is part of the sizes of the ranges."""

    __slots__ = ("_places", "_terms", "most", "of_all", "ranges", "start", "state", "width")

    def __init__(self, statistics: tuple[Statistic, ...], sides: int, number: int) -> None:
        self.width = (sides**number).bit_length() // 8 + 1
        # The terms tracked, each with its stride in the ways.
        self._terms: list[tuple[Statistic, int]] = []
        # For each statistic: the stride, the least value, the number of values, and its place among
        # the terms.
        self._places = [(0, 0, 1, 0)] * len(statistics)
        self.start = 0
        moved = self._lay_out(statistics, sides)
        self.most = max([one.most for one, _ in self._terms], default=0)
        self.state = tuple([one.start for one, _ in self._terms])
        least = min(0, *moved)
        self.start += least * number
        bits = 8 * self.width
        ways = [1 << (by - least) * bits for by in moved]
        self.of_all = left = sum(ways)
        self.ranges: list[tuple[int, _Ways]] = []
        for at, size in _ranges(ways, [one for one, _ in self._terms]):
            left -= size
            self.ranges.append((at, _Ways(size, left, self.most)))

    def _lay_out(self, statistics: tuple[Statistic, ...], ranges: int) -> list[int]:
        """Place each statistic in the ways or in the state; returns the shift of the ways per die of
        each range. The widest comes last: its ways are only as long as it needs."""
        moved, stride = [0] * ranges, 1
        reach = [_reach(one) for one in statistics]
        spans = [high - low + 1 for low, high in reach]
        for which in sorted(range(len(statistics)), key=spans.__getitem__):
            one, span, (low, _) = statistics[which], spans[which], reach[which]
            if one.low.__class__ is not int or stride > MOST_STRIDE or span > WIDEST:
                self._places[which] = (0, 0, 1, len(self._terms))
                self._terms.append((one, 0))
                continue
            self._places[which] = (stride, low, span, 0)
            for of in one.terms:
                if isinstance(of, DiceTally) and of.adds_up and not of.stages:
                    by_die = enumerate(of.weights)
                    moved = [moved[at] + stride * (weight or 0) for at, weight in by_die]
                else:
                    self._terms.append((of, stride))
            self.start -= stride * low
            stride *= span
        return moved

    def stepped(self, state: Values, at: int, count: int) -> tuple[Values, int, bool]:
        """The state after `count` dice show a range, the shift of the ways, and whether anything is
        undecided."""
        found, moved, is_open = [], 0, False
        for (one, stride), of in zip(self._terms, state, strict=True):
            if of.__class__ is tuple:
                of = one.step(of, at, count)
                if of.__class__ is tuple:
                    is_open = True
                    if stride and one.adds_up:
                        of, moved = (0, *of[1:]), moved + stride * of[0]
                elif stride:
                    of, moved = 0, moved + stride * of
            found.append(of)
        return tuple(found), moved, is_open

    def go_on(
        self, state: Values, at: int, ways: _Ways, by_left: _ByLeft, after: _Layer, done: _ByLast
    ) -> None:
        """Distribute the dice left: any number show this range, the others a later one."""
        bits = 8 * self.width
        for count in range(max(by_left) + 1):
            if count <= self.most:
                new, moved, is_open = self.stepped(state, at, count)
            if not is_open:
                of_all = sum([many * ways.ended(left, count) for left, many in by_left.items()])
                done[new] = done.get(new, 0) + _shifted(of_all, moved * bits)
                if count == self.most:
                    return
                continue
            into = after.setdefault(new, {})
            for left, many in by_left.items():
                if left >= count:
                    many = _shifted(many * ways.of(left, count), moved * bits)
                    into[left - count] = into.get(left - count, 0) + many

    def end(self, state: Values, at: int, ways: _Ways, by_left: _ByLeft, done: _ByLast) -> None:
        """Let all dice left show the last range."""
        for count, many in by_left.items():
            new, moved, _ = self.stepped(state, at, count)
            of_all = _shifted(many * ways.of(count, count), moved * 8 * self.width)
            done[new] = done.get(new, 0) + of_all

    def values(self, state: Values, ways: int) -> Iterable[tuple[Values, int]]:
        """Each value of all statistics, with its ways."""
        return [
            (
                tuple([
                    digit // stride % span + low if stride else state[place]
                    for stride, low, span, place in self._places
                ]),
                of,
            )
            for digit, of in _digits(ways, self.width)
        ]  # fmt: skip


def _reach(one: Statistic) -> tuple[Dynamic, Dynamic]:
    """The bounds of a sum's partial values."""
    return sum([min(0, of.low) for of in one.terms]), sum([max(0, of.high) for of in one.terms])


def _digits(number: int, width: int) -> Iterator[tuple[int, int]]:
    """The digits of a number in base 256 ** `width` other than 0, with their places."""
    data = number.to_bytes(number.bit_length() // 8 + 1, "little")
    found = SOME.search(data)
    while found is not None:
        digit = found.start() // width
        end = (digit + 1) * width
        yield digit, int.from_bytes(data[end - width : end], "little")
        found = SOME.search(data, end)


_carried = lru_cache(maxsize=256)(_Carried)


def counted(
    sides: int,
    number: int,
    statistics: tuple[Statistic, ...],
    spend: Callable[[int], None],
) -> dict[Values, int]:
    """The ways of `number` dice of `sides` sides, by all values at once."""
    carried = _carried(statistics, sides, number)
    too_many = f"the falls of {number:,} dice are too many to be counted"
    # The ways, by state and by number of dice left.
    begin = 1 << carried.start * 8 * carried.width
    layer: _Layer = {carried.state: {number: begin}} if carried.state else {}
    done: dict[Values, int] = {}
    if not layer:
        if number * carried.of_all.bit_length() >= MOST_POWER:
            raise OverBudget(too_many)
        done[()] = carried.of_all**number * begin
    bits_left = MOST_BITS
    for at, ways in carried.ranges:
        after: _Layer = {}
        spend(sum(map(len, layer.values())))
        for state, by_left in layer.items():
            bits_left -= (max(by_left) + 1) * sum([many.bit_length() for many in by_left.values()])
            if bits_left < 0:
                raise OverBudget(too_many)
            if ways.rest:
                carried.go_on(state, at, ways, by_left, after, done)
            else:
                carried.end(state, at, ways, by_left, done)
        layer = after
    found = dict(chain.from_iterable(carried.values(state, of) for state, of in done.items()))
    spend(len(found))
    return found


def _ranges(sizes: Sequence[int], statistics: Iterable[Statistic]) -> Iterator[tuple[int, int]]:
    """The last face of each range that all statistics treat alike, and the size of the range."""
    cuts = frozenset[int]().union(*[one.cuts for one in statistics])
    of_all = 0
    for at, size in enumerate(sizes):
        of_all += size
        if at + 1 in cuts or at + 1 == len(sizes):
            yield at, of_all
            of_all = 0


class _Powers(dict[int, int]):
    """The powers of a number, computed on demand."""

    __slots__ = ("_of",)

    def __init__(self, of: int) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, power: int) -> int:
        found: int = self._of**power
        self[power] = found
        return found


class _Ways:
    """The ways for some of the dice left to fall into a range of a size."""

    __slots__ = ("_most", "_of_all", "_rest", "_size", "rest")

    def __init__(self, size: int, rest: int, most: int) -> None:
        self._size, self._rest, self._of_all = map(_Powers, (size, rest, size + rest))
        self._most = most
        self.rest = rest

    def of(self, left: int, count: int) -> int:
        """The ways for `count` dice to fall into it."""
        return comb(left, count) * self._size[count]

    def ended(self, left: int, count: int) -> int:
        """The ways for `count` dice, or at least `most`, the others below."""
        if count > left:
            return 0
        if count < self._most:
            return self.of(left, count) * self._rest[left - count]
        return self._of_all[left] - sum([
            self.of(left, fewer) * self._rest[left - fewer] for fewer in range(count)
        ])  # fmt: skip


def _shifted(number: int, bits: int) -> int:
    return number << bits if bits >= 0 else number >> -bits
