"""Pages out of templates: everything that is put in is made safe to show, then escaped.

Nothing of a pack is read as a template.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.reference import anchors
from ruleloom.runtime.program.safe_text import safe_text

TEMPLATES = Path(__file__).resolve().parent / "templates"


def page(template: str, **values: Any) -> str:
    """The text of one page, or of another file of the site."""
    return _environment().get_template(f"{template}.j2").render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_safe,
    )
    made.globals |= {
        "anchor_of": anchors.anchor_of,
        "link_to": anchors.link_to,
        "item_link": anchors.item_link,
        "spelled_out": anchors.spelled_out,
        "page_of_kind": anchors.page_of_kind,
    }
    return made


def _safe(value: object) -> object:
    """A printed value without signs that would deceive the eye; markup is of our own."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return "\n".join(map(safe_text, value.split("\n")))
