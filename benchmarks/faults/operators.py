"""Faults in expressions: an operator that works on other things.

Where a mistake is: the operator. The lines of the whole expression are as good, as operators bind
more or less: with another one the outermost part may be what is of the wrong type. So is the line
where a variable is first read that the expression is the value of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from benchmarks.edits.shipped import Shipped, Text, blocks, spots
from benchmarks.edits.sites import Site, in_text
from benchmarks.edits.text_names import asked_types, wanted_types
from benchmarks.faults.variables import first_read
from ruleloom.compiler.syntax import ast

# What joins truths, what reckons, what compares numbers.
JOINS, RECKONS, COMPARES = ("and", "or"), ("+", "-", "*"), ("<", "<=", ">", ">=")
SORTS = (JOINS, RECKONS, COMPARES)


def wrong_operators(pack: Shipped, rng: Random) -> Iterator[Site]:
    """An operator of another type: `and` between numbers, `+` between truths. The mistake: it."""
    truths = {id(node) for _, node, type_ in asked_types(pack) if type_ == "Bool"}
    for text in pack.texts:
        if text.form not in ("block", "expr", "abilities"):
            continue
        whole: dict[int, ast.SyntaxNode] = {}
        reads = _first_reads(text)
        for spot in spots(text.tree):
            node = spot.node
            if not isinstance(node, ast.Binary):
                continue
            whole[id(node)] = whole.get(id(spot.parent), node)
            lines = {*_lines(text, whole[id(node)]), *reads.get(_line(text, node.span[0]), ())}
            wrong = [op for sort in SORTS if node.op not in sort for op in sort]
            if node.op in JOINS + RECKONS + COMPARES:
                yield from _other(text, node, rng.choice(wrong), lines)
            elif node.op in ("=", "!=") and id(node) in truths:
                yield from _other(text, node, rng.choice(RECKONS), lines)


def _first_reads(text: Text) -> dict[int, tuple[int, ...]]:
    """By the line of each `let`, where its variable is first read."""
    found: dict[int, tuple[int, ...]] = {}
    if text.form == "block":
        params = wanted_types(text)
        for block in blocks(text.tree):
            for number, setter in enumerate(block[:-1]):
                read = isinstance(setter, ast.LetStmt) and first_read(text, block, number, params)
                if read:
                    line = text.file.source.line_col(read[1])[0]
                    found[_line(text, setter.span[0])] = (line,)
    return found


def _other(text: Text, node: ast.Binary, wrong: str, lines: Iterable[int]) -> Iterator[Site]:
    between = text.text[node.left.span[1] : node.right.span[0]]
    found = re.search(rf"(?<=[\s)]){re.escape(node.op)}(?=[\s(])", between)
    if found is None:
        return
    start = node.left.span[1] + found.start()
    site = in_text(text, (start, start + len(node.op)), wrong)
    good = tuple((text.file.name, line) for line in sorted(lines))
    yield replace(site, group=f"{text.group} {node.op}", lines=good)


def _lines(text: Text, node: ast.SyntaxNode) -> range:
    return range(_line(text, node.span[0]), _line(text, node.span[1] - 1) + 1)


def _line(text: Text, at: int) -> int:
    return text.file.source.line_col(text.at(at))[0]
