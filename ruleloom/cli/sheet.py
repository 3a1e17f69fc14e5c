"""`ruleloom sheet`: writes printable sheets, such as character sheets."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from ruleloom.api.at_rest import at_rest
from ruleloom.api.content_error import ContentError
from ruleloom.api.content_sources import printed_text_at
from ruleloom.api.ready import ready
from ruleloom.cli.documents import paper_option, refuse_paper, write_pages
from ruleloom.cli.faults import CLEAN, WrongUse, report_mistakes
from ruleloom.cli.named_items import named_things, packs_and_names
from ruleloom.cli.options import of_option, option, paths_and_items_argument
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.packs.content import Content
from ruleloom.output.printed import sheet_html, sheet_markdown
from ruleloom.output.terminal import count_of
from ruleloom.runtime.explain.sheet_pages import SheetPage, blank_page, page_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program, Sheet
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.programs import RULES

FORMS = {"html": sheet_html, "markdown": sheet_markdown}


@click.command("sheet")
@paths_and_items_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    help="The output format; by default Markdown for a FILE that ends in .md, else HTML.",
)
@of_option
@option("--blank", "Write the forms, to be filled in by hand.")
@option("-o, --output FILE", "The file to write, instead of standard output.")
@paper_option
def command(
    words: tuple[str, ...],
    form: str | None,
    names: tuple[str, ...],
    blank: bool,
    output: str | None,
    paper: str | None,
) -> int:
    """Write printable sheets of the things in packs, such as character sheets.

    A PATH is a pack's folder or the name of a shipped game, and whatever else you name is an ITEM, by
    its id or title. An HTML document is self-contained and has a page break after each sheet; it is
    printed to a PDF if the name of the file ends in .pdf. Exit code 1 if there are mistakes in the packs.
    """
    refuse_paper(output or "", paper)
    packs, called = packs_and_names(words, names)
    try:
        program = ready(RULES, packs)
    except ContentError as error:
        return report_mistakes(error, sys.stderr)
    content = load_content(packs, Report(), scenarios=False)
    if content is None:
        raise WrongUse("these packs were changed meanwhile", "try again")
    pages = blank_pages(program, content) if blank else pages_of(program, content, called)
    text = FORMS[form or ("markdown" if (output or "").lower().endswith(".md") else "html")](pages)
    if output is None:
        sys.stdout.write(text)
        return CLEAN
    write_pages(output, text, paper)
    print(f"wrote {safe_text(output)}: {count_of(len(pages), 'sheet')}")
    return CLEAN


@contextmanager
def _refused_at_rest(sheet: Sheet) -> Iterator[None]:
    try:
        yield
    except (RuntimeFault, TypeError):
        # It asks a query, and there is no driver, or for something that set-up makes.
        message = f"{sheet.id} needs something that exists only in a game in play"
        raise WrongUse(message, "it can use printed fields and settings") from None


def printed_sheets(program: Program, content: Content) -> list[Sheet]:
    """The sheets that are written for all their things, named or not."""
    named = {one.id for one in content.by_kind("sheet") if one.data("when_named") is True}
    return [one for one in program.sheets if one.id not in named]


def blank_pages(program: Program, content: Content) -> list[SheetPage]:
    """The forms of all sheets of a game, to be filled in."""
    _refuse_without_sheets(program)
    linked, world = at_rest(program)
    pages = []
    for sheet in printed_sheets(program, content):
        with _refused_at_rest(sheet):
            pages.append(blank_page(linked, world, sheet))
    return pages


def _refuse_without_sheets(program: Program) -> None:
    if not program.sheets:
        raise WrongUse("this game has no sheet", "an item of `kind: sheet` says what is printed")


def pages_of(program: Program, content: Content, names: Sequence[str] = ()) -> list[SheetPage]:
    """The sheets of the things with these ids or titles; by default of all that have one."""
    _refuse_without_sheets(program)
    entities = [program.entity(one) for one in dict.fromkeys(one.entity for one in program.sheets)]
    wanted = named_things(entities, names, "a sheet") if names else None
    linked, world = at_rest(program)
    text_of = printed_text_at(content, program)
    pages = []
    for sheet in program.sheets if wanted is not None else printed_sheets(program, content):
        for number in range(len(program.entity(sheet.entity).names)):
            if wanted is not None and (sheet.entity, number) not in wanted:
                continue
            with _refused_at_rest(sheet):
                pages.append(page_of(linked, world, sheet, number, text_of))
    if not pages:
        raise WrongUse("nothing in these packs has a sheet")
    return pages
