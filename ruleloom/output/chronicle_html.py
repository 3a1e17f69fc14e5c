"""A chronicle as one HTML document that needs nothing beside itself.

The template is ours alone: nothing of a pack or of a player is ever read as one, and whatever they
say is escaped.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.output.chronicle import Chronicle, Quote
from ruleloom.output.sheet_html import shown

TEMPLATE = "chronicle.html.j2"


def html(chronicle: Chronicle) -> str:
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
    printing.tests["quote"] = lambda entry: isinstance(entry, Quote)
    return printing.get_template(TEMPLATE).render(chronicle=chronicle)
