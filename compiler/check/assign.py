"""Statements that set variables (`let`, `set`, `add`), and the facts that a change invalidates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ruleloom.compiler import types
from ruleloom.compiler.bounds.intervals import length, numbers
from ruleloom.compiler.check.expect import mismatch, was_told
from ruleloom.compiler.check.secrecy import kept, refuse_given
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.flow.context import BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import Local, ZoneRead, reads_world, scope_read
from ruleloom.compiler.flow.locals import fresh_local, set_local
from ruleloom.compiler.query.lookups import NEVER_SAME
from ruleloom.compiler.resolve.mod_sets import ANY_TRIGGER, called_by, changed_names
from ruleloom.compiler.resolve.symbols import OpenSet
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.expr import mentions, slots_read
from ruleloom.runtime.program.interval import Interval, compare
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import FRACTION, INT, NONE, Type


def check_let(ctx: Context, node: ast.LetStmt) -> None:
    """`let x = E`: a new local."""
    mark = len(ctx.reads)
    promised = ctx.result.type if ctx.result and ctx.result.name == node.name.id else None
    typed = ctx.check(node.value, promised)
    local = fresh_local(ctx, node.name, typed.type, "set")
    local.hidden = kept(ctx, mark, typed.expr)
    refuse_given(ctx, local.hidden, local is ctx.result or promised is not None)
    measure(ctx, local, typed.expr)
    ctx.rows.add(program.Let(ctx.origin(node), local.slot, typed.expr))
    set_local(ctx, local)
    if typed.type == NONE and promised is not None:
        local.type = promised


def measure(ctx: Context, local: Local, expr: Expr) -> None:
    """Note how large a local can be, unless something changes it later."""
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
    hidden = kept(ctx, mark, typed.expr)
    if local is not None and type_ in (NONE, types.EMPTY):
        local.type = type_ = types.join(type_, typed.type) or type_
    if not types.fits(typed.type, type_):
        if not was_told(ctx, node.name.id):
            mismatch(ctx, node.value, typed.type, type_, f"for `{node.name.id}`")
        return
    _store(ctx, node, local, typed.expr, hidden)
    if isinstance(node.value, ast.Name) and node.value.id == node.name.id:
        ctx.warn("changes-nothing", node, f"this sets `{node.name.id}` to what it is")
    if type_.optional and not typed.type.optional:
        ctx.flow = ctx.flow.knowing(frozenset({_variable(local, node.name)}))


def check_add(ctx: Context, node: ast.AddStmt) -> None:
    """`add E to x` and `remove E from x`: `x` is a list, E one thing or a list of them."""
    target = changeable(ctx, node.name)
    mark = len(ctx.reads)
    if target is None:
        ctx.check(node.value)
        return
    local, type_ = target
    if not _takes_more(ctx, node.name, type_):
        return
    typed = ctx.check(node.value, type_.item)
    hidden = kept(ctx, mark, typed.expr)
    if local is not None and _says_of_what(type_, typed):
        local.type = type_ = types.list_of(typed.type)
    asked = type_ if typed.type.many else type_.item
    if not types.fits(typed.type, asked) and not types.is_faces(type_, typed.type):
        mismatch(ctx, node.value, typed.type, asked, f"in `{node.name.id}`")
        return
    if local is not None:
        local.use()
    _store(ctx, node, local, _changed_list(node, local, type_, typed), hidden)


def _takes_more(ctx: Context, name: ast.Name, type_: Type) -> bool:
    if type_.many or types.is_unknown(type_):
        return True
    message = f"`{name.id}` is {ctx.say(type_)}, and only a list can be added to"
    ctx.error("type-mismatch", name, message, f"`set {name.id} = ...`")
    return False


def _says_of_what(type_: Type, first: Typed) -> bool:
    """Does the first thing added to a list begun as `[]` give the list its type?"""
    return type_.name == "?" and first.known and not first.type.optional


def _changed_list(node: ast.AddStmt, local: Local | None, type_: Type, typed: Typed) -> Expr:
    before = _variable(local, node.name)
    more: Expr = typed.expr if typed.type.many else ("list", typed.expr)
    if type_.repeats:
        return (types.dice_form(not node.removing), before, more)
    return ("without" if node.removing else "join", before, more)


def _variable(local: Local | None, name: ast.Name) -> Expr:
    return ("slot", local.slot) if local is not None else ("scope", name.id)


def changeable(ctx: Context, name: ast.Name) -> tuple[Local | None, Type] | None:
    """The variable that `set` or `add` changes, with its type, or None after a complaint."""
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
    """Report the change of a value of the event, which stays the same."""
    event = ctx.symbols.operations.get(ctx.event)
    message = f"`{name.id}` tells what happens; to set it changes nothing of `{ctx.event}`"
    help = "another name, which `let` gives; where it is to be otherwise, `instead of` does it so"
    if event is not None and event.open:
        help = f"only `{event.open}` of `{event.name}` is open to change"
    ctx.error("not-a-variable", name, message, help)


def _refuse_change(ctx: Context, name: ast.Name) -> None:
    """Report the change of a name that is no variable, or unknown."""
    choices = [*ctx.flow.visible, *ctx.symbols.scope]
    if ctx.symbols.is_value_name(name.id):
        message = f"`{name.id}` cannot be changed: it is not a variable"
        known = f"the variables are {quoted_list(sorted(choices))}"
        ctx.error("not-a-variable", name, message, known if 0 < len(choices) <= 8 else None)
    else:
        help = did_you_mean(name.id, choices) or f"`let {name.id} = ...` makes a new variable"
        ctx.told.add(name.id)
        ctx.error("unknown-name", name, f"there is no `{name.id}` to change", help)


def _store(
    ctx: Context,
    node: ast.AssignStmt | ast.AddStmt,
    local: Local | None,
    expr: Expr,
    hidden: tuple[ZoneRead, ...],
) -> None:
    name = node.name.id
    refuse_given(ctx, hidden, local is None or (ctx.result is not None and ctx.result.name == name))
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
    set_open(ctx, node, local, high)
    local.low = local.high = None
    set_local(ctx, local)


def _hold_to_bounds(ctx: Context, node: ast.AssignStmt | ast.AddStmt, expr: Expr) -> None:
    """Complain about a number that can only be beyond what a variable of the game may be."""
    variable, span = ctx.symbols.scope.get(node.name.id), numbers(ctx, expr)
    if variable is None:  # one that something broken may have declared
        return
    if variable.type.name not in (INT.name, FRACTION.name) or variable.type.many:
        return
    bounds = Interval(variable.low, variable.high)
    if compare("<", span, bounds) or compare(">", span, bounds):
        said = f"{span.low}" if span.low == span.high else "what it is set to"
        message = f"{said} is not within `min` and `max` of `{variable.name}`"
        ctx.error("out-of-bounds", node, message)


def set_open(ctx: Context, node: ast.SyntaxNode, local: Local, high: int | None) -> None:
    """Note a line that sets the open value of a moment."""
    if ctx.open_value is not None and local.slot == ctx.open_value[1]:
        ctx.symbols.lookups.note(NEVER_SAME)
        found = ctx.symbols.open_sets.setdefault(ctx.open_value[0].name, [])
        found.append(OpenSet(ctx.place(node), local.name, high))


def after_change(ctx: Context, by: Callee | None = None) -> None:
    """Forget facts about the table, and about variables that triggers or a callee may change."""

    def changes(callee: Callee, expr: Expr) -> bool:
        return any(ctx.symbols.may_change(callee, one) for one in sorted(scope_read(expr)))

    if by is not None:
        ctx.flow = ctx.flow.owned_anew(partial(changes, by))
    callees = [one for one in (by, ANY_TRIGGER) if one is not None]
    ctx.flow = ctx.flow.forgetting(
        lambda fact: reads_world(fact) or any(changes(one, fact) for one in callees)
    )


def forget_changed(ctx: Context, body: tuple[ast.Stmt, ...]) -> None:
    """At the head of a loop: forget what its body may change."""
    names = changed_names(body)
    slots = {ctx.by_name[name] for name in names if name in ctx.by_name}
    ctx.flow = ctx.flow.forgetting(
        lambda fact: bool(scope_read(fact) & names or slots_read(fact) & slots)
    )
    ctx.flow = ctx.flow.owned_anew(
        lambda owner: bool(scope_read(owner) & names or slots_read(owner) & slots)
    )
    for one in walk(body):
        called = called_by(one)
        if called is not None:
            after_change(ctx, called)
        elif isinstance(one, ast.RollStmt):
            after_change(ctx)
    visible = {
        name: replace(local, low=None, high=None, parts=(local,)) if name in names else local
        for name, local in ctx.flow.visible.items()
    }
    ctx.flow = replace(ctx.flow, visible=visible)
