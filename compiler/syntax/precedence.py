"""Sorts a flat chain of operands and operators by precedence.

A chain is a list such as [a, +, b, *, c]; `not` stands in it before its operand, `is none` and
`rounded up` after it. The parser collects chains without regard to precedence, and the lexer has
capped their length.
"""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.syntax.ast import ROUNDINGS, Binary, Expr, IsNone, Unary
from ruleloom.compiler.syntax.tokens import EffectSyntaxError, Tok

_OR, _AND, _NOT, _COMPARISON, _SPAN, _SUM, _PRODUCT = range(1, 8)

LEVELS: dict[str, int] = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(
        ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is none", "is not none"], _COMPARISON
    ),
    "..": _SPAN,
    **dict.fromkeys(["+", "-", *ROUNDINGS], _SUM),
    **dict.fromkeys(["*", "div", "mod"], _PRODUCT),
}

_ALONE = frozenset([_COMPARISON, _SPAN])  # two of them never stand side by side


def sort_chain(chain: list[Any]) -> Expr:
    """Return the tree of a chain."""
    if len(chain) == 3 and type(chain[0]) is not Tok and type(chain[2]) is not Tok:
        left, operator, right = chain
        return Binary((left.span[0], right.span[1]), operator.value, left, right)
    tree: Expr = _climb(chain, 0, _OR)[0]
    return tree


def _climb(chain: list[Any], at: int, floor: int) -> tuple[Any, int]:
    """Read one operand and all operators that bind at least as tight as *floor*."""
    left = chain[at]
    at += 1
    if type(left) is Tok:
        if floor > _NOT:
            message = "`not` cannot follow another operator"
            raise EffectSyntaxError(left.span, message, "put `not ...` in parentheses")
        value, at = _climb(chain, at, _NOT)
        left = Unary((left.span[0], value.span[1]), "not", value)
    before = 0
    while at < len(chain):
        operator: Tok = chain[at]
        level = LEVELS[operator.value]
        if level < floor:
            break
        if level == before and level in _ALONE:
            raise _doubled(operator, level)
        before = level
        at += 1
        if operator.value in ("is none", "is not none"):
            left = IsNone((left.span[0], operator.span[1]), left, operator.value == "is not none")
        elif operator.value in ROUNDINGS:
            last = chain[at - 2]
            if type(last) is Tok and last.value in ROUNDINGS:
                message = f"`{operator.value}` follows another rounding"
                raise EffectSyntaxError(operator.span, message, "take one out")
            left = Unary((left.span[0], operator.span[1]), operator.value, left)
        else:
            right, at = _climb(chain, at, level + 1)
            left = Binary((left.span[0], right.span[1]), operator.value, left, right)
    return left, at


def _doubled(operator: Tok, level: int) -> EffectSyntaxError:
    if level == _SPAN:
        return EffectSyntaxError(operator.span, "a span has two ends only", "write `1 .. 3`")
    help = "join two comparisons with `and`, as in `1 < x and x < 3`"
    return EffectSyntaxError(operator.span, f"`{operator.value}` follows another comparison", help)
