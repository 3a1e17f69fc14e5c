"""Tokens of effect text, its one error class, and the caps on texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ruleloom.compiler.syntax.ast import Span
from ruleloom.runtime.dataclass import dataclass

# Caps on one text. They bound the work and the depth of the tree, so that no later pass, all of
# which walk the tree by recursion, can be driven into the ground by a file from a stranger.
LONGEST_TEXT = 32_768
DEEPEST = 64  # blocks and brackets around one place, together
MOST_OPERATORS = 100  # in one statement or expression

# A name as an id has it, which texts write with `_`.
DASHED = re.compile(r"[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+")

LAYOUT = frozenset(["NEWLINE", "INDENT", "DEDENT"])

# No name may be one of these; every other word of the grammar is a keyword only where one is due.
RESERVED = frozenset(
    [
        *("and", "or", "not", "in", "is", "none", "yes", "no", "if", "elif", "else", "for"),
        *("where", "allowed", "count", "exists", "every", "those", "sum", "highest", "lowest"),
        *("div", "mod", "choose", "from", "each", "let", "set", "add", "remove", "use", "giving"),
        *("stop", "ensure", "say", "finish", "optional", "repeat", "until", "as", "when"),
        *("ignoring", "combinable", "ask"),
    ]
)


class EffectSyntaxError(Exception):
    """A mistake in a text: its place, an author's words for it, and the text to type instead."""

    usual_code = "syntax"

    def __init__(self, span: Span, message: str, help: str | None = None, code: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.help = help
        self.code = code or self.usual_code


class Unclosed(EffectSyntaxError):
    """A bracket never closed: the parser trips over the next line long before the lexer knows."""


@dataclass(slots=True, eq=False)
class Tok:
    """One token: the kind the grammar knows it by, its text, and where it stands.

    Not a frozen class: those take longer to make, and a short text has sixty tokens. The `value` of
    a `MISTAKE` is the error to raise should the parser get that far.
    """

    # Lark copies these from the last token to its own end token; nothing reads them.
    start_pos = end_pos = line = column = end_line = end_column = 0

    type: str
    value: Any
    span: Span


@dataclass(slots=True, eq=False)
class Comment:
    """A `#` comment: its text, its place, and the number of tokens before it."""

    text: str
    span: Span
    before: int


def open_brackets(tokens: Sequence[Tok]) -> list[int]:
    """The places among these tokens of brackets that nothing closes, outermost first."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.type in ("LPAR", "LSQB"):
            opened.append(at)
        elif token.type in ("RPAR", "RSQB") and opened:
            opened.pop()
    return opened
