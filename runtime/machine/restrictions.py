"""The reason of the restriction by which a rule fails.

The machine runs a restricted rule as one expression; `Program.stats` has its parts.
"""

from __future__ import annotations

from collections.abc import Callable

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import fill
from ruleloom.runtime.program.program import Condition, Expr
from ruleloom.runtime.program.values import Dynamic, Slots, Value


def needs(linked: Linked, condition: Condition, slot: int, value: Value, *reading: Dynamic) -> str:
    """What a condition that fails for `value` in `slot` (-1: of none) would need."""
    said = f"needs: {fill(linked, condition.english, reading, slot, value)}"
    if not linked.restricted:
        return said
    world, slots, scope, rules = reading
    own = list(slots)
    if slot >= 0:
        own[slot] = value

    def value_of(expr: Expr, slots: Slots) -> Dynamic:
        return linked.test(-1, expr)(world, slots, scope, rules)

    reason = _reason(linked, condition.test, own, value_of)
    return f"{said} ({reason})" if reason else said


def _reason(
    linked: Linked, expr: Expr, slots: Slots, value_of: Callable[[Expr, Slots], Dynamic]
) -> str:
    """Why a condition that does not hold is restricted; empty if it fails for anything else."""
    form = expr[0]
    if form in ("and", "or"):
        failing = (part for part in expr[1:] if not value_of(part, slots))
        return next(filter(None, (_reason(linked, one, slots, value_of) for one in failing)), "")
    if form not in ("function", "allowed"):
        return ""
    args = tuple(value_of(arg, slots) for arg in expr[2:])
    base, restrictions = linked.restricted.get(expr[1], (linked.bodies[expr[1]], ()))
    if not restrictions or not value_of(base, args):
        return _reason(linked, base, args, value_of)
    tests = ((one.label, one.test) for one in restrictions)
    return next((label for label, test in tests if test is None or value_of(test, args)), "")
