"""Statements that do something: operations, `use` of powers, `say`, `finish`."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.bounds.evaluation_cost import check_work
from ruleloom.compiler.bounds.intervals import length
from ruleloom.compiler.bounds.keyword_bounds import hold_to_bounds, written_arguments
from ruleloom.compiler.check.arguments import arguments, look_into
from ruleloom.compiler.check.assign import after_change, changeable, set_open
from ruleloom.compiler.check.expect import held_to, mismatch, number, wanted
from ruleloom.compiler.check.messages import told
from ruleloom.compiler.check.moments import check_moment, given_back
from ruleloom.compiler.check.names import entity_of, suggestion
from ruleloom.compiler.check.secrecy import judge_shown, refuse_given
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.flow.context import Context, Typed
from ruleloom.compiler.flow.cost import End, Flat
from ruleloom.compiler.flow.flow import unnamed
from ruleloom.compiler.flow.locals import fresh_local, set_local
from ruleloom.compiler.resolve.mod_sets import ANY_RECORD
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import UNKNOWN, fits, list_of
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, PLAYER, Type


def check_operate(ctx: Context, node: ast.OperateStmt) -> None:
    """`shift(piece, to: space)`: an operation of the vocabulary."""
    name = node.call.name.id
    callee = ctx.symbols.operations.get(name)
    mark = len(ctx.reads)
    if callee is None:
        look_into(ctx, node.call.args)
        if not ctx.symbols.poisoned.may_declare(name):
            _unknown_operation(ctx, node.call.name)
    else:
        ctx.symbols.used.add(callee.id)
        ctx.means_callee(node.call.name, callee)
        args = arguments(ctx, node.call, callee, node.call.args)
        slot = given_slot(ctx, node.giving, callee)
        if callee.kind == "moment":
            refuse_given(ctx, ctx.reads[mark:], True)
        if args is not None and callee.kind == "moment":
            check_moment(ctx, node, callee, args, slot)
        elif args is not None:
            _refuse_what_lies_elsewhere(ctx, callee, mark)
            refuse_given(ctx, ctx.reads[mark:], True, things=False)
            ctx.rows.add(program.Operate(ctx.origin(node), name, args, slot))
        event = Callee("event", name)
        if callee.reveals:
            ctx.calls(node, event)
            ctx.barrier = f"`{name}` shows something new"
        else:
            ctx.runs(ctx.place(node), event)
    del ctx.reads[mark:]
    after_change(ctx)
    give(ctx, node.giving, callee)
    if callee is not None and node.giving is not None:
        given_back(ctx, node.giving.id, callee)


def _refuse_what_lies_elsewhere(ctx: Context, operation: Signature, mark: int) -> None:
    """Complain about a thing looked at in a pile, which the driver does not take out of it."""
    zones, changes = ctx.symbols.zones, operation.changes
    for read in ctx.reads[mark:]:
        pile = zones.get(read.zone)
        if not read.told or pile is None or pile.name in changes:
            continue
        if any(one in zones and zones[one].of == pile.of for one in changes):
            message = (
                f"this still lies in `{pile.name}`, and `{operation.name}` takes nothing out of it"
            )
            help = f"`put x on top of {pile.name}`, then `draw y from {pile.name} to ...`"
            ctx.report.error("not-a-pile", read.place, message, help)


def check_idle_moment(ctx: Context, node: ast.IdleMoment) -> None:
    """A moment that nothing answers: it is checked, and has no rows."""
    moment, mark = ctx.symbols.operations[node.call.name.id], len(ctx.reads)
    ctx.symbols.used.add(moment.id)
    ctx.means_callee(node.call.name, moment)
    arguments(ctx, node.call, moment, node.call.args)
    if node.told is not None:
        changeable(ctx, node.told)
    del ctx.reads[mark:]


def _unknown_operation(ctx: Context, name: ast.Name) -> None:
    symbols = ctx.symbols
    if name.id in symbols.powers:
        message, help = f"`{name.id}` is a power", f"`use {name.id}(...)`"
    elif symbols.is_callable_name(name.id) or symbols.stands_for_value(name.id):
        message, help = f"`{name.id}` is only a value, and does nothing on a line of its own", None
    else:
        message = f"there is no operation `{name.id}`"
        help = suggestion(name.id, list(symbols.operations))
        if help is None and (close := did_you_mean(name.id, symbols.powers)):
            help = f"{close[:-1]} (a power: `use`)?"
    ctx.error("unknown-operation", name, message, help)


def check_use(ctx: Context, node: ast.UseStmt) -> None:
    """`use fetch(basket) giving fruit`: a power that is known now."""
    callee = ctx.symbols.powers.get(node.power.id)
    mark = len(ctx.reads)
    if callee is None:
        look_into(ctx, node.args)
        if not ctx.symbols.poisoned.may_declare(node.power.id):
            unknown_power(ctx, node.power)
    else:
        ctx.symbols.used.add(callee.id)
        ctx.means_callee(node.power, callee)
        args = arguments(ctx, node.power, callee, node.args)
        refuse_given(ctx, ctx.reads[mark:], True)
        slot = given_slot(ctx, node.giving, callee)
        if args is not None:
            hold_to_bounds(ctx, callee, node.power, written_arguments(callee, node.args), args)
            ctx.rows.add(program.Use(ctx.origin(node), callee.id, args, slot))
        ctx.runs(ctx.place(node), Callee("routine", callee.id))
    del ctx.reads[mark:]
    after_change(ctx, Callee("power", node.power.id))
    give(ctx, node.giving, callee)


def unknown_power(ctx: Context, name: ast.Name) -> None:
    """Complain about the name of a power that does not exist."""
    symbols = ctx.symbols
    help = did_you_mean(name.id, symbols.powers)
    if name.id in symbols.operations:
        help = f"`{name.id}(...)` without `use`: it is an operation"
    ctx.error("unknown-power", name, f"there is no power `{name.id}`", help)


def given_slot(ctx: Context, giving: ast.Name | None, callee: Signature) -> int:
    """The slot for a result, -1 for none."""
    if giving is None or (callee.result is None and not callee.broken):
        return -1
    return ctx.slot(giving.id)


def give(ctx: Context, giving: ast.Name | None, callee: Signature | None) -> None:
    """Set the variable behind `giving`; one that is set already changes, as with `set x = ...`."""
    if giving is None:
        return
    result = callee.result if callee is not None else UNKNOWN
    _refuse_nothing(ctx, giving, callee)
    local = ctx.flow.visible.get(giving.id) if giving.id in ctx.flow.certain else None
    if local is not None and result is not None:
        if not fits(result, local.type):
            mismatch(ctx, giving, result, local.type, f"for `{giving.id}`")
        set_open(ctx, giving, local, None)
        local.low = local.high = None
    else:
        local = fresh_local(ctx, giving, result or UNKNOWN, "given")
        local.used |= callee is None or result is None
    set_local(ctx, local)


def _refuse_nothing(ctx: Context, giving: ast.Name, callee: Signature | None) -> None:
    if callee is not None and callee.result is None and not callee.broken:
        message = f"`{callee.name}` gives nothing"
        ctx.error(
            "gives-nothing", giving, message, f"leave out `giving`, and do without `{giving.id}`"
        )


def check_use_power(ctx: Context, node: ast.UsePowerStmt) -> None:
    """`use power of fruit with helpers: xs`: the power of whatever record it turns out to be."""
    mark = len(ctx.reads)
    of = ctx.check(node.of, entity_of(ctx, [node.of]))
    entity = ctx.symbols.entities.get(of.type.name)
    if of.known and (entity is None or not entity.records or of.type != Type(of.type.name)):
        _no_power(ctx, node.of, of)
    scope: list[tuple[str, Expr]] = []
    for arg in node.scope:
        name = arg.label or ""
        symbol = ctx.symbols.scope.get(name)
        if symbol is None:
            ctx.check(arg.value)
            help = did_you_mean(name, ctx.symbols.scope)
            ctx.error("unknown-name", arg, f"there is no variable `{name}` to set for it", help)
        else:
            scope.append((name, wanted(ctx, arg.value, symbol.type, f"for `{name}`").expr))
    refuse_given(ctx, ctx.reads[mark:], True)
    ctx.reads.clear()
    ctx.rows.add(program.UsePower(ctx.origin(node), of.type.name, of.expr, tuple(scope)))
    ctx.costs.append(Flat(fuel=True, at=ctx.place(node)))
    ctx.barrier = ctx.barrier or "`use power of` may do anything"
    after_change(ctx, ANY_RECORD)


def _no_power(ctx: Context, node: ast.Expr, typed: Typed) -> None:
    makers = [name for name, one in ctx.symbols.entities.items() if one.records]
    entity = ctx.symbols.entities.get(typed.type.name)
    if entity is not None and entity.records:
        mismatch(ctx, node, typed.type, Type(typed.type.name))
        return
    nouns = [ctx.symbols.entities[name].plural for name in makers]
    message = f"`{ctx.words(node)}` is {ctx.say(typed.type)}, which has no power of its own"
    help = f"{' and '.join(nouns)} have one" if nouns else None
    ctx.error("type-mismatch", node, message, help)


def check_say(ctx: Context, node: ast.SayStmt) -> None:
    """`say "text"`."""
    ctx.rows.add(program.Say(ctx.origin(node), told(ctx, node.text)))
    ctx.spends(node, operations=1)


def check_tell(ctx: Context, node: ast.TellStmt) -> None:
    """`say to p "text"`: everybody may see who is told, and only `p` reads what.

    Several players are told one after the other.
    """
    mark = len(ctx.reads)
    to = several_players(ctx, node.to)
    judge_shown(ctx, mark)
    origin, text = ctx.origin(node), told(ctx, node.text, to.expr)
    if not to.type.many:
        ctx.rows.add(program.Tell(origin, to.expr, text))
        ctx.spends(node, operations=1)
        return
    whole = ctx.hidden_slot(unnamed("told"), to.type)
    at = ctx.hidden_slot(unnamed("next"), INT)
    now: Expr = ("slot", at)
    ctx.rows.add(program.Let(origin, whole, to.expr))
    ctx.rows.add(program.Let(origin, at, ("value", 0)))
    with ctx.rows.looping(origin, ("<", now, ("count", ("slot", whole)))):
        ctx.rows.add(program.Tell(origin, ("lookup", ("slot", whole), now), text))
        ctx.rows.add(program.Let(origin, at, ("+", now, ("value", 1))))
    ctx.spends(node, operations=length(ctx, to.expr) or 1)


def several_players(ctx: Context, node: ast.Expr) -> Typed:
    """One player, or a list of them."""
    typed = ctx.check(node, list_of(PLAYER))
    if typed.known and typed.type != list_of(PLAYER) and not fits(typed.type, PLAYER):
        return mismatch(ctx, node, typed.type, PLAYER)
    if typed.type.optional:
        return mismatch(ctx, node, typed.type, PLAYER)
    return typed


def check_finish(ctx: Context, node: ast.FinishStmt) -> None:
    """`finish won by p "reason"` or `finish drawn "reason"`: nothing comes after it."""
    mark = len(ctx.reads)
    winner: Expr | None = None
    if node.winner is not None:
        typed = ctx.check(node.winner, PLAYER)
        asked = list_of(PLAYER) if typed.type.many else PLAYER
        winner = held_to(ctx, node.winner, typed, asked).expr
    del ctx.reads[mark:]
    ctx.rows.add(program.Finish(ctx.origin(node), winner, told(ctx, node.reason)))
    ctx.costs.append(End(ctx.place(node), finish=True))
    ctx.flow = replace(ctx.flow, ended=True)


def check_rank(ctx: Context, node: ast.RankStmt) -> None:
    """`finish ranked p in players by score(p) "reason"`: nothing comes after it."""
    mark = len(ctx.reads)
    who = wanted(ctx, node.domain, list_of(PLAYER))
    local = fresh_local(ctx, node.name, PLAYER, "whoever is ranked")
    with ctx.binding(local):
        by = number(ctx, node.number)
    del ctx.reads[mark:]
    check_work(ctx, node, by.expr, times=who.expr)
    reason = told(ctx, node.reason)
    ctx.rows.add(program.Rank(ctx.origin(node), who.expr, local.slot, by.expr, reason))
    ctx.costs.append(End(ctx.place(node), finish=True))
    ctx.flow = replace(ctx.flow, ended=True)
