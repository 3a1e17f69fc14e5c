"""The reasons of refusals that somebody has read and approved, as a pack's own scenarios state
them.

A clause of a ledger only says that a step is refused. The pack has a case of the same name which
also says why; so a runner that refuses everything, or for the wrong cause, is found out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.walk import walk
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.scenarios.cases import Case, read_cases


def reasons_in(cases: Iterable[Case]) -> dict[str, str]:
    """The reason that each case of a refusal states, by the name of the case."""
    return {case.id: str(case.then["reason"]) for case in cases if "reason" in case.then}


def reviewed_reasons(folder: Path) -> dict[str, str]:
    """The reasons that the scenarios in a pack's folder state. What cannot be read states none."""
    report = Report()
    reasons: dict[str, str] = {}
    for file in walk(folder, folder.name, report)[0]:
        try:
            source = Source.read(file.path, file.shown)
        except SourceError:
            continue
        reasons.update(reasons_in(read_cases(source, report) or ()))
    return reasons
