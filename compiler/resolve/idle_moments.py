"""Idle moments: those that nothing answers are checked where they stand, and leave no trace.

They are marked in the tree, so that a variable that only answers could change keeps its bounds, and
rules texts read as if the moment were not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.memo import OVERHEAD, Memo
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import index_of, nodes_of, rebuilt

Statements = tuple[ast.Stmt, ...]


# Marked trees with what they were made of, by that and where it was idle: they are compared with
# those of earlier compilations, and so stay the same ones.
MARKED: Memo[tuple[Statements, Statements]] = Memo(5_000 * OVERHEAD)


def idle_moments(symbols: Symbols) -> dict[str, Signature]:
    """The moments that nothing answers, by name."""
    moments = (one for one in symbols.operations.values() if one.kind == "moment")
    return {one.name: one for one in moments if one.name not in symbols.answered}


def with_idle_marked(statements: Statements, idle: Mapping[str, Signature]) -> Statements:
    """The same tree with a node of its own for each idle moment that gives back its own value."""
    operations = index_of(statements).fact("operations", _operations)
    named = (one for name in operations.keys() & idle.keys() for one in operations[name])
    places = tuple(sorted(one.span for one in named if _is_idle(one, idle)))
    if not places:
        return statements
    return MARKED.get((id(statements), places), 0, lambda: (statements, _marked(statements, idle)))[
        1
    ]


def _operations(statements: Statements) -> dict[str, list[ast.OperateStmt]]:
    found: dict[str, list[ast.OperateStmt]] = {}
    for one in nodes_of(statements, ast.OperateStmt):
        found.setdefault(one.call.name.id, []).append(one)
    return found


def without_idle(statements: Statements) -> Statements:
    """The same tree without idle moments, where others stand beside them."""
    if not any(nodes_of(statements, ast.IdleMoment)):
        return statements
    spoken: Statements = _spoken(statements)
    return spoken


def _marked(node: Any, idle: Mapping[str, Signature]) -> Any:
    if isinstance(node, ast.OperateStmt) and _is_idle(node, idle):
        return ast.IdleMoment(node.span, node.call, node.giving)
    return rebuilt(node, lambda one, _: _marked(one, idle))


def _is_idle(node: ast.OperateStmt, idle: Mapping[str, Signature]) -> bool:
    moment = idle.get(node.call.name.id)
    if moment is None or not moment.open:
        return moment is not None and node.giving is None
    args = node.call.args
    told = [arg.value for arg in args if arg.label == moment.open]
    told = told or [arg.value for arg in args[moment.open_place :][:1] if arg.label is None]
    return node.giving is not None and told == [node.giving]


def _spoken(node: Any) -> Any:
    if isinstance(node, tuple):
        node = tuple(one for one in node if not isinstance(one, ast.IdleMoment)) or node
    return rebuilt(node, lambda one, _: _spoken(one))
