"""A page of a report: sections of paragraphs, tables and charts, as plain text, Markdown or HTML.

A page holds unescaped text: each form escapes what comes from packs, as the last step. The templates of
Markdown, HTML and charts are beside this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from math import inf, isfinite
from pathlib import Path
from typing import Any

from jinja2 import Environment

from ruleloom.output.printed import templates_in
from ruleloom.output.terminal import count_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.simulate.intervals import Estimate

MARKS = re.compile(r"([\\`*_\[\]<>#|~])")
WIDTH, NAMES, RIGHT = 720, 220, 70  # of charts
WARM, COLD, NOTHING = (178, 84, 30), (47, 93, 138), "#f2f3f5"


class WhiskerChart(Frozen):
    """Shares with their intervals, one below the other; `at` draws a line at an even share, say."""

    WIDTH = WIDTH
    kind = "whiskers"
    rows: tuple[tuple[str, Estimate], ...]
    at: float | None = None

    @property
    def span(self) -> tuple[float, float]:
        """The ends of the scale."""
        ends = [end for _, one in self.rows for end in (one.low, one.high, one.value)]
        ends = [end for end in (*ends, *([] if self.at is None else [self.at])) if isfinite(end)]
        if all(0 <= one <= 1 for one in ends):
            return 0.0, 1.0
        room = (max(ends) - min(ends)) * 0.05 or 0.5
        return min(ends) - room, max(ends) + room

    def across(self, value: float) -> float:
        """The x coordinate of a value, clamped to the ends."""
        low, high = self.span
        inside = min(max(value, low), high)
        return NAMES + (inside - low) / (high - low) * (WIDTH - NAMES - RIGHT)


class CurveChart(Frozen):
    """Chances by number: the curve of odds."""

    WIDTH = WIDTH
    kind = "curve"
    points: tuple[tuple[float, float], ...]
    across: str

    @property
    def ends(self) -> Sequence[float]:
        """The first and the last number."""
        numbers = [x for x, _ in self.points]
        return tuple(dict.fromkeys((min(numbers), max(numbers))))

    @property
    def top(self) -> float:
        """The highest chance."""
        return max(y for _, y in self.points) or 1.0

    def along(self, x: float) -> float:
        """The x coordinate of a number."""
        return 46 + (x - self.ends[0]) / ((self.ends[-1] - self.ends[0]) or 1) * (WIDTH - 66)

    def down(self, y: float) -> float:
        """The y coordinate of a chance."""
        return 218 - y / self.top * 208


class HeatChart(Frozen):
    """A figure for each row and column, None if it is missing; `middle` is white."""

    kind = "heat"
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    middle: float

    def tint(self, value: float | None) -> str:
        """The colour of a figure: stronger with its distance from the middle."""
        if value is None:
            return NOTHING
        known = (one for row in self.cells for one in row if one is not None)
        most = max(abs(one - self.middle) for one in known) or 1.0
        strength = min(1.0, abs(value - self.middle) / most) * 0.6
        colour = WARM if value > self.middle else COLD
        red, green, blue = (round(255 - (255 - one) * strength) for one in colour)
        return f"#{red:02x}{green:02x}{blue:02x}"


Chart = WhiskerChart | CurveChart | HeatChart
Columns = Mapping[str, Callable[[Any], str]]
"""The headings of a table, each with the function that renders its cell."""


class FigureTable(Frozen):
    """A table: headings, and rows of texts; all columns but the first are numbers."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left_out: int = 0

    @classmethod
    def of(cls, things: Iterable[Any], columns: Columns, most: int = 0) -> FigureTable:
        """A table with one row for each thing, and at `most` that many rows if it is not 0."""
        rows = [tuple(text(one) for text in columns.values()) for one in things]
        kept = rows[:most] if most else rows
        return cls(tuple(columns), kept, len(rows) - len(kept))


class ReportSection(Frozen):
    """Paragraphs under a heading, a chart, and a table with the same figures."""

    title: str
    paragraphs: tuple[str, ...] = ()
    table: FigureTable | None = None
    chart: Chart | None = None


class ReportPage(Frozen):
    """A whole report: its title, the command that made it, and its sections."""

    title: str
    command: str
    sections: list[ReportSection] = field(default_factory=list)


# ------------------------------------------------------------------------------------- figures


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
    """A difference of two shares, in percentage points with a sign."""
    return f"{100 * difference:+.1f}"


def points_between(one: Estimate) -> str:
    """The interval of a difference, in percentage points."""
    return f"{points_text(one.low)} to {points_text(one.high)}"


def yes_or_no(truth: bool) -> str:
    """`yes` or `no`."""
    return "yes" if truth else "no"


def share_table(
    what: str, table: Mapping[str, Estimate], counted: str, most: int = 0
) -> FigureTable:
    """A table of shares with their intervals."""
    columns: Columns = {
        what: lambda one: one[0],
        "share": lambda one: percent_text(one[1].value),
        "95% interval": lambda one: between_text(one[1]),
        counted: lambda one: f"{one[1].games:,}",
    }
    return FigureTable.of(table.items(), columns, most)


# --------------------------------------------------------------------------------------- forms


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
    """The page as Markdown: tables, no charts, and marks from packs escaped."""
    return _templates().get_template("report.md.j2").render(page=page)


def html_of(page: ReportPage) -> str:
    """The page as one printable HTML document, which loads nothing from a network."""
    return _templates().get_template("report.html.j2").render(page=page)


def _templates() -> Environment:
    environment = templates_in(Path(__file__).resolve().parent)
    environment.filters["count_of"] = count_of
    environment.filters["marked"] = lambda text: MARKS.sub(r"\\\1", safe_text(text))
    return environment
