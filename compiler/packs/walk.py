"""Walks the folder or zip of a pack and finds its YAML files.

Nothing is opened, followed or imported. Ignored are folders whose name starts with a dot, files of
other kinds, and Emacs's lock files (`.#NAME`). Errors are a link to a folder, more than 20,000 entries
or 64 MiB, a pack inside the pack, names that differ only in case, and names of devices of Windows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.source.archive import CLASH, CLASH_HELP, Archive, clash_message, folded
from ruleloom.compiler.source.file import MAX_BYTES as MOST_UNSAVED
from ruleloom.compiler.source.file import Place, Source, too_big
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.system import is_device, is_folder

MANIFEST = "pack.yaml"
ENDINGS = (".yaml", ".yml")
DEVICE, DEVICE_HELP = "Windows allows no file or folder of this name", "rename it"
CAPITALS = "only files whose names end in `.yaml` or `.yml`, in small letters, are read"
HIDDEN = re.compile(r"(?:^|/)\.[^/]*/")  # a folder whose name starts with a dot
LOCK = ".#"
MAX_FILES = 20_000
MAX_BYTES = 64 * 1024 * 1024

Unsaved = Mapping[str, str]
"""Texts in an editor that replace those on disk, by the real path of their file."""
ALL_SAVED: Unsaved = {}


class FoundFile(Frozen):
    """A YAML file: its path, its name within the pack, and its display path. For a file in an archive,
    `path` is that of the archive."""

    path: str
    inside: str
    shown: str
    archive: Archive | None = field(default=None, repr=False)

    def read(self, unsaved: Unsaved = ALL_SAVED) -> Source:
        """Return its source, an unsaved one if present; raise SourceError if it cannot be read."""
        if self.archive is not None:
            return self.archive.read(self.inside, self.shown)
        text = unsaved.get(os.path.realpath(self.path)) if unsaved else None
        if text is not None:
            if len(text) > MOST_UNSAVED:
                raise too_big(self.shown)
            return Source.from_text(text, self.shown)
        return Source.read(self.path, self.shown)


class _TooMuch(Exception):
    """The folder exceeds the limits of a pack."""


def readable(name: str) -> str:
    """Return a file name as text; bytes that are not UTF-8 are escaped as `\\xe4`."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def unreadable_folder(error: OSError) -> str:
    """Return the message for a folder that the system cannot read."""
    return f"this folder cannot be read: {(error.strerror or '').lower()}"


def shown_under(shown_folder: str, inside: str) -> str:
    """Return the display path of a file within a folder displayed as `shown_folder`."""
    if shown_folder in ("", "."):
        return inside
    return f"{shown_folder.rstrip('/')}/{inside}"


def _place(shown: str, inside: str) -> Place:
    return Place.of_file(shown_under(shown, inside))


def walk(folder: Path, shown: str, report: Report) -> tuple[list[FoundFile], bool]:
    """Return the YAML files of the pack in `folder`, sorted by name, and whether the list is complete.

    Errors go to the report.
    """
    walker = _Walker(shown, report)
    waiting = [(os.fspath(folder), "")]
    try:
        while waiting:
            waiting.extend(walker.enter(*waiting.pop()))
    except _TooMuch as error:
        report.error("pack-too-big", _place(shown, MANIFEST), str(error))
        return [], False
    return sorted(walker.files, key=lambda file: file.inside), walker.complete


def walk_archive(archive: Archive, path: Path, shown: str, report: Report) -> list[FoundFile]:
    """Return the YAML files of the pack in the archive at `path`, as `walk` does for a folder."""
    names = [name for name in sorted(archive.entries) if not HIDDEN.search(name)]
    found: list[FoundFile] = []
    nested: tuple[str, ...] = ()
    for name in names:
        if name.endswith(f"/{MANIFEST}") and not name.startswith(nested):
            nested = (*nested, name.removesuffix(MANIFEST))
            _refuse_nested(shown, nested[-1], report)
    for name in names:
        if _is_miswritten(name):
            report.error("unreadable-file", _place(shown, name), CAPITALS)
        elif name.endswith(ENDINGS) and not name.startswith(nested):
            if is_device(name):
                report.error("unreadable-file", _place(shown, name), DEVICE, DEVICE_HELP)
            found.append(FoundFile(os.fspath(path), name, shown_under(shown, name), archive))
    return found


def _is_miswritten(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.endswith(ENDINGS)


def _refuse_nested(shown: str, folder: str, report: Report) -> None:
    """Report a pack in a folder of the pack; the folder's name ends in `/`."""
    help = "move the inner folder out, beside the outer one"
    place = _place(shown, f"{folder}{MANIFEST}")
    report.error("nested-pack", place, "a pack lies inside another pack", help)


@dataclass(slots=True, eq=False)
class _Walker:
    shown: str
    report: Report
    files: list[FoundFile] = field(default_factory=list)
    seen: int = 0
    bytes: int = 0
    complete: bool = True

    def enter(self, folder: str, inside: str) -> list[tuple[str, str]]:
        """Scan one folder; return the folders in it, each with its name within the pack."""
        deeper: list[tuple[str, str]] = []
        files: list[FoundFile] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self.count(entry)
                    name = f"{inside}{readable(entry.name)}"
                    if not is_folder(entry):
                        files += self.file(entry, name)
                    elif not entry.name.startswith("."):
                        deeper.append((entry.path, f"{name}/"))
        except OSError as error:
            self.refuse(inside.rstrip("/"), unreadable_folder(error))
            return []
        if inside and any(file.inside == f"{inside}{MANIFEST}" for file in files):
            _refuse_nested(self.shown, inside, self.report)
            return []
        self.tell_apart([file.inside for file in files] + [name.rstrip("/") for _, name in deeper])
        self.files += files
        return deeper

    def file(self, entry: os.DirEntry[str], name: str) -> Iterator[FoundFile]:
        """Yield an entry that is not a folder if it is YAML; report one that only looks like it."""
        if entry.name.startswith(LOCK):
            return
        if entry.name.endswith(ENDINGS):
            yield FoundFile(entry.path, name, shown_under(self.shown, name))
        elif _is_miswritten(entry.name):
            self.refuse(name, CAPITALS)
        elif entry.is_dir():
            self.refuse(name, "this is a link to another folder, and links are not followed")

    def tell_apart(self, names: list[str]) -> None:
        known: dict[str, str] = {}
        for name in sorted(names):
            if is_device(name.rpartition("/")[2]):
                self.report.error("unreadable-file", _place(self.shown, name), DEVICE, DEVICE_HELP)
            first = known.setdefault(folded(name), name)
            if first is not name:
                note = Note(_place(self.shown, first), "this is the other one")
                message = clash_message(name.rpartition("/")[2], first.rpartition("/")[2])
                self.report.error(CLASH, _place(self.shown, name), message, CLASH_HELP, [note])

    def count(self, entry: os.DirEntry[str]) -> None:
        """Count an entry against the limits; only YAML files, which are read, count by size."""
        self.seen += 1
        if self.seen > MAX_FILES:
            raise _TooMuch(f"this folder holds more than {MAX_FILES:,} files")
        if entry.name.endswith(ENDINGS):
            self.bytes += entry.stat(follow_symlinks=False).st_size
            if self.bytes > MAX_BYTES:
                raise _TooMuch(f"the files in this folder hold more than {MAX_BYTES:,} bytes")

    def refuse(self, inside: str, message: str) -> None:
        self.complete = False
        self.report.error("unreadable-file", _place(self.shown, inside), message)
