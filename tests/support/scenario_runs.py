"""All cases of a test at once, with their results."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.compiler.cases.case_file import (
    Case,
    Reasons,
    cases_in,
    file_of_cases,
    with_findings,
)
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import case_checks
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import Results
from ruleloom.scenarios.runner import Runner


def run_cases(
    program: Program,
    cases: Iterable[Case],
    reviewed: Reasons | None = None,
    known: Iterable[str] = (),
    content: Content | None = None,
) -> Results:
    """Run every case against `program`; see `Runner`."""
    runner = Runner(program, tuple(cases), reviewed or {}, content)
    return Results(tuple(runner.run(case) for case in runner.cases), tuple(known))


_CHECKS: dict[int, tuple[Content, CaseChecks]] = {}


def checked_cases(content: Content, text: str, name: str = "cases.yaml") -> tuple[Case, ...]:
    """The cases of a file, held against their game as `ruleloom test` does."""
    tree = compose(Source.from_text(text, name), Report())
    assert tree is not None
    if id(content) not in _CHECKS:
        _CHECKS[id(content)] = content, case_checks(content, name)
    checks = _CHECKS[id(content)][1]
    found = [one for case in file_of_cases(tree).sound for one in checks.faults(case)]
    return with_findings(cases_in(tree) or (), found)
