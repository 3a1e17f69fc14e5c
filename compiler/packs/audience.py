"""Takes off items what any kind of item may say besides its own fields.

`for: gm` says that only the person who leads the game reads the item; where a type stands there, it comes
behind: `for: gm, Card`. `against:` and a hash say which texts of other packs its author has read. Fields of
these names that say anything else are the kind's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ruleloom.compiler.schema.registry import AGAINST, FOR
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode, text_of

GM = "gm"
HASH = re.compile(r"[0-9a-f]{8}")
ItemStart = tuple[Source, int]
"""The source of an item, and its start in it."""


class SaidBesides(NamedTuple):
    """What the items of a file say besides: those `for_gm`, and what others are `against`."""

    for_gm: frozenset[ItemStart] = frozenset()
    against: Mapping[ItemStart, YamlNode] = {}


def without_besides(root: YamlNode) -> tuple[YamlNode, SaidBesides]:
    """The items of a file without `for: gm` and `against:`, and what these said."""
    nodes = root.items if root.kind == "list" else [root]
    own = [node for node in nodes if text_of(node.get("kind")) != "pack"]
    for_gm = frozenset((node.source, node.start) for node in own if is_for_gm(node))
    against = dict(map(_against, filter(_has_hash, own)))
    besides = SaidBesides(for_gm, against)
    marked = for_gm | against.keys()
    if not marked:
        return root, besides
    bare = [_without(node) if (node.source, node.start) in marked else node for node in nodes]
    if root.kind != "list":
        return bare[0], besides
    return YamlNode(root.source, "list", bare, root.start, root.end, root.style), besides


def is_for_gm(node: YamlNode) -> bool:
    """Does `for: gm` stand in an item or a manifest?"""
    return text_of(node.get(FOR)).partition(",")[0] == GM


def _has_hash(node: YamlNode) -> bool:
    return HASH.fullmatch(text_of(node.get(AGAINST))) is not None


def _against(node: YamlNode) -> tuple[ItemStart, YamlNode]:
    return (node.source, node.start), node.entries[AGAINST]


def _without(node: YamlNode) -> YamlNode:
    is_hash = _has_hash(node)
    entries = {name: one for name, one in node.entries.items() if name != AGAINST or not is_hash}
    if is_for_gm(node):
        said = entries.pop(FOR)
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
