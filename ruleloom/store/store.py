"""The store: `get` gives what of a kind was made of packs, from an earlier run, or makes it now.

An entry is found by a hash over all bytes of the files, and over Ruleloom, Python and its libraries: no
times are looked at. It is kept only if the compiler read the very texts that were hashed, so that a file
saved meanwhile causes no wrong answer. It is one line that says what it was made of besides the named
packs, and then the data, both as JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.store.inputs import (
    Digest,
    Inputs,
    inputs_of,
    named_packs,
    own_digest,
    shipped_packs_called,
    tool_digest,
)
from ruleloom.store.sealed import ARTIFACTS, Store, read_artifact, user_store, write_artifact

T = TypeVar("T")


class StoreEntry(NamedTuple):
    """Plain data as it was kept, and the files that it was made of: those of the named packs, and those
    of the shipped packs below.

    What is not `sealed` came with the installation: anybody may have written it.
    """

    data: Any
    named: Inputs
    below: Inputs
    sealed: bool

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts of these files, by displayed path."""
        return {**self.named.texts, **self.below.texts}

    @property
    def folders(self) -> Mapping[str, Path]:
        """The folders of the packs as they lie now, by their displayed manifests."""
        found = (*self.named.folders, *self.below.folders)
        return {one.manifest_shown: one.path for one in found}


class NewValue(NamedTuple, Generic[T]):
    """A value, and what it was made of: the texts of all files by displayed path, and the folders of the
    packs by id; None where nobody knows these, and nothing is kept."""

    value: T
    texts: Mapping[str, str]
    packs: Mapping[str, Path] | None


class StoreKind(NamedTuple, Generic[T]):
    """One kind of what is kept: how it becomes plain data, and how it is read.

    To read what is unsound raises ValueError, TypeError or KeyError. A kind that `ships` may come with
    the installation; one that is `held` is read once in a process. What is kept of the kind `also` does
    as well.
    """

    name: str
    data: Callable[[T], Any]
    read: Callable[[StoreEntry], T]
    ships: bool = False
    held: bool = False
    also: StoreKind[Any] | None = None


MOST_HELD = 16
_HELD: dict[str, tuple[Any, Inputs]] = {}
"""The values that this process has read, by the names of entries, with the shipped packs below."""


@dataclass(frozen=True, slots=True)
class PackStore:
    """Whatever is kept of the same packs."""

    store: Store | None
    tool: str
    inputs: Inputs

    def find(self, kind: StoreKind[T]) -> T | None:
        """The value kept of a kind; None if there is none, or a shipped pack below has changed."""
        found = self._find(kind)
        return found if found is not None or kind.also is None else self.find(kind.also)

    def _find(self, kind: StoreKind[T]) -> T | None:
        name = self._name(kind)
        held = _HELD.get(name)
        if held is not None and _unchanged(held[1]):
            found: T = held[0]
            return found
        body = self.store.get(name) if self.store is not None else None
        entry = self._entry(body, True) if body is not None else None
        if entry is None and kind.ships:
            body = read_artifact(self._artifact_name(kind))
            entry = self._entry(body, False) if body is not None else None
        return None if entry is None else self._read(kind, name, entry)

    def keep(self, kind: StoreKind[T], made: NewValue[T]) -> None:
        """Keep what was made, unless it was made of other files."""
        below = self._below(made) if self.store is not None else None
        if self.store is not None and below is not None:
            body = _body(below, below.digest, kind.data(made.value))
            self.store.put(self._name(kind), body)

    def ship(self, kind: StoreKind[T], made: NewValue[T]) -> None:
        """Write an artifact for the wheel that is being built. Raises OSError, and ValueError if files
        have changed meanwhile or there is too much."""
        below = self._below(made)
        if below is None:
            raise ValueError("files were changed while they were compiled")
        body = _body(below, below.content, kind.data(made.value))
        write_artifact(self._artifact_name(kind), body)

    def _name(self, kind: StoreKind[T]) -> str:
        return Digest(*map(str.encode, (self.tool, kind.name, self.inputs.digest))).hex()

    def _artifact_name(self, kind: StoreKind[T]) -> str:
        """The name of an artifact, wherever the packs lie."""
        return Digest(*map(str.encode, (own_digest(), kind.name, self.inputs.content))).hex()

    def _entry(self, body: bytes, sealed: bool) -> StoreEntry | None:
        try:
            head, _, says = body.decode().partition("\n")
            made_of = json.loads(head)
            below = _shipped(made_of["below"])
            if below is None or made_of["digest"] != (below.digest if sealed else below.content):
                return None
            return StoreEntry(json.loads(says), self.inputs, below, sealed)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def _read(self, kind: StoreKind[T], name: str, entry: StoreEntry) -> T | None:
        """The value of an entry. What came with the installation and is sound is sealed, as nobody needs
        to check it twice."""
        try:
            value = kind.read(entry)
        except (ValueError, TypeError, KeyError):
            return None
        if not entry.sealed and self.store is not None:
            self.store.put(name, _body(entry.below, entry.below.digest, entry.data))
        if kind.held:
            _HELD[name] = value, entry.below
            if len(_HELD) > MOST_HELD:
                del _HELD[next(iter(_HELD))]
        return value

    def _below(self, made: NewValue[T]) -> Inputs | None:
        """The shipped packs besides the named ones; None if these are not the files it was made of."""
        if made.packs is None:
            return None
        named = {folder.key for folder in self.inputs.folders}
        ids = [id for id, folder in made.packs.items() if os.path.realpath(folder) not in named]
        below = _shipped(ids)
        if below is None or {**self.inputs.texts, **below.texts} != made.texts:
            return None
        return below


def get(kind: StoreKind[T], paths: Sequence[str], make: Callable[[], NewValue[T]]) -> T:
    """What of this kind is kept of packs; else it is made, and kept for the next time. What `make` raises
    leads past it."""
    shelf = pack_store(paths)
    found = shelf.find(kind) if shelf is not None else None
    if found is not None:
        return found
    made = make()
    if shelf is not None:
        shelf.keep(kind, made)
    return made.value


def get_bytes(kind: str, digest: str, make: Callable[[], bytes | None]) -> bytes | None:
    """What is kept of a kind under a hash of all its inputs, bytes as they were put in; else it is made,
    and kept. None where nothing can be kept."""
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
    """The shelf of packs; None if nothing can be kept, or only the compiler can tell what they are."""
    store = user_store()
    if store is None and not ARTIFACTS.is_dir():
        return None
    return pack_store_in(store, paths)


def pack_store_in(store: Store | None, paths: Sequence[str]) -> PackStore | None:
    """The shelf of packs in a store."""
    folders = named_packs(paths)
    inputs = inputs_of(folders) if folders is not None else None
    if inputs is None:
        return None
    try:
        return PackStore(store, tool_digest(), inputs)
    except OSError:
        return None


def _body(below: Inputs, digest: str, data: Any) -> bytes:
    made_of = json.dumps({"below": _ids(below), "digest": digest})
    return f"{made_of}\n{json.dumps(data)}".encode()


def _ids(shipped: Inputs) -> list[str]:
    return [folder.path.name for folder in shipped.folders]


def _unchanged(below: Inputs) -> bool:
    found = _shipped(_ids(below))
    return found is not None and found.digest == below.digest


def _shipped(ids: Iterable[str]) -> Inputs | None:
    folders = shipped_packs_called(ids)
    return inputs_of(folders) if folders is not None else None
