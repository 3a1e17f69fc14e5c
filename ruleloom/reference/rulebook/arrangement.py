"""What packs say about the order of the document: chapters and headings, under `rulebook:` in their
manifests. Without that, the order of first use makes the chapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass

# What is done, and can be told in a chapter.
ACTING = ("flow", "power", "fusion")


@dataclass(frozen=True, slots=True)
class PlannedChapter:
    """A chapter that some pack has planned; `begins` is the flow or power whose steps it opens with,
    or empty, `tells` are those that have a section in it."""

    name: str
    title: str
    about: str
    begins: str
    tells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The planned chapters, and the headings of sections by id."""

    chapters: Sequence[PlannedChapter]
    headings: Mapping[str, str]


def arrangement_of(content: Content) -> Arrangement:
    """What all packs say, in their order."""
    ids = {item.slug: item.id for kind in reversed(ACTING) for item in content.by_kind(kind)}
    chapters: list[PlannedChapter] = []
    headings: dict[str, str] = {}
    for pack in content.packs:
        said = pack.manifest.data("rulebook") or {}
        headings |= {ids[name]: text for name, text in _slugs(said.get("headings"), ids)}
        for one in said.get("chapters") or ():
            chapters.append(_planned(one, ids, len(chapters)))
    return Arrangement(tuple(chapters), headings)


def _planned(said: Mapping[str, Any], ids: Mapping[str, str], number: int) -> PlannedChapter:
    tells = [ids[name] for name, _ in _slugs(dict.fromkeys(said.get("tells") or (), ""), ids)]
    begins = ids.get(_slug(said.get("begins") or ""), "")
    about = " ".join(str(said.get("about") or "").split())
    return PlannedChapter(f"chapter {number}", str(said["title"]), about, begins, tuple(tells))


def _slugs(said: Mapping[str, str] | None, ids: Mapping[str, str]) -> list[tuple[str, str]]:
    """The entries whose names are those of something that is done."""
    pairs = [(_slug(name), str(text)) for name, text in (said or {}).items()]
    return [(name, text) for name, text in pairs if name in ids]


def _slug(name: str) -> str:
    return name.replace("-", "_")
