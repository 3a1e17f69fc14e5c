"""The parts of conditions, and those of texts in statements.

A pair of braces around a name is a hole, any other brace stands for itself.
"""

from __future__ import annotations

import re

from ruleloom.compiler.syntax.ast import Binary, Expr, Name, Span, TextLiteral

HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
# What would be a hole in a sheet (a field, a measure, a sum), and a name with spaces around it.
ODD_HOLE = re.compile(r"\{ *[A-Za-z_][A-Za-z0-9_]* *(?:[-+*(][^{}]*| )\}")


def conjuncts(node: Expr) -> list[Expr]:
    """The parts of a condition that all have to hold."""
    if isinstance(node, Binary) and node.op == "and":
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def parts(text: TextLiteral) -> tuple[str | Name, ...]:
    """The parts of a text in order, none of them empty; a hole is a name, without its braces."""
    found: list[str | Name] = []
    start = text.span[0] + 1  # behind the quotation mark
    end = 0
    written = text.value if text.written is None else text.written
    for hole, place in zip(HOLE.finditer(text.value), HOLE.finditer(written), strict=True):
        if hole.start() > end:
            found.append(text.value[end : hole.start()])
        found.append(Name((start + place.start(1), start + place.end(1)), hole[1]))
        end = hole.end()
    if end < len(text.value):
        found.append(text.value[end:])
    return tuple(found)


def holes(text: TextLiteral) -> tuple[Name, ...]:
    """The names in a text's holes."""
    return tuple(part for part in parts(text) if isinstance(part, Name))


def odd_holes(text: TextLiteral) -> tuple[Span, ...]:
    """The spans of braces in a text that look like a hole and hold no plain name."""
    start = text.span[0] + 1
    return tuple((start + odd.start(), start + odd.end()) for odd in ODD_HOLE.finditer(text.value))
