"""Conditions that plainly never hold together, so that of two answers only one responds."""

from __future__ import annotations

from ruleloom.runtime.program.expr import conjuncts, mentions
from ruleloom.runtime.program.program import Expr


def excludes(one: Expr | None, other: Expr | None) -> bool:
    """Can these two conditions never hold together, as far as it is plain from each part?"""
    if one is None or other is None:
        return False
    return any(_excludes(a, b) for a in _tests(one) for b in _tests(other))


def _tests(where: Expr) -> list[Expr]:
    """The tests of the event; of bearers who are asked one by one, those that no bearer decides."""
    if where[:2] != ("each", "exists") or where[5] is None:
        return conjuncts(where)
    return [test for test in conjuncts(where[5]) if not mentions(test, ("slot", where[3]))]


def _excludes(a: Expr, b: Expr) -> bool:
    if ("not", a) == b or ("not", b) == a:
        return True
    if a[0] not in OPPOSITES or b[0] not in OPPOSITES or a[1] != b[1]:
        return False
    if a[2] == b[2]:
        return b[0] in OPPOSITES[a[0]]
    return a[2][0] == b[2][0] == "value" and _never_both(a, b)


def _never_both(a: Expr, b: Expr) -> bool:
    """Do two comparisons with different values leave nothing for both?"""
    if a[0] == b[0] == "=":
        return True
    return all(type(one[2][1]) is int for one in (a, b)) and (_apart(a, b) or _apart(b, a))


def _apart(a: Expr, b: Expr) -> bool:
    """Does the first keep a whole number below what the second allows?"""
    above, below = {"=": 0, "<=": 0, "<": -1}, {"=": 0, ">=": 0, ">": 1}
    if a[0] not in above or b[0] not in below:
        return False
    return bool(a[2][1] + above[a[0]] < b[2][1] + below[b[0]])


OPPOSITES = {
    "=": ("!=", "<", ">"),
    "!=": ("=",),
    "<": (">=", ">", "="),
    ">": ("<=", "<", "="),
    "<=": (">",),
    ">=": ("<",),
}
