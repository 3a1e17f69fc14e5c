"""Statements on lasting effects: `begin`, `end`, `prolong`, and running out.

Each lowers to operations of the vocabulary, loops over the active effects, and the texts of the effect
itself. On the first check of a game, `next time EVENT: ...` and `in 3 times EVENT: ...` note the types
of the names that their blocks use. Each then becomes an item of its own
(`ruleloom.compiler.lower.lasting_effects`), and the statement begins that.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.check import expect
from ruleloom.compiler.check.moments import after_change, local_of
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import unnamed
from ruleloom.compiler.packs.content import start_of
from ruleloom.compiler.packs.lasting_names import BEARER, EACH, LONGEST, OWNER_NAME, TIME
from ruleloom.compiler.query.lookups import NEVER_SAME
from ruleloom.compiler.resolve.embedded import ITEM
from ruleloom.compiler.resolve.symbols import Lasting, Waiting
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import names_spoken
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, ZERO, Callee
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, PLAYER

Over = ast.EndStmt | ast.ProlongStmt | ast.RunOut
"""A statement on an active effect: end it, prolong it, or let it run out."""
Terms = tuple[Expr | None, tuple[Expr, ...], Expr]
"""The bearer of an effect that begins, its arguments, and its time."""


def check_begin(ctx: Context, node: ast.BeginStmt) -> None:
    """`begin blessing(2) on hero for 3`."""
    lasting = ctx.symbols.lasting.get(node.name.id)
    mark = len(ctx.reads)
    if lasting is None or lasting.signature.broken:
        expect.look_into(ctx, node.args)
        expect.look_at(ctx, (node.on, node.time, node.by))
        if lasting is None:
            _unknown(ctx, node.name)
        expect.give(ctx, node.giving, None)
        return
    _means(ctx, node.name, lasting)
    args = ctx.arguments(node.name, lasting.signature, node.args)
    on, fine = _bearer(ctx, lasting, node.name, node.on)
    time = _time(ctx, lasting, node)
    owner = expect.wanted(ctx, node.by, PLAYER).expr if node.by is not None else ME
    expect.judge_shown(ctx, mark)
    begun = ctx.symbols.operations[lasting.names.begin]
    _refuse_giving(ctx, node, lasting)
    if args is not None and fine and time is not None:
        slot = expect.given_slot(ctx, node.giving, begun)
        bearer = (on,) if on is not None else ()
        _begin(ctx, node, lasting, (on, (*bearer, *args, time, owner), time), slot)
    after_change(ctx)
    expect.give(ctx, node.giving, begun)


def _means(ctx: Context, name: ast.Name, lasting: Lasting) -> None:
    ctx.symbols.used.add(lasting.signature.id)
    if not lasting.names.is_later:
        ctx.means(name, ITEM, lasting.names.item.id, "effect that lasts")


def _refuse_giving(ctx: Context, node: ast.BeginStmt, lasting: Lasting) -> None:
    if node.giving is not None and lasting.names.stacks != EACH:
        message = f"a second `{node.name.id}` on one bearer does not begin, so there may be none"
        help = f"leave out `giving`, and ask for it: `{node.name.id}(...)`"
        ctx.error("gives-nothing", node.giving, message, help)


def _begin(ctx: Context, node: ast.BeginStmt, lasting: Lasting, terms: Terms, slot: int) -> None:
    """Add the rows that begin an effect, or keep or renew the active one if only one may be."""
    on, told, time = terms
    origin, names = ctx.origin(node), lasting.names
    if names.stacks == EACH:
        _operate(ctx, node, names.begin, told, slot)
        return
    end, there = ctx.rows.label(), lasting.found(on)
    other = ctx.rows.label() if names.stacks == LONGEST else end
    ctx.rows.add(program.JumpUnless(origin, ("=", ("count", there), ZERO), other))
    _operate(ctx, node, names.begin, told, slot)
    if names.stacks == LONGEST:
        this = ctx.hidden_slot(unnamed("there"), lasting.entity)
        old: Expr = ("slot", this)
        ctx.rows.add(program.Jump(origin, end))
        ctx.rows.put(other)
        ctx.rows.add(program.Let(origin, this, ("lookup", there, ZERO)))
        ctx.rows.add(program.JumpUnless(origin, (">", time, lasting.kept(TIME, old)), end))
        _operate(ctx, node, names.renew, (*told, old))
    ctx.rows.put(end)


def _operate(
    ctx: Context, node: ast.SyntaxNode, name: str, args: tuple[Expr, ...], slot: int = -1
) -> None:
    ctx.rows.add(program.Operate(ctx.origin(node), name, args, slot))
    ctx.runs(ctx.place(node), Callee("event", name))


def _time(ctx: Context, lasting: Lasting, node: ast.BeginStmt) -> Expr | None:
    """The time of an effect that begins; None after an error."""
    name = node.name.id
    if node.time is None:
        if not lasting.names.counts:
            return ZERO
        message = f"`{name}` counts its time, and this does not say how long it lasts"
        ctx.error("missing-argument", node, message, f"`begin {name} ... for 3`")
        return None
    time = expect.wanted(ctx, node.time, INT)
    if not lasting.names.counts:
        message = f"nothing counts the time of `{name}`"
        ctx.error("unknown-argument", node.time, message, "leave out `for`, or give it `counts:`")
        return None
    if time.expr[0] == "value" and time.expr[1] < 1:
        what = "this" if lasting.names.is_later else f"`{name}`"
        ctx.error("out-of-bounds", node.time, f"{what} would be over before it begins", "`1`")
        return None
    return time.expr


def _bearer(
    ctx: Context, lasting: Lasting, name: ast.Name, on: ast.Expr | None
) -> tuple[Expr | None, bool]:
    """The bearer in `on`, and whether it is given exactly if the effect has one."""
    if lasting.on is None:
        if on is not None:
            ctx.check(on)
            message = f"`{name.id}` lies on the table, and on nothing else"
            ctx.error("unknown-argument", on, message, "leave out `on`")
        return None, on is None
    if on is None:
        noun = ctx.say(lasting.on)
        message = f"`{name.id}` lies on {noun}, and this does not say on which"
        ctx.error("missing-argument", name, message, f"`{name.id} on ...`")
        return None, False
    typed = expect.wanted(ctx, on, lasting.on)
    return typed.expr, typed.sound


def check_over(ctx: Context, node: Over) -> None:
    """`end blessing on hero`, or `prolong one by 2` for an effect in a variable."""
    name, on = node.name, None if isinstance(node, ast.RunOut) else node.on
    lasting = ctx.symbols.lasting.get(name.id)
    if name.id in ctx.flow.visible:
        _one_over(ctx, node, on)
    elif lasting is None or lasting.signature.broken:
        expect.look_at(ctx, (on,))
        if lasting is None:
            _unknown(ctx, name)
    else:
        _means(ctx, name, lasting)
        if (lasting.on is None) != (on is None):
            _bearer(ctx, lasting, name, on)
            return
        one = ast.Name(name.span, unnamed(name.id))
        told = (ast.Arg(name.span, None, on),) if on is not None else ()
        found = ast.CallExpr(name.span, name, told) if told else name
        again: Over = replace(node, name=one)
        if not isinstance(again, ast.RunOut):
            again = replace(again, on=None)
        ctx.block((ast.ForEachStmt(node.span, one, found, None, (again,)),))


def _one_over(ctx: Context, node: Over, on: ast.Expr | None) -> None:
    """End or prolong the effect in a variable."""
    name, mark = node.name, len(ctx.reads)
    typed = ctx.check(name)
    kinds = {one.names.entity: one for one in ctx.symbols.lasting.values()}
    lasting = kinds.get(typed.type.name) if not typed.type.many else None
    if typed.known and lasting is None:
        message = f"`{name.id}` is {ctx.say(typed.type)}, and no effect that lasts"
        ctx.error("type-mismatch", name, message)
    elif lasting is not None and on is not None:
        message = f"`{name.id}` is one effect by itself"
        ctx.error("unknown-argument", on, message, "leave out `on`")
    elif lasting is not None and expect.wanted(ctx, name, lasting.entity).sound:
        _over(ctx, node, lasting, typed.expr)
    del ctx.reads[mark:]
    after_change(ctx)


def bearers(lasting: Lasting, this: Expr) -> tuple[Expr, ...]:
    """The bearer of an effect, as a tuple of one."""
    return (lasting.kept(BEARER, this),) if lasting.on is not None else ()


def _over(ctx: Context, node: Over, lasting: Lasting, this: Expr) -> None:
    """Prolong an effect, or end it, by its own text for that if it has one."""
    told = (*bearers(lasting, this), this)
    if isinstance(node, ast.ProlongStmt):
        by = expect.wanted(ctx, node.by, INT).expr
        if lasting.names.counts:
            _operate(ctx, node, lasting.names.prolong, (*told[:-1], by, this))
        else:
            message = f"nothing counts the time of `{lasting.names.query}`: it cannot be prolonged"
            ctx.error("unknown-argument", node.by, message, "give it `counts:`")
        return
    text = lasting.ended if isinstance(node, ast.EndStmt) else lasting.effect
    origin, end = ctx.passage.origin((0, 0)), lasting.names.end
    if text:
        ctx.rows.add(program.Use(origin, text, (this,), -1))
    else:
        ctx.rows.add(program.Operate(origin, end, told, -1))
    ctx.runs(ctx.place(node), Callee("routine", text) if text else Callee("event", end))


def _unknown(ctx: Context, name: ast.Name) -> None:
    known = ctx.symbols.lasting
    if not ctx.symbols.poisoned.may_declare(name.id):
        help = offer(name.id, known) or "an item of the kind `lasting`"
        ctx.error("unknown-name", name, f"there is no effect that lasts called `{name.id}`", help)


def check_later(ctx: Context, node: ast.LaterStmt) -> None:
    """Note the names that `next time` has to keep; its block is checked for nested ones, too."""
    if node.times is not None:
        ctx.check(node.times)
    inner = ctx.rehearsal()
    spoken = names_spoken((node.where, node.label, node.body))
    own = {arg.value.id for arg in node.event.args if isinstance(arg.value, ast.Name)}
    own |= {OWNER_NAME} if ctx.asker is not None else set()
    kept = {
        name: inner.check(ast.Name(span, name)).type
        for name, span in spoken.items()
        if name in inner.flow.visible and name not in own
    }
    place = ctx.passage.place(node.span)
    waiting = Waiting(node, ctx.passage, kept, ctx.asker is not None)
    ctx.symbols.lookups.note(NEVER_SAME)
    ctx.symbols.waiting.setdefault(start_of(place), waiting)
    told = ctx.symbols.events.get(node.event.name.id, ())
    who = -1
    for arg, param in zip(node.event.args, told, strict=False):
        if isinstance(arg.value, ast.Name):
            slot = inner.slot(arg.value.id)
            who = slot if who < 0 else who
            inner.enter(
                local_of(replace(param, name=arg.value.id), slot, place, "of the event", who)
            )
    inner.block(node.body)
    for name in kept:
        ctx.flow.visible[name].use()
