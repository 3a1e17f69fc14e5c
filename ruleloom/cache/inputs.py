"""The inputs of a check, read and hashed: the files of packs, and Ruleloom itself.

The compiler's own code finds and walks the packs. Where it complains, or a file cannot be read,
there is no hash, so that the compiler runs and reports it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, shipped_pack
from ruleloom.compiler.packs.walk import FoundFile
from ruleloom.compiler.source.file import MAX_BYTES, SourceError, read_bytes
from ruleloom.runtime.dataclass import dataclass

HOME = Path(__file__).resolve().parent.parent
"""The package `ruleloom`, which holds all of the tool, in a checkout by links."""
OTHERS = {"__pycache__", "rulesets"}  # shipped packs are hashed where a check reads them
OWN_ENDINGS = (".py", ".json", ".lark", ".yaml")
# Those that influence findings; the others only read the command line or write pages.
LIBRARIES = ("yaml", "lark", "jsonschema", "referencing", "packaging")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The texts of some packs' files, by displayed path, and hashes of all their bytes: `content`,
    wherever the packs lie, and `digest`, with the paths that are displayed."""

    folders: tuple[PackFolder, ...]
    texts: Mapping[str, str]
    content: str
    digest: str


Packs = Sequence[tuple[PackFolder, Sequence[FoundFile]]]
# The name of a file, its times, device, inode, size and mode.
Mark = tuple[str, int, int, int, int, int, int]
# The coarsest clock of a file system ticks every two seconds (FAT).
SETTLED = 3_000_000_000
MOST_LATEST = 16
_LATEST: dict[tuple[PackFolder, ...], tuple[tuple[Mark, ...], Inputs]] = {}
"""What this process has read of packs whose files had settled, with the marks of the files."""


def named_packs(paths: Sequence[str]) -> tuple[PackFolder, ...] | None:
    """The packs that paths name, each once; None if there is anything to complain of."""
    report = Report()
    found = [folder for path in paths for folder in find_packs(path, BUILTIN, report)]
    if report.diagnostics() or not found:
        return None
    return tuple({folder.key: folder for folder in found}.values())


def shipped_packs_called(ids: Iterable[str]) -> tuple[PackFolder, ...] | None:
    """The shipped packs with these ids; None if one is not there."""
    found = [shipped_pack(id, BUILTIN) for id in ids]
    there = tuple(folder for folder in found if folder is not None)
    return there if len(there) == len(found) else None


def read_inputs(folders: tuple[PackFolder, ...]) -> Inputs | None:
    """Read all files of these packs, or take what this process read of them and is unchanged; None
    if there is anything to complain of."""
    report = Report()
    found = [(folder, *folder.files(report)) for folder in folders]
    if report.diagnostics() or not all(complete for _, _, complete in found):
        return None
    packs = [(folder, files) for folder, files, _ in found]
    marks = _marks(packs)
    latest = _LATEST.get(folders)
    if latest is not None and latest[0] == marks:
        return latest[1]
    inputs = _read(folders, packs)
    if inputs is not None and marks is not None:
        _LATEST[folders] = marks, inputs
        if len(_LATEST) > MOST_LATEST:
            del _LATEST[next(iter(_LATEST))]
    return inputs


def _read(folders: tuple[PackFolder, ...], packs: Packs) -> Inputs | None:
    content, names, texts = Digest(), Digest(), dict[str, str]()
    for folder, files in packs:
        whole = folder.archive.data if folder.archive is not None else b""
        content.add(b"pack", whole, b"%d" % len(files))
        names.add(b"pack", _encoded(folder.shown))
        for file in files:
            try:
                # The bytes of a zip are in the hash already.
                data = (
                    read_bytes(file.path, file.shown, MAX_BYTES)
                    if file.archive is None
                    else file.read().text.encode()
                )
                text = data.decode("utf-8-sig")
            except (SourceError, UnicodeDecodeError):
                return None
            content.add(_encoded(file.inside), data)
            names.add(_encoded(file.shown))
            texts[file.shown] = text.replace("\r\n", "\n") if "\r" in text else text
    digest = Digest(content.hex().encode(), names.hex().encode())
    return Inputs(folders, texts, content.hex(), digest.hex())


def _marks(packs: Packs) -> tuple[Mark, ...] | None:
    """What the file system says of each file, if a file that is changed from now on will be told
    apart by it; None of a zip, which is read to be walked, and of files written just now.

    The time of the last change of the entry (`ctime`) is what nobody can set back. A file system
    may give a second change the same time as one just before it, so both have to be old.
    """
    youngest = time.time_ns() - SETTLED
    marks: list[Mark] = []
    for folder, files in packs:
        if folder.archive is not None:
            return None
        for file in files:
            try:
                status = os.lstat(file.path)
            except OSError:
                return None
            if max(status.st_mtime_ns, status.st_ctime_ns) > youngest:
                return None
            times = (status.st_mtime_ns, status.st_ctime_ns)
            entry = (status.st_dev, status.st_ino, status.st_size, status.st_mode)
            marks.append((file.shown, *times, *entry))
    return tuple(marks)


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
    """The hash of all that turns texts into findings: Python, our code, schemas, libraries."""
    python = (sys.version, sys.implementation.name, sys.platform)
    digest = Digest(*map(str.encode, (*python, own_digest())))
    for name in LIBRARIES:
        digest.add(*map(_encoded, _marks_of(name)))
    return digest.hex()


@cache
def own_digest() -> str:
    """The hash of our code and schemas, the same wherever they lie."""
    digest = Digest()
    for name in sorted(_own_files(os.fspath(HOME))):
        # Neither `Path` nor `open`: these are seven hundred files, and every command reads them all.
        handle = os.open(f"{HOME}/{name}", os.O_RDONLY)
        try:
            digest.add(_encoded(name), os.read(handle, os.fstat(handle).st_size))
        finally:
            os.close(handle)
    return digest.hex()


def _own_files(folder: str, inside: str = "") -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = inside + entry.name
            if entry.is_dir():
                yield from _own_files(entry.path, f"{name}/") if entry.name not in OTHERS else ()
            elif entry.name.endswith(OWN_ENDINGS):
                yield name


def _marks_of(library: str) -> Iterator[str]:
    """The marks of a library's version, without loading it: its file, and pip's records."""
    spec = find_spec(library)
    if spec is None or spec.origin is None:
        yield library
        return
    status = Path(spec.origin).stat()
    yield f"{spec.origin} {status.st_size} {status.st_mtime_ns}"
    beside = Path(spec.origin).parent.parent
    names = (path.name for path in beside.iterdir())
    yield from sorted(name for name in names if library in name.lower() and "-info" in name)
