"""What operating systems do differently: links, pipes, locks, modes, held folders, consoles, processes.

The first way of each is that of POSIX. The second is for Windows, for Python in a browser and for disks that
cannot do the first; docs/kept.md says what it promises. All other modules use what Python has everywhere.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, TextIO

StrPath = str | os.PathLike[str]


def _module(name: str) -> Any:
    """A module that not every system has, or None."""
    try:
        return import_module(name)
    except ImportError:
        return None


NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for a writer
FOLDER_ONLY = getattr(os, "O_DIRECTORY", 0)
# Windows would translate line ends, and hand open files to the processes that it starts.
OURS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
JUNCTION = 0xA0000003  # a link of Windows from folder to folder
HOLDS_FOLDERS = (
    bool(FOLDER_ONLY and NO_LINK)
    and {*(os.open, os.stat, os.unlink, os.rename)} <= os.supports_dir_fd
)
LOCKS = _module("fcntl") or _module("msvcrt")
IS_WINDOWS = sys.platform == "win32"
HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")
# In seconds: where an open file cannot be replaced, a reader or a virus scanner is waited for.
PATIENCE, PAUSE = 1.0, 0.02


# ------------------------------------------------------------------------------------- paths

# On Windows a file of such a name, whatever its ending, is a device.
DEVICE_NAMES = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)


def is_device(path: str) -> bool:
    """Is a file or folder of a path, with slashes, a device on Windows?"""
    return any(part.partition(".")[0].lower() in DEVICE_NAMES for part in path.split("/"))


def way_to(path: StrPath, folder: StrPath = os.curdir, paths: Any = os.path) -> str:
    """A path as seen from a folder, with slashes; from one drive of Windows to another it stays whole."""
    try:
        found: str = paths.relpath(path, folder)
    except ValueError:
        found = paths.normpath(path)
    return found.replace(paths.sep, "/")


# ------------------------------------------------------------------------------------- files


def is_link(status: os.stat_result) -> bool:
    """Is it a link? `status` is of the entry itself, not of what it leads to."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == JUNCTION


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Is it a folder, and no link to one?"""
    found = entry.is_dir(follow_symlinks=False)
    return found and not (IS_WINDOWS and is_link(entry.stat(follow_symlinks=False)))


def open_plain(
    path: StrPath, follow: bool = False, folder: int | None = None
) -> tuple[int, os.stat_result]:
    """A regular file open for reading, and its status. OSError: ELOOP for a link that is not to be followed,
    EISDIR for a folder, ENXIO for a pipe or device, which is never waited for."""
    by_flags = bool(NO_WAIT and (follow or NO_LINK))
    if not by_flags:
        _refuse(os.stat(path, dir_fd=folder, follow_symlinks=follow))
    flags = os.O_RDONLY | NO_WAIT | OURS | (0 if follow else NO_LINK)
    number = os.open(path, flags, dir_fd=folder)
    try:
        if not by_flags:  # it may have been replaced meanwhile
            _refuse(os.stat(path, dir_fd=folder, follow_symlinks=follow))
        status = os.fstat(number)
        _refuse(status)
    except BaseException:
        os.close(number)
        raise
    return number, status


def _refuse(status: os.stat_result) -> None:
    if is_link(status):
        raise OSError(errno.ELOOP, "it is a link")
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENXIO, "it is not a regular file")


def open_new(path: StrPath, mode: int, folder: int | None = None) -> int:
    """A new file open for writing; FileExistsError if anything has the name, a link included."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | OURS
    return os.open(path, flags, mode, dir_fd=folder)


def name_once(draft: StrPath, path: StrPath) -> None:
    """Move a file to a name that is free, at once and whole; FileExistsError if it is taken.

    Without hard links two processes may both find it free; then one of the files stays, whole.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError, NotImplementedError):
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(draft, path)
    else:
        os.unlink(draft)


def is_ours_alone(status: os.stat_result) -> bool:
    """Can only this user read and write it? Without owners the folder of the user guards it."""
    geteuid: Callable[[], int] | None = getattr(os, "geteuid", None)
    return geteuid is None or (status.st_uid == geteuid() and not status.st_mode & 0o077)


# ------------------------------------------------------------------------------------ folders


class Folder(NamedTuple):
    """A folder by its path, or held open: then its files are those of this very folder, whatever is done
    to the path meanwhile."""

    path: str
    number: int | None = None

    @classmethod
    def held(cls, path: str, follow: bool = True, within: int | None = None) -> Folder:
        """A folder held open where the system can, else named; OSError for what is none, or a link."""
        if HOLDS_FOLDERS:
            flags = os.O_RDONLY | FOLDER_ONLY | OURS | (0 if follow else NO_LINK)
            return cls(path, os.open(path, flags, dir_fd=within))
        status = os.stat(path, follow_symlinks=follow)
        if is_link(status) or not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return cls(path)

    def inner(self, name: str) -> Folder:
        """A folder in it; OSError for a link."""
        return self.held(self._at(name), False, self.number)

    def _at(self, name: str) -> str:
        return os.path.join(self.path, name) if self.number is None else name

    def open(self, name: str) -> tuple[int, os.stat_result]:
        """A file in it, as by `open_plain`."""
        return open_plain(self._at(name), folder=self.number)

    def create(self, name: str, data: bytes, mode: int, keep_mode: bool = False) -> None:
        """Write a new file and flush it to the disk; FileExistsError if the name is taken."""
        with os.fdopen(open_new(self._at(name), mode, self.number), "wb") as file:
            if keep_mode:
                self._set_mode(file.fileno(), name, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _set_mode(self, number: int, name: str, mode: int) -> None:
        """Set the mode of a file, whatever is masked out of new ones."""
        if hasattr(os, "fchmod"):
            os.fchmod(number, mode)
        else:
            os.chmod(self._at(name), mode)

    def replace(self, name: str, data: bytes, mode: int | None, draft: str) -> None:
        """Write a file beside an old one and put it in its place; after any failure the old one is intact."""
        try:
            self.create(draft, data, 0o666 if mode is None else mode, mode is not None)
            self._rename(draft, name)
        except BaseException:
            with suppress(OSError):
                os.unlink(self._at(draft), dir_fd=self.number)
            raise
        self.flush()

    def _rename(self, draft: str, name: str) -> None:
        """Put a file in the place of another. Windows refuses while that is open: it is waited for."""
        at_latest = time.monotonic() + PATIENCE
        old, new = self._at(draft), self._at(name)
        while True:
            try:
                return os.replace(old, new, src_dir_fd=self.number, dst_dir_fd=self.number)
            except PermissionError:
                if not IS_WINDOWS or time.monotonic() > at_latest:
                    raise
                time.sleep(PAUSE)

    def mode(self, name: str) -> int:
        """The mode of a file."""
        return stat.S_IMODE(
            os.stat(self._at(name), dir_fd=self.number, follow_symlinks=False).st_mode
        )

    def flush(self) -> None:
        """Flush the names of files to the disk; a folder that is only named is flushed where it can be."""
        if self.number is not None:
            os.fsync(self.number)
        elif FOLDER_ONLY:
            with suppress(OSError):
                number = os.open(self.path, os.O_RDONLY | FOLDER_ONLY | OURS)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)

    def close(self) -> None:
        """Let go of it."""
        if self.number is not None:
            os.close(self.number)


# -------------------------------------------------------------------------------------- locks


def open_lock(path: StrPath) -> int:
    """A lock file, open, and made if there is none."""
    return os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK | OURS, 0o666)


def locked(number: int, path: StrPath) -> bool:
    """Lock an open lock file while this process lives; False if another process holds it. OSError if the
    disk cannot lock; a system that cannot lets everybody in."""
    if hasattr(LOCKS, "locking"):  # Windows; there nobody removes a file that is open
        with suppress(OSError):
            LOCKS.locking(number, LOCKS.LK_NBLCK, 1)
            return True
        return False
    if LOCKS is None:
        return True
    try:
        LOCKS.flock(number, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
        # The last holder may have removed the file after it was opened here.
        return os.path.samestat(os.fstat(number), os.stat(path))
    except (BlockingIOError, FileNotFoundError):
        return False


def unlock(number: int, path: StrPath) -> None:
    """Let go of a lock, and remove its file."""
    if hasattr(LOCKS, "flock"):
        with suppress(OSError):
            os.unlink(path)
        os.close(number)
    else:  # an open file cannot be removed, and another process may have it open by now
        os.close(number)
        with suppress(OSError):
            os.unlink(path)


# -------------------------------------------------------------------------------- processes


def bounded_to(memory: int) -> Callable[[], None] | None:
    """What bounds the memory of a process, and of each that it starts; None where nothing can."""
    resource = _module("resource")

    def bound() -> None:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return bound if resource is not None else None


def end_group(number: int) -> None:
    """End a process that leads a group of its own, and all that it has started; where there are no groups, it
    alone."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(number, signal.SIGKILL)
        else:
            os.kill(number, signal.SIGTERM)


# -------------------------------------------------------------------------- console, processors


def shows_escapes(stream: TextIO) -> bool:
    """Does it lead to a terminal that knows colours? A console of Windows is told to."""
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    if not IS_WINDOWS:
        return True
    tell = getattr(
        _module("colorama"), "just_fix_windows_console", None
    )  # it comes with click there
    if tell is not None:
        tell()
    return tell is not None


def encoding_of(stream: TextIO) -> str | None:
    """The encoding that a stream needs to have; None if its own is right.

    Windows writes files and pipes in a code page of its own, which no program expects.
    """
    chosen = stream.isatty() or os.environ.get("PYTHONIOENCODING")
    return "utf-8" if IS_WINDOWS and not chosen else None


def silence_output() -> None:
    """Send standard output to the null device: Python flushes it at exit, and may raise."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):  # a stream without a file below
        sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8")


def processors() -> int:
    """The processors that this process may use, or all of them."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
