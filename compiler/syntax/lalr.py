"""The driver of the LALR parser: runs grammar.lark from tables that Lark has generated.

In go tokens; out comes what the builder makes of them, or `Unexpected` with the token that does not
fit. The tables are plain data in tables.json. Each state maps the kind of the next token to the
next state (a number from 0) or to the rule that has ended (its number, inverted), and the name of
what a rule makes to the state after it. Tables that are stale are worked out on the spot, and only
then is Lark loaded: that alone takes longer than to check a small pack. After a change of the
grammar, `python -m ruleloom.compiler.syntax.lalr` writes tables.json; nothing else ever does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from ruleloom.compiler.syntax.build_stmt import Builder
from ruleloom.compiler.syntax.tokens import Tok

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("tables.json")
END = "$END"
OPENING = frozenset(["LPAR", "LSQB", "INDENT"])

State = dict[str, int]
Rule = tuple[int, str, Callable[[list[Any]], Any]]


class Unexpected(Exception):
    """A token does not fit; `stack` is the way the parser had come, for `Parser.accepts`."""

    def __init__(self, token: Tok, stack: list[int]) -> None:
        super().__init__(token)
        self.token = token
        self.stack = stack


class Parser:
    """The parser of one set of tables. `fixed` and `patterns` are the terminals, by name."""

    def __init__(self, tables: dict[str, Any]) -> None:
        """Take the tables as `ruleloom.compiler.syntax.tablegen` makes them."""
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
        """Return what the builder makes of the tokens; raise `Unexpected` at a misfit."""
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
                    return value
            stack.append(action)
            values.append(token)  # type: ignore[arg-type]
            state = states[action]
        raise AssertionError("the end of the text either fits or does not")

    def reached(self, kinds: Sequence[str], start: str) -> tuple[list[int], int]:
        """Return how far the parser gets in a text that breaks off: its stack, and how many tokens
        fitted. Nothing is built."""
        stack = [self._starts[start][0]]
        for count, kind in enumerate(kinds):
            after = self._after(stack, kind)
            if after is None:
                return stack, count
            stack = after
        return stack, len(kinds)

    def ending(self, stack: Sequence[int], kinds: Sequence[str], most: int) -> list[str] | None:
        """Return the fewest tokens of these kinds that end the text after a stack, at *most* so
        many; None if they cannot end it."""
        # The search goes on where the least is left to say: whatever is open has to be closed. Of
        # several ways as short as each other, the one that comes first by the order of the kinds.
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
        """Count the brackets and blocks that a stack has open: each takes a token to close."""
        return sum(state in self._opened for state in stack)

    def _after(self, stack: Sequence[int], kind: str) -> list[int] | None:
        """Return the stack after one more token, or after the end; None where it does not fit."""
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
        """Return the kinds of token that would have fitted after the way the parser had come."""
        choices = (kind for kind in self._states[stack[-1]] if kind.isupper())
        return frozenset(kind for kind in choices if self._after(stack, kind) is not None)


def load_parser() -> Parser:
    """Return the parser of the present grammar."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    try:
        tables = json.loads(TABLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        tables = {}
    return Parser(tables if tables.get("stamp") == _stamp(grammar) else fresh_tables(grammar))


def fresh_tables(grammar: str) -> dict[str, Any]:
    """Work the tables out from the grammar."""
    from ruleloom.compiler.syntax.tablegen import work_out_tables  # see the head of this module

    return {"stamp": _stamp(grammar), **work_out_tables(grammar)}


def _stamp(grammar: str) -> str:
    return hashlib.sha256(grammar.encode()).hexdigest()


if __name__ == "__main__":
    written = json.dumps(fresh_tables(GRAMMAR.read_text(encoding="utf-8")), separators=(",", ":"))
    TABLES.write_text(written + "\n", encoding="utf-8")
