"""Cache lookup of a check: the findings kept for exactly these files, this Ruleloom, this Python.

Findings are kept only if the texts that the compiler read are the very ones that were hashed: a
file saved meanwhile makes no wrong answer.
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
        """Keep what they came to; `below` are the shipped packs that were read besides."""
        read = _shipped(below)
        if read is None or {**self.inputs.texts, **read.texts} != findings.sources:
            return
        kept = {"below": list(below), "digest": read.digest, "says": findings_data(findings)}
        self.store.put(self.name, json.dumps(kept).encode())


def ask(paths: Sequence[str]) -> CacheQuery | None:
    """The question that these paths put; None if only the compiler can say something to it."""
    store = user_store()
    folders = named_packs(paths) if store is not None else None
    inputs = read_inputs(folders) if folders is not None else None
    try:
        ours = tool_digest().encode() if inputs is not None else None
    except OSError:
        return None
    if store is None or inputs is None or ours is None:
        return None
    digest = Digest()
    digest.add(ours, inputs.digest.encode())
    return CacheQuery(store, digest.hex(), inputs)


def _shipped(ids: Iterable[str]) -> Inputs | None:
    folders = shipped_packs_called(ids)
    return read_inputs(folders) if folders is not None else None
