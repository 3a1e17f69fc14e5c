"""Opens a zip as a pack, in memory, and reads its files one by one.

Nothing is written to disk, and nested archives are not opened. A zip is refused as a whole if a name
in it leads out of it or clashes with another on some system, if it holds a link, or if it exceeds a limit.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from ruleloom.compiler.source import zip_reader
from ruleloom.compiler.source.file import Place, Source, SourceError, read_bytes, too_big
from ruleloom.compiler.source.zip_reader import ANEW, BadZip, ZipEntry, quoted
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.safe_text import is_hidden

ENDING = ".zip"
# The folder that macOS adds beside the packed one.
LEFT_ASIDE = "__MACOSX/"
DRIVE = re.compile("[A-Za-z]:")
LONGEST_NAME = 500
DEEPEST = 16
BIG = "archive-too-big"
CLASH = "case-clash"
CLASH_HELP = "rename one of them"
_SMALLER = "a pack holds rules as text, and is small: leave out everything else"
_RENAME = "rename it in the folder, and pack it with a tool that writes UTF-8, as `python -m zipfile` does"


class ArchiveLimits(Frozen):
    """The limits of an archive, sizes in bytes; the ratio is for entries above `ratio_above`."""

    archive: int = 64 * 1024 * 1024
    entries: int = 20_000
    entry: int = 2 * 1024 * 1024
    total: int = 64 * 1024 * 1024
    ratio: int = 200
    ratio_above: int = 1024 * 1024


LIMITS = ArchiveLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """The files of a zip by their names within the pack, and the bytes of the zip."""

    data: bytes = field(repr=False)
    entries: Mapping[str, ZipEntry] = field(repr=False)

    def beneath(self, top: str) -> Archive:
        """The same archive with only the files of one folder, named from there."""
        inside = ((name, one) for name, one in self.entries.items() if name.startswith(top))
        return replace(self, entries={name.removeprefix(top): one for name, one in inside})

    def read(self, name: str, shown: str) -> Source:
        """Return the source of one file, displayed as `shown`; raise SourceError if it cannot be read."""
        return Source.decode(self.content(name, shown, self.entries[name].size), shown)

    def content(self, name: str, shown: str, most: int) -> bytes:
        """Return the bytes of one file; raise SourceError for one that cannot be read or is larger."""
        entry = self.entries.get(name)
        if entry is None:
            raise SourceError("unreadable-file", Place.of_file(shown), "there is no such file")
        if entry.size > most:
            raise too_big(shown, most)
        try:
            return zip_reader.content_of(self.data, entry)
        except BadZip as fault:
            raise SourceError(fault.code, Place.of_file(shown), str(fault), fault.help) from None


def is_archive(path: str) -> bool:
    """Whether a file is an archive, by its name."""
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
        raise SourceError(fault.code, Place.of_file(shown), str(fault), fault.help) from None


def _opened(data: bytes, read: tuple[str, ...], limits: ArchiveLimits) -> Archive:
    start, end, count = zip_reader.directory_of(data)
    if count > limits.entries:
        raise BadZip(f"this zip holds more than {limits.entries:,} entries", _SMALLER, BIG)
    listed, harmless = set[str](), set[str]()
    known: dict[str, tuple[str, bool]] = {}
    files: dict[str, ZipEntry] = {}
    for entry in zip_reader.entries_of(data, start, end, count):
        name = _plain_name(entry.name, harmless)
        _tell_apart(name, listed, known)
        _check_type(name, entry)
        if not name.endswith("/") and not name.startswith(LEFT_ASIDE):
            files[name] = entry
    _check_sizes(files, read, limits)
    return Archive(data, files)


def _plain_name(raw: bytes, harmless: set[str]) -> str:
    """The decoded name of an entry. Raises BadZip if it is not plain on every system.

    `harmless` are the characters already checked; this name's are added.
    """
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadZip(f"the name {quoted(raw)} is not written in UTF-8", _RENAME) from None
    if len(raw) > LONGEST_NAME:
        fault, help = f"is longer than {LONGEST_NAME:,} bytes", "shorten it"
    elif any(map(is_hidden, set(name) - harmless)):
        fault, help = "holds a character that cannot be seen", _RENAME
    else:
        fault, help = _fault_of_path(name)
    if fault:
        raise BadZip(f"the name {quoted(raw)} {fault}", help)
    harmless.update(name)
    return name


def _fault_of_path(name: str) -> tuple[str, str]:
    """What is wrong with a name as a path, and the help; empty if it is plain."""
    parts = name.removesuffix("/").split("/")
    if "\\" in name:
        return "holds a backslash; folders are parted by `/`", ANEW
    if name.startswith("/") or DRIVE.match(name) or ".." in parts:
        return "leads out of the zip", ANEW
    if "" in parts or "." in parts:
        return "is not written plainly", ANEW
    if len(parts) > DEEPEST:
        return f"lies more than {DEEPEST} folders deep", "put it higher up"
    return "", ""


def _check_type(name: str, entry: ZipEntry) -> None:
    """Refuse an entry that is neither a file nor a folder, and archives."""
    file_type = stat.S_IFMT(entry.mode)
    if file_type == stat.S_IFLNK:
        message = f"`{name}` is a link, and links are not followed"
        raise BadZip(message, "put the file itself into the zip")
    plain = (0, stat.S_IFREG, stat.S_IFDIR) if name.endswith("/") else (0, stat.S_IFREG)
    if file_type not in plain:
        raise BadZip(f"`{name}` is neither a file nor a folder", "leave it out")
    if is_archive(name):
        message = f"`{name}` is a zip within the zip, and is not opened"
        raise BadZip(message, "leave it out, or name it by itself once it is unpacked")


def _check_sizes(
    files: Mapping[str, ZipEntry], read: tuple[str, ...], limits: ArchiveLimits
) -> None:
    """Refuse zip bombs. No more of an entry is ever unpacked than the size it announces."""
    total = 0
    for name, entry in files.items():
        if entry.size > limits.ratio_above and entry.size > limits.ratio * (
            entry.end - entry.start
        ):
            message = f"`{name}` unpacks to more than {limits.ratio} times its size"
            raise BadZip(message, "no honest file does; leave it out", BIG)
        if not name.endswith(read):
            continue
        total += entry.size
        if entry.size > limits.entry:
            message = f"`{name}` is larger than {limits.entry:,} bytes"
            raise BadZip(message, "spread its items over several files", BIG)
        if total > limits.total:
            message = f"the files in this zip hold more than {limits.total:,} bytes"
            raise BadZip(message, _SMALLER, BIG)


def _tell_apart(name: str, listed: set[str], known: dict[str, tuple[str, bool]]) -> None:
    """Enter a name; refuse one that some system takes for another name of the archive.

    `known` maps folded names to paths and whether each is a file; it includes all parent folders.
    """
    path, is_file = name.removesuffix("/"), not name.endswith("/")
    first = path if path in listed else None
    listed.add(path)
    while path and first is None:
        key = folded(path)
        if known.get(key) == (path, False) and not is_file:
            return  # its parent folders were entered with it
        if key in known:
            first = known[key][0]
            break
        known[key] = (path, is_file)
        path, is_file = path.rpartition("/")[0], False
    if first == path:
        message = f"the name {quoted(name.encode())} is there twice"
        raise BadZip(message, "leave one of the two out")
    if first is not None:
        raise BadZip(clash_message(path, first), CLASH_HELP, CLASH)


def folded(name: str) -> str:
    """A name as compared by systems that ignore case and the composition of accents."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def clash_message(name: str, known: str) -> str:
    """The message about two names with the same `folded` form."""
    names = f"{quoted(name.encode())} and {quoted(known.encode())}"
    return f"the names {names} are the same on systems that do not tell capital letters from small ones"


def packs_in(archive: Archive, manifest: str) -> list[str]:
    """The folders that may be the pack of an archive, as prefixes: the root, or its top folders."""
    if manifest in archive.entries:
        return [""]
    tops = (name.partition("/")[0] for name in archive.entries if name.endswith(f"/{manifest}"))
    return sorted({f"{top}/" for top in tops if f"{top}/{manifest}" in archive.entries})
