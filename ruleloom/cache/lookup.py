"""Cache lookup of a check: the findings kept for exactly these files, this Ruleloom, this Python.

Findings are kept only if the compiler read the very texts that were hashed, so that a file saved
meanwhile causes no wrong answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruleloom.cache.check_result import Findings, findings_data, read_findings
from ruleloom.cache.inputs import (
    Digest,
    Inputs,
    named_packs,
    read_inputs,
    shipped_packs_called,
    tool_digest,
)
from ruleloom.cache.store import Store, user_store


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """A query for the findings about packs; `name` hashes all that is known before compiling."""

    store: Store
    name: str
    inputs: Inputs

    def answer(self) -> Findings | None:
        """The findings kept; None if there are none, or a shipped pack below has changed."""
        body = self.store.get(self.name)
        try:
            kept = json.loads(body) if body is not None else None
            below = _shipped(kept["below"]) if kept is not None else None
            if kept is None or below is None or below.digest != kept["digest"]:
                return None
            return read_findings(kept["says"], {**self.inputs.texts, **below.texts})
        except (ValueError, TypeError, KeyError):
            return None

    def keep(self, findings: Findings, below: Sequence[str]) -> None:
        """Keep the findings; `below` are the ids of the shipped packs that were read besides."""
        read = _shipped(below)
        if read is None or {**self.inputs.texts, **read.texts} != findings.sources:
            return
        kept = {"below": list(below), "digest": read.digest, "says": findings_data(findings)}
        self.store.put(self.name, json.dumps(kept).encode())


def ask(paths: Sequence[str]) -> CacheQuery | None:
    """The query for these paths; None if only the compiler can answer."""
    store = user_store()
    folders = named_packs(paths) if store is not None else None
    inputs = read_inputs(folders) if folders is not None else None
    try:
        ours = tool_digest().encode() if inputs is not None else None
    except OSError:
        return None
    if store is None or inputs is None or ours is None:
        return None
    return CacheQuery(store, Digest(ours, inputs.digest.encode()).hex(), inputs)


def _shipped(ids: Iterable[str]) -> Inputs | None:
    folders = shipped_packs_called(ids)
    return read_inputs(folders) if folders is not None else None
