"""The findings to report: each unknown name once, at its cause, and no warning that is allowed.

Of several places with the same unknown name, the first is reported with notes about the others. A
declaration that is used nowhere, while many places use nearly the same name, is their common cause:
`misspelt_declarations` finds it, so that checking can go on as if it were corrected. Both depend on
how the files are written, not on the meaning of the names.

An author allows a warning in a comment with a reason:

    # ruleloom: allow unused-item because the next card of the series uses it

At the end of a line the comment applies to that line, on a line of its own to the next. Comments
that give no reason, name no code or allow nothing are reported. Only warnings can be allowed: with
an error there is no program.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, nearest
from ruleloom.compiler.source.file import Place, Source
from ruleloom.runtime.dataclass import Frozen

# Codes of uses of a name that is declared elsewhere.
NAMES = ("name", "type", "operation", "power", "rule", "stat", "event", "bonus", "kind", "keyword")
UNKNOWN = frozenset(f"unknown-{what}" for what in NAMES)
NAME = re.compile(r"(?:List of )?[\"']?([A-Za-z][\w-]*)")
WORD = re.compile(r"[A-Za-z_][\w-]*")
# A key, the id of an item, or a word of an inline list.
DECLARED = re.compile(
    r"^[ -]*(?P<key>[A-Za-z][\w-]*):|[{,] ?(?P<inner>[A-Za-z][\w-]*):"
    r"|\bid: *(?P<id>[A-Za-z][\w-]*)|(?<=[\[,]) ?(?P<value>[A-Za-z]\w*)(?=[,\]])",
    re.MULTILINE,
)
FIRST = re.compile(r"(?:\bid: *|^[ -]*)([A-Za-z][\w-]*)(?=:|[ ,}]|$)", re.MULTILINE)
CASES = re.compile(r"^kind: *scenarios", re.MULTILINE)
MOST_NOTED, MOST_CAUSES = 3, 5

Missed = Mapping[str, Sequence[Diagnostic]]


def told_once(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings in order, with each unknown name reported at one place."""
    alike: dict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for one in found:
        if one.code in UNKNOWN:
            alike[one.code, one.message].append(one)
    told = {id(one) for several in alike.values() for one in several[1:]}
    firsts = {
        id(first): replace(first, notes=(*first.notes, *_noted(others, "here, too")))
        for first, *others in alike.values()
    }
    return [firsts.get(id(one), one) for one in found if id(one) not in told]


def misspelt_declarations(
    found: Sequence[Diagnostic], sources: Mapping[str, Source]
) -> list[Diagnostic]:
    """A finding for each declaration that may be misspelt, as several places use a similar name."""
    missed = _missed(found, sources)
    words = _Words(sources) if missed else None
    causes = [one for name in missed for one in words.causes(name, missed[name])] if words else []
    return causes[:MOST_CAUSES]


def _missed(found: Sequence[Diagnostic], sources: Mapping[str, Source]) -> Missed:
    """The errors about unknown names, by the name."""
    missed: dict[str, list[Diagnostic]] = defaultdict(list)
    for one in found:
        name = _missed_name(one, sources) if one.code in UNKNOWN else ""
        if name and one.severity == "error":
            missed[name].append(one)
    return missed


def _missed_name(found: Diagnostic, sources: Mapping[str, Source]) -> str:
    """The unknown name of a finding; of several words at its place, the misspelt one."""
    if isinstance(found.help, Suggestion):
        right = WORD.findall(found.help.right)
        for word in WORD.findall(found.help.wrong):
            if word not in right:
                return str(word)
    source = sources.get(found.place.path)
    written = NAME.match(source.text_at(found.place)) if source is not None else None
    return written[1] if written is not None else ""


def _noted(several: Sequence[Diagnostic], says: str) -> Iterator[Note]:
    for number, one in enumerate(several[:MOST_NOTED], 1):
        left = len(several) - number
        more = f", and in {left} more places" if left and number == MOST_NOTED else ""
        yield Note(one.place, says + more)


class _Words:
    """The words of all source files."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources
        self.counts = Counter[str]()
        for one in sources.values():
            self.counts.update(WORD.findall(_slug(one.text)))

    def causes(self, name: str, several: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """Findings at declarations that may be misspellings of this name."""
        times = self.counts[_slug(name)]
        missed = {(one.place.path, one.place.line) for one in several}
        if times < 2 or not self.declared.get(_slug(name), set()) <= missed:
            return
        for wrong in nearest(name, self.lonely):
            right = name.replace("_", "-") if "-" in wrong else name
            message = f"`{wrong}` stands nowhere else, and {times} places say `{right}`"
            notes = tuple(_noted(several, f"`{name}` here"))
            help, place = Suggestion(wrong, right), self.lonely[wrong]
            yield Diagnostic(place, "error", several[0].code, message, help, notes)

    @cached_property
    def lonely(self) -> Mapping[str, Place]:
        """The declared names that occur only once."""
        found: dict[str, Place] = {}
        for source in self.sources.values():
            for match in DECLARED.finditer(source.text):
                kind = match.lastgroup or 0
                if self.counts[_slug(match[kind])] == 1:
                    found[match[kind]] = source.place(*match.span(kind))
        return found

    @cached_property
    def declared(self) -> Mapping[str, set[tuple[str, int]]]:
        """The files and lines that declare each slug: as a key at the beginning of a line, or as the id of an
        item. Files of cases declare nothing."""
        found: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for path, source in self.sources.items():
            if CASES.search(source.text) is not None:
                continue
            for match in FIRST.finditer(source.text):
                found[_slug(match[1])].add((path, source.line_col(match.start(1))[0]))
        return found


def _slug(word: str) -> str:
    return word.replace("-", "_")


COMMENT = re.compile(r"(?:^|(?<=\s))#\s*ruleloom:(?P<rest>.*)$")
ALLOW = re.compile(r"\s*allow\s+(?P<code>[\w-]+)(?P<because>\s+because\s+\S)?")
MARK = "ruleloom:"
FORM = "# ruleloom: allow {} because ..."


class Allowance(Frozen):
    """A suppression comment: its place, the line it applies to, and its code if readable."""

    place: Place
    line: int
    code: str | None
    code_place: Place
    has_reason: bool


def suppress(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, str], partial: bool = False
) -> list[Diagnostic]:
    """Return the diagnostics not suppressed, with findings about the comments themselves, sorted; a
    `partial` run has none of these, as it cannot tell unused comments."""
    texts = ((path, text) for path, text in sources.items() if MARK in text)
    allowances = [one for path, text in texts for one in allowances_in(path, text)]
    at = {(one.place.path, one.line, one.code) for one in allowances}
    left = [one for one in diagnostics if one.severity == "error" or _spot(one) not in at]
    if partial or not allowances:
        return left
    # After errors, later passes have not run, so that their warnings are not known.
    complete = not any(one.severity == "error" for one in diagnostics)
    found = {_spot(one): one for one in diagnostics}
    complaints = (_complaint(one, found, complete) for one in allowances)
    return sorted([*left, *filter(None, complaints)], key=Diagnostic.order)


def allowances_in(path: str, text: str) -> Iterator[Allowance]:
    """Yield the suppression comments of one file."""
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
    """Parse the comment at *place*; `rest` is the text after `ruleloom:`."""
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
