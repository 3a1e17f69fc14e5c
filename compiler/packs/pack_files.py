"""Reads all files that a compilation depends on, before anything is parsed.

With the same schemas, inputs with an equal `key` compile to the same program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import sep
from os.path import realpath
from pathlib import Path
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.locate import PackFolder, shown_path
from ruleloom.compiler.packs.manifest import Manifest
from ruleloom.compiler.packs.walk import (
    ALL_SAVED,
    ENDINGS,
    HIDDEN,
    MANIFEST,
    FoundFile,
    Unsaved,
    shown_under,
)
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.runtime.dataclass import dataclass


class ReadFile(NamedTuple):
    """One file of a pack: its name within the pack, its display path, and its source or the error."""

    inside: str
    shown: str
    source: Source | SourceError


@dataclass(frozen=True, slots=True, eq=False)
class PackFiles:
    """The files of one pack, the findings of the walk, and whether every file was found."""

    manifest: Manifest
    files: tuple[ReadFile, ...]
    refused: tuple[Diagnostic, ...]
    complete: bool

    @classmethod
    def read(cls, manifest: Manifest, unsaved: Unsaved = ALL_SAVED) -> PackFiles:
        """Read all files of a pack, its manifest from memory."""
        report = Report()
        found, complete = manifest.folder.files(report)
        own = {MANIFEST: manifest.item.source}
        found = [*found, *_never_saved(manifest.folder, found, unsaved)]
        files = tuple(_read(file, unsaved, own.get(file.inside)) for file in found)
        return cls(manifest, files, report.found, complete)

    def digest(self) -> str:
        """The hash of all files, which identifies the pack in a lock."""
        digest = hashlib.sha256()
        for inside, _, source in self.files:
            # Each part is preceded by its length, so that different packs have different input to
            # the hash.
            for part in (inside, source.text if isinstance(source, Source) else ""):
                data = part.encode()
                digest.update(b"%d:%b" % (len(data), data))
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class PackInputs:
    """The files of all packs, required ones first; `loose` files are in no pack.

    `named` are the ids of the packs that were asked for, not only required.
    """

    packs: tuple[PackFiles, ...]
    loose: tuple[ReadFile, ...]
    named: frozenset[str]

    @property
    def game(self) -> str:
        """The game of all these packs."""
        return self.packs[0].manifest.game

    @property
    def manifests(self) -> tuple[str, ...]:
        """The display paths of the manifests."""
        return tuple(pack.manifest.item.place.path for pack in self.packs)

    @property
    def size(self) -> int:
        """The number of characters of all texts."""
        return sum(len(source.text) for source in self.sources().values())

    def sources(self) -> dict[str, Source]:
        """The sources of all readable files, by display path."""
        sources = (file.source for file in self._files())
        return {one.path: one for one in sources if isinstance(one, Source)}

    def key(self) -> Hashable | None:
        """The cache key of these inputs; None if a file or folder was refused."""
        if any(pack.refused or not pack.complete for pack in self.packs):
            return None
        if any(isinstance(file.source, SourceError) for file in self._files()):
            return None
        manifests = [pack.manifest for pack in self.packs]
        known_by = tuple((one.id, one.folder.path, one.folder.shown) for one in manifests)
        texts = tuple(_texts(pack.files) for pack in self.packs)
        return known_by, texts, _texts(self.loose), self.named

    def lie_in(self, folder: Path) -> bool:
        """Are all packs in this folder, and no loose files outside it?"""
        inside = realpath(folder) + sep
        return not self.loose and all(
            pack.manifest.folder.key.startswith(inside) for pack in self.packs
        )

    def with_texts(self, texts: Mapping[str, str]) -> PackInputs:
        """The inputs with other texts in these files, by display path."""
        packs = (replace(pack, files=_with(pack.files, texts)) for pack in self.packs)
        return replace(self, packs=tuple(packs), loose=_with(self.loose, texts))

    def only(self, packs: Collection[str]) -> PackInputs:
        """The inputs with these packs only, and without loose files."""
        kept = tuple(pack for pack in self.packs if pack.manifest.id in packs)
        return PackInputs(kept, (), self.named & frozenset(packs))

    def _files(self) -> Iterator[ReadFile]:
        for pack in self.packs:
            yield from pack.files
        yield from self.loose


def read_inputs(
    manifests: Sequence[Manifest],
    loose: Sequence[str | Path],
    named: frozenset[str],
    unsaved: Unsaved = ALL_SAVED,
) -> PackInputs:
    """Read the files of these packs, and the loose files that are in none of them."""
    packs = tuple(PackFiles.read(manifest, unsaved) for manifest in manifests)
    others = tuple(_read_loose(loose, packs, unsaved)) if loose else ()
    return PackInputs(packs, others, named)


def _read_loose(
    loose: Sequence[str | Path], packs: Sequence[PackFiles], unsaved: Unsaved
) -> Iterator[ReadFile]:
    # `Path.resolve` would raise where a link leads to itself.
    inside = [(pack.manifest.folder.key, file.inside) for pack in packs for file in pack.files]
    there = {realpath(Path(folder) / name) for folder, name in inside}
    names = {file.inside for file in packs[-1].files}
    for path in map(Path, loose):
        if realpath(path) in there:
            continue
        shown = shown_path(path)
        name = path.name if path.name not in names else shown
        names.add(name)
        yield _read(FoundFile(str(path), name, shown), unsaved)


def _never_saved(
    folder: PackFolder, found: Sequence[FoundFile], unsaved: Unsaved
) -> Iterator[FoundFile]:
    """The files of a pack that exist only in an editor so far."""
    if not unsaved or folder.archive is not None:
        return
    known = {realpath(file.path) for file in found}
    head = f"{folder.key}{sep}"
    for path in sorted(unsaved):
        if path.startswith(head) and path.endswith(ENDINGS) and path not in known:
            inside = path.removeprefix(head).replace(sep, "/")
            if not HIDDEN.search(inside) and not Path(path).exists():
                yield FoundFile(path, inside, shown_under(folder.shown, inside))


def _read(file: FoundFile, unsaved: Unsaved, known: Source | None = None) -> ReadFile:
    try:
        return ReadFile(file.inside, file.shown, known or file.read(unsaved))
    except SourceError as error:
        return ReadFile(file.inside, file.shown, error)


def _with(files: Sequence[ReadFile], texts: Mapping[str, str]) -> tuple[ReadFile, ...]:
    return tuple(
        one._replace(source=Source.from_text(texts[one.shown], one.shown))
        if one.shown in texts
        else one
        for one in files
    )


def _texts(files: Sequence[ReadFile]) -> Hashable:
    return tuple(
        (inside, shown, (source.text, *source.pasted) if isinstance(source, Source) else None)
        for inside, shown, source in files
    )
