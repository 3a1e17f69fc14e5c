"""From effect text to syntax trees; what does not parse raises one `EffectSyntaxError`.

Lark's LALR tables of grammar.lark are run (lalr.py) over our own tokens (lexer.py) and build our own
nodes (build_expr.py, build_stmt.py) as they go; there is no tree of tokens in between. A tree depends
on its text alone, so the trees of the latest texts are kept: a text is parsed for its checks, for
its English, and again with every pack on top of its own.
"""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.source.memo import Memo
from ruleloom.compiler.syntax.ast import Ability, CallExpr, Expr, Param, Stmt, When
from ruleloom.compiler.syntax.errors import explain
from ruleloom.compiler.syntax.lalr import Unexpected, load_parser
from ruleloom.compiler.syntax.lexer import Lexer
from ruleloom.compiler.syntax.steps import NamedStep, steps_in
from ruleloom.compiler.syntax.tokens import Comment, Tok

MOST_KEPT = 1_000_000  # characters of text, some 25 MB of trees; all shipped games have 240,000

_PARSER = load_parser()
_LEXER = Lexer(_PARSER.fixed, _PARSER.patterns)
_TREES: Memo[Any] = Memo(MOST_KEPT)


def parse_block(text: str) -> tuple[Stmt, ...]:
    """Return the statements of an effect."""
    return _parse(text, "block")  # type: ignore[no-any-return]


def parse_abilities(text: str) -> tuple[Ability, ...]:
    """Return the abilities of an item."""
    return tuple(_parse(text, "abilities"))


def parse_expr(text: str) -> Expr:
    """Return a single expression, as in `where:` of a trigger."""
    return _parse(text, "one_expr")  # type: ignore[no-any-return]


def parse_params(text: str) -> tuple[Param, ...]:
    """Return the parameters of `takes:`, such as `victim: Piece, least: Int = 1`."""
    return tuple(_parse(text, "all_params")) if text.strip() else ()


def parse_result(text: str) -> Param:
    """Return the one of `gives:`, such as `piece: Piece`."""
    return _parse(text, "result")  # type: ignore[no-any-return]


def parse_event(text: str) -> CallExpr:
    """Return the event of a trigger, such as `touched(piece)`, with plain names as arguments."""
    return _parse(text, "event")  # type: ignore[no-any-return]


def parse_occurrence(text: str) -> When:
    """Return when something happens, such as `after turn() where me = self`: without a block."""
    return _parse(text, "occurrence")  # type: ignore[no-any-return]


def read_block(text: str, start: str = "block") -> tuple[list[Tok], list[Comment]]:
    """Return tokens and comments of a text that parses; words used as names are `NAME`."""
    comments: list[Comment] = []
    tokens = _LEXER.tokens(text, comments)
    _feed(text, tokens, start)
    return tokens, comments


def read_steps(text: str, start: str = "block") -> tuple[NamedStep, ...]:
    """Return the steps of a text that parses."""
    return steps_in(text, read_block(text, start)[0])


def _parse(text: str, start: str) -> Any:
    return _TREES.get((start, text), len(text), lambda: _feed(text, _LEXER.tokens(text), start))


def _feed(text: str, tokens: list[Tok], start: str) -> Any:
    try:
        tree = _PARSER.parse(tokens, start)
        if any(token.type == "STEP" for token in tokens):
            steps_in(text, tokens)  # refuses a name that stands twice
        return tree
    except Unexpected as error:
        accepted = _PARSER.accepts(error.stack)
        raise explain(text, tokens, error.token, accepted, start, _PARSER.fixed) from None
