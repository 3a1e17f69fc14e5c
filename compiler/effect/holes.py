"""Holes in the texts of statements: `"{who} falls"` as a text, a name and a text.

A pair of braces around a name is a hole; any other brace stands for itself.
"""

from __future__ import annotations

import re

from compiler.effect import tree

HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
# A field of a thing, a measure, a sum: what would be a hole in a sheet, and a name with spaces around it.
ODD_HOLE = re.compile(r"\{ *[A-Za-z_][A-Za-z0-9_]* *(?:[-+*(][^{}]*| )\}")


def parts(text: tree.Text) -> tuple[str | tree.Name, ...]:
    """The parts of a text in order; each name has its place, without the braces. No part is empty."""
    found: list[str | tree.Name] = []
    start = text.span[0] + 1  # behind the quotation mark
    end = 0
    for hole in HOLE.finditer(text.value):
        if hole.start() > end:
            found.append(text.value[end : hole.start()])
        found.append(tree.Name((start + hole.start(1), start + hole.end(1)), hole[1]))
        end = hole.end()
    if end < len(text.value):
        found.append(text.value[end:])
    return tuple(found)


def holes(text: tree.Text) -> tuple[tree.Name, ...]:
    """The names in a text's holes."""
    return tuple(part for part in parts(text) if isinstance(part, tree.Name))


def odd_holes(text: tree.Text) -> tuple[tree.Span, ...]:
    """Where a text has braces that look like a hole and hold no plain name."""
    start = text.span[0] + 1
    return tuple((start + odd.start(), start + odd.end()) for odd in ODD_HOLE.finditer(text.value))
