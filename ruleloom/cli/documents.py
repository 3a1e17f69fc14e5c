"""Pages of HTML that a verb writes to a file, as PDF if its name ends so."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ruleloom.cli.faults import WrongUse, extra_needed
from ruleloom.cli.options import write_output

PDF = ".pdf"


def write_pages(path: str, html: str) -> None:
    """Write a document of HTML to a file, or what is printed of it to a PDF. Raises WrongUse."""
    write_output(path, _pdf(html) if Path(path).suffix.lower() == PDF else html)


def _pdf(html: str) -> bytes:
    with extra_needed("a PDF", "pdf"):
        try:
            module = import_module("ruleloom.output.document_pdf")
        except OSError as missing:
            # It stands on libraries of the system.
            message = f"a PDF needs a library of this system: {str(missing).splitlines()[0]}"
            raise WrongUse(message, "install Pango (on Debian: libpango-1.0-0)") from None
    data: bytes = module.document_pdf(html)
    return data
