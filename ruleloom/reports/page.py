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
class Whisker:
    """One row of a chart of shares: a name, the figure, and from where to where it may lie."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class WhiskerChart:
    """Shares with their intervals, one below the other; `at` draws a line, such as what is even."""

    rows: tuple[Whisker, ...]
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
    rows: tuple[tuple[str, ...], ...]
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


def whiskers(table: dict[str, Estimate]) -> tuple[Whisker, ...]:
    """A table of estimates as rows of a chart."""
    return tuple(Whisker(name, one.value, one.low, one.high) for name, one in table.items())


def share_table(what: str, table: dict[str, Estimate], counted: str) -> FigureTable:
    """A table of shares with their intervals."""
    rows = tuple(
        (name, percent_text(one.value), between_text(one), f"{one.games:,}")
        for name, one in table.items()
    )
    return FigureTable((what, "share", "95% interval", counted), rows)


def cut(rows: Sequence[tuple[str, ...]], most: int) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The first rows, and how many are left out."""
    return tuple(rows[:most]), max(0, len(rows) - most)
