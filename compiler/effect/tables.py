"""The parser of grammar.lark, from tables worked out beforehand.

Working out the tables takes Lark a tenth of a second, which every run of the compiler would pay; reading
them takes a few milliseconds. `python -m compiler.effect.tables` writes them into tables.json after a change
of the grammar. Tables of another grammar or another Lark are not used: the parser is then made on the spot.
Nothing is ever written at run time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import Lexer as LarkLexer
from lark.lexer import PatternStr, TerminalDef

from compiler.effect.build import Builder

STARTS = ["block", "one_expr", "all_params", "result", "event"]
GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("tables.json")


class TokenFeed(LarkLexer):
    """Hands our own tokens to Lark."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        """Take what Lark knows of the terminals, and need none of it."""

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        """Return the tokens given to `parse`."""
        return iter(lexer_state.text)


def load_parser() -> tuple[lark.Lark, dict[str, str], dict[str, str]]:
    """Return the parser, its terminals with a fixed text, and its terminals with a pattern, by name."""
    stamp = _stamp()
    try:
        tables = json.loads(TABLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        tables = {}
    parser = _from_tables(tables) if tables.get("stamp") == stamp else make_parser()
    fixed, patterns = {}, {}
    for terminal in parser.terminals:
        if isinstance(terminal.pattern, PatternStr):
            fixed[terminal.name] = terminal.pattern.value
        elif terminal.pattern is not None:
            patterns[terminal.name] = terminal.pattern.to_regexp()
    return parser, fixed, patterns


def make_parser() -> lark.Lark:
    """Return the parser made from the grammar itself."""
    return lark.Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=TokenFeed,
        keep_all_tokens=True,
        maybe_placeholders=False,
        start=STARTS,
        transformer=Builder(),
    )


def tables_text() -> str:
    """Return what tables.json should hold."""
    data, memo = make_parser().memo_serialize([TerminalDef, Rule])
    # The two options that are no data; `_from_tables` fills them in.
    del data["options"]["lexer"], data["options"]["transformer"]
    del data["parser"]["lexer_conf"]["lexer_type"]
    return json.dumps({"stamp": _stamp(), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def _from_tables(tables: dict[str, Any]) -> lark.Lark:
    """Return the parser that `tables_text` describes. JSON made texts of all numbers used as keys."""
    data = tables["data"]
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = TokenFeed
    table = data["parser"]["parser"]
    table["tokens"] = _numbered(table["tokens"])
    table["states"] = {int(state): _numbered(actions) for state, actions in table["states"].items()}
    load: Any = lark.Lark._load_from_dict  # what Lark's own stand-alone parsers call
    parser: lark.Lark = load(data, _numbered(tables["memo"]), transformer=Builder())
    return parser


def _numbered(table: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in table.items()}


def _stamp() -> str:
    """Return what the tables depend on."""
    return f"lark {lark.__version__} grammar {hashlib.sha256(GRAMMAR.read_bytes()).hexdigest()}"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), encoding="utf-8")
