"""Cache lookup: what is kept for exactly these files, this Ruleloom, this Python; or came with the
installation for these files and this Ruleloom.

Something is kept only if the compiler read the very texts that were hashed, so that a file saved
meanwhile causes no wrong answer. It is one line that says what it was made of besides the named packs,
and then the data, both as JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.cache.artifact import any_artifacts, artifact_name, read_artifact, write_artifact
from ruleloom.cache.inputs import (
    Digest,
    Inputs,
    inputs_of,
    named_packs,
    own_digest,
    shipped_packs_called,
    tool_digest,
)
from ruleloom.cache.store import Store, user_store
from ruleloom.runtime.dataclass import dataclass


class PacksBelow(NamedTuple):
    """The shipped packs that something was made of besides those that were named, and their hash."""

    ids: tuple[str, ...]
    digest: str

    def unchanged(self) -> bool:
        """Whether the files of these packs are as they were."""
        found = _shipped(self.ids)
        return found is not None and found.digest == self.digest


class CacheAnswer(NamedTuple):
    """What was kept about packs as plain data, all files it was made of, and the packs below, for
    whoever keeps it on.

    What is not `sealed` came with the installation: anybody may have written it.
    """

    data: Any
    made_of: tuple[Inputs, ...]
    below: PacksBelow
    sealed: bool = True

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts of these files, by displayed path."""
        return _all_texts(self.made_of)


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """A query for what of a sort is kept about packs."""

    store: Store | None
    tool: str
    sort: str
    inputs: Inputs

    @property
    def name(self) -> str:
        """The hash of all that is known before compiling."""
        return Digest(*map(str.encode, (self.tool, self.sort, self.inputs.digest))).hex()

    @property
    def _artifact_name(self) -> str:
        return artifact_name(own_digest(), self.sort, self.inputs.content)

    def of_sort(self, sort: str) -> CacheQuery:
        """The query for something else of the same packs."""
        return CacheQuery(self.store, self.tool, sort, self.inputs)

    def answer(self) -> CacheAnswer | None:
        """What is kept; None if nothing is, or a shipped pack below has changed."""
        body = self.store.get(self.name) if self.store is not None else None
        return self._read(body, sealed=True) if body is not None else None

    def brought(self) -> CacheAnswer | None:
        """What came with the installation for these very files, to be checked before it is used."""
        body = read_artifact(self._artifact_name)
        return self._read(body, sealed=False) if body is not None else None

    def _read(self, body: bytes, sealed: bool) -> CacheAnswer | None:
        try:
            head, _, says = body.decode().partition("\n")
            made_of = json.loads(head)
            ids, digest = tuple(made_of["below"]), made_of["digest"]
            shipped = _shipped(ids)
            if shipped is None or digest != (shipped.digest if sealed else shipped.content):
                return None
            below = PacksBelow(ids, shipped.digest)
            return CacheAnswer(json.loads(says), (self.inputs, shipped), below, sealed)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def keep(self, data: Any, sources: Mapping[str, str], packs: Mapping[str, Path]) -> None:
        """Keep plain data that was made of these texts; `packs` are the folders of all of them."""
        below = self._below(packs)
        shipped = _shipped(below)
        if self.store is None or shipped is None:
            return
        if _all_texts((self.inputs, shipped)) == sources:
            self.store.put(self.name, _body(below, shipped.digest, data))

    def seal(self, answer: CacheAnswer) -> None:
        """Keep an answer that came with the installation, and has been checked."""
        if self.store is not None:
            self.store.put(self.name, _body(*answer.below, answer.data))

    def write_artifact(
        self, data: Any, sources: Mapping[str, str], packs: Mapping[str, Path]
    ) -> None:
        """Write such data for the wheel that is being built. Raises OSError, and ValueError if files
        have changed meanwhile or there is too much."""
        below = self._below(packs)
        shipped = _shipped(below)
        if shipped is None or _all_texts((self.inputs, shipped)) != sources:
            raise ValueError("files were changed while they were compiled")
        write_artifact(self._artifact_name, _body(below, shipped.content, data))

    def _below(self, packs: Mapping[str, Path]) -> list[str]:
        named = {folder.key for folder in self.inputs.folders}
        return [id for id, folder in packs.items() if os.path.realpath(folder) not in named]


def ask(paths: Sequence[str], sort: str) -> CacheQuery | None:
    """The query for what of this `sort` is kept about paths; None if only the compiler knows."""
    store = user_store()
    if store is None and not any_artifacts():
        return None
    return query_of(paths, sort, store)


def query_of(paths: Sequence[str], sort: str, store: Store | None) -> CacheQuery | None:
    """The query for what is in this store, or came with the installation."""
    folders = named_packs(paths)
    inputs = inputs_of(folders) if folders is not None else None
    if inputs is None:
        return None
    try:
        return CacheQuery(store, tool_digest(), sort, inputs)
    except OSError:
        return None


def _body(below: Iterable[str], digest: str, data: Any) -> bytes:
    made_of = json.dumps({"below": list(below), "digest": digest})
    return f"{made_of}\n{json.dumps(data)}".encode()


def _shipped(ids: Iterable[str]) -> Inputs | None:
    folders = shipped_packs_called(ids)
    return inputs_of(folders) if folders is not None else None


def _all_texts(made_of: Iterable[Inputs]) -> Mapping[str, str]:
    return {path: text for some in made_of for path, text in some.texts.items()}
