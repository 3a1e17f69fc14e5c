"""`ruleloom sheet`: writes the sheets of things that packs make, to be printed or read."""

from __future__ import annotations

import sys

import click

from compiler.pipeline import compile_paths
from compiler.render import render
from ruleloom.cli.compiling import closing_words_of
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import packs_meant
from ruleloom.cli.output import count_of
from ruleloom.sheets.html import html
from ruleloom.sheets.markdown import markdown
from ruleloom.sheets.pages import SheetFault, pages_of
from runtime.files import FileFault, write_atomically
from runtime.text import safe_text

FORMS = {"html": html, "markdown": markdown}


@click.command("sheet", short_help="write the sheets of things, such as characters, to be printed")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    help="How it is written: if not said, as the name of the file ends, `.md` or `.html`, else HTML.",
)
@click.option(
    "--of", "names", multiple=True, metavar="NAME", help="Only this, by its id or title; may be given often."
)
@click.option("-o", "--output", metavar="FILE", help="The file to write, instead of the screen.")
def command(paths: tuple[str, ...], form: str | None, names: tuple[str, ...], output: str | None) -> int:
    """Write the sheets of what packs make: of characters, say, where the game has a sheet for them.

    A PATH is a pack's folder or the name of a shipped game. HTML holds all it needs and has a page break between two
    sheets; a browser prints it. Exit code 1 if there are mistakes in the packs.
    """
    result = compile_paths(packs_meant(paths), texts=False, reasons=False)
    if result.program is None or result.content is None:
        sys.stderr.write(render(result.diagnostics, result.sources, "text"))
        print(closing_words_of(result), file=sys.stderr)
        return FINDINGS
    try:
        pages = pages_of(result.program, result.content, names)
    except SheetFault as fault:
        raise WrongUse(str(fault), fault.help) from None
    text = FORMS[form or ("markdown" if (output or "").lower().endswith(".md") else "html")](pages)
    if output is None:
        sys.stdout.write(text)
        return CLEAN
    try:
        write_atomically(output, text)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None
    print(f"wrote {safe_text(output)}: {count_of(len(pages), 'sheet')}")
    return CLEAN
