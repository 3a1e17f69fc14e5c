"""Renders diagnostics for people: place, message, the line with the place underlined, notes, help.

Nothing from a pack is shown raw: `safe_text` spells out what could steer a screen, and the carets
stand under what is then shown. No message takes more than twelve lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.program.safe_text import safe_text

MOST_SHOWN = 50
MOST_LINES = 12  # of one message
WIDEST_LINE = 100
LEAD = 30  # how much of a long line is shown before the place

RED, YELLOW, BLUE, BOLD, PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[1m", "\x1b[0m"
HUES = {"error": RED, "warning": YELLOW}


Sources = Mapping[str, str]


def concise(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one line a diagnostic, as editors and people with many mistakes want them."""
    lines = [f"{headline(diagnostic, colour)}\n" for diagnostic in diagnostics[:MOST_SHOWN]]
    return "".join((*lines, *_remainder(diagnostics)))


def text(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return each diagnostic with the line it speaks of."""
    blocks = [_block(diagnostic, sources, colour) for diagnostic in diagnostics[:MOST_SHOWN]]
    return "\n".join((*blocks, *_remainder(diagnostics)))


def headline(diagnostic: Diagnostic, colour: bool = False) -> str:
    """Return where and what, in one line."""
    kind = f"{diagnostic.severity}[{diagnostic.code}]"
    message = safe_text(diagnostic.message)
    if colour:
        kind, message = f"{HUES[diagnostic.severity]}{kind}{PLAIN}", f"{BOLD}{message}{PLAIN}"
    return f"{where(diagnostic.place)}: {kind}: {message}"


def sentence(diagnostic: Diagnostic) -> str:
    """Return message and help as one line of text, for those who show nothing else."""
    help = "" if diagnostic.help is None else f" ({diagnostic.help})"
    return safe_text(diagnostic.message + help)


def where(place: Place) -> str:
    """Return a place as editors understand it: `file:line:column`."""
    return f"{safe_text(place.path)}:{place.line}:{place.column}"


def _remainder(diagnostics: Sequence[Diagnostic]) -> list[str]:
    hidden = len(diagnostics) - MOST_SHOWN
    return [f"and {hidden:,} more\n"] if hidden > 0 else []


def _block(diagnostic: Diagnostic, sources: Sources, colour: bool) -> str:
    lines = [headline(diagnostic, colour)]
    lines += _excerpt(diagnostic.place, sources, "^", HUES[diagnostic.severity] if colour else "")
    help = [] if diagnostic.help is None else [f" help: {safe_text(diagnostic.help)}"]
    lines += _notes(diagnostic.notes, MOST_LINES - len(lines) - len(help), sources, colour)
    return "".join(f"{line}\n" for line in (*lines, *help))


def _notes(notes: Sequence[Note], room: int, sources: Sources, colour: bool) -> list[str]:
    """Return the notes in *room* lines: excerpts while they fit, a count of those left out."""
    listed = notes if len(notes) <= room else notes[: room - 1]
    room -= len(listed) + (len(listed) < len(notes))
    lines = []
    for note in listed:
        excerpt = _excerpt(note.place, sources, "-", BLUE if colour else "")
        lines.append(f" note: {safe_text(note.message)}, at {where(note.place)}")
        if len(excerpt) <= room:
            lines += excerpt
            room -= len(excerpt)
    return lines + [f" note: and {len(notes) - len(listed)} more"] * (len(listed) < len(notes))


def _excerpt(place: Place, sources: Sources, sign: str, hue: str) -> list[str]:
    """Return the line of *place* with signs under it, or nothing where the text is not at hand."""
    whole = sources.get(place.path)
    lines = [] if whole is None else whole.split("\n")
    if not 1 <= place.line <= len(lines):
        return []
    line = lines[place.line - 1].rstrip("\r")
    start = min(place.column - 1, len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end = max(start, min(end, len(line)))
    before, marked, after = _cut(line, start, end)
    signs = sign * max(1, width(marked))
    gutter = " " * len(str(place.line))
    shown = f"{before}{marked}{after}".rstrip()
    return [
        f" {gutter} |",
        f" {place.line} | {shown}" if shown else f" {place.line} |",
        f" {gutter} | {' ' * width(before)}{hue}{signs}{PLAIN if hue else ''}",
    ]


def _cut(line: str, start: int, end: int) -> tuple[str, str, str]:
    """Return a line before, within and behind the place; of a long line only the part near it."""
    # Each is made safe from the start, as a tower of marks may go on from one part into the next.
    line = line.replace("\t", " ")
    before, upto, whole = (safe_text(part) for part in (line[:start], line[:end], line))
    marked, after = upto[len(before) :], whole[len(upto) :]
    if len(before) + len(marked) + len(after) <= WIDEST_LINE:
        return before, marked, after
    if len(before) > LEAD:
        before = "…" + before[-LEAD:]
    if len(marked) > WIDEST_LINE - LEAD:
        return before, marked[: WIDEST_LINE - LEAD] + "…", ""
    room = WIDEST_LINE - len(before) - len(marked)
    return before, marked, after if len(after) <= room else after[:room] + "…"


def width(shown: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if shown.isascii():
        return len(shown)
    seen = [char for char in shown if unicodedata.category(char) not in ("Mn", "Me", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(char) in "WF" for char in seen)
