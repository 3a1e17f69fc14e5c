"""Upper bounds on the evaluations of an expression and the rounds of a loop.

Nested lists, or measures that each call another twice, can take forever in a single step. The number of
rounds is that of the table: a setting counts as set by the game or a pack, even if its `max` is larger;
fuel covers tables that change it. The increase by a pack, of a setting or of things, is its share of
the count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import length, numbers, picked, things
from ruleloom.compiler.flow.context import BROKEN, Context
from ruleloom.compiler.flow.cost import MOST_WORK, WORK_LIMIT, Factor, Flat, Opened, Share
from ruleloom.compiler.flow.flow import Flow, Local
from ruleloom.compiler.packs.content import slug_of
from ruleloom.compiler.query.lookups import NEVER_SAME, Remembered, Table
from ruleloom.compiler.resolve.symbols import SettingSymbol
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import SyntaxNode
from ruleloom.runtime.program.expr import (
    Reads,
    calls,
    children,
    conjuncts,
    mentions,
    reads_in,
    slots_read,
    transform,
    walk,
)
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Type

CEILING = 10**15
# Less than this is not counted: an effect has few steps.
HEAVY = 1_000
# The machine refuses longer spans; for other lists without a known length, a fair guess.
LONGEST_SPAN, USUAL_LENGTH = 10_000, 100
SHORT: Expr = ("..", ("value", 1), ("value", 10))
ROUNDS = "round", "rounds"
Find = Callable[[Context], int | None]
Words = tuple[str, str]


def check_work(ctx: Context, node: SyntaxNode, *exprs: Expr, times: Expr | None = None) -> bool:
    """Report `exprs` whose evaluation, once per member of `times`, may take too long; False if refused."""
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
    """The unbounded rule, measure or field at the end of a span, if a short span would be fine; or empty."""
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
    """The first rule, measure or field in an expression without a bound."""
    for part in walk(expr):
        if part[0] in ("function", "field", "scope") and numbers(ctx, part).high is None:
            return slug_of(re.split(r"[/.]", part[1])[-1])
    return ""


def _shortened(span: Expr, part: Expr) -> Expr:
    return SHORT if part == span else part


def _weight(ctx: Context, expr: Expr) -> int:
    """The evaluations of an expression, times its length for a span."""
    return _evaluations(ctx, expr, set()) * (_length(ctx, expr) if expr[0] == ".." else 1)


def _bound(ctx: Context, name: str) -> str:
    callee = ctx.symbols.callables.get(name)
    if callee is None:
        return f"give `{name}` a `max:`"
    if callee.kind == "stat":
        return f'give the stat `{name}` a bound: `most: "10"`'
    return f"give what `{name}` is a bound: `lowest([..., 10])`"


def count_work(ctx: Context, node: SyntaxNode, total: int) -> None:
    """Add the work of a long expression, which an enclosing loop multiplies."""
    if total > HEAVY:
        ctx.costs.append(Flat(work=total, at=ctx.place(node), row=ctx.rows.count))


def count_call(ctx: Context, node: SyntaxNode, id: str) -> None:
    """Add the work of a call of a rule or measure."""
    found = ctx.functions
    count_work(ctx, node, found.work.get(id, 0) + _once(ctx, found.asked.get(id, ())))


def count_function(ctx: Context, id: str, expr: Expr, about_something: bool) -> None:
    """Record the work of a rule or measure, and its call depth."""
    found, asked = ctx.functions, set[str]()
    total = _evaluations(ctx, expr, asked)
    reads = found.reads[id] = reads_in(expr, lambda other: found.reads.get(other, Reads()))
    # The machine caches one without parameters: it is evaluated once.
    if reads.remembered and not about_something:
        found.once[id], total = total, 1
        asked.add(id)
    found.work[id], found.asked[id] = total, frozenset(asked)
    found.nesting[id] = 1 + nesting(ctx, expr)


def nesting(ctx: Context, expr: Expr) -> int:
    """The call depth of rules and measures in an expression."""
    return max((ctx.functions.nesting.get(id, 0) for id in calls(expr)), default=0)


def work(ctx: Context, expr: Expr) -> int:
    """The most evaluations of one expression."""
    asked: set[str] = set()
    return _evaluations(ctx, expr, asked) + _once(ctx, asked)


def _once(ctx: Context, asked: Collection[str]) -> int:
    """The evaluations of these measures, each evaluated once."""
    return sum(ctx.functions.once[id] for id in asked)


def _evaluations(ctx: Context, expr: Expr, asked: set[str]) -> int:
    """The evaluations of an expression; cached measures are added to `asked` instead."""
    total = 1
    if expr[0] == "each":
        _, _, value, slot, domain, where = expr
        left = _length(ctx, domain)
        total += _evaluations(ctx, domain, asked) + left
        for test in () if where is None else conjuncts(where):
            total += left * _evaluations(ctx, test, asked)
            # After a condition, only the members that pass count.
            few = picked(ctx, slot, domain, test)
            left = left if few is None else min(left, few)
        total += 0 if value is None else left * _evaluations(ctx, value, asked)
        return min(CEILING, total)
    if expr[0] in ("function", "allowed"):
        total += ctx.functions.work.get(expr[1], 1)
        asked |= ctx.functions.asked.get(expr[1], frozenset())
    total += sum(_evaluations(ctx, part, asked) for part in children(expr))
    return min(CEILING, total)


def _length(ctx: Context, expr: Expr) -> int:
    known = length(ctx, expr)
    if expr[0] == "..":
        return LONGEST_SPAN if known is None else min(known, LONGEST_SPAN)
    return USUAL_LENGTH if known is None else known


def longest(ctx: Context, expr: Expr, type_: Type) -> int | None:
    """The maximal length of a list, by default the number of things of its type."""
    found = length(ctx, expr)
    return things(ctx, type_.name) if found is None else found


def largest(ctx: Context, expr: Expr) -> int | None:
    """The upper bound of a number."""
    return numbers(ctx, expr).high


def as_opened(
    ctx: Context, node: ast.Expr, expr: Expr, find: Find
) -> tuple[Opened, Context] | None:
    """The dependence of a count that is bounded without answers to a moment, and the context without
    answers; None if it is unbounded even then.

    Whether the answers keep to a bound is known once all are checked.
    """
    slots = slots_read(expr)
    opened = (one for one in ctx.flow.visible.values() if one.slot in slots and one.opened)
    found = ((one, one.begun.high) for one in opened if one.begun)
    local, begun = next((one for one in found if one[1] is not None), (None, None))
    if local is None or begun is None:
        return None
    for moment in local.opened:
        ctx.symbols.open_loops.setdefault(moment, []).append(ctx.place(node))
        ctx.symbols.lookups.note(NEVER_SAME)
    at = partial(_known_high, ctx, local)
    return Opened(local.opened, lambda high: _at_least_none(find(at(high)))), at(begun)


def _known_high(ctx: Context, local: Local, high: int) -> Context:
    known = replace(local, high=high)
    return replace(ctx, flow=replace(ctx.flow, visible={**ctx.flow.visible, local.name: known}))


def counted(
    ctx: Context, node: ast.Expr, expr: Expr, find: Find, words: Words, begun: Context | None = None
) -> tuple[int, Factor]:
    """The expected rounds at the table of a loop over `expr`, and their factor."""
    ctx = begun or ctx
    count = _at_least_none(find(_at_table(ctx, frozenset())))
    shares = (*_of_settings(ctx, find, count), *_of_records(ctx, expr, count))
    return count, Factor(words, ctx.place(node), shares)


def _at_least_none(count: int | None) -> int:
    return max(count or 0, 0)


def _at_table(ctx: Context, without: frozenset[str]) -> Context:
    """The context with settings at their values, without changes by packs in `without`."""
    known = ctx.functions.views
    if without not in known:
        # A lookup in this view notes the setting; copying all of them into it is no lookup.
        with ctx.symbols.lookups.apart():
            settings = {name: _held(one, one.value) for name, one in ctx.symbols.settings.items()}
            for name, found in ctx.symbols.set_by.items():
                for one in found:
                    if one.pack in without:
                        settings[name] = _held(settings[name], one.before)
                        break
        # The same functions, with their bounds recomputed.
        functions, lookups = copy(ctx.functions), ctx.functions.lookups
        functions.spans, functions.lengths = Remembered(lookups), Remembered(lookups)
        known[without] = replace(ctx.symbols, settings=Table(settings)), functions
    symbols, functions = known[without]
    return replace(ctx, symbols=symbols, functions=functions)


def _held(setting: SettingSymbol, high: object) -> SettingSymbol:
    return replace(setting, high=high) if type(high) is int else setting


def _of_settings(ctx: Context, find: Find, count: int) -> Iterator[Share]:
    """Yield the shares of packs that set settings."""
    places: dict[str, Place] = {}
    for found in ctx.symbols.set_by.values():
        for one in found:
            places.setdefault(one.pack, one.place)
    for pack, place in places.items():
        fewer = _at_least_none(find(_at_table(ctx, frozenset([pack]))))
        if fewer < count:
            yield Share(pack, fewer, place)


def _of_records(ctx: Context, expr: Expr, count: int) -> Iterator[Share]:
    """Yield the shares of packs that add things to the list."""
    content = ctx.passage.content
    for name in {one[1] for one in walk(expr) if one[0] == "records"}:
        if len(ctx.symbols.made[name].names) != count or len(content.packs) == 1:
            continue
        first: dict[str, Place] = {}
        brought: dict[str, int] = {}
        for kind in ctx.symbols.entities[name].records:
            for item in content.by_kind(kind):
                first.setdefault(item.pack, item.place)
                brought[item.pack] = brought.get(item.pack, 0) + 1
        for pack, many in brought.items():
            if pack != content.game:
                ctx.symbols.lookups.note(NEVER_SAME)
                yield Share(pack, max(count - many, 0), first[pack])
