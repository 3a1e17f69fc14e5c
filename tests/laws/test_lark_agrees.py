"""Lark's own parser and our driver of its tables agree on every effect text that we ship.

Both read the same tokens. Lark builds its parser from grammar.lark, ours runs tables.json; both must
accept the same texts, whole or with one token lost, doubled or swapped, by the same derivation.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import lark
import pytest
from lark.exceptions import UnexpectedToken

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.schema.validate import effect_nodes, item_nodes
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import parser as lalr
from ruleloom.compiler.syntax.lexer import Lexer, Tok
from ruleloom.compiler.syntax.parser import STARTS
from ruleloom.compiler.syntax.tablegen import lark_parser
from ruleloom.compiler.yaml.reader import compose

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")


@pytest.mark.parametrize("game", GAMES)
def test_lark_and_our_driver_derive_the_same(game):
    texts = sorted(set(texts_of(game)))
    assert len(texts) > 100
    chance = random.Random(game)
    for form, text in texts:
        tokens = lexer().tokens(text)
        start = STARTS[form]
        derived = driver_derives(tokens, start)
        assert isinstance(derived, lark.Tree), f"{game}: our driver refuses {text!r}"
        assert derived == lark_derives(tokens, start), text
        slip = with_a_slip(tokens, chance)
        assert driver_derives(slip, start) == lark_derives(slip, start), text


def texts_of(game: str) -> Iterator[tuple[str, str]]:
    """Yield each effect text of a game with its form."""
    store = schemas_of(SCHEMAS, game)
    for path in sorted((BUILTIN / game).rglob("*.yaml")):
        report = Report()
        root = compose(Source.read(path, path.name), report)
        assert root is not None
        for node in item_nodes(root, report):
            kind = node.get("kind")
            if kind is not None and kind.text in store.kinds:
                for _, found, form in effect_nodes(node, kind.text, store):
                    text = found.text if found.text is not None else found.raw
                    # A scenario may name what it does, and a trigger a flow, by a bare word.
                    if form not in ("block", "event") or not text.isidentifier() or text == "stop":
                        yield form, text


def with_a_slip(tokens: list[Tok], chance: random.Random) -> list[Tok]:
    """Return the tokens with one of them lost, doubled, or swapped with the next one."""
    at = chance.randrange(len(tokens))
    one, rest = tokens[at], tokens[at + 1 :]
    changed = chance.choice([rest, [one, one, *rest], [*rest[:1], one, *rest[1:]]])
    return [*tokens[:at], *changed]


@cache
def lexer() -> Lexer:
    return Lexer(driver().fixed, driver().patterns)


@cache
def driver() -> lalr.Parser:
    """Return our driver, which builds a tree of what was reduced by which rule."""
    parser = lalr.load_parser()
    tables: Any = json.loads(lalr.TABLES.read_text(encoding="utf-8"))
    parser._rules = [(size, made, partial(lark.Tree, name)) for size, made, name in tables["rules"]]
    return parser


@cache
def larks() -> lark.Lark:
    return lark_parser(lalr.GRAMMAR.read_text(encoding="utf-8"))


def driver_derives(tokens: list[Tok], start: str) -> Any:
    """Return our driver's derivation, or the first token that does not fit and what would."""
    try:
        return driver().parse(tokens, start)
    except lalr.Unexpected as error:
        return place_of(error.token, tokens), driver().accepts(error.stack)


def lark_derives(tokens: list[Tok], start: str) -> Any:
    """Return Lark's derivation, or the first token that does not fit and what would."""
    try:
        return larks().parse(tokens, start)
    except UnexpectedToken as error:
        fitting = frozenset(error.interactive_parser.accepts())
        return place_of(error.token, tokens), fitting


def place_of(token: object, tokens: list[Tok]) -> int | None:
    """Return where a token stands; None for the end of the text."""
    return tokens.index(token) if token in tokens else None
