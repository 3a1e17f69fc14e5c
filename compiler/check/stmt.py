"""Checks and lowers the statements of a block, each by the function for its form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ruleloom.compiler.check import asking as choices
from ruleloom.compiler.check import chance
from ruleloom.compiler.check import changing as actions
from ruleloom.compiler.check import changing as assign
from ruleloom.compiler.check import lasting as lasting_statements
from ruleloom.compiler.check import steering as control
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk

FORMS: dict[type[ast.Stmt], Callable[[Context, Any], None]] = {
    ast.ChooseStmt: choices.check_choose,
    ast.ChooseOneStmt: choices.check_choose_one,
    ast.OptionalStmt: choices.check_optional,
    ast.SecretlyStmt: choices.check_secretly,
    ast.AskStmt: choices.check_ask,
    ast.RollStmt: chance.check_roll,
    ast.DrawStmt: chance.check_draw,
    ast.LookStmt: chance.check_look,
    ast.PutStmt: chance.check_put,
    ast.ShowStmt: chance.check_show,
    ast.LetStmt: assign.check_let,
    ast.AssignStmt: assign.check_assign,
    ast.AddStmt: assign.check_add,
    ast.OperateStmt: actions.check_operate,
    ast.IdleMoment: actions.check_idle_moment,
    ast.UseStmt: actions.check_use,
    ast.UsePowerStmt: actions.check_use_power,
    ast.IfStmt: control.check_branch,
    ast.ForEachStmt: control.check_for_each,
    ast.RepeatStmt: control.check_repeat,
    ast.RepeatUntilStmt: control.check_repeat_until,
    ast.StopStmt: control.check_stop,
    ast.EnsureStmt: control.check_ensure,
    ast.IgnoringStmt: control.check_ignoring,
    ast.KeepingStmt: control.check_keeping,
    ast.CombinableStmt: choices.check_combinable,
    ast.SayStmt: actions.check_say,
    ast.TellStmt: actions.check_tell,
    ast.BeginStmt: lasting_statements.check_begin,
    ast.EndStmt: lasting_statements.check_end,
    ast.ProlongStmt: lasting_statements.check_prolong,
    ast.LaterStmt: lasting_statements.check_later,
    ast.RunOut: lasting_statements.check_run_out,
    ast.FinishStmt: actions.check_finish,
    ast.RankStmt: actions.check_rank,
}


def check_block(ctx: Context, statements: Sequence[ast.Stmt]) -> None:
    """Check the statements of a block in order, with a warning at the first unreachable one."""
    warned = ctx.flow.ended
    for above, statement in pairwise(statements):
        if _gives_anew(ctx, above, statement):
            message = "the line above gives the same, and nothing reads it before it is given anew"
            ctx.warn("never-read", statement, message, "delete one of the two, or its `giving`")
    for statement in statements:
        if ctx.flow.ended and not warned:
            ctx.warn("unreachable", statement, "nothing ever gets here", "delete it, or move it up")
            warned = True
        ctx.before = frozenset(ctx.flow.visible)
        FORMS[type(statement)](ctx, statement)


def _gives_anew(ctx: Context, above: ast.Stmt, statement: ast.Stmt) -> bool:
    """Is this line the one above once more, with a result that is lost?"""
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
