"""Suppression comments, with which an author allows a warning and says why.

    # ruleloom: allow unused-item because the next card of the series uses it

Behind a line the comment speaks of that line, on a line of its own of the next one. In go the
diagnostics of a run and the texts it read; out come those that are left, with complaints about
comments that give no reason, name no code, or allow nothing. Only warnings can be allowed: an error
means that there is no program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleloom.compiler.diagnostics.codes.table import CODES
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.source.file import Place

COMMENT = re.compile(r"(?:^|(?<=\s))#\s*ruleloom:(?P<rest>.*)$")
ALLOW = re.compile(r"\s*allow\s+(?P<code>[\w-]+)(?P<behind>.*)$")
REASON = re.compile(r"\s+because\s+\S")
MARK = "ruleloom:"
FORM = "# ruleloom: allow {} because ..."


@dataclass(frozen=True, slots=True)
class Allowance:
    """A suppression comment: its place, the line it applies to, and the text behind `ruleloom:`."""

    place: Place
    line: int
    rest: str

    @property
    def code_place(self) -> Place:
        """Where the code stands; the whole comment if there is none."""
        read = ALLOW.match(self.rest)
        if read is None:
            return self.place
        start = self.place.end_column - len(self.rest) + read.start("code")
        return Place(
            self.place.path, self.place.line, start, self.place.line, start + len(read["code"])
        )

    @property
    def code(self) -> str | None:
        """The code it names; None if it cannot be read."""
        read = ALLOW.match(self.rest)
        return read["code"] if read is not None else None

    @property
    def has_reason(self) -> bool:
        """Whether it says why."""
        read = ALLOW.match(self.rest)
        return read is not None and REASON.match(read["behind"]) is not None


def suppress(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """Return the diagnostics not suppressed, with those about the comments themselves, sorted."""
    allowances = _all_in(sources)
    if not allowances:
        return list(diagnostics)
    # While there are errors, later passes have not looked: what they would warn of is not known.
    complete = not any(one.severity == "error" for one in diagnostics)
    found = {_spot(one): one for one in diagnostics}
    complaints = (_complaint(one, found, complete) for one in allowances)
    return sorted(
        [*_left(diagnostics, allowances), *filter(None, complaints)], key=Diagnostic.order
    )


def suppress_partial(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]
) -> list[Diagnostic]:
    """Return the diagnostics not suppressed, for a run that cannot tell unused comments."""
    return _left(diagnostics, _all_in(sources))


def _all_in(sources: Mapping[str, str]) -> list[Allowance]:
    return [
        one for path, text in sources.items() if MARK in text for one in allowances_in(path, text)
    ]


def _left(diagnostics: Sequence[Diagnostic], allowances: Sequence[Allowance]) -> list[Diagnostic]:
    at = {(one.place.path, one.line, one.code) for one in allowances}
    return [one for one in diagnostics if one.severity == "error" or _spot(one) not in at]


def allowances_in(path: str, text: str) -> Iterator[Allowance]:
    """Yield the comments of one file that speak to us."""
    waiting: list[tuple[Place, str]] = []
    for number, line in enumerate(map(str.rstrip, text.split("\n")), 1):
        found = COMMENT.search(line)
        place = Place(path, number, found.start() + 1, number, len(line) + 1) if found else None
        if found and place and not line[: found.start()].strip():
            waiting.append((place, found["rest"]))
            continue
        yield from (Allowance(above, number, rest) for above, rest in waiting)
        waiting.clear()
        if found and place:
            yield Allowance(place, number, found["rest"])
    yield from (Allowance(above, above.line, rest) for above, rest in waiting)


def _spot(diagnostic: Diagnostic) -> tuple[str, int, str]:
    return diagnostic.place.path, diagnostic.place.line, diagnostic.code


def _complaint(
    allowance: Allowance, found: Mapping[tuple[str, int, str], Diagnostic], complete: bool
) -> Diagnostic | None:
    """Return what is wrong with a comment, if anything is."""
    code, place = allowance.code, allowance.place
    if code is None:
        message = "this comment is not understood"
        help = f"write `{FORM.format('CODE')}`"
        return Diagnostic(place, "warning", "allow-unknown-code", message, help)
    if code not in CODES:
        help = did_you_mean(code, CODES) or "a message shows its code in brackets"
        message = f"there is no message with the code `{code}`"
        return Diagnostic(allowance.code_place, "warning", "allow-unknown-code", message, help)
    if not allowance.has_reason:
        message, help = f"this does not say why `{code}` is allowed", f"write `{FORM.format(code)}`"
        return Diagnostic(place, "warning", "allow-without-reason", message, help)
    here = found.get((place.path, allowance.line, code))
    if here is not None and here.severity == "error":
        message = f"`{code}` is an error here, and an error cannot be allowed"
        help = "mend it, and delete this comment"
        return Diagnostic(place, "warning", "unused-allow", message, help)
    if here is None and complete:
        message = f"nothing on line {allowance.line} is told as `{code}`"
        return Diagnostic(place, "warning", "unused-allow", message, "delete this comment")
    return None
