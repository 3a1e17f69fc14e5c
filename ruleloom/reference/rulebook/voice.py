"""One rendering of all texts of a game, with the marks that were set before.

What only keeps the books is left out: variables of the game that are emptied again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_not
from typing import Any

from ruleloom.compiler.english import item_text
from ruleloom.compiler.english.ability_text import lines as ability_lines
from ruleloom.compiler.english.page import Step, StepPart, numbered
from ruleloom.compiler.english.rules_text import Book, Effects
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.reference.rulebook.marks import TextMarks


class Voice:
    """One rendering of all texts, with the marks that were set before."""

    def __init__(
        self,
        content: Content,
        named: tuple[Symbols, Effects],
        marks: TextMarks,
        kinds: Sequence[str],
    ) -> None:
        symbols, effects = named
        self.symbols = replace(
            symbols,
            powers=marks.marked(symbols.powers, kinds),
            fusions=marks.marked(symbols.fusions, kinds),
            callables=marks.marked(symbols.callables, kinds),
        )
        self.book = Book(content, self.symbols, effects)

    def steps(self, item: Item) -> tuple[list[str], tuple[str, ...]]:
        """The numbered lines of an item, and the names of what they use."""
        effect = self.book.effect(item) if item.kind != "lasting" else None
        if effect is None:
            return [], ()
        teller = self.book.teller(item, full=True)
        head = item_text.event_text(item, teller) if item.kind == "trigger" else ""
        if item.kind == "trigger" and not head:
            return [], ()
        steps = render_steps(teller, without_bookkeeping(tuple(effect), self.symbols))
        if head:
            steps = (Step(head, (StepPart("", steps),)),)
        return numbered(steps), tuple(teller.used)

    def passive(self, item: Item) -> tuple[list[str], tuple[str, ...]]:
        """What an item does without being used, and the names of what that uses."""
        teller = self.book.teller(item, full=False)
        return ability_lines(self.book.numbers.steps(item, teller)), tuple(teller.used)


def without_bookkeeping(statements: tuple[ast.Stmt, ...], symbols: Symbols) -> tuple[ast.Stmt, ...]:
    """The same text without the statements that say no more than that something is over."""
    kept: tuple[ast.Stmt, ...] = _kept(statements, symbols)
    return kept or statements


def _kept(node: Any, symbols: Symbols) -> Any:
    """A node without what empties variables: itself where there is nothing to take out, as menus are
    known by their nodes; these stay as they are."""
    if isinstance(node, tuple):
        return _kept_of(node, symbols)
    if not isinstance(node, ast.SyntaxNode) or _is_menu(node):
        return node
    fields = [getattr(node, field) for field in node.__match_args__]
    kept = [_kept(field, symbols) for field in fields]
    return type(node)(*kept) if any(map(is_not, kept, fields)) else node


def _kept_of(nodes: tuple[Any, ...], symbols: Symbols) -> tuple[Any, ...]:
    rest = tuple(_kept(one, symbols) for one in nodes if not _empties(one, symbols))
    return rest if any(map(is_not, rest, nodes)) or len(rest) < len(nodes) else nodes


def _is_menu(node: ast.SyntaxNode) -> bool:
    return isinstance(node, ast.ChooseOneStmt) and node.menu is not None


def _empties(node: Any, symbols: Symbols) -> bool:
    """Does a statement set a variable of the game to none, or to an empty list?"""
    match node:
        case ast.AssignStmt(
            name=ast.Name(id=name), value=ast.NoneLiteral() | ast.ListExpr(items=())
        ):
            return name in symbols.scope
    return False
