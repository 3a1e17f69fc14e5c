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
    """The clauses that are proved and those that are not."""
    lists = (("proved", "green", results.proved), ("not proved", "yellow", results.unproved))
    for name, style, clauses in lists:
        yield paint(f"clauses {name}: {len(clauses)}", style, on=colour)
        yield from (f"  {safe_text(clause)}" for clause in clauses)


def refusal_lines(results: Results) -> Iterator[str]:
    """The reason of each refusal that was claimed and found, one a line, by case."""
    for result in results.results:
        if result.status == PASSED and result.refusal:
            reason = safe_text(result.refusal).replace("\\", "\\\\").replace('"', '\\"')
            yield f'{safe_text(result.case.id)}: "{reason}"'


def as_github(results: Results) -> str:
    """A workflow command for each failed case, which GitHub shows at the line of the case."""
    commands = []
    for result in results.results:
        if result.status == FAILED:
            case = result.case
            place: dict[str, str | int] = {"file": case.path, "line": case.line, "title": case.id}
            commands.append(workflow_command("error", place, result.message))
    return "".join(commands)


def as_junit(results: Results) -> str:
    """A JUnit report with one test per case."""
    failed, skipped = results.count(FAILED), results.count(NOT_EXECUTABLE)
    counts = f'tests="{len(results.results)}" failures="{failed}" errors="0" skipped="{skipped}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="ruleloom test" {counts}>',
        *(line for result in results.results for line in _testcase(result)),
        "</testsuite>",
    ]
    return "\n".join(lines)


def _testcase(result: Result) -> list[str]:
    case = result.case
    path, name = escape(safe_text(case.path)), escape(safe_text(case.id))
    head = f'  <testcase classname="{path}" name="{name}" file="{path}" line="{case.line}"'
    message = escape(safe_text(result.message))
    if result.status == FAILED:
        return [f"{head}>", f'    <failure message="{message}"/>', "  </testcase>"]
    if result.status == NOT_EXECUTABLE:
        return [f"{head}>", f'    <skipped message="{message}"/>', "  </testcase>"]
    if message:
        return [f"{head}>", f"    <system-out>{message}</system-out>", "  </testcase>"]
    return [f"{head}/>"]
