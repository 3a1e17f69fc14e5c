"""Places to hook in: moments, and what comes before, after or instead of a power or flow.

A place that nothing answers has no rows.
"""

from __future__ import annotations

from ruleloom.compiler.check.assign import after_change
from ruleloom.compiler.flow.context import ME, Context
from ruleloom.compiler.flow.cost import Call
from ruleloom.compiler.flow.flow import Local, unnamed
from ruleloom.compiler.graph import Callee
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program import program
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import DICE


def check_moment(
    ctx: Context, node: ast.OperateStmt, moment: Signature, args: tuple[Expr, ...], slot: int
) -> None:
    """`blow_falls(whom, hard) giving hard`: a moment that the vocabulary names."""
    if moment.open and slot < 0:
        message = f"answers may change the `{moment.open}` of `{moment.name}`, which is then lost"
        ctx.error("result-not-set", node, message, f"`giving {moment.open}`")
    elif moment.name in ctx.symbols.answered:
        come_to(ctx, ctx.origin(node), moment, args, slot)
    elif moment.open and args[moment.open_place] != ("slot", slot):
        ctx.rows.add(program.Let(ctx.origin(node), slot, args[moment.open_place]))


def come_to(
    ctx: Context, origin: program.Origin, moment: Signature, args: tuple[Expr, ...], slot: int
) -> None:
    """Raise a moment, and take its open value back into a slot: it stands in a variable meanwhile.

    What the variable held before is put back, as an answer may lead to the same moment again.
    """
    announced = program.Announce(origin, moment.name, args)
    if not moment.open:
        ctx.rows.add(announced)
        return
    variable = moment.open_variable
    outer = ctx.hidden_slot(unnamed(variable), ctx.symbols.scope[variable].type)
    ctx.rows.add(program.Let(origin, outer, ("scope", variable)))
    ctx.rows.add(program.SetScope(origin, variable, args[moment.open_place]))
    ctx.rows.add(announced)
    ctx.rows.add(program.Let(origin, slot, ("scope", variable)))
    ctx.rows.add(program.SetScope(origin, variable, ("slot", outer)))


def come_to_roll(ctx: Context, node: ast.RollStmt, local: Local, by: Expr | None) -> None:
    """Raise the moments after a roll, whose answers may put another value into its variable."""
    rolled = "rolled each" if local.type == DICE else "rolled any"
    for name in (f"rolled {local.name}", rolled):
        moment = ctx.symbols.operations.get(name)
        if moment is not None and name in ctx.symbols.answered and moment.result == local.type:
            come_to(ctx, ctx.origin(node), moment, (by or ME, ("slot", local.slot)), local.slot)
            ctx.calls(node, Callee("event", name))
            local.low = local.high = None
            after_change(ctx)


def announce(ctx: Context, event: str, origin: program.Origin) -> None:
    """Raise the event before or after this text, with the values of its parameters."""
    ctx.rows.add(program.Announce(origin, event, _told(ctx, event)))


def give_way(ctx: Context, event: str, origin: program.Origin) -> None:
    """Let replacements of this text run in its place: it then ends at once."""
    ctx.skipped_to = ctx.rows.label()
    ctx.rows.add(program.Replaceable(origin, event, _told(ctx, event), ctx.skipped_to))


def _told(ctx: Context, event: str) -> tuple[Expr, ...]:
    """What an event about this text tells; it costs what its answers cost."""
    raised = Callee("event", event)
    ctx.costs.append(Call(raised, ctx.passage.place((0, 0))))
    ctx.used_here = (*ctx.used_here, raised)
    return tuple(("slot", ctx.by_name[param.name]) for param in ctx.symbols.events[event])


def answer_moment(
    ctx: Context, moment: Signature, name: str, origin: program.Origin, late: bool
) -> None:
    """Let this text, an answer to a moment, change its open value under this name, if not `late`."""
    if late:
        ctx.settled = name
        return
    variable, slot = moment.open_variable, ctx.by_name[name]
    ctx.rows.add(program.Let(origin, slot, ("scope", variable)))
    if name in ctx.reassigned:
        ctx.open_value = variable, slot


def close(ctx: Context, origin: program.Origin) -> None:
    """Where an end of the text is reached: hand back an open value, and raise the event after it."""
    if ctx.flow.ended:
        return
    if ctx.open_value is not None:
        variable, slot = ctx.open_value
        ctx.rows.add(program.SetScope(origin, variable, ("slot", slot)))
    if ctx.ending:
        announce(ctx, ctx.ending, origin)
