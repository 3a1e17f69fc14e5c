"""Indexes, by which packs are to be had by name: in a file, a folder, the web or a repository.

No index is built in. Of several, the first that lists a pack is asked for it, so that a later one cannot slip
in another pack of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urljoin

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.index_file import IndexEntry, read_index
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.source.file import MAX_BYTES, Source, SourceError
from ruleloom.diff.compare import Broken
from ruleloom.getting.download import download
from ruleloom.getting.hosts import LedFrom
from ruleloom.getting.repositories import fetch
from ruleloom.getting.resolving import newness
from ruleloom.getting.written_sources import (
    AnySource,
    GitSource,
    LocalSource,
    NamedSource,
    NotGot,
    WebSource,
    is_plain,
    read_address,
    read_source,
)
from ruleloom.runtime.system import way_to

INDEX = "index.yaml"
IndexSource = LocalSource | WebSource | GitSource
HELP = "an index is a file `index.yaml`, or a folder, web address or repository that has one"


class Index(NamedTuple):
    """An index as it was named, where it lies, and what it lists."""

    text: str
    source: IndexSource
    entries: Sequence[IndexEntry]

    def listed(self, id: str) -> list[IndexEntry]:
        """The versions of a pack, the newest first, and previews last."""
        return sorted((one for one in self.entries if one.id == id), key=newness, reverse=True)

    def source_of(self, entry: IndexEntry) -> tuple[AnySource, LedFrom | None]:
        """Where a listed pack is, and what leads there. Raises NotGot for what no index may say."""
        address = self.source.address if not isinstance(self.source, LocalSource) else None
        led = LedFrom(self.source.shown, address)
        try:
            if "://" in entry.address or entry.address.startswith("git+"):
                return read_source(entry.address), led
            if not is_plain(entry.address):
                help = "write https://HOST/PACK.zip, or a path below the index"
                raise NotGot("it is no whole address, and lies not below the index", help)
            return self._below(entry.address), led if address is not None else None
        except NotGot as refused:
            at = entry.place
            message = f"{at.path}:{at.line}:{at.column}: the address of `{entry.id}` is refused: {refused}"
            raise NotGot(message, refused.help) from None

    def _below(self, path: str) -> AnySource:
        match self.source:
            case LocalSource(file):
                return LocalSource(file.parent / path)
            case WebSource(address):
                return WebSource(read_address(urljoin(address.text, quote(path))))
            case GitSource(address, ref, inside):
                return GitSource(address, ref, "/".join((*inside.split("/")[:-1], path)))


def open_index(text: str, base: Path, project: Path) -> Index:
    """Read the index that a text names; paths are seen from `base`, and kept as from the project. Raises
    NotGot or Broken."""
    named = read_source(text, base)
    if isinstance(named, NamedSource):
        named = LocalSource(base / text)
    source, data, shown = _read(named)
    report = Report()
    try:
        file = Source.decode(data, shown)
        entries = read_index(file, report)
    except SourceError as error:
        report.refuse(error)
    if report.has_errors:
        raise Broken(shown, report.diagnostics(), {shown: data.decode("utf-8", "replace")})
    text = way_to(source.path, project) if isinstance(source, LocalSource) else text
    return Index(text, source, entries)


def _read(named: IndexSource) -> tuple[IndexSource, bytes, str]:
    """The file of an index: where it is found at last, its bytes, and its display path."""
    match named:
        case LocalSource(path):
            path = path / INDEX if path.is_dir() else path
            shown = shown_path(path)
            try:
                return LocalSource(path), Source.read(path, shown).text.encode(), shown
            except SourceError as error:
                raise NotGot(f"{shown}: {error.message}", error.help or HELP) from None
        case WebSource(address):
            if address.path.endswith("/"):
                address = read_address(address.text + INDEX)
            return WebSource(address), download(address, MAX_BYTES), address.shown
        case GitSource(address, ref, inside):
            inside = inside if inside.endswith(ENDINGS) else f"{inside}/{INDEX}".lstrip("/")
            found = fetch(GitSource(address, ref, inside))
            source = GitSource(address, found.commit, inside)
            return source, next(iter(found.files.values())), source.shown
