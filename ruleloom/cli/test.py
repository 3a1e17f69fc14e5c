"""`ruleloom test`: plays the scenarios of packs and of clauses on the real machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from compiler.render import render
from ruleloom.cli.faults import CLEAN, FINDINGS
from ruleloom.cli.gathering import Batch, Gathered, gather
from ruleloom.cli.options import colour_option, packs_meant
from ruleloom.cli.output import colour_wanted, paint, progress, progress_done
from ruleloom.cli.testing import as_junit, case_lines, clause_lines, refusal_lines
from ruleloom.scenarios.runner import Result, Results, Runner


@click.command("test", short_help="play the scenarios of packs and clauses, and say what failed")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--game",
    metavar="G",
    help="The game (its name, or a pack's folder) that files outside any pack are about.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit"]),
    default="text",
    help="How the results are written.",
)
@click.option("--clauses", is_flag=True, help="List the clauses that are proved and those that are not.")
@click.option("--refusals", is_flag=True, help="List the reason of every refusal, as YAML to be reviewed.")
@colour_option
def command(
    paths: tuple[str, ...], game: str | None, form: str, clauses: bool, refusals: bool, color: str
) -> int:
    """Play scenarios: set the table as a case says, take its steps, and compare its claims.

    A PATH is a pack, a folder, or a file: a list of clauses with `example:`, or a mapping with `cases:`.
    Cases told in prose are counted apart, and never as passed. Exit code 1 if anything fails, or if nothing
    was played.
    """
    gathered = gather(packs_meant(paths), game)
    results = run_batches(gathered.batches)
    _print_findings(gathered, form)
    if form == "json":
        print(json.dumps(results.to_json(), indent=2))
    elif form == "junit":
        print(as_junit(results))
    elif refusals:
        print("\n".join(refusal_lines(results)))
    else:
        colour = colour_wanted(color)
        print("\n".join([*case_lines(results, colour), *(clause_lines(results, colour) if clauses else [])]))
        print(paint(results.summary, "green" if results.good else "red", on=colour))
    return CLEAN if results.good and not gathered.broken else FINDINGS


def run_batches(batches: Sequence[Batch]) -> Results:
    """Play the cases of each batch against its program."""
    results: list[Result] = []
    known: dict[str, None] = {}
    total = sum(len(batch.cases) for batch in batches)
    for batch in batches:
        runner = Runner(batch.program, batch.cases, batch.reviewed, batch.content)
        known.update(dict.fromkeys(batch.clauses))
        for case in batch.cases:
            progress(f"{len(results)} of {total} cases")
            results.append(runner.run(case))
    progress_done()
    return Results(tuple(results), tuple(known))


def _print_findings(gathered: Gathered, form: str) -> None:
    """What could not be read at all; beside the results where those are for machines."""
    stream = sys.stdout if form == "text" else sys.stderr
    stream.write(render(gathered.diagnostics, gathered.sources, "text"))
