"""Runs of assignments of one value, as one step."""

from __future__ import annotations

from ruleloom.compiler.english.page import Step, Teller
from ruleloom.compiler.english.word import listed
from ruleloom.compiler.syntax import ast


def told_together(teller: Teller, stmts: tuple[ast.Stmt, ...], at: int) -> list[Step] | None:
    """One step for a run of assignments of one value; nothing for all but the first of them."""
    if at and len(_alike(teller, stmts, at - 1)) > 1:
        return []
    run = _alike(teller, stmts, at)
    if len(run) < 2:
        return None
    names = [teller.scene.glossary.scope(one.name.id) for one in run]
    none = run[0].value.value if isinstance(run[0].value, ast.NumberLiteral) else "none"
    return [Step(f"{listed(names)} are now {none}")]


def _alike(teller: Teller, stmts: tuple[ast.Stmt, ...], at: int) -> list[ast.AssignStmt]:
    """The assignments from here on that give variables of the game the same number, or none."""
    run: list[ast.AssignStmt] = []
    for stmt in stmts[at:]:
        match stmt:
            case ast.AssignStmt(name=name, value=ast.NumberLiteral() | ast.NoneLiteral() as value):
                same = not run or _number(run[0].value) == _number(value)
                if name.id in teller.scene.glossary.symbols.scope and same:
                    run.append(stmt)
                    continue
        break
    return run


def _number(value: ast.Expr) -> object:
    return value.value if isinstance(value, ast.NumberLiteral) else None
