"""Formatting keeps the tree and the comments, and does nothing the second time.

The strategies mirror grammar.lark: a form that is added there wants a line here.
"""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.edits.printer import write_block, write_expr, write_params
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.formatter import WIDTH, format_text
from ruleloom.compiler.syntax.lexer import LEVELS, RESERVED
from ruleloom.compiler.syntax.parser import parse_block, parse_expr, parse_params
from tests.support.examples import examples

AT = (0, 0)
SOFT = [
    "by",
    "to",
    "up",
    "number",
    "power",
    "one",
    "any",
    "exactly",
    "draw",
    "with",
    "times",
    "default",
    "usual",
]


def node(kind: Any, *fields: Any) -> Any:
    """Return a strategy for nodes of one kind; fields are strategies or plain values."""
    return st.builds(
        kind, st.just(AT), *(f if isinstance(f, st.SearchStrategy) else st.just(f) for f in fields)
    )


words = st.sampled_from(
    ["a", "x", "space", "wide_open_space", "orient", "notable", "Facing", *SOFT]
)
names = node(ast.Name, words)
labels = words | st.sampled_from(["in", "from", "if", "count", "none"])
plain_texts = st.text(
    st.characters(codec="utf-8", exclude_characters='"\n\r', exclude_categories=["C"]), max_size=8
)
texts = node(ast.TextLiteral, plain_texts)
numbers = node(ast.NumberLiteral, st.integers(0, 10**15 - 1) | st.integers(0, 9))
dice = node(ast.DiceLiteral, st.integers(1, 999), st.integers(1, 9999))
atoms = (
    names
    | numbers
    | texts
    | dice
    | node(ast.BoolLiteral, st.booleans())
    | node(ast.NoneLiteral)
    | node(ast.ListExpr, ())
    | node(ast.CallExpr, names, ())
)


def tuples(of: Any, least: int = 0, most: int = 3) -> Any:
    """Return a strategy for tuples."""
    return st.lists(of, min_size=least, max_size=most).map(tuple)


def larger(exprs: Any) -> Any:
    """Return expressions made of smaller ones."""
    args = tuples(node(ast.Arg, st.none() | labels, exprs))
    kinds = st.sampled_from(["count", "exists", "every", "those", "sum", "highest", "lowest"])
    operators = st.sampled_from(
        [op for op in LEVELS if "none" not in op and op not in ast.ROUNDINGS]
    )
    return (
        node(ast.CallExpr, names, args)
        | node(ast.ListExpr, tuples(exprs))
        | node(ast.Unary, st.sampled_from(["not", "-", *ast.ROUNDINGS]), exprs)
        | node(ast.Binary, operators, exprs, exprs)
        | node(ast.IsNone, exprs, st.booleans())
        | node(ast.IfElse, exprs, exprs, exprs)
        | node(ast.Aggregate, kinds, None, None, exprs, None)
        | node(ast.Aggregate, kinds, st.none() | exprs, names, exprs, st.none() | exprs)
        | node(ast.Allowed, names, args)
    )


exprs = st.recursive(atoms, larger, max_leaves=8)
maybe = st.none() | exprs
small = st.recursive(atoms, larger, max_leaves=3)
maybe_small = st.none() | small
small_args = tuples(node(ast.Arg, st.none() | labels, small))
prompts = st.none() | texts
givings = st.none() | names
uses = node(ast.UseStmt, names, small_args, givings)
counts = st.one_of(
    st.tuples(st.sampled_from(["up_to", "exactly"]), small, st.just(False)),
    st.just(("any", None, False)),
    st.tuples(st.just("one"), st.none(), st.booleans()),
)


shown = tuples(small)


@st.composite
def choices(draw: Any) -> ast.ChooseStmt:
    """Draw a `choose` of any count."""
    count, limit, or_none = draw(counts)
    name, domain = draw(names), draw(small)
    where, by = draw(maybe_small), draw(maybe_small)
    answers = draw(maybe_small), draw(maybe_small), draw(shown), draw(prompts)
    return ast.ChooseStmt(AT, count, limit, name, domain, where, by, or_none, *answers)


# What begins otherwise behind `show` or `put` would be an operation of that name.
things = names | node(ast.CallExpr, names, tuples(node(ast.Arg, st.none() | labels, small), 1))
simple = (
    choices()
    | uses
    | node(
        ast.SecretlyStmt,
        *(names, small, names, small, maybe_small, st.booleans(), prompts, maybe_small),
    )
    | node(ast.AskStmt, small, names, st.booleans(), maybe_small, maybe_small, prompts, maybe_small)
    | node(
        ast.RollStmt,
        names,
        dice | node(ast.DiceLiteral, small, small),
        maybe_small,
        maybe_small,
        maybe_small,
        st.booleans(),
    )
    | node(ast.LookStmt, small, names, maybe_small, names)
    | node(ast.PutStmt, things, st.sampled_from(["top", "bottom"]), names)
    | node(ast.ShowStmt, things, small)
    | node(ast.BeginStmt, names, small_args, maybe_small, maybe_small, maybe_small, givings)
    | node(ast.EndStmt, names, maybe_small)
    | node(ast.ProlongStmt, names, maybe_small, small)
    | node(ast.DrawStmt, names, small, maybe_small)
    | node(ast.LetStmt, names, exprs)
    | node(ast.AssignStmt, names, exprs)
    | node(ast.AddStmt, small, names, st.booleans())
    | node(ast.OperateStmt, node(ast.CallExpr, names, small_args), givings)
    | node(ast.UsePowerStmt, small, tuples(node(ast.Arg, words, small)))
    | node(ast.StopStmt)
    | node(ast.EnsureStmt, exprs, texts)
    | node(ast.SayStmt, texts)
    | node(ast.FinishStmt, maybe_small, texts)
    | node(ast.RankStmt, names, small, small, texts)
)


menus = node(ast.MenuName, names, tuples(names))


def compound(stmts: Any) -> Any:
    """Return statements that hold smaller ones."""
    body = tuples(stmts, 1, 2)
    modes = tuples(node(ast.ModeClause, texts, maybe_small, st.booleans(), body), 1, 2)
    return (
        node(ast.ChooseOneStmt, st.none() | menus, maybe_small, shown, prompts, modes)
        | node(ast.OptionalStmt, prompts, maybe_small, st.booleans(), body)
        | node(ast.IfStmt, tuples(st.tuples(small, body), 1, 2), st.just(()) | body)
        | node(ast.ForEachStmt, names, small, maybe_small, body)
        | node(ast.RepeatStmt, small, givings, body)
        | node(ast.RepeatUntilStmt, small, small, body)
        | node(ast.IgnoringStmt, tuples(names, 1, 2), body)
        | node(ast.CombinableStmt, tuples(uses, 2, 3))
    )


blocks = tuples(st.recursive(simple, compound, max_leaves=4), 1, 3)
types = node(
    ast.TypeName, words.filter(lambda word: word not in ("by", "of")), *[st.booleans()] * 3
)
params = tuples(node(ast.Param, words, types, maybe_small))


@given(exprs)
def test_an_expression_survives_its_text(expr):
    assert parse_expr(write_expr(expr)) == expr


@given(params)
def test_parameters_survive_their_text(some):
    assert parse_params(write_params(some)) == some


@examples(0.8)
@given(blocks)
def test_a_block_survives_its_text(block):
    text = format_text(write_block(block))
    assert parse_block(text) == block
    assert format_text(text) == text


@given(blocks, st.integers(20, 60), st.sampled_from([2, 4, 8]))
def test_broken_lines_mean_the_same(block, width, indent):
    text = format_text(write_block(block), indent, width)
    assert parse_block(text) == block
    assert format_text(text, indent, width) == text


@st.composite
def untidy(draw: Any) -> str:
    """Draw a text with comments, blank lines, odd spaces and odd indentation."""
    indent, width = draw(st.sampled_from([1, 3, 4])), draw(st.sampled_from([30, WIDTH]))
    text = format_text(write_block(draw(blocks)), indent, width)
    lines: list[str] = []
    for number, line in enumerate(text.splitlines()):
        for _ in range(draw(st.integers(0, 2))):
            column = draw(st.integers(0, 12))
            lines.append(draw(st.sampled_from(["", "   ", f"{' ' * column}# own {number}"])))
        lines.append(
            line
            + draw(
                st.sampled_from(["", "", "  ", f"# trailing {number}", f"   # trailing {number}  "])
            )
        )
    lines += draw(st.sampled_from([[], ["", ""], ["# end"], ["", "      # end", ""]]))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


@examples(0.8)
@given(untidy())
def test_comments_survive(text):
    tidy = format_text(text)
    assert parse_block(tidy) == parse_block(text)
    assert format_text(tidy) == tidy
    assert comments(tidy) == comments(text)
    assert "\n\n\n" not in tidy
    assert not re.search(r"[ \t]\n|^\n|\n\n\Z", tidy)
    assert tidy.endswith("\n")


def comments(text: str) -> list[str]:
    """Return the comments of a text whose own texts hold none that look like ours."""
    return re.findall(r"# (?:own|trailing|end)(?: \d+)?", text)


def test_reserved_words_are_not_drawn():
    assert not RESERVED & {
        "a",
        "x",
        "space",
        "wide_open_space",
        "orient",
        "notable",
        "Facing",
        *SOFT,
    }


UNTIDY = """

#head
choose   pawn from targets( hero ) where owner(pawn)!=me  by me "which pawn"   # trailing


# own


shift(pawn, # why
   to: step(space(pawn), # second
     facing(hero), by+1)) giving moved  # last
if count(pawns(at: space(moved)))<=-3 or allowed crowding(space(moved)): stop
elif a - -b = 3:   # arm

  # in arm
  let x = [a,  b]
  # end of arm
# before else
else:
   if not (a):
      stop
      # deep

   # middle
 # clamped
# outer
choose n from 1..pips(hero) where count(x: pawns where owner(x) = me and facing(x) != up and size(x) > 3) > 3
use power of (c) with heroes: my_pawns, a:b
"""

TIDY = """\
#head
choose pawn from targets(hero) where owner(pawn) != me by me "which pawn"  # trailing

# own

# why
# second
shift(pawn, to: step(space(pawn), facing(hero), by + 1)) giving moved  # last
if count(pawns(at: space(moved))) <= -3 or allowed crowding(space(moved)): stop
elif a - -b = 3:  # arm
    # in arm
    let x = [a, b]
    # end of arm
# before else
else:
    if not (a):
        stop
        # deep

    # middle
# clamped
# outer
choose n from 1 .. pips(hero) where count(
    x: pawns where owner(x) = me and facing(x) != up and size(x) > 3
) > 3
use power of (c) with heroes: my_pawns, a: b
"""


def test_an_untidy_text():
    assert format_text(UNTIDY) == TIDY
