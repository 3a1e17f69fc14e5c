"""The packs that a project keeps: `packs/ID-VERSION.zip`, and `packs/ruleloom.lock`, which says which count.

The lock is written after the zips and replaced at once, so that whatever happens meanwhile, all packs are
those of before or those of after. Settings of the project stand in `ruleloom.toml`.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.kept import KEPT, LOCK, MAX_CLIMB, MORE, PARTS, KeptPack, kept_packs
from ruleloom.compiler.packs.locate import SCHEMAS, open_kept, shown_path
from ruleloom.compiler.packs.manifest import Manifest, read_manifest
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import SourceError
from ruleloom.diff.compare import Broken
from ruleloom.getting.written_sources import NotGot
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.play.files import FileFault, held_alone, read_text, write_atomically

SETTINGS = "ruleloom.toml"
LARGEST_SETTINGS = 64 * 1024
EXAMPLE = 'write `indexes = ["https://HOST/index.yaml", "../shared/index.yaml"]`'


class ProjectPacks(Frozen):
    """A folder with packs that it keeps, by id."""

    folder: Path
    packs: Mapping[str, KeptPack]

    @classmethod
    def around(cls, near: Path) -> ProjectPacks:
        """The project around a folder, or a new one there. Raises NotGot for an unreadable lock."""
        whole = near.absolute()
        for place in [whole, *whole.parents][:MAX_CLIMB]:
            if (place / KEPT / LOCK).is_file() or (place / SETTINGS).is_file():
                return cls.at(place)
        return cls.at(whole)

    @classmethod
    def at(cls, folder: Path) -> ProjectPacks:
        """The project in a folder. Raises NotGot for an unreadable lock."""
        lock = folder / KEPT / LOCK
        if not os.path.lexists(lock):  # a link there is told below
            return cls(folder, {})
        try:
            return cls(folder, kept_packs(lock.parent, shown_path(lock)))
        except SourceError as error:
            raise NotGot(f"{error.place.path}: {error.message}", error.help) from None

    @property
    def kept(self) -> Path:
        """The folder of its packs."""
        return self.folder / KEPT

    def path(self, pack: KeptPack) -> Path:
        """The zip of a kept pack."""
        return self.kept / pack.file

    def manifest(self, pack: KeptPack) -> Manifest:
        """The manifest of a kept pack. Raises Broken for a zip that is gone, or another."""
        report = Report()
        found = open_kept(self.kept, pack, report)
        manifest = read_manifest(found, schemas_of(SCHEMAS), report, {}) if found else None
        if manifest is None:
            raise Broken(shown_path(self.path(pack)), report.diagnostics(), {})
        return manifest

    def indexes(self) -> Sequence[str]:
        """The indexes in its settings. Raises NotGot for settings that cannot be read."""
        path = self.folder / SETTINGS
        if not path.exists():
            return ()
        shown = shown_path(path)
        try:
            settings = tomllib.loads(read_text(path, LARGEST_SETTINGS))
        except FileFault as fault:
            raise NotGot(f"{shown} cannot be read: {fault.reason}") from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise NotGot(f"{shown} cannot be read: {error}", EXAMPLE) from None
        unknown = sorted(settings.keys() - {"indexes"})
        if unknown:
            raise NotGot(f"{shown} has no setting `{unknown[0][:80]}`", EXAMPLE)
        named = settings.get("indexes", [])
        if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
            raise NotGot(f"`indexes` in {shown} is no list of texts", EXAMPLE)
        return named

    def replaced(self, packs: Mapping[str, KeptPack], zips: Mapping[str, bytes]) -> ProjectPacks:
        """Keep these packs and no others; `zips` are those of new ones, by file name. After a failure, which
        is a NotGot, all is as it was."""
        was_there, written = self.kept.exists(), list[Path]()
        try:
            self.kept.mkdir(parents=True, exist_ok=True)
            with held_alone(self.kept / LOCK):
                if ProjectPacks.at(self.folder).packs != self.packs:
                    raise NotGot("another command has changed the packs meanwhile", "try it again")
                for name, data in zips.items():
                    _refuse_other(self.kept / name, data)
                    written.append(self.kept / name)
                    write_atomically(self.kept / name, data)
                write_atomically(self.kept / LOCK, _lock_text(packs))
        except (NotGot, FileFault, OSError) as error:
            _take_back(written, self.kept if not was_there else None)
            if isinstance(error, NotGot):
                raise
            raise NotGot(f"{shown_path(self.kept)} cannot be written: {_reason(error)}") from None
        kept = ProjectPacks(self.folder, packs)
        for one in self.packs.values():
            if one.file not in {other.file for other in packs.values()}:
                self.path(one).unlink(missing_ok=True)
        return kept


def _refuse_other(path: Path, data: bytes) -> None:
    """Refuse to write over what no lock names; what is there is left by a command that was ended."""
    if os.path.lexists(path) and (path.is_symlink() or path.read_bytes() != data):
        message = f"{shown_path(path)} is there, and is no pack of this project"
        raise NotGot(message, "move it elsewhere")


def _take_back(written: Sequence[Path], folder: Path | None) -> None:
    """Remove what was written, and the folder if it was made for it."""
    with suppress(OSError):
        for path in written:
            path.unlink(missing_ok=True)
        if folder is not None:
            folder.rmdir()


def _reason(error: FileFault | OSError) -> str:
    return error.reason if isinstance(error, FileFault) else (error.strerror or "").lower()


def _lock_text(packs: Mapping[str, KeptPack]) -> str:
    """A lock of kept packs: that of `ruleloom lock`, with where each is from."""
    listed = {
        id: {part: getattr(one, part) for part in (*PARTS, *MORE)} for id, one in packs.items()
    }
    said = {id: {part: text for part, text in one.items() if text} for id, one in listed.items()}
    return json.dumps({"packs": said}, indent=1, sort_keys=True) + "\n"
