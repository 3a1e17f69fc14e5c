"""The canonical form of effect text: four spaces a level, single spaces, a hundred characters a line.

Formatting keeps the tree and every comment, and does nothing the second time.
"""

from __future__ import annotations

from compiler.effect.layout import Layout
from compiler.effect.parse import read_block
from compiler.effect.tree import Expr, Param, Stmt
from compiler.effect.write import write_block, write_expr, write_params

INDENT = 4
WIDTH = 100


def format_text(text: str, indent: int = INDENT, width: int = WIDTH, start: str = "block") -> str:
    """Return a text in canonical form, with its comments; raise `EffectSyntaxError` if it does not parse.

    `start` is what it is: a `block` of statements, or `abilities`.
    """
    tokens, comments = read_block(text, start)
    return Layout(text, comments, indent, width).run(tokens)


def format_block(stmts: tuple[Stmt, ...], indent: int = INDENT, width: int = WIDTH) -> str:
    """Return the canonical text of statements."""
    return format_text(write_block(stmts), indent, width)


def format_expr(expr: Expr) -> str:
    """Return the text of an expression, on one line."""
    return write_expr(expr)


def format_params(params: tuple[Param, ...]) -> str:
    """Return the text of parameters, as in `takes:`."""
    return write_params(params)
