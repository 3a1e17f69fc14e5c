"""Opens a zip as a pack, in memory: checks what it lists, and reads its files one by one.

In goes the path of a zip; out comes an `Archive`, the names of its files within the pack and the
text of each. Nothing is written to disk, and no archive within the archive is opened. Refused as a
whole: names that reach out of it or cannot be told apart everywhere, links, and more than the
limits allow.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ruleloom.compiler.source.file import Place, Source, SourceError, read_bytes
from ruleloom.compiler.source.zip_reader import (
    ANEW,
    BadZip,
    ZipEntry,
    content_of,
    directory_of,
    entries_of,
    quoted,
)
from ruleloom.runtime.program.safe_text import is_hidden

ENDING = ".zip"
# What the packing of one kind of system adds beside the folder that was packed.
LEFT_ASIDE = "__MACOSX/"
DRIVE = re.compile("[A-Za-z]:")
LONGEST_NAME = 500
DEEPEST = 16
BIG = "archive-too-big"
BAD = "bad-archive"
CLASH = "case-clash"
CLASH_HELP = "rename one of them"
_SMALLER = "a pack holds rules as text, and is small: leave out what is none"
_RENAME = "rename it in the folder, and pack it with a tool that writes UTF-8, as `python -m zipfile` does"


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """The limits of an archive, sizes in bytes; the ratio is for entries above `ratio_above`."""

    archive: int = 64 * 1024 * 1024
    entries: int = 20_000
    entry: int = 2 * 1024 * 1024
    total: int = 64 * 1024 * 1024
    ratio: int = 200
    ratio_above: int = 1024 * 1024


LIMITS = ArchiveLimits()


class ArchiveRefused(Exception):
    """An archive that is not read; with its code and what to do."""

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.help = help


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """The files of a zip by their names within the pack, and the bytes of the zip."""

    data: bytes = field(repr=False)
    entries: Mapping[str, ZipEntry] = field(repr=False)

    def beneath(self, top: str) -> Archive:
        """The same archive with only the files of one folder, named from there."""
        inside = {
            name.removeprefix(top): one
            for name, one in self.entries.items()
            if name.startswith(top)
        }
        return replace(self, entries=inside)

    def read(self, name: str, shown: str) -> Source:
        """Return the text of one file, to be called `shown`; raise SourceError for what is none."""
        try:
            content = content_of(self.data, self.entries[name])
        except BadZip as fault:
            raise SourceError(BAD, Place.of_file(shown), str(fault), fault.help) from None
        return Source.decode(content, shown)


def is_archive(path: str) -> bool:
    """Say whether a file is meant to be an archive, by its name."""
    return path.lower().endswith(ENDING)


def open_archive(
    path: Path, shown: str, read: tuple[str, ...], limits: ArchiveLimits = LIMITS
) -> Archive:
    """Open the zip at `path`; files with the endings `read` will be read. Raises SourceError."""
    try:
        # A link to the archive itself is followed, as one to the folder of a pack is.
        data = read_bytes(path.resolve(), shown, limits.archive)
    except SourceError as error:
        if error.code != "file-too-big":
            raise
        message = f"this zip is larger than {limits.archive:,} bytes"
        raise SourceError(BIG, error.place, message, _SMALLER) from None
    try:
        return _opened(data, read, limits)
    except BadZip as fault:
        raise SourceError(BAD, Place.of_file(shown), str(fault), fault.help) from None
    except ArchiveRefused as refused:
        raise SourceError(refused.code, Place.of_file(shown), str(refused), refused.help) from None


def _opened(data: bytes, read: tuple[str, ...], limits: ArchiveLimits) -> Archive:
    directory = directory_of(data)
    if directory.count > limits.entries:
        raise ArchiveRefused(BIG, f"this zip holds more than {limits.entries:,} entries", _SMALLER)
    names, harmless = _Names(), set[str]()
    files: dict[str, ZipEntry] = {}
    for entry in entries_of(data, directory):
        name = _plain_name(entry.name, harmless)
        names.take(name)
        _check_sort(name, entry)
        if not name.endswith("/") and not name.startswith(LEFT_ASIDE):
            files[name] = entry
    _check_sizes(files, read, limits)
    return Archive(data, files)


def _plain_name(raw: bytes, harmless: set[str]) -> str:
    """The name of an entry, if it is a plain one on every system. Raises Refused.

    `harmless` are characters that were looked at before; this name's are added.
    """
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        message = f"the name {quoted(raw)} is not written in UTF-8"
        raise ArchiveRefused(BAD, message, _RENAME) from None
    parts = name.removesuffix("/").split("/")
    fault, help = None, ANEW
    if len(raw) > LONGEST_NAME:
        fault, help = f"is longer than {LONGEST_NAME:,} bytes", "shorten it"
    elif any(map(is_hidden, set(name) - harmless)):
        fault, help = "holds a character that cannot be seen", _RENAME
    elif "\\" in name:
        fault = "holds a backslash; folders are parted by `/`"
    elif name.startswith("/") or DRIVE.match(name) or ".." in parts:
        fault = "leads out of the zip"
    elif "" in parts or "." in parts:
        fault = "is not written plainly"
    elif len(parts) > DEEPEST:
        fault, help = f"lies more than {DEEPEST} folders deep", "put it higher up"
    if fault is not None:
        raise ArchiveRefused(BAD, f"the name {quoted(raw)} {fault}", help)
    harmless.update(name)
    return name


def _check_sort(name: str, entry: ZipEntry) -> None:
    """Refuse what is neither a file nor a folder, and archives."""
    sort = stat.S_IFMT(entry.mode)
    if sort == stat.S_IFLNK:
        message = f"`{name}` is a link, and links are not followed"
        raise ArchiveRefused(BAD, message, "put the file itself into the zip")
    if sort not in (0, stat.S_IFREG, stat.S_IFDIR) or (
        sort == stat.S_IFDIR and not name.endswith("/")
    ):
        raise ArchiveRefused(BAD, f"`{name}` is neither a file nor a folder", "leave it out")
    if is_archive(name):
        message = f"`{name}` is a zip within the zip, and is not opened"
        raise ArchiveRefused(BAD, message, "leave it out, or name it by itself once it is unpacked")


def _check_sizes(
    files: Mapping[str, ZipEntry], read: tuple[str, ...], limits: ArchiveLimits
) -> None:
    """Refuse bombs. What an entry announces is the most that is ever unpacked of it."""
    total = 0
    for name, entry in files.items():
        if entry.size > limits.ratio_above and entry.size > limits.ratio * entry.packed:
            message = f"`{name}` unpacks to more than {limits.ratio} times its size"
            raise ArchiveRefused(BIG, message, "no honest file does; leave it out")
        if not name.endswith(read):
            continue
        total += entry.size
        if entry.size > limits.entry:
            message = f"`{name}` is larger than {limits.entry:,} bytes"
            raise ArchiveRefused(BIG, message, "spread its items over several files")
        if total > limits.total:
            message = f"the files in this zip hold more than {limits.total:,} bytes"
            raise ArchiveRefused(BIG, message, _SMALLER)


class _Names:
    """All names of an archive, of which no system may mistake one for another."""

    def __init__(self) -> None:
        # By what `folded` makes of them: the files, and the folders, also those that only names
        # tell of.
        self.files: dict[str, str] = {}
        self.folders: dict[str, str] = {}
        self.listed: set[str] = set()

    def take(self, name: str) -> None:
        """Enter a name. Raises Refused for one that is taken already."""
        path = name.removesuffix("/")
        if path in self.listed:
            raise _taken(name, path, path)
        self.listed.add(path)
        if name.endswith("/"):
            self._enter_folder(path, name)
            return
        key = folded(path)
        known = self.files.get(key) or self.folders.get(key)
        if known is not None:
            raise _taken(name, path, known)
        self.files[key] = path
        self._enter_folder(path.rpartition("/")[0], name)

    def _enter_folder(self, path: str, name: str) -> None:
        """Enter a folder and those around it, up to the first that is known."""
        while path:
            key = folded(path)
            known = self.files.get(key) or self.folders.get(key)
            if known is not None and (known != path or key in self.files):
                raise _taken(name, path, known)
            if known is not None:
                return
            self.folders[key] = path
            path = path.rpartition("/")[0]


def _taken(name: str, part: str, known: str) -> ArchiveRefused:
    if part == known:
        message = f"the name {quoted(name.encode())} is there twice"
        return ArchiveRefused(BAD, message, "leave one of the two out")
    return ArchiveRefused(CLASH, clash_message(part, known), CLASH_HELP)


def folded(name: str) -> str:
    """A name as it is on systems that ignore case and the way an accent is written."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def clash_message(name: str, known: str) -> str:
    """What is wrong with two names that `folded` makes alike."""
    names = f"{quoted(name.encode())} and {quoted(known.encode())}"
    return f"the names {names} are the same on systems that do not tell capital letters from small ones"


def packs_in(archive: Archive, manifest: str) -> list[str]:
    """The folders that may be the pack of an archive, as prefixes: the root, or its top folders."""
    if manifest in archive.entries:
        return [""]
    tops = (name.partition("/")[0] for name in archive.entries if name.endswith(f"/{manifest}"))
    return sorted({f"{top}/" for top in tops if f"{top}/{manifest}" in archive.entries})
