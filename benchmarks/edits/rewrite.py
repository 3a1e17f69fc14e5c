"""Puts a changed syntax tree back into its file, in the canonical form of effect text."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from benchmarks.edits.print_abilities import write_abilities
from benchmarks.edits.printer import write_block, write_expr, write_params
from benchmarks.edits.shipped import STATEMENTS, File, Text
from benchmarks.edits.sites import Edit, Site
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.yaml.node import YamlNode

SPAN = (0, 0)
NOTHING = ast.SayStmt(SPAN, ast.TextLiteral(SPAN, "nothing happens"))


def rewritten(
    text: Text, target: ast.SyntaxNode, new: ast.SyntaxNode | tuple[ast.SyntaxNode, ...], says: str
) -> Site:
    """The change of a file that puts `new` in the place of one node of a text; `()` takes the node
    out.

    A block that would be empty says something instead; a field of abilities that would be empty
    goes.
    """
    changed = _exchanged(text.tree, target, new)
    if isinstance(changed, tuple) and not changed:
        if text.form == "abilities":
            return without_field(text.file, text.item.node, text.path[-1], text.group, says)
        changed = (NOTHING,)
    edit = Edit(text.node.start, text.node.end, _as_field(text, changed))
    return Site(text.file, text.group, (edit,), text.at(target.span[0]), says)


def without_field(file: File, owner: YamlNode, key: str, group: str, says: str) -> Site:
    """The change of a file that takes a field out of a map, whether it is written as a block or in
    a line."""
    start, end = (owner.key_spans or {})[key][0], owner.entries[key].end
    if owner.style != "{":
        start = file.text.rfind("\n", 0, start) + 1
        end = file.text.find("\n", end - 1) + 1 or len(file.text)
    elif file.text[end] == ",":
        end += 2
    else:
        start = file.text.rfind(",", 0, start)
    return Site(file, group, (Edit(start, end, ""),), start, says)


def _exchanged(node: Any, target: ast.SyntaxNode, new: Any) -> Any:
    if node is target:
        return new
    if isinstance(node, tuple):
        return _exchanged_within(node, target, new)
    if not isinstance(node, ast.SyntaxNode):
        return node
    values = {}
    for each in fields(node):
        old = getattr(node, each.name)
        if each.name != "span" and (found := _exchanged(old, target, new)) is not old:
            values[each.name] = found
    return replace(node, **values) if values else node


def _exchanged_within(nodes: tuple[Any, ...], target: ast.SyntaxNode, new: Any) -> tuple[Any, ...]:
    """A list of nodes: statements may be taken out of it, or give way to several."""
    found: list[Any] = []
    for one in nodes:
        if one is target and isinstance(new, tuple):
            found += new
        else:
            found.append(_exchanged(one, target, new))
    if all(a is b for a, b in zip(found, nodes, strict=False)) and len(found) == len(nodes):
        return nodes
    if not found and isinstance(target, STATEMENTS):
        return (NOTHING,)
    return tuple(found)


def _as_field(text: Text, changed: Any) -> str:
    """The changed tree as its field writes it."""
    if text.form == "params":
        body = write_params(changed)
    elif text.form == "abilities":
        body = write_abilities(changed)
    elif text.form == "block":
        body = write_block(changed).rstrip("\n")
    else:
        body = write_expr(changed)
    if text.node.style == "|":
        line = text.file.source.line_text(text.file.source.line_col(text.at(0))[0])
        margin = line[: len(line) - len(line.lstrip(" "))]
        return "|\n" + "\n".join(f"{margin}{one}" for one in body.split("\n"))
    if "\n" in body:
        column = text.file.source.line_col(text.item.node.start)[1] + 1
        return "|\n" + "\n".join(f"{' ' * column}{one}" for one in body.split("\n"))
    quote = "'" if '"' in body else '"'
    return f"{quote}{body}{quote}"
