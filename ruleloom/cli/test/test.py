"""`ruleloom test`: runs the scenarios of packs and clauses, or derives them (`--derive ITEM`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.lock import hold_to_lock
from ruleloom.cli.named_items import item_named
from ruleloom.cli.options import (
    colour_option,
    format_option,
    locked_option,
    option,
    pack_paths,
    paths_argument,
    refuse_existing,
    write_new,
)
from ruleloom.cli.test.collect import Batch, Collected, Played, collect, play_together
from ruleloom.cli.test.run_report import (
    RunReport,
    accepted_of,
    coverage_of_batches,
    told_already,
    watches_of,
)
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.repository import RepositoryPaths
from ruleloom.output.terminal import colour_wanted, count_of, progress_bar
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.derive.derive_cases import derive
from ruleloom.scenarios.derive.derived_tables import READ_IT
from ruleloom.scenarios.derive.mutate import file_of_cases
from ruleloom.scenarios.listener import NOBODY, Watch
from ruleloom.scenarios.results import PASSED, Result, Results, results_of
from ruleloom.scenarios.runner import Runner

NOT_DERIVED = {
    *("pack", "vocabulary", "notation", "patch", "scenarios"),
    *("sheet", "setting", "switch", "bonus", "table", "tag", "clause"),
}


def derive_cases(paths: Sequence[str], word: str, file: str | None) -> int:
    """Derive the cases of one item; print them, or write them to a new file."""
    result = compile_paths(paths)
    if result.program is None or result.content is None:
        sys.stdout.write(render(result.diagnostics, result.sources, "text"))
        return FINDINGS
    known = [one for one in result.content.items if one.kind not in NOT_DERIVED]
    item = item_named(word, known)
    derived = derive(item, result.program, result.content)
    if not derived.cases:
        print(f"nothing is derived: {safe_text(derived.why)}")
        return FINDINGS
    text = file_of_cases(derived.cases, f"The cases of `{item.name}`, {READ_IT}.")
    if file is None:
        sys.stdout.write(text)
    else:
        _write(Path(file), text)
    proof = [f"{count_of(len(derived.cases), 'case')} for {item.kind}/{item.name}"]
    proof += [f"proves: a case fails {safe_text(one)}" for one in derived.proved]
    proof += [f"not proved: no case fails {safe_text(one)}" for one in derived.missed]
    print("\n".join(proof), file=sys.stderr if file is None else sys.stdout)
    if file is not None:
        print(f"wrote {safe_text(file)}: read it, then keep it")
    return CLEAN


def _write(path: Path, text: str) -> None:
    if not path.name.endswith(ENDINGS):
        raise WrongUse(f"{path} is no YAML file", f"name it {path.name}.yaml")
    refuse_existing(path)
    write_new(path, text)


@click.command("test")
@paths_argument
@option("--game G", "The game of files outside any pack: its name, or the folder of a pack.")
@format_option("text", "concise", "json", "github", "junit")
@option("--clauses", "List the clauses that are proved and those that are not.")
@option(
    "--coverage", "Tell what no passing case comes past: lines, ways, conditions, abilities, rules."
)
@option("--accept", "Keep the rules texts and logs of each pack, to be compared at the next run.")
@option("--derive ITEM", "Derive cases from the conditions of an item, and report what they prove.")
@option("--write FILE", "Write derived cases to FILE instead of printing them.")
@locked_option
@colour_option
def command(
    paths: tuple[str, ...],
    game: str | None,
    form: str,
    clauses: bool,
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
    watches = watches_of(gathered, coverage, accept)
    results = run_gathered(gathered, watches)
    covered = coverage_of_batches(gathered.batches, watches)
    accepted = accepted_of(gathered, watches, accept)
    found = suppress(list(dict.fromkeys(gathered.diagnostics)), gathered.sources, partial=True)
    _tell_findings(found, gathered.sources, form)
    report = RunReport(results, gathered.batches, covered, accepted, told_already(results, found))
    forms = {"json": report.json, "junit": report.junit, "github": report.github}
    if form in forms:
        sys.stdout.write(forms[form]())
    else:
        sys.stdout.write(report.text(clauses, colour_wanted(color)))
    return CLEAN if report.is_good and not gathered.errors else FINDINGS


def _tell_findings(found: Sequence[Diagnostic], sources: Mapping[str, str], form: str) -> None:
    # JSON and JUnit output is one document: findings go to standard error.
    if form in ("json", "junit"):
        sys.stderr.write(render(found, sources, "text"))
    elif form == "github":
        sys.stdout.write(render(*RepositoryPaths.here().placed(found, sources), form))
    else:
        sys.stdout.write(render(found, sources, form))


def _run_batch(batch: Batch, watch: Watch, step: Callable[[int], None]) -> list[Result]:
    runner = Runner(batch.program, batch.cases, batch.reviewed, batch.content, watch)
    results = []
    for case in batch.cases:
        results.append(runner.run(case))
        watch.end(case.id, results[-1].status == PASSED)
        step(0)
    return results


def run_gathered(gathered: Collected, watches: Sequence[Watch] = ()) -> Results:
    """Run the collected cases, for each pack alone and then with the other packs.

    The `watches`, one per batch, observe only the runs of each pack alone.
    """
    played: Played = []
    with progress_bar("cases", gathered.count) as step:
        for batch, watch in zip(gathered.batches, watches or repeat(NOBODY), strict=False):
            played.append((batch, _run_batch(batch, watch, step)))
        played, remarks = play_together(gathered, played, step)
    for remark in remarks:
        print(f"ruleloom: {safe_text(remark)}", file=sys.stderr)
    known = dict.fromkeys(clause for batch in gathered.batches for clause in batch.clauses)
    found = [result for _, results in played for result in results]
    for batch in gathered.batches:
        if batch.member is not None:
            folder = batch.member.folder.path
            found += results_of(folder, shown_path(folder), batch.program)
    return Results(tuple(found), tuple(known))
