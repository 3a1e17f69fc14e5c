"""`ruleloom test`: runs the scenarios of packs and clauses on the real machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import colour_option, format_option, pack_paths, paths_argument
from ruleloom.cli.test.collect import Batch, Collected, collect
from ruleloom.cli.test.combined import Played, play_together
from ruleloom.cli.test.derive_option import derive_cases
from ruleloom.cli.test.test_report import (
    as_github,
    as_junit,
    case_lines,
    clause_lines,
    refusal_lines,
)
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.suppress import suppress_partial
from ruleloom.output.terminal import Steps, colour_wanted, paint
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.results import Results
from ruleloom.scenarios.runner import Runner


@click.command("test")
@paths_argument
@click.option(
    "--game",
    metavar="G",
    help="The game (its name, or a pack's folder) of files outside any pack.",
)
@format_option("text", "concise", "json", "github", "junit")
@click.option(
    "--clauses", is_flag=True, help="List the clauses that are proved, and those that are not."
)
@click.option(
    "--refusals", is_flag=True, help="List the reason for every refusal, as YAML to review."
)
@click.option(
    "--derive",
    metavar="ITEM",
    help="Derive cases from an item's own conditions, and report what they prove.",
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
    """Run scenarios: set the table as a case says, take its steps, and check its claims.

    A PATH is a pack, a folder, or a file: a list of clauses with `example:`, or a mapping with
    `cases:`. Several packs of one game are tested alone and all together; a case that passes only
    alone names the pack that breaks it. Cases in prose are counted apart, and never as passed.
    Exit code 1 if anything fails, or if nothing was run.
    """
    if derive is not None:
        return derive_cases(pack_paths(paths), derive, write)
    if write is not None:
        told = "--write says where derived cases go, and none are derived"
        raise WrongUse(told, "name an item: --derive ITEM")
    gathered = collect(pack_paths(paths), game)
    results = run_gathered(gathered)
    _print_findings(gathered, form)
    lists = "refusals" if refusals else "clauses" if clauses else ""
    sys.stdout.write(_report(results, form, lists, colour_wanted(color)))
    return CLEAN if results.good and not gathered.broken else FINDINGS


def _report(results: Results, form: str, lists: str, colour: bool) -> str:
    """The results as text; `lists` says of what, besides the cases, people want a list."""
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
    """Play the cases that were gathered, each pack's by themselves and then in company."""
    with Steps("cases", gathered.count) as steps:
        played = _played_alone(gathered.batches, steps)
        played, remarks = play_together(gathered, played, steps.more)
    for remark in remarks:
        print(f"ruleloom: {safe_text(remark)}", file=sys.stderr)
    known = dict.fromkeys(clause for batch in gathered.batches for clause in batch.clauses)
    return Results(tuple(result for _, results in played for result in results), tuple(known))


def _played_alone(batches: Sequence[Batch], steps: Steps) -> Played:
    """What comes of the cases of each batch against its program."""
    played: Played = []
    for batch in batches:
        runner = Runner(batch.program, batch.cases, batch.reviewed, batch.content)
        results = []
        for case in batch.cases:
            results.append(runner.run(case))
            steps.done()
        played.append((batch, results))
    return played


def _print_findings(gathered: Collected, form: str) -> None:
    """Print what could not be read, away from results that are one document for a machine."""
    found = suppress_partial(list(dict.fromkeys(gathered.diagnostics)), gathered.sources)
    beside = form in ("text", "concise", "github")
    (sys.stdout if beside else sys.stderr).write(
        render(found, gathered.sources, form if beside else "text")
    )
