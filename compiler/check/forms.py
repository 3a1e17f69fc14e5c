"""Dispatches each expression and statement node to the function that checks and lowers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ruleloom.compiler.check import asking, calls, chance, changing, expr, lasting, steering
from ruleloom.compiler.flow.context import Context, Forms, Typed
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import holes, walk
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, NONE, TEXT, Type

STATEMENTS: dict[type[ast.Stmt], Callable[[Context, Any], None]] = {
    ast.ChooseStmt: asking.check_choose,
    ast.ChooseOneStmt: asking.check_choose_one,
    ast.OptionalStmt: asking.check_optional,
    ast.SecretlyStmt: asking.check_secretly,
    ast.AskStmt: asking.check_ask,
    ast.RollStmt: chance.check_roll,
    ast.DrawStmt: chance.check_draw,
    ast.LookStmt: chance.check_look,
    ast.PutStmt: chance.check_put,
    ast.ShowStmt: chance.check_show,
    ast.LetStmt: changing.check_let,
    ast.AssignStmt: changing.check_assign,
    ast.AddStmt: changing.check_add,
    ast.OperateStmt: changing.check_operate,
    ast.IdleMoment: changing.check_idle_moment,
    ast.UseStmt: changing.check_use,
    ast.UsePowerStmt: changing.check_use_power,
    ast.IfStmt: steering.check_branch,
    ast.ForEachStmt: steering.check_for_each,
    ast.RepeatStmt: steering.check_repeat,
    ast.RepeatUntilStmt: steering.check_repeat_until,
    ast.StopStmt: steering.check_stop,
    ast.EnsureStmt: steering.check_ensure,
    ast.IgnoringStmt: steering.check_ignoring,
    ast.KeepingStmt: steering.check_keeping,
    ast.CombinableStmt: asking.check_combinable,
    ast.SayStmt: changing.check_say,
    ast.TellStmt: changing.check_tell,
    ast.BeginStmt: lasting.check_begin,
    ast.EndStmt: lasting.check_over,
    ast.ProlongStmt: lasting.check_over,
    ast.LaterStmt: lasting.check_later,
    ast.RunOut: lasting.check_over,
    ast.FinishStmt: changing.check_finish,
    ast.RankStmt: changing.check_rank,
}
LITERALS: Mapping[type, Type] = {int: INT, Fraction: FRACTION, str: TEXT, bool: BOOL}


def check_block(ctx: Context, statements: Sequence[ast.Stmt]) -> None:
    """Check the statements of a block in order; warn at the first unreachable one."""
    warned = ctx.flow.ended
    for above, statement in pairwise(statements):
        if _gives_anew(ctx, above, statement):
            message = "this repeats the line above, whose result nothing reads"
            ctx.warn("never-read", statement, message, "delete one of the two, or its `giving`")
    for statement in statements:
        if ctx.flow.ended and not warned:
            ctx.warn("unreachable", statement, "this is never reached", "delete it, or move it up")
            warned = True
        ctx.before = frozenset(ctx.flow.visible)
        STATEMENTS[type(statement)](ctx, statement)


def _gives_anew(ctx: Context, above: ast.Stmt, statement: ast.Stmt) -> bool:
    """Whether a statement repeats the one above and drops its result."""
    match above, statement:
        case ast.UseStmt(giving=ast.Name()), ast.UseStmt(args=args, giving=ast.Name(id=name)):
            pass
        case (
            ast.OperateStmt(giving=ast.Name()),
            ast.OperateStmt(call=ast.CallExpr(args=args), giving=ast.Name(id=name)),
        ):
            pass
        case _:
            return False
    read = (one for one in walk(args) if isinstance(one, ast.Name))
    return ctx.words(above) == ctx.words(statement) and all(one.id != name for one in read)


def check_expr(ctx: Context, node: ast.Expr, expected: Type | None = None) -> Typed:
    """Check one expression; `expected` is the type its place expects, if known."""
    typed = _expression(ctx, node, expected)
    if typed.type.optional and typed.type != NONE and typed.expr in ctx.flow.facts:
        return replace(typed, type=typed.type.present)
    return typed


def _text_value(ctx: Context, node: ast.TextLiteral) -> Typed:
    """A text that is a value: its holes are never filled."""
    for hole in holes(node):
        message = f"`{{{hole.id}}}` is printed as it is: a text that is a value has no holes"
        help = "write the text where it is read, as in `say`, a question or a log"
        ctx.warn("odd-hole", hole, message, help)
    return Typed(("value", node.value), TEXT)


def _expression(ctx: Context, node: ast.Expr, expected: Type | None) -> Typed:
    match node:
        case ast.Name():
            return expr.check_name(ctx, node, expected)
        case ast.CallExpr():
            return calls.check_call(ctx, node)
        case ast.Binary():
            return expr.check_binary(ctx, node, expected)
        case ast.TextLiteral():
            return _text_value(ctx, node)
        case ast.NumberLiteral() | ast.BoolLiteral():
            return Typed(("value", node.value), LITERALS[type(node.value)])
        case ast.NoneLiteral():
            return Typed(("value", None), NONE)
        case ast.DiceLiteral():
            help = "`roll x = ...` on a line of its own"
            return ctx.error("dice-outside-roll", node, "dice can only be rolled", help)
        case ast.Allowed():
            return calls.check_allowed(ctx, node)
        case ast.ListExpr():
            return expr.check_list(ctx, node, expected)
        case ast.IsNone():
            return expr.check_is_none(ctx, node)
        case ast.IfElse():
            return expr.check_if_else(ctx, node, expected)
        case ast.Aggregate():
            return calls.check_aggregate(ctx, node)
        case ast.Unary():
            return expr.check_unary(ctx, node)


FORMS = Forms(check_expr, check_block, calls.arguments)
