"""`ruleloom check`: finds mistakes in packs.

Findings pass three filters, in this order: comments that allow a warning, the baseline, and
`--changed-since`. Modules that few runs need are imported late: loading them is slower than the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ruleloom.cli import options
from ruleloom.cli.check.look import look
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.compiler.diagnostics.render import RENDERERS, render, sarif
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.output.repository import FORMS, RepositoryPaths
from ruleloom.output.terminal import closing_words, colour_wanted, count_of, safe_lines
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.findings import Findings

FOR_PEOPLE = ("text", "concise")


@click.command("check")
@options.paths_argument
@options.format_option(*RENDERERS)
@options.option("--fix", "First apply to the files every fix that changes a single word.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="The least severity for exit code 1: error, or warning (the default with a baseline).",
)
@options.option("--baseline FILE", "Ignore the warnings listed in FILE.")
@options.option("--write-baseline", "Write the current warnings to the baseline.")
@options.option(
    "--changed-since REV", "Show only the findings that changes since a git revision bring."
)
@options.option("--info", "Also show infos: what is no mistake, but may become one.")
@options.option("--work", "Then list the uses that may take most of their budget, and why.")
@options.option("--uncovered", "Then list the items whose printed text no effect carries out.")
@click.option(
    "--no-cache",
    "cache",
    flag_value=False,
    default=True,
    help="Compile even packs that have not changed.",
)
@options.colour_option
def command(**asked: object) -> int:
    """Find mistakes in packs.

    A PATH is a pack's folder, a file in it, a folder of packs or cases, or a shipped game;
    the default is the pack that contains the current folder. Exit code 1 if there are errors.

    Results are cached for packs that have not changed; RULELOOM_CACHE names another folder for
    them, or is `off`.
    """
    wanted = options.Wanted(**asked)
    if wanted.write_baseline and wanted.baseline is None:
        raise WrongUse("`--write-baseline` needs a file", "name it: --baseline FILE")
    for option, is_wanted in (("--work", wanted.work), ("--uncovered", wanted.uncovered)):
        if is_wanted and wanted.form not in FOR_PEOPLE:
            raise WrongUse(f"`{option}` cannot be shown as {wanted.form}", "leave out `--format`")
    return _check(wanted)


def _check(wanted: options.Wanted) -> int:
    packs = options.pack_paths(wanted.paths)
    findings = look(packs, wanted.cache)
    if wanted.fix:
        findings = _fixed(findings, packs, wanted)
    sources = dict(findings.sources)
    found = _without_infos(suppress(findings.diagnostics, sources), wanted)
    if wanted.baseline is not None:
        found = _held(found, sources, Path(wanted.baseline), wanted.write_baseline)
    older = 0
    if wanted.changed_since is not None:
        from ruleloom.cli.check.filters import brought_by_change

        new = brought_by_change(findings, found, wanted.changed_since, packs)
        found, older = new, len(found) - len(new)
    colour = colour_wanted(wanted.color)
    sys.stdout.write(_rendered(found, sources, wanted.form, colour and wanted.form == "text"))
    if wanted.form in FOR_PEOPLE:
        hidden = f" ({count_of(older, 'older one')} not shown)" if older else ""
        print(closing_words(found, findings.packs, findings.items, colour) + hidden)
    if wanted.work:
        _print_work(packs)
    if wanted.uncovered:
        _print_uncovered(packs)
    return _exit_code(wanted, findings, found, older)


def _print_work(packs: Sequence[str]) -> None:
    """Print the costliest uses in these packs."""
    from ruleloom.compiler.analysis.costliest import costliest
    from ruleloom.compiler.pipeline import load

    content = load(packs, Report())
    if content is None or not content.by_kind("vocabulary"):
        return
    for heading, lines in costliest(content):
        if lines:
            print(f"\nthe costliest uses of the {heading}")
            print(safe_lines(lines))


def _print_uncovered(packs: Sequence[str]) -> None:
    """Print the items of these packs whose printed text no effect carries out."""
    from ruleloom.compiler.analysis.uncovered import uncovered
    from ruleloom.compiler.pipeline import load

    content = load(packs, Report())
    found = [*uncovered(content)] if content is not None else []
    print(
        "\nprinted text that no effect carries out"
        if found
        else "\nevery printed text has an effect"
    )
    for heading, ids in found:
        print(safe_lines([f"  {heading}", *(f"    {id}" for id in ids)]))


def _without_infos(found: Sequence[Diagnostic], wanted: options.Wanted) -> Sequence[Diagnostic]:
    return found if wanted.info else [one for one in found if one.severity != "info"]


def _exit_code(
    wanted: options.Wanted, findings: Findings, found: Sequence[Diagnostic], older: int
) -> int:
    # With a baseline every remaining warning is new, and fails the check unless `--fail-on` says
    # otherwise.
    least = wanted.fail_on or ("warning" if wanted.baseline else "error")
    failing = any(one.severity in ("error", least) for one in found)
    # Without a program the check fails even if no finding is shown, unless an old error is the
    # cause.
    return FINDINGS if failing or not (findings.sound or older) else CLEAN


def _rendered(found: Sequence[Diagnostic], sources: dict[str, str], form: str, colour: bool) -> str:
    """The findings in a format; those for code hosts use paths from the repository root."""
    if form not in FORMS:
        return render(found, sources, form, colour)
    repository = RepositoryPaths.here()
    placed = repository.placed(found, sources)
    root = repository.root.as_uri()
    return sarif(*placed, root=root) if form == "sarif" else render(*placed, form)


def _fixed(findings: Findings, packs: Sequence[str], wanted: options.Wanted) -> Findings:
    """The findings after applying fixes; each fixed file is reported on standard error."""
    from ruleloom.cli.check.filters import fix_files, in_archives

    found = findings.diagnostics if wanted.info else findings.mistakes
    made = fix_files(found, findings.sources)
    for shown, count in made.items():
        print(f"fixed {safe_text(shown)}: {count_of(count, 'word')}", file=sys.stderr)
    for zip_file, count in in_archives(found, findings.sources, packs).items():
        fixes = count_of(count, "fix", "fixes")
        told = f"{fixes} not made: a zip is not written to; change the folder it was made from"
        print(f"left {safe_text(zip_file)}: {told}", file=sys.stderr)
    return look(packs, wanted.cache) if made else findings


def _held(
    found: Sequence[Diagnostic], sources: dict[str, str], path: Path, write: bool
) -> list[Diagnostic]:
    """The findings not in the baseline; with `write`, the baseline lists all warnings."""
    from ruleloom.cli.check.filters import baseline_text, not_in_baseline

    if not write:
        return not_in_baseline(path, found, sources)
    warnings = [one for one in found if one.severity == "warning"]
    options.write_output(path, baseline_text(warnings, sources, path.resolve().parent))
    print(f"wrote {safe_text(str(path))}: {count_of(len(warnings), 'warning')}", file=sys.stderr)
    return [one for one in found if one.severity != "warning"]
