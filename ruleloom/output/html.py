"""Sheets and chronicles as self-contained HTML documents.

Nothing of a pack or a player is read as a template, and all of it is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.output.chronicle import Chronicle, Quote
from ruleloom.output.terminal import safe_lines
from ruleloom.runtime.explain.sheet_pages import Block, SheetPage


class Band(NamedTuple):
    """Blocks that share the width of the page, or one that takes all of it."""

    wide: bool
    blocks: list[Block]


def sheet_html(pages: Sequence[SheetPage]) -> str:
    """The document of some sheets, for printing."""
    title = ", ".join(dict.fromkeys(page.title for page in pages))
    return _document("sheet.html.j2", title=title, sheets=[(page, bands(page)) for page in pages])


def chronicle_html(chronicle: Chronicle) -> str:
    """The document of a chronicle."""
    return _document("chronicle.html.j2", chronicle=chronicle)


def _document(template: str, **values: Any) -> str:
    printing = templates_in(Path(__file__).resolve().parent)
    printing.tests["quote"] = lambda entry: isinstance(entry, Quote)
    return printing.get_template(template).render(values)


def templates_in(folder: Path) -> Environment:
    """The templates of a folder, which escape all values."""
    printing = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    printing.filters["safe_text"] = safe_lines
    return printing


def bands(page: SheetPage) -> list[Band]:
    """The blocks of a page, narrow neighbours together; boxes and texts take the whole width."""
    found: list[Band] = []
    for block in page.blocks:
        wide = block.tiles or any(line.text for line in block.lines)
        if wide or not found or found[-1].wide:
            found.append(Band(wide, [block]))
        else:
            found[-1].blocks.append(block)
    return found
