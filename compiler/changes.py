"""Statements that change something: `let`, `set`, `add`, operations, `use`, `say`, `finish`."""

from __future__ import annotations

from dataclasses import replace

from compiler.calls import arguments
from compiler.check_names import suggestion
from compiler.context import Context, Typed
from compiler.costs import Doing, Flat, Using
from compiler.diagnostics import did_you_mean, quoted_list
from compiler.effect import tree
from compiler.foresight import changed_names, walk
from compiler.intervals import length, numbers
from compiler.locals import fresh_local, set_local
from compiler.scopes import Local, mentions, reads_world, scope_read
from compiler.symbols import Signature
from compiler.types import EMPTY, UNKNOWN, fits, is_unknown, join, list_of
from compiler.visibility import kept
from compiler.wanted import mismatch, player, wanted
from runtime import program
from runtime.program import Expr
from runtime.values import INT, NONE, Type


def check_let(ctx: Context, node: tree.Let) -> None:
    """`let x = E`: a new local."""
    mark = len(ctx.reads)
    promised = ctx.result.type if ctx.result and ctx.result.name == node.name.id else None
    typed = ctx.check(node.value, promised)
    local = fresh_local(ctx, node.name, typed.type, "set")
    local.hidden = kept(ctx, mark)
    measure(ctx, local, typed.expr)
    ctx.rows.add(program.Let(ctx.origin(node), local.slot, typed.expr))
    set_local(ctx, local)
    if typed.type == NONE and promised is not None:
        local.type = promised


def measure(ctx: Context, local: Local, expr: Expr) -> None:
    """Note how large a local can be, unless something changes it later."""
    if local.name in ctx.reassigned:
        return
    if local.type == INT:
        local.low, local.high = numbers(ctx, expr)
    elif local.type.many:
        local.high = length(ctx, expr)


def check_assign(ctx: Context, node: tree.Assign) -> None:
    """`set x = E`: a local, or a variable of the game."""
    target = _target(ctx, node.name)
    mark = len(ctx.reads)
    if target is None:
        ctx.check(node.value)
        return
    local, type_ = target
    typed = ctx.check(node.value, type_)
    hidden = kept(ctx, mark)
    if local is not None and (type_ in (NONE, EMPTY)) and (wider := join(type_, typed.type)) is not None:
        local.type = type_ = wider
    if not fits(typed.type, type_):
        mismatch(ctx, node.value, typed.type, type_, f"for `{node.name.id}`")
        return
    _store(ctx, node, node.name, local, typed.expr)
    if local is not None:
        local.hidden = tuple(dict.fromkeys((*local.hidden, *hidden)))
    if type_.optional and not typed.type.optional:
        stored: Expr = ("slot", local.slot) if local else ("scope", node.name.id)
        ctx.flow = ctx.flow.knowing(frozenset({stored}))


def check_add(ctx: Context, node: tree.Add) -> None:
    """`add E to x` and `remove E from x`: `x` is a list, E one thing or a list of them."""
    target = _target(ctx, node.name)
    mark = len(ctx.reads)
    if target is None:
        ctx.check(node.value)
        return
    local, type_ = target
    if not type_.many and not is_unknown(type_):
        message = f"`{node.name.id}` is {ctx.say(type_)}, and only a list can be added to"
        ctx.error("type-mismatch", node.name, message, f"`set {node.name.id} = ...`")
        return
    typed = ctx.check(node.value, type_.item)
    hidden = kept(ctx, mark)
    if local is not None and type_.name == "?" and typed.known and not typed.type.optional:
        local.type = type_ = list_of(typed.type)
    asked = type_ if typed.type.many else type_.item
    if not fits(typed.type, asked):
        mismatch(ctx, node.value, typed.type, asked, f"in `{node.name.id}`")
        return
    if local is not None:
        local.use()
        local.hidden = tuple(dict.fromkeys((*local.hidden, *hidden)))
    before: Expr = ("slot", local.slot) if local else ("scope", node.name.id)
    more: Expr = typed.expr if typed.type.many else ("list", typed.expr)
    _store(ctx, node, node.name, local, ("without" if node.removing else "join", before, more))


def _target(ctx: Context, name: tree.Name) -> tuple[Local | None, Type] | None:
    """What `set` and `add` may change, with its type, or None after a complaint."""
    symbols = ctx.symbols
    local = ctx.flow.visible.get(name.id)
    if local is None and ctx.result is not None and ctx.result.name == name.id:
        local = ctx.result
    if local is not None:
        return local, local.type
    if name.id in symbols.scope:
        return None, symbols.scope[name.id].type
    if name.id in symbols.poisoned:
        return None, UNKNOWN
    choices = [*ctx.flow.visible, *symbols.scope]
    if symbols.is_value_name(name.id):
        message = f"`{name.id}` cannot be changed: it is not a variable"
        help = f"the variables are {quoted_list(sorted(choices))}" if 0 < len(choices) <= 8 else None
        ctx.error("not-a-variable", name, message, help)
    else:
        help = did_you_mean(name.id, choices) or f"`let {name.id} = ...` makes a new variable"
        ctx.error("unknown-name", name, f"there is no `{name.id}` to change", help)
    return None


def _store(ctx: Context, node: tree.Node, name: tree.Name, local: Local | None, expr: Expr) -> None:
    if local is None:
        ctx.rows.add(program.SetScope(ctx.origin(node), name.id, expr))
        ctx.flow = ctx.flow.forgetting(lambda fact: name.id in scope_read(fact) or reads_world(fact))
        return
    ctx.rows.add(program.Let(ctx.origin(node), local.slot, expr))
    set_local(ctx, local)


# ---------------------------------------------------------------------------------- doing and using


def check_operate(ctx: Context, node: tree.Operate) -> None:
    """`shift(piece, to: space)`: an operation of the vocabulary."""
    name = node.call.name.id
    callee = ctx.symbols.operations.get(name)
    mark = len(ctx.reads)
    if callee is None:
        for arg in node.call.args:
            ctx.check(arg.value)
        if name not in ctx.symbols.poisoned:
            _unknown_operation(ctx, node.call.name)
        result = None
    else:
        ctx.symbols.used.add(callee.id)
        args = arguments(ctx, node.call, callee, node.call.args)
        result = callee.result
        slot = given_slot(ctx, node.giving, callee)
        if args is not None:
            ctx.rows.add(program.Operate(ctx.origin(node), name, args, slot))
        ctx.costs.append(Doing(name))
        if callee.reveals:
            ctx.barrier = f"`{name}` shows something new"
    del ctx.reads[mark:]
    after_change(ctx)
    give(ctx, node.giving, result, callee)


def _unknown_operation(ctx: Context, name: tree.Name) -> None:
    symbols = ctx.symbols
    if name.id in symbols.powers:
        message, help = f"`{name.id}` is a power", f"`use {name.id}(...)`"
    elif name.id in [*symbols.callable_names(), *symbols.value_names()]:
        message, help = f"`{name.id}` is only a value, and does nothing on a line of its own", None
    else:
        message = f"there is no operation `{name.id}`"
        help = suggestion(name.id, list(symbols.operations))
        if help is None and (close := did_you_mean(name.id, symbols.powers)):
            help = f"{close[:-1]} (a power: `use`)?"
    ctx.error("unknown-operation", name, message, help)


def check_use(ctx: Context, node: tree.Use) -> None:
    """`use move_piece(minion) giving piece`: a power that is known now."""
    callee = ctx.symbols.powers.get(node.power.id)
    mark = len(ctx.reads)
    if callee is None:
        for arg in node.args:
            ctx.check(arg.value)
        if node.power.id not in ctx.symbols.poisoned:
            unknown_power(ctx, node.power)
    else:
        ctx.symbols.used.add(callee.id)
        args = arguments(ctx, node, callee, node.args)
        slot = given_slot(ctx, node.giving, callee)
        if args is not None:
            ctx.rows.add(program.Use(ctx.origin(node), callee.id, args, slot))
        ctx.costs.append(Using(callee.id))
        ctx.used_here = (*ctx.used_here, callee.id)
    del ctx.reads[mark:]
    after_change(ctx, ctx.symbols.changes.of_power(node.power.id))
    give(ctx, node.giving, callee.result if callee else None, callee)


def unknown_power(ctx: Context, name: tree.Name) -> None:
    """Complain about the name of a power that does not exist."""
    symbols = ctx.symbols
    help = did_you_mean(name.id, symbols.powers)
    if name.id in symbols.operations:
        help = f"`{name.id}(...)` without `use`: it is an operation"
    ctx.error("unknown-power", name, f"there is no power `{name.id}`", help)


def given_slot(ctx: Context, giving: tree.Name | None, callee: Signature) -> int:
    """The slot for a result, -1 for none."""
    if giving is None or (callee.result is None and not callee.broken):
        return -1
    return ctx.slot(giving.id)


def give(ctx: Context, giving: tree.Name | None, result: Type | None, callee: Signature | None) -> None:
    """Set the variable behind `giving`."""
    if giving is None:
        return
    if callee is not None and result is None and not callee.broken:
        message = f"`{callee.name}` gives nothing"
        ctx.error("gives-nothing", giving, message, "leave out `giving`")
    known = ctx.flow.visible.get(giving.id)
    if known is not None and result is not None and giving.id in ctx.flow.certain:
        _give_again(ctx, giving, known, result)
        return
    local = fresh_local(ctx, giving, result or UNKNOWN, "given")
    local.used = local.used or result is None
    set_local(ctx, local)


def _give_again(ctx: Context, giving: tree.Name, known: Local, result: Type) -> None:
    """`giving x` where `x` is set already changes it, as `set x = ...` does."""
    if not fits(result, known.type):
        mismatch(ctx, giving, result, known.type, f"for `{giving.id}`")
    known.low = known.high = None
    set_local(ctx, known)


def check_use_power(ctx: Context, node: tree.UsePower) -> None:
    """`use power of card with minions: xs`: the power of whatever record it turns out to be."""
    of = ctx.check(node.of)
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
    ctx.reads.clear()
    ctx.rows.add(program.UsePower(ctx.origin(node), of.type.name, of.expr, tuple(scope)))
    ctx.costs.append(Flat(fuel=True))
    ctx.barrier = ctx.barrier or "`use power of` may do anything"
    after_change(ctx, ctx.symbols.changes.of_records())


def _no_power(ctx: Context, node: tree.Expr, typed: Typed) -> None:
    makers = [name for name, one in ctx.symbols.entities.items() if one.records]
    entity = ctx.symbols.entities.get(typed.type.name)
    if entity is not None and entity.records:
        mismatch(ctx, node, typed.type, Type(typed.type.name))
        return
    nouns = [ctx.symbols.entities[name].plural for name in makers]
    message = f"`{ctx.words(node)}` is {ctx.say(typed.type)}, which has no power of its own"
    help = f"{' and '.join(nouns)} have one" if nouns else None
    ctx.error("type-mismatch", node, message, help)


def after_change(ctx: Context, names: frozenset[str] = frozenset()) -> None:
    """Something has happened on the table: what was read from it, or from variables that triggers or these
    `names` may have changed, is no longer known."""
    changed = names | ctx.symbols.changes.of_triggers()
    ctx.flow = ctx.flow.forgetting(lambda fact: reads_world(fact) or bool(scope_read(fact) & changed))


def forget_changed(ctx: Context, body: tuple[tree.Stmt, ...]) -> None:
    """At the head of a loop: forget what its body may change."""
    names, changes = changed_names(body), ctx.symbols.changes
    slots = [("slot", ctx.by_name[name]) for name in names if name in ctx.by_name]
    ctx.flow = ctx.flow.forgetting(
        lambda fact: bool(scope_read(fact) & names) or any(mentions(fact, slot) for slot in slots)
    )
    for one in walk(body):
        if isinstance(one, tree.Use):
            after_change(ctx, changes.of_power(one.power.id))
        elif isinstance(one, tree.UsePower):
            after_change(ctx, changes.of_records())
        elif isinstance(one, tree.Operate | tree.Draw):
            after_change(ctx)
    visible = {
        name: replace(local, low=None, high=None, parts=(local,)) if name in names else local
        for name, local in ctx.flow.visible.items()
    }
    ctx.flow = replace(ctx.flow, visible=visible)


# ---------------------------------------------------------------------------------- words


def check_say(ctx: Context, node: tree.Say) -> None:
    """`say "text"`."""
    ctx.rows.add(program.Say(ctx.origin(node), node.text.value))


def check_finish(ctx: Context, node: tree.Finish) -> None:
    """`finish won by p "reason"` or `finish drawn "reason"`: nothing comes after it."""
    mark = len(ctx.reads)
    winner = player(ctx, node.winner).expr if node.winner is not None else None
    del ctx.reads[mark:]
    ctx.rows.add(program.Finish(ctx.origin(node), winner, node.reason.value))
    ctx.flow = replace(ctx.flow, ended=True)
