"""A page of a report: sections of paragraphs, tables and charts. What each form is made from.

Nothing here is escaped yet: each form does so for itself, at the last step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from html import escape
from math import inf, isfinite
from pathlib import Path

from ruleloom.output.html import templates_in
from ruleloom.output.terminal import count_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.simulate.intervals import Estimate


@dataclass(frozen=True, slots=True)
class WhiskerChart:
    """Shares with their intervals, one below the other; `at` draws a line, such as what is even."""

    rows: tuple[tuple[str, Estimate], ...]
    at: float | None = None


@dataclass(frozen=True, slots=True)
class CurveChart:
    """Chances by number: the curve of odds."""

    points: tuple[tuple[float, float], ...]
    across: str


@dataclass(frozen=True, slots=True)
class HeatChart:
    """A figure for each pair of a row and a column, None where there is none; `middle` is white."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    middle: float


Chart = WhiskerChart | CurveChart | HeatChart


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table: headings, and rows of texts; all columns but the first are numbers."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Paragraphs under a heading, a chart, and a table with the same figures."""

    title: str
    paragraphs: tuple[str, ...] = ()
    table: FigureTable | None = None
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A whole report: what it is about, the command that made it, and its sections."""

    title: str
    command: str
    sections: list[ReportSection] = field(default_factory=list)


def percent_text(share: float) -> str:
    """A share in percent, with one decimal."""
    return f"{100 * share:.1f}%"


def between_text(one: Estimate, percent: bool = True) -> str:
    """An interval: `47.1% to 52.9%`."""
    if inf in (abs(one.low), abs(one.high)):
        return "(too few games)"
    if percent:
        return f"{percent_text(one.low)} to {percent_text(one.high)}"
    return f"{one.low:.1f} to {one.high:.1f}"


def points_text(difference: float) -> str:
    """A difference of two shares, in points of percent with a sign."""
    return f"{100 * difference:+.1f}"


def points_between(one: Estimate) -> str:
    """The interval of a difference, in points of percent."""
    return f"{points_text(one.low)} to {points_text(one.high)}"


def share_table(what: str, table: dict[str, Estimate], counted: str) -> FigureTable:
    """A table of shares with their intervals."""
    rows = [
        (name, percent_text(one.value), between_text(one), f"{one.games:,}")
        for name, one in table.items()
    ]
    return FigureTable((what, "share", "95% interval", counted), rows)


def first_rows(table: FigureTable, most: int) -> FigureTable:
    """A table with its first rows alone, and the number of those left out."""
    return FigureTable(table.headings, table.rows[:most], max(0, len(table.rows) - most))


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


MARKS = re.compile(r"([\\`*_\[\]<>#|~])")


def text_of(page: ReportPage) -> str:
    """The page as plain text: aligned tables, no charts."""
    lines = [safe_text(page.title)]
    for section in page.sections:
        lines += ["", safe_text(section.title)]
        lines += [f"  {safe_text(one)}" for one in section.paragraphs]
        if section.table is not None:
            lines += _aligned(section.table)
    return "\n".join(lines) + "\n"


def _aligned(table: FigureTable) -> Iterator[str]:
    rows = [tuple(map(safe_text, row)) for row in (table.headings, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = [figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join(["", name.ljust(widths[0]), *cells]).rstrip()
    if table.left_out:
        yield f"  ... and {count_of(table.left_out, 'row')} more, with --format json or in a report"


def markdown_of(page: ReportPage) -> str:
    """The page as Markdown: tables, no charts."""
    lines = [f"# {_marked(page.title)}", "", f"Made by `{safe_text(page.command)}`."]
    for section in page.sections:
        lines += ["", f"## {_marked(section.title)}"]
        for one in section.paragraphs:
            lines += ["", _marked(one)]
        if section.table is not None:
            lines += ["", *_piped(section.table)]
    return "\n".join(lines) + "\n"


def _piped(table: FigureTable) -> Iterator[str]:
    yield f"| {' | '.join(map(_marked, table.headings))} |"
    yield f"|{'---|' + '---:|' * (len(table.headings) - 1)}"
    for row in table.rows:
        yield f"| {' | '.join(map(_marked, row))} |"
    if table.left_out:
        yield ""
        yield f"{count_of(table.left_out, 'row')} more left out."


def _marked(text: str) -> str:
    """Text in which nothing is a mark of Markdown."""
    return MARKS.sub(r"\\\1", safe_text(text))


def html_of(page: ReportPage) -> str:
    """The page as one HTML document, which prints well and asks nothing of a network."""
    environment = templates_in(Path(__file__).resolve().parent)
    environment.filters["count_of"] = count_of
    environment.globals["chart_of"] = _chart_of
    return environment.get_template("report.html.j2").render(page=page)


def _chart_of(section: ReportSection) -> str:
    return "" if section.chart is None else svg_of(section.chart, section.title)
