"""Charts as SVG, drawn from the figures alone: whiskers, curves, and heat maps.

Every text is escaped. What a chart shows stands in a table beside it, so a chart is one image with
a title for those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import isfinite

from ruleloom.reports.page import Chart, CurveChart, HeatChart, WhiskerChart
from ruleloom.runtime.program.safe_text import safe_text

WIDTH, NAMES, RIGHT = 720, 220, 70
ROW, TOP, BOTTOM = 24, 10, 28
MARK, LINE, SOFT, INK = "#2f5d8a", "#d5dae2", "#5b6675", "#1d2430"
LONGEST_NAME = 32
CURVE_HEIGHT = 260
CELL, CELL_HEIGHT = 74, 26
WARM, COLD = (178, 84, 30), (47, 93, 138)


def svg_of(chart: Chart, title: str) -> str:
    """A chart as SVG."""
    match chart:
        case WhiskerChart():
            height, parts = _whiskers(chart)
        case CurveChart():
            height, parts = _curve(chart)
        case HeatChart():
            height, parts = _heat(chart)
    width = WIDTH if not isinstance(chart, HeatChart) else NAMES + CELL * len(chart.columns) + 10
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><title>{_escaped(title)}</title>'
    )
    return f"{head}{''.join(parts)}</svg>"


def _escaped(text: str) -> str:
    return escape(safe_text(text), quote=True)


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = INK) -> str:
    shown = text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">'
        f"{_escaped(shown)}</text>"
    )


def _rule(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{stroke}" stroke-width="{width}"/>'
    )


# ---------------------------------------------------------------------------------- whiskers


def _whiskers(chart: WhiskerChart) -> tuple[int, Iterator[str]]:
    low, high = _range(chart)
    height = TOP + ROW * len(chart.rows) + BOTTOM

    def across(value: float) -> float:
        inside = min(max(value, low), high)
        return NAMES + (inside - low) / (high - low) * (WIDTH - NAMES - RIGHT)

    def parts() -> Iterator[str]:
        foot = TOP + ROW * len(chart.rows)
        for step in range(5):
            value = low + (high - low) * step / 4
            yield _rule(across(value), TOP, across(value), foot, LINE)
            yield _text(across(value), foot + 18, f"{100 * value:.0f}%", "middle", SOFT)
        if chart.at is not None:
            yield _rule(across(chart.at), TOP, across(chart.at), foot, SOFT, 2)
        for number, (name, one) in enumerate(chart.rows):
            y = TOP + ROW * number + ROW / 2
            yield _text(0, y + 4, name)
            yield _rule(across(one.low), y, across(one.high), y, MARK, 2)
            yield f'<circle cx="{across(one.value):.1f}" cy="{y:.1f}" r="4" fill="{MARK}"/>'
            yield _text(WIDTH, y + 4, f"{100 * one.value:.1f}%", "end")

    return height, parts()


def _range(chart: WhiskerChart) -> tuple[float, float]:
    ends = [end for _, one in chart.rows for end in (one.low, one.high, one.value) if isfinite(end)]
    ends += [chart.at] if chart.at is not None else []
    if all(0 <= one <= 1 for one in ends):
        return 0.0, 1.0
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = (high - low) * 0.05 or 0.5
    return low - room, high + room


# ---------------------------------------------------------------------------------- curves


def _curve(chart: CurveChart) -> tuple[int, Iterator[str]]:
    left, right = min(x for x, _ in chart.points), max(x for x, _ in chart.points)
    top = max(y for _, y in chart.points) or 1.0
    foot = CURVE_HEIGHT - BOTTOM - 14

    def place(x: float, y: float) -> tuple[float, float]:
        across = 46 + (x - left) / ((right - left) or 1) * (WIDTH - 66)
        return across, foot - y / top * (foot - TOP)

    def parts() -> Iterator[str]:
        for step in range(5):
            value = top * step / 4
            _, y = place(left, value)
            yield _rule(46, y, WIDTH - 20, y, LINE)
            yield _text(40, y + 4, f"{100 * value:.1f}%", "end", SOFT)
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in chart.points))
        yield f'<polyline points="{path}" fill="none" stroke="{MARK}" stroke-width="2"/>'
        for x, y in chart.points:
            cx, cy = place(x, y)
            yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="{MARK}"/>'
        for value in dict.fromkeys((left, right)):
            yield _text(place(value, 0)[0], foot + 18, f"{value:g}", "middle", SOFT)
        yield _text(WIDTH / 2, foot + 34, chart.across, "middle", SOFT)

    return CURVE_HEIGHT, parts()


# ---------------------------------------------------------------------------------- heat maps


def _heat(chart: HeatChart) -> tuple[int, Iterator[str]]:
    known = [one for row in chart.cells for one in row if one is not None]
    most = max((abs(one - chart.middle) for one in known), default=0.0) or 1.0

    def parts() -> Iterator[str]:
        for column, name in enumerate(chart.columns):
            yield _text(NAMES + CELL * (column + 0.5), TOP + 12, name, "middle", SOFT)
        for number, (name, cells) in enumerate(zip(chart.rows, chart.cells, strict=True)):
            y = TOP + 20 + CELL_HEIGHT * number
            yield _text(0, y + 17, name)
            for column, value in enumerate(cells):
                x = NAMES + CELL * column
                yield (
                    f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL_HEIGHT - 2}" '
                    f'fill="{_tint(value, chart.middle, most)}"/>'
                )
                figure = "" if value is None else f"{100 * value:.1f}%"
                yield _text(x + CELL / 2, y + 17, figure, "middle")

    return TOP + 30 + CELL_HEIGHT * len(chart.rows), parts()


def _tint(value: float | None, middle: float, most: float) -> str:
    if value is None:
        return "#f2f3f5"
    strength = min(1.0, abs(value - middle) / most) * 0.6
    colour = WARM if value > middle else COLD
    red, green, blue = (round(255 - (255 - one) * strength) for one in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
