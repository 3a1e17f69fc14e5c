"""Drawings as SVG: the same bytes each time, with the fonts that they use."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from ruleloom.printing.fonts import font_rules
from ruleloom.printing.marks import (
    POINT,
    QUARTERS,
    Drawing,
    Icon,
    Mark,
    MarkGroup,
    Picture,
    Shape,
    TextRun,
)

STYLE = "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}"


def millimetres(length: float) -> str:
    """Micrometres as millimetres, without zeros that say nothing."""
    return f"{length / 1000:.3f}".rstrip("0").rstrip(".")


def document(drawing: Drawing, bleed: bool = False) -> str:
    """One side of a card as a document of its own."""
    beyond = drawing.bleed if bleed else 0
    wide, high = (millimetres(side + 2 * beyond) for side in (drawing.width, drawing.height))
    start = millimetres(-beyond)
    style = font_rules(drawing.faces()) + STYLE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm"'
        f' viewBox="{start} {start} {wide} {high}" role="img" aria-label="{escape(drawing.title)}">'
        f"<title>{escape(drawing.title)}</title><style>{style}</style>{marks(drawing.groups)}</svg>\n"
    )


def marks(groups: Iterable[MarkGroup]) -> str:
    """The marks of a drawing."""
    return "".join(_group(group) for group in groups)


def _group(group: MarkGroup) -> str:
    inside = "".join(map(_mark, group.marks))
    if group.about is None:
        return inside
    x, y = map(millimetres, group.about)
    return f'<g transform="rotate(180 {x} {y})">{inside}</g>'


def _mark(mark: Mark) -> str:
    match mark:
        case TextRun():
            return _text(mark)
        case Shape():
            edge = (
                f' stroke="{mark.colour}" stroke-width="{millimetres(mark.edge)}"'
                if mark.edge
                else ""
            )
            rounding = f' rx="{millimetres(mark.rounding)}"' if mark.rounding else ""
            return f'<rect {_box(mark)}{rounding} fill="{mark.ground or "none"}"{edge}/>'
        case Icon():
            scale = f"{mark.side / 24_000:.4f}".rstrip("0")
            x, y = millimetres(mark.left), millimetres(mark.top)
            return (
                f'<path transform="translate({x} {y}) scale({scale})" d="{mark.path}"'
                f' fill="{mark.colour}" fill-rule="evenodd"/>'
            )
        case Picture():
            data = b64encode(mark.data).decode()
            shown = "xMidYMid slice" if mark.fill else "xMidYMid meet"
            return (
                f'<svg {_box(mark)}><image width="100%" height="100%" preserveAspectRatio="{shown}"'
                f' href="data:{mark.media_type};base64,{data}"/></svg>'
            )


def _text(run: TextRun) -> str:
    weight = ' font-weight="700"' if run.face.bold else ""
    style = ' font-style="italic"' if run.face.italic else ""
    size = millimetres(run.size * POINT / QUARTERS)
    return (
        f'<text x="{millimetres(run.x)}" y="{millimetres(run.y)}" font-family="{run.face.css}"'
        f'{weight}{style} font-size="{size}" fill="{run.colour}">{escape(run.text)}</text>'
    )


def _box(mark: Shape | Picture) -> str:
    x, y, width, height = map(millimetres, (mark.left, mark.top, mark.width, mark.height))
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'
