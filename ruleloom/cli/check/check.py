"""`ruleloom check`: finds mistakes in packs.

Findings pass three filters, in this order: comments that allow a warning, the baseline, and
`--changed-since`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ruleloom.cache.check_result import Findings
from ruleloom.cli.check.cached_check import look
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import (
    colour_option,
    format_option,
    pack_paths,
    paths_argument,
    write_output,
)
from ruleloom.compiler.diagnostics.render import RENDERERS, render
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suppress import suppress
from ruleloom.output.terminal import closing_words, colour_wanted, count_of
from ruleloom.runtime.program.safe_text import safe_text

FOR_PEOPLE = ("text", "concise")


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What somebody asked for besides the packs, in the words of the options."""

    form: str
    color: str
    fail_on: str | None
    baseline: str | None
    write_baseline: bool
    changed_since: str | None
    fix: bool
    cache: bool

    @property
    def warnings_fail(self) -> bool:
        """Is a warning enough to fail? With a baseline it is: the old ones are in there."""
        return (self.fail_on or ("warning" if self.baseline else "error")) == "warning"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The findings of a run, those shown, their sources, and the number too old to show."""

    findings: Findings
    found: Sequence[Diagnostic]
    sources: Mapping[str, str]
    older: int = 0

    def fails(self, warnings_too: bool) -> bool:
        """Whether what is told is reason to stop."""
        if warnings_too and self.found:
            return True
        return any(one.severity == "error" for one in self.found) or not (
            self.findings.sound or self.older
        )


@click.command("check")
@paths_argument
@format_option(*RENDERERS)
@click.option(
    "--fix", is_flag=True, help="First apply, in the files, each fix that changes a single word."
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="What ends with exit code 1: errors, or warnings too (the default with a baseline).",
)
@click.option("--baseline", metavar="FILE", help="Ignore the warnings listed in FILE.")
@click.option("--write-baseline", is_flag=True, help="Write the current warnings to the baseline.")
@click.option(
    "--changed-since",
    metavar="REV",
    help="Show only the findings brought by changes since a git revision.",
)
@click.option(
    "--no-cache",
    "cache",
    flag_value=False,
    default=True,
    help="Compile even packs that have not changed.",
)
@colour_option
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find mistakes in packs.

    A PATH is a pack's folder, a file in it, a folder of packs, or the name of a shipped game;
    the default is the pack that contains the current folder. Exit code 1 if there are errors.

    Results are cached for packs that have not changed (RULELOOM_CACHE names another folder, or is
    `off`).
    """
    wanted = CheckOptions(**options)
    if wanted.write_baseline and wanted.baseline is None:
        raise WrongUse("`--write-baseline` does not say where to", "name the file: --baseline FILE")
    packs = pack_paths(paths)
    findings = look(packs, wanted.cache)
    if wanted.fix:
        findings = _fixed(findings, packs, wanted)
    told = CheckReport(findings, suppress(findings.diagnostics, findings.sources), findings.sources)
    told = _write_baseline(told, wanted) if wanted.write_baseline else _held(told, wanted)
    if wanted.changed_since is not None:
        told = _since(told, wanted.changed_since, packs)
    _print(told, wanted)
    return FINDINGS if told.fails(wanted.warnings_fail) else CLEAN


def _fixed(findings: Findings, packs: Sequence[str], wanted: CheckOptions) -> Findings:
    """The findings once the files are fixed; what was done goes to standard error."""
    from ruleloom.cli.check.apply_fixes import fix_files, in_archives

    made = fix_files(findings.diagnostics, findings.sources)
    for shown, count in made.items():
        print(f"fixed {safe_text(shown)}: {count_of(count, 'word')}", file=sys.stderr)
    for zip_file, count in in_archives(findings.diagnostics, findings.sources, packs).items():
        told = "a zip is not written into; mend the folder it was made of"
        fixes = count_of(count, "fix", "fixes")
        print(f"left {safe_text(zip_file)}: {fixes} not made: {told}", file=sys.stderr)
    return look(packs, wanted.cache) if made else findings


def _write_baseline(told: CheckReport, wanted: CheckOptions) -> CheckReport:
    """Write the warnings to the baseline; errors are left to be told."""
    from ruleloom.cli.check.baseline import baseline_text  # as above

    path = Path(str(wanted.baseline))
    warnings = [one for one in told.found if one.severity == "warning"]
    text = baseline_text(warnings, told.findings.sources, path.resolve().parent)
    write_output(path, text)
    print(f"wrote {safe_text(str(path))}: {count_of(len(warnings), 'warning')}", file=sys.stderr)
    return replace(told, found=[one for one in told.found if one.severity == "error"])


def _held(told: CheckReport, wanted: CheckOptions) -> CheckReport:
    """What is told beside the baseline, if there is one."""
    if wanted.baseline is None:
        return told
    from ruleloom.cli.check.baseline import read_baseline  # as above

    report = Report()
    sources = dict(told.sources)
    try:
        baseline = read_baseline(Path(wanted.baseline), report, sources)
    except FileNotFoundError:
        help = "`--write-baseline` makes one of what is found now"
        raise WrongUse(f"there is no baseline {wanted.baseline}", help) from None
    found = baseline.hold(told.found, told.findings.sources) if baseline is not None else told.found
    found = sorted([*found, *report.diagnostics()], key=Diagnostic.order)
    return replace(told, found=found, sources=sources)


def _since(told: CheckReport, revision: str, packs: Sequence[str]) -> CheckReport:
    """What a change has to do with. Imported here, not above: most runs start no other program."""
    from ruleloom.cli.check.changed import brought_by_change

    found = brought_by_change(told.findings, told.found, revision, packs)
    return replace(told, found=found, older=len(told.found) - len(found))


def _print(told: CheckReport, wanted: CheckOptions) -> None:
    colour = colour_wanted(wanted.color)
    shown = render(told.found, told.sources, wanted.form, colour and wanted.form == "text")
    sys.stdout.write(shown)
    if wanted.form in FOR_PEOPLE:
        older = f" ({count_of(told.older, 'older one')} not told)" if told.older else ""
        print(closing_words(told.found, told.findings.packs, told.findings.items, colour) + older)
