"""`ruleloom test`: runs the scenarios of packs and clauses."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from itertools import chain, pairwise, repeat

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.lock import hold_to_lock
from ruleloom.cli.options import (
    colour_option,
    format_option,
    locked_option,
    pack_paths,
    paths_argument,
)
from ruleloom.cli.test.accept_option import Besides, accepted_of, log_books
from ruleloom.cli.test.collect import Collected, Played, collect, play_together, recorded_results
from ruleloom.cli.test.derive_option import derive_cases
from ruleloom.cli.test.reports import ClauseReport, coverage_commands, coverage_of_batches
from ruleloom.compiler.cases.case_file import NOT_UNDERSTOOD
from ruleloom.compiler.diagnostics.render import render, workflow_command
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suppress import suppress_partial
from ruleloom.output.repository import RepositoryPaths
from ruleloom.output.terminal import colour_wanted, paint, progress_bar
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.coverage.watch import NOBODY, Listener, Watch
from ruleloom.scenarios.results import (
    FAILED,
    NOT_COMPILED,
    NOT_EXECUTABLE,
    NOT_MADE,
    PASSED,
    Result,
    Results,
)
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.things import key


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
    "--coverage",
    is_flag=True,
    help="Tell what no passing case comes past: lines, ways, conditions, abilities, rules.",
)
@click.option(
    "--accept",
    is_flag=True,
    help="Keep the rules texts and logs of each pack, to be compared at the next run.",
)
@click.option(
    "--derive",
    metavar="ITEM",
    help="Derive cases from the conditions of an item, and report what they prove.",
)
@click.option(
    "--write", metavar="FILE", help="Write derived cases to FILE instead of printing them."
)
@locked_option()
@colour_option
def command(
    paths: tuple[str, ...],
    game: str | None,
    form: str,
    clauses: bool,
    refusals: bool,
    coverage: bool,
    accept: bool,
    derive: str | None,
    write: str | None,
    locked: bool,
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
    if locked:
        hold_to_lock(pack_paths(paths))
    gathered = collect(pack_paths(paths), game)
    watches = [Watch() if coverage else Listener() for _ in gathered.batches]
    books = log_books(gathered, watches, accept)
    results = run_gathered(gathered, books)
    besides = Besides(
        tuple(coverage_of_batches(gathered.batches, watches)),
        tuple(accepted_of(gathered, books, accept)),
    )
    found = suppress_partial(list(dict.fromkeys(gathered.diagnostics)), gathered.sources)
    # JSON and JUnit are one document for a machine: findings must not stand in it.
    if form in ("json", "junit"):
        sys.stderr.write(render(found, gathered.sources, "text"))
    elif form == "github":
        sys.stdout.write(render(*RepositoryPaths.here().placed(found, gathered.sources), form))
    else:
        sys.stdout.write(render(found, gathered.sources, form))
    lists = "refusals" if refusals else "clauses" if clauses else ""
    clauses_told = ClauseReport.of(gathered, results)
    told = told_already(results, found)
    sys.stdout.write(_report(clauses_told, form, lists, besides, colour_wanted(color), told))
    return CLEAN if results.good and besides.are_good and not gathered.errors else FINDINGS


def _report(
    clauses_told: ClauseReport,
    form: str,
    lists: str,
    besides: Besides,
    colour: bool,
    told: Collection[str] = (),
) -> str:
    """The results as text; `lists` names what to list besides the cases: refusals or clauses."""
    results = clauses_told.results
    match form, lists:
        case "json", _:
            parts = {**results.to_json(), "clauses": clauses_told.to_json(), **besides.to_json()}
            return json.dumps(parts, indent=2) + "\n"
        case "junit", _:
            return as_junit(results) + "\n"
        case "github", _:
            return as_github(results, told) + coverage_commands(besides.covered)
        case _, "refusals":
            return "\n".join(refusal_lines(results)) + "\n"
    clauses = clauses_told.lines(colour) if lists else ()
    summary = paint(results.summary, "green" if results.good else "red", on=colour)
    lines = [*case_lines(results, colour, told), *clauses, *besides.lines(colour)]
    return "\n".join(lines) + f"\n{summary}\n"


def run_gathered(gathered: Collected, listeners: Sequence[Listener] = ()) -> Results:
    """Run the collected cases, those of each pack alone and then with the other packs.

    The `listeners`, one a batch, hear of what its cases come past alone.
    """
    played: Played = []
    with progress_bar("cases", gathered.count) as step:
        for batch, listener in zip(
            gathered.batches, chain(listeners, repeat(NOBODY)), strict=False
        ):
            runner = Runner(batch.program, batch.cases, batch.reviewed, batch.content, listener)
            results = []
            for case in batch.cases:
                results.append(runner.run(case))
                listener.end(case.id, results[-1].status == PASSED)
                step(0)
            played.append((batch, results))
        played, remarks = play_together(gathered, played, step)
    for remark in remarks:
        print(f"ruleloom: {safe_text(remark)}", file=sys.stderr)
    known = dict.fromkeys(clause for batch in gathered.batches for clause in batch.clauses)
    found = [result for _, results in played for result in results]
    found += (result for batch in gathered.batches for result in recorded_results(batch))
    return Results(tuple(found), tuple(known))


def told_already(results: Results, found: Iterable[Diagnostic]) -> set[str]:
    """The keys of failed cases that an error in their file explains."""
    lines = sorted((one.place.path, one.place.line) for one in found if one.severity == "error")
    cases = sorted({(one.case.path, one.case.line) for one in results.results})
    ends = dict(pairwise([*cases, ("", 0)]))
    told = set()
    for result in results.results:
        case, (path, line) = result.case, ends[result.case.path, result.case.line]
        end = line if path == case.path else sys.maxsize
        own = (at for one, at in lines if one == case.path and case.line <= at < end)
        unread = case.fault or result.message.startswith((NOT_UNDERSTOOD, NOT_COMPILED, NOT_MADE))
        if result.status == FAILED and unread and any(own):
            told.add(key(case))
    return told


def case_lines(results: Results, colour: bool, told: Collection[str] = ()) -> Iterator[str]:
    """A line for each case that failed, was refused, or cannot be run; passes are only counted.

    A case that a finding in its file has reported (`told`) is left out.
    """
    for result in results.results:
        case = result.case
        if key(case) in told:
            continue
        word = paint("FAILED", "red", on=colour) if result.status == FAILED else result.status
        if result.message:
            place = f"{safe_text(case.path)}:{case.line}"
            title = f" ({safe_text(case.title)})" if case.title else ""
            yield f"{place}: {word} {safe_text(case.id)}{title}: {safe_text(result.message)}"


def refusal_lines(results: Results) -> Iterator[str]:
    """The reason of each refusal that was claimed and found, one a line, by case."""
    for result in results.results:
        if result.status == PASSED and result.refusal:
            reason = safe_text(result.refusal).replace("\\", "\\\\").replace('"', '\\"')
            yield f'{safe_text(result.case.id)}: "{reason}"'


def as_github(results: Results, told: Collection[str] = ()) -> str:
    """A workflow command for each failed case, which GitHub shows at the line of the case."""
    commands, repository = [], RepositoryPaths.here()
    for result in results.results:
        if result.status == FAILED and key(result.case) not in told:
            case, file = result.case, repository.path(result.case.path)
            place: dict[str, str | int] = {"file": file, "line": case.line, "title": case.id}
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
