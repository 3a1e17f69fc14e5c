"""Control statements: `if`, loops, `stop`, `ensure`, `ignoring`, `keeping`. Loops become jumps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import members, numbers
from ruleloom.compiler.bounds.work import ROUNDS, Find, as_opened, counted, largest, longest, work
from ruleloom.compiler.check import expect
from ruleloom.compiler.check.moments import close, forget_changed
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.flow import cost
from ruleloom.compiler.flow.context import BROKEN, Context, LateEnsure, Lifted, Loop, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Flow, Local, merge, unnamed
from ruleloom.compiler.resolve.mod_sets import reassigned_names
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import EMPTY, UNKNOWN, is_unknown, join
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ONE, ZERO, mentions, substitute
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, NONE

Rounds = tuple[int, cost.Factor | None, cost.Opened | None]
ONCE: Rounds = (1, None, None)
Count = tuple[Expr, Find, tuple[str, str]]
Repeating = ast.RepeatStmt | ast.RepeatUntilStmt


def check_branch(ctx: Context, node: ast.IfStmt) -> None:
    """`if`, `elif`, `else`."""
    condition, body = node.arms[-1]
    if node.otherwise == body:
        message = f"both branches of `if {ctx.words(condition)}` do the same"
        ctx.warn("same-modes", condition, message)
    end = ctx.rows.label()
    ends: list[Flow] = []
    costs: list[cost.Cost] = []
    outside, used = ctx.barrier, ctx.used_here
    inside = outside
    for condition, body in node.arms:
        test, yes, no = expect.deciding(ctx, condition)
        other = ctx.rows.label()
        ctx.rows.add(program.JumpUnless(ctx.passage.origin(condition.span), test, other))
        start = ctx.flow
        ends.append(_arm(ctx, body, yes, costs))
        inside, used = inside or ctx.barrier, (*used, *ctx.used_here)
        ctx.barrier = outside
        ctx.rows.add(program.Jump(ctx.origin(node), end))
        ctx.rows.put(other)
        ctx.flow = start.knowing(no)
    ends.append(_arm(ctx, node.otherwise, NO_FACTS, costs))
    ctx.rows.put(end)
    ctx.flow = merge(ends)
    ctx.barrier, ctx.used_here = inside or ctx.barrier, (*used, *ctx.used_here)
    ctx.costs.append(cost.Most(tuple(costs)))


def _arm(ctx: Context, body: tuple[ast.Stmt, ...], facts: Facts, costs: list[cost.Cost]) -> Flow:
    ctx.flow = ctx.flow.knowing(facts)
    with ctx.costing() as parts:
        ctx.block(body)
    costs.append(cost.Sequence(tuple(parts)))
    return ctx.flow


def check_for_each(ctx: Context, node: ast.ForEachStmt) -> None:
    """`for each x in xs ordered by E:`."""
    mark = len(ctx.reads)
    domain = expect.listed(ctx, node.domain)
    hidden = expect.kept(ctx, mark, domain.expr)
    most = _most_rounds(ctx, node.domain, domain) if domain.sound else ONCE
    item = ctx.fresh_local(node.name, expect.item_type(domain), "the name of each in turn")
    item.hidden, item.broken = hidden, not domain.sound
    if item.type == INT and node.name.id not in ctx.reassigned:
        item.low, item.high = members(ctx, domain.expr)
    whole = ctx.hidden_slot(unnamed(f"{node.name.id}s"), domain.type)
    ctx.rows.add(program.Let(ctx.origin(node), whole, domain.expr))
    if node.order is None:
        _in_order(ctx, node, item, ("slot", whole), most)
    else:
        with ctx.binding(item):
            key = expect.number(ctx, node.order)
        _by_key(ctx, node, item, ("slot", whole), key, most)


def _most_rounds(ctx: Context, node: ast.Expr, domain: Typed) -> Rounds:
    expr, least = domain.expr, None
    find = partial(longest, expr=expr, type_=domain.type)
    words = ctx.symbols.nouns.get(expect.item_type(domain).name, ROUNDS)
    if expr[0] == "..":
        low, high = numbers(ctx, expr[1]).high, numbers(ctx, expr[2]).low
        least = None if low is None or high is None else high - low + 1
    words_of = ctx.words(node)
    help = f"`first(12, {words_of})` is never longer than 12"
    if expr[0] == "query":
        help = "give the query a `max:`"
    message = f"the length of `{words_of}` has no upper bound"
    most, rounds = _rounds(ctx, node, (expr, find, words), least, (message, help))
    if most == 0 and expr[0] == "..":
        message = f"`{ctx.words(node)}` is empty, so this loop never runs"
        ctx.warn("unreachable", node, message)
    return ONCE if most == 0 else rounds


def _rounds(
    ctx: Context, node: ast.Expr, count: Count, least: int | None, unbounded: tuple[str, str | None]
) -> tuple[int | None, Rounds]:
    """The upper bound of a number or length, None if not known yet, and the number of rounds of a loop."""
    expr, find, _ = count
    most = find(ctx)
    if most is None and (opened := as_opened(ctx, node, expr, find)):
        return None, (*counted(ctx, node, *count, opened[1]), opened[0])
    if most is None:
        ctx.error("unbounded", node, *unbounded)
        return 1, ONCE
    if least is not None and least > cost.LIMIT:
        end = f"one use ends after {cost.LIMIT:,}"
        message = f"`{ctx.words(node)}` is {least:,} rounds at least, and {end}"
        ctx.error("too-much-work", node, message, f"at most {cost.LIMIT:,} rounds")
        return 1, ONCE
    return max(most, 0), (*counted(ctx, node, *count), None)


def _in_order(ctx: Context, node: ast.ForEachStmt, item: Local, whole: Expr, most: Rounds) -> None:
    origin = ctx.origin(node)
    number_slot = ctx.hidden_slot(unnamed("next"), INT)
    now: Expr = ("slot", number_slot)
    first = ctx.rows.count
    ctx.rows.add(program.Let(origin, number_slot, ZERO))
    with ctx.rows.looping(ctx.origin(node), ("<", now, ("count", whole))):
        ctx.rows.add(program.Let(origin, item.slot, ("lookup", whole, now)))
        ctx.rows.add(program.Let(origin, number_slot, ("+", now, ONE)))
        _loop_body(ctx, node.body, most, item)
    if not node.one_by_one and (most[0] > 1 or most[2] is not None):
        alone = len(node.body) == 1 and isinstance(node.body[0], ast.OperateStmt | ast.UseStmt)
        place = ctx.passage.place(node.name.span)
        ctx.loops.append(Loop(place, item.slot, first, ctx.rows.count, alone))


def _by_key(
    ctx: Context, node: ast.ForEachStmt, item: Local, rest: Expr, key: Typed, most: Rounds
) -> None:
    """Loop: take the member with the lowest key out of the list, until the list is empty."""
    origin = ctx.origin(node)
    least = ctx.hidden_slot(unnamed("least"), key.type)
    inner, outer = (ctx.hidden_slot(unnamed("each"), item.type) for _ in range(2))
    in_inner, in_outer = (substitute(key.expr, {item.slot: ("slot", at)}) for at in (inner, outer))
    lowest: Expr = ("each", "lowest", in_inner, inner, rest, None)
    is_least: Expr = ("=", in_outer, ("slot", least))
    first: Expr = ("lookup", ("each", "those", None, outer, rest, is_least), ZERO)
    with ctx.rows.looping(ctx.origin(node), (">", ("count", rest), ZERO)):
        ctx.rows.add(program.Let(origin, least, lowest))
        if not mentions(lowest, BROKEN):
            looked = 2 * work(ctx, lowest)
            looking = cost.Flat(work=looked, at=ctx.place(node), row=ctx.rows.count)
            ctx.costs.append(cost.Times(most[0], looking, *most[1:]))
        ctx.rows.add(program.Let(origin, item.slot, first))
        ctx.rows.add(program.Let(origin, rest[1], ("without", rest, ("list", ("slot", item.slot)))))
        _loop_body(ctx, node.body, most, item)


def _loop_body(ctx: Context, body: tuple[ast.Stmt, ...], times: Rounds, item: Local | None) -> None:
    forget_changed(ctx, body)
    _settle_types(ctx, body, item)
    before = ctx.flow
    if item is not None:
        ctx.enter(item)
    with ctx.costing() as parts:
        ctx.block(body)
    ctx.costs.append(cost.Times(times[0], cost.Sequence(tuple(parts)), *times[1:]))
    after = ctx.flow
    if item is not None:
        # A clashing name has been reported; it keeps its first meaning.
        hidden = before.visible.get(item.name)
        after = after.with_local(hidden) if hidden is not None else after.without(item.name)
    ctx.flow = merge([before, after])


def _settle_types(ctx: Context, body: tuple[ast.Stmt, ...], item: Local | None) -> None:
    """Infer the types of variables that begin as `none` or `[]` by a rehearsal of the body."""
    # The body may assign one after the place where the next round reads it.
    open_ = {
        name
        for name in reassigned_names(body) - ctx.rehearsed
        if name in ctx.flow.visible and ctx.flow.visible[name].type in (NONE, EMPTY)
    }
    if open_:
        ctx.rehearsed |= open_
        rehearsal = ctx.rehearsal()
        if item is not None:
            rehearsal.flow = rehearsal.flow.with_local(item)
        rehearsal.block(body)
        for name in open_:
            found = rehearsal.flow.visible[name].type
            ctx.flow.visible[name].type = join(ctx.flow.visible[name].type, found) or UNKNOWN


def check_repeat(ctx: Context, node: ast.RepeatStmt) -> None:
    """`repeat 3 times as i:`; `i` counts from 1."""
    mark = len(ctx.reads)
    times = expect.wanted(ctx, node.times, INT)
    expect.judge(ctx, mark, None)
    high, most = _bound(ctx, node.times, times.expr) if times.sound else (1, ONCE)
    if high is not None and high <= 0:
        message = f"`repeat {ctx.words(node.times)} times` never runs"
        ctx.warn("unreachable", node.times, message)
    origin = ctx.origin(node)
    total = times.expr
    if total[0] != "value":
        total = ("slot", ctx.hidden_slot(unnamed("times"), INT))
        ctx.rows.add(program.Let(origin, total[1], times.expr))
    item = None
    if node.name is not None:
        item = ctx.fresh_local(node.name, INT, "the number of the round")
        item.low, item.high = 1, high
    counter = ctx.hidden_slot(unnamed("round"), INT)
    _counted(ctx, node, counter, ("<", ("slot", counter), total), item, most)


def _counted(
    ctx: Context, node: Repeating, counter: int, goes_on: Expr, item: Local | None, most: Rounds
) -> None:
    """Add a loop that counts its rounds in a slot of its own: the body may change `i`."""
    origin = ctx.origin(node)
    ctx.rows.add(program.Let(origin, counter, ZERO))
    with ctx.rows.looping(ctx.origin(node), goes_on):
        ctx.rows.add(program.Let(origin, counter, ("+", ("slot", counter), ONE)))
        if item is not None:
            ctx.rows.add(program.Let(origin, item.slot, ("slot", counter)))
        _loop_body(ctx, node.body, most, item)


def check_repeat_until(ctx: Context, node: ast.RepeatUntilStmt) -> None:
    """`repeat until E at most 12 times:`; the condition is evaluated before each round."""
    most = expect.wanted(ctx, node.most, INT)
    times = _bound(ctx, node.most, most.expr)[1] if most.sound else ONCE
    counter = ctx.hidden_slot(unnamed("round"), INT)
    forget_changed(ctx, node.body)
    with ctx.costing() as parts:
        test, _, no = expect.deciding(ctx, node.until)
    ctx.costs.append(cost.Times(times[0] + 1, cost.Sequence(tuple(parts)), *times[1:]))
    before = ctx.flow
    ctx.flow = ctx.flow.knowing(no)
    goes_on: Expr = ("and", ("<", ("slot", counter), most.expr), ("not", test))
    _counted(ctx, node, counter, goes_on, None, times)
    ctx.flow = merge([before, replace(ctx.flow, facts=ctx.flow.facts - no)])


def _bound(ctx: Context, node: ast.Expr, expr: Expr) -> tuple[int | None, Rounds]:
    """The upper bound of a number, None if not known yet, and the number of rounds of a loop."""
    words = ctx.words(node)
    message = f"`{words}` has no upper bound"
    help = f"`lowest([{words}, 12])` is never more than 12"
    count = expr, partial(largest, expr=expr), ROUNDS
    return _rounds(ctx, node, count, numbers(ctx, expr).low, (message, help))


def check_stop(ctx: Context, node: ast.StopStmt) -> None:
    """`stop`: the text ends here; its result in `gives:` must be set."""
    ctx.block(ctx.kept)
    result_is_set(ctx, node)
    close(ctx, ctx.origin(node))
    ctx.rows.add(program.Return(ctx.origin(node)))
    ctx.costs.append(cost.End(ctx.place(node)))
    ctx.flow = replace(ctx.flow, ended=True)


def result_is_set(ctx: Context, node: ast.SyntaxNode | None) -> None:
    """Report a text that can end at `node` (None: its end) without its result."""
    result = ctx.result
    if result is None or result.type.optional or is_unknown(result.type):
        return
    # A result in `told` was read before it was set: one mistake, already reported.
    if ctx.flow.ended or result.name in ctx.flow.certain or result.name in ctx.told:
        return
    optional = replace(result.type, optional=True)
    help = f"set it on every way; with `{optional}` in `gives:` it may be none"
    why = "promised by `gives:`"
    if ctx.given is not None:  # a replacement cannot change what the power promises
        why, help = "what the replaced power gives", f"`set {result.name} = ...` on every way"
    ways = "leads to the end" if node is None else "ends here"
    message = f"`{result.name}` is {why}, but not set on every way that {ways}"
    place = result.place if node is None else ctx.passage.place(node.span)
    ctx.report.error("result-not-set", place, message, help)


def check_ensure(ctx: Context, node: ast.EnsureStmt) -> None:
    """`ensure E "reason"`: options that break it are never offered."""
    if ctx.barrier:
        message = f"this cannot be looked ahead to: before it {ctx.barrier}"
        ctx.error("ensure-after-barrier", node, message, "ensure it before, or ask with `if`")
    elif ctx.used_here:
        ctx.late.append(LateEnsure(ctx.passage.place(node.span), ctx.used_here))
    test, yes, _ = expect.deciding(ctx, node.condition)
    ctx.rows.add(program.Ensure(ctx.origin(node), test, expect.asked(ctx, node.reason, None)))
    ctx.flow = ctx.flow.knowing(yes)


def check_ignoring(ctx: Context, node: ast.IgnoringStmt) -> None:
    """`ignoring crowding, void:`: in the block, these rules do not hold."""
    before = ctx.relaxed
    named = [(name, rule) for name in node.rules if (rule := _ignored(ctx, name))]
    for name, rule in named:
        if rule in ctx.relaxed:
            ctx.warn("nothing-ignored", name, f"`{name.id}` is ignored here already")
        ctx.relaxed = (*ctx.relaxed, rule) if rule not in ctx.relaxed else ctx.relaxed
    ctx.rows.add(program.Relax(ctx.origin(node), ctx.relaxed))
    first = ctx.rows.count
    ctx.block(node.body)
    for name, rule in named:
        place = ctx.passage.place(name.span)
        ctx.lifted.append(Lifted(place, name.id, rule, first, ctx.rows.count))
    ctx.relaxed = before
    ctx.rows.add(program.Relax(ctx.origin(node), before))


def check_keeping(ctx: Context, node: ast.KeepingStmt) -> None:
    """`keeping a, b:`: after the block, and at a `stop` in it, these variables are restored."""
    outside, ours = ctx.kept, list[ast.AssignStmt]()
    for name in node.names:
        if any(one.name.id == name.id for one in (*ours, *outside)):
            ctx.warn("changes-nothing", name, f"`{name.id}` is kept here already")
        elif name.id in ctx.symbols.scope:
            before = ast.Name(name.span, unnamed(f"{name.id} before"))
            ctx.block((ast.LetStmt(name.span, before, name),))
            ctx.flow.visible[before.id].use()
            ours.append(ast.AssignStmt(name.span, name, before))
        elif not ctx.symbols.poisoned.may_declare(name.id):
            message = f"there is no variable of the game `{name.id}` to keep"
            ctx.error("unknown-name", name, message, did_you_mean(name.id, ctx.symbols.scope))
    ctx.kept = (*ours, *outside)
    ctx.block(node.body)
    ctx.kept = outside
    if not ctx.flow.ended:
        ctx.block(ours)
        for one in ours:
            ctx.flow = ctx.flow.without(unnamed(f"{one.name.id} before"))


def _ignored(ctx: Context, name: ast.Name) -> str | None:
    symbols = ctx.symbols
    if name.id in symbols.always:
        return name.id
    rule = symbols.callables.get(name.id)
    if rule is not None and rule.kind == "rule":
        symbols.used.add(rule.id)
        ctx.means_callee(name, rule)
        return rule.id
    if not symbols.poisoned.may_declare(name.id):
        message = f"there is no rule `{name.id}`"
        if rule is not None:
            message = f"`{name.id}` is a {rule.kind}, and only rules can be ignored"
        help = did_you_mean(name.id, [*symbols.of_kind("rule"), *symbols.always])
        ctx.error("unknown-rule", name, message, help)
    return None
