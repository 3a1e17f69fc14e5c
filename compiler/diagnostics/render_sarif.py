"""Writes diagnostics as a SARIF 2.1.0 log, which code scanners read.

The rules of its one run are the codes found, each with its explanation. A result has its notes as
related locations, its fix-it as a fix, and a fingerprint that stays when lines move.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any
from urllib.parse import quote

from ruleloom.compiler.diagnostics.codes import Example, codes
from ruleloom.compiler.diagnostics.fingerprint import numbered
from ruleloom.compiler.diagnostics.fixits import Fix, fix_of
from ruleloom.compiler.diagnostics.render_text import sentence
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.program.safe_text import safe_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The name under which GitHub looks for a fingerprint.
FINGERPRINT = "primaryLocationLineHash"
# The usual name of the folder from which paths go.
BASE = "%SRCROOT%"


def sarif(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, str],
    colour: bool = False,
    root: str = "",
) -> str:
    """Return a SARIF log with one result for each diagnostic; `root` is the URI of the folder from
    which paths go."""
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    results = []
    for diagnostic, known, nth in numbered(diagnostics, sources):
        result = {
            "ruleId": diagnostic.code,
            "ruleIndex": used.index(diagnostic.code),
            "level": diagnostic.severity,
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
    """An example as text: of several files each below its name."""
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
    uri = quote(place.path.encode("utf-8", "surrogateescape"), safe="/")
    if posixpath.isabs(place.path):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": BASE}


def _region(place: Place) -> dict[str, int]:
    names = ("startLine", "startColumn", "endLine", "endColumn")
    return dict(zip(names, astuple(place)[1:], strict=True))
