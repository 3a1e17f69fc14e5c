"""All cases of a test at once, with their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleloom.compiler.cases.case_file import Case
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import Results
from ruleloom.scenarios.runner import Runner


def run_cases(
    program: Program,
    cases: Iterable[Case],
    reviewed: Mapping[str, str] | None = None,
    known: Iterable[str] = (),
    content: Content | None = None,
) -> Results:
    """Run every case against `program`; see `Runner`."""
    runner = Runner(program, tuple(cases), reviewed or {}, content)
    return Results(tuple(runner.run(case) for case in runner.cases), tuple(known))
