"""Marks of files: what the file system says of them, by which files that were hashed once are known
again without being read.

The time of the last change of an entry (`ctime`) is set by the system itself, and nobody can set it
back. A file system may give a second change the same time as one just before it, so only files whose
times lie a while back have marks.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable

from ruleloom.cache.store import Store

# The coarsest clock of a file system ticks every two seconds (FAT).
SETTLED = 3_000_000_000
MOST_KNOWN = 64
PREFIX = "files-"
"""What the names of entries with hashes of files begin with."""
DIGITS = 64
"""The length of a hash."""

_KNOWN: dict[str, str] = {}
"""What this process knows of files: their hashes by their marks."""


def marks_of(sort: str, files: Iterable[tuple[str, os.stat_result | None]]) -> str | None:
    """The marks of files by their names, hashed: times, device, inode, size and mode. None if one was
    changed just now, or is no ordinary file. `sort` says how the files themselves are hashed."""
    youngest = time.time_ns() - SETTLED
    marks = [sort]
    for name, status in files:
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        modified, changed = status.st_mtime_ns, status.st_ctime_ns
        if modified > youngest or changed > youngest:
            return None
        entry = f"{status.st_dev} {status.st_ino} {status.st_size} {status.st_mode}"
        marks.append(f"{modified} {changed} {entry} {len(name)} {name}")
    return hashlib.sha256("\n".join(marks).encode("utf-8", "surrogatepass")).hexdigest()


def hash_by_marks(
    marks: str | None,
    store: Store | None,
    hashed: Callable[[], str | None],
    marks_now: Callable[[], str | None],
) -> str | None:
    """The hash of the files that have these marks: known, or made by `hashed`, which reads them. It is
    kept if they have the same marks afterwards."""
    known = None if marks is None else _KNOWN.get(marks) or _kept(marks, store)
    if known is not None:
        return known
    hash = hashed()
    if marks is not None and hash is not None and marks == marks_now():
        _remember(marks, hash)
        if store is not None:
            store.put(PREFIX + marks, hash.encode("ascii"))
    return hash


def _kept(marks: str, store: Store | None) -> str | None:
    kept = store.get(PREFIX + marks) if store is not None else None
    if kept is None or len(kept) != DIGITS:
        return None
    return _remember(marks, kept.decode("ascii", "replace"))


def _remember(marks: str, hash: str) -> str:
    _KNOWN[marks] = hash
    if len(_KNOWN) > MOST_KNOWN:
        del _KNOWN[next(iter(_KNOWN))]
    return hash
