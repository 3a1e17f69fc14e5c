"""Makes an index of a folder: its packs in zips and folders, by what their manifests say.

A zip goes before a folder with the same version of a pack, which is the one that it was made of. Nothing is
compiled. The text is read back as whoever looks a name up will read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.version import Version

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.index_file import EDITION, read_index
from ruleloom.compiler.packs.locate import is_archive, shown_path
from ruleloom.compiler.packs.manifest import Manifest
from ruleloom.compiler.packs.walk import MANIFEST, MAX_FILES
from ruleloom.compiler.source.file import Source
from ruleloom.diff.compare import Broken
from ruleloom.getting.sources import bring, read_pack
from ruleloom.getting.written_sources import LocalSource, NotGot, is_plain
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.system import way_to

FIELDS = ("title", "about", "licence")


class IndexedPack(Frozen):
    """A pack of an index: its manifest, its address as seen from the index, and the SHA-256 of its zip."""

    manifest: Manifest
    address: str
    sha256: str

    @property
    def key(self) -> tuple[str, Version]:
        """The id and version."""
        return self.manifest.id, self.manifest.version

    def data(self, name: str) -> Any:
        """What the manifest says under a name."""
        return self.manifest.item.data(name)


def packs_below(folder: Path, base: Path) -> tuple[list[IndexedPack], list[str]]:
    """The packs in a folder, for an index in the folder `base`, and the zips that hold none. Raises NotGot or
    Broken."""
    found: dict[tuple[str, Version], IndexedPack] = {}
    others: list[str] = []
    with TemporaryDirectory(prefix="ruleloom-") as place:
        for path in _paths(folder):
            try:
                one = _indexed(path, base, Path(place))
            except Broken as broken:
                if [each.code for each in broken.diagnostics] != ["no-pack"]:
                    raise
                others.append(shown_path(path))
                continue
            first = found.setdefault(one.key, one)
            if first is not one and is_archive(first.address) and is_archive(one.address):
                message = f"{first.address} and {one.address} are both `{one.key[0]}` {one.key[1]}"
                raise NotGot(message, "take one of them away, or raise the version of one")
    if not found:
        raise NotGot(
            f"there is no pack in {shown_path(folder)}", "`ruleloom pack` writes a zip of one"
        )
    return sorted(found.values(), key=lambda one: one.key), others


def _indexed(path: Path, base: Path, place: Path) -> IndexedPack:
    address = way_to(path, base)
    if not is_plain(address):
        message = f"{shown_path(path)} lies not below the index"
        raise NotGot(
            message, f"write the index into {shown_path(path.parent)}: -o index.yaml there"
        )
    pack = read_pack(bring(LocalSource(path), base), place)
    return IndexedPack(pack.manifest, address, pack.arrived.sha256)


def _paths(folder: Path) -> Iterator[Path]:
    """The zips in a folder, then the folders of packs in it; not in hidden ones, nor in packs."""
    zips, folders = list[Path](), list[Path]()
    for above, inner, names in os.walk(folder):
        if len(zips) + len(folders) > MAX_FILES:
            raise NotGot(f"there are more than {MAX_FILES:,} packs in {shown_path(folder)}")
        if MANIFEST in names:
            folders.append(Path(above))
            inner.clear()
            continue
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        zips += [Path(above) / name for name in sorted(names) if is_archive(name)]
    yield from zips
    yield from folders


def index_text(packs: Sequence[IndexedPack]) -> str:
    """The text of an index. Raises Broken if it would not be read as one."""
    lines = [f"# Written by `ruleloom index`.\nedition: {EDITION}\npacks:"]
    for one in packs:
        lines += [f"{'  ' if number else '- '}{row}" for number, row in enumerate(_rows(one))]
    text, report = "\n".join(lines) + "\n", Report()
    read_index(Source.from_text(text, "index.yaml"), report)
    if report.has_errors:
        raise Broken("index.yaml", report.diagnostics(), {"index.yaml": text})
    return text


def _rows(one: IndexedPack) -> Iterator[str]:
    """The lines of a pack in an index."""
    manifest = one.manifest
    yield f"id: {manifest.id}"
    yield f"version: {_quoted(str(manifest.version))}"
    yield f"game: {manifest.game}"
    yield from (f"{name}: {_quoted(text)}" for name in FIELDS if (text := one.data(name)))
    wanted = {id: str(range.value) for id, range in manifest.requires.items()}
    if wanted:
        ranges = ", ".join(f"{id}: {_quoted(text)}" for id, text in wanted.items())
        yield f"requires: {{{ranges}}}"
    yield f"sha256: {_quoted(one.sha256)}"
    yield f"address: {_quoted(one.address)}"


def _quoted(text: str) -> str:
    return json.dumps(str(text), ensure_ascii=False)
