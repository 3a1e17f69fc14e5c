"""Exact odds: every way that dice, decks and choices can fall, with equal states merged.

Weights are integers over a common denominator for each layer of prompts, so nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from runtime.asking import weights
from runtime.faults import RuntimeFault
from runtime.liveness import forgotten, live_slots
from runtime.node import Node
from runtime.state import State

Policy = Callable[[Node], Iterable[tuple[Any, int]]]
"""Which answers a person gives at a choice, each with its weight."""


class OverBudget(RuntimeFault):
    """There are more states than were to be looked through."""


def uniform(node: Node) -> Iterable[tuple[Any, int]]:
    """Every answer on offer, equally likely."""
    return [(value, 1) for value in node.answers()]


def first(node: Node) -> Iterable[tuple[Any, int]]:
    """The first answer on offer, always."""
    return [(next(iter(node.answers())), 1)]


def fair(node: Node) -> Iterable[tuple[Any, int]]:
    """Every way that dice or a deck can fall, by how many ways lead to it."""
    ways = weights(node)
    if not ways:
        raise OverBudget("a roll of so many dice has too many sums")
    return zip(node.options, ways, strict=True)


def distribution(
    start: Node,
    outcome: Callable[[State], Hashable],
    policy: Policy = uniform,
    done: Callable[[Node], bool] = lambda node: node.over,
    merge: bool = True,
    budget: int = 1_000_000,
    falls: Policy = fair,
) -> dict[Hashable, Fraction]:
    """The chance of each `outcome`, from `start` until `done`.

    Choices are answered by `policy`, dice and decks as `falls` says. With `merge` off every path is followed
    by itself: the same answer, slowly; it is what merging is tested against. Raises OverBudget after `budget`
    nodes.
    """
    live = tuple(live_slots(routine) for routine in start.linked.program.routines) if merge else ()
    found: dict[Hashable, Fraction] = {}
    layer: list[tuple[Node, int]] = [(start, 1)]
    denominator = 1
    visited = 0
    while layer:
        visited += len(layer)
        if visited > budget:
            raise OverBudget(f"more than {budget:,} states")
        going: list[tuple[Node, int]] = []
        ended: dict[Hashable, int] = {}
        for node, weight in layer:
            if done(node):
                key = outcome(node.state)
                ended[key] = ended.get(key, 0) + weight
            else:
                going.append((node, weight))
        for key, weight in ended.items():
            found[key] = found.get(key, 0) + Fraction(weight, denominator)
        layer, factor = _next_layer(going, policy, falls, live)
        denominator *= factor
        layer, denominator = _reduced(layer, denominator)
    return found


def _ways(node: Node, policy: Policy, falls: Policy) -> list[tuple[Any, int]]:
    if node.chance:
        return list(falls(node))
    if node.secret:
        player = node.stop.who[0]
        return [((player, value), 1) for value in node.secret_options(player)]
    return list(policy(node))


def _next_layer(
    layer: list[tuple[Node, int]], policy: Policy, falls: Policy, live: tuple[Any, ...]
) -> tuple[list[tuple[Node, int]], int]:
    """Answer every prompt of a layer in every way; also the factor the denominator grows by."""
    ways = [_ways(node, policy, falls) for node, _ in layer]
    totals = [sum(weight for _, weight in way) for way in ways]
    common = lcm(*totals) if totals else 1
    merged: dict[Hashable, tuple[Node, int]] = {}
    for (node, weight), way, total in zip(layer, ways, totals, strict=True):
        share = weight * (common // total)
        for value, ways_there in way:
            child = node.after(value[1], value[0]) if node.secret else node.after(value)
            key: Hashable = forgotten(child.state, live) if live else len(merged)
            known = merged.get(key)
            merged[key] = (child, share * ways_there + (known[1] if known else 0))
    return list(merged.values()), common


def _reduced(layer: list[tuple[Node, int]], denominator: int) -> tuple[list[tuple[Node, int]], int]:
    if denominator < 1 << 64:
        return layer, denominator
    shared = denominator
    for _, weight in layer:
        shared = gcd(shared, weight)
    return [(node, weight // shared) for node, weight in layer], denominator // shared
