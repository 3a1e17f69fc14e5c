"""An upper bound on the evaluations that an expression takes, as far as its text alone can say.

Lists within lists, or measures that each ask another twice, can take for ever in a single step.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import length, numbers, picked
from ruleloom.compiler.flow.context import BROKEN, Context
from ruleloom.compiler.flow.cost import MOST_WORK, WORK_LIMIT, Flat
from ruleloom.compiler.flow.flow import Flow
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.syntax.ast import SyntaxNode
from ruleloom.runtime.program.expr import (
    Reads,
    calls,
    children,
    conjuncts,
    mentions,
    reads_in,
    transform,
    walk,
)
from ruleloom.runtime.program.program import Expr

CEILING = 10**15
# Less than this is not counted: the steps of an effect are few enough for it.
HEAVY = 1_000
# The machine refuses longer spans; for other lists without a known length, a fair guess.
LONGEST_SPAN, USUAL_LENGTH = 10_000, 100
SHORT: Expr = ("..", ("value", 1), ("value", 10))


def check_work(ctx: Context, node: SyntaxNode, *exprs: Expr, times: Expr | None = None) -> bool:
    """Report `exprs` whose evaluation, once for each thing in `times`, may take far too long."""
    if any(mentions(expr, BROKEN) for expr in exprs):
        return True
    asked: set[str] = set()
    total = sum(_evaluations(ctx, expr, asked) for expr in exprs)
    if times is not None and not mentions(times, BROKEN):
        total = _evaluations(ctx, times, asked) + _length(ctx, times) * total
    total += _once(ctx, asked)
    count_work(ctx, node, min(total, CEILING))
    if total > WORK_LIMIT:
        told = f"this may take {min(total, CEILING):,} evaluations"
        name = _boundless(ctx, [*exprs, *filter(None, [times])], total)
        why = f": `{name}` has no bound" if name else ""
        help = _bound(ctx, name) if name else "look through shorter lists, or through one at a time"
        if total > MOST_WORK:
            message = f"{told}, and {MOST_WORK:,} is the most{why}"
            ctx.error("too-much-work", node, message, help)
            return False
        message = f"{told}, over the {WORK_LIMIT:,} that one expression should{why}"
        ctx.warn("over-budget", node, message, help)
    return True


def _boundless(ctx: Context, exprs: Sequence[Expr], total: int) -> str:
    """The rule, measure or field without a bound up to which a list of numbers goes, if all would be
    well were that list short."""
    inner = replace(ctx, flow=Flow())
    places = [(ctx, expr) for expr in exprs] + [
        (inner, body) for body in ctx.functions.called(exprs)
    ]
    for where, expr in places:
        for span in walk(expr):
            if span[0] != ".." or length(where, span) is not None:
                continue
            short = transform(expr, partial(_shortened, span))
            if total * _weight(where, short) > WORK_LIMIT * _weight(where, expr):
                continue
            name = _without_bound(where, span[2])
            if name:
                return name
    return ""


def _without_bound(ctx: Context, expr: Expr) -> str:
    """The rule, measure or field in an expression that has no bound."""
    for part in walk(expr):
        if part[0] in ("function", "field", "scope") and numbers(ctx, part).high is None:
            return slug_of(re.split(r"[/.]", part[1])[-1])
    return ""


def _shortened(span: Expr, part: Expr) -> Expr:
    return SHORT if part == span else part


def _weight(ctx: Context, expr: Expr) -> int:
    """The evaluations of an expression, times its length if it is a list to go through."""
    return _evaluations(ctx, expr, set()) * (_length(ctx, expr) if expr[0] == ".." else 1)


def _bound(ctx: Context, name: str) -> str:
    callee = ctx.symbols.callables.get(name)
    if callee is None:
        return f"give `{name}` a `max:`"
    if callee.kind == "stat":
        return f'give the stat `{name}` a bound: `most: "10"`'
    return f"give what `{name}` is a bound: `lowest([..., 10])`"


def count_work(ctx: Context, node: SyntaxNode, total: int) -> None:
    """Count the work of a long expression: a loop around it does it again and again."""
    if total > HEAVY:
        ctx.costs.append(Flat(work=total, at=ctx.place(node), row=ctx.rows.count))


def count_call(ctx: Context, node: SyntaxNode, id: str) -> None:
    """Count the work of calling a rule or measure."""
    found = ctx.functions
    count_work(ctx, node, found.work.get(id, 0) + _once(ctx, found.asked.get(id, ())))


def count_function(ctx: Context, id: str, expr: Expr, about_something: bool) -> None:
    """Enter the work of a rule or measure, and the depth of others it needs."""
    found, asked = ctx.functions, set[str]()
    total = _evaluations(ctx, expr, asked)
    reads = found.reads[id] = reads_in(expr, lambda other: found.reads.get(other, Reads()))
    # The machine remembers one without parameters: however often asked, it is evaluated once.
    if reads.remembered and not about_something:
        found.once[id], total = total, 1
        asked.add(id)
    found.work[id], found.asked[id] = total, frozenset(asked)
    found.nesting[id] = 1 + nesting(ctx, expr)


def nesting(ctx: Context, expr: Expr) -> int:
    """The depth of rules and measures within one another in an expression."""
    return max((ctx.functions.nesting.get(id, 0) for id in calls(expr)), default=0)


def work(ctx: Context, expr: Expr) -> int:
    """The evaluations that one expression may take."""
    asked: set[str] = set()
    return _evaluations(ctx, expr, asked) + _once(ctx, asked)


def _once(ctx: Context, asked: Collection[str]) -> int:
    """The evaluations of these measures, each worked out once."""
    return sum(ctx.functions.once[id] for id in asked)


def _evaluations(ctx: Context, expr: Expr, asked: set[str]) -> int:
    """The evaluations of an expression; remembered measures go into `asked` and count once."""
    if expr[0] == "each":
        return min(CEILING, 1 + _evaluations_of_all(ctx, expr, asked))
    total = 1
    if expr[0] in ("function", "allowed"):
        total += ctx.functions.work.get(expr[1], 1)
        asked |= ctx.functions.asked.get(expr[1], frozenset())
    total += sum(_evaluations(ctx, part, asked) for part in children(expr))
    return min(CEILING, total)


def _evaluations_of_all(ctx: Context, each: Expr, asked: set[str]) -> int:
    """The evaluations of going through a list; behind a condition, only those who meet it count."""
    _, _, value, slot, domain, where = each
    total, left = _evaluations(ctx, domain, asked), _length(ctx, domain)
    total += left
    for test in () if where is None else conjuncts(where):
        total += left * _evaluations(ctx, test, asked)
        few = picked(ctx, slot, domain, test)
        left = left if few is None else min(left, few)
    return total if value is None else total + left * _evaluations(ctx, value, asked)


def _length(ctx: Context, expr: Expr) -> int:
    known = length(ctx, expr)
    if expr[0] == "..":
        return LONGEST_SPAN if known is None else min(known, LONGEST_SPAN)
    return USUAL_LENGTH if known is None else known
