"""What the compiler tells an author: values with a place, collected, sorted, told once.

In go findings of every pass, in any order; out comes one sorted list without repeats. Wording helpers
live here too: the nearest known word to a misspelt one, and a list of choices in a sentence. A code
that stands in no table is refused by an assertion.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from compiler.codes import CODES
from compiler.source import Place, SourceError

Severity = Literal["error", "warning"]
CHOICES_SHOWN = 8
MOST_ERRORS, MOST_WARNINGS = 500, 10_000


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains the first: where the name was set, where the other one stands."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, in one message, at one place."""

    place: Place
    severity: Severity
    code: str
    message: str
    help: str | None = None
    notes: tuple[Note, ...] = ()

    def order(self) -> tuple[Place, str, str]:
        """Return what diagnostics are sorted by: path, line, column, then code and message."""
        return (self.place, self.code, self.message)


class Enough(Exception):
    """So much was found that nobody would read on; whoever began the passes ends them."""


class Report:
    """Collects what all passes have to say about a pack.

    Where it is *limited*, it raises `Enough` with what is too much, once that is said.
    """

    __slots__ = ("_broken", "_found", "_left")

    def __init__(self, limited: bool = False) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._left = {"error": MOST_ERRORS, "warning": MOST_WARNINGS} if limited else None
        # The errors of each file by line and column; the number tells those at the same place apart.
        self._broken: dict[str, list[tuple[int, int, int, Diagnostic]]] = {}

    def error(
        self, code: str, place: Place, message: str, help: str | None = None, notes: Iterable[Note] = ()
    ) -> None:
        """Report a mistake that must be mended before the pack can be played."""
        self.add(Diagnostic(place, "error", code, message, help, tuple(notes)))

    def warning(
        self, code: str, place: Place, message: str, help: str | None = None, notes: Iterable[Note] = ()
    ) -> None:
        """Report something that can be played but is probably not meant."""
        self.add(Diagnostic(place, "warning", code, message, help, tuple(notes)))

    def refuse(self, error: SourceError) -> None:
        """Report a file that could not be read at all."""
        self.error(error.code, error.place, error.message, error.help)

    def add(self, diagnostic: Diagnostic) -> None:
        """Take in a finished diagnostic; an equal one is kept once."""
        assert diagnostic.code in CODES, f"no such code: {diagnostic.code}"
        if self._left is not None and diagnostic not in self._found:
            self._count(diagnostic, self._left)
        self._found[diagnostic] = None
        if diagnostic.severity == "error":
            place = diagnostic.place
            broken = self._broken.setdefault(place.path, [])
            insort(broken, (place.line, place.column, len(broken), diagnostic))

    def _count(self, diagnostic: Diagnostic, left: dict[str, int]) -> None:
        """Count one more against the limit; where that is reached, say so in its stead."""
        severity = diagnostic.severity
        left[severity] -= 1
        if left[severity] < 0:
            self._left = None
            most = f"{MOST_ERRORS if severity == 'error' else MOST_WARNINGS:,}"
            message = f"there are more than {most} {severity}s, and no others were looked for"
            self.error("too-many-mistakes", diagnostic.place, message, "mend those that are told first")
            raise Enough

    def diagnostics(self) -> list[Diagnostic]:
        """Return all findings, sorted by file, line and column."""
        return sorted(self._found, key=Diagnostic.order)

    @property
    def has_errors(self) -> bool:
        """Say whether anything must be mended."""
        return bool(self._broken)

    def has_errors_in(self, path: str) -> bool:
        """Say whether anything must be mended in the file shown as *path*."""
        return path in self._broken

    def errors_within(self, place: Place) -> list[Diagnostic]:
        """Return the errors found so far that begin within *place*."""
        found = self._broken.get(place.path, [])
        first = bisect_left(found, (place.line, place.column))
        last = bisect_left(found, (place.end_line, place.end_column + 1))
        return [error for _, _, _, error in found[first:last]]


def nearest(word: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to *n* of *choices* that *word* may be a slip for, the likeliest first."""
    plain = _alike(word)
    wanted = _singular(plain)
    allowed = max(1, len(wanted) // 3)
    ranked: list[tuple[int, int, str]] = []
    for choice in choices:
        whole = _alike(choice)
        offered = _singular(whole)
        if abs(len(offered) - len(wanted)) > allowed + 1:
            continue
        distance = slips(wanted, offered, allowed)
        if distance and (wanted != plain) != (offered != whole):
            # The `s` at the end may be no plural: `englis` is `english` without its last letter.
            distance = min(distance, slips(plain, whole, allowed))
        if distance <= allowed:
            # Of two that differ in nothing but capitals, the one that is written alike comes first.
            ranked.append((distance, slips(word[:64], choice[:64]), choice))
            if len(ranked) >= n:
                ranked.sort()
                del ranked[n:]
                # From here on only what is as near as the last of these is of interest.
                allowed = ranked[-1][0]
    return [choice for _, _, choice in sorted(ranked)]


@lru_cache(maxsize=16_384)
def _alike(word: str) -> str:
    """Return *word* without what people mix up freely: case, dashes and spaces."""
    return word[:64].casefold().replace("-", "_").replace(" ", "_")


def _singular(word: str) -> str:
    """Return *word* without the `s` that may make it a plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def slips(wrong: str, right: str, most: int = 100) -> int:
    """Count the slips of the pen between two words: a letter too many, missing, wrong or swapped.

    Where there are more than *most*, any number above it may come back.
    """
    start, end = 0, min(len(wrong), len(right))
    while start < end and wrong[start] == right[start]:
        start += 1
    end -= start
    tail = 0
    while tail < end and wrong[-1 - tail] == right[-1 - tail]:
        tail += 1
    wrong, right = wrong[start : len(wrong) - tail], right[start : len(right) - tail]
    if most == 1 and max(len(wrong), len(right)) > 2:
        # One slip leaves no more than two swapped letters between what is equal.
        return 2
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(wrong, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == wrong[i - 2]:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > most and min(above) > most:
            return most + 1
        before, above = above, row
    return above[-1]


def quoted_list(words: Sequence[str], last: str = "and") -> str:
    """Return *words* as a phrase: "`a`, `b` and `c`"; of many the first eight, "and 7 more"."""
    ticked = [f"`{word}`" for word in words[:CHOICES_SHOWN]]
    if len(words) > CHOICES_SHOWN:
        return f"{', '.join(ticked)} {last} {len(words) - CHOICES_SHOWN} more"
    if len(ticked) < 2:
        return "".join(ticked)
    return f"{', '.join(ticked[:-1])} {last} {ticked[-1]}"


def choices_text(word: str, choices: Sequence[str]) -> str:
    """Return what would be right in *word*'s stead: all choices up to eight, else the nearest three."""
    if len(choices) == 1:
        return f"expected `{choices[0]}`"
    if len(choices) <= CHOICES_SHOWN:
        return f"expected one of {', '.join(f'`{choice}`' for choice in choices)}"
    close = nearest(word, choices)
    if close:
        return f"the nearest known {'is' if len(close) == 1 else 'are'} {quoted_list(close)}"
    return f"expected one of {len(choices)} words, such as {quoted_list(sorted(choices)[:3])}"


def did_you_mean(word: str, choices: Iterable[str]) -> str | None:
    """Return the help "did you mean `x`?" where *word* is a slip for one of *choices*."""
    close = nearest(word, choices, 1)
    return f"did you mean `{close[0]}`?" if close else None
