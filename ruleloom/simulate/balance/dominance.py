"""Dominance by comparing effects: an item that can do all that another can, for no more.

It is found in the texts: one text is the other with further optional parts, or offers it among its ways, and
all other printed fields, prices aside, are equal. Texts that differ only in numbers are reported too; only
play can tell which number is better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import effect_tree
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import rebuilt
from ruleloom.runtime.dataclass import Frozen

EFFECT = "effect"
NO_RULES_IN = {
    "id",
    "title",
    "text",
    "about",
    "clauses",
    "renamed_from",
    "deprecated",
    "number",
    "numbers",
}
"""Fields that do not affect what an item can do."""
NUMBER = re.compile(r"\b[0-9]+\b")
Block = tuple[ast.Stmt, ...]


class Dominance(Frozen):
    """The relation of two texts: `better` can do all that `worse` can, or they are equal except for
    `numbers`."""

    worse: str
    better: str
    why: str
    numbers: tuple[tuple[str, str], ...] = ()


def dominances(items: Sequence[Item], price: str | None) -> list[Dominance]:
    """All dominances among the items."""
    texts = [(one, block) for one in items if (block := _block(one)) is not None]
    found: list[Dominance] = []
    for (worse, its), (better, other) in permutations(texts, 2):
        if not _comparable(worse, better, price):
            continue
        why = _includes(other, its)
        if why:
            found.append(Dominance(worse.name, better.name, why))
        elif worse.name < better.name:
            mine, others = list[str](), list[str]()
            same = _numberless(its, mine) == _numberless(other, others)
            pairs = zip(mine, others, strict=True) if same else ()
            if numbers := tuple((a, b) for a, b in pairs if a != b):
                why = "the same but for numbers"
                found.append(Dominance(worse.name, better.name, why, numbers))
    return found


def has_text(item: Item) -> bool:
    """Does an item have an effect text of its own to compare?"""
    return _block(item) is not None


def _block(item: Item) -> Block | None:
    text = item.data(EFFECT)
    return effect_tree(text, "block") if isinstance(text, str) else None


def _comparable(worse: Item, better: Item, price: str | None) -> bool:
    """Are all other printed fields equal, and the better no dearer?"""
    names = {*worse.fields, *better.fields} - {*NO_RULES_IN, EFFECT, price}
    if worse.kind != better.kind or any(worse.data(one) != better.data(one) for one in names):
        return False
    costs = (worse.data(price), better.data(price)) if price is not None else (0, 0)
    if all(isinstance(one, int | float) for one in costs):
        return bool(costs[1] <= costs[0])
    return bool(costs[0] == costs[1])


def _includes(better: Block, worse: Block) -> str:
    """The reason why one text can do all that another can; empty if it cannot."""
    lines, wanted = [_plain((one,)) for one in better], [_plain((one,)) for one in worse]
    if lines == wanted:
        return "the same text"
    extra = _extra(better, lines, wanted)
    if extra is not None and all(isinstance(one, ast.OptionalStmt) for one in extra):
        return "has it and more that may be left out"
    if any(_plain(way) == _plain(_bare(worse)) for way in _ways(better)):
        return "offers it as one of its ways"
    return ""


def _extra(better: Block, lines: Sequence[Block], wanted: Sequence[Block]) -> list[ast.Stmt] | None:
    """The statements that a text adds to another; None unless it has all of it, in order."""
    left, extra = list(wanted), []
    for statement, line in zip(better, lines, strict=True):
        if left and line == left[0]:
            left.pop(0)
        else:
            extra.append(statement)
    return None if left else extra


def _bare(block: Block) -> Block:
    """The body of a text's only optional part."""
    return block[0].body if len(block) == 1 and isinstance(block[0], ast.OptionalStmt) else block


def _ways(block: Block) -> Iterator[Block]:
    """The open ways of a text's only statement."""
    inner = _bare(block)
    if len(inner) == 1 and isinstance(inner[0], ast.ChooseOneStmt):
        for mode in inner[0].modes:
            if mode.when is None:
                yield mode.body


def _plain(tree: Any) -> Any:
    """A tree without the labels of its optional parts."""
    if isinstance(tree, ast.OptionalStmt):
        tree = replace(tree, label=None)
    return rebuilt(tree, lambda part, _: _plain(part))


def _numberless(tree: Any, found: list[str]) -> Any:
    """A tree with 0 for its numbers, except those of dice, which are added to `found`."""
    match tree:
        case ast.NumberLiteral(value=value):
            found.append(str(value))
            return replace(tree, value=0)
        case ast.TextLiteral(value=value):
            found += NUMBER.findall(value)
            return replace(tree, value=NUMBER.sub("0", value))
    return rebuilt(tree, lambda part, _: _numberless(part, found))
