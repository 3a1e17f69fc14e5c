"""Dependency graphs of packs, patches, powers, triggers: circles, order, closures.

A graph says for each node what it needs; needs that are no nodes of it do not matter. Everything
takes time in proportion to the size of the graph, and nothing is recursive, as packs are untrusted.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

LONGEST_SHOWN = 12


class Ordered(Hashable, Protocol):
    """A node of a graph: messages begin with the least of several."""

    def __lt__(self, other: Any, /) -> bool: ...


N = TypeVar("N", bound=Ordered)
T = TypeVar("T", bound=Hashable)
Graph = Mapping[N, Collection[N]]


def find_circle(needs: Graph[N]) -> list[N]:
    """Return one circle as a path whose last step is its first, the least name of it.

    Every key of `needs` must need another key; what else they need does not matter. The same circle
    is found in whatever order the keys stand.
    """
    place: dict[N, int] = {}
    step = min(needs)
    while step not in place:
        place[step] = len(place)
        step = min(other for other in needs[step] if other in needs)
    path = list(place)[place[step] :]
    start = path.index(min(path))
    return [*path[start:], *path[: start + 1]]


def in_order(needs: Graph[N]) -> list[N]:
    """Return the keys, each after all it needs, else as they stand; without those on circles."""
    keys = list(needs)
    users: dict[N, list[int]] = {key: [] for key in keys}
    waiting = [0] * len(keys)
    for rank, others in enumerate(needs.values()):
        for other in needs.keys() & set(others):
            users[other].append(rank)
            waiting[rank] += 1
    ready = [rank for rank, count in enumerate(waiting) if not count]
    order = []
    while ready:
        order.append(keys[heapq.heappop(ready)])
        for rank in users[order[-1]]:
            waiting[rank] -= 1
            if not waiting[rank]:
                heapq.heappush(ready, rank)
    return order


def closures(needs: Graph[N]) -> dict[N, frozenset[N]]:
    """Return for each key all that it needs, itself too; keys stand behind those that they need."""
    found: dict[N, frozenset[N]] = {}
    for key, others in needs.items():
        found[key] = frozenset({key}).union(*(found.get(other, {other}) for other in others))
    return found


def gathered(needs: Graph[N], own: Mapping[N, Collection[T]]) -> dict[N, frozenset[T]]:
    """Return for each key the union of its own set and those of all that it needs."""
    found: dict[N, frozenset[T]] = {}
    for part in components(needs):
        # All on a circle have what any of them has; what it needs is known by now.
        others = set().union(*(needs[key] for key in part)) & found.keys()
        whole = frozenset[T]().union(*(own[key] for key in part), *map(found.__getitem__, others))
        found.update(dict.fromkeys(part, whole))
    return found


def path_text(path: Sequence[str]) -> str:
    """Return a path for a message: a long one without its middle."""
    steps = list(path) if len(path) <= LONGEST_SHOWN else [*path[:3], "...", *path[-2:]]
    return " -> ".join(steps)


def components(needs: Graph[N]) -> list[list[N]]:
    """Return the strongly connected components of a graph, each after all that it needs.

    This is Tarjan's algorithm, with a stack in place of recursion.
    """
    parts: list[list[N]] = []
    number: dict[N, int] = {}
    least: dict[N, int] = {}
    open_: list[N] = []
    done: set[N] = set()
    for start in needs:
        if start in number:
            continue
        waiting: list[tuple[N, Iterator[N]]] = []
        entered: N | None = start
        while entered is not None or waiting:
            if entered is not None:
                number[entered] = least[entered] = len(number)
                open_.append(entered)
                waiting.append((entered, iter(needs[entered])))
            key, others = waiting[-1]
            entered = None
            for other in others:
                if other not in number and other in needs:
                    entered = other
                    break
                if other in number and other not in done:
                    least[key] = min(least[key], number[other])
            if entered is None:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    least[above] = min(least[above], least[key])
                if least[key] == number[key]:
                    parts.append(_finished(key, open_))
                    done.update(parts[-1])
    return parts


def _finished(key: N, open_: list[N]) -> list[N]:
    """Take a part, from its first node on, off the stack."""
    part = [open_.pop()]
    while part[-1] != key:
        part.append(open_.pop())
    return part[::-1]


def is_circle(part: Collection[N], needs: Graph[N]) -> bool:
    """Tell whether a part of `components` is a circle: several things, or one that needs itself."""
    return len(part) > 1 or any(key in needs[key] for key in part)


def shortest_circle(start: N, part: Collection[N], needs: Graph[N]) -> list[N]:
    """Return the shortest way within a part of `components` from one of its things back to it."""
    before: dict[N, N] = {}
    row = [start]
    within = set(part)
    while start not in before:
        below: list[N] = []
        for key in row:
            for other in sorted(within.intersection(needs[key])):
                if other not in before:
                    before[other] = key
                    below.append(other)
        row = below
    path = [start]
    while len(path) == 1 or path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]
