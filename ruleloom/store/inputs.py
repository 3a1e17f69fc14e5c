"""Hashes of the inputs of store entries: the files of packs, and Ruleloom itself.

The compiler's own code finds and walks the packs. After a complaint or an unreadable file there is no hash,
so that the compiler runs and reports it. Every file is read: file system metadata does not tell whether it
changed.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, known_pack
from ruleloom.compiler.source.file import MAX_BYTES, SourceError, read_bytes
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.system import OURS

HOME = Path(__file__).resolve().parent.parent
"""The package `ruleloom`, with all of the tool; in a checkout, by links."""
PARTS = ("api", "compiler", "runtime", "schemas", "store")
"""The folders that make store entries: they import no others."""
OWN_ENDINGS = (".py", ".json", ".lark", ".yaml")
# Libraries that influence findings; the others only read the command line or write pages.
LIBRARIES = ("yaml", "lark", "jsonschema", "referencing", "packaging")


class Inputs(Frozen):
    """The files of some packs: texts by displayed path, and hashes of all bytes: `content` without their
    location, and `digest` with the displayed paths."""

    folders: tuple[PackFolder, ...]
    content: str
    digest: str
    texts: Mapping[str, str] = field(repr=False, compare=False)


def named_packs(paths: Sequence[str]) -> tuple[PackFolder, ...] | None:
    """The packs under the paths, without duplicates; None after any complaint."""
    report = Report()
    found = [folder for path in paths for folder in find_packs(path, BUILTIN, report)]
    if report.diagnostics() or not found:
        return None
    return tuple({folder.key: folder for folder in found}.values())


def packs_below(ids: Sequence[str], above: Sequence[PackFolder]) -> Inputs | None:
    """The packs with these ids, shipped or kept in a project around packs `above`; None if one is missing."""
    found = [_known(id, above) for id in ids]
    there = tuple(folder for folder in found if folder is not None)
    return inputs_of(there) if len(there) == len(ids) else None


def _known(id: str, above: Sequence[PackFolder]) -> PackFolder | None:
    """The first pack of this id that is known around one of the others."""
    known = (known_pack(id, folder.path, BUILTIN, Report()) for folder in above)
    return next((one for one in known if one is not None), None)


def inputs_of(folders: tuple[PackFolder, ...]) -> Inputs | None:
    """Hash all files of these packs; None after any complaint."""
    report = Report()
    found = [(folder, *folder.files(report)) for folder in folders]
    if report.diagnostics() or not all(complete for _, _, complete in found):
        return None
    content, names, texts = Digest(), Digest(), dict[str, str]()
    for folder, files, _ in found:
        whole = folder.archive.data if folder.archive is not None else b""
        content.add(b"pack", whole, b"%d" % len(files))
        names.add(b"pack", _encoded(folder.shown))
        for file in files:
            try:
                if file.archive is None:
                    data = read_bytes(file.path, file.shown, MAX_BYTES)
                else:  # its bytes are hashed already; only the text is needed
                    data = file.read().text.encode()
                text = data.decode("utf-8-sig")
            except (SourceError, UnicodeDecodeError):
                return None
            content.add(_encoded(file.inside), data)
            names.add(_encoded(file.shown))
            texts[file.shown] = text.replace("\r\n", "\n") if "\r" in text else text
    digest = Digest(content.hex().encode(), names.hex().encode())
    return Inputs(folders, content.hex(), digest.hex(), texts)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class Digest:
    """A hash over parts, each prefixed with its length, so that no two sequences collide."""

    def __init__(self, *parts: bytes) -> None:
        self._sum = hashlib.sha256()
        self.add(*parts)

    def add(self, *parts: bytes) -> None:
        """Add more parts."""
        for part in parts:
            self._sum.update(b"%d:" % len(part))
            self._sum.update(part)

    def hex(self) -> str:
        """The hash as 64 digits."""
        return self._sum.hexdigest()


@cache
def tool_digest() -> str:
    """The hash of all that makes findings of texts: Python, our code, schemas, libraries."""
    python = (sys.version, sys.implementation.name, sys.platform)
    digest = Digest(*map(str.encode, (*python, own_digest())))
    for name in LIBRARIES:
        digest.add(*_version_of(name))
    return digest.hex()


@cache
def own_digest() -> str:
    """The hash of our code and schemas, without location."""
    digest = Digest()
    for name in sorted(chain(*(_own_files(f"{HOME}/{part}", f"{part}/") for part in PARTS))):
        # Neither `Path` nor `open`, for speed: there are four hundred files.
        handle = os.open(f"{HOME}/{name}", os.O_RDONLY | OURS)
        try:
            digest.add(_encoded(name), os.read(handle, os.fstat(handle).st_size))
        finally:
            os.close(handle)
    return digest.hex()


def _own_files(folder: str, inside: str) -> Iterator[str]:
    """The file names below."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = inside + entry.name
            if entry.is_dir() and entry.name != "__pycache__":
                yield from _own_files(entry.path, f"{name}/")
            elif entry.name.endswith(OWN_ENDINGS):
                yield name


def _version_of(library: str) -> Iterator[bytes]:
    """The version marks of a library, without loading it: its first file, and pip's records."""
    spec = find_spec(library)
    if spec is None or spec.origin is None:
        yield _encoded(library)
        return
    yield _encoded(spec.origin)
    yield Path(spec.origin).read_bytes()
    for name in _records_in(Path(spec.origin).parent.parent):
        if library in name.lower():
            yield _encoded(name)


@cache
def _records_in(folder: Path) -> Sequence[str]:
    """The names of pip's records of packages in a folder."""
    return sorted(path.name for path in folder.iterdir() if "-info" in path.name)
