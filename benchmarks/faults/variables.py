"""Faults in the order of statements: what sets a variable comes too late, or not at all.

Where a mistake is: where the variable is first read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from benchmarks.edits.shipped import Shipped, Text, blocks, spots
from benchmarks.edits.sites import Edit, Site, shown
from benchmarks.edits.text_names import Names, wanted_types
from ruleloom.compiler.syntax import ast


def read_before_write(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A statement that sets a variable is moved behind the first one that reads it, or put into an
    `optional`.

    The mistake: where the variable is first read.
    """
    for text in pack.texts:
        if text.form == "block" and text.node.style == "|":
            params = wanted_types(text)
            for block in blocks(text.tree):
                for number, setter in enumerate(block[:-1]):
                    yield from _unset(text, block, number, setter, params)


def _unset(
    text: Text,
    block: tuple[ast.SyntaxNode, ...],
    number: int,
    setter: ast.SyntaxNode,
    params: frozenset[str],
) -> Iterator[Site]:
    found = first_read(text, block, number, params)
    if found is None:
        return
    reader, first = found
    lines = lines_of(text, setter)
    body = text.file.text[slice(*lines)]
    behind = lines_of(text, reader)[1]
    moved = (Edit(*lines, ""), Edit(behind, behind, body))
    yield Site(
        text.file, text.group, moved, first - len(body), f"`{shown(body)}` moved below its use"
    )
    indent = body[: len(body) - len(body.lstrip(" "))]
    deeper = "".join(f"    {line}\n" for line in body.rstrip("\n").split("\n"))
    wrapped = f'{indent}optional "perhaps":\n{deeper}'
    yield Site(
        text.file,
        text.group,
        (Edit(*lines, wrapped),),
        first + len(wrapped) - len(body),
        f"`{shown(body)}` put into an `optional`",
    )


def first_read(
    text: Text, block: tuple[ast.SyntaxNode, ...], number: int, params: frozenset[str]
) -> tuple[ast.SyntaxNode, int] | None:
    """What first reads the variable that a statement sets, and where; None where nothing in its
    block does, or something else sets it."""
    setter = block[number]
    variable = _set_by(setter)
    if variable is None or variable.id in params:
        return None
    if any(variable.id in _names_in(one) for one in _before(text, setter)):
        return None
    for reader in block[number + 1 :]:
        if reads := _reads(text, reader, variable.id):
            return None if _sets(reader, variable.id) else (reader, text.at(reads[0]))
    return None


def _set_by(node: ast.SyntaxNode) -> ast.Name | None:
    match node:
        case (
            ast.ChooseStmt()
            | ast.AskStmt()
            | ast.RollStmt()
            | ast.DrawStmt()
            | ast.LetStmt()
            | ast.SecretlyStmt()
        ):
            return node.name
        case ast.OperateStmt() | ast.UseStmt():
            return node.giving
    return None


def _before(text: Text, setter: ast.SyntaxNode) -> Iterator[ast.SyntaxNode]:
    """The statements, wherever they stand, that end before a statement begins."""
    for block in blocks(text.tree):
        for one in block:
            if one.span[1] <= setter.span[0]:
                yield one


def _names_in(node: ast.SyntaxNode) -> set[str]:
    return {spot.node.id for spot in spots(node) if isinstance(spot.node, ast.Name)}


def _reads(text: Text, node: ast.SyntaxNode, name: str) -> list[int]:
    """Where a statement reads a variable, by itself or in a hole of a prompt, in the order of the
    text; nothing if something in it also binds that name, unless it is what it gives at last."""
    found = [
        spot
        for spot in spots(node)
        if isinstance(spot.node, ast.Name)
        and spot.node.id == name
        and not (spot.parent is node and spot.field == "giving")
    ]
    if any(Names.binds(spot) for spot in found):
        return []
    holes = [
        node.span[0] + hole.start() + 1 for hole in re.finditer(rf"{{{name}}}", text.words(node))
    ]
    return sorted({*holes, *(spot.node.span[0] for spot in found)})


def _sets(node: ast.SyntaxNode, name: str) -> bool:
    return any(
        isinstance(spot.node, ast.AssignStmt | ast.AddStmt) and spot.node.name.id == name
        for spot in spots(node)
    )


def lines_of(text: Text, node: ast.SyntaxNode) -> tuple[int, int]:
    """The whole lines of the file on which a statement stands."""
    file = text.file.text
    start = file.rfind("\n", 0, text.at(node.span[0])) + 1
    end = file.find("\n", text.at(node.span[1] - 1))
    return start, len(file) if end < 0 else end + 1
