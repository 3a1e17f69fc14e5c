"""`ruleloom test`: runs the scenarios of packs and clauses."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html import escape

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import colour_option, format_option, pack_paths, paths_argument
from ruleloom.cli.test.collect import Collected, collect
from ruleloom.cli.test.combined import Played, play_together
from ruleloom.cli.test.derive_option import derive_cases
from ruleloom.compiler.diagnostics.render import render, workflow_command
from ruleloom.compiler.diagnostics.suppress import suppress_partial
from ruleloom.output.terminal import colour_wanted, paint, progress_bar
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.results import FAILED, NOT_EXECUTABLE, PASSED, Result, Results
from ruleloom.scenarios.runner import Runner


@click.command("test")
@paths_argument
@click.option(
    "--game",
    metavar="G",
    help="The game of files outside any pack: its name, or the folder of a pack.",
)
@format_option("text", "concise", "json", "github", "junit")
@click.option(
    "--clauses", is_flag=True, help="List the clauses that are proved and those that are not."
)
@click.option(
    "--refusals", is_flag=True, help="List the reason for every refusal, as YAML to review."
)
@click.option(
    "--derive",
    metavar="ITEM",
    help="Derive cases from the conditions of an item, and report what they prove.",
)
@click.option(
    "--write", metavar="FILE", help="Write derived cases to FILE instead of printing them."
)
@colour_option
def command(
    paths: tuple[str, ...],
    game: str | None,
    form: str,
    clauses: bool,
    refusals: bool,
    derive: str | None,
    write: str | None,
    color: str,
) -> int:
    """Run scenarios: set up each case, take its steps, and check its claims.

    A PATH is a pack, a folder, or a file: a list of clauses with `example:`, or a mapping with
    `cases:`. Several packs of one game are tested alone and together; a case that passes only alone
    is reported with the pack that breaks it. Cases in prose are counted separately, never as passed.
    Exit code 1 if anything fails, or if nothing was run.
    """
    if derive is not None:
        return derive_cases(pack_paths(paths), derive, write)
    if write is not None:
        raise WrongUse("--write needs cases to write, and none are derived", "add --derive ITEM")
    gathered = collect(pack_paths(paths), game)
    results = run_gathered(gathered)
    found = suppress_partial(list(dict.fromkeys(gathered.diagnostics)), gathered.sources)
    # JSON and JUnit are one document for a machine: findings must not stand in it.
    if form in ("json", "junit"):
        sys.stderr.write(render(found, gathered.sources, "text"))
    else:
        sys.stdout.write(render(found, gathered.sources, form))
    lists = "refusals" if refusals else "clauses" if clauses else ""
    sys.stdout.write(_report(results, form, lists, colour_wanted(color)))
    return CLEAN if results.good and not gathered.errors else FINDINGS


def _report(results: Results, form: str, lists: str, colour: bool) -> str:
    """The results as text; `lists` names what to list besides the cases: refusals or clauses."""
    match form, lists:
        case "json", _:
            return json.dumps(results.to_json(), indent=2) + "\n"
        case "junit", _:
            return as_junit(results) + "\n"
        case "github", _:
            return as_github(results)
        case _, "refusals":
            return "\n".join(refusal_lines(results)) + "\n"
    clauses = clause_lines(results, colour) if lists else ()
    summary = paint(results.summary, "green" if results.good else "red", on=colour)
    return "\n".join([*case_lines(results, colour), *clauses]) + f"\n{summary}\n"


def run_gathered(gathered: Collected) -> Results:
    """Run the collected cases, those of each pack alone and then with the other packs."""
    played: Played = []
    with progress_bar("cases", gathered.count) as step:
        for batch in gathered.batches:
            runner = Runner(batch.program, batch.cases, batch.reviewed, batch.content)
            results = []
            for case in batch.cases:
                results.append(runner.run(case))
                step(0)
            played.append((batch, results))
        played, remarks = play_together(gathered, played, step)
    for remark in remarks:
        print(f"ruleloom: {safe_text(remark)}", file=sys.stderr)
    known = dict.fromkeys(clause for batch in gathered.batches for clause in batch.clauses)
    return Results(tuple(result for _, results in played for result in results), tuple(known))


def case_lines(results: Results, colour: bool) -> Iterator[str]:
    """A line for each case that failed, was refused, or cannot be run; passes are only counted."""
    for result in results.results:
        case = result.case
        word = paint("FAILED", "red", on=colour) if result.status == FAILED else result.status
        if result.message:
            place = f"{safe_text(case.path)}:{case.line}"
            yield f"{place}: {word} {safe_text(case.id)}: {safe_text(result.message)}"


def clause_lines(results: Results, colour: bool) -> Iterator[str]:
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
