"""Brings a pack from its source: the bytes of one zip, and what its manifest says.

A zip is taken as it is; of a folder, here or in a repository, a zip is made of what is read and what travels
with it. Either is read by the one reader of zips, with its limits, and nothing of it is run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import (
    BUILTIN,
    SCHEMAS,
    is_archive,
    pack_in_zip,
    shipped_pack,
    shown_path,
)
from ruleloom.compiler.packs.manifest import Manifest, read_manifest
from ruleloom.compiler.packs.walk import MAX_BYTES
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Place, Source, SourceError, read_bytes
from ruleloom.diff.compare import Broken, one_pack
from ruleloom.getting.download import download
from ruleloom.getting.hosts import LedFrom
from ruleloom.getting.repositories import fetch
from ruleloom.getting.written_sources import (
    AnySource,
    GitSource,
    LocalSource,
    NamedSource,
    NotGot,
    WebSource,
)
from ruleloom.output.zip_file import zipped
from ruleloom.packing.companions import is_artwork, others_in, travels
from ruleloom.packing.release import files_of
from ruleloom.runtime.system import way_to

LFS = b"version https://git-lfs.github.com/spec/"
BOM = b"\xef\xbb\xbf"


class Arrived(NamedTuple):
    """A zip that has come: its bytes, its source as a lock has it and as it is displayed, and the commit."""

    data: bytes
    source: str
    shown: str
    commit: str = ""

    @property
    def sha256(self) -> str:
        """The SHA-256 of the zip."""
        return hashlib.sha256(self.data).hexdigest()


class ReadPack:
    """A pack that has come, with its manifest read; its zip lies in a temporary folder."""

    def __init__(self, arrived: Arrived, path: Path, manifest: Manifest) -> None:
        self.arrived, self.path, self.manifest = arrived, path, manifest
        self.id, self.version = manifest.id, manifest.version


def bring(source: AnySource, project: Path, led: LedFrom | None = None) -> Arrived:
    """The zip of the pack at a source. Raises NotGot or Broken."""
    match source:
        case LocalSource(path):
            data = _local_zip(path) if is_archive(path.name) else _zip_of_folder(path)
            return Arrived(data, way_to(path, project), shown_path(path))
        case WebSource(address, sha256):
            arrived = Arrived(download(address, MAX_BYTES, led), source.text, source.shown)
            if arrived.data.lstrip().startswith(b"<"):
                help = (
                    "name the address of the zip itself; that of an index stands behind `--index`"
                )
                raise NotGot(f"{source.shown} is a page, and not a zip", help)
            if sha256:
                check_sum(arrived, sha256, "its address says")
            return arrived
        case GitSource():
            found = fetch(source, led)
            return Arrived(
                _zip_of_repository(found.files, source), source.text, source.shown, found.commit
            )
        case NamedSource():
            raise NotGot(f"`{source.shown}` is looked up in an index, and not here")


def check_sum(arrived: Arrived, sha256: str, who: str) -> None:
    """Raise NotGot for a zip that is not the one that was promised."""
    if arrived.sha256 != sha256:
        message = f"{arrived.shown} is not the file that {who}: its SHA-256 is {arrived.sha256}, not {sha256}"
        raise NotGot(message, "do not use it before you know who changed it: ask the author")


def _local_zip(path: Path) -> bytes:
    shown = shown_path(path)
    try:
        return read_bytes(path.resolve(), shown, MAX_BYTES)
    except SourceError as error:
        raise NotGot(f"{shown}: {error.message}", error.help) from None


def _zip_of_folder(path: Path) -> bytes:
    shown = shown_path(path)
    folder = one_pack(path, shown)
    report = Report()
    names = [name for name in others_in(folder.path) if travels(name)]
    files = files_of(folder, names, report)
    if report.has_errors:
        raise Broken(shown, report.diagnostics(), {})
    return _zipped(files, shown)


def _zip_of_repository(files: Mapping[str, bytes], source: GitSource) -> bytes:
    """The zip of files in a repository, the same as of those in a folder; a zip there is taken as it is."""
    if [*map(is_archive, files)] == [True]:
        return next(iter(files.values()))
    texts = {name: data for name, data in files.items() if not is_artwork(name)}
    plain = {name: one.removeprefix(BOM).replace(b"\r\n", b"\n") for name, one in texts.items()}
    return _zipped({**files, **plain}, source.shown)


def _zipped(files: Mapping[str, bytes], shown: str) -> bytes:
    for name, data in files.items():
        if data.startswith(LFS):
            message = f"`{name}` in {shown} is a pointer to Git LFS, and not the file itself"
            raise NotGot(message, "ask its author for a zip, which `ruleloom pack` writes")
    return zipped(files)


def read_pack(arrived: Arrived, folder: Path) -> ReadPack:
    """A pack that has come, its zip written into a folder. Raises Broken or NotGot."""
    path = folder / f"{arrived.sha256}.zip"
    path.write_bytes(arrived.data)
    report, sources = Report(), dict[str, Source]()
    found = pack_in_zip(path, report, Place.of_file(arrived.shown))
    manifest = None
    if found is not None:
        manifest = read_manifest(found, schemas_of(SCHEMAS), report, sources)
    if manifest is None:
        texts = {shown: one.text for shown, one in sources.items()}
        raise Broken(arrived.shown, report.diagnostics(), texts)
    if shipped_pack(manifest.id, BUILTIN) is not None:
        message = f"the pack in {arrived.shown} calls itself `{manifest.id}`, as one that comes with Ruleloom"
        raise NotGot(message, "its author can give it another id")
    return ReadPack(arrived, path, manifest)
