"""Checks and lowers expressions to tuple forms of the program, each with its type.

An expression that was reported has the type unknown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

from ruleloom.compiler.bounds.intervals import numbers
from ruleloom.compiler.check import calls, expect
from ruleloom.compiler.check.names import (
    check_name,
    entity_of,
    is_option_name,
    is_strange_name,
    refuse_dashes,
)
from ruleloom.compiler.flow.context import BAD, BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import EMPTY, comparable, dice_form, is_faces, is_number, join, list_of
from ruleloom.runtime.program.expr import mentions, rounded
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, LARGEST, NONE, TEXT, Type


def check_expr(ctx: Context, node: ast.Expr, expected: Type | None = None) -> Typed:
    """Check one expression; `expected` is the type the place would like, if it says so."""
    typed = _forms(ctx, node, expected)
    if typed.type.optional and typed.type != NONE and typed.expr in ctx.flow.facts:
        return replace(typed, type=typed.type.present)
    return typed


_LITERALS: Mapping[type, Type] = {int: INT, Fraction: FRACTION, str: TEXT, bool: BOOL}


def _forms(ctx: Context, node: ast.Expr, expected: Type | None) -> Typed:
    match node:
        case ast.Name():
            return check_name(ctx, node, expected)
        case ast.CallExpr():
            return calls.check_call(ctx, node)
        case ast.Binary():
            return _binary(ctx, node, expected)
        case ast.NumberLiteral() | ast.TextLiteral() | ast.BoolLiteral():
            return Typed(("value", node.value), _LITERALS[type(node.value)])
        case ast.NoneLiteral():
            return Typed(("value", None), NONE)
        case ast.DiceLiteral():
            help = "`roll x = ...` on a line of its own"
            return ctx.error("dice-outside-roll", node, "dice can only be rolled", help)
        case ast.Allowed():
            return calls.check_allowed(ctx, node)
        case ast.ListExpr():
            return _list(ctx, node, expected)
        case ast.IsNone():
            return _is_none(ctx, node)
        case ast.IfElse():
            return _if_else(ctx, node, expected)
        case ast.Aggregate():
            return calls.check_aggregate(ctx, node)
        case ast.Unary():
            return _unary(ctx, node)


def _list(ctx: Context, node: ast.ListExpr, expected: Type | None) -> Typed:
    found: Type | None = None
    parts: list[Expr] = []
    sound, sought = True, _sought(expected) or entity_of(ctx, node.items)
    for one in node.items:
        typed = ctx.check(one, sought)
        parts.append(typed.expr)
        sound &= typed.sound
        together = _with_item(ctx, one, typed.type, found)
        if isinstance(together, Typed):
            return together
        found = together
    if found is None:
        return Typed(("list",), EMPTY)
    if not sound:
        return BAD
    if found.optional:
        return expect.mismatch(ctx, node.items[0], found, found.present, "in a list")
    if expected is not None and expected.repeats and found == INT:
        return Typed((dice_form(True), ("value", ()), ("list", *parts)), expected.present)
    repeats = found in (INT, FRACTION, TEXT)
    expr = _list_form(parts if repeats else _once_each(ctx, node, parts), repeats)
    return Typed(expr, list_of(found))


def _sought(expected: Type | None) -> Type | None:
    """The type that a place would like of each thing in a list, if it says so."""
    return expected.item if expected and expected.many and expected.name != "?" else None


def _with_item(ctx: Context, one: ast.Expr, type_: Type, found: Type | None) -> Type | Typed:
    """The type of the items so far and one more; the complaint if they do not go together."""
    given = f"`{ctx.words(one)}` is {ctx.say(type_)}"
    if type_.many or type_.by_player:
        return ctx.error("type-mismatch", one, f"{given}, and a list holds single things")
    if found is None:
        return type_
    message = f"{given}, but the list began with {ctx.say(found)}"
    return join(found, type_) or ctx.error("type-mismatch", one, message)


def _list_form(parts: list[Expr], repeats: bool) -> Expr:
    if all(part[0] == "value" and not isinstance(part[1], tuple) for part in parts):
        return ("value", tuple(part[1] for part in parts))
    if repeats:
        return ("list", *parts)
    # Two names may mean one thing, and a list holds a thing once.
    lists: list[Expr] = [("list", part) for part in parts]
    return reduce(lambda left, right: ("join", left, right), lists)


def _once_each(ctx: Context, node: ast.ListExpr, parts: list[Expr]) -> list[Expr]:
    """The things of a list, each once, with a warning of one written twice."""
    for place, (one, part) in enumerate(zip(node.items, parts, strict=True)):
        if part in parts[:place] and not mentions(part, BROKEN):
            message = f"`{ctx.words(one)}` is in this list already, and counts once"
            ctx.warn("listed-twice", one, message)
    return list(dict.fromkeys(parts))


def _is_none(ctx: Context, node: ast.IsNone) -> Typed:
    mark = len(ctx.reads)
    typed = ctx.check(node.value)
    if not typed.sound:
        return calls.BAD_CONDITION
    if (
        typed.expr[0] == "slot"
    ):  # whether chance found anything, all know who know how many lay there
        ctx.reads[mark:] = [read for read in ctx.reads[mark:] if not read.counted]
    if not typed.type.optional:
        ctx.warn("constant-condition", node, _never_none(ctx, node, typed.expr))
    known = frozenset({typed.expr})
    if node.negated:
        return Typed(("not", ("is_none", typed.expr)), BOOL, yes=known)
    return Typed(("is_none", typed.expr), BOOL, no=known)


def _never_none(ctx: Context, node: ast.IsNone, expr: Expr) -> str:
    """That a condition asks in vain; a text may go on about a thing that has left."""
    asked, always = ctx.words(node.value), "always" if node.negated else "never"
    if expr[0] == "field":
        entity, _, field = expr[1].partition(".")
        if field == ctx.symbols.entities.part(entity, "present"):
            which = f"`{asked}` is none only of {ctx.say(Type(entity))} that has left"
            return f"{which}; of one that is there this is {always} true"
    return f"`{asked}` is never none, so this is {always} true"


def _if_else(ctx: Context, node: ast.IfElse, expected: Type | None) -> Typed:
    test = expect.condition(ctx, node.condition)
    if test.sound:
        expect.warn_if_constant(ctx, node.condition, test.expr)
    with ctx.knowing(test.yes):
        then = ctx.check(node.then, expected)
    with ctx.knowing(test.no):
        otherwise = ctx.check(node.otherwise, expected)
    type_ = join(then.type, otherwise.type)
    if type_ is None:
        message = f"this is {ctx.say(then.type)} or {ctx.say(otherwise.type)}, and must be one kind of thing"
        return ctx.error("type-mismatch", node, message)
    return Typed(("if", test.expr, then.expr, otherwise.expr), type_)


def _unary(ctx: Context, node: ast.Unary) -> Typed:
    if node.op == "not":
        typed = expect.condition(ctx, node.value)
        return Typed(("not", typed.expr), BOOL, yes=typed.no, no=typed.yes)
    if node.op in ast.ROUNDINGS:
        return _rounded(ctx, node)
    typed = expect.number(ctx, node.value)
    type_ = typed.type if typed.known else INT
    if typed.expr[0] == "value" and isinstance(typed.expr[1], int | Fraction):
        return Typed(("value", -typed.expr[1]), type_)
    return Typed(("negative", typed.expr), type_)


def _rounded(ctx: Context, node: ast.Unary) -> Typed:
    """`E rounded up`: what may be a fraction, or a division, which else rounds down."""
    how, value = node.op.removeprefix("rounded "), node.value
    if isinstance(value, ast.Binary) and value.op == "div":
        typed = _division(ctx, value)
        return Typed(rounded(typed.expr[1], how, typed.expr[2]), INT) if typed.sound else BAD
    typed = expect.number(ctx, value)
    if typed.known and typed.type == INT:
        words = ctx.words(value)
        message = f"`{words}` is a whole number, and `{node.op}` changes nothing of it"
        return ctx.error("type-mismatch", node, message, f"`{words}`")
    return Typed(rounded(typed.expr, how), INT) if typed.sound else BAD


def _binary(ctx: Context, node: ast.Binary, expected: Type | None) -> Typed:
    match node.op:
        case "and" | "or":
            return _logic(ctx, node)
        case "=" | "!=":
            return _equal(ctx, node)
        case "<" | "<=" | ">" | ">=":
            return _sides(ctx, node, BOOL, expect.as_number)
        case "in" | "not in":
            return _member(ctx, node)
        case "..":
            return _sides(ctx, node, list_of(INT), expect.as_whole)
        case "div" | "mod":
            return _division(ctx, node)
        case _:
            return _arithmetic(ctx, node, expected)


def _sides(ctx: Context, node: ast.Binary, type_: Type, hold: expect.Hold) -> Typed:
    """An operator between two sides of one sort: a wrong operator is one mistake, not three."""
    left, right = ctx.check(node.left), ctx.check(node.right)
    held = expect.both(ctx, node, (left, right), hold)
    return Typed((node.op, held[0].expr, held[1].expr), type_) if held is not None else BAD


def _logic(ctx: Context, node: ast.Binary) -> Typed:
    left = ctx.check(node.left, BOOL)
    with ctx.knowing(left.yes if node.op == "and" else left.no):
        is_told = expect.asks_again(ctx, node.op, node.left, node.right)
        right = BAD if is_told else ctx.check(node.right, BOOL)
    held = expect.both(ctx, node, (left, right), expect.as_truth)
    ctx.unsure |= not (left.sound and right.sound)
    if held is None:
        return BAD
    expr = (node.op, held[0].expr, held[1].expr)
    if node.op == "and":
        return Typed(expr, BOOL, left.yes | right.yes, left.no & right.no)
    return Typed(expr, BOOL, left.yes & right.yes, left.no | right.no)


def _equal(ctx: Context, node: ast.Binary) -> Typed:
    if is_option_name(ctx, node.left) and not is_option_name(ctx, node.right):
        right = ctx.check(node.right)
        left = _other_side(ctx, node.left, right)
    else:
        left = ctx.check(node.left)
        right = _other_side(ctx, node.right, left)
    if not (left.known and right.known):
        return calls.BAD_CONDITION
    if NONE in (left.type, right.type):
        return _equal_to_none(ctx, node, left, right)
    if not comparable(left.type, right.type):
        return _incomparable(ctx, node, left.type, right.type)
    known = NO_FACTS
    if left.type.optional != right.type.optional:
        known = frozenset({left.expr if left.type.optional else right.expr})
    expr = (node.op, left.expr, right.expr)
    return Typed(expr, BOOL, yes=known) if node.op == "=" else Typed(expr, BOOL, no=known)


def _equal_to_none(ctx: Context, node: ast.Binary, left: Typed, right: Typed) -> Typed:
    """The complaint about `x = none`; what follows still knows what the author meant by it."""
    other, asked = (node.left, left) if right.type == NONE else (node.right, right)
    words = f"{ctx.words(other)} is {'' if node.op == '=' else 'not '}none"
    ctx.error("compare-with-none", node, "none is not compared but asked for", f"`{words}`")
    known = frozenset({asked.expr})
    if node.op == "=":
        return replace(calls.BAD_CONDITION, no=known)
    return replace(calls.BAD_CONDITION, yes=known)


def _other_side(ctx: Context, node: ast.Expr, first: Typed) -> Typed:
    # An option of a switch means something beside that switch only, which may be what is broken.
    if not first.known and (is_option_name(ctx, node) or is_strange_name(ctx, node)):
        return BAD
    return ctx.check(node, first.type)


def _incomparable(ctx: Context, node: ast.Binary, left: Type, right: Type) -> Typed:
    one, other = ctx.words(node.left), ctx.words(node.right)
    message = f"`{one}` is {ctx.say(left)} and `{other}` is {ctx.say(right)}; they are never equal"
    help = f"`{one} in {other}`" if right.many and not left.many else None
    # To blame is a value of another enum, a text or `yes`; else the whole comparison.
    enums = bool(ctx.symbols.options_of(left)) and bool(ctx.symbols.options_of(right))
    to_blame: ast.SyntaxNode = node
    for side in (node.right, node.left):
        is_literal = isinstance(side, ast.TextLiteral | ast.BoolLiteral)
        if is_literal or (enums and is_option_name(ctx, side)):
            to_blame = side
    ctx.error("type-mismatch", to_blame, message, help)
    return calls.BAD_CONDITION


def _member(ctx: Context, node: ast.Binary) -> Typed:
    left = None
    if isinstance(node.right, ast.ListExpr) and not is_strange_name(ctx, node.left):
        left = None if is_option_name(ctx, node.left) else ctx.check(node.left)
    wanted = list_of(left.type.present) if left is not None and left.known else None
    right = expect.listed(ctx, node.right, wanted)
    if not right.known and is_strange_name(ctx, node.left):
        return calls.BAD_CONDITION
    left = left or ctx.check(node.left, right.type.item if right.known else None)
    if left.known and right.known and not comparable(left.type.present, right.type.item):
        one, whole = ctx.say(left.type), ctx.say(right.type)
        message = f"`{ctx.words(node.left)}` is {one}, and `{ctx.words(node.right)}` is {whole}"
        return ctx.error("type-mismatch", node, message)
    expr: Expr = ("in", left.expr, right.expr)
    return Typed(("not", expr) if node.op == "not in" else expr, BOOL)


def _division(ctx: Context, node: ast.Binary) -> Typed:
    # `div` rounds down, whatever it is given; a rest is that of whole numbers.
    left = expect.number(ctx, node.left) if node.op == "div" else expect.wanted(ctx, node.left, INT)
    right = expect.wanted(ctx, node.right, INT)
    if right.known and right.expr[0] not in ("value", "setting"):
        message = f"`{node.op}` divides by a plain number or a setting only"
        return ctx.error("division", node.right, message)
    low, _ = numbers(ctx, right.expr)
    if right.sound and (low is None or low < 1):
        help = "give it a `min: 1`" if right.expr[0] == "setting" else None
        message = f"`{ctx.words(node.right)}` may be less than one, and cannot divide"
        return ctx.error("division", node.right, message, help)
    return Typed((node.op, left.expr, right.expr), INT)


def _arithmetic(ctx: Context, node: ast.Binary, expected: Type | None) -> Typed:
    if node.op == "-" and refuse_dashes(ctx, node):
        return BAD
    left = ctx.check(node.left, expected)
    if not left.known and node.op in ("+", "-"):
        # It may have been meant as a list or as a number.
        ctx.check(node.right, expected)
        return BAD
    if left.known and left.type.many and node.op in ("+", "-"):
        return _changed_list(ctx, node, left)
    if not is_number(left.type) and is_option_name(ctx, node.right):
        # The right side is an option of the left one, and another operator was meant.
        if left.sound:
            expect.as_number(ctx, node.left, left, f"beside `{node.op}`")
        return BAD
    right = ctx.check(node.right, FRACTION)
    held = expect.both(ctx, node, (left, right), expect.as_number)
    if held is None:
        return BAD
    type_ = FRACTION if FRACTION in (left.type, right.type) else INT
    expr: Expr = (node.op, held[0].expr, held[1].expr)
    if abs(_constant(expr) or 0) > LARGEST:
        message = "this is always a number beyond 2^53"
        return ctx.error("number-too-large", node, message)
    return Typed(expr, type_)


def _constant(expr: Expr) -> Any:
    """The sum, difference or product of plain numbers; None for anything else."""
    if expr[0] == "value" and isinstance(expr[1], int | Fraction):
        return expr[1]
    if expr[0] not in CONSTANT:
        return None
    left, right = _constant(expr[1]), _constant(expr[2])
    if left is None or right is None:
        return None
    return CONSTANT[expr[0]](left, right)


CONSTANT: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def _changed_list(ctx: Context, node: ast.Binary, left: Typed) -> Typed:
    right = expect.listed(ctx, node.right, list_of(INT) if left.type.repeats else left.type)
    if right.known and is_faces(left.type, right.type):
        return Typed((dice_form(node.op == "+"), left.expr, right.expr), left.type)
    type_ = join(left.type, right.type)
    if type_ is None:
        return expect.mismatch(ctx, node.right, right.type, left.type)
    return Typed(("join" if node.op == "+" else "without", left.expr, right.expr), type_)
