"""Checks and lowers the statements of a block, each by the function for its form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from compiler.changes import check_add, check_assign, check_let
from compiler.check_actions import check_finish, check_operate, check_say, check_use, check_use_power
from compiler.check_choices import check_ask, check_choose, check_draw, check_roll, check_secretly
from compiler.check_control import (
    check_branch,
    check_ensure,
    check_for_each,
    check_ignoring,
    check_repeat,
    check_repeat_until,
    check_stop,
)
from compiler.check_modes import check_choose_one, check_combinable, check_optional
from compiler.context import Context
from compiler.effect import tree

FORMS: dict[type[tree.Stmt], Callable[[Context, Any], None]] = {
    tree.Choose: check_choose,
    tree.ChooseOne: check_choose_one,
    tree.Optional: check_optional,
    tree.Secretly: check_secretly,
    tree.Ask: check_ask,
    tree.Roll: check_roll,
    tree.Draw: check_draw,
    tree.Let: check_let,
    tree.Assign: check_assign,
    tree.Add: check_add,
    tree.Operate: check_operate,
    tree.Use: check_use,
    tree.UsePower: check_use_power,
    tree.Branch: check_branch,
    tree.ForEach: check_for_each,
    tree.Repeat: check_repeat,
    tree.RepeatUntil: check_repeat_until,
    tree.Stop: check_stop,
    tree.Ensure: check_ensure,
    tree.Ignoring: check_ignoring,
    tree.Combinable: check_combinable,
    tree.Say: check_say,
    tree.Finish: check_finish,
}


def check_block(ctx: Context, statements: Sequence[tree.Stmt]) -> None:
    """Check the statements of a block in order; the first that can never be reached is pointed out."""
    told = ctx.flow.ended
    for statement in statements:
        if ctx.flow.ended and not told:
            ctx.warn("unreachable", statement, "nothing ever gets here", "delete it, or move it up")
            told = True
        FORMS[type(statement)](ctx, statement)
