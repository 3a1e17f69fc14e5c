"""Renders diagnostics for people, editors, GitHub, GitLab, code scanners and test reports.

`RENDERERS` has one function per format. Machines get every diagnostic, people the first fifty and a
count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple
from hashlib import sha256

from ruleloom.compiler.diagnostics.fingerprint import numbered
from ruleloom.compiler.diagnostics.render_sarif import sarif
from ruleloom.compiler.diagnostics.render_text import concise, headline, sentence, text
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.program.safe_text import safe_text

Sources = Mapping[str, str]
Renderer = Callable[[Sequence[Diagnostic], Sources, bool], str]


def render(
    diagnostics: Sequence[Diagnostic], sources: Sources, fmt: str, colour: bool = False
) -> str:
    """Return *diagnostics* in the form *fmt*; *sources* holds the text of each file by its path."""
    return RENDERERS[fmt](diagnostics, sources, colour)


def as_json(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one JSON list of objects, in ASCII only, so that no terminal can be steered by it."""
    objects = []
    for one in diagnostics:
        said = {
            "severity": one.severity,
            "code": one.code,
            "message": one.message,
            "help": one.help,
        }
        notes = [_note(note.place, note.message) for note in one.notes]
        objects.append({**asdict(one.place), **said, "notes": notes})
    return json.dumps(objects, indent=2) + "\n"


def _note(place: Place, message: str) -> dict[str, str | int]:
    return {"path": place.path, "line": place.line, "column": place.column, "message": message}


def github(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one workflow command a diagnostic, which GitHub shows beside the changed line."""
    names = ("file", "line", "col", "endLine", "endColumn", "title")
    lines = []
    for one in diagnostics:
        properties = dict(zip(names, (*astuple(one.place), one.code), strict=True))
        lines.append(workflow_command(one.severity, properties, sentence(one)))
    return "".join(lines)


def workflow_command(severity: str, properties: Mapping[str, str | int], message: str) -> str:
    """Return one line that GitHub reads as an annotation; what could end it is escaped."""
    listed = ",".join(f"{name}={_encoded(str(value), ':,')}" for name, value in properties.items())
    return f"::{severity} {listed}::{_encoded(message, '')}\n"


def _encoded(value: str, also: str) -> str:
    # GitHub decodes `%3A` and `%2C` in properties only; in a message they would stay as they are.
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
            "severity": {"error": "major", "warning": "minor"}[one.severity],
            "location": {"path": safe_text(place.path), "lines": lines},
        }
        issues.append(issue)
    return json.dumps(issues, indent=2) + "\n"


def junit(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a JUnit report: each file is a test that errors fail; warnings are its output."""
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in sources}
    for diagnostic in diagnostics:
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
    failed = sum(any(one.severity == "error" for one in found) for found in by_path.values())
    counts = f'tests="{len(by_path)}" failures="{failed}" errors="0" skipped="0"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuite name="ruleloom" {counts}>']
    for path, found in sorted(by_path.items()):
        lines += _testcase(path, found)
    return "\n".join((*lines, "</testsuite>", ""))


# Python's own function for this takes longer to load than a report to write.
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
