"""Sealed files by name: an entry comes out as it was put in, or not at all.

Each file begins with a seal over its name and content (HMAC-SHA256). The key is a random file of
the user's own, outside the folder, or `RULELOOM_CACHE_KEY`; a file that was truncated, changed,
renamed or forged counts as missing. Nothing is an error: an unusable folder stores nothing.

Artifacts come with a wheel, made while it was built. Their key is known to all: the seal says that one
is as it was written, not who wrote it, and what it holds is to be checked as what is read from a save.
"""

from __future__ import annotations

import hmac
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from ruleloom.runtime.dataclass import dataclass

FOLDER, KEY = "RULELOOM_CACHE", "RULELOOM_CACHE_KEY"
OFF = "off"
ENDING, DRAFT = ".check", ".draft"
SEAL = 64
LARGEST, LARGEST_IN_ALL, MOST = 8 * 1024 * 1024, 64 * 1024 * 1024, 500
OLDEST, OLDEST_DRAFT = 30 * 24 * 3600, 3600
KEY_BYTES = 32
FORM = b"ruleloom store 1"

ARTIFACTS = Path(__file__).resolve().parent.parent / "compiled"
"""The folder of artifacts in an installation; a checkout has none."""
ARTIFACT, KNOWN_KEY = ".artifact", b"artifact"


@dataclass(frozen=True, slots=True)
class Store:
    """The folder, and the key: from the environment, or a file made when it is needed."""

    folder: Path
    key_file: Path
    key: bytes | None = None

    def get(self, name: str) -> bytes | None:
        """The entry of this name; None where there is none that can be trusted."""
        key = self.key or _read_key(self.key_file)
        path = self.folder / (name + ENDING)
        body = _unsealed(path, key, name, OLDEST) if key is not None else None
        if body is not None:
            with suppress(OSError):
                os.utime(path)  # so that `_tidy` keeps what is used
        return body

    def put(self, name: str, body: bytes) -> None:
        """Store an entry if possible, and remove entries that are too old or too many."""
        if len(body) + SEAL > LARGEST:
            return
        with suppress(OSError):
            key = self.key or _read_key(self.key_file) or _make_key(self.key_file)
            if key is None:
                return
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = _draft(self.folder, _seal(key, name, body) + body)
            try:
                draft.replace(self.folder / (name + ENDING))
            except OSError:
                draft.unlink()
                return
            self._tidy()

    def _tidy(self) -> None:
        """Remove entries unused for long, and the oldest beyond the limits."""
        now, kept, size = time.time(), 0, 0
        with os.scandir(self.folder) as entries:
            ours = [one for one in entries if one.name.endswith((ENDING, DRAFT))]
        files = [(one.stat(follow_symlinks=False), one) for one in ours]
        for status, one in sorted(files, key=lambda file: -file[0].st_mtime):
            age = now - status.st_mtime
            draft = one.name.endswith(DRAFT)
            kept, size = kept + (not draft), size + status.st_size
            if age > (OLDEST_DRAFT if draft else OLDEST) or kept > MOST or size > LARGEST_IN_ALL:
                with suppress(OSError):
                    Path(one.path).unlink()


def user_store() -> Store | None:
    """The store of this user, as the environment says; None if it is off or has no place."""
    said = os.environ.get(FOLDER, "")
    folder = Path(said) if said else _base("XDG_CACHE_HOME", ".cache")
    state = _base("XDG_STATE_HOME", ".local/state")
    secret = os.environ.get(KEY, "").encode("utf-8", "surrogateescape")
    if said == OFF or folder is None or (state is None and not secret):
        return None
    key_file = (state or folder) / "ruleloom" / "cache-key"
    return Store(folder if said else folder / "ruleloom", key_file, secret or None)


def read_artifact(name: str) -> bytes | None:
    """The artifact of this name; None where there is none, or it is not as it was written."""
    return _unsealed(ARTIFACTS / (name + ARTIFACT), KNOWN_KEY, name)


def write_artifact(name: str, body: bytes) -> None:
    """Write an artifact; OSError if it cannot be, ValueError if it would be too large to be read."""
    if SEAL + len(body) > LARGEST:
        raise ValueError(f"{len(body):,} bytes are more than an artifact may have")
    ARTIFACTS.mkdir(exist_ok=True)
    (ARTIFACTS / (name + ARTIFACT)).write_bytes(_seal(KNOWN_KEY, name, body) + body)


def _base(variable: str, usual: str) -> Path | None:
    """A folder of the XDG base directories, in which a path that is not absolute counts as none."""
    said = Path(os.environ.get(variable, ""))
    if said.is_absolute():
        return said
    with suppress(RuntimeError):  # there is no home
        return Path.home() / usual
    return None


def _seal(key: bytes, name: str, body: bytes) -> bytes:
    message = b"\0".join((FORM, name.encode(), body))
    return hmac.digest(key, message, "sha256").hex().encode()


def _unsealed(path: Path, key: bytes, name: str, oldest: int | None = None) -> bytes | None:
    """The content of a file with a sound seal, used within so many seconds."""
    data = _read(path, LARGEST, oldest=oldest)
    if data is None:
        return None
    body = data[SEAL:]
    return body if hmac.compare_digest(data[:SEAL], _seal(key, name, body)) else None


def _read_key(path: Path) -> bytes | None:
    """The key, if nobody else can have read or written it."""
    data = _read(path, KEY_BYTES, private=True)
    return data if data is not None and len(data) == KEY_BYTES else None


def _make_key(path: Path) -> bytes | None:
    """Make a key where there is none; of two made at once, one is kept."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = _draft(path.parent, os.urandom(KEY_BYTES))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return _read_key(path)


def _draft(folder: Path, data: bytes) -> Path:
    """A new file with these bytes, readable by its owner only."""
    path = folder / f".{os.urandom(8).hex()}{DRAFT}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    return path


def _read(path: Path, most: int, private: bool = False, oldest: int | None = None) -> bytes | None:
    """The content of a regular file (no link) up to this size; if `private`, one of ours alone."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > most:
                return None
            if private and (status.st_uid != os.geteuid() or status.st_mode & 0o077):
                return None
            if oldest is not None and time.time() - status.st_mtime > oldest:
                return None
            return file.read(most)
    return None
