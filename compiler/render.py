"""Writes diagnostics in the form somebody asked for: people, editors, GitHub, code scanners, test reports.

In go diagnostics and the texts they speak of; out comes the whole output as one text. `RENDERERS` holds one
function a form. For machines every diagnostic is written; for people the first fifty, and a count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from compiler.codes import CODES
from compiler.diagnostics import Diagnostic
from compiler.render_text import concise, headline, text
from compiler.source import Place
from runtime.text import safe_text

Sources = Mapping[str, str]
Renderer = Callable[[Sequence[Diagnostic], Sources, bool], str]

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(diagnostics: Sequence[Diagnostic], sources: Sources, fmt: str, colour: bool = False) -> str:
    """Return *diagnostics* in the form *fmt*; *sources* holds the text of each file by its path."""
    return RENDERERS[fmt](diagnostics, sources, colour)


def as_json(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one JSON list of objects. Everything beyond ASCII is escaped, so no screen can be steered."""
    return json.dumps([_object(diagnostic) for diagnostic in diagnostics], indent=2) + "\n"


def _object(diagnostic: Diagnostic) -> dict[str, Any]:
    place = diagnostic.place
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "notes": [
            {"path": at.path, "line": at.line, "column": at.column, "message": note.message}
            for note in diagnostic.notes
            for at in (note.place,)
        ],
    }


def github(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return one workflow command a diagnostic, which GitHub shows beside the changed line."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties = {
        "file": place.path,
        "line": place.line,
        "col": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "title": diagnostic.code,
    }
    listed = ",".join(f"{name}={_encoded(str(value), ':,')}" for name, value in properties.items())
    message = diagnostic.message if diagnostic.help is None else f"{diagnostic.message} ({diagnostic.help})"
    return f"::{diagnostic.severity} {listed}::{_encoded(message, '')}"


def _encoded(value: str, also: str) -> str:
    # GitHub decodes `%3A` and `%2C` in properties only; within the message they would stay as they are.
    value = safe_text(value).replace("%", "%25")
    for char in "\r\n" + also:
        value = value.replace(char, f"%{ord(char):02X}")
    return value


def sarif(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a SARIF 2.1.0 log, which code scanners read."""
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [{"id": code, "shortDescription": {"text": CODES[code].title}} for code in used]
    results = [
        {
            "ruleId": diagnostic.code,
            "ruleIndex": used.index(diagnostic.code),
            "level": diagnostic.severity,
            "message": {"text": _sentence(diagnostic)},
            "locations": [_location(diagnostic.place)],
            "relatedLocations": [
                {**_location(note.place), "message": {"text": safe_text(note.message)}}
                for note in diagnostic.notes
            ],
        }
        for diagnostic in diagnostics
    ]
    driver = {"name": "ruleloom", "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _sentence(diagnostic: Diagnostic) -> str:
    help = "" if diagnostic.help is None else f" ({diagnostic.help})"
    return safe_text(diagnostic.message + help)


def _location(place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    uri = quote(place.path.encode("utf-8", "surrogateescape"), safe="/")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def junit(diagnostics: Sequence[Diagnostic], sources: Sources, colour: bool = False) -> str:
    """Return a JUnit report: each file is a test, which an error fails; warnings are told beside it."""
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in sources}
    for diagnostic in diagnostics:
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
    failed = sum(any(one.severity == "error" for one in found) for found in by_path.values())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(
        f'<testsuite name="ruleloom" tests="{len(by_path)}" failures="{failed}" errors="0" skipped="0">'
    )
    for path, found in sorted(by_path.items()):
        lines += _testcase(path, found)
    return "\n".join((*lines, "</testsuite>", ""))


def _testcase(path: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    head = f'  <testcase classname="ruleloom" name="{escape(safe_text(path))}"'
    if not diagnostics:
        return [f"{head}/>"]
    errors = [one for one in diagnostics if one.severity == "error"]
    element = "failure" if errors else "system-out"
    count = f' message="{len(errors)} error{"s" * (len(errors) != 1)}"' if errors else ""
    body = escape("\n".join(headline(one) for one in diagnostics), quote=False)
    return [f"{head}>", f"    <{element}{count}>{body}</{element}>", "  </testcase>"]


RENDERERS: dict[str, Renderer] = {
    "text": text,
    "concise": concise,
    "json": as_json,
    "github": github,
    "sarif": sarif,
    "junit": junit,
}
