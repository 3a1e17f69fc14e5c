"""One of the two packs compared, compiled."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item, Pack
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, PackFolder, find_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program


class Broken(Exception):
    """A side that does not compile; `sources` holds the texts that its diagnostics point into."""

    def __init__(
        self, label: str, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]
    ) -> None:
        super().__init__(f"{label} holds mistakes")
        self.label = label
        self.diagnostics = diagnostics
        self.sources = sources


class NotOne(Exception):
    """A path that stands for several packs, where one is wanted."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One pack, compiled with all that it requires; `label` is its name for people."""

    label: str
    pack: Pack
    content: Content
    program: Program

    def owns(self, item: Item) -> bool:
        """Whether an item was written in this pack, not in one that it requires."""
        return item.pack == self.pack.id


def load_side(
    path: str | Path,
    label: str,
    beside: Sequence[str | Path] = (),
    shown: tuple[str, str] | None = None,
    *,
    builtin: Path = BUILTIN,
    schemas: Path = SCHEMAS,
) -> Side:
    """Compile the one pack that `path` means, with the packs `beside` it. Raises Broken or NotOne.

    `shown` is a prefix of paths and what is shown instead: a past version lies in a passing folder.
    """
    folder = one_pack(path, label, builtin)
    named = path if isinstance(path, str) and not Path(path).exists() else folder.path
    result = compile_paths([named, *beside], texts=True, builtin=builtin, schemas=schemas)
    content = result.content
    if result.program is not None and content is not None:
        here = (one for one in content.packs if os.path.realpath(one.folder) == folder.key)
        return Side(label, next(here), content, result.program)
    diagnostics, sources = result.diagnostics, result.sources
    if shown is not None:
        diagnostics = tuple(_shown_as(one, *shown) for one in diagnostics)
        sources = {_renamed(name, *shown): text for name, text in sources.items()}
    raise Broken(label, diagnostics, sources)


def one_pack(path: str | Path, label: str, builtin: Path = BUILTIN) -> PackFolder:
    """The folder of the one pack that `path` means. Raises Broken or NotOne."""
    report = Report()
    found = find_packs(path, builtin, report)
    if not found:
        raise Broken(label, report.diagnostics(), {})
    if len(found) > 1:
        raise NotOne(", ".join(one.shown for one in found[:3]))
    return found[0]


def _renamed(path: str, begins: str, instead: str) -> str:
    return instead + path.removeprefix(begins) if path.startswith(begins) else path


def _shown_as(found: Diagnostic, begins: str, instead: str) -> Diagnostic:
    """A diagnostic about files that are shown under another name."""

    def moved(place: Place) -> Place:
        return replace(place, path=_renamed(place.path, begins, instead))

    notes = tuple(replace(note, place=moved(note.place)) for note in found.notes)
    return replace(found, place=moved(found.place), notes=notes)
