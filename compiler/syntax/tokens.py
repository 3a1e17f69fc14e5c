"""Tokens of effect text, its one error class, and the caps on what is read."""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.syntax.ast import Span

# Caps on one text. They bound the work and the depth of the tree, so that no later pass, all of
# which walk the tree by recursion, can be driven into the ground by a file from a stranger.
LONGEST_TEXT = 32_768
DEEPEST = 64  # blocks and brackets around one place, together
MOST_OPERATORS = 100  # in one statement or expression


# No name may be one of these; every other word of the grammar is a keyword only where one is due.
RESERVED = frozenset(
    [
        *("and", "or", "not", "in", "is", "none", "yes", "no", "if", "elif", "else", "for"),
        *("div", "mod"),
        *("where", "allowed", "count", "exists", "every", "those", "sum", "highest", "lowest"),
        *("choose", "from", "each", "let", "set", "add", "remove", "use", "giving", "stop"),
        *("ensure", "say"),
        *("finish", "optional", "repeat", "until", "as", "when", "ignoring", "combinable", "ask"),
    ]
)


class EffectSyntaxError(Exception):
    """What is wrong with a text: where, in an author's words, and what to type instead."""

    def __init__(
        self, span: Span, message: str, help: str | None = None, code: str = "syntax"
    ) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.help = help
        self.code = code


class Unclosed(EffectSyntaxError):
    """A bracket never closed: the parser trips over the next line long before the lexer knows."""


class Tok:
    """One token: the kind the grammar knows it by, its text, and where it stands.

    A plain class, since a text of sixty tokens makes sixty of them on the hot path of `check`.
    `value` of a `MISTAKE` is the error to raise should the parser get that far.
    """

    __slots__ = ("span", "type", "value")

    # Lark copies these from the last token to its own end token; nobody reads them.
    start_pos = end_pos = line = column = end_line = end_column = 0

    def __init__(self, type: str, value: Any, span: Span) -> None:
        self.type = type
        self.value = value
        self.span = span

    def __repr__(self) -> str:
        return f"Tok({self.type}, {self.value!r}, {self.span})"


class Comment:
    """A `#` comment: its text, its place, and the number of tokens before it."""

    __slots__ = ("before", "own_line", "span", "text")

    def __init__(self, text: str, span: Span, own_line: bool, before: int) -> None:
        self.text = text
        self.span = span
        self.own_line = own_line
        self.before = before
