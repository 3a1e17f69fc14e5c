"""Effect text: its trees and spans, its mistakes in an author's words, and its caps."""

from __future__ import annotations

import copy
import json
import logging
import re
from typing import Any, get_args

import lark
import pytest
from lark.exceptions import UnexpectedToken

from benchmarks.edits.printer import write_expr
from ruleloom.compiler.syntax import ast, parser
from ruleloom.compiler.syntax import parser as lalr
from ruleloom.compiler.syntax.builder import Builder
from ruleloom.compiler.syntax.lexer import (
    DEEPEST,
    LONGEST_TEXT,
    MOST_OPERATORS,
    RESERVED,
    EffectSyntaxError,
)
from ruleloom.compiler.syntax.parser import parse_event, parse_params, parse_result
from ruleloom.compiler.syntax.tablegen import lark_parser
from tests.support.stopwatch import within

# The nodes are looked into below; a type checker would want to be told each time which ones they
# are.
parse_block: Any = parser.parse_block
parse_expr: Any = parser.parse_expr
parse_abilities: Any = parser.parse_abilities

EVERY_FORM = """
stop
choose x from xs
choose x from xs where size(x) > 1 by me or none default best(x) "which one"
choose up to n + 1 picked from 1 .. 3
choose exactly 2 picked from xs
choose any number of picked from xs by owner(here)
choose order picked from xs where size(picked) > 1 by me "in which order"
choose order from order
choose usual from usual usual usual "which"
choose one by me "how":
    "this" when a: stop
    "those" usual: stop
    "that":
        say "done"
optional: stop
optional "go on" by me usual:
    use walk(3, to: here) giving there
each p in players secretly choose bid from 1 .. 6 where bid < p "your bid"
each p in players secretly choose bid from seen "your bid" seen by [me, p]
ask me for text story
ask owner(here) for text story or none default "well" usual "fine" "what is it like"
roll total = 3d6
roll total = 1d20 by me
roll total = dice(here) d 6
roll total = (n + 1) d sides(here) by owner(here)
roll d = d d d(d) by d
roll seen = 3d6 seen by seen
roll each seen = n d 6 by me seen by [me, here]
roll total = a if b else c d 2 * 3
say "hello"
say to here "hello"
draw card from pile to hand(me)
draw top from hand(here)
look at 3 of pile as seen
look at n + 1 of pile by owner(here) as seen
put seen on top of pile
put [a, b] on bottom of pile
put those(x: xs where x != a) on top of on
show hand(here) to me
show show to [me, here]
show(a, b)
put()
look(at: top)
let a = 1
set a = a + 1
add a to xs
remove a from xs
walk()
walk(here, to: there) giving where_to
use walk
use walk giving there
use power of card with walkers: mine, pace: 3
if a:
    stop
elif b:
    stop
elif c: stop
else:
    stop
for each x in xs ordered by -size(x):
    stop
repeat 3 times:
    stop
repeat n times as i:
    stop
repeat until a at most 12 times:
    stop
ensure a "because"
ignoring crowding, landing:
    stop
keeping a, keeping:
    stop
combinable:
    use walk
    use run giving there
begin blessing(2, why: "x") on me for 3 by me giving found
end blessing on me
end storm
prolong blessing on me by 2
prolong found by -1
next time walked(one, other) where one = a "the bell rings":
    stop
in 3 times after walk(): stop
finish won by me "most points"
finish ranked one in players by score(one) "most points"
finish drawn "nobody can move"
"""


def test_every_form_of_statement_parses():
    stmts = parse_block(EVERY_FORM)
    forms = {type(stmt) for stmt in stmts}
    assert forms == set(get_args(ast.Stmt)) - {ast.IdleMoment, ast.RunOut}


def test_a_statement_in_full():
    (stmt,) = parse_block('choose x from xs where a by b default c usual d showing e, f "which"')
    assert stmt == ast.ChooseStmt(
        (0, 0),
        "one",
        None,
        name("x"),
        name("xs"),
        name("a"),
        name("b"),
        False,
        name("c"),
        name("d"),
        (name("e"), name("f")),
        text("which"),
    )
    assert stmt.span == (0, 68)
    assert stmt.where.span == (23, 24)
    assert stmt.usual.span == (46, 47)
    assert stmt.prompt.span == (61, 68)


def test_ways_may_be_marked_as_usual():
    once, again, one = parse_block(
        'optional "go on" by a usual: stop\noptional: stop\nchoose one:\n'
        '    "this" when b usual: stop\n    "that": say "done"\n'
    )
    assert (once.usual, again.usual) == (True, False)
    assert [mode.usual for mode in one.modes] == [True, False]
    assert one.modes[0].when == name("b")


def name(id: str) -> ast.Name:
    return ast.Name((0, 0), id)


def text(value: str) -> ast.TextLiteral:
    return ast.TextLiteral((0, 0), value)


@pytest.mark.parametrize(
    ("flat", "grouped"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a = b and c", "(not (a = b)) and c"),
        ("a - b - c", "(a - b) - c"),
        ("a + b * c mod d", "a + ((b * c) mod d)"),
        ("-a * b", "(-a) * b"),
        ("a .. b + 1", "a .. (b + 1)"),
        ("a in 1 .. 3 or b not in xs", "(a in (1 .. 3)) or (b not in xs)"),
        ("a + 1 is not none and b is none", "((a + 1) is not none) and (b is none)"),
        ("a if b or c else d if e else f", "a if (b or c) else (d if e else f)"),
        ("a div b", "(a) div (b)"),
    ],
)
def test_precedence(flat, grouped):
    assert parse_expr(flat) == parse_expr(grouped)
    assert write_expr(parse_expr(grouped)) == flat


@pytest.mark.parametrize(
    "word", ["modify", "divide", "notable", "inn", "orient", "iffy", "nonet", "upper"]
)
def test_keywords_do_not_eat_the_beginning_of_names(word):
    assert parse_expr(word) == name(word)


@pytest.mark.parametrize(
    "word", ["by", "to", "up", "number", "power", "one", "draw", "times", "of"]
)
def test_words_that_are_names_where_no_keyword_is_due(word):
    parse_block(
        f"choose {word} from {word} where {word} = {word}({word}, {word}: {word}) by {word}"
    )
    parse_block(f"{word}({word})")
    parse_params(f"{word}: {word}")


def test_reserved_words_are_what_the_grammar_does_not_take_as_names():
    words = set(re.findall(r'"([a-z]+)"', lalr.GRAMMAR.read_text()))
    for word in sorted(words):
        try:
            parse_block(f"let {word} = 1")
        except EffectSyntaxError:
            assert word in RESERVED
        else:
            assert word not in RESERVED
    assert {*words, "is"} >= RESERVED


def test_any_word_may_label_an_argument():
    call = parse_expr("cards(in: pile, from: x, if: y, count: 3)")
    assert [arg.label for arg in call.args] == ["in", "from", "if", "count"]


def test_expressions_go_on_over_lines_inside_brackets():
    spread = "shift(  # why\n\n  here,\n# so\n  to: [a,\nb])\nstop\n"
    assert parse_block(spread) == parse_block("shift(here, to: [a, b])\nstop")


def test_leading_blank_lines_missing_final_newline_and_carriage_returns():
    assert parse_block("\n\n  \r\n# c\r\nif a:\r\n    stop\r\n\r\nstop") == parse_block(
        "if a:\n stop\nstop\n"
    )
    assert parse_block("    if a:\n        stop\n    stop") == parse_block("if a: stop\nstop")


def test_spans_reach_from_the_first_to_the_last_character():
    source = "if a:\n    x(b + 1)\nelse:\n    let c = (d + e) * 2\nstop\n"
    branch, stop = parse_block(source)
    assert source[slice(*branch.span)] == source[:-6]
    assert source[slice(*stop.span)] == "stop"
    product = branch.otherwise[0].value
    assert source[slice(*product.span)] == "(d + e) * 2"
    assert source[slice(*product.left.span)] == "(d + e)"
    operate = branch.arms[0][1][0]
    assert source[slice(*operate.call.args[0].value.span)] == "b + 1"


def test_headers():
    params = parse_params("a: Piece, by: List of Card? = none, bids: Int by Player")
    assert [
        (p.name, p.type.name, p.type.many, p.type.optional, p.type.by_player) for p in params
    ] == [
        ("a", "Piece", False, False, False),
        ("by", "Card", True, True, False),
        ("bids", "Int", False, False, True),
    ]
    assert params[1].default == ast.NoneLiteral((0, 0))
    assert parse_params("") == ()
    assert parse_result("piece: Piece") == ast.Param(
        (0, 0), "piece", ast.TypeName((0, 0), "Piece"), None
    )
    assert parse_event("touched(piece)") == parse_expr("touched(piece)")
    assert parse_event("round_ends") == parse_event("round_ends()")


# Each: the text with the mistake between ‹ and ›, words of the message, words of the help.
MISTAKES = [
    ("‹chose› x from xs", "`chose` is not a statement", "did you mean `choose`"),
    ('‹optinal› "a": stop', "not a statement", "`optional`"),
    ("‹If› a: stop", "not a statement", "`if`"),
    ("‹while› a: stop", "not a statement", "repeat until"),
    ("‹walk›", "not a statement", "`use walk`"),
    ("x ‹=› 3", "not a statement", "let x ="),
    ("choose x from xs ‹wher› a", "expected", "did you mean `where`"),
    ("choose x‹›", "expected `from`", "choose x from list"),
    ("choose x ‹where› a", "expected `from`, found `where`", "choose x from list"),
    ("choose up to 2 ‹from› xs", "expected a name", "choose x from"),
    ("choose x from xs by a ‹where› b", "`where` comes before `by`", "the order is"),
    ('choose x from xs "p" ‹where› b', "`where` comes before the prompt", "the order is"),
    ("choose x from xs where a ‹where› b", "a second `where`", "`and`"),
    ("choose up to 2 x from xs ‹or none›", "a choice of one", "up to"),
    ("set x ‹3›", "expected `=`, found `3`", "set x = value"),
    ("let ‹if› = 3", "word of the language", ""),
    ("let x = 1 +‹›", "expected a value", ""),
    ("let x = f(a ‹b›)", "expected `)`, `,` or an operator", ""),
    (
        "if count(f(a) > 2‹:›\n    stop",
        "expected",
        "write `)` for the `(` behind `count` before the `:`",
    ),
    ("if a:\n    stop\n‹otherwise›:\n    stop", "`otherwise` is not a statement", "write `else`"),
    ("let x = f(a,‹)›", "expected a value", ""),
    ("if a ‹==› b: stop", "`==`", "single `=`"),
    ("if a ‹&&› b: stop", "`&&`", "`and`"),
    ("if a ‹||› b: stop", "`||`", "`or`"),
    ("if ‹!›a: stop", "`!`", "`not`"),
    ("let x = ‹true›", "`true`", "`yes`"),
    ("let x = ‹False›", "`False`", "`no`"),
    ("let x = ‹None›", "`None`", "`none`"),
    ("let x = ‹null›", "`null`", "`none`"),
    ("let x = ‹1.5›", "no decimal points", "3/2"),
    ("let x = ‹007›", "begin with 0", "`7`"),
    ("let x = ‹12ab›", "begin with a digit", "space after `12`"),
    ("let x = a ‹^› 2", "powers", "`*`"),
    ("let x = a ‹**› 2", "powers", "`*`"),
    ("let x = a ‹/› 2", "`/`", "`div`"),
    ("let x = a ‹%› 2", "`%`", "`mod`"),
    ("stop‹;›", "`;`", "take the `;` out"),
    ("let x = a‹.›size", "dot", "`size(a)`"),
    ("let x = ‹é›", "letters", ""),
    ("say ‹'hello'›", "double quotation marks", '"'),
    ('say ‹"hello›\nstop', "never closed", 'add `"`'),
    ("walk‹(›a, b\nstop", "never closed", "add `)`"),
    ("let x = [a, f(b‹]›", "opened as another", "`)`"),
    ("let x = a‹]›", "closes nothing", ""),
    ("let x = (a‹]›", "opened as another", "`)`"),
    ("let x = a < b ‹<› c", "another comparison", "`and`"),
    ("let x = a = ‹not› b", "`not` cannot follow", "parentheses"),
    ("let x = -‹not› b", "`not` cannot follow", "parentheses"),
    ("let x = a ‹is› b", "only with `none`", "`=`"),
    ("let x = (a ‹or none›)", "only goes with `choose`", "`is none`"),
    ("let x = count(‹where›: xs)", "word of the language", ""),
    ("if ‹a›\n    stop", "expected `:` at the end of this line", "add `:`"),
    ("if a:\n‹stop›", "an indented block is missing", "four spaces"),
    ("stop\nif a‹:›", "an indented block is missing", "four spaces"),
    ("stop\n    ‹stop›", "deeper than the one above", "`:`"),
    ("if a:\n    stop\n‹else if› b:\n    stop", "one word", "`elif`"),
    ("‹elif› a:\n    stop", "has no `if`", ""),
    ("stop\n‹else›:\n    stop", "has no `if`", ""),
    ("choose one:\n    ‹stop›", "label of a mode", '"label":'),
    ("‹combinable›:\n    use walk", "two powers", "two lines"),
    ("combinable:\n    ‹stop›", "expected `use`", ""),
    ('‹"text"›', "a text alone", "say"),
    ("roll x = ‹3›", "dice", "roll x = 3d6"),
    ("roll x = ‹2d6 + 1›", "these are not dice", "roll x = number d sides"),
    ("roll x = n ‹d6›", "found `d6`", "roll x = number d sides"),
    ("roll x = n d‹›", "a value", "roll x = number d sides"),
    ("roll x = n d 6 ‹d› 6", "`by`", "roll x = number d sides"),
    ("ensure a‹›", "a text in quotes", "ensure condition"),
    ("finish ‹lost› by a", "`ranked` or `won`", ""),
    ("for ‹x› in xs: stop", "expected `each`", "for each x in"),
    ("repeat 3‹:› stop", "expected `times`", "repeat 3 times"),
    ("‹›", "needs a statement", "stop"),
    ("‹›  # nothing\n", "needs a statement", "stop"),
]


@pytest.mark.parametrize(("marked", "message", "help"), MISTAKES)
def test_mistakes(marked, message, help):
    start, end = marked.index("‹"), marked.index("›") - 1
    with pytest.raises(EffectSyntaxError) as caught:
        parse_block(marked.replace("‹", "").replace("›", ""))
    error = caught.value
    assert message in error.message
    assert help in (error.help or "")
    assert error.code == "syntax"
    assert error.span == (start, end)


@pytest.mark.parametrize(
    ("source", "code", "start"),
    [
        ("say “hello”", "smart-quote", 4),
        ("if a:\n\tstop", "tab", 6),
        ("if a:\n    stop\n  stop", "mixed-indentation", 17),
        ("if a:\n        stop\n    \tstop", "tab", 23),
    ],
)
def test_codes_of_layout(source, code, start):
    with pytest.raises(EffectSyntaxError) as caught:
        parse_block(source)
    assert caught.value.code == code
    assert caught.value.span[0] == start


def test_the_first_mistake_is_the_one_reported():
    with pytest.raises(EffectSyntaxError) as caught:
        parse_block("set x 3\nlet y = a == b\nsay “no”")
    assert caught.value.span == (6, 7)


def test_messages_are_in_an_authors_words():
    for marked, _, _ in MISTAKES:
        with pytest.raises(EffectSyntaxError) as caught:
            parse_block(marked.replace("‹", "").replace("›", ""))
        words = f"{caught.value.message} {caught.value.help}"
        assert not re.search(r"\b[A-Z]{3,}\b|_ANON|Tok\b|object at", words)
        assert not caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("parse", "source", "message"),
    [
        (parse_expr, "", "expected a value"),
        (parse_expr, "a b", "expected the end of the line"),
        (parse_expr, "a\nand b", "one line"),
        (parse_params, "a", "expected `:`"),
        (parse_params, "a: Set of Card", "no type"),
        (parse_params, "a: Int by Card", "no type"),
        (parse_result, "a: Int = 3", "end of the line"),
        (parse_event, "touched(3)", "a name"),
    ],
)
def test_mistakes_beside_effects(parse, source, message):
    with pytest.raises(EffectSyntaxError, match=message):
        parse(source)


HOSTILE = {
    "open parentheses": "let x = " + "(" * 100_000,
    "few parentheses": "let x = " + "(" * 1_000 + "a" + ")" * 1_000,
    "lists": "let x = " + "[" * 1_000 + "]" * 1_000,
    "calls": "let x = " + "f(" * 100 + "a" + ")" * 100,
    "sum": "let x = " + " + ".join(["a"] * 50_000),
    "short sum": "let x = " + " + ".join(["a"] * (MOST_OPERATORS + 2)),
    "negations": "let x = " + "not " * 1_000 + "a",
    "minuses": "let x = " + "-" * 1_000 + "a",
    "conditions": "let x = " + "a if b else " * 1_000 + "c",
    "blocks": "\n".join(" " * depth + "if a:" for depth in range(200)),
    "many blocks": "\n".join(" " * depth + "if a:" for depth in range(10_000)),
    "garbage": "x" * 1_000_000,
    "quotes": '"' * 30_000,
    "digits": "let x = " + "9" * 30_000,
    "dots": "let x = a" + "." * 30_000,
    "blank lines": "\n" * 30_000 + ")",
    "spaces": " " * 30_000 + ")",
    "empty comments": "#\n" * 15_000 + ")",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_are_refused_at_once(source):
    with within(2), pytest.raises(EffectSyntaxError) as caught:
        parse_block(source)
    assert caught.value.code in ("syntax", "too-deep", "too-long")


def test_the_deepest_and_longest_allowed_texts_can_be_walked():
    nested = DEEPEST - 1
    parse_expr("(" * nested + "-" * MOST_OPERATORS + "a" + ")" * nested)
    chained = parse_expr("f(" * nested + "+".join(["a"] * (MOST_OPERATORS + 1)) + ")" * nested)
    assert chained == parse_expr(write_expr(chained))
    assert repr(chained)
    assert hash(chained) == hash(parse_expr(write_expr(chained)))
    blocks = (
        "".join(" " * depth + "if a:\n" for depth in range(DEEPEST - 1))
        + " " * (DEEPEST - 1)
        + "stop"
    )
    assert parse_block(blocks)
    assert len(parse_block("stop\n" * (LONGEST_TEXT // 5))) == LONGEST_TEXT // 5


def test_the_grammar_has_no_conflicts(caplog):
    caplog.set_level(logging.DEBUG)
    handler = caplog.handler
    lark.logger.addHandler(handler)
    level = lark.logger.level
    lark.logger.setLevel(logging.DEBUG)
    try:
        lark_parser(lalr.GRAMMAR.read_text(), debug=True)
    finally:
        lark.logger.removeHandler(handler)
        lark.logger.setLevel(level)
    assert "conflict" not in caplog.text.lower()


def test_the_tables_are_those_of_the_grammar():
    stored = json.loads(lalr.TABLES.read_text(encoding="utf-8"))
    fresh = lalr.fresh_tables(lalr.GRAMMAR.read_text(encoding="utf-8"))
    assert stored["stamp"] == fresh["stamp"], "run `python -m ruleloom.compiler.syntax.parser`"
    # The numbers of states differ from run to run.
    for part in ("fixed", "patterns"):
        assert stored[part] == fresh[part]
    assert len(stored["states"]) == len(fresh["states"])


def pieces_of(text):
    """Every beginning of each few statements of a text, and these without each of their tokens."""
    statements = re.split(r"\n(?=[^\s\]})])", text)
    for first in range(0, len(statements), 8):
        tokens = parser._LEXER.tokens("\n".join(statements[first : first + 8]))
        for at in range(len(tokens)):
            yield tokens[:at]
            yield [*tokens[:at], *tokens[at + 1 :]]


def test_the_tables_do_what_lark_does():
    ours = lalr.load_parser()
    larks = lark_parser(lalr.GRAMMAR.read_text(), transformer=Builder())
    assert ours.parse(parser._LEXER.tokens(EVERY_FORM), "block") == larks.parse(
        parser._LEXER.tokens(EVERY_FORM), "block"
    )
    for tokens in pieces_of(EVERY_FORM):
        try:
            mine = ours.parse([copy.copy(token) for token in tokens], "block")
        except lalr.Unexpected as error:
            mine = (
                (tokens.index(error.token) if error.token in tokens else None),
                ours.accepts(error.stack),
            )
        except EffectSyntaxError as error:
            mine = error.message
        try:
            theirs: object = larks.parse([copy.copy(token) for token in tokens], "block")
        except UnexpectedToken as error:
            theirs = None, error.interactive_parser.accepts()
        except EffectSyntaxError as error:
            theirs = error.message
        assert mine == theirs


def test_stale_tables_are_not_used(monkeypatch, tmp_path):
    for content in ("{}", "not json", '{"stamp": "0"}'):
        stale = tmp_path / "tables.json"
        stale.write_text(content)
        monkeypatch.setattr(lalr, "TABLES", stale)
        made = lalr.load_parser()
        assert made.fixed["CHOOSE"] == "choose"
        assert "NAME" in made.patterns
        assert stale.read_text() == content


def test_every_form_of_the_grammar_has_a_builder():
    for rule in lark_parser(lalr.GRAMMAR.read_text()).rules:
        method = rule.alias or rule.origin.name
        assert hasattr(Builder, method), method


@pytest.mark.parametrize(
    ("marked", "message", "help"),
    [
        ("‹if› x: immune(heat)", "abilities cannot begin with `if`", "begin with `modify`"),
        (
            "modify PR(self) ‹+›5",
            "expected `at`, `by`, `times` or `to`",
            "write `modify stat(self) by 5`",
        ),
        ("‹modfy› PR(self) by 5", "`modfy` is no ability", "did you mean `modify`?"),
        ("passive where ‹x›\n    immune(heat)", "`:`", ""),
        ("‹immune›", "`immune` is no ability", "a keyword and `(`"),
        ('modify PR(self) by 5 as "a" ‹as› "b"', "a second `as`", "take one out"),
        ("‹2› + 2", "abilities cannot begin with `2`", "begin with `modify`"),
        ("‹whenever› swap(self): stop", "`whenever` is no ability", "did you mean `when`?"),
        ("‹insted› of swap(self): stop", "`insted` is no ability", "did you mean `instead`?"),
        (
            "instead ‹swap›(self): stop",
            "expected `of`",
            "write `instead of operation(self, other):`",
        ),
        (
            "when swap(self) ‹if› x: stop",
            "`afterwards`, `once`, `where` or `:`",
            "write `when event(",
        ),
        ("when swap(self) once ‹a› turn: stop", "expected `per`", "`once per turn`"),
        ("when swap(‹3›): stop", "expected `)` or a name", "write `when event("),
        (
            "when swap(self):\n    ‹pick› one from mine",
            "`pick` is not a statement",
            "write `choose`",
        ),
        (
            "when swap(self):\n    ‹modify› LU(self) by 1",
            "`modify` is an ability",
            "in `abilities:`",
        ),
        ("when swap(self):\n    if a: stop\n    ‹else if› b: stop", "is one word", "write `elif`"),
        (
            "when swap(self):\n    stop\n‹pick› one from mine",
            "`pick` is no ability",
            "begin with `modify`",
        ),
        (
            "restrict room(self) ‹because› day = 2",
            "expected `as`, `where`",
            "write `restrict rule(self)`",
        ),
    ],
)
def test_mistakes_in_abilities(marked: str, message: str, help: str):
    start, end = marked.index("‹"), marked.index("›") - 1
    with pytest.raises(EffectSyntaxError) as caught:
        parse_abilities(marked.replace("‹", "").replace("›", ""))
    assert message in caught.value.message
    assert help in (caught.value.help or "")
    assert caught.value.span == (start, end)
