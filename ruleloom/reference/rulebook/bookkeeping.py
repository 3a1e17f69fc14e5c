"""Takes out of a text what only keeps the books: variables of the game that are emptied again."""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast


def without_bookkeeping(statements: tuple[ast.Stmt, ...], symbols: Symbols) -> tuple[ast.Stmt, ...]:
    """The same text without the statements that say no more than that something is over."""
    kept: tuple[ast.Stmt, ...] = _kept(statements, symbols)
    return kept or statements


def _kept(node: Any, symbols: Symbols) -> Any:
    if isinstance(node, tuple):
        rest = (one for one in node if not _empties(one, symbols))
        return tuple(_kept(one, symbols) for one in rest)
    if not isinstance(node, ast.SyntaxNode):
        return node
    return type(node)(*(_kept(getattr(node, field), symbols) for field in node.__match_args__))


def _empties(node: Any, symbols: Symbols) -> bool:
    """Does a statement set a variable of the game to none, or to an empty list?"""
    match node:
        case ast.AssignStmt(
            name=ast.Name(id=name), value=ast.NoneLiteral() | ast.ListExpr(items=())
        ):
            return name in symbols.scope
    return False
