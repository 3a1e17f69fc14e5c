"""Puts a changed syntax tree back into its file, in the canonical form of effect text."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from benchmarks.fault_sites import Edit, Site
from benchmarks.shipped import STATEMENTS, Text
from compiler.effect import tree
from compiler.effect.write import write_block, write_expr, write_params

SPAN = (0, 0)
NOTHING = tree.Say(SPAN, tree.Text(SPAN, "nothing happens"))


def rewritten(text: Text, target: tree.Node, new: tree.Node | tuple[tree.Node, ...], says: str) -> Site:
    """The change of a file that puts `new` in the place of one node of a text; `()` takes the node out.

    A block that would be empty says something instead.
    """
    changed = _exchanged(text.tree, target, new)
    if isinstance(changed, tuple) and not changed:
        changed = (NOTHING,)
    edit = Edit(text.node.start, text.node.end, _as_field(text, changed))
    return Site(text.file, text.group, (edit,), text.at(target.span[0]), says)


def _exchanged(node: Any, target: tree.Node, new: Any) -> Any:
    if node is target:
        return new
    if isinstance(node, tuple):
        return _exchanged_within(node, target, new)
    if not isinstance(node, tree.Node):
        return node
    values = {}
    for each in fields(node):
        old = getattr(node, each.name)
        if each.name != "span" and (found := _exchanged(old, target, new)) is not old:
            values[each.name] = found
    return replace(node, **values) if values else node


def _exchanged_within(nodes: tuple[Any, ...], target: tree.Node, new: Any) -> tuple[Any, ...]:
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
    elif text.form == "block":
        body = write_block(changed).rstrip("\n")
    else:
        body = write_expr(changed)
    if text.node.style == "|":
        line = text.file.source.line_text(text.file.source.line_col(text.at(0))[0])
        margin = line[: len(line) - len(line.lstrip(" "))]
        return "|\n" + "\n".join(f"{margin}{one}" for one in body.split("\n"))
    quote = "'" if '"' in body else '"'
    return f"{quote}{body}{quote}"
