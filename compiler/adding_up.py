"""The order in which modifiers of a stat count, as one expression.

What it is to begin with; what sets it to a value (the highest, if several do); what adds; what multiplies; what
bounds it; and last the bounds of the stat itself. Of the bonuses of one sort that keeps the best, the highest
and the lowest below zero count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.program import Expr, Modifier, Stat

BEST = "best"
ZERO: Expr = ("value", 0)
NOTHING: Expr = ("list",)


def added_up(stat: Stat, bonuses: Mapping[str, str], slot: int) -> Expr:
    """The value of a stat over its parameters; `slot` is one that they leave free."""
    value = stat.base
    by = {change: [one for one in stat.modifiers if one.change == change] for change in ("to", "by", "times")}
    if by["to"]:
        value = _set(value, by["to"], slot)
    parts = _parts(by["by"], bonuses, slot)
    if parts:
        value = ("each", "sum", None, slot, ("list", value, *parts), None)
    value = _halved("*", [value, *(_if(one, ("value", 1)) for one in by["times"])])
    return _bounded(value, stat, slot)


def _halved(sign: str, parts: Sequence[Expr]) -> Expr:
    """The parts with a sign between any two, put together by halves: nested no deeper than need be, however many."""
    if len(parts) == 1:
        return parts[0]
    half = (len(parts) + 1) // 2
    return (sign, _halved(sign, parts[:half]), _halved(sign, parts[half:]))


def _if(one: Modifier, otherwise: Expr) -> Expr:
    return one.value if one.test is None else ("if", one.test, one.value, otherwise)


def _set(base: Expr, ways: Sequence[Modifier], slot: int) -> Expr:
    """What it is set to; the base where nothing sets it."""
    found = _halved("join", [_listed(one) for one in ways])
    if any(one.test is None for one in ways):
        return ("each", "highest", None, slot, found, None)
    return ("if", ("=", ("count", found), ZERO), base, ("each", "highest", None, slot, found, None))


def _listed(one: Modifier) -> Expr:
    return ("list", one.value) if one.test is None else ("if", one.test, ("list", one.value), NOTHING)


def _parts(adding: Sequence[Modifier], bonuses: Mapping[str, str], slot: int) -> list[Expr]:
    plain = [one for one in adding if bonuses.get(one.bonus) != BEST]
    parts = [_if(one, ZERO) for one in plain]
    for bonus in sorted({one.bonus for one in adding if bonuses.get(one.bonus) == BEST}):
        rivals = ("list", ZERO, *(_if(one, ZERO) for one in adding if one.bonus == bonus))
        parts += [("each", kind, None, slot, rivals, None) for kind in ("highest", "lowest")]
    return parts


def _bounded(value: Expr, stat: Stat, slot: int) -> Expr:
    for change, kind in (("least", "highest"), ("most", "lowest")):
        limits = [one for one in stat.modifiers if one.change == change]
        if limits:
            # A list, so that the value stands there once, however many limits there are.
            found = _halved("join", [("list", value), *map(_listed, limits)])
            value = ("each", kind, None, slot, found, None)
    for limit, kind in ((stat.least, "highest"), (stat.most, "lowest")):
        if limit is not None:
            value = ("each", kind, None, slot, ("list", value, limit), None)
    return value
