"""Exact odds: every way that dice, decks and choices can fall, with equal states merged.

Weights are integers over a common denominator for each layer of prompts: nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from ruleloom.runtime.link.symbolic_codegen import places_of_dice, with_open_dice
from ruleloom.runtime.link.symbolic_dice import OpenRoll, RollKey, ToldApart, seen
from ruleloom.runtime.machine.canonical import StateKeys
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import RollEach
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import MOST_TOTALS, weights

TOO_MANY = "a roll of so many dice has too many sums"
# So often everything is looked through again at most, because dice are looked at again after a
# later prompt.
MOST_LATE = 3

Policy = Callable[[PlayNode], Iterable[tuple[Dynamic, int]]]
"""Which answers a person gives at a choice, each with its weight."""
Layer = list[tuple[PlayNode, int]]
Rolls = dict[RollKey, OpenRoll]
Ways = Sequence[tuple[Dynamic, int]]


class OverBudget(RuntimeFault):
    """There are more states than were to be looked through."""


def uniform(node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """Every answer on offer, equally likely."""
    return [(value, 1) for value in node.answers()]


def first(node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """The first answer on offer, always."""
    return [(next(iter(node.answers())), 1)]


@dataclass(frozen=True, slots=True)
class Fair:
    """Every way that dice or a deck can fall at a node, by how many ways lead to it."""

    node: PlayNode

    def __iter__(self) -> Iterator[tuple[Dynamic, int]]:
        ways = weights(self.node)
        if not ways:
            raise OverBudget(TOO_MANY)
        return zip(self.node.options, ways, strict=True)


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

    Choices are answered by `policy`, dice and decks as `falls` says. With `merge` off every path is
    followed by itself: the same answer, slowly; it is what merging is tested against. Without
    `variables` the outcome reads no variable of the game, and those that no row can read any more
    are forgotten. Raises OverBudget after `budget` nodes.
    """
    looking = _Looking(outcome, policy, done, falls, budget, merge, variables, merge)
    while True:
        try:
            return looking.through(start)
        except ToldApart as told:
            looking.tell_late(told)


@dataclass
class _Looking:
    """Looks through all ways, layer by layer.

    `cuts` is what was told apart of each roll that is looked at die by die. What is told apart only
    after a later prompt makes it start again, a few times at most.
    """

    outcome: Callable[[State], Hashable]
    policy: Policy
    done: Callable[[PlayNode], bool]
    falls: Policy
    budget: int
    merge: bool
    variables: bool
    open: bool
    late: int = 0
    cuts: dict[RollKey, frozenset[int]] = field(default_factory=dict)

    def through(self, start: PlayNode) -> dict[Hashable, Fraction]:
        """The chance of each outcome."""
        found: dict[Hashable, Fraction] = {}
        layer: Layer = [(start, 1)]
        denominator, visited, depth = 1, 0, 0
        while layer:
            visited += len(layer)
            if visited > self.budget:
                raise OverBudget(f"more than {self.budget:,} states")
            layer, ended = self._sorted_out(layer)
            for key, weight in ended.items():
                found[key] = found.get(key, 0) + Fraction(weight, denominator)
            layer, factor = self._next_layer(layer, depth)
            denominator *= factor
            if denominator >= 1 << 64:  # smaller numbers are quicker to add and to compare
                shared = gcd(denominator, *(weight for _, weight in layer))
                layer = [(node, weight // shared) for node, weight in layer]
                denominator //= shared
            depth += 1
        return found

    def _sorted_out(self, layer: Layer) -> tuple[Layer, dict[Hashable, int]]:
        """The nodes of a layer that go on, and what the others have come to."""
        going: Layer = []
        ended: dict[Hashable, int] = {}
        for node, weight in layer:
            if self.done(node):
                key = seen(self.outcome(node.state))
                ended[key] = ended.get(key, 0) + weight
            else:
                going.append((node, weight))
        return going, ended

    def _next_layer(self, layer: Layer, depth: int) -> tuple[Layer, int]:
        """Answer every prompt of a layer in every way; also the factor the denominator grows by."""
        while True:
            try:
                return self._answered(layer, depth)
            except ToldApart as told:
                if told.roll.layer != depth or told.cuts <= self.cuts[told.roll.key]:
                    raise
                self.cuts[told.roll.key] |= told.cuts

    def _answered(self, layer: Layer, depth: int) -> tuple[Layer, int]:
        rolls: Rolls = {}
        ways = [self._ways(node, depth, rolls) for node, _ in layer]
        totals = [sum(weight for _, weight in way) for _, way in ways]
        common = lcm(*totals) if totals else 1
        keys = None
        if layer and self.merge:
            linked = layer[0][0].linked
            places = places_of_dice(linked) if self.cuts else None
            keys = StateKeys(linked.live, places, None if self.variables else linked.live_variables)
        merged: dict[Hashable, tuple[PlayNode, int]] = {}
        for (_, weight), (node, way), total in zip(layer, ways, totals, strict=True):
            share = weight * (common // total)
            for value, ways_there in way:
                child = node.after(value[1], value[0]) if node.secret else node.after(value)
                key: Hashable = len(merged) if keys is None else keys.of(child.state)
                known = merged.get(key)
                merged[key] = (child, share * ways_there + (known[1] if known else 0))
        return list(merged.values()), common

    def _ways(self, node: PlayNode, depth: int, rolls: Rolls) -> tuple[PlayNode, Ways]:
        """The answers to a prompt with their weights, and the node to give them to."""
        if node.chance:
            falls = self.falls(node)
            if self.open and isinstance(falls, Fair) and isinstance(node.row, RollEach):
                return self._open_ways(node, depth, rolls)
            return node, list(falls)
        if node.secret:
            player = node.stop.who[0]
            return node, [((player, value), 1) for value in node.secret_options(player)]
        return node, list(self.policy(node))

    def _open_ways(self, node: PlayNode, depth: int, rolls: Rolls) -> tuple[PlayNode, Ways]:
        """The ways in which dice can fall into ranges of faces that are not told apart."""
        number, sides = node.dice
        key = (node.frame.routine, node.frame.pc, sides)
        if key not in rolls:
            rolls[key] = OpenRoll(key, depth, self.cuts.setdefault(key, frozenset()))
        if rolls[key].many(number) > MOST_TOTALS:
            raise OverBudget(TOO_MANY)
        return PlayNode(with_open_dice(node.linked), node.stop), rolls[key].ways(number)

    def tell_late(self, told: ToldApart) -> None:
        """Faces told apart only after a later prompt: start again, at last without open dice."""
        self.cuts[told.roll.key] |= told.cuts
        self.late += 1
        self.open = self.open and self.late < MOST_LATE
