"""From effect text to syntax trees; a text that is none raises one `EffectSyntaxError`.

The parser is Lark's LALR over grammar.lark, fed with our own tokens (lexer.py) and building our own nodes
(build.py) as it goes; there is no tree of Lark's in between.
"""

from __future__ import annotations

from typing import Any

from lark.exceptions import UnexpectedToken

from compiler.effect.lexer import Lexer
from compiler.effect.mistakes import explain
from compiler.effect.tables import load_parser
from compiler.effect.tree import Call, Expr, Param, Stmt
from compiler.effect.words import RESERVED, Comment, EffectSyntaxError, Tok

__all__ = [
    "RESERVED",
    "EffectSyntaxError",
    "parse_block",
    "parse_event",
    "parse_expr",
    "parse_params",
    "parse_result",
    "read_block",
]

_PARSER, _FIXED, _PATTERNS = load_parser()
_LEXER = Lexer(_FIXED, _PATTERNS)


def parse_block(text: str) -> tuple[Stmt, ...]:
    """Return the statements of an effect."""
    return _parse(text, "block")  # type: ignore[no-any-return]


def parse_expr(text: str) -> Expr:
    """Return a single expression, as in `where:` of a trigger."""
    return _parse(text, "one_expr")  # type: ignore[no-any-return]


def parse_params(text: str) -> tuple[Param, ...]:
    """Return the parameters of `takes:`, such as `victim: Piece, least: Int = 1`."""
    return tuple(_parse(text, "all_params")) if text.strip() else ()


def parse_result(text: str) -> Param:
    """Return the one of `gives:`, such as `piece: Piece`."""
    return _parse(text, "result")  # type: ignore[no-any-return]


def parse_event(text: str) -> Call:
    """Return the event of a trigger, such as `touched(piece)`, with plain names as arguments."""
    return _parse(text, "event")  # type: ignore[no-any-return]


def read_block(text: str) -> tuple[list[Tok], list[Comment]]:
    """Return the tokens and comments of an effect that parses; words used as names are `NAME` there."""
    comments: list[Comment] = []
    tokens = _LEXER.tokens(text, comments)
    _feed(text, tokens, "block")
    return tokens, comments


def _parse(text: str, start: str) -> Any:
    return _feed(text, _LEXER.tokens(text), start)


def _feed(text: str, tokens: list[Tok], start: str) -> Any:
    try:
        return _PARSER.parse(tokens, start)
    except UnexpectedToken as error:
        raise explain(text, tokens, error, start, _FIXED) from None
