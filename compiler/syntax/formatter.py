"""The canonical form of effect text: four spaces per level, single spaces, lines of 100 columns.

Formatting keeps every token, every comment and the tree, and is idempotent. A line is broken only
inside brackets, where line ends have no meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.syntax.lexer import LAYOUT, Comment, Tok
from ruleloom.compiler.syntax.parser import read_block

_NO_SPACE_AFTER = frozenset("([")
_NO_SPACE_BEFORE = frozenset(")],:?")
_CALLED = frozenset(["NAME", "COUNT", "EXISTS", "EVERY", "THOSE", "SUM", "HIGHEST", "LOWEST"])
_BREAK_BEFORE = frozenset(["AND", "OR", "WHERE", "FOR", "IF", "ELSE"])
INDENT = 4
WIDTH = 100


def join(tokens: Sequence[Tok]) -> str:
    """Return tokens on one line."""
    parts: list[str] = []
    before: Tok | None = None
    for token in tokens:
        if before is not None and not (
            before.value in _NO_SPACE_AFTER
            or token.value in _NO_SPACE_BEFORE
            or before.type == "NEGATIVE"
            or (token.value == "(" and before.type in _CALLED)
        ):
            parts.append(" ")
        parts.append(token.value)
        before = token
    return "".join(parts)


def fold(tokens: list[Tok], column: int, width: int, step: int, inside: bool = False) -> list[str]:
    """Return tokens as lines from `column` on, broken inside brackets to fit `width`."""
    line = " " * column + join(tokens)
    if len(line) <= width:
        return [line]
    if inside:
        pieces = _split(tokens, _BREAK_BEFORE)
        if len(pieces) > 1:
            return [line for piece in pieces for line in fold(piece, column, width, step)]
    opening, closing = _longest_bracket(tokens)
    if opening == closing:
        return [line]
    lines = fold(tokens[: opening + 1], column, width, step)
    content = tokens[opening + 1 : closing]
    fits = column + step + len(join(content)) <= width
    for item in [content] if fits else _split(content, frozenset(["COMMA"])):
        lines += fold(item, column + step, width, step, inside=True)
    return lines + fold(tokens[closing:], column, width, step)


def _split(tokens: list[Tok], kinds: frozenset[str]) -> list[list[Tok]]:
    """Split at tokens outside of brackets: after commas, before others."""
    pieces: list[list[Tok]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.value in ("(", "[")) - (token.value in (")", "]"))
        here = depth == 0 and token.type in kinds
        if here and token.value != "," and pieces[-1]:
            pieces.append([])
        pieces[-1].append(token)
        if here and token.value == ",":
            pieces.append([])
    return [piece for piece in pieces if piece]


def _longest_bracket(tokens: list[Tok]) -> tuple[int, int]:
    """Return the indexes of the longest outermost pair of brackets, or (0, 0)."""
    best, length = (0, 0), 0
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if token.value in ("(", "["):
            stack.append(at)
        elif token.value in (")", "]") and stack:
            opening = stack.pop()
            content = sum(len(inner.value) + 1 for inner in tokens[opening:at])
            if not stack and at > opening + 1 and content > length:
                best, length = (opening, at), content
    return best


class TextLayout:
    """Collects the lines of the canonical form of one text."""

    def __init__(self, text: str, comments: list[Comment], indent: int, width: int) -> None:
        self.text = text
        self.comments = comments[::-1]  # the next one last
        self.indent = indent
        self.width = width
        self.columns: list[int] = []  # of each open block in the source
        self.before: list[int] = []  # the same, on the line before
        self.lines: list[str] = []
        self.end = 0  # where the source of the last line ended
        self.opened = True  # whether the last line begins a block: no blank line may follow

    def run(self, tokens: list[Tok]) -> str:
        """Return the canonical text."""
        start = 0
        for at, token in enumerate(tokens):
            if token.type == "NEWLINE":
                self.line(tokens, start, at)
                start = at + 1
            elif token.type in LAYOUT:
                if token.type == "INDENT":
                    self.columns.append(self.column(token.span[0]))
                    self.opened = True
                else:
                    self.columns.pop()
                start = at + 1
            elif not self.columns:
                self.columns.append(self.column(token.span[0]))
        self.leading(len(tokens))
        return "\n".join(self.lines) + "\n"

    def column(self, at: int) -> int:
        """Return the column of an offset, from 0 on."""
        return at - (self.text.rfind("\n", 0, at) + 1)

    def line(self, tokens: list[Tok], start: int, end: int) -> None:
        """Lay out the statement, or the header of one, with the tokens `start` to `end`."""
        self.leading(start)
        column = (len(self.columns) - 1) * self.indent
        self.gap(tokens[start].span[0])
        trailing = ""
        while self.comments and self.comments[-1].before <= end:
            comment = self.comments.pop()
            if comment.before == end:
                trailing = f"  {comment.text}"
            else:  # within a broken line: it can only go above
                self.lines.append(" " * column + comment.text)
            self.end = comment.span[1]
        self.lines += fold(tokens[start:end], column, self.width, self.indent)
        self.lines[-1] += trailing
        self.end = max(self.end, tokens[end - 1].span[1])
        self.before = self.columns.copy()

    def leading(self, start: int) -> None:
        """Put the comments on lines of their own above the token at `start`."""
        while self.comments and self.comments[-1].before <= start:
            comment = self.comments.pop()
            self.gap(comment.span[0])
            self.lines.append(" " * (self.depth(comment) * self.indent) + comment.text)
            self.end = comment.span[1]

    def depth(self, comment: Comment) -> int:
        """Return the block depth of a comment: that of its next line, or of a block ending here."""
        column = self.column(comment.span[0])
        for depth in range(len(self.before) - 1, len(self.columns) - 1, -1):
            if self.before[depth] <= column:
                return depth
        return len(self.columns) - 1

    def gap(self, start: int) -> None:
        """Keep one blank line if the source has any."""
        if not self.opened and self.text.count("\n", self.end, start) > 1:
            self.lines.append("")
        self.opened = False


def format_text(text: str, indent: int = INDENT, width: int = WIDTH, start: str = "block") -> str:
    """Return a text in canonical form, with its comments. Raises `EffectSyntaxError`.

    `start` is its form: a `block` of statements, or `abilities`.
    """
    tokens, comments = read_block(text, start)
    return TextLayout(text, comments, indent, width).run(tokens)
