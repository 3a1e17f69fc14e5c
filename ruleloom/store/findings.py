"""Findings of a check, to JSON data and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass
from ruleloom.store.store import StoreEntry, StoreKind


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a check; `sound` if it has a program to play.

    `sources` holds the text of each file read, by the path that its diagnostics show.
    """

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    sound: bool
    packs: int
    items: int

    @property
    def mistakes(self) -> tuple[Diagnostic, ...]:
        """The errors and warnings, without infos."""
        return tuple(one for one in self.diagnostics if one.severity != "info")


def findings_data(findings: Findings) -> dict[str, Any]:
    """The findings without the texts, as JSON data."""
    rows = []
    for one in findings.diagnostics:
        notes = [[list(astuple(note.place)), note.message] for note in one.notes]
        slip = [one.help.wrong, one.help.right] if isinstance(one.help, Suggestion) else None
        words = (one.severity, one.code, one.message, one.help)
        rows.append([list(astuple(one.place)), *words, slip, notes])
    numbers = {"packs": findings.packs, "items": findings.items}
    return {"sound": findings.sound, **numbers, "found": rows}


def read_findings(entry: StoreEntry) -> Findings:
    """The findings of an entry."""
    data = entry.data
    found = tuple(map(_diagnostic, data["found"]))
    sound, packs, items = data["sound"], data["packs"], data["items"]
    if type(sound) is not bool or type(packs) is not int or type(items) is not int:
        raise TypeError("these are no findings")
    return Findings(found, entry.texts, sound, packs, items)


def _diagnostic(row: Any) -> Diagnostic:
    place, severity, code, message, help, slip, notes = row
    if severity not in ("error", "warning", "info"):
        raise ValueError("there is no such severity")
    if slip is not None:
        wrong, right = slip
        help = Suggestion(wrong, right, help)
    read = tuple(Note(Place(*at), text) for at, text in notes)
    return Diagnostic(Place(*place), severity, code, message, help, read)


FINDINGS = StoreKind("findings", findings_data, read_findings)
