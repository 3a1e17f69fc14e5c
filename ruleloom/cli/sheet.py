"""`ruleloom sheet`: writes printable sheets, such as character sheets."""

from __future__ import annotations

import sys

import click

from ruleloom.cli.check.compile_check import report_mistakes
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import pack_paths, paths_argument, write_output
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.html import sheet_html
from ruleloom.output.markdown import sheet_markdown
from ruleloom.output.sheets import SheetFault, pages_of
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text

FORMS = {"html": sheet_html, "markdown": sheet_markdown}


@click.command("sheet")
@paths_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    help="The output format; by default Markdown for a FILE that ends in .md, else HTML.",
)
@click.option(
    "--of",
    "names",
    multiple=True,
    metavar="NAME",
    help="The id or title of a thing to print; may be given several times.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="The file to write, instead of standard output."
)
def command(
    paths: tuple[str, ...], form: str | None, names: tuple[str, ...], output: str | None
) -> int:
    """Write printable sheets of the things in packs, such as character sheets.

    A PATH is a pack's folder or the name of a shipped game. An HTML document is self-contained and
    has a page break after each sheet. Exit code 1 if there are mistakes in the packs.
    """
    result = compile_paths(pack_paths(paths), texts=False, reasons=False)
    if result.program is None or result.content is None:
        return report_mistakes(result, sys.stderr)
    try:
        pages = pages_of(result.program, result.content, names)
    except SheetFault as fault:
        raise WrongUse(str(fault), fault.help) from None
    text = FORMS[form or ("markdown" if (output or "").lower().endswith(".md") else "html")](pages)
    if output is None:
        sys.stdout.write(text)
        return CLEAN
    write_output(output, text)
    print(f"wrote {safe_text(output)}: {count_of(len(pages), 'sheet')}")
    return CLEAN
