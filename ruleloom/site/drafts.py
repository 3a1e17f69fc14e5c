"""The packs of a site where they are edited: each is copied there once, and again when the site brings
another version, unless somebody has changed the copy."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.pages import told

NOTES = "packs.json"


class Drafts(Frozen):
    """The folder of the packs that came with the site, and that of their copies, beside which the digest
    of each version that was copied or declined is noted."""

    came: Path
    copies: Path

    def renew(self) -> list[str]:
        """Copy what is new to packs nobody has changed; return the names of those where somebody has."""
        noted = self._noted()
        newer = []
        for pack in sorted(one for one in self.came.glob("*") if one.is_dir()):
            mine, new = _digest(self.copies / pack.name), _digest(pack)
            if mine is None:
                self.take(pack.name)
            elif new in (mine, noted.get(pack.name)):
                self._note(pack.name, new)
            elif mine == noted.get(pack.name):
                self.take(pack.name)
            else:
                newer.append(pack.name)
        return newer

    def take(self, name: str) -> None:
        """Replace a copy by what came."""
        pack = self._named(name)
        shutil.rmtree(self.copies / name, ignore_errors=True)
        shutil.copytree(pack, self.copies / name)
        self._note(name, _digest(pack))

    def decline(self, name: str) -> None:
        """Keep a copy, although another version came."""
        self._note(name, _digest(self._named(name)))

    def _named(self, name: str) -> Path:
        found = next((one for one in self.came.glob("*") if one.name == name), None)
        if found is None:
            raise Refused(told("no_such_file"))
        return found

    def _noted(self) -> dict[str, str | None]:
        path = self.copies.parent / NOTES
        found: dict[str, str | None] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return found

    def _note(self, name: str, digest: str | None) -> None:
        self.copies.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**self._noted(), name: digest}, indent=1)
        (self.copies.parent / NOTES).write_text(text, encoding="utf-8")


def _digest(pack: Path) -> str | None:
    """The digest of the files of a pack; None where there is none."""
    if not pack.is_dir():
        return None
    found = hashlib.sha256()
    for path in sorted(one for one in pack.rglob("*") if one.is_file()):
        body = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f"{path.relative_to(pack).as_posix()}\n{body}\n".encode())
    return found.hexdigest()
