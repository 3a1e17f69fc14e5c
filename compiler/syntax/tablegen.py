"""Generates the LALR tables of a grammar, with Lark.

Lark reads the grammar, refuses its conflicts and computes the LALR tables in a tenth of a second.
`ruleloom.compiler.syntax.parser` documents the tables, keeps them in a file and runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import lark
from lark.lexer import Lexer as LarkLexer
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift

STARTS = ["block", "one_expr", "all_params", "result", "event", "occurrence", "abilities"]


class NoLexer(LarkLexer):
    """The lexer for Lark, which passes on the tokens of ours."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        """Ignore Lark's configuration of the terminals."""

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        """Return the tokens given to `parse`."""
        return iter(lexer_state.text)


def lark_parser(grammar: str, **options: Any) -> lark.Lark:
    """Return Lark's own parser of a grammar."""
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer=NoLexer,
        keep_all_tokens=True,
        maybe_placeholders=False,
        start=STARTS,
        **options,
    )


def work_out_tables(grammar: str) -> dict[str, Any]:
    """Return the tables of a grammar as plain data."""
    parser = lark_parser(grammar)
    frontend: Any = parser.parser
    table: Any = frontend.parser._parse_table
    rules = {rule: number for number, rule in enumerate(parser.rules)}
    terminals = {one.name: one.pattern for one in parser.terminals}
    fixed = {name: one.value for name, one in terminals.items() if isinstance(one, PatternStr)}
    patterns = {name: one.to_regexp() for name, one in terminals.items() if name not in fixed}
    return {
        "fixed": fixed,
        "patterns": patterns,
        "starts": {start: [table.start_states[start], table.end_states[start]] for start in STARTS},
        "rules": [_rule(rule) for rule in parser.rules],
        "states": [
            {
                symbol: target if action is Shift else ~rules[target]
                for symbol, (action, target) in sorted(table.states[state].items())
            }
            for state in range(len(table.states))
        ],
    }


def _rule(rule: Any) -> list[Any]:
    """Return the number of parts of a rule, its result, and the builder method that makes it."""
    odd = rule.options.expand1 or rule.options.template_source or rule.origin.name.startswith("_")
    assert not odd, "the driver knows plain rules only"
    return [len(rule.expansion), str(rule.origin.name), str(rule.alias or rule.origin.name)]
