"""Pages of HTML that a verb writes to a file, as PDF if its name ends so."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from ruleloom.cli.faults import WrongUse, extra_needed
from ruleloom.cli.options import write_output
from ruleloom.output.paper_sizes import PAPERS

PDF, USUAL = ".pdf", "a4"
paper_option = click.option(
    "--paper", type=click.Choice(list(PAPERS)), help="The paper of a PDF; a4 if it is not said."
)


def is_pdf(path: str) -> bool:
    """Does a file of this name hold a PDF?"""
    return Path(path).suffix.lower() == PDF


def refuse_paper(path: str, paper: str | None) -> None:
    """Raise WrongUse for the paper of what is no PDF."""
    if paper is not None and not is_pdf(path):
        message = "`--paper` is for a PDF: for any other form, whoever prints it says the paper"
        raise WrongUse(message, "a name that ends in .pdf behind `-o`")


def write_pages(path: str, html: str, paper: str | None) -> None:
    """Write a document of HTML to a file, or what is printed of it to a PDF on this paper. Raises
    WrongUse."""
    write_output(path, _pdf(html, paper or USUAL) if is_pdf(path) else html)


def _pdf(html: str, paper: str) -> bytes:
    with extra_needed("a PDF", "pdf"):
        try:
            module = import_module("ruleloom.output.document_pdf")
        except OSError as missing:
            # It stands on libraries of the system.
            message = f"a PDF needs a library of this system: {str(missing).splitlines()[0]}"
            raise WrongUse(message, "install Pango (on Debian: libpango-1.0-0)") from None
    data: bytes = module.document_pdf(html, paper)
    return data
