"""Pages as one HTML document that needs nothing beside itself, made to be printed.

The template is ours alone: nothing of a pack is ever read as one, and whatever a pack says is
escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.runtime.explain.sheet_pages import Block, SheetPage
from ruleloom.runtime.program.safe_text import safe_text

TEMPLATE = "sheet.html.j2"


@dataclass(frozen=True)
class Band:
    """Blocks that share the width of the page, or one that takes all of it."""

    wide: bool
    blocks: list[Block]


def html(pages: Sequence[SheetPage]) -> str:
    """The document."""
    loader = FileSystemLoader(Path(__file__).resolve().parent)
    printing = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    printing.filters["safe_text"] = shown
    title = ", ".join(dict.fromkeys(page.title for page in pages))
    sheets = [(page, bands(page)) for page in pages]
    return printing.get_template(TEMPLATE).render(title=title, sheets=sheets)


def shown(text: str) -> str:
    """A text without what could deceive the eye; line ends stay."""
    return "\n".join(safe_text(line) for line in text.splitlines())


def bands(page: SheetPage) -> list[Band]:
    """The blocks of a page, narrow neighbours together. Boxes and texts need the whole width."""
    found: list[Band] = []
    for block in page.blocks:
        wide = block.tiles or any(line.text for line in block.lines)
        if wide or not found or found[-1].wide:
            found.append(Band(wide, [block]))
        else:
            found[-1].blocks.append(block)
    return found
