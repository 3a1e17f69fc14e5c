"""Diagnostics as values with a place, and the report that collects, sorts and de-duplicates them.

A code without a documentation page fails an assertion. A fingerprint is stable when lines move.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.source.file import Place, SourceError
from ruleloom.runtime.dataclass import Frozen

Severity = Literal["error", "warning", "info"]
MOST_ERRORS, MOST_WARNINGS = 500, 10_000
MOST_NAMED = 3
"""The most members of a family named in one finding."""


class Note(Frozen):
    """A second place that explains the diagnostic, such as where a name was declared."""

    place: Place
    message: str


class Diagnostic(Frozen):
    """One mistake, in one message, at one place.

    The `subject` is the offending field or value, for passes that decide by it.
    """

    place: Place
    severity: Severity
    code: str
    message: str
    help: str | None = None
    notes: tuple[Note, ...] = ()
    subject: str | None = field(default=None, compare=False, repr=False)

    def order(self) -> tuple[Place, str, str]:
        """Return the sort key of diagnostics: path, line, column, then code and message."""
        return (self.place, self.code, self.message)


Notes = Iterable[Note]


class ErrorLimit(Exception):
    """The error limit was reached, so that the passes stop."""


class Stopped(Exception):
    """The findings are no longer wanted, so that the passes stop."""


class Report:
    """Collects the findings of all passes about a pack.

    A *limited* report raises `ErrorLimit` after reporting that its limit was reached.
    """

    __slots__ = ("_broken", "_found", "_left", "_wanted")

    def __init__(self, limited: bool = False, wanted: Callable[[], bool] | None = None) -> None:
        self._wanted = wanted
        self._found: dict[Diagnostic, None] = {}
        self._left = {"error": MOST_ERRORS, "warning": MOST_WARNINGS} if limited else None
        # The errors of each file by line and column; the number orders those at one place.
        self._broken: dict[str, list[tuple[int, int, int, Diagnostic]]] = {}

    def error(
        self, code: str, place: Place, message: str, help: str | None = None, notes: Notes = ()
    ) -> None:
        """Report a mistake that must be fixed before the pack can be played."""
        self.add(Diagnostic(place, "error", code, message, help, tuple(notes)))

    def warning(
        self, code: str, place: Place, message: str, help: str | None = None, notes: Notes = ()
    ) -> None:
        """Report a probable mistake that does not prevent play."""
        self.add(Diagnostic(place, "warning", code, message, help, tuple(notes)))

    def refuse(self, error: SourceError) -> None:
        """Report a file that could not be read."""
        self.error(error.code, error.place, error.message, error.help)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless an equal one is present."""
        assert diagnostic.code in codes(), f"no such code: {diagnostic.code}"
        if self._left is not None and diagnostic not in self._found:
            self._count(diagnostic, self._left)
        self._found[diagnostic] = None
        if diagnostic.severity == "error":
            place = diagnostic.place
            broken = self._broken.setdefault(place.path, [])
            insort(broken, (place.line, place.column, len(broken), diagnostic))

    def take(self, findings: Iterable[Diagnostic]) -> None:
        """Add findings made elsewhere."""
        for diagnostic in findings:
            self.add(diagnostic)

    def _count(self, diagnostic: Diagnostic, left: dict[str, int]) -> None:
        severity = diagnostic.severity
        if severity not in left:  # no more infos than claims in files of a limited size
            return
        left[severity] -= 1
        if left[severity] < 0:
            self._left = None
            most = MOST_ERRORS if severity == "error" else MOST_WARNINGS
            message = f"the limit of {most:,} {severity}s was reached, and the check stopped here"
            self.error("too-many-mistakes", diagnostic.place, message, "mend those listed first")
            raise ErrorLimit

    def go_on(self) -> None:
        """Raise `Stopped` between two passes if the findings are not `wanted` any more."""
        if self._wanted is not None and not self._wanted():
            raise Stopped

    def diagnostics(self) -> list[Diagnostic]:
        """Return all findings, sorted by file, line and column."""
        return sorted(of_families(self._found), key=Diagnostic.order)

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All findings in the order of reporting."""
        return tuple(self._found)

    @property
    def count(self) -> int:
        """The number of findings so far."""
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        """Say whether there are errors."""
        return bool(self._broken)

    def has_errors_in(self, path: str) -> bool:
        """Say whether there are errors in the file shown as *path*."""
        return path in self._broken

    def errors_within(self, place: Place) -> list[Diagnostic]:
        """Return the errors found so far that begin within *place*."""
        found = self._broken.get(place.path, [])
        first = bisect_left(found, (place.line, place.column))
        last = bisect_left(found, (place.end_line, place.end_column + 1))
        return [error for _, _, _, error in found[first:last]]


def of_families(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings, each one of several members of a family once, with their names."""
    members: dict[Diagnostic, list[str]] = {}
    for one in found:
        places = [one.place, *(note.place for note in one.notes)]
        names = [place.member for place in places if place.member]
        members.setdefault(_of_family(one) if names else one, []).extend(names[:1])
    for one, names in members.items():
        yield replace(one, message=f"{one.message} (for {_listed(names)})") if names else one


def _of_family(one: Diagnostic) -> Diagnostic:
    """A finding of one member at the places of the family."""
    notes = tuple(Note(replace(note.place, member=""), note.message) for note in one.notes)
    return replace(one, place=replace(one.place, member=""), notes=notes)


def _listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    told, more = ", ".join(f"`{name}`" for name in names[:MOST_NAMED]), len(names) - MOST_NAMED
    return f"{told} and {more} more" if more > 0 else told


LENGTH = 16


def fingerprint(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    """Return the hash of a finding's code and line; of its code alone if it is about a whole file."""
    place = diagnostic.place
    words = "" if place == Place.of_file(place.path) else line_of(place, sources)
    text = f"{diagnostic.code}\0{' '.join(words.split())}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def numbered(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]
) -> Iterator[tuple[Diagnostic, str, int]]:
    """Yield each finding with its hash and its number, from 1, among those of equal hash in its file."""
    seen: Counter[tuple[str, str]] = Counter()
    for diagnostic in diagnostics:
        known = fingerprint(diagnostic, sources)
        seen[diagnostic.place.path, known] += 1
        yield diagnostic, known, seen[diagnostic.place.path, known]


def line_of(place: Place, sources: Mapping[str, str]) -> str:
    """Return the line on which a place begins; empty if the text has no such line."""
    lines = sources.get(place.path, "").split("\n", place.line)
    return lines[place.line - 1] if place.line <= len(lines) else ""
