"""The store: `get` returns the product of packs of one kind, from an earlier run or made now.

The key of an entry hashes all bytes of the files, Ruleloom, Python and its libraries; times are ignored. An
entry is stored only if the compiler read the very texts that were hashed, so that a file saved meanwhile
causes no wrong answer. It has one line that names the inputs besides the named packs, and then the data, both
as JSON.

Each entry is a sealed file (HMAC-SHA256 over name and content, under a key of the user's own): it is read as
it was written, or not at all. Artifacts ship with a wheel, and their key is public: their content is
validated.
"""

from __future__ import annotations

import hmac
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.system import is_ours_alone, name_once, open_new, open_plain
from ruleloom.store.inputs import (
    Digest,
    Inputs,
    inputs_of,
    named_packs,
    own_digest,
    packs_below,
    tool_digest,
)

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


class Store(Frozen):
    """The folder, and the key: from the environment, or from a file created on demand."""

    folder: Path
    key_file: Path
    key: bytes | None = None

    def get(self, name: str) -> bytes | None:
        """The entry of this name; None if there is none that can be trusted."""
        key = self.key or _read_key(self.key_file)
        path = self.folder / (name + ENDING)
        body = _unsealed(path, key, name, OLDEST) if key is not None else None
        if body is not None:
            with suppress(OSError):
                os.utime(path)  # so that `_tidy` keeps recently used entries
        return body

    def put(self, name: str, body: bytes) -> None:
        """Store an entry if possible, and remove old and surplus entries."""
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
        """Remove entries long unused, and the oldest beyond the limits."""
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
    """The store of this user, by the environment; None if it is off or has no folder."""
    said = os.environ.get(FOLDER, "")
    folder = Path(said) if said else _base("XDG_CACHE_HOME", ".cache")
    state = _base("XDG_STATE_HOME", ".local/state")
    secret = os.environ.get(KEY, "").encode("utf-8", "surrogateescape")
    if said == OFF or folder is None or (state is None and not secret):
        return None
    key_file = (state or folder) / "ruleloom" / "cache-key"
    return Store(folder if said else folder / "ruleloom", key_file, secret or None)


def read_artifact(name: str) -> bytes | None:
    """The artifact of this name; None if it is missing or was modified."""
    return _unsealed(ARTIFACTS / (name + ARTIFACT), KNOWN_KEY, name)


def write_artifact(name: str, body: bytes, folder: Path | None = None) -> None:
    """Write an artifact, to a folder other than the installation's if one is given; OSError if that fails,
    ValueError if it would be too large to read."""
    if SEAL + len(body) > LARGEST:
        raise ValueError(f"{len(body):,} bytes are more than an artifact may have")
    place = folder or ARTIFACTS
    place.mkdir(exist_ok=True)
    (place / (name + ARTIFACT)).write_bytes(_seal(KNOWN_KEY, name, body) + body)


def _base(variable: str, usual: str) -> Path | None:
    """An XDG base directory; a relative path in the variable is ignored."""
    said = Path(os.environ.get(variable, ""))
    if said.is_absolute():
        return said
    with suppress(RuntimeError):  # no home directory
        return Path.home() / usual
    return None


def _seal(key: bytes, name: str, body: bytes) -> bytes:
    message = b"\0".join((FORM, name.encode(), body))
    return hmac.digest(key, message, "sha256").hex().encode()


def _unsealed(path: Path, key: bytes, name: str, oldest: int | None = None) -> bytes | None:
    """The content of a sealed file, used within `oldest` seconds."""
    data = _read(path, LARGEST, oldest=oldest)
    if data is None:
        return None
    body = data[SEAL:]
    return body if hmac.compare_digest(data[:SEAL], _seal(key, name, body)) else None


def _read_key(path: Path) -> bytes | None:
    """The key, unless others could read or write it."""
    data = _read(path, KEY_BYTES, private=True)
    return data if data is not None and len(data) == KEY_BYTES else None


def _make_key(path: Path) -> bytes | None:
    """Make a key if missing; of two made at once, one is kept."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = _draft(path.parent, os.urandom(KEY_BYTES))
    try:
        name_once(draft, path)
    except OSError:
        draft.unlink()
    return _read_key(path)


def _draft(folder: Path, data: bytes) -> Path:
    """A new file with these bytes, readable only by its owner."""
    path = folder / f".{os.urandom(8).hex()}{DRAFT}"
    try:
        with os.fdopen(open_new(path, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    return path


def _read(path: Path, most: int, private: bool = False, oldest: int | None = None) -> bytes | None:
    """The content of a regular file (no link) up to this size; if `private`, of ours alone."""
    with suppress(OSError):
        handle, status = open_plain(path)
        with os.fdopen(handle, "rb") as file:
            if status.st_size > most or (private and not is_ours_alone(status)):
                return None
            if oldest is not None and time.time() - status.st_mtime > oldest:
                return None
            return file.read(most)
    return None


T = TypeVar("T")


class Below(NamedTuple):
    """The packs besides the named ones, by id, and their files."""

    ids: tuple[str, ...]
    files: Inputs


class StoreEntry(NamedTuple):
    """The data of an entry, and the files that it was made from: those of the named packs, and those of the
    packs below, which are shipped or kept.

    An entry that is not `sealed` came with the installation, and is untrusted.
    """

    data: Any
    named: Inputs
    below: Below
    sealed: bool

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts of these files, by displayed path."""
        return {**self.named.texts, **self.below.files.texts}

    @property
    def folders(self) -> Mapping[str, Path]:
        """The current folders of the packs, by displayed manifest."""
        found = (*self.named.folders, *self.below.files.folders)
        return {one.manifest_shown: one.path for one in found}


class NewValue(NamedTuple, Generic[T]):
    """A value and its inputs: the texts of all files by displayed path, and the folders of the packs by id;
    None if these are unknown, and nothing is stored."""

    value: T
    texts: Mapping[str, str]
    packs: Mapping[str, Path] | None


class StoreKind(NamedTuple, Generic[T]):
    """One kind of entry: how it is written as JSON data, and how it is read.

    Reading invalid data raises ValueError, TypeError or KeyError. A kind that `ships` may come with the
    installation; one that is `held` is cached in the process. An entry of the kind `also` is a substitute.
    """

    name: str
    data: Callable[[T], Any]
    read: Callable[[StoreEntry], T]
    ships: bool = False
    held: bool = False
    also: StoreKind[Any] | None = None


MOST_HELD = 16
_HELD: dict[str, tuple[Any, Below]] = {}
"""The values read by this process, by entry name, with the packs below."""


class PackStore(Frozen):
    """The entries for one set of packs."""

    store: Store | None
    tool: str
    inputs: Inputs

    def find(self, kind: StoreKind[T]) -> T | None:
        """The stored value of a kind; None if missing, or if a pack below has changed."""
        found = self._find(kind)
        return found if found is not None or kind.also is None else self.find(kind.also)

    def _find(self, kind: StoreKind[T]) -> T | None:
        name = self._name(kind)
        held = _HELD.get(name)
        if held is not None and self._known(held[1].ids) == held[1]:
            found: T = held[0]
            return found
        body = self.store.get(name) if self.store is not None else None
        entry = self._entry(body, True) if body is not None else None
        if entry is None and kind.ships:
            body = read_artifact(self._artifact_name(kind))
            entry = self._entry(body, False) if body is not None else None
        return None if entry is None else self._read(kind, name, entry)

    def keep(self, kind: StoreKind[T], made: NewValue[T]) -> None:
        """Store a value, unless it was made from other files."""
        below = self._below(made) if self.store is not None else None
        if self.store is not None and below is not None:
            body = _body(below.ids, below.files.digest, kind.data(made.value))
            self.store.put(self._name(kind), body)

    def ship(self, kind: StoreKind[T], made: NewValue[T], folder: Path | None = None) -> None:
        """Write an artifact for a wheel, or to a folder. Raises OSError, and ValueError if files have changed
        meanwhile or it is too large."""
        below = self._below(made)
        if below is None:
            raise ValueError("files were changed while they were compiled")
        body = _body(below.ids, below.files.content, kind.data(made.value))
        write_artifact(self._artifact_name(kind), body, folder)

    def _name(self, kind: StoreKind[T]) -> str:
        return Digest(*map(str.encode, (self.tool, kind.name, self.inputs.digest))).hex()

    def _artifact_name(self, kind: StoreKind[T]) -> str:
        """An artifact's name, without the location."""
        return Digest(*map(str.encode, (own_digest(), kind.name, self.inputs.content))).hex()

    def _entry(self, body: bytes, sealed: bool) -> StoreEntry | None:
        try:
            head, _, says = body.decode().partition("\n")
            made_of = json.loads(head)
            below = self._known(made_of["below"])
            digest = below and (below.files.digest if sealed else below.files.content)
            if below is None or made_of["digest"] != digest:
                return None
            return StoreEntry(json.loads(says), self.inputs, below, sealed)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def _read(self, kind: StoreKind[T], name: str, entry: StoreEntry) -> T | None:
        """The value of an entry. A valid entry of the installation is sealed, so that it is not validated
        twice."""
        try:
            value = kind.read(entry)
        except (ValueError, TypeError, KeyError):
            return None
        if not entry.sealed and self.store is not None:
            self.store.put(name, _body(entry.below.ids, entry.below.files.digest, entry.data))
        if kind.held:
            _HELD[name] = value, entry.below
            if len(_HELD) > MOST_HELD:
                del _HELD[next(iter(_HELD))]
        return value

    def _below(self, made: NewValue[T]) -> Below | None:
        """The packs besides the named ones; None if the value was made from other files."""
        if made.packs is None:
            return None
        named = {folder.key for folder in self.inputs.folders}
        ids = [id for id, folder in made.packs.items() if os.path.realpath(folder) not in named]
        below = self._known(ids)
        if below is None or {**self.inputs.texts, **below.files.texts} != made.texts:
            return None
        return below

    def _known(self, ids: Sequence[str]) -> Below | None:
        """The packs of these ids as they are now; None if one is missing."""
        found = packs_below(ids, self.inputs.folders)
        return None if found is None else Below(tuple(ids), found)


def get(kind: StoreKind[T], paths: Sequence[str], make: Callable[[], NewValue[T]]) -> T:
    """The product of packs of this kind, stored or else made, and then stored. Exceptions of `make` pass
    through."""
    shelf = pack_store(paths)
    found = shelf.find(kind) if shelf is not None else None
    if found is not None:
        return found
    made = make()
    if shelf is not None:
        shelf.keep(kind, made)
    return made.value


def get_bytes(kind: str, digest: str, make: Callable[[], bytes | None]) -> bytes | None:
    """The bytes stored for a kind under a hash of all its inputs; else made, and stored. None if nothing can
    be stored."""
    store = user_store()
    if store is None:
        return None
    try:
        name = Digest(*map(str.encode, (tool_digest(), kind, digest))).hex()
    except OSError:
        return None
    found = store.get(name)
    if found is None:
        found = make()
        if found is not None:
            store.put(name, found)
    return found


def pack_store(paths: Sequence[str]) -> PackStore | None:
    """The PackStore of some packs; None if nothing can be stored, or only the compiler knows them."""
    store = user_store()
    if store is None and not ARTIFACTS.is_dir():
        return None
    return pack_store_in(store, paths)


def pack_store_in(store: Store | None, paths: Sequence[str]) -> PackStore | None:
    """The PackStore of some packs."""
    folders = named_packs(paths)
    inputs = inputs_of(folders) if folders is not None else None
    if inputs is None:
        return None
    try:
        return PackStore(store, tool_digest(), inputs)
    except OSError:
        return None


def _body(below: Sequence[str], digest: str, data: Any) -> bytes:
    made_of = json.dumps({"below": below, "digest": digest})
    return f"{made_of}\n{json.dumps(data)}".encode()
