"""Statements that change state or show text: `let`, `set`, `add`, operations, `use`, `say`, `finish`."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler import types
from ruleloom.compiler.bounds.intervals import hold_to_bounds, length, numbers, written_arguments
from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check import expect
from ruleloom.compiler.check.calls import shape
from ruleloom.compiler.check.moments import (
    after_change,
    check_moment,
    given_back,
)
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.flow.context import BROKEN, Context, Typed
from ruleloom.compiler.flow.cost import End, Flat
from ruleloom.compiler.flow.flow import Local, ZoneRead, reads_world, scope_read, unnamed
from ruleloom.compiler.resolve.mod_sets import ANY_RECORD
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import list_of
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, mentions
from ruleloom.runtime.program.interval import Interval, compare
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import FRACTION, INT, NONE, PLAYER, Type

Setting = ast.AssignStmt | ast.AddStmt
Hidden = tuple[ZoneRead, ...]


def check_let(ctx: Context, node: ast.LetStmt) -> None:
    """`let x = E`: a new local."""
    mark = len(ctx.reads)
    promised = ctx.result.type if ctx.result and ctx.result.name == node.name.id else None
    typed = ctx.check(node.value, promised)
    local = ctx.fresh_local(node.name, typed.type, "set")
    local.hidden = expect.kept(ctx, mark, typed.expr)
    expect.refuse_given(ctx, local.hidden, local is ctx.result or promised is not None)
    measure(ctx, local, typed.expr)
    ctx.rows.add(program.Let(ctx.origin(node), local.slot, typed.expr))
    ctx.set_local(local)
    if typed.type == NONE and promised is not None:
        local.type = promised


def measure(ctx: Context, local: Local, expr: Expr) -> None:
    """Note the bounds of a local, unless the text assigns it again."""
    local.broken |= mentions(expr, BROKEN)
    if local.name in ctx.given_back and local.type == INT:
        local.begun = numbers(ctx, expr)
    if local.name in ctx.reassigned:
        return
    if local.type == INT:
        local.low, local.high = numbers(ctx, expr)
    elif local.type.many:
        local.high = length(ctx, expr)


def check_assign(ctx: Context, node: ast.AssignStmt) -> None:
    """`set x = E`: a local, or a variable of the game."""
    target = changeable(ctx, node.name)
    mark = len(ctx.reads)
    if target is None:
        ctx.check(node.value)
        return
    local, type_ = target
    typed = ctx.check(node.value, type_)
    hidden = expect.kept(ctx, mark, typed.expr)
    if local is not None and type_ in (NONE, types.EMPTY):
        local.type = type_ = types.join(type_, typed.type) or type_
    if not types.fits(typed.type, type_):
        if not expect.was_told(ctx, node.name.id):
            expect.mismatch(ctx, node.value, typed.type, type_, f"for `{node.name.id}`")
        ctx.told.add(node.name.id)
        return
    _store(ctx, node, local, typed.expr, hidden)
    _warn_if_same(ctx, node)
    if type_.optional and not typed.type.optional:
        ctx.flow = ctx.flow.knowing(frozenset({_variable(local, node.name)}))


def _warn_if_same(ctx: Context, node: ast.AssignStmt) -> None:
    if isinstance(node.value, ast.Name) and node.value.id == node.name.id:
        ctx.warn("changes-nothing", node, f"this sets `{node.name.id}` to itself")


def _gives_type(type_: Type, typed: Typed) -> bool:
    return type_.name == "?" and typed.known and not typed.type.optional


def check_add(ctx: Context, node: ast.AddStmt) -> None:
    """`add E to x` and `remove E from x`: `x` is a list, E an item or a list of items."""
    target = changeable(ctx, node.name)
    mark = len(ctx.reads)
    if target is None:
        ctx.check(node.value)
        return
    local, type_ = target
    if not (type_.many or types.is_unknown(type_)):
        message = f"`{node.name.id}` is {ctx.say(type_)}, and only a list can be added to"
        ctx.error("type-mismatch", node.name, message, f"`set {node.name.id} = ...`")
        return
    typed = ctx.check(node.value, type_.item)
    hidden = expect.kept(ctx, mark, typed.expr)
    if local is not None and _gives_type(type_, typed):
        # The first thing added to a list begun as `[]` gives the list its type.
        local.type = type_ = types.list_of(typed.type)
    asked = type_ if typed.type.many else type_.item
    if not types.fits(typed.type, asked) and not types.is_faces(type_, typed.type):
        expect.mismatch(ctx, node.value, typed.type, asked, f"in `{node.name.id}`")
        return
    if local is not None:
        local.use()
    _store(ctx, node, local, _changed_list(node, local, type_, typed), hidden)


def _changed_list(node: ast.AddStmt, local: Local | None, type_: Type, typed: Typed) -> Expr:
    before = _variable(local, node.name)
    more: Expr = typed.expr if typed.type.many else ("list", typed.expr)
    if type_.repeats:
        return (types.dice_form(not node.removing), before, more)
    return ("without" if node.removing else "join", before, more)


def _variable(local: Local | None, name: ast.Name) -> Expr:
    return ("slot", local.slot) if local is not None else ("scope", name.id)


def changeable(ctx: Context, name: ast.Name) -> tuple[Local | None, Type] | None:
    """The local (None: a variable of the game) to change, and its type; None after an error."""
    symbols = ctx.symbols
    local = ctx.flow.visible.get(name.id)
    if local is None and ctx.result is not None and ctx.result.name == name.id:
        local = ctx.result
    if name.id == ctx.settled:
        message = f"`{name.id}` can be changed only while the moment lasts"
        help = "leave out `afterwards`; in a trigger write `timing: immediately`"
        ctx.error("not-a-variable", name, message, help)
        return None
    if name.id in ctx.fixed:
        _refuse_fixed(ctx, name)
        return None
    if local is not None:
        symbols.uses.note_local(ctx.passage, name)
        return local, local.type
    if name.id in symbols.scope:
        ctx.means(name, "variable", name.id)
        return None, symbols.scope[name.id].type
    if symbols.poisoned.may_declare(name.id):
        return None, types.UNKNOWN
    if name.id not in ctx.told:
        _refuse_change(ctx, name)
    return None


def _refuse_fixed(ctx: Context, name: ast.Name) -> None:
    """Report an assignment to a value of the event, which is fixed."""
    event = ctx.symbols.operations.get(ctx.event)
    message = f"`{name.id}` is a value of the event: setting it does not change `{ctx.event}`"
    help = "set a variable of your own, or replace the event with `instead of`"
    if event is not None and event.open == name.id:
        message = f"`{name.id}` is not that of `{event.name}` here, as it stands in another place"
        help = f"its form is `{shape(event)}`"
    elif event is not None and event.open:
        help = f"only `{event.open}` of `{event.name}` is open to change"
    ctx.error("not-a-variable", name, message, help)


def _refuse_change(ctx: Context, name: ast.Name) -> None:
    """Report an assignment to a name that is unknown or no variable."""
    choices = [*ctx.flow.visible, *ctx.symbols.scope]
    if ctx.symbols.is_value_name(name.id):
        message = f"`{name.id}` cannot be changed: it is not a variable"
        known = f"the variables are {quoted_list(sorted(choices))}"
        ctx.error("not-a-variable", name, message, known if 0 < len(choices) <= 8 else None)
    else:
        help = did_you_mean(name.id, choices) or f"`let {name.id} = ...` makes a new variable"
        ctx.told.add(name.id)
        ctx.error("unknown-name", name, f"there is no `{name.id}` to change", help)


def _store(ctx: Context, node: Setting, local: Local | None, expr: Expr, hidden: Hidden) -> None:
    name = node.name.id
    expect.refuse_given(
        ctx, hidden, local is None or (ctx.result is not None and ctx.result.name == name)
    )
    if local is None:
        ctx.symbols.written.add(name)
        _hold_to_bounds(ctx, node, expr)
        ctx.rows.add(program.SetScope(ctx.origin(node), name, expr))
        ctx.flow = ctx.flow.forgetting(lambda fact: name in scope_read(fact) or reads_world(fact))
        ctx.flow = ctx.flow.owned_anew(lambda owner: name in scope_read(owner))
        return
    ctx.rows.add(program.Let(ctx.origin(node), local.slot, expr))
    local.broken |= mentions(expr, BROKEN)
    local.hidden = tuple(dict.fromkeys((*local.hidden, *hidden)))
    high = length(ctx, expr) if local.type.many else numbers(ctx, expr).high
    ctx.set_open(node, local, high)
    local.low = local.high = None
    ctx.set_local(local)


def _hold_to_bounds(ctx: Context, node: Setting, expr: Expr) -> None:
    """Report a number that is always out of the bounds of a variable of the game."""
    variable, span = ctx.symbols.scope.get(node.name.id), numbers(ctx, expr)
    if variable is None:  # declared by a broken part
        return
    if variable.type.name not in (INT.name, FRACTION.name) or variable.type.many:
        return
    bounds = Interval(variable.low, variable.high)
    if compare("<", span, bounds) or compare(">", span, bounds):
        said = f"{span.low}" if span.low == span.high else "what it is set to"
        message = f"{said} is not within `min` and `max` of `{variable.name}`"
        ctx.error("out-of-bounds", node, message)


def check_operate(ctx: Context, node: ast.OperateStmt) -> None:
    """`shift(piece, to: space)`: an operation of the vocabulary."""
    name = node.call.name.id
    callee = ctx.symbols.operations.get(name)
    mark = len(ctx.reads)
    if callee is None:
        expect.look_into(ctx, node.call.args)
        if not ctx.symbols.poisoned.may_declare(name):
            _unknown_operation(ctx, node.call.name)
    else:
        ctx.symbols.used.add(callee.id)
        ctx.means_callee(node.call.name, callee)
        args = ctx.arguments(node.call, callee, node.call.args)
        slot = expect.given_slot(ctx, node.giving, callee)
        if callee.kind == "moment":
            expect.refuse_given(ctx, ctx.reads[mark:], True)
        if args is not None and callee.kind == "moment":
            check_moment(ctx, node, callee, args, slot)
        elif args is not None:
            _refuse_what_lies_elsewhere(ctx, callee, mark)
            expect.refuse_given(ctx, ctx.reads[mark:], True, things=False)
            ctx.rows.add(program.Operate(ctx.origin(node), name, args, slot))
        event = Callee("event", name)
        if callee.reveals:
            ctx.calls(node, event)
            ctx.barrier = f"`{name}` shows something new"
        else:
            ctx.runs(ctx.place(node), event)
    del ctx.reads[mark:]
    after_change(ctx)
    expect.give(ctx, node.giving, callee)
    if callee is not None and node.giving is not None:
        given_back(ctx, node.giving.id, callee)


def _refuse_what_lies_elsewhere(ctx: Context, operation: Signature, mark: int) -> None:
    """Refuse a thing seen in a pile, which the driver does not take out of the pile."""
    zones, changes = ctx.symbols.zones, operation.changes
    for read in ctx.reads[mark:]:
        pile = zones.get(read.zone)
        if not read.told or pile is None or pile.name in changes:
            continue
        if any(one in zones and zones[one].of == pile.of for one in changes):
            message = f"this is still in `{pile.name}`, and `{operation.name}` does not take it out"
            help = f"`put x on top of {pile.name}`, then `draw y from {pile.name} to ...`"
            ctx.report.error("not-a-pile", read.place, message, help)


def check_idle_moment(ctx: Context, node: ast.IdleMoment) -> None:
    """Check a moment without answers, which adds no rows."""
    moment, mark = ctx.symbols.operations[node.call.name.id], len(ctx.reads)
    ctx.symbols.used.add(moment.id)
    ctx.means_callee(node.call.name, moment)
    ctx.arguments(node.call, moment, node.call.args)
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
        help = did_you_mean(name.id, list(symbols.operations))
        if help is None and (close := did_you_mean(name.id, symbols.powers)):
            help = f"{close[:-1]} (a power: `use`)?"
    ctx.error("unknown-operation", name, message, help)


def check_use(ctx: Context, node: ast.UseStmt) -> None:
    """`use fetch(basket) giving fruit`: a power known at compile time."""
    callee = ctx.symbols.powers.get(node.power.id)
    mark = len(ctx.reads)
    if callee is None:
        expect.look_into(ctx, node.args)
        if not ctx.symbols.poisoned.may_declare(node.power.id):
            unknown_power(ctx, node.power)
    else:
        ctx.symbols.used.add(callee.id)
        ctx.means_callee(node.power, callee)
        args = ctx.arguments(node.power, callee, node.args)
        expect.refuse_given(ctx, ctx.reads[mark:], True)
        slot = expect.given_slot(ctx, node.giving, callee)
        if args is not None:
            hold_to_bounds(ctx, callee, node.power, written_arguments(callee, node.args), args)
            ctx.rows.add(program.Use(ctx.origin(node), callee.id, args, slot))
        ctx.runs(ctx.place(node), Callee("routine", callee.id))
    del ctx.reads[mark:]
    after_change(ctx, Callee("power", node.power.id))
    expect.give(ctx, node.giving, callee)


def check_use_power(ctx: Context, node: ast.UsePowerStmt) -> None:
    """`use power of fruit with helpers: xs`: the power of a record known only in play."""
    mark = len(ctx.reads)
    of = ctx.check(node.of, expect.entity_of(ctx, [node.of]))
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
            word = ast.Name((arg.span[0], arg.span[0] + len(name)), name)
            ctx.error("unknown-name", word, f"there is no variable `{name}` to set for it", help)
        else:
            scope.append((name, expect.wanted(ctx, arg.value, symbol.type, f"for `{name}`").expr))
    expect.refuse_given(ctx, ctx.reads[mark:], True)
    ctx.reads.clear()
    ctx.rows.add(program.UsePower(ctx.origin(node), of.type.name, of.expr, tuple(scope)))
    ctx.costs.append(Flat(fuel=True, at=ctx.place(node)))
    ctx.barrier = ctx.barrier or "`use power of` may do anything"
    after_change(ctx, ANY_RECORD)


def _no_power(ctx: Context, node: ast.Expr, typed: Typed) -> None:
    makers = [name for name, one in ctx.symbols.entities.items() if one.records]
    entity = ctx.symbols.entities.get(typed.type.name)
    if entity is not None and entity.records:
        expect.mismatch(ctx, node, typed.type, Type(typed.type.name))
        return
    nouns = [ctx.symbols.entities[name].plural for name in makers]
    message = f"`{ctx.words(node)}` is {ctx.say(typed.type)}, which has no power of its own"
    help = f"{' and '.join(nouns)} have one" if nouns else None
    ctx.error("type-mismatch", node, message, help)


def check_say(ctx: Context, node: ast.SayStmt) -> None:
    """`say "text"`."""
    ctx.rows.add(program.Say(ctx.origin(node), expect.told(ctx, node.text)))
    ctx.spends(node, operations=1)


def check_tell(ctx: Context, node: ast.TellStmt) -> None:
    """`say to p "text"`: the recipient is public, and only `p` reads the text.

    Several players are told one after the other.
    """
    mark = len(ctx.reads)
    to = expect.several_players(ctx, node.to)
    expect.judge_shown(ctx, mark)
    origin, text = ctx.origin(node), expect.told(ctx, node.text, to.expr)
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


def check_finish(ctx: Context, node: ast.FinishStmt) -> None:
    """`finish won by p "reason"` or `finish drawn "reason"`: nothing comes after it."""
    mark = len(ctx.reads)
    winner: Expr | None = None
    if node.winner is not None:
        typed = ctx.check(node.winner, PLAYER)
        asked = list_of(PLAYER) if typed.type.many else PLAYER
        winner = expect.held_to(ctx, node.winner, typed, asked).expr
    del ctx.reads[mark:]
    ctx.rows.add(program.Finish(ctx.origin(node), winner, expect.told(ctx, node.reason)))
    ctx.costs.append(End(ctx.place(node), finish=True))
    ctx.flow = replace(ctx.flow, ended=True)


def check_rank(ctx: Context, node: ast.RankStmt) -> None:
    """`finish ranked p in players by score(p) "reason"`: nothing comes after it."""
    mark = len(ctx.reads)
    who = expect.wanted(ctx, node.domain, list_of(PLAYER))
    local = ctx.fresh_local(node.name, PLAYER, "whoever is ranked")
    with ctx.binding(local):
        by = expect.number(ctx, node.number)
    del ctx.reads[mark:]
    check_work(ctx, node, by.expr, times=who.expr)
    reason = expect.told(ctx, node.reason)
    ctx.rows.add(program.Rank(ctx.origin(node), who.expr, local.slot, by.expr, reason))
    ctx.costs.append(End(ctx.place(node), finish=True))
    ctx.flow = replace(ctx.flow, ended=True)


def unknown_power(ctx: Context, name: ast.Name) -> None:
    """Report an unknown power."""
    symbols = ctx.symbols
    help = did_you_mean(name.id, symbols.powers)
    if name.id in symbols.operations:
        help = f"`{name.id}(...)` without `use`: it is an operation"
    ctx.error("unknown-power", name, f"there is no power `{name.id}`", help)
