"""`ruleloom check`: says what is wrong with packs, or that nothing is.

What the compiler and the requirements find goes through what keeps old or wanted things quiet, in this order:
comments that allow a warning, the baseline, and what a change since a revision has nothing to do with.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from compiler.allowing import allow
from compiler.diagnostics import Diagnostic, Report
from compiler.pipeline import CompileResult, compile_paths
from compiler.render import RENDERERS, render
from ruleloom.cli.baseline import baseline_text, read_baseline
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.fixing import fix_files, in_archives
from ruleloom.cli.options import colour_option, packs_meant
from ruleloom.cli.output import colour_wanted, count_of, paint, progress, progress_done
from runtime.files import FileFault, write_atomically
from runtime.text import safe_text

FOR_PEOPLE = ("text", "concise")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asked for besides the packs, in the words of the options."""

    form: str
    color: str
    fail_on: str | None
    baseline: str | None
    write_baseline: bool
    changed_since: str | None
    fix: bool

    @property
    def warnings_fail(self) -> bool:
        """Is a warning enough to fail? With a baseline it is: the old ones are in there."""
        return (self.fail_on or ("warning" if self.baseline else "error")) == "warning"


@dataclass(frozen=True, slots=True)
class Told:
    """A run: what came of compiling, what of it is told, of which texts, and how many findings are too old for it."""

    result: CompileResult
    found: Sequence[Diagnostic]
    sources: Mapping[str, str]
    older: int = 0

    def fails(self, warnings_too: bool) -> bool:
        """Whether what is told is reason to stop."""
        if warnings_too and self.found:
            return True
        return any(one.severity == "error" for one in self.found) or not (self.result.ok or self.older)


@click.command("check", short_help="look for mistakes in packs")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format", "form", type=click.Choice(list(RENDERERS)), default="text", help="How findings are written."
)
@click.option("--fix", is_flag=True, help="First mend, in the files, each slip that one word mends.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="What ends with exit code 1: errors, or warnings too (as with a baseline).",
)
@click.option("--baseline", metavar="FILE", help="Keep the warnings that FILE lists quiet.")
@click.option("--write-baseline", is_flag=True, help="Write the present warnings to the baseline.")
@click.option("--changed-since", metavar="REV", help="Tell only what a change since a git revision brings.")
@colour_option
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Look for mistakes in packs.

    A PATH is a pack's folder, a file in it, a folder of packs, or the name of a shipped game; without one it
    is the pack that holds the present folder. Exit code 1 if there are errors.
    """
    wanted = Wanted(**options)
    if wanted.write_baseline and wanted.baseline is None:
        raise WrongUse("`--write-baseline` does not say where to", "name the file: --baseline FILE")
    packs = packs_meant(paths)
    result = look(packs)
    if wanted.fix:
        result = _fixed(result, packs)
    told = Told(result, allow(result.diagnostics, result.sources), result.sources)
    told = _write_baseline(told, wanted) if wanted.write_baseline else _held(told, wanted)
    if wanted.changed_since is not None:
        told = _since(told, wanted.changed_since, packs)
    _print(told, wanted)
    return FINDINGS if told.fails(wanted.warnings_fail) else CLEAN


def look(paths: Sequence[str]) -> CompileResult:
    """Compile packs and ask their requirements; whoever watches is told meanwhile."""
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        return checked(compile_paths(paths, texts=False, reasons=False))
    finally:
        progress_done()


def checked(result: CompileResult) -> CompileResult:
    """The result together with what the requirements of the game find, if it has any.

    They are imported here, not above: they need the machine, and most packs would wait for it in vain.
    """
    if result.program is None or not result.program.requirements:
        return result
    from ruleloom.requirements import with_requirements

    return with_requirements(result)


def _fixed(result: CompileResult, packs: Sequence[str]) -> CompileResult:
    """What is found once the files are mended. What was done is no result, so it goes to standard error."""
    made = fix_files(result.diagnostics, result.sources)
    for shown, count in made.items():
        print(f"fixed {safe_text(shown)}: {count_of(count, 'word')}", file=sys.stderr)
    for zip_file, count in in_archives(result.diagnostics, result.sources, packs).items():
        told = f"{count_of(count, 'fix', 'fixes')} not made: a zip is not written into; mend the folder it was made of"
        print(f"left {safe_text(zip_file)}: {told}", file=sys.stderr)
    return look(packs) if made else result


def _write_baseline(told: Told, wanted: Wanted) -> Told:
    """Write the warnings to the baseline; errors are left to be told."""
    path = Path(str(wanted.baseline))
    warnings = [one for one in told.found if one.severity == "warning"]
    text = baseline_text(warnings, told.result.sources, path.resolve().parent)
    try:
        write_atomically(path, text)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None
    print(f"wrote {safe_text(str(path))}: {count_of(len(warnings), 'warning')}", file=sys.stderr)
    return replace(told, found=[one for one in told.found if one.severity == "error"])


def _held(told: Told, wanted: Wanted) -> Told:
    """What is told beside the baseline, if there is one."""
    if wanted.baseline is None:
        return told
    report = Report()
    sources = dict(told.sources)
    try:
        baseline = read_baseline(Path(wanted.baseline), report, sources)
    except FileNotFoundError:
        help = "`--write-baseline` makes one of what is found now"
        raise WrongUse(f"there is no baseline {wanted.baseline}", help) from None
    found = baseline.hold(told.found, told.result.sources) if baseline is not None else told.found
    found = sorted([*found, *report.diagnostics()], key=Diagnostic.order)
    return replace(told, found=found, sources=sources)


def _since(told: Told, revision: str, packs: Sequence[str]) -> Told:
    """What a change has to do with. Imported here, not above: most runs start no other program."""
    from ruleloom.cli.changed import brought_by_change

    found = brought_by_change(told.result, told.found, revision, packs, look)
    return replace(told, found=found, older=len(told.found) - len(found))


def _print(told: Told, wanted: Wanted) -> None:
    colour = colour_wanted(wanted.color)
    shown = render(told.found, told.sources, wanted.form, colour and wanted.form == "text")
    sys.stdout.write(shown)
    if wanted.form in FOR_PEOPLE:
        older = f" ({count_of(told.older, 'older one')} not told)" if told.older else ""
        print(closing_words(told.result, colour, told.found) + older)


def closing_words(
    result: CompileResult, colour: bool = False, found: Sequence[Diagnostic] | None = None
) -> str:
    """What was checked and what was found, as a sentence."""
    told = result.diagnostics if found is None else found
    errors = sum(found.severity == "error" for found in told)
    warnings = len(told) - errors
    content = result.content
    packs = len(content.packs) if content is not None else 0
    items = len(content.items) if content is not None else 0
    checked = f"checked {count_of(packs, 'pack')}, {count_of(items, 'item')}"
    if not errors and not warnings:
        return f"{checked}: {paint('no problems', 'green', on=colour)}"
    parts = [count_of(errors, "error")] if errors else []
    parts += [count_of(warnings, "warning")] if warnings else []
    return f"{checked}: {paint(' and '.join(parts), 'red' if errors else 'yellow', on=colour)}"
