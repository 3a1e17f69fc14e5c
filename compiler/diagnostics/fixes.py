"""Fix-its: offered only where the source text at the place is exactly the word that the help replaces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Diagnostic, line_of
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass

WRITABLE = re.compile(r"[\w:/.{}-]+")
QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True, order=True)
class Fix:
    """A span within one line, and its replacement text."""

    place: Place
    text: str


def fix_of(diagnostic: Diagnostic, sources: Mapping[str, str]) -> Fix | None:
    """Return the fix of a mistake; None if its author must decide."""
    help, place = diagnostic.help, diagnostic.place
    if not isinstance(help, Suggestion) or place.line != place.end_line:
        return None
    if not WRITABLE.fullmatch(help.right) or "..." in help.right:
        return None
    start, end = place.column, place.end_column
    found = line_of(place, sources)[start - 1 : end - 1]
    if len(found) > 2 and found[0] == found[-1] and found[0] in QUOTES:
        start, end, found = start + 1, end - 1, found[1:-1]
    if found != help.wrong or found == help.right:
        return None
    return Fix(Place(place.path, place.line, start, place.line, end), help.right)


def with_fixes(found: Sequence[Diagnostic], sources: Mapping[str, str]) -> dict[str, str]:
    """The changed texts of the files that have fixes, by path."""
    fixes: dict[str, list[Fix]] = defaultdict(list)
    for fix in filter(None, (fix_of(one, sources) for one in found)):
        fixes[fix.place.path].append(fix)
    return {path: apply_fixes(sources[path], made) for path, made in fixes.items()}


def apply_fixes(text: str, fixes: Sequence[Fix]) -> str:
    """Return a file's text with its fixes applied; of two that overlap, only the later one."""
    lines = text.split("\n")
    behind: dict[int, int] = {}
    for fix in sorted(set(fixes), reverse=True):
        place = fix.place
        if place.end_column <= behind.get(place.line, place.end_column):
            line = lines[place.line - 1]
            before, after = line[: place.column - 1], line[place.end_column - 1 :]
            lines[place.line - 1] = before + fix.text + after
            behind[place.line] = place.column
    return "\n".join(lines)
