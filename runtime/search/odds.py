"""Exact odds: every outcome of dice, decks and choices, with equal states merged.

Weights are integers over a common denominator for each layer of prompts: nothing is ever rounded.
Equivalent states are merged: dead local variables are left out of their keys, and dead variables of the
game if the outcome reads none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from itertools import chain, repeat
from math import gcd, lcm
from typing import Any

from ruleloom.runtime.analysis.rows import LiveSlots, LiveVariables, still_read
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.pool_counting import Counting
from ruleloom.runtime.link.pool_statistics import Statistic
from ruleloom.runtime.link.symbolic_codegen import places_of_dice, with_open_dice
from ruleloom.runtime.link.symbolic_pools import (
    OpenPool,
    OpenRoll,
    PoolNumber,
    PoolParted,
    RollKey,
    named,
    seen,
)
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.program.program import Roll, RollEach
from ruleloom.runtime.program.state import Frame, State
from ruleloom.runtime.program.values import Dynamic, Scope, with_entry
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import ways_of_dice


class _Numbers:
    """Numbers things, equally for equal keys."""

    def __init__(self, key: Callable[[Any], Hashable] = lambda thing: thing) -> None:
        self._key = key
        # Numbered things are kept alive, so that their ids stay unique.
        self._kept: list[Any] = []
        self._by_place: dict[int, int] = {}
        self._by_key: dict[Hashable, int] = {}

    def of(self, thing: Any) -> int:
        """The number of a thing."""
        number = self._by_place.get(id(thing))
        if number is None:
            self._kept.append(thing)
            number = self._by_key.setdefault(self._key(thing), len(self._by_key))
            self._by_place[id(thing)] = number
        return number


class StateKeys:
    """The keys of the states of one layer.

    Open dice may be in variables of the game at `places`, and in local variables; nowhere if it is None.
    `variables` gives the live variables of the game; None if all are.
    """

    def __init__(
        self,
        live: LiveSlots,
        places: Sequence[int] | None,
        variables: LiveVariables | None = None,
    ) -> None:
        self._live = live
        self._places = places
        self._variables = variables
        columns = defaultdict[int, _Numbers](_Numbers)  # an operation changes few of them
        self._worlds = _Numbers(
            lambda world: tuple([columns[at].of(column) for at, column in enumerate(world)])
        )

    def of(self, state: State) -> Hashable:
        """The key of a state."""
        world, scope, frame, *rest = state
        for place in self._places or ():
            if scope[place].__class__ is not int:
                scope = with_entry(scope, place, named(scope[place]))
        return (self._worlds.of(world), self._known(scope, frame), self._frame(frame), *rest)

    def _known(self, scope: Scope, frame: Frame | None) -> Scope:
        """The variables of the game, without the dead ones."""
        return scope if self._variables is None else self._variables.still_read(scope, frame)

    def _frame(self, frame: Frame | None) -> Hashable:
        if frame is None:
            return None
        routine, pc, _, parent, slot, inherited, relaxed, back, *others = frame
        slots, waiting = still_read(frame, self._live), self._frame(parent)
        if self._places is not None:
            slots, back = named(slots), back and named(back)
        return (routine, pc, slots, waiting, slot, inherited, relaxed, back, *others)


# The most bytes for the counts of a roll.
MOST_BYTES = 1 << 25
# The most pools parted after a later prompt; then each fall of their rolls is followed separately,
# and after `MOST_SINGLE` rolls each fall of any.
MOST_PARTED, MOST_SINGLE = 12, 2
# The most questions about a game whose distinguished rolls are cached.
MOST_KNOWN = 64
# Layers with fewer sums of dice than this follow each sum, which is as fast.
FEW_FALLS = 400

Policy = Callable[[PlayNode], Iterable[tuple[Dynamic, int]]]
"""The answers of a player at a choice, each with its weight."""
Layer = list[tuple[PlayNode, int]]
Rolls = dict[RollKey, OpenRoll]
# The distinguished rolls of a question, by number of the layer.
KnownRolls = dict[int, Rolls]
# The final outcomes, by the number of ways that each weight is a part of.
Ended = dict[int, dict[Hashable, int]]
Ways = Sequence[tuple[Dynamic, int]]


def uniform(node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """Every answer on offer, equally likely."""
    return [(value, 1) for value in node.answers()]


def first(node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """The first answer on offer, always."""
    return [(next(iter(node.answers())), 1)]


class Fair(Frozen):
    """Every result of dice or a deck at a node, with its ways; OverBudget if there are too many."""

    node: PlayNode
    most: int = 1_000_000

    def __iter__(self) -> Iterator[tuple[Dynamic, int]]:
        options = self.node.options
        if not isinstance(self.node.row, Roll):
            return zip(options, repeat(1))
        number, sides = self.node.dice
        if len(options) > self.most or len(options) * number * sides.bit_length() > MOST_BYTES * 8:
            found = "ways to fall" if isinstance(self.node.row, RollEach) else "sums"
            raise OverBudget(f"a roll of {number:,} dice has {len(options):,} {found}")
        return zip(options, ways_of_dice(self.node), strict=True)


@dataclass(slots=True)
class _Asked:
    """A prompt with its weight and its answers, whose weights add up to `total`, or with `number` dice of
    an open `roll`."""

    node: PlayNode
    weight: int
    total: int
    answers: Ways = ()
    roll: OpenRoll | None = None
    number: int = 0


@lru_cache(maxsize=8)
def _known_of(linked: Linked) -> dict[tuple[int, int], KnownRolls]:
    """A cache of the distinguished rolls of questions about a game, by start.

    It affects only speed.
    """
    return {}


def distribution(
    start: PlayNode,
    outcome: Callable[[State], Hashable],
    policy: Policy = uniform,
    done: Callable[[PlayNode], bool] = lambda node: node.over,
    merge: bool = True,
    budget: int = 1_000_000,
    falls: Policy = Fair,
    variables: bool = True,
) -> dict[Hashable, Fraction]:
    """The chance of each `outcome`, from `start` until `done`.

    Choices are answered by `policy`, dice and decks by `falls`. With `merge` off every path is followed
    separately: the same result, slowly; tests compare merging with it. Without `variables` the outcome
    reads no variable of the game, and dead ones are dropped. Raises OverBudget after `budget` nodes.
    """
    looking = _Looking(outcome, policy, done, falls, budget, merge, variables, merge)
    known, frame = _known_of(start.linked), start.state.frame
    key = (frame.routine, frame.pc) if frame is not None else (-1, -1)
    looking.known = {**known.pop(key, {})} if merge else {}
    while True:
        try:
            found = looking.through(start)
            break
        except PoolParted as told:
            looking.tell_late(told)
    if looking.known:
        known[key] = looking.known
    for old in [*known][:-MOST_KNOWN]:
        known.pop(old, None)  # another thread may have removed it
    return found


@dataclass
class _Looking:
    """Explores all ways, layer by layer.

    `told` are the rolls of which each sum counts. A distinction made only after a later prompt forces a
    restart: with the sum among these, or the pool `parted`, a few times at most, and then with each fall of
    its roll `single`. `known` are the rolls as distinguished so far.
    """

    outcome: Callable[[State], Hashable]
    policy: Policy
    done: Callable[[PlayNode], bool]
    falls: Policy
    budget: int
    merge: bool
    variables: bool
    open: bool
    opened: bool = False
    parted: int = 0
    single: set[RollKey] = field(default_factory=set)
    told: set[RollKey] = field(default_factory=set)
    known: KnownRolls = field(default_factory=dict)
    counting: Counting = field(default_factory=lambda: Counting(0))

    def through(self, start: PlayNode) -> dict[Hashable, Fraction]:
        """The chance of each outcome."""
        found: dict[int, dict[Hashable, int]] = {}
        if self.done(start):
            self._end(start, 1, found)
            return _chances(found)
        self.counting = Counting(self.budget)
        layer: Layer = [(start, 1)]
        denominator, number = 1, 0
        while layer:
            self.counting.spend(len(layer))
            layer, ended, factor = self._next_layer(layer, number)
            denominator *= factor
            number += 1
            for ways, of in ended.items():
                among = found.setdefault(denominator * ways, {})
                for key, weight in of.items():
                    among[key] = among.get(key, 0) + weight
            if denominator >= 1 << 64:  # smaller numbers are faster to add and to compare
                shared = gcd(denominator, *(weight for _, weight in layer))
                layer = [(node, weight // shared) for node, weight in layer]
                denominator //= shared
        return _chances(found)

    def _end(self, node: PlayNode, weight: int, ended: Ended) -> None:
        """Add the outcome of a node."""
        end = self.outcome(node.state)
        of, ways = spread(end) if self.opened else ({end: 1}, 1)
        if not weight % ways:
            weight, ways = weight // ways, 1
        among = ended.setdefault(ways, {})
        for key, many in of.items():
            among[key] = among.get(key, 0) + weight * many

    def _next_layer(self, layer: Layer, number: int) -> tuple[Layer, Ended, int]:
        """Answer every prompt of a layer in every way: the nodes that continue, the outcomes of the
        others, and the growth factor of the denominator."""
        rolls: Rolls = {}
        many = len(layer)
        asked = [self._asked(node, weight, rolls, number, many) for node, weight in layer]
        common = lcm(*[one.total for one in asked])
        if rolls:
            self.known[number] = rolls
        while True:
            try:
                return *self._answered(asked, common), common
            except PoolParted as told:
                if not self._told(told, rolls):
                    raise

    def _told(self, told: PoolParted, rolls: Rolls) -> bool:
        """Part a pool of this layer; False if it belongs to another one."""
        roll = told.pool.roll
        return rolls.get(roll.key) is roll and roll.part(told)

    def _asked(self, node: PlayNode, weight: int, rolls: Rolls, layer: int, many: int) -> _Asked:
        """A prompt of a layer of `many`, with its answers."""
        if not node.chance:
            ways = self._choices(node)
            return _Asked(node, weight, sum(of for _, of in ways), ways)
        falls = self.falls(node)
        number, sides = node.dice if isinstance(node.row, Roll) else (0, 0)
        key = (node.frame.routine, node.frame.pc, sides)
        fair = self.open and number > 0 and isinstance(falls, Fair)
        if fair and isinstance(
            node.row, RollEach
        ):  # nodes of a layer at the same roll share its dice
            if key not in rolls:
                rolls[key] = self._roll(key, self.known.get(layer, {}).get(key), layer)
            return _Asked(self._opened(node), weight, sides**number, (), rolls[key], number)
        ways = list(falls)
        if fair and many * len(ways) > FEW_FALLS and key not in self.told:
            roll = OpenRoll(key, layer=layer, adds_up=True)
            roll.begin(self.counting)
            return _Asked(self._opened(node), weight, sides**number, ways, roll, number)
        return _Asked(node, weight, sum(of for _, of in ways), ways)

    def _roll(self, key: RollKey, known: OpenRoll | None, layer: int) -> OpenRoll:
        """The dice of a roll, distinguished as far as known."""
        single = key in self.single or len(self.single) >= MOST_SINGLE
        if known is None or (single and not known.single):
            known = OpenRoll(key, single, layer)
        known.begin(self.counting)
        return known

    def _opened(self, node: PlayNode) -> PlayNode:
        """The same node, of a game with open dice."""
        self.opened = True
        linked = with_open_dice(node.linked)
        return node if linked is node.linked else PlayNode(linked, node.stop)

    def _choices(self, node: PlayNode) -> Ways:
        if node.secret:
            player = node.stop.who[0]
            return [((player, value), 1) for value in node.secret_options(player)]
        return list(self.policy(node))

    def _answered(self, asked: Sequence[_Asked], common: int) -> tuple[Layer, Ended]:
        keys: StateKeys | None = None
        merged: dict[Hashable, tuple[PlayNode, int]] = {}
        over: Layer = []
        for one in asked:
            share = one.weight * (common // one.total)
            for child, ways in self._reached(one):
                weight = share * ways
                if self.done(child):
                    over.append((child, weight))
                    continue
                if keys is None and self.merge:
                    keys = self._keys(child.linked)
                key: Hashable = len(merged) if keys is None else keys.of(child.state)
                known = merged.get(key)
                merged[key] = (child, weight + (known[1] if known else 0))
        ended: Ended = {}
        for child, weight in over:
            self._end(child, weight, ended)
        return list(merged.values()), ended

    def _reached(self, asked: _Asked) -> Layer:
        """The node after each answer, with its ways."""
        node = asked.node
        if asked.roll is not None:
            found = _fallen(node, asked.roll, asked.number)
            if asked.roll.adds_up and len(found) == len(asked.answers):
                self.told.add(asked.roll.key)
            return found
        if node.secret:
            return [(node.after(value, player), ways) for (player, value), ways in asked.answers]
        return [(node.after(value), ways) for value, ways in asked.answers]

    def _keys(self, linked: Linked) -> StateKeys:
        """The keys of equal states."""
        places = places_of_dice(linked) if self.opened else None
        return StateKeys(linked.live, places, None if self.variables else linked.live_variables)

    def tell_late(self, told: PoolParted) -> None:
        """Prepare a restart with falls distinguished late."""
        roll = told.pool.roll
        if roll.adds_up:
            self.told.add(roll.key)
            return
        self.parted += 1
        if self.parted > 1:  # a rule that compares with one number is likely to compare with others
            told = PoolParted(told.pool, told.by.base)
        if self.parted > MOST_PARTED or not roll.part(told):
            self.single.add(roll.key)


def _fallen(node: PlayNode, roll: OpenRoll, number: int) -> Layer:
    """The node after each fall of a pool, with its ways; falls that the rules do not distinguish are
    one."""
    found: Layer = []
    told = []
    waiting = roll.pools(number)[::-1]
    while waiting:
        pool = waiting.pop()
        try:
            child = node.after(pool.dice)
        except PoolParted as parted:
            if parted.pool is not pool:
                raise
            waiting.extend(reversed(pool.parts(parted.by)))
            continue
        told.append(pool)
        found.append((child, pool.ways))
    roll.keep(number, told)
    return found


def _chances(found: dict[int, dict[Hashable, int]]) -> dict[Hashable, Fraction]:
    """The chance of each outcome, from weights by denominator."""
    common = lcm(*found)
    weights: dict[Hashable, int] = {}
    for denominator, of in found.items():
        for key, weight in of.items():
            weights[key] = weights.get(key, 0) + weight * (common // denominator)
    return {key: Fraction(weight, common) for key, weight in weights.items()}


def spread(value: Dynamic) -> tuple[Mapping[Dynamic, int], int]:
    """Each possible value with its ways, and the total of the ways: a number on a pool has one for each
    of its values. Other open dice in the value are resolved."""
    if isinstance(value, PoolNumber):
        return value.pool.chances(value.statistic), value.pool.ways
    hanging = [*_hanging_in(value)]
    if not hanging:
        return {seen(value): 1}, 1
    pool = hanging[0].pool
    wanted = tuple(dict.fromkeys([one.statistic for one in hanging if one.pool is pool]))
    found: dict[Dynamic, int] = {}
    of_all = 1
    for values, ways in pool.joint(wanted).items():
        inner, of_all = spread(_with_values(value, pool, dict(zip(wanted, values, strict=True))))
        for one, many in inner.items():
            found[one] = found.get(one, 0) + ways * many
    return found, pool.ways * of_all


def _hanging_in(value: Dynamic) -> Iterable[PoolNumber]:
    """The numbers in a value that depend on pools."""
    if isinstance(value, PoolNumber):
        return (value,)
    return chain.from_iterable(map(_hanging_in, value)) if value.__class__ is tuple else ()


def _with_values(value: Dynamic, pool: OpenPool, known: Mapping[Statistic, Dynamic]) -> Dynamic:
    """A value with known statistics of a pool filled in."""
    if isinstance(value, PoolNumber):
        return known[value.statistic] if value.pool is pool else value
    if value.__class__ is not tuple:
        return value
    return tuple([_with_values(one, pool, known) for one in value])
