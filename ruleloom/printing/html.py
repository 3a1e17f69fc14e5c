"""Sheets as one HTML page, to look at and to print: a side of each to a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ruleloom.printing.fonts import font_rules
from ruleloom.printing.paper import PaperSide, Placed
from ruleloom.printing.svg import STYLE, marks, millimetres

PAGE = (
    "body{margin:0;background:#888}"
    "svg.sheet{display:block;background:#fff;margin:4mm auto;break-after:page}"
    "svg.card{overflow:hidden}"
    "@media print{body{background:none}svg.sheet{margin:0}}"
)
CUT = 'stroke="#000" stroke-width="0.1"'


def html(sheets: Sequence[PaperSide], title: str) -> str:
    """A document that prints on paper of the size of its sheets."""
    faces = {face for sheet in sheets for one in sheet.placed for face in one.drawing.faces()}
    sizes = {(sheet.width, sheet.height) for sheet in sheets}
    width, height = map(millimetres, min(sizes)) if len(sizes) == 1 else ("", "")
    page = f"@page{{size:{width}mm {height}mm;margin:0}}" if width else "@page{margin:0}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{page}{PAGE}{STYLE}{font_rules(faces)}</style></head>\n"
        f"<body>{''.join(map(_sheet, sheets))}</body></html>\n"
    )


def _sheet(sheet: PaperSide) -> str:
    width, height = millimetres(sheet.width), millimetres(sheet.height)
    cuts = "".join(
        '<line x1="{}" y1="{}" x2="{}" y2="{}"/>'.format(
            *map(millimetres, (cut.x, cut.y, cut.to_x, cut.to_y))
        )
        for cut in sheet.cuts
    )
    return (
        f'<svg class="sheet" xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}">{"".join(_card(one, sheet.bleed) for one in sheet.placed)}'
        f"<g {CUT}>{cuts}</g></svg>\n"
    )


def _card(placed: Placed, bleed: bool) -> str:
    drawing = placed.drawing
    beyond = drawing.bleed if bleed else 0
    x, y = millimetres(placed.left - beyond), millimetres(placed.top - beyond)
    width, height = (millimetres(side + 2 * beyond) for side in (drawing.width, drawing.height))
    start = millimetres(-beyond)
    return (
        f'<svg class="card" x="{x}" y="{y}" width="{width}" height="{height}"'
        f' viewBox="{start} {start} {width} {height}"><title>{escape(drawing.title)}</title>'
        f"{marks(drawing.groups)}</svg>"
    )
