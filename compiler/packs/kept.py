"""Reads which packs a project keeps: zips in its folder `packs/`, listed in the `ruleloom.lock` there.

The lock says of each pack its version, its hash, the source that it came from, and the SHA-256 of its zip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleloom.compiler.source.file import MAX_BYTES, Place, SourceError, read_bytes
from ruleloom.runtime.dataclass import Frozen

KEPT, LOCK = "packs", "ruleloom.lock"
PACK_ID = re.compile(r"[a-z][a-z0-9_-]{0,63}")
# The most folders above a place that are searched for its pack, or its project.
MAX_CLIMB = 16
VERSION = re.compile(r"[0-9][0-9a-z.+!]{0,99}")
SHA256 = re.compile(r"[0-9a-f]{64}")
PARTS, MORE = ("version", "hash", "source", "sha256"), ("commit", "index")


class KeptPack(Frozen):
    """A kept pack, as the lock lists it: `commit` is that of a source in git, `index` where its name was
    looked up."""

    id: str
    version: str
    hash: str
    source: str
    sha256: str
    commit: str = ""
    index: str = ""

    @property
    def file(self) -> str:
        """The name of its zip, which no other pack and version has: a version contains no `-`."""
        return f"{self.id}-{self.version}.zip"


def kept_folder(near: Path) -> Path | None:
    """Return the folder of kept packs of the project around a path, or None."""
    whole = near.absolute()
    places = (place / KEPT for place in [whole, *whole.parents][:MAX_CLIMB])
    return next((place for place in places if (place / LOCK).is_file()), None)


def kept_packs(folder: Path, shown: str) -> dict[str, KeptPack]:
    """Return the packs that the lock in a folder lists, by id; raise SourceError for one that is none.

    The lock is displayed as `shown`.
    """
    try:
        listed: Any = json.loads(read_bytes(folder / LOCK, shown, MAX_BYTES))["packs"]
        found = [_kept(str(id), one) for id, one in listed.items()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        help = "take it from your last backup, or delete it and add the packs again"
        place = Place.of_file(shown)
        raise SourceError("unreadable-file", place, "this is no lock of packs", help) from None
    return {one.id: one for one in found}


def _kept(id: str, written: Mapping[str, Any]) -> KeptPack:
    more = (str(written.get(part, "")) for part in MORE)
    found = KeptPack(id, *(str(written[part]) for part in PARTS), *more)
    sound = (
        PACK_ID.fullmatch(id),
        VERSION.fullmatch(found.version),
        SHA256.fullmatch(found.sha256),
    )
    if not all(sound):
        raise ValueError(id)
    return found
