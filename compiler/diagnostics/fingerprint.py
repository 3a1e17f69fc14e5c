"""The fingerprint of a finding, which stays the same when lines move.

It is a short hash of the code and of the words of the line, with a number among those alike in the
same file.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place

LENGTH = 16


def fingerprint(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    """Return the hash of a finding. One about a whole file is known by its code alone."""
    place = diagnostic.place
    words = "" if place == Place.of_file(place.path) else line_of(place, sources)
    text = f"{diagnostic.code}\0{' '.join(words.split())}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def numbered(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]
) -> Iterator[tuple[Diagnostic, str, int]]:
    """Yield each finding with its hash and its number, from 1, among those alike in its file."""
    seen: Counter[tuple[str, str]] = Counter()
    for diagnostic in diagnostics:
        known = fingerprint(diagnostic, sources)
        seen[diagnostic.place.path, known] += 1
        yield diagnostic, known, seen[diagnostic.place.path, known]


def line_of(place: Place, sources: Mapping[str, str]) -> str:
    """Return the line that a place begins on; nothing where the text has no such line."""
    lines = sources.get(place.path, "").split("\n", place.line)
    return lines[place.line - 1] if place.line <= len(lines) else ""
