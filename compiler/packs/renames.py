"""Old names of items, which `renamed_from:` keeps valid.

An old name that two items claim, or that some item still has, is refused as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode

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


WORD = re.compile(r"[A-Za-z_]\w*")
PARAM = re.compile(r"([A-Za-z_]\w*)\s*:")


def _words_of(item: Item) -> Iterator[str]:
    """Yield the words that may mean something else in a text because of this item."""
    yield item.slug
    if item.kind in ("vocabulary", "extension"):
        yield from WORD.findall(item.node.raw)
    for field in ("takes", "gives"):
        yield from PARAM.findall(str(item.data(field) or ""))
    yield from WORD.findall(str(item.data("event") or ""))


def old_words(renames: Renames, items: Iterable[Item]) -> dict[str, Item]:
    """Old names by the bare word a text may write, where that word can mean nothing else.

    Left out are the slugs of all items, the words of the vocabulary, and the names of parameters.
    """
    if not renames:
        return {}
    taken = {word for item in items for word in _words_of(item)}
    found: dict[str, Item] = {}
    for (_, name), item in renames.items():
        word = slug_of(name)
        if word in found and found[word].slug != item.slug:
            taken.add(word)
        found[word] = item
    return {word: item for word, item in found.items() if word not in taken}
