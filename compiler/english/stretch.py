"""What a stretch of effect text mentions, sets, changes and asks."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import holes, walk

# -------------------------------------------------------------------- what a stretch of text does


def counted(node: object, name: str) -> int:
    """The number of mentions of a name in a tree."""
    names = (
        part
        for one in walk(node)
        for part in (holes(one) if isinstance(one, ast.TextLiteral) else (one,))
    )
    return sum(isinstance(one, ast.Name) and one.id == name for one in names)


def told_of(block: tuple[ast.Stmt, ...], name: str) -> bool:
    """Whether a block mentions a name outside of the prompts of choices."""
    prompts = 0
    for one in walk(block):
        match one:
            case ast.ChooseStmt(domain=ast.ListExpr(items=items)) if all(
                isinstance(item, ast.BoolLiteral) for item in items
            ):
                continue  # a question of yes or no
            case ast.ChooseStmt(prompt=prompt):
                prompts += counted(prompt, name)
    return counted(block, name) > prompts


def is_set(node: object, name: str) -> bool:
    """Whether a tree assigns a new value to a variable."""
    targets = (
        one.name if isinstance(one, ast.AssignStmt | ast.AddStmt) else getattr(one, "giving", None)
        for one in walk(node)
    )
    return any(target is not None and target.id == name for target in targets)


_CHANGES = (
    *(ast.OperateStmt, ast.UseStmt, ast.UsePowerStmt, ast.DrawStmt, ast.PutStmt),
    *(ast.CombinableStmt, ast.AssignStmt, ast.AddStmt),
)
_ASKS = (
    *(ast.ChooseStmt, ast.ChooseOneStmt, ast.OptionalStmt, ast.SecretlyStmt, ast.AskStmt),
    *(ast.RollStmt, ast.DrawStmt, ast.LookStmt, ast.CombinableStmt),
)


def stays(name: str, following: tuple[ast.Stmt, ...]) -> bool:
    """Whether a name is used only before anything changes, so that its value can be inlined."""
    for at, stmt in enumerate(following):
        if counted(stmt, name):
            if isinstance(stmt, ast.ForEachStmt | ast.RepeatStmt | ast.RepeatUntilStmt):
                return False
            # Within this statement, too, nothing may change before the name is used.
            within = all(stays(name, body) for body in _bodies(stmt) if counted(body, name))
            return within and not counted(following[at + 1 :], name)
        if any(isinstance(one, _CHANGES) for one in walk(stmt)):
            return False
    return True


def _bodies(stmt: ast.Stmt) -> list[tuple[ast.Stmt, ...]]:
    if isinstance(stmt, ast.IfStmt):
        return [*(body for _, body in stmt.arms), stmt.otherwise]
    return [getattr(stmt, "body", ())]


def asked(node: Any, by: str) -> Any:
    """The tree with `by` added to prompts: in abilities, the acting player is not `you`."""
    if isinstance(node, tuple):
        return tuple(asked(one, by) for one in node)
    if not isinstance(node, ast.Stmt | ast.ModeClause):
        return node
    parts = {one.name: asked(getattr(node, one.name), by) for one in fields(node)}
    if "by" in parts and parts["by"] is None:
        parts["by"] = ast.Name(node.span, by)
    return type(node)(**parts)


def asks(node: object) -> bool:
    """Whether a tree contains a prompt, a roll or a draw."""
    return any(isinstance(one, _ASKS) for one in walk(node))
