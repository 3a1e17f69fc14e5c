"""Reads and writes whole text files, safely against hostile files and full disks.

A new file is flushed beside the old one and then replaces it: after any failure the old file is intact.
Only regular files of bounded size in UTF-8 are read. All errors are `FileFault`s.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ruleloom.runtime.program.faults import RuleloomError
from ruleloom.runtime.system import Folder, locked, open_lock, open_plain, unlock

LARGEST_FILE = 64 * 1024 * 1024
DRAFT, DRAFT_ENDS = ".ruleloom-", ".tmp"
# In seconds: the timeout for a lock, and the age of an abandoned draft.
PATIENCE, OLD_DRAFT = 6.0, 600.0
# Some network disks cannot lock; there only the file's mark reveals another writer.
NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP})

REASONS = {
    errno.EACCES: "you have no permission for that",
    errno.EPERM: "you have no permission for that",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "the disk is full",
    getattr(errno, "EDQUOT", errno.ENOSPC): "your share of the disk is used up",
    errno.EFBIG: "the file would be larger than is allowed here",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.EISDIR: "it is a folder",
    errno.ENXIO: "it is not a regular file",
    errno.ELOOP: "links lead in a circle",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk does not answer",
    errno.EMFILE: "too many files are open",
}


class FileFault(RuleloomError):
    """A file that could not be read or written, and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def _fault(path: Path, error: OSError | ValueError) -> FileFault:
    if isinstance(error, OSError):
        number = error.errno or 0
        return FileFault(str(path), REASONS.get(number) or os.strerror(number).lower())
    return FileFault(str(path), "that is no path")


def write_atomically(path: Path | str, text: str | bytes) -> None:
    """Write `text` to `path`; on FileFault the old file is left intact."""
    shown = Path(path)
    try:
        data = text.encode("utf-8") if isinstance(text, str) else text
    except UnicodeEncodeError:
        reason = "the text holds half a character, which UTF-8 cannot write"
        raise FileFault(str(shown), reason) from None
    try:
        _replace(Path(os.path.realpath(shown)), shown, data)
    except (OSError, ValueError) as error:
        raise _fault(shown, error) from None


def _replace(target: Path, shown: Path, data: bytes) -> None:
    mode = None
    with suppress(FileNotFoundError):
        found = target.stat()
        if not stat.S_ISREG(found.st_mode):
            what = "it is a folder" if stat.S_ISDIR(found.st_mode) else "it is not a regular file"
            raise FileFault(str(shown), what)
        if not os.access(target, os.W_OK):  # respect a file made read-only on purpose
            raise PermissionError(errno.EACCES, "read-only")
        mode = stat.S_IMODE(found.st_mode)
    draft = f"{DRAFT}{os.urandom(8).hex()}{DRAFT_ENDS}"
    Folder(str(target.parent)).replace(target.name, data, mode, draft)


def sweep(folder: Path) -> None:
    """Remove drafts left in this folder by killed processes."""
    with suppress(OSError):
        for draft in folder.glob(f"{DRAFT}{'[0-9a-f]' * 16}{DRAFT_ENDS}"):
            if _age(draft) > OLD_DRAFT:
                draft.unlink()


def _age(path: Path) -> float:
    """The seconds since a file was written; 0 if it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


@contextmanager
def held_alone(path: Path | str) -> Iterator[None]:
    """Hold a lock that keeps other processes from writing to `path`; FileFault on timeout.

    The system holds the lock while this process lives, and releases it when the process dies.
    """
    lock, at_latest = Path(f"{os.path.realpath(path)}.lock"), time.monotonic() + PATIENCE
    while (number := _locked(lock, path)) is None:
        if time.monotonic() > at_latest:
            raise FileFault(str(path), "another process is writing to it")
        time.sleep(0.02)
    try:
        yield
    finally:
        unlock(number, lock)


def _locked(lock: Path, path: Path | str) -> int | None:
    """The open lock file; None if another process holds it."""
    try:
        number = open_lock(lock)
    except (OSError, ValueError) as error:
        raise _fault(Path(path), error) from None
    try:
        if locked(number, lock):
            return number
    except OSError as error:
        if error.errno not in NO_LOCKS:
            os.close(number)
            raise _fault(Path(path), error) from None
        return number
    os.close(number)
    return None


def read_text(path: Path | str, most: int = LARGEST_FILE) -> str:
    """The text of a regular file of at most `most` bytes in UTF-8; FileFault for anything else."""
    return text_of(path, read_bytes(path, most))


def read_bytes(path: Path | str, most: int = LARGEST_FILE) -> bytes:
    """The bytes of a regular file of at most `most`; FileFault for anything else."""
    shown = Path(path)
    try:
        return _read(shown, most)
    except (OSError, ValueError) as error:
        raise _fault(shown, error) from None


def text_of(path: Path | str, data: bytes) -> str:
    """The decoded content of a file; FileFault if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFault(str(Path(path)), f"line {line} is not text in UTF-8") from None


def _read(path: Path, most: int) -> bytes:
    number, found = open_plain(path, follow=True)
    with os.fdopen(number, "rb") as file:
        data = file.read(min(found.st_size, most) + 1)
        if found.st_size < len(data) <= most:  # it grows, or misreports its size
            data += file.read(most + 1 - len(data))
    if max(found.st_size, len(data)) > most:
        raise FileFault(str(path), f"it is larger than {most // (1024 * 1024)} MiB")
    return data
