"""From effect text to syntax trees; an invalid text raises one `EffectSyntaxError`.

grammar.lark is run from the LALR tables that Lark has generated, over our own tokens. The tables are
plain data in tables.json: each state maps the kind of the next token to the next state (a number from
0) or to the completed rule (its number, inverted), and the name of a rule's result to the state after
it. Stale tables are generated on the spot, and only then is Lark loaded: that alone takes longer than
to check a small pack. After a change of the grammar, `python -m ruleloom.compiler.syntax.parser` writes
tables.json; nothing else ever does.

A tree depends on its text alone, so the trees of the latest texts are cached: a text is parsed for its
checks, for its English, and again with every pack on top of its own. A tree has no steps: it is the
same as without their names.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import accumulate
from pathlib import Path
from typing import Any

from ruleloom.compiler.source.file import Memo
from ruleloom.compiler.syntax.ast import Ability, CallExpr, Expr, Param, Span, Stmt, When
from ruleloom.compiler.syntax.builder import Builder
from ruleloom.compiler.syntax.errors import explain
from ruleloom.compiler.syntax.lexer import (
    LAYOUT,
    Comment,
    EffectSyntaxError,
    Lexer,
    Tok,
    open_brackets,
)
from ruleloom.compiler.syntax.tree import TreeIndex, index_of, with_index
from ruleloom.runtime.dataclass import Frozen, dataclass

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("tables.json")
END = "$END"
OPENING = frozenset(["LPAR", "LSQB", "INDENT"])

State = dict[str, int]
Rule = tuple[int, str, Callable[[list[Any]], Any]]
MOST_KEPT = 1_000_000  # characters of text, about 25 MB of trees; all shipped games have 240,000
TREES: Memo[ParsedText] = Memo(MOST_KEPT)
"""The cached trees of the latest texts, by start symbol and text."""
# The tokens that may end a text, in order of preference, and their fillers.
ENDINGS = (
    *("NEWLINE", "RPAR", "RSQB", "DEDENT", "COLON", "STOP", "STRING", "NUMBER", "NAME", "INDENT"),
    *("FROM", "EQUAL", "BY", "TO", "IN", "TIMES", "ELSE", "LPAR", "AS", "FOR", "TEXT", "OF"),
    *("ON", "TOP", "AT", "MOST", "SECRETLY", "CHOOSE", "WHERE"),
)
FILLERS = {"STOP": "stop", "STRING": '""', "NUMBER": "1", "NAME": "anything"}
LONGEST_ENDING = 12
OPEN_END = "x"


class Unexpected(Exception):
    """A token that does not fit; `stack` is that of the parser before it, for `Parser.accepts`."""

    def __init__(self, token: Tok, stack: list[int]) -> None:
        super().__init__(token)
        self.token = token
        self.stack = stack


class Parser:
    """The parser of one set of tables. `fixed` and `patterns` are the terminals, by name."""

    def __init__(self, tables: dict[str, Any]) -> None:
        """Take the tables made by `ruleloom.compiler.syntax.tablegen`."""
        builder = Builder()
        self.fixed: dict[str, str] = tables["fixed"]
        self.patterns: dict[str, str] = tables["patterns"]
        self._starts: dict[str, tuple[int, int]] = tables["starts"]
        self._ends = frozenset(last for _, last in self._starts.values())
        self._states: list[State] = tables["states"]
        steps = (state.get(kind) for state in self._states for kind in OPENING)
        self._opened = frozenset(after for after in steps if after is not None)
        self._rules: list[Rule] = [
            (size, made, getattr(builder, name)) for size, made, name in tables["rules"]
        ]

    def parse(self, tokens: Sequence[Tok], start: str) -> Any:
        """Return the builder's tree of the tokens; raise `Unexpected` at a misfit."""
        states, rules = self._states, self._rules
        first, last = self._starts[start]
        stack, values = [first], [None]
        state = states[first]
        for token in (*tokens, Tok(END, "", (0, 0))):
            kind = token.type
            while True:
                action = state.get(kind)
                if action is None:
                    raise Unexpected(token, stack)
                if action >= 0:
                    break
                size, made, build = rules[~action]
                begin = len(stack) - size
                value = build(values[begin:])
                del stack[begin:], values[begin:]
                action = states[stack[-1]][made]
                stack.append(action)
                values.append(value)
                state = states[action]
                if action == last and kind == END:
                    return tuple(value) if type(value) is list else value
            stack.append(action)
            values.append(token)  # type: ignore[arg-type]
            state = states[action]
        raise AssertionError("the end of the text either fits or does not")

    def reached(self, kinds: Sequence[str], start: str) -> tuple[list[int], int]:
        """Return the stack of the parser in an incomplete text, and the number of tokens that fit.
        Nothing is built.
        """
        stack = [self._starts[start][0]]
        for count, kind in enumerate(kinds):
            after = self._after(stack, kind)
            if after is None:
                return stack, count
            stack = after
        return stack, len(kinds)

    def ending(self, stack: Sequence[int], kinds: Sequence[str], most: int) -> list[str] | None:
        """Return the fewest tokens of these kinds that end the text after a stack, at most `most`; None
        if they cannot end it.
        """
        # Best-first search by length, as each open bracket and block takes a token to close. Of
        # equally short endings, the first by the order of the kinds is taken.
        waiting: list[tuple[int, tuple[int, ...], tuple[int, ...]]]
        waiting = [(self._open_in(stack), (), tuple(stack))]
        seen: set[tuple[int, ...]] = set()
        while waiting:
            _, said, way = heappop(waiting)
            if way in seen:
                continue
            seen.add(way)
            if self._after(way, END) is not None:
                return [kinds[number] for number in said]
            for number, kind in enumerate(kinds):
                after = self._after(way, kind)
                if after is not None:
                    length = len(said) + 1 + self._open_in(after)
                    if length <= most:
                        heappush(waiting, (length, (*said, number), tuple(after)))
        return None

    def _open_in(self, stack: Iterable[int]) -> int:
        """Count the open brackets and blocks of a stack: each takes a token to close."""
        return sum(state in self._opened for state in stack)

    def _after(self, stack: Sequence[int], kind: str) -> list[int] | None:
        """Return the stack after one more token, or after the end; None if it does not fit."""
        now = list(stack)
        while (action := self._states[now[-1]].get(kind)) is not None:
            if action >= 0:
                now.append(action)
                return now
            size, made, _ = self._rules[~action]
            del now[len(now) - size :]
            now.append(self._states[now[-1]][made])
            if kind == END and now[-1] in self._ends:
                return now
        return None

    def accepts(self, stack: Sequence[int]) -> frozenset[str]:
        """Return the kinds of token that fit after a stack."""
        choices = (kind for kind in self._states[stack[-1]] if kind.isupper())
        return frozenset(kind for kind in choices if self._after(stack, kind) is not None)


def load_parser() -> Parser:
    """Return the parser of the current grammar."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    try:
        tables = json.loads(TABLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        tables = {}
    return Parser(tables if tables.get("stamp") == _stamp(grammar) else fresh_tables(grammar))


def fresh_tables(grammar: str) -> dict[str, Any]:
    """Generate the tables of a grammar."""
    from ruleloom.compiler.syntax.tablegen import work_out_tables  # see the head of this module

    return {"stamp": _stamp(grammar), **work_out_tables(grammar)}


def _stamp(grammar: str) -> str:
    return hashlib.sha256(grammar.encode()).hexdigest()


if __name__ == "__main__":
    written = json.dumps(fresh_tables(GRAMMAR.read_text(encoding="utf-8")), separators=(",", ":"))
    TABLES.write_text(written + "\n", encoding="utf-8")


class NamedStep(Frozen):
    """A name for some lines: its span, and its lines from the one of the name on (from 0)."""

    name: str
    span: Span
    column: int
    first: int
    last: int
    inline: bool
    """Whether its one statement is on the line of the name."""


def steps_in(text: str, tokens: Sequence[Tok]) -> tuple[NamedStep, ...]:
    """Return the steps of a text in the order of their names; a duplicate name is refused."""
    found: dict[str, NamedStep] = {}
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    # If the word is a name, the parser has changed its kind.
    for at in (index for index, token in enumerate(tokens) if token.type == "STEP"):
        head, name = tokens[at], tokens[at + 1]
        if name.value in found:
            message = f"a second step `{name.value}`"
            raise EffectSyntaxError(
                name.span, message, "a text has one step of a name", "name-clash"
            )
        inline = tokens[at + 3].type != "NEWLINE"
        first = bisect_right(starts, head.span[0]) - 1
        end = tokens[_last_word(tokens, at, inline)].span[1] - 1
        last, column = bisect_right(starts, end) - 1, head.span[0] - starts[first]
        found[name.value] = NamedStep(name.value, name.span, column, first, last, inline)
    return tuple(found.values())


def _last_word(tokens: Sequence[Tok], at: int, inline: bool) -> int:
    """The index of the last token, besides layout, of the step that begins at index `at`."""
    depth = 0
    words = at
    for index in range(at, len(tokens)):
        kind = tokens[index].type
        depth += (kind == "INDENT") - (kind == "DEDENT")
        if (kind == "NEWLINE" and inline) or (kind == "DEDENT" and not depth):
            break
        if kind not in ("NEWLINE", "INDENT", "DEDENT"):
            words = index
    return words


@dataclass(frozen=True, slots=True, eq=False)
class ParsedText:
    """The tree of a text, and its index if it is a block."""

    tree: Any
    index: TreeIndex | None


_PARSER = load_parser()
_LEXER = Lexer(_PARSER.fixed, _PARSER.patterns)
FIXED: Mapping[str, str] = _PARSER.fixed
"""The words and marks of the language, by token kind."""


def _parse(start: str, text: str) -> Any:
    def parsed() -> ParsedText:
        tree = _feed(text, _LEXER.tokens(text), start)
        return ParsedText(tree, index_of(tree) if start == "block" else None)

    found = TREES.get((start, text), len(text), parsed)
    if found.index is not None:
        with_index(found.index)
    return found.tree


parse_block: Callable[[str], tuple[Stmt, ...]] = partial(_parse, "block")
"""The statements of an effect."""
parse_abilities: Callable[[str], tuple[Ability, ...]] = partial(_parse, "abilities")
"""The abilities of an item."""
parse_expr: Callable[[str], Expr] = partial(_parse, "one_expr")
"""A single expression, as in `where:` of a trigger."""
parse_params: Callable[[str], tuple[Param, ...]] = partial(_parse, "all_params")
"""The parameters of `takes:`, such as `victim: Piece, least: Int = 1`."""
parse_result: Callable[[str], Param] = partial(_parse, "result")
"""The result in `gives:`, such as `piece: Piece`."""
parse_event: Callable[[str], CallExpr] = partial(_parse, "event")
"""The event of a trigger, such as `touched(piece)`, with plain names as arguments."""
parse_occurrence: Callable[[str], When] = partial(_parse, "occurrence")
"""An occurrence, such as `after turn() where me = self`: a `when` without a block."""
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


open_tokens: Callable[[str], list[Tok]] = _LEXER.open_tokens
"""The tokens of a text up to its first mistake, whether or not it is complete."""


def read_block(text: str, start: str = "block") -> tuple[list[Tok], list[Comment]]:
    """Return the tokens and comments of a valid text; words used as names are `NAME`."""
    comments: list[Comment] = []
    tokens = _LEXER.tokens(text, comments)
    _feed(text, tokens, start)
    return tokens, comments


def read_steps(text: str, start: str = "block") -> tuple[NamedStep, ...]:
    """Return the steps of a valid text."""
    return steps_in(text, read_block(text, start)[0])


class BrokenOff(Frozen):
    """A text up to the cursor: its tokens, without those that do not fit.

    `accepted` are the kinds of token that may come next, `stack` is that of the parser.
    """

    tokens: tuple[Tok, ...]
    accepted: frozenset[str]
    stack: tuple[int, ...]


def read_open(text: str, start: str = "block") -> BrokenOff:
    """Read a text up to the cursor; lines above that do not fit are skipped."""
    tokens, fitting = _open(text, start)
    while len(fitting) < len(tokens):
        # An unclosed bracket swallows the lines below, if its own line is invalid.
        brackets = (tokens[at].span[0] for at in open_brackets(tokens))
        opened = next((at for at in brackets if "\n" in text[at:]), None)
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
    """The tokens of an incomplete text, and those of them that fit."""
    line = text.rstrip(" ")
    tokens = _LEXER.open_tokens(text)
    if not line or line.endswith("\n"):
        # The lexer knows the block of a new line only once it has a token.
        tokens = _LEXER.open_tokens(f"{text}{OPEN_END}")
        if tokens and tokens[-1].value == OPEN_END:
            tokens.pop()
    return tokens, _fitting(tokens, start)


def finished(read: BrokenOff, name: str, start: str = "block") -> Any:
    """The tree of an incomplete text, with `name` at the cursor and the shortest ending; None if no
    name fits there.
    """
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
        return _PARSER.parse([*read.tokens, here, *closing], start)
    except (Unexpected, EffectSyntaxError):
        return None


@lru_cache(maxsize=1_000)
def _ending(stack: tuple[int, ...]) -> tuple[str, ...] | None:
    """The shortest ending after a stack, which stays the same while a word is typed."""
    found = _PARSER.ending(stack, ENDINGS, LONGEST_ENDING)
    return tuple(found) if found is not None else None


def _fitting(tokens: list[Tok], start: str) -> list[Tok]:
    """The tokens without the lines, except the last one, that do not fit."""
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
    """The tokens without a line; its block stays, as if it had no header."""
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


def _feed(text: str, tokens: list[Tok], start: str) -> Any:
    try:
        tree = _PARSER.parse(tokens, start)
        if any(token.type == "STEP" for token in tokens):
            steps_in(text, tokens)  # refuses a duplicate name
        return tree
    except Unexpected as error:
        accepted = _PARSER.accepts(error.stack)
        raise explain(text, tokens, error.token, accepted, start, _PARSER.fixed) from None
