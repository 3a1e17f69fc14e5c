"""Reports of scenario results: text, GitHub, JUnit, and lists of clauses and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ruleloom.compiler.diagnostics.render import workflow_command
from ruleloom.output.terminal import paint
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.results import FAILED, NOT_EXECUTABLE, PASSED, Result, Results


def case_lines(results: Results, colour: bool = False) -> Iterator[str]:
    """A line for each case that failed, was refused, or cannot be run; passes are only counted."""
    for result in results.results:
        case = result.case
        word = paint("FAILED", "red", on=colour) if result.status == FAILED else result.status
        if result.message:
            place = f"{safe_text(case.path)}:{case.line}"
            yield f"{place}: {word} {safe_text(case.id)}: {safe_text(result.message)}"


def clause_lines(results: Results, colour: bool = False) -> Iterator[str]:
    """The clauses that are proved, and those that are not."""
    yield paint(f"clauses proved: {len(results.proved)}", "green", on=colour)
    yield from (f"  {safe_text(clause)}" for clause in results.proved)
    yield paint(f"clauses not proved: {len(results.unproved)}", "yellow", on=colour)
    yield from (f"  {safe_text(clause)}" for clause in results.unproved)


def refusal_lines(results: Results) -> Iterator[str]:
    """The reason of each refusal that was claimed and found, one a line, by case."""
    for result in results.results:
        if result.status == PASSED and result.refusal:
            reason = safe_text(result.refusal).replace("\\", "\\\\").replace('"', '\\"')
            yield f'{safe_text(result.case.id)}: "{reason}"'


def as_github(results: Results) -> str:
    """A workflow command for each case that failed, which GitHub shows at the line of the case."""
    return "".join(
        workflow_command(
            "error", {"file": case.path, "line": case.line, "title": case.id}, result.message
        )
        for result in results.results
        if result.status == FAILED
        for case in (result.case,)
    )


def as_junit(results: Results) -> str:
    """A JUnit report with one test a case."""
    counts = {status: results.count(status) for status in (FAILED, NOT_EXECUTABLE)}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="ruleloom test" tests="{len(results.results)}" failures="{counts[FAILED]}" '
        f'errors="0" skipped="{counts[NOT_EXECUTABLE]}">',
    ]
    for result in results.results:
        lines += _testcase(result)
    return "\n".join([*lines, "</testsuite>"])


def _quoted(text: str) -> str:
    """A text as the value of an attribute."""
    return f'"{escape(text)}"'


def _testcase(result: Result) -> list[str]:
    case = result.case
    path, name = _quoted(safe_text(case.path)), _quoted(safe_text(case.id))
    head = f'  <testcase classname={path} name={name} file={path} line="{case.line}"'
    message = safe_text(result.message)
    if result.status == FAILED:
        return [f"{head}>", f"    <failure message={_quoted(message)}/>", "  </testcase>"]
    if result.status == NOT_EXECUTABLE:
        return [f"{head}>", f"    <skipped message={_quoted(message)}/>", "  </testcase>"]
    if message:
        return [f"{head}>", f"    <system-out>{escape(message)}</system-out>", "  </testcase>"]
    return [f"{head}/>"]
