"""Finds the packs denoted by a path or a name.

It may be a pack's folder, a zip of one, a folder of packs, a file or folder inside a pack, or the
id of a pack that was shipped or is kept in the project. Zips in a folder are ignored: each must be named.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.packs import walk
from ruleloom.compiler.packs.kept import LOCK, KeptPack, kept_folder, kept_packs
from ruleloom.compiler.packs.kept import MAX_CLIMB as MAX_CLIMB
from ruleloom.compiler.packs.kept import PACK_ID as PACK_ID
from ruleloom.compiler.packs.walk import (
    ALL_SAVED,
    ENDINGS,
    MANIFEST,
    MAX_FILES,
    FoundFile,
    Unsaved,
    shown_under,
)
from ruleloom.compiler.source.archive import Archive, open_archive, packs_in
from ruleloom.compiler.source.archive import is_archive as is_archive
from ruleloom.compiler.source.file import Place, Source, SourceError, read_bytes
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.system import is_folder, way_to

# Next to this package, in a checkout and once installed.
HOME = Path(__file__).resolve().parent.parent.parent
BUILTIN = HOME / "rulesets"
SCHEMAS = HOME / "schemas"
MINIMAL = (
    "write a `pack.yaml`: {kind: pack, id: my-pack, version: 0.1.0, game: the-game, edition: 1}"
)


class PackFolder(Frozen):
    """A folder with a manifest, or a zip of one, and its display path."""

    path: Path
    shown: str
    archive: Archive | None = field(default=None, compare=False, repr=False)

    @property
    def manifest_shown(self) -> str:
        """The manifest's display path."""
        return shown_under(self.shown, MANIFEST)

    @property
    def key(self) -> str:
        """The real path, the same for all spellings of a folder."""
        return os.path.realpath(self.path)

    def manifest(self, unsaved: Unsaved = ALL_SAVED) -> Source:
        """Return the text of the manifest; raise SourceError if it cannot be read."""
        path = self.path / MANIFEST if self.archive is None else self.path
        return FoundFile(os.fspath(path), MANIFEST, self.manifest_shown, self.archive).read(unsaved)

    def content(self, name: str, most: int) -> bytes:
        """Return the bytes of one of its files; raise SourceError if it is larger or cannot be read."""
        shown = shown_under(self.shown, name)
        if self.archive is not None:
            return self.archive.content(name, shown, most)
        return read_bytes(self.path / name, shown, most)

    def files(self, report: Report) -> tuple[list[FoundFile], bool]:
        """Return the YAML files, sorted by name, and whether none was refused."""
        if self.archive is not None:
            return walk.walk_archive(self.archive, self.path, self.shown, report), True
        return walk.walk(self.path, self.shown, report)


def shipped_packs(builtin: Path) -> list[str]:
    """Return the ids of the packs that ship with the compiler; each is the name of its folder."""
    try:
        names = sorted(entry.name for entry in os.scandir(builtin) if entry.is_dir())
    except OSError:
        return []
    return [name for name in names if _is_shipped(name, builtin)]


def _is_shipped(id: str, builtin: Path) -> bool:
    return PACK_ID.fullmatch(id) is not None and (builtin / id / MANIFEST).is_file()


def shipped_pack(id: str, builtin: Path) -> PackFolder | None:
    """Return the folder of a shipped pack, or None if no such pack was shipped."""
    if not _is_shipped(id, builtin):
        return None
    shown = shown_path(builtin / id)
    # An author does not know this folder, so that the id is displayed, unless a path here has that
    # name.
    if Path(shown).is_absolute() and not os.path.lexists(id):
        shown = id
    return PackFolder(builtin / id, shown)


def is_pack_name(text: str, builtin: Path) -> bool:
    """Is this the path of something, or the id of a shipped pack, or of one kept here?"""
    return os.path.lexists(text) or text in known_packs(Path(), builtin)


def known_pack(id: str, near: Path, builtin: Path, report: Report) -> PackFolder | None:
    """Return the pack that an id names: one that was shipped, or one kept around a path; or None."""
    shipped = shipped_pack(id, builtin)
    folder = kept_folder(near) if shipped is None and PACK_ID.fullmatch(id) else None
    if folder is None:
        return shipped
    try:
        kept = kept_packs(folder, shown_path(folder / LOCK)).get(id)
    except SourceError as error:
        report.refuse(error)
        return None
    return None if kept is None else open_kept(folder, kept, report)


def open_kept(folder: Path, kept: KeptPack, report: Report) -> PackFolder | None:
    """Return a kept pack, read from its zip; None after reporting an error, as of a zip that is another."""
    path = folder / kept.file
    here = Place.of_file(shown_path(path))
    found = pack_in_zip(path, report, here)
    if found is None or found.archive is None:
        return None
    if hashlib.sha256(found.archive.data).hexdigest() == kept.sha256:
        return found
    message = f"this zip of the pack `{kept.id}` is not the one that `{LOCK}` was written for"
    help = f"`ruleloom remove {kept.id}`, then add it again from {kept.source}"
    report.error("bad-archive", here, message, help)
    return None


def known_packs(near: Path, builtin: Path) -> list[str]:
    """Return the ids of all packs that need only be named, shipped or kept around a path."""
    folder, kept = kept_folder(near), dict[str, KeptPack]()
    if folder is not None:
        with suppress(SourceError):
            kept = kept_packs(folder, LOCK)
    return sorted({*shipped_packs(builtin), *kept})


def find_packs(argument: str | Path, builtin: Path, report: Report) -> list[PackFolder]:
    """Return the packs denoted by a path, or by the id of a shipped or kept pack; none after reporting an
    error."""
    text = os.fspath(argument)
    path = Path(text)
    here = Place.of_file(shown_path(path))
    try:
        if not (path / MANIFEST).is_file() and (shipped := shipped_pack(text, builtin)):
            return [shipped]
        is_folder, is_file = path.is_dir(), path.is_file()
        exists = is_folder or is_file or os.path.lexists(path)
    except (OSError, ValueError):
        is_folder = is_file = exists = False
    if not exists:
        return _listed(_kept_pack(path, text, builtin, report, here))
    if is_file and is_archive(text):
        return _listed(pack_in_zip(path, report, here))
    found = _packs_in(path) if is_folder else []
    if found:
        return found
    if above := _pack_above(path) if is_folder or text.endswith(ENDINGS) else None:
        return [above]
    _complain_no_pack(path, is_folder, is_file, report, here)
    return []


def _listed(pack: PackFolder | None) -> list[PackFolder]:
    return [] if pack is None else [pack]


def _kept_pack(
    path: Path, text: str, builtin: Path, report: Report, here: Place
) -> PackFolder | None:
    """Return the kept pack of this name; None after reporting an error, as when there is none."""
    before = len(report.found)
    kept = known_pack(text, Path(), builtin, report)
    if kept is None and len(report.found) == before:
        _complain_missing(path, text, builtin, report, here)
    return kept


def _complain_missing(path: Path, text: str, builtin: Path, report: Report, here: Place) -> None:
    message = "there is no file, folder or shipped pack of this name"
    help = did_you_mean(text, known_packs(Path(), builtin)) if PACK_ID.fullmatch(text) else None
    with suppress(OSError, ValueError, StopIteration):
        for zip in (
            shown_path(one) for one in path.parents if is_archive(one.name) and one.is_file()
        ):
            message = (
                f"this is named as a file within the zip {zip}, and a zip is checked as a whole"
            )
            help = f"name the zip: `{zip}`"
            break
    report.error("no-such-path", here, message, help)


def _packs_in(folder: Path) -> list[PackFolder]:
    """Return the pack in a folder itself, or those in its subfolders."""
    found: list[PackFolder] = []
    waiting = [folder]
    seen = 0
    while waiting and seen < MAX_FILES:
        path = waiting.pop()
        deeper: list[Path] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    seen += 1
                    if entry.name == MANIFEST and not entry.is_dir(follow_symlinks=False):
                        found.append(PackFolder(path, shown_path(path)))
                        deeper = []
                        break
                    if is_folder(entry) and not entry.name.startswith("."):
                        deeper.append(Path(entry.path))
        except OSError:
            continue  # `_complain_no_pack` or the pack's own walk reports it where it matters
        waiting += deeper
    return sorted(found, key=lambda pack: pack.shown)


def pack_in_zip(path: Path, report: Report, here: Place) -> PackFolder | None:
    """Return the pack at the root of a zip or in its one top folder; None after reporting an error."""
    try:
        archive = open_archive(path, here.path, ENDINGS)
    except SourceError as error:
        report.refuse(error)
        return None
    tops = packs_in(archive, MANIFEST)
    # Files that no pack needs may be next to the pack's folder: a licence, files that a system
    # adds.
    beside = [name for name in archive.entries if not name.startswith((".", *tops))]
    if len(tops) == 1 and not any(name.endswith(ENDINGS) for name in beside):
        return PackFolder(path, here.path, archive.beneath(tops[0]))
    help = MINIMAL
    if len(tops) > 1:
        message = f"this zip holds several packs: {quoted_list([top.rstrip('/') for top in tops])}"
        help = "make a zip of each"
    elif tops:
        message = f"this zip holds YAML files beside the folder of its pack, `{tops[0]}`"
        help = "move them into the folder, or leave them out"
    else:
        message = f"there is no `{MANIFEST}` at the root of this zip, nor in its one top folder"
    report.error("no-pack", here, message, help)
    return None


def _pack_above(path: Path) -> PackFolder | None:
    for folder in list(path.absolute().parents)[:MAX_CLIMB]:
        if (folder / MANIFEST).is_file():
            written = folder if path.is_absolute() else Path(way_to(folder))
            return PackFolder(written, shown_path(written))
    return None


def pack_of(folder: Path) -> Path | None:
    """Return the folder of the pack that a folder is or is in, from the current folder; or None."""
    whole = folder.absolute()
    for place in [whole, *whole.parents][:MAX_CLIMB]:
        if (place / MANIFEST).is_file():
            return folder if place == whole else Path(way_to(place))
    return None


def _complain_no_pack(
    path: Path, is_folder: bool, is_file: bool, report: Report, here: Place
) -> None:
    if is_folder:
        try:
            names = {entry.name for entry in path.iterdir()}
        except OSError as error:
            report.error("unreadable-file", here, walk.unreadable_folder(error))
            return
        message = _without_manifest(names)
    elif not is_file:
        message = "this is neither a folder nor an ordinary file"
    elif not path.name.endswith(ENDINGS):
        ends = "its name ends in none of `.yaml`, `.yml` and `.zip`"
        message = f"this file is not YAML, nor a zip: {ends}"
    else:
        try:
            Source.read(path, here.path)
        except SourceError as error:
            report.refuse(error)
            return
        message = "this file lies in no pack: there is no `pack.yaml` beside or above it"
    report.error("no-pack", here, message, MINIMAL)


def _without_manifest(names: set[str]) -> str:
    near = sorted(name for name in names if name.lower() in ("pack.yaml", "pack.yml"))
    if near:
        return f"a manifest is called `pack.yaml`, and here is only a `{near[0]}`"
    where = "there is no `pack.yaml` in this folder, nor above or below it"
    return where if names else "this folder is empty"


def shown_path(path: Path) -> str:
    """Return a path for display: relative to the current folder if it is below it."""
    text = os.path.normpath(path) if os.fspath(path) else "."
    if path.is_absolute():
        inside = way_to(text)
        text = text if inside.startswith(os.pardir) else inside
    return os.fsencode(text).decode("utf-8", "backslashreplace").replace(os.sep, "/")
