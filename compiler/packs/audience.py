"""Takes `for: gm` off items, which says that only the person who leads the game reads them.

It is allowed in every kind, as `like` is. Where a type stands there, it comes behind: `for: gm, Card`.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.schema.registry import FOR
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode, text_of

GM = "gm"
Starts = frozenset[tuple[Source, int]]
"""The sources of items with their starts in them."""


def without_audience(root: YamlNode) -> tuple[YamlNode, Starts]:
    """The items of a file without `for: gm`, and the starts of those that had it."""
    nodes = root.items if root.kind == "list" else [root]
    marked = [node for node in nodes if is_for_gm(node) and text_of(node.get("kind")) != "pack"]
    if not marked:
        return root, frozenset()
    bare = [_without(node) if node in marked else node for node in nodes]
    starts = frozenset((node.source, node.start) for node in marked)
    if root.kind != "list":
        return bare[0], starts
    return YamlNode(root.source, "list", bare, root.start, root.end, root.style), starts


def is_for_gm(node: YamlNode) -> bool:
    """Does `for: gm` stand in an item or a manifest?"""
    return text_of(node.get(FOR)).partition(",")[0] == GM


def _without(node: YamlNode) -> YamlNode:
    entries = {name: one for name, one in node.entries.items() if name != FOR}
    said = node.entries[FOR]
    if rest := text_of(said).partition(",")[2].strip():
        start = said.start + said.raw.rindex(rest)
        entries[FOR] = replace(said, value=rest, start=start, end=start + len(rest), style=None)
    return YamlNode(
        node.source,
        node.kind,
        entries,
        node.start,
        node.end,
        node.style,
        node.key_spans,
        node.key_sources,
    )
