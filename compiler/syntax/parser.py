"""From effect text to syntax trees; what does not parse raises one `EffectSyntaxError`.

Lark's LALR tables of grammar.lark are run (lalr.py) over our own tokens (lexer.py) and build our own
nodes (build_expr.py, build_stmt.py) as they go; there is no tree of tokens in between. A tree depends
on its text alone, so the trees of the latest texts are kept: a text is parsed for its checks, for
its English, and again with every pack on top of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ruleloom.compiler.source.memo import Memo
from ruleloom.compiler.syntax.ast import Ability, CallExpr, Expr, Param, Stmt, When
from ruleloom.compiler.syntax.errors import explain
from ruleloom.compiler.syntax.lalr import Unexpected, load_parser
from ruleloom.compiler.syntax.lexer import Lexer
from ruleloom.compiler.syntax.steps import NamedStep, steps_in
from ruleloom.compiler.syntax.tokens import (
    LAYOUT,
    Comment,
    EffectSyntaxError,
    Tok,
    open_brackets,
)
from ruleloom.compiler.syntax.tree_walk import TreeIndex, index_of, with_index
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class ParsedText:
    """The tree of a text, and the index of a tree that passes go through."""

    tree: Any
    index: TreeIndex | None


MOST_KEPT = 1_000_000  # characters of text, some 25 MB of trees; all shipped games have 240,000

_PARSER = load_parser()
_LEXER = Lexer(_PARSER.fixed, _PARSER.patterns)
TREES: Memo[ParsedText] = Memo(MOST_KEPT)
"""The trees of the latest texts, by the kind of text and its words."""
FIXED: Mapping[str, str] = _PARSER.fixed
"""The words and marks of the language, by their kind of token."""


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


PARSERS: Mapping[str, Callable[[str], Any]] = {
    "block": parse_block,
    "abilities": parse_abilities,
    "expr": parse_expr,
    "params": parse_params,
    "result": parse_result,
    "event": parse_event,
    "occurrence": parse_occurrence,
}
"""The parser of each form of effect text."""
STARTS = {form: form for form in PARSERS} | {"expr": "one_expr", "params": "all_params"}
"""The start symbol of each form in the grammar."""


def read_block(text: str, start: str = "block") -> tuple[list[Tok], list[Comment]]:
    """Return tokens and comments of a text that parses; words used as names are `NAME`."""
    comments: list[Comment] = []
    tokens = _LEXER.tokens(text, comments)
    _feed(text, tokens, start)
    return tokens, comments


def read_steps(text: str, start: str = "block") -> tuple[NamedStep, ...]:
    """Return the steps of a text that parses."""
    return steps_in(text, read_block(text, start)[0])


def open_tokens(text: str) -> list[Tok]:
    """Return the tokens of a text up to its first mistake, whether or not it is complete."""
    return _LEXER.open_tokens(text)


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """A text up to where somebody writes: its tokens, those that do not fit left out.

    `accepted` are the kinds of token that may come next, `stack` is the way of the parser.
    """

    tokens: tuple[Tok, ...]
    accepted: frozenset[str]
    stack: tuple[int, ...]


def read_open(text: str, start: str = "block") -> BrokenOff:
    """Read a text that breaks off where somebody writes; lines above that do not fit are passed over."""
    tokens, fitting = _open(text, start)
    while len(fitting) < len(tokens):
        # A bracket that nobody closes swallows the lines below, if its own line makes no sense.
        opened = _unclosed_above(tokens, text)
        if opened is None:
            break
        begin = text.rfind("\n", 0, opened) + 1
        end = text.find("\n", opened)
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
        tokens, fitting = _open(text, start)
    tokens = fitting
    stack, _ = _PARSER.reached([token.type for token in tokens], start)
    return BrokenOff(tuple(tokens), _PARSER.accepts(stack), tuple(stack))


def _open(text: str, start: str) -> tuple[list[Tok], list[Tok]]:
    """The tokens of a text that breaks off, and those of them that fit."""
    line = text.rstrip(" ")
    tokens = _LEXER.open_tokens(text)
    if not line or line.endswith("\n"):
        # The lexer sees in which block a new line stands only once something stands on it.
        tokens = _LEXER.open_tokens(f"{text}{OPEN_END}")
        if tokens and tokens[-1].value == OPEN_END:
            tokens.pop()
    return tokens, _fitting(tokens, start)


def _unclosed_above(tokens: list[Tok], text: str) -> int | None:
    """The offset of a bracket that is still open, on a line above the last one."""
    opened = (tokens[at].span[0] for at in open_brackets(tokens))
    return next((at for at in opened if "\n" in text[at:]), None)


def finished(read: BrokenOff, name: str, start: str = "block") -> Any:
    """The tree of a text that breaks off, with `name` where somebody writes, ended as shortly as
    can be; None if no name may stand there."""
    end = read.tokens[-1].span[1] + 1 if read.tokens else 0
    here = Tok("NAME", name, (end, end + len(name)))
    stack, count = _PARSER.reached([*(token.type for token in read.tokens), "NAME"], start)
    if count <= len(read.tokens):
        return None
    ending = _ending(tuple(stack))
    if ending is None:
        return None
    behind = (here.span[1], here.span[1])
    closing = [Tok(kind, FILLERS.get(kind, ""), behind) for kind in ending]
    try:
        tree = _PARSER.parse([*read.tokens, here, *closing], start)
        return tuple(tree) if isinstance(tree, list) else tree
    except (Unexpected, EffectSyntaxError):
        return None


@lru_cache(maxsize=1_000)
def _ending(stack: tuple[int, ...]) -> tuple[str, ...] | None:
    """The shortest ending after a way of the parser: while a word grows, it is the same."""
    found = _PARSER.ending(stack, ENDINGS, LONGEST_ENDING)
    return tuple(found) if found is not None else None


# What may end a text, in the order of preference, and what stands there then.
ENDINGS = (
    *("NEWLINE", "RPAR", "RSQB", "DEDENT", "COLON", "STOP", "STRING", "NUMBER", "NAME", "INDENT"),
    *("FROM", "EQUAL", "BY", "TO", "IN", "TIMES", "ELSE", "LPAR", "AS", "FOR", "TEXT", "OF"),
    *("ON", "TOP", "AT", "MOST", "SECRETLY", "CHOOSE", "WHERE"),
)
FILLERS = {"STOP": "stop", "STRING": '""', "NUMBER": "1", "NAME": "anything"}
LONGEST_ENDING = 12
OPEN_END = "x"


def _fitting(tokens: list[Tok], start: str) -> list[Tok]:
    """The tokens without those lines, but for the last one, that do not fit where they stand."""
    while True:
        kinds = [token.type for token in tokens]
        _, count = _PARSER.reached(kinds, start)
        last = max((at for at, kind in enumerate(kinds) if kind == "NEWLINE"), default=-1)
        if count == len(tokens) or count > last:
            return tokens[:count]
        begin = max((at for at in range(count) if kinds[at] in LAYOUT), default=-1) + 1
        end = next(at for at in range(count, len(kinds)) if kinds[at] == "NEWLINE") + 1
        tokens = _without_line(tokens, begin, end)


def _without_line(tokens: list[Tok], begin: int, end: int) -> list[Tok]:
    """The tokens without a line; the block that hangs on it stays, as if nothing stood above it."""
    below = tokens[end:]
    if below and below[0].type == "INDENT":
        depth = 0
        for at, token in enumerate(below):
            depth += {"INDENT": 1, "DEDENT": -1}.get(token.type, 0)
            if not depth:
                del below[at]
                break
        del below[0]
    return [*tokens[:begin], *below]


def _parse(text: str, start: str) -> Any:
    found = TREES.get((start, text), len(text), lambda: _parsed(text, start))
    if found.index is not None:
        with_index(found.index)
    return found.tree


def _parsed(text: str, start: str) -> ParsedText:
    tree = _feed(text, _LEXER.tokens(text), start)
    return ParsedText(tree, index_of(tree) if start == "block" else None)


def _feed(text: str, tokens: list[Tok], start: str) -> Any:
    try:
        tree = _PARSER.parse(tokens, start)
        if any(token.type == "STEP" for token in tokens):
            steps_in(text, tokens)  # refuses a name that stands twice
        return tree
    except Unexpected as error:
        accepted = _PARSER.accepts(error.stack)
        raise explain(text, tokens, error.token, accepted, start, _PARSER.fixed) from None
