"""Renders diagnostics for people, editors, GitHub, GitLab, code scanners and test reports.

`RENDERERS` has one function per format. Machine formats have every diagnostic, those for people the
first fifty and a count, each in at most twelve lines. No text of a pack is shown raw: `safe_text`
escapes terminal control characters, and carets are aligned with the escaped text.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from ruleloom.compiler.diagnostics.codes import Example, codes
from ruleloom.compiler.diagnostics.fixes import Fix, fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, numbered
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.program.safe_text import safe_text

MOST_SHOWN = 50
MOST_LINES = 12  # of one message
WIDEST_LINE = 100
LEAD = 30  # the length of a long line's text before the place

RED, YELLOW, BLUE, BOLD, PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[1m", "\x1b[0m"
HUES = {"error": RED, "warning": YELLOW, "info": BLUE}


Sources = Mapping[str, str]


def concise(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one line per diagnostic, for editors and long lists."""
    lines = [f"{headline(diagnostic, colour)}\n" for diagnostic in diagnostics[:MOST_SHOWN]]
    return "".join((*lines, *_remainder(diagnostics)))


def text(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return each diagnostic with an excerpt of its line."""
    blocks = [_block(diagnostic, sources, colour) for diagnostic in diagnostics[:MOST_SHOWN]]
    return "\n".join((*blocks, *_remainder(diagnostics)))


def headline(diagnostic: Diagnostic, colour: bool = False) -> str:
    """Return the place, code and message in one line."""
    kind = f"{diagnostic.severity}[{diagnostic.code}]"
    message = safe_text(diagnostic.message)
    if colour:
        kind, message = f"{HUES[diagnostic.severity]}{kind}{PLAIN}", f"{BOLD}{message}{PLAIN}"
    return f"{where(diagnostic.place)}: {kind}: {message}"


def sentence(diagnostic: Diagnostic) -> str:
    """Return message and help as one line of text, for formats that show nothing else."""
    help = "" if diagnostic.help is None else f" ({diagnostic.help})"
    return safe_text(diagnostic.message + help)


def where(place: Place) -> str:
    """Return a place in the form editors understand: `file:line:column`."""
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
    """Return the notes in *room* lines: with excerpts while they fit, and a count of those left out."""
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
    """Return the line of *place* with signs below it; empty if its text is not available."""
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
    """Return a line before, within and after the place; of a long line only the part near it."""
    # Each is escaped from the start of the line, as combining marks may continue across parts.
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
    """Return the width of a text in terminal columns."""
    if shown.isascii():
        return len(shown)
    seen = [char for char in shown if unicodedata.category(char) not in ("Mn", "Me", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(char) in "WF" for char in seen)


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The key under which GitHub looks for a fingerprint.
FINGERPRINT = "primaryLocationLineHash"
INFO_IN_SARIF = "note"
IN_GITLAB = {"error": "major", "warning": "minor", "info": "info"}
# The usual name of the base folder of relative paths.
BASE = "%SRCROOT%"


def sarif(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, str],
    colour: bool = False,
    root: str = "",
) -> str:
    """Return a SARIF log with one result per diagnostic; `root` is the URI of the folder that paths are
    relative to."""
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    results = []
    for diagnostic, known, nth in numbered(diagnostics, sources):
        result = {
            "ruleId": diagnostic.code,
            "ruleIndex": used.index(diagnostic.code),
            "level": INFO_IN_SARIF if diagnostic.severity == "info" else diagnostic.severity,
            "message": {"text": sentence(diagnostic)},
            "locations": [_location(diagnostic.place)],
            "partialFingerprints": {FINGERPRINT: f"{known}:{nth}"},
        }
        if diagnostic.notes:
            notes = diagnostic.notes
            result["relatedLocations"] = [_location(one.place, one.message) for one in notes]
        fix = fix_of(diagnostic, sources)
        if fix is not None:
            result["fixes"] = [_fix(fix)]
        results.append(result)
    driver = {"name": "ruleloom", "rules": [_rule(code) for code in used]}
    base = {"uri": f"{root}/"} if root else {"description": {"text": "where paths begin"}}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {BASE: base},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    known = codes()[code]
    bad, good = _example(known.bad), _example(known.good)
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.why},
        "help": {"text": f"{known.why}\n\nWrong:\n\n{bad}\n\nRight:\n\n{good}\n"},
    }


def _example(example: Example) -> str:
    """The text of an example; each of several files follows its name."""
    if isinstance(example, Mapping):
        return "\n\n".join(f"{name}:\n{_example(text)}" for name, text in example.items())
    text = example.decode("utf-8", "backslashreplace") if isinstance(example, bytes) else example
    return "\n".join(map(safe_text, text.rstrip("\n").split("\n")))


def _fix(fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.place), "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": _artifact(fix.place), "replacements": [replacement]}
    return {"description": {"text": f"write `{fix.text}`"}, "artifactChanges": [change]}


def _location(place: Place, message: str = "") -> dict[str, Any]:
    at = {"physicalLocation": {"artifactLocation": _artifact(place), "region": _region(place)}}
    return {**at, "message": {"text": safe_text(message)}} if message else at


def _artifact(place: Place) -> dict[str, str]:
    uri = file_uri(place.path)
    return {"uri": uri} if uri else {"uri": _quoted(place.path), "uriBaseId": BASE}


def file_uri(path: str, paths: Any = os.path) -> str | None:
    """The URI of an absolute path as it is displayed, with slashes; None for another."""
    if not paths.isabs(path):
        return None
    drive, inside = paths.splitdrive(path)
    if drive.startswith("//"):  # of Windows: another machine
        return f"file:{_quoted(drive + inside)}"
    return f"file://{drive and '/'}{drive}{_quoted(inside)}"


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _region(place: Place) -> dict[str, int]:
    names = ("startLine", "startColumn", "endLine", "endColumn")
    return dict(zip(names, astuple(place)[1:-1], strict=True))


Renderer = Callable[[Sequence[Diagnostic], Sources, bool], str]


def render(
    diagnostics: Sequence[Diagnostic], sources: Sources, fmt: str, colour: bool = False
) -> str:
    """Return *diagnostics* in the format *fmt*; *sources* maps each path to its text."""
    return RENDERERS[fmt](diagnostics, sources, colour)


def as_json(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a JSON list of objects, in ASCII only, so that it cannot control a terminal."""
    objects = []
    for one in diagnostics:
        said = {
            "severity": one.severity,
            "code": one.code,
            "message": one.message,
            "help": one.help,
        }
        notes = [_note(note.place, note.message) for note in one.notes]
        place = {key: at for key, at in asdict(one.place).items() if key != "member"}
        fix = fix_of(one, sources)
        change = None if fix is None else {**_span(fix.place), "text": fix.text}
        objects.append({**place, **said, "fix": change, "notes": notes})
    return json.dumps(objects, indent=2) + "\n"


def _span(place: Place) -> dict[str, int]:
    names = ("line", "column", "end_line", "end_column")
    return dict(zip(names, astuple(place)[1:-1], strict=True))


def _note(place: Place, message: str) -> dict[str, str | int]:
    return {"path": place.path, "line": place.line, "column": place.column, "message": message}


def github(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one workflow command per diagnostic, which GitHub shows next to the changed line."""
    names = ("file", "line", "col", "endLine", "endColumn", "title")
    lines = []
    for one in diagnostics:
        properties = dict(zip(names, (*astuple(one.place)[:-1], one.code), strict=True))
        severity = "notice" if one.severity == "info" else one.severity
        lines.append(workflow_command(severity, properties, sentence(one)))
    return "".join(lines)


def workflow_command(severity: str, properties: Mapping[str, str | int], message: str) -> str:
    """Return one line that GitHub reads as an annotation, escaped."""
    listed = ",".join(f"{name}={_encoded(str(value), ':,')}" for name, value in properties.items())
    return f"::{severity} {listed}::{_encoded(message, '')}\n"


def _encoded(value: str, also: str) -> str:
    # GitHub decodes `%3A` and `%2C` in properties only; in a message they would remain.
    value = safe_text(value).replace("%", "%25")
    for char in "\r\n" + also:
        value = value.replace(char, f"%{ord(char):02X}")
    return value


def gitlab(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a Code Quality report, which GitLab shows in a merge request."""
    issues = []
    for one, known, nth in numbered(diagnostics, sources):
        place = one.place
        file = sha256(place.path.encode(errors="replace")).hexdigest()[:16]
        lines = {"begin": place.line, "end": place.end_line}
        issue = {
            "description": sentence(one),
            "check_name": one.code,
            "fingerprint": f"{file}-{known}-{nth}",
            "severity": IN_GITLAB[one.severity],
            "location": {"path": safe_text(place.path), "lines": lines},
        }
        issues.append(issue)
    return json.dumps(issues, indent=2) + "\n"


def junit(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a JUnit report: each file is a test that fails by its errors; warnings are its output."""
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in sources}
    for diagnostic in diagnostics:
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
    failed = sum(any(one.severity == "error" for one in found) for found in by_path.values())
    counts = f'tests="{len(by_path)}" failures="{failed}" errors="0" skipped="0"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuite name="ruleloom" {counts}>']
    for path, found in sorted(by_path.items()):
        lines += _testcase(path, found)
    return "\n".join((*lines, "</testsuite>", ""))


# Python's own escape function takes longer to import than a report takes to write.
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def _escaped(text: str) -> str:
    return text.translate(ESCAPES)


def _testcase(path: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    head = f'  <testcase classname="ruleloom" name="{_escaped(safe_text(path))}"'
    if not diagnostics:
        return [f"{head}/>"]
    errors = [one for one in diagnostics if one.severity == "error"]
    element = "failure" if errors else "system-out"
    count = f' message="{len(errors)} error{"s" * (len(errors) != 1)}"' if errors else ""
    body = _escaped("\n".join(headline(one) for one in diagnostics))
    return [f"{head}>", f"    <{element}{count}>{body}</{element}>", "  </testcase>"]


RENDERERS: dict[str, Renderer] = {
    "text": text,
    "concise": concise,
    "json": as_json,
    "github": github,
    "gitlab": gitlab,
    "sarif": sarif,
    "junit": junit,
}
