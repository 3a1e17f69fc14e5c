"""A page of a report: sections of paragraphs, tables and charts. What each form is made from.

Nothing here is escaped yet: each form does so for itself, at the last step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import inf

from ruleloom.runtime.dataclass import dataclass
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
