"""Old names of items in cases, which `renamed_from:` keeps valid as it does in items.

In goes the tree of a file of cases; out comes one with the new names, for whoever checks or runs it.
Effect texts in it are read like any other; what people read, and names of its own, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ruleloom.compiler.cases.case_model import ABOUT, DO, LIKE
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.packs.renames import Renames, notice
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.tree import VALUE
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

# What holds no names of items: prose, effect text, and names of cases, players and clauses.
SKIPPED = frozenset(
    [*("id", "title", "clauses", LIKE, DO, "log", "unlogged", "reason", "refused", "players", "me")]
) | (frozenset(ABOUT) - {"kind"})
WORD = re.compile(r"[A-Za-z_][\w-]*")
NAME = re.compile(r"[\w.#-]+")


def with_new_case_names(
    root: YamlNode, words: Mapping[tuple[str, str], Item], renames: Renames, report: Report
) -> YamlNode:
    """The tree of a file of cases with new names for old ones, each with a notice."""
    if not renames:
        return root
    meant = {word: item for (role, word), item in words.items() if role == VALUE}
    for (kind, name), item in renames.items():
        if kind == "requirement":
            meant.setdefault(slug_of(name), item)
    own = {slug_of(name) for name in _own_names(root)}
    return _Cases({word: item for word, item in meant.items() if word not in own}, report).read(
        root
    )


def _own_names(node: YamlNode) -> Iterator[str]:
    """The things, players and what play has made of all cases of a file."""
    for key, child in node.entries.items():
        if key in ("things", "made"):
            yield from child.entries
            yield from (name for made in child.entries.values() for name in made.entries)
        elif key == "players":
            yield from (one.text or "" for one in child.items)
        yield from _own_names(child)
    for child in node.items:
        yield from _own_names(child)


@dataclass(frozen=True, slots=True)
class _Cases:
    meant: Mapping[str, Item]
    report: Report

    def read(self, node: YamlNode) -> YamlNode:
        """A node, or what it says with new names."""
        match node.kind:
            case "list":
                return replace(node, value=[self.read(child) for child in node.items])
            case "map":
                return self._map(node)
        if node.text is None or not NAME.fullmatch(node.text):
            return node
        return replace(node, value=self._now(node.text, node.place))

    def _map(self, node: YamlNode) -> YamlNode:
        entries: dict[str, YamlNode] = {}
        spans = dict(node.key_spans or {})
        for key, child in node.entries.items():
            if key in SKIPPED:
                entries[key] = child
                continue
            now = self._now(key, node.key_place(key))
            entries[now] = self.read(child)
            if key in spans:
                spans[now] = spans.pop(key)
        return replace(node, value=entries, key_spans=spans or None)

    def _now(self, written: str, place: Place) -> str:
        def new(found: re.Match[str]) -> str:
            item = self.meant.get(slug_of(found[0]))
            if item is None:
                return found[0]
            name = item.slug if "_" in found[0] else item.name
            notice(self.report, place, found[0], item, name)
            return name

        return WORD.sub(new, written)
