"""Suppression comments, with which an author allows a warning and says why.

    # ruleloom: allow unused-item because the next card of the series uses it

At the end of a line the comment applies to that line, on a line of its own to the next. Comments
that give no reason, name no code or allow nothing are reported. Only warnings can be allowed: an
error means that there is no program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass

COMMENT = re.compile(r"(?:^|(?<=\s))#\s*ruleloom:(?P<rest>.*)$")
ALLOW = re.compile(r"\s*allow\s+(?P<code>[\w-]+)(?P<because>\s+because\s+\S)?")
MARK = "ruleloom:"
FORM = "# ruleloom: allow {} because ..."


@dataclass(frozen=True, slots=True)
class Allowance:
    """A suppression comment: its place, the line it applies to, its code if that can be read."""

    place: Place
    line: int
    code: str | None
    code_place: Place
    has_reason: bool


def suppress(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """Return the diagnostics not suppressed, with those about the comments themselves, sorted."""
    allowances = _all_in(sources)
    if not allowances:
        return list(diagnostics)
    # While there are errors, later passes have not looked: what they would warn of is not known.
    complete = not any(one.severity == "error" for one in diagnostics)
    found = {_spot(one): one for one in diagnostics}
    complaints = (_complaint(one, found, complete) for one in allowances)
    left = [*_left(diagnostics, allowances), *filter(None, complaints)]
    return sorted(left, key=Diagnostic.order)


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
        yield from (_allowance(above, number, rest) for above, rest in waiting)
        waiting.clear()
        if found and place:
            yield _allowance(place, number, found["rest"])
    yield from (_allowance(above, above.line, rest) for above, rest in waiting)


def _allowance(place: Place, line: int, rest: str) -> Allowance:
    """Read the comment at *place* by the text behind `ruleloom:`."""
    read = ALLOW.match(rest)
    if read is None:
        return Allowance(place, line, None, place, False)
    start, end = (place.end_column - len(rest) + at for at in read.span("code"))
    at = Place(place.path, place.line, start, place.line, end)
    return Allowance(place, line, read["code"], at, read["because"] is not None)


def _spot(diagnostic: Diagnostic) -> tuple[str, int, str]:
    return diagnostic.place.path, diagnostic.place.line, diagnostic.code


def _complaint(
    allowance: Allowance, found: Mapping[tuple[str, int, str], Diagnostic], complete: bool
) -> Diagnostic | None:
    code, place = allowance.code, allowance.place
    here = None if code is None else found.get((place.path, allowance.line, code))
    if code is None:
        kind, message = "allow-unknown-code", "this comment is not understood"
        help = f"write `{FORM.format('CODE')}`"
    elif code not in codes():
        kind, message = "allow-unknown-code", f"there is no message with the code `{code}`"
        help = did_you_mean(code, codes()) or "a message shows its code in brackets"
        place = allowance.code_place
    elif not allowance.has_reason:
        kind, message = "allow-without-reason", f"this does not say why `{code}` is allowed"
        help = f"write `{FORM.format(code)}`"
    elif here is not None and here.severity == "error":
        kind, help = "unused-allow", "mend it, and delete this comment"
        message = f"`{code}` is an error here, and an error cannot be allowed"
    elif here is None and complete:
        kind, help = "unused-allow", "delete this comment"
        message = f"nothing on line {allowance.line} is reported as `{code}`"
    else:
        return None
    return Diagnostic(place, "warning", kind, message, help)
