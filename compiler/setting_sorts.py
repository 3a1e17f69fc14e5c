"""What a setting can be: a whole number, a fraction, yes or no, or a text.

The sort of a setting is that of the value it is written with, unless its `type` says more; what a patch or a
manifest puts in its place must be of the same sort, since all texts that read the setting count on it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from compiler.content import Item
from compiler.yaml_node import Node
from runtime.values import FRACTION, exact

FRACTIONAL = "fraction"
# For each sort: what a value must be, and how it is written.
WANTED = {
    "int": ("a number", "a whole number"),
    FRACTIONAL: ("a number", "a number such as `3`, `1/2` or `0.5`"),
    "bool": ("`true` or `false`", "`true` or `false`"),
    "text": ("a text", "it in quotes"),
}


def sort_of(item: Item) -> str:
    """The sort of a setting; the kind of its value in YAML where that is of none."""
    node, written = item.fields["value"], item.fields.get("type")
    if written is not None:
        return FRACTIONAL if written.text == str(FRACTION) else node.kind
    return FRACTIONAL if node.kind == "text" and amount(node) is not None else node.kind


def amount(node: Node) -> int | Fraction | None:
    """The exact number that stands there, without quotes; None for anything else."""
    if node.kind not in ("int", "text") or node.style is not None:
        return None
    try:
        return exact(node.text if node.text is not None else str(node.value))
    except ValueError:
        return None


def may_be(item: Item, node: Node) -> bool:
    """May this value stand in the place of a setting's own?"""
    sort = sort_of(item)
    if sort == FRACTIONAL:
        return amount(node) is not None
    if sort == "text" and "type" not in item.fields and amount(node) is not None:
        return False  # it would pass for a number
    return node.kind == sort


def in_place_of(item: Item, node: Node) -> Node:
    """The value as the setting would have written it: a whole number where a fraction stood is one still."""
    return replace(node, kind="text", value=str(node.value)) if sort_of(item) == FRACTIONAL else node
