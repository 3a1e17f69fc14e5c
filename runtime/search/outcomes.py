"""Outcomes that hang on pools: each value that they can have, with its ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from ruleloom.runtime.link.pool_statistics import Statistic, Values
from ruleloom.runtime.link.symbolic_pools import OpenPool, PoolNumber, seen
from ruleloom.runtime.program.values import Dynamic


def spread(value: Dynamic) -> tuple[Mapping[Dynamic, int], int]:
    """Each thing that a value can be, with its ways, and how many ways there are: a number that hangs
    on a pool is one for each of its values. Other open dice in it are told apart."""
    if isinstance(value, PoolNumber):
        return value.pool.chances(value.statistic), value.pool.ways
    hanging = [*_hanging_in(value)]
    if not hanging:
        return {seen(value): 1}, 1
    pool = hanging[0].pool
    if len(hanging) == 1 and (at := _place_in(value, hanging[0])) is not None:
        before, behind = seen(value[:at]), seen(value[at + 1 :])
        each = pool.chances(hanging[0].statistic).items()
        return {(*before, one, *behind): ways for one, ways in each}, pool.ways
    wanted = tuple(dict.fromkeys([one.statistic for one in hanging if one.pool is pool]))
    found: dict[Dynamic, int] = {}
    of_all = 1
    for values, ways in pool.joint(wanted).items():
        inner, of_all = spread(_with_values(value, pool, dict(zip(wanted, values, strict=True))))
        for one, many in inner.items():
            found[one] = found.get(one, 0) + ways * many
    return found, pool.ways * of_all


def _hanging_in(value: Dynamic) -> Iterable[PoolNumber]:
    """The numbers in a value that hang on pools."""
    if isinstance(value, PoolNumber):
        return (value,)
    return chain.from_iterable(map(_hanging_in, value)) if value.__class__ is tuple else ()


def _place_in(value: Values, number: PoolNumber) -> int | None:
    """Where in a list a number stands itself."""
    return next((at for at, one in enumerate(value) if one is number), None)


def _with_values(value: Dynamic, pool: OpenPool, known: Mapping[Statistic, Dynamic]) -> Dynamic:
    """A value, with the values of some statistics of a pool in it."""
    if isinstance(value, PoolNumber):
        return known[value.statistic] if value.pool is pool else value
    if value.__class__ is not tuple:
        return value
    return tuple([_with_values(one, pool, known) for one in value])
