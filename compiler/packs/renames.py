"""Old names of items, which `renamed_from:` keeps valid.

An old name that two items claim, or that some item still has, is refused as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.packs.content import COMMON_KINDS, Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.tree import (
    BONUS,
    EVENT,
    KEYWORD,
    LASTING,
    POWER,
    REPLACED,
    RULE,
    STAT,
    VALUE,
)
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

RENAMED_FROM = "renamed_from"


Renames = Mapping[tuple[str, str], Item]
"""The items by kind and old name; nothing of an old name that was refused."""


def renames_of(items: Iterable[Item], report: Report) -> Renames:
    """Read the old names of all items."""
    known = {(item.kind, item.name): item for item in items}
    found: dict[tuple[str, str], Item] = {}
    refused: set[tuple[str, str]] = set()
    for item in known.values():
        for node in _old_names(item):
            old = (item.kind, str(node.value))
            other = known.get(old) or found.get(old)
            if other is None:
                found[old] = item
                continue
            refused.add(old)
            message = f"`{item.id}` and `{other.id}` both claim the old name `{old[1]}`"
            if old in known:
                message = f"`{old[1]}` is the name of `{other.id}` itself"
            note, help = (
                Note(other.place, f"`{other.id}` stands here"),
                "take it out of one of them",
            )
            report.error("bad-rename", node.place, message, help, [note])
    return {old: item for old, item in found.items() if old not in refused}


def renamed(renames: Renames, pack: str, kind: str, name: str) -> Item | None:
    """The item that had this name; `pack` may be empty."""
    item = renames.get((kind, name))
    return item if item is not None and pack in ("", item.pack) else None


def _old_names(item: Item) -> list[YamlNode]:
    written = item.fields.get(RENAMED_FROM)
    if written is None:
        return []
    return written.items if written.kind == "list" else [written]


def notice(report: Report, place: Place, written: str, item: Item, wanted: str = "") -> None:
    """Warn that a name is an old one; `wanted` is the right one where that is not the full id."""
    name = wanted or item.id
    message = f"`{written}` is now called `{name}`, and is taken as that"
    note = Note(item.fields[RENAMED_FROM].place, f"`{item.id}` was renamed here")
    help = Suggestion(written, name, f"write `{name}`")
    report.warning("renamed", place, message, help, [note])


ANY_WORD = re.compile(r"[A-Za-z_]\w*")
PARAM = re.compile(r"([A-Za-z_]\w*)\s*:")
TOLD = re.compile(r"\((.*)\)", re.DOTALL)
OPEN_TO_OWN = (VALUE, LASTING)
"""The roles in which a name may be a variable of the text."""
_IN_PLACE_OF = {"before": ("power", "flow"), "after": ("power", "flow")} | dict.fromkeys(
    ("begin", "end", "prolong"), ("lasting",)
)
# By role, the kinds of the items whose names stand in it; a content item is a value.
KINDS: Mapping[str, tuple[str, ...]] = {
    POWER: ("power",),
    REPLACED: ("power", "flow"),
    RULE: ("rule",),
    STAT: ("stat",),
    BONUS: ("bonus", "tag"),
    KEYWORD: ("keyword",),
    LASTING: ("lasting",),
    VALUE: (*("rule", "stat", "measure", "table", "setting", "switch", "lasting", "bonus", "tag"),),
}
# In these roles names of the vocabulary may stand as well.
_OF_VOCABULARY = (REPLACED, VALUE)


def own_words(item: Item) -> list[str]:
    """The words that a text of an item may mean by themselves; in a vocabulary any of it."""
    if item.kind in ("vocabulary", "extension"):
        return ANY_WORD.findall(item.node.raw)
    params = " ".join(str(item.data(field) or "") for field in ("takes", "gives", "of"))
    told = TOLD.search(str(item.data("event") or ""))
    return PARAM.findall(params) + (ANY_WORD.findall(told[1]) if told is not None else [])


def old_words(renames: Renames, items: Iterable[Item]) -> dict[tuple[str, str], Item]:
    """The items by what a text may write for them in a role, where it can mean nothing else there:
    `before old_name` is all that an event is called by."""
    if not renames:
        return {}
    taken: dict[tuple[str, str], str] = {}
    for item in items:
        taken |= dict.fromkeys(_written(item.kind, item.slug), item.slug)
        if item.kind in ("vocabulary", "extension"):
            declared = set(_declared(item.node))
            taken |= {(role, word): word for role in _OF_VOCABULARY for word in declared}
    found: dict[tuple[str, str], Item] = {}
    for (kind, name), item in renames.items():
        for key in _written(kind, slug_of(name)):
            if taken.setdefault(key, item.slug) == item.slug:
                found[key] = item
            else:
                found.pop(key, None)
    return found


def _written(kind: str, word: str) -> Iterator[tuple[str, str]]:
    """The words that a text may write for an item of this kind and name, each with its role."""
    yield from ((role, word) for role, kinds in KINDS.items() if kind in kinds)
    if kind not in COMMON_KINDS:
        yield VALUE, word
    for phase, kinds in _IN_PLACE_OF.items():
        if kind in kinds:
            yield EVENT, f"{phase} {word}"


def _declared(node: YamlNode) -> Iterator[str]:
    """The words that a part of a vocabulary may declare: its keys, and the values of its enums."""
    yield from node.entries
    for child in (*node.entries.values(), *node.items):
        yield from _declared(child)
    yield from (child.text for child in node.items if child.text is not None)


HOLE = re.compile(r"\{([A-Za-z_]\w*)(?=[}:])")
# The fields with English in which settings may stand in braces.
_WORDED = frozenset({"english", "gloss", "called", "log"})
_TAGGED = frozenset({"tags", "parent"})


def with_new_names(
    items: Iterable[Item], words: Mapping[tuple[str, str], Item], report: Report
) -> tuple[Item, ...]:
    """The items with new names for old tags, and for what stands in the holes of English."""
    if not words:
        return tuple(items)
    return tuple(_Fields(words, {*own_words(item)}, report).of(item) for item in items)


@dataclass(frozen=True, slots=True)
class _Fields:
    words: Mapping[tuple[str, str], Item]
    own: set[str]
    report: Report

    def of(self, item: Item) -> Item:
        fields = {name: self._read(name, node) for name, node in item.fields.items()}
        same = all(node is item.fields[name] for name, node in fields.items())
        return item if same else replace(item, fields=fields)

    def _read(self, field: str, node: YamlNode) -> YamlNode:
        if node.kind == "map":
            entries = {key: self._read(key, child) for key, child in node.entries.items()}
            same = all(child is node.entries[key] for key, child in entries.items())
            return node if same else replace(node, value=entries)
        if node.kind == "list":
            children = [self._read(field, child) for child in node.items]
            same = all(one is other for one, other in zip(children, node.items, strict=True))
            return node if same else replace(node, value=children)
        if node.text is None:
            return node
        if field in _TAGGED:
            return self._tag(node, node.text)
        return self._holes(node, node.text) if field in _WORDED and "{" in node.text else node

    def _tag(self, node: YamlNode, written: str) -> YamlNode:
        item = self.words.get((BONUS, slug_of(written)))
        if item is None or item.kind != "tag":
            return node
        notice(self.report, node.place, written, item, item.name)
        return replace(node, value=item.name)

    def _holes(self, node: YamlNode, text: str) -> YamlNode:
        for hole in HOLE.finditer(text):
            item = self.words.get((VALUE, hole[1]))
            if item is not None and hole[1] not in self.own:
                start = node.source.text.find(hole[0], node.start, node.end) + 1
                place = node.source.place(start, start + len(hole[1])) if start else node.place
                notice(self.report, place, hole[1], item, item.slug)
                text = text.replace(hole[0], f"{{{item.slug}")
        return node if text == node.text else replace(node, value=text)
