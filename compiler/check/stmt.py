"""Checks and lowers the statements of a block, each by the function for its form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ruleloom.compiler.check.actions import (
    check_finish,
    check_operate,
    check_say,
    check_tell,
    check_use,
    check_use_power,
)
from ruleloom.compiler.check.assign import check_add, check_assign, check_let
from ruleloom.compiler.check.choices import (
    check_ask,
    check_choose,
    check_choose_one,
    check_combinable,
    check_draw,
    check_optional,
    check_roll,
    check_secretly,
)
from ruleloom.compiler.check.control import (
    check_branch,
    check_ensure,
    check_for_each,
    check_ignoring,
    check_repeat,
    check_repeat_until,
    check_stop,
)
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.syntax import ast

FORMS: dict[type[ast.Stmt], Callable[[Context, Any], None]] = {
    ast.ChooseStmt: check_choose,
    ast.ChooseOneStmt: check_choose_one,
    ast.OptionalStmt: check_optional,
    ast.SecretlyStmt: check_secretly,
    ast.AskStmt: check_ask,
    ast.RollStmt: check_roll,
    ast.DrawStmt: check_draw,
    ast.LetStmt: check_let,
    ast.AssignStmt: check_assign,
    ast.AddStmt: check_add,
    ast.OperateStmt: check_operate,
    ast.UseStmt: check_use,
    ast.UsePowerStmt: check_use_power,
    ast.IfStmt: check_branch,
    ast.ForEachStmt: check_for_each,
    ast.RepeatStmt: check_repeat,
    ast.RepeatUntilStmt: check_repeat_until,
    ast.StopStmt: check_stop,
    ast.EnsureStmt: check_ensure,
    ast.IgnoringStmt: check_ignoring,
    ast.CombinableStmt: check_combinable,
    ast.SayStmt: check_say,
    ast.TellStmt: check_tell,
    ast.FinishStmt: check_finish,
}


def check_block(ctx: Context, statements: Sequence[ast.Stmt]) -> None:
    """Check the statements of a block in order, with a warning at the first unreachable one."""
    warned = ctx.flow.ended
    for statement in statements:
        if ctx.flow.ended and not warned:
            ctx.warn("unreachable", statement, "nothing ever gets here", "delete it, or move it up")
            warned = True
        FORMS[type(statement)](ctx, statement)
