"""The traversal of expressions and rows: the same parts for whoever goes through them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.runtime.program.expr import (
    calls,
    children,
    conjunction,
    conjuncts,
    depth,
    expressions_of,
    mentions,
    operands,
    size,
    slots_read,
    substitute,
    transform,
    walk,
    with_children,
    with_expressions,
)
from ruleloom.runtime.program.program import (
    AGGREGATES,
    EXPRESSIONS,
    Choose,
    Condition,
    Expr,
    Modal,
    Mode,
    Origin,
    Relax,
    Say,
    UsePower,
)
from tests.support.evening import PROGRAM

HERE = Origin("p", "a.yaml", 1, 1)
A, B, C, D = (("slot", number) for number in range(4))
ONE: Expr = ("value", 1)
EACH: Expr = ("each", "those", A, 1, ("zone", "hand", None), ("=", B, ONE))

CONSTANTS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["slot", "value"]),
    lambda inner: st.tuples(inner, inner),
    max_leaves=3,
)
VALUES = st.tuples(st.just("value"), CONSTANTS)


def of_form(form: str, inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Expressions of one form, as the table of forms describes it."""
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "x": inner,
        "x?": inner | st.none(),
        "i": st.integers(0, 5),
        "s": st.sampled_from(AGGREGATES) if form == "each" else st.sampled_from(["a", "b"]),
        "v": CONSTANTS,
        "c": VALUES,
    }
    shape = EXPRESSIONS[form].split()
    rest = st.lists(inner, max_size=3) if shape[-1:] == ["x*"] else st.just([])
    fixed = st.tuples(*(kinds[kind] for kind in shape if kind != "x*"))
    return st.builds(lambda parts, more: (form, *parts, *more), fixed, rest)


LEAVES = [form for form, shape in EXPRESSIONS.items() if "x" not in shape and "c" not in shape]
EXPRS: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from(LEAVES).flatmap(lambda form: of_form(form, VALUES)),
    lambda inner: st.sampled_from(list(EXPRESSIONS)).flatmap(lambda form: of_form(form, inner)),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("expr", "parts"),
    [
        (ONE, ()),
        (("value", ("slot", 1)), ()),
        (A, ()),
        (("players",), ()),
        (("broken",), ()),
        (("bearer", ""), ()),
        (("record", "Card", ("value", 3)), (("value", 3),)),
        (("field", "Piece.pips", A), (A,)),
        (("zone", "pile", None), ()),
        (("zone", "hand", A), (A,)),
        (("query", "near"), ()),
        (("function", "m/a", A, B), (A, B)),
        (("list", A, B, C), (A, B, C)),
        (("table", A, ("value", (1,)), ("value", (2,)), ONE), (A, *[("value", (n,)) for n in (1, 2)], ONE)),
        (EACH, (A, ("zone", "hand", None), ("=", B, ONE))),
        (("each", "sum", None, 1, A, None), (A,)),
    ],
)  # fmt: skip
def test_children(expr: Expr, parts: tuple[Expr, ...]) -> None:
    assert children(expr) == parts


@given(EXPRS)
def test_rebuilding_with_what_stands_there_gives_the_very_same(expr: Expr) -> None:
    assert transform(expr, lambda one: one) is expr
    assert with_children(expr, lambda one: one) is expr
    found = [one for part in children(expr) for one in walk(part)]
    assert list(walk(expr)) == [expr, *found]


@given(EXPRS)
def test_a_rebuilt_expression_is_equal_and_another(expr: Expr) -> None:
    fresh = transform(expr, lambda one: (one[0], *one[1:]))
    assert fresh == expr
    assert (size(fresh), depth(fresh)) == (size(expr), depth(expr))


@given(EXPRS, st.integers(0, 5))
def test_substitution_leaves_nothing_of_a_slot(expr: Expr, slot: int) -> None:
    put: Expr = ("scope", "me")
    replaced = substitute(expr, {slot: put})
    assert slots_read(replaced) == slots_read(expr) - {slot}
    assert (replaced is expr) == (not mentions(expr, ("slot", slot)))
    assert size(replaced) == size(expr)


@given(EXPRS)
def test_conjuncts_joined_again(expr: Expr) -> None:
    parts = conjuncts(expr)
    assert all(part[0] != "and" for part in parts)
    assert conjuncts(conjunction(parts) or ()) == parts


def test_walk_goes_from_left_to_right() -> None:
    expr = ("+", ("*", A, B), ("-", C, D))
    assert list(walk(expr)) == [expr, expr[1], A, B, expr[2], C, D]


def test_operands() -> None:
    assert operands("or", ("or", ("or", A, B), ("and", C, D))) == [A, B, ("and", C, D)]
    assert conjuncts(("and", A, ("and", ("or", B, C), D))) == [A, ("or", B, C), D]
    assert conjunction([]) is None
    assert conjunction([A, B, C]) == ("and", ("and", A, B), C)


def test_constants_are_not_looked_into() -> None:
    constant = ("value", ("slot", 3))
    assert slots_read(("list", constant, B)) == {1}
    assert not mentions(constant, ("slot", 3))
    assert substitute(constant, {3: A}) == constant


def test_what_is_substituted_is_not_looked_into_again() -> None:
    assert substitute(("+", A, B), {0: ("+", A, B), 1: A}) == ("+", ("+", A, B), A)


def test_calls() -> None:
    expr = ("and", ("allowed", "r/a", ("function", "m/b")), ("query", "c"))
    assert list(calls(expr)) == ["r/a", "m/b"]


CHOICE = Choose(
    HERE, 1, "piece", "Piece", "one", None, ("zone", "hand", A),
    (Condition(("=", B, ONE), ("needs ", (B, "Piece"))),), None, False, C, ("which ", (D, "Int")),
)  # fmt: skip
EXPRESSIONS_OF_CHOICE = [("zone", "hand", A), ("=", B, ONE), B, C, D]


def test_the_expressions_of_a_row() -> None:
    assert expressions_of(CHOICE) == EXPRESSIONS_OF_CHOICE
    mode = Mode(HERE, ("go ", (A, "Int")), CHOICE.conditions, 3)
    modal = Modal(HERE, "choose", B, "which", (mode, mode))
    assert expressions_of(modal) == [B, *[A, ("=", B, ONE), B] * 2]
    assert expressions_of(UsePower(HERE, "Card", A, (("list", B), ("aim", C)))) == [A, B, C]
    assert expressions_of(Relax(HERE, ("slot", "value"))) == []
    assert expressions_of(Say(HERE, "slot")) == []


def test_a_row_with_other_expressions() -> None:
    moved = with_expressions(CHOICE, lambda expr: substitute(expr, {1: ("slot", 7)}))
    assert slots_read(("list", *expressions_of(moved))) == {0, 2, 3, 7}
    assert (moved.slot, moved.prompt, moved.origin) == (1, CHOICE.prompt, HERE)
    assert with_expressions(CHOICE, lambda expr: expr) is CHOICE


def test_the_expressions_of_a_program_are_of_known_forms() -> None:
    found = expressions_of(PROGRAM)
    assert {one[0] for expr in found for one in walk(expr)} <= set(EXPRESSIONS)
    rows = [expr for one in PROGRAM.routines for row in one.rows for expr in expressions_of(row)]
    assert len(found) >= len(rows) > 0
