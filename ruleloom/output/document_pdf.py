"""Pages of HTML as PDF, with the extra `pdf`: by WeasyPrint, which needs the library Pango of the system."""

from __future__ import annotations

from weasyprint import CSS, HTML

ONE_COLUMN = "* { columns: auto !important }"
"""Columns of even heights take minutes to balance."""


def document_pdf(html: str) -> bytes:
    """A document on the paper that its style asks for; what it refers to beyond itself is left out."""
    document = HTML(string=html, url_fetcher=_nothing)
    data: bytes = document.write_pdf(stylesheets=[CSS(string=ONE_COLUMN)])
    return data


def _nothing(url: str) -> dict[str, object]:
    raise ValueError(f"{url} is not part of the document")
