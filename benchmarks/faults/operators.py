"""Faults in expressions: an operator that works on other things.

Where a mistake is: the operator; the lines of the whole expression are as good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.edits.shipped import Shipped, Text, spots
from benchmarks.edits.sites import Site, in_text
from benchmarks.edits.text_names import asked_types
from ruleloom.compiler.syntax import ast

# What joins truths, what reckons, what compares numbers.
JOINS, RECKONS, COMPARES = ("and", "or"), ("+", "-", "*"), ("<", "<=", ">", ">=")
SORTS = (JOINS, RECKONS, COMPARES)


def wrong_operators(pack: Shipped, rng: Random) -> Iterator[Site]:
    """An operator of another type: `and` between numbers, `+` between truths. The mistake: it."""
    truths = {id(node) for _, node, type_ in asked_types(pack) if type_ == "Bool"}
    for text in pack.texts:
        for spot in spots(text.tree) if text.form in ("block", "expr", "abilities") else ():
            node = spot.node
            if not isinstance(node, ast.Binary):
                continue
            wrong = [op for sort in SORTS if node.op not in sort for op in sort]
            if node.op in JOINS + RECKONS + COMPARES:
                yield from _other(text, node, rng.choice(wrong))
            elif node.op in ("=", "!=") and id(node) in truths:
                yield from _other(text, node, rng.choice(RECKONS))


def _other(text: Text, node: ast.Binary, wrong: str) -> Iterator[Site]:
    between = text.text[node.left.span[1] : node.right.span[0]]
    found = re.search(rf"(?<=[\s)]){re.escape(node.op)}(?=[\s(])", between)
    if found is None:
        return
    start = node.left.span[1] + found.start()
    site = in_text(text, (start, start + len(node.op)), wrong)
    first, last = (text.file.source.line_col(text.at(at))[0] for at in _ends(node))
    lines = tuple((text.file.name, line) for line in range(first, last + 1))
    yield replace(site, group=f"{text.group} {node.op}", lines=lines)


def _ends(node: ast.Binary) -> tuple[int, int]:
    return node.span[0], node.span[1] - 1
