"""Cache lookup of a check: the findings kept for exactly these files, this Ruleloom, this Python.

Findings are kept only if the compiler read the very texts that were hashed, so that a file saved
meanwhile causes no wrong answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from ruleloom.cache.inputs import (
    Digest,
    Inputs,
    named_packs,
    read_inputs,
    shipped_packs_called,
    tool_digest,
)
from ruleloom.cache.store import Store, user_store
from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass


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


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a check; `sound` if there is a program to play.

    `sources` holds the text of each file read, by the path that its diagnostics show.
    """

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    sound: bool
    packs: int
    items: int


def findings_data(findings: Findings) -> dict[str, Any]:
    """The findings without the texts, as plain data."""
    rows = []
    for one in findings.diagnostics:
        notes = [[list(astuple(note.place)), note.message] for note in one.notes]
        slip = [one.help.wrong, one.help.right] if isinstance(one.help, Suggestion) else None
        words = (one.severity, one.code, one.message, one.help)
        rows.append([list(astuple(one.place)), *words, slip, notes])
    numbers = {"packs": findings.packs, "items": findings.items}
    return {"sound": findings.sound, **numbers, "found": rows}


def read_findings(data: Any, sources: Mapping[str, str]) -> Findings:
    """Findings from such data, about these texts; ValueError, TypeError or KeyError if unsound."""
    found = tuple(map(_diagnostic, data["found"]))
    sound, packs, items = data["sound"], data["packs"], data["items"]
    if type(sound) is not bool or type(packs) is not int or type(items) is not int:
        raise TypeError("these are no findings")
    return Findings(found, sources, sound, packs, items)


def _diagnostic(row: Any) -> Diagnostic:
    place, severity, code, message, help, slip, notes = row
    if severity not in ("error", "warning"):
        raise ValueError("there is no such severity")
    if slip is not None:
        wrong, right = slip
        help = Suggestion(wrong, right, help)
    read = tuple(Note(Place(*at), text) for at, text in notes)
    return Diagnostic(Place(*place), severity, code, message, help, read)
