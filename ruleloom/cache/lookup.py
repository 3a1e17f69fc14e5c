"""Cache lookup: what is kept for exactly these files, this Ruleloom, this Python.

Something is kept only if the compiler read the very texts that were hashed, so that a file saved
meanwhile causes no wrong answer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.cache.inputs import (
    Digest,
    Inputs,
    named_packs,
    read_inputs,
    shipped_packs_called,
    tool_digest,
)
from ruleloom.cache.store import Store, user_store
from ruleloom.runtime.dataclass import dataclass


class PacksBelow(NamedTuple):
    """The shipped packs that something was made of besides those that were named, and their hash."""

    ids: tuple[str, ...]
    digest: str

    def unchanged(self) -> Inputs | None:
        """The files of these packs, if they are as they were."""
        read = _shipped(self.ids)
        return read if read is not None and read.digest == self.digest else None


class CacheAnswer(NamedTuple):
    """What was kept about packs as plain data, the texts of all files it was made of, and the packs
    below, for whoever keeps it on."""

    data: Any
    sources: Mapping[str, str]
    below: PacksBelow


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """A query for what is kept about packs; `name` hashes all that is known before compiling."""

    store: Store
    name: str
    inputs: Inputs

    def answer(self) -> CacheAnswer | None:
        """What is kept; None if nothing is, or a shipped pack below has changed."""
        body = self.store.get(self.name)
        if body is None:
            return None
        try:
            kept = json.loads(body)
            below = PacksBelow(tuple(kept["below"]), kept["digest"])
            read = below.unchanged()
            if read is None:
                return None
            return CacheAnswer(kept["says"], {**self.inputs.texts, **read.texts}, below)
        except (ValueError, TypeError, KeyError):
            return None

    def keep(self, data: Any, sources: Mapping[str, str], packs: Mapping[str, Path]) -> None:
        """Keep plain data that was made of these texts; `packs` are the folders of all of them."""
        named = {folder.key for folder in self.inputs.folders}
        below = [id for id, folder in packs.items() if os.path.realpath(folder) not in named]
        read = _shipped(below)
        if read is None or {**self.inputs.texts, **read.texts} != sources:
            return
        kept = {"below": below, "digest": read.digest, "says": data}
        self.store.put(self.name, json.dumps(kept).encode())


def ask(paths: Sequence[str], sort: str) -> CacheQuery | None:
    """The query for what of this `sort` is kept about paths; None if only the compiler knows."""
    store = user_store()
    folders = named_packs(paths) if store is not None else None
    inputs = read_inputs(folders) if folders is not None else None
    try:
        ours = tool_digest().encode() if inputs is not None else None
    except OSError:
        return None
    if store is None or inputs is None or ours is None:
        return None
    name = Digest(ours, sort.encode(), inputs.digest.encode()).hex()
    return CacheQuery(store, name, inputs)


def _shipped(ids: Iterable[str]) -> Inputs | None:
    folders = shipped_packs_called(ids)
    return read_inputs(folders) if folders is not None else None
