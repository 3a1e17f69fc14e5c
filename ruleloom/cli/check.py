"""`ruleloom check`: says what is wrong with packs, or that nothing is."""

from __future__ import annotations

import sys

import click

from compiler.pipeline import CompileResult, compile_paths
from compiler.render import RENDERERS, render
from ruleloom.cli.faults import CLEAN, FINDINGS
from ruleloom.cli.options import colour_option, packs_meant
from ruleloom.cli.output import colour_wanted, count_of, paint

FOR_PEOPLE = ("text", "concise")


@click.command("check", short_help="look for mistakes in packs")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format", "form", type=click.Choice(list(RENDERERS)), default="text", help="How findings are written."
)
@colour_option
def command(paths: tuple[str, ...], form: str, color: str) -> int:
    """Look for mistakes in packs.

    A PATH is a pack's folder, a file in it, a folder of packs, or the name of a shipped game; without one it
    is the pack that holds the present folder. Exit code 1 if there are errors.
    """
    result = checked(compile_paths(packs_meant(paths), texts=False, reasons=False))
    colour = colour_wanted(color)
    sys.stdout.write(render(result.diagnostics, result.sources, form, colour and form == "text"))
    if form in FOR_PEOPLE:
        print(closing_words(result, colour))
    return CLEAN if result.ok else FINDINGS


def checked(result: CompileResult) -> CompileResult:
    """The result together with what the requirements of the game find, if it has any.

    They are imported here, not above: they need the machine, and most packs would wait for it in vain.
    """
    if result.program is None or not result.program.requirements:
        return result
    from ruleloom.requirements import with_requirements

    return with_requirements(result)


def closing_words(result: CompileResult, colour: bool = False) -> str:
    """What was checked and what was found, as a sentence."""
    errors = sum(found.severity == "error" for found in result.diagnostics)
    warnings = len(result.diagnostics) - errors
    content = result.content
    packs = len(content.packs) if content is not None else 0
    items = len(content.items) if content is not None else 0
    checked = f"checked {count_of(packs, 'pack')}, {count_of(items, 'item')}"
    if not errors and not warnings:
        return f"{checked}: {paint('no problems', 'green', on=colour)}"
    parts = [count_of(errors, "error")] if errors else []
    parts += [count_of(warnings, "warning")] if warnings else []
    return f"{checked}: {paint(' and '.join(parts), 'red' if errors else 'yellow', on=colour)}"
