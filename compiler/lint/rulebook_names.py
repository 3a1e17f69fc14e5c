"""Checks the names under `rulebook` in manifests: each is something that is done, told once."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import entries_of, items_of

TOLD = ("flow", "power", "fusion")
Named = Iterator[tuple[str, Place]]


def check(build: Build) -> None:
    """Complain about names that mean nothing, and about what two chapters of a pack tell."""
    known = {item.slug for item in build.content.items if item.kind in TOLD}
    for pack in build.content.packs:
        seen: set[str] = set()
        for name, place in _told(pack.manifest):
            if name in seen:
                message = f"another chapter tells `{name}`"
                build.report.error("told-twice", place, message, "name it in one of them")
            seen.add(name)
        for name, place in (*_told(pack.manifest), *_headed(pack.manifest)):
            if slug_of(name) not in known and not build.content.poisoned.may_declare(name):
                message = f"there is no power or flow `{name}`"
                build.report.error("unknown-power", place, message, did_you_mean(name, known))


def _told(manifest: Item) -> Named:
    """The names in all chapters."""
    for chapter in items_of(entries_of(manifest.fields.get("rulebook")).get("chapters")):
        begins = chapter.get("begins")
        for node in (*([begins] if begins is not None else ()), *items_of(chapter.get("tells"))):
            yield node.text or "", node.place


def _headed(manifest: Item) -> Named:
    """The names that have headings."""
    node = entries_of(manifest.fields.get("rulebook")).get("headings")
    if node is not None:
        yield from ((name, node.key_place(name)) for name in node.entries)
