"""Finds a circle among things that each need another one: packs that require, patches that come after."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def find_circle(needs: Mapping[str, Collection[str]]) -> list[str]:
    """Return one circle as a path whose last step is its first, told from the least name in it.

    Every key of `needs` must need another key; what else they need does not matter. The same circle is
    found in whatever order the keys stand.
    """
    path = [min(needs)]
    while path[-1] not in path[:-1]:
        path.append(min(other for other in needs[path[-1]] if other in needs))
    path = path[path.index(path[-1]) :]
    start = path.index(min(path))
    return [*path[start:-1], *path[: start + 1]]
