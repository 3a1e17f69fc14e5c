"""Builds expressions, names and headers: a method or a line for each named form of grammar.lark.

Each takes the parts of its form as a list: tokens as they stand in the text, and what was
built before. Lists in the grammar become Python lists, frozen by the node that owns them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.precedence import sort_chain
from ruleloom.compiler.syntax.tokens import RESERVED, EffectSyntaxError, Tok
from ruleloom.runtime.program.values import exact

Parts = list[Any]


def reach(parts: Parts) -> ast.Span:
    """Return the span from the first part to the end of the last one that is not empty."""
    last = parts[-1] if parts[-1] != [] else parts[-2]
    while type(last) in (list, tuple):
        last = last[-1]
    return (parts[0].span[0], last.span[1])


def node(form: type[ast.SyntaxNode], *places: int | None) -> Callable[[Any, Parts], Any]:
    """Return what builds a form from the parts at these places; one that is missing is None."""

    def build(_: Any, s: Parts) -> ast.SyntaxNode:
        return form(reach(s), *[_field(s, place) for place in places])

    return build


def _field(s: Parts, place: int | None) -> Any:
    if place is None or place >= len(s):
        return None
    part = s[place]
    if type(part) is Tok:  # a text in quotes: no other token is a field
        return ast.TextLiteral(part.span, part.value[1:-1])
    return tuple(part) if type(part) is list else part


class ExpressionBuilder:
    """Lists of any form, expressions, names, and what stands beside an effect."""

    def first(self, s: Parts) -> Parts:
        return [s[0]]

    def next(self, s: Parts) -> Any:
        s[0].append(s[-1])
        return s[0]

    def next_line(self, s: Parts) -> Any:
        s[0].append(s[1])
        return s[0]

    def all_lines(self, s: Parts) -> Any:
        return s[0] + s[1]

    def last(self, s: Parts) -> Any:
        return s[-1]

    def alone(self, s: Parts) -> Any:
        return s[0]

    operator = rounding = gathering = alone

    def name(self, s: Parts) -> ast.Name:
        return ast.Name(s[0].span, s[0].value)

    def soft(self, s: Parts) -> Tok:
        # The formatter reads the tokens after the parser: from here on this word is a name.
        s[0].type = "NAME"
        return s[0]  # type: ignore[no-any-return]

    handled = soft

    def number(self, s: Parts) -> ast.NumberLiteral:
        return ast.NumberLiteral(s[0].span, exact(s[0].value))

    def text(self, s: Parts) -> ast.TextLiteral:
        return ast.TextLiteral(s[0].span, s[0].value[1:-1])

    def dice(self, s: Parts) -> ast.DiceLiteral:
        count, sides = s[0].value.split("d")
        return ast.DiceLiteral(s[0].span, int(count), int(sides))

    def truth(self, s: Parts) -> ast.BoolLiteral:
        return ast.BoolLiteral(s[0].span, s[0].value == "yes")

    nothing = node(ast.NoneLiteral)

    def minus(self, s: Parts) -> ast.Unary:
        if type(s[1]) is list:
            message = "`not` cannot follow another operator"
            raise EffectSyntaxError(s[1][0].span, message, "put `not ...` in parentheses")
        s[0].type = "NEGATIVE"
        return ast.Unary(reach(s), "-", s[1])

    def negation(self, s: Parts) -> Parts:
        return [s[0], *s[1]] if type(s[1]) is list else s

    def link(self, s: Parts) -> Parts:
        # An operand with `not` before it is a chain of its own.
        chain: Parts = s[0] if type(s[0]) is list else [s[0]]
        for part in s[1:]:
            if type(part) is list:
                chain += part
            else:
                chain.append(part)
        return chain

    def whole(self, s: Parts) -> ast.Expr:
        return sort_chain(s[0]) if type(s[0]) is list else s[0]

    def if_else(self, s: Parts) -> ast.IfElse:
        then = self.whole(s)
        return ast.IfElse((then.span[0], s[4].span[1]), then, s[2], s[4])

    def group(self, s: Parts) -> ast.Expr:
        # The parentheses belong to what they enclose: whatever is built around starts with them.
        inner: ast.Expr = s[1]
        return replace(inner, span=reach(s))

    def list_of(self, s: Parts) -> ast.ListExpr:
        return ast.ListExpr(reach(s), tuple(s[1]) if len(s) == 3 else ())

    def call(self, s: Parts) -> ast.CallExpr:
        name = s[0]
        args = tuple(s[2]) if len(s) == 4 else ()
        return ast.CallExpr((name.span[0], s[-1].span[1]), ast.Name(name.span, name.value), args)

    def allowed(self, s: Parts) -> ast.Allowed:
        return ast.Allowed(reach(s), s[1], tuple(s[3]) if len(s) == 5 else ())

    def gather(self, s: Parts) -> ast.Aggregate:
        return ast.Aggregate(reach(s), s[0].value, None, None, s[2], None)

    def gather_where(self, s: Parts) -> ast.Aggregate:
        where = s[6] if len(s) == 8 else None
        return ast.Aggregate(reach(s), s[0].value, None, _binder(s[2]), s[4], where)

    def gather_for(self, s: Parts) -> ast.Aggregate:
        where = s[8] if len(s) == 10 else None
        return ast.Aggregate(reach(s), s[0].value, s[2], _binder(s[4]), s[6], where)

    def arg(self, s: Parts) -> ast.Arg:
        if len(s) == 1:
            return ast.Arg(s[0].span, None, s[0])
        return ast.Arg(reach(s), s[0].value, s[2])

    def shape(self, s: Parts) -> ast.TypeName:
        if len(s) == 1:
            return ast.TypeName(s[0].span, s[0].id)
        if s[0].id != "List":
            message = f"`{s[0].id} of` is no type"
            raise EffectSyntaxError(s[0].span, message, f"write `List of {s[2].id}`")
        return ast.TypeName(reach(s), s[2].id, many=True)

    def type_name(self, s: Parts) -> ast.TypeName:
        shape: ast.TypeName = s[0]
        if len(s) == 1:
            return shape
        by_player = len(s) >= 3
        if by_player and s[-1].id != "Player":
            raise EffectSyntaxError(s[-1].span, f"`by {s[-1].id}` is no type", "write `by Player`")
        optional = type(s[1]) is Tok and s[1].value == "?"
        return replace(shape, span=reach(s), optional=optional, by_player=by_player)

    def param(self, s: Parts) -> ast.Param:
        if type(s[-1]) is Tok:  # the end of the line, in `gives`
            s = s[:-1]
        default = s[4] if len(s) == 5 else None
        return ast.Param(reach(s), s[0].id, s[2], default)


def _binder(token: Tok) -> ast.Name:
    """Return the name before a colon; the lexer lets any word through there, for labels."""
    if token.value in RESERVED:
        message = f"`{token.value}` is a word of the language"
        raise EffectSyntaxError(token.span, message, "choose another name")
    return ast.Name(token.span, token.value)
