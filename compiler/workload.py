"""How often parts of an expression may be worked out at most, as far as its text alone can say.

Counting through lists within lists, or measures that each ask another twice, can take for ever without one
step of an effect being done. In goes a lowered expression, out comes a number of evaluations.
"""

from __future__ import annotations

from compiler.context import BROKEN, Context
from compiler.costs import WORK_LIMIT, Flat
from compiler.effect.tree import Node
from compiler.intervals import length
from compiler.scopes import mentions
from runtime.program import Expr

CEILING = 10**15
# Less than this is not counted: the steps of an effect are few enough for it.
HEAVY = 1_000
# Spans hold no more when they are played; of other lists without a known length this is a fair guess.
LONGEST_SPAN, USUAL_LENGTH = 10_000, 100


def check_work(ctx: Context, node: Node, *exprs: Expr, times: Expr | None = None) -> bool:
    """Complain where working out `exprs`, once for each thing in the list `times`, may take far too long."""
    if any(mentions(expr, BROKEN) for expr in exprs):
        return True
    total = sum(work(ctx, expr) for expr in exprs)
    if times is not None and not mentions(times, BROKEN):
        total = work(ctx, times) + _length(ctx, times) * total
    if total <= WORK_LIMIT:
        count_work(ctx, total)
        return True
    ctx.error(
        "too-much-work",
        node,
        f"this may take {min(total, CEILING):,} evaluations, and {WORK_LIMIT:,} is the most",
        "look through shorter lists, or through one at a time",
    )
    return False


def count_work(ctx: Context, total: int) -> None:
    """Count the work of a long expression: a loop around it does it again and again."""
    if total > HEAVY:
        ctx.costs.append(Flat(work=total))


def nesting(ctx: Context, expr: Expr) -> int:
    """How deep rules and measures need one another where this is worked out."""
    own = ctx.functions.nesting.get(expr[1], 0) if expr[0] in ("function", "allowed") else 0
    parts = (part for part in expr[1:] if isinstance(part, tuple) and part)
    return max(own, max((nesting(ctx, part) for part in parts if expr[0] != "value"), default=0))


def work(ctx: Context, expr: Expr) -> int:
    """How many evaluations one expression may take."""
    form = expr[0]
    if form == "value":
        return 1
    if form == "each":
        _, _, value, _, domain, where = expr
        inner = sum(work(ctx, part) for part in (value, where) if part is not None)
        return min(CEILING, 1 + work(ctx, domain) + _length(ctx, domain) * (1 + inner))
    total = 1 + (ctx.functions.work.get(expr[1], 1) if form in ("function", "allowed") else 0)
    for part in expr:
        if type(part) is tuple:
            total += work(ctx, part)
    return min(CEILING, total)


def _length(ctx: Context, expr: Expr) -> int:
    known = length(ctx, expr)
    if expr[0] == "..":
        return LONGEST_SPAN if known is None else min(known, LONGEST_SPAN)
    return USUAL_LENGTH if known is None else known
