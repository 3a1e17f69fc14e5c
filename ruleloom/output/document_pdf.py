"""Pages of HTML as PDF, with the extra `pdf`: by WeasyPrint, which needs the library Pango of the system."""

from __future__ import annotations

from collections.abc import Iterator

from weasyprint import CSS, HTML, Document

from ruleloom.output.paper_sizes import PAPERS

ONE_COLUMN = "* { columns: auto !important }"
"""Columns of even heights take minutes to balance."""
HUNDREDTHS = (100, 97, 94, 91, 88, 85, 103, 106, 109)
"""Sizes of the type that are tried until no part ends on an almost empty page."""
END = "end-"
"""How the ids of the elements begin that stand behind each part that has pages of its own."""


def document_pdf(html: str, paper: str) -> bytes:
    """A document on this paper; what it refers to beyond itself is left out.

    Its type is a little smaller, or else larger, where a part would end on a page of which it needs less
    than a fifth.
    """
    tried = []
    for hundredths in HUNDREDTHS:
        document = _laid_out(html, paper, hundredths)
        tried.append((sum(map(_is_almost_empty, _ends(document))), -hundredths, document))
        if not tried[-1][0]:
            break
    _, size, document = min(tried, key=lambda one: one[:2])
    data: bytes = document.write_pdf(zoom=-size / 100)
    return data


def _laid_out(html: str, paper: str, hundredths: int) -> Document:
    """Its pages before they are reduced to the size of the paper."""
    width, height = (side / 10 / hundredths for side in PAPERS[paper])
    size = f"@page {{ size: {width:.3f}mm {height:.3f}mm !important }}"
    sheets = [CSS(string=ONE_COLUMN), CSS(string=size)]
    return HTML(string=html, url_fetcher=_nothing).render(stylesheets=sheets)


def _ends(document: Document) -> Iterator[float]:
    """How far down its last page each part goes, as a share; parts of one page are left out."""
    before = -1
    for number, page in enumerate(document.pages):
        for name, place in page.anchors.items():
            if name.startswith(END):
                if number > before + 1:
                    yield place[1] / page.height
                before = number


def _is_almost_empty(share: float) -> bool:
    return share < 0.24  # a fifth of what is between the margins, and the margin above it


def _nothing(url: str) -> dict[str, object]:
    raise ValueError(f"{url} is not part of the document")
