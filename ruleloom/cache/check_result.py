"""What a check comes to, as a value that can be kept: findings, counts, and whether there is a
program.

In go and out come plain data for JSON. The texts that findings speak of are not among them: whoever
recalls findings has read the files anyway, to know that they are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.source.file import Place


@dataclass(frozen=True, slots=True)
class Findings:
    """What there is to say about packs. `sound` says whether there is a program to play; `sources`
    holds the text of each file that was read, by the path its diagnostics show."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    sound: bool
    packs: int
    items: int


def findings_data(findings: Findings) -> dict[str, Any]:
    """The findings without the texts, as plain data."""
    return {
        "sound": findings.sound,
        "packs": findings.packs,
        "items": findings.items,
        "found": [_row(one) for one in findings.diagnostics],
    }


def read_findings(data: Any, sources: Mapping[str, str]) -> Findings:
    """The findings that such data says, about these texts; ValueError, TypeError or KeyError for
    any other."""
    found = tuple(map(_diagnostic, data["found"]))
    sound, packs, items = data["sound"], data["packs"], data["items"]
    if type(sound) is not bool or type(packs) is not int or type(items) is not int:
        raise TypeError("these are no findings")
    return Findings(found, sources, sound, packs, items)


def _row(one: Diagnostic) -> list[Any]:
    notes = [[list(astuple(note.place)), note.message] for note in one.notes]
    return [list(astuple(one.place)), one.severity, one.code, one.message, one.help, notes]


def _diagnostic(row: Any) -> Diagnostic:
    place, severity, code, message, help, notes = row
    if severity not in ("error", "warning"):
        raise ValueError("there is no such severity")
    read = tuple(Note(Place(*at), text) for at, text in notes)
    return Diagnostic(Place(*place), severity, code, message, help, read)
