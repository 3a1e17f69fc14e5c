"""What restricts a rule: the reason of the restriction by which a condition fails.

A rule that abilities restrict is one expression to the machine; its parts stand beside it in
`Program.stats`.
"""

from __future__ import annotations

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import fill
from ruleloom.runtime.program.program import Condition, Expr, Modifier
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Slots, Value, World


def needs(
    linked: Linked,
    condition: Condition,
    slot: int,
    world: World,
    slots: Slots,
    scope: Scope,
    rules: Rules,
    value: Value,
) -> str:
    """What a condition that fails for `value` in `slot` (-1: of none) would need."""
    said = f"needs: {fill(linked, condition.english, world, slots, scope, rules, slot, value)}"
    if not linked.restricted:
        return said
    own = list(slots)
    if slot >= 0:
        own[slot] = value
    reason = Restrictions(linked, world, scope, rules).reason(condition.test, own)
    return f"{said} ({reason})" if reason else said


class Restrictions:
    """Looks into one moment: a world, the variables of the game, and the rules that are ignored."""

    def __init__(self, linked: Linked, world: World, scope: Scope, rules: Rules) -> None:
        self.linked, self.world, self.scope, self.rules = linked, world, scope, rules

    def reason(self, expr: Expr, slots: Slots) -> str:
        """Why a condition that does not hold is restricted; empty if it fails for anything else."""
        form = expr[0]
        if form in ("and", "or"):
            failing = (part for part in expr[1:] if not self._value(part, slots))
            return next(filter(None, (self.reason(part, slots) for part in failing)), "")
        if form not in ("function", "allowed"):
            return ""
        args = tuple(self._value(arg, slots) for arg in expr[2:])
        base, restrictions = self.linked.restricted.get(expr[1], (None, ()))
        if base is None:
            return self.reason(self.linked.bodies[expr[1]], args)
        if not self._value(base, args):
            return self.reason(base, args)
        return next((one.label for one in restrictions if self._holds(one, args)), "")

    def _holds(self, one: Modifier, args: Slots) -> bool:
        return one.test is None or bool(self._value(one.test, args))

    def _value(self, expr: Expr, slots: Slots) -> Dynamic:
        return self.linked.test(-1, expr)(self.world, slots, self.scope, self.rules)
