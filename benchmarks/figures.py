"""What was measured, beside the line of the catalogue that says what it should be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.catalogue import Line
from benchmarks.harness import seconds
from ruleloom.runtime.dataclass import dataclass

FEW = 3
HEAD = """\
| what | ours | reference | ratio | budget | kept | wanted | met |
| --- | ---: | ---: | ---: | ---: | --- | ---: | --- |"""


@dataclass(frozen=True, slots=True)
class Figure:
    """Ours and the reference, in seconds or in so many a second; how often each was run.

    `memory` and `reference_memory` are bytes at the peak, where that was looked at. A `note` says what
    belongs to the figure and not to the row: how many cases there were, which pool was the worst.
    """

    key: str
    ours: float
    reference: float | None
    rounds: int
    memory: int | None = None
    reference_memory: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line with its figure."""

    line: Line
    figure: Figure

    @property
    def value(self) -> float:
        """What is held against budget and goal: a ratio, or seconds."""
        if self.line.sort == "seconds":
            return self.figure.ours
        assert self.figure.reference is not None, f"{self.line.key} has a reference"
        return self.figure.ours / self.figure.reference

    @property
    def kept(self) -> bool:
        """Is the budget kept?"""
        return self.line.keeps(self.value)

    @property
    def met(self) -> bool | None:
        """Is the goal met? None where there is none."""
        return self.line.meets(self.value)

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        line, figure = self.line, self.figure
        said = f" (reference: {line.reference})" if line.reference else ""
        notes = "; ".join(filter(None, [figure.note, _few(figure.rounds)]))
        note = f" – {notes}" if notes else ""
        reference = "" if figure.reference is None else self._amount(figure.reference)
        return (
            f"{line.what}{said}{note}",
            self._amount(figure.ours) + _megabytes(figure.memory),
            reference + _megabytes(figure.reference_memory),
            "" if line.sort == "seconds" else ratio(self.value),
            limit(line, line.budget),
            "yes" if self.kept else "**no**",
            "" if line.wanted is None else limit(line, line.wanted),
            {True: "yes", False: "not met", None: ""}[self.met],
        )

    def _amount(self, value: float) -> str:
        return f"{value:,.0f}/s" if self.line.sort == "rate" else seconds(value)


def ratio(value: float) -> str:
    """A ratio, with the digits that say something."""
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def limit(line: Line, value: float) -> str:
    """A budget or a goal in words."""
    if line.sort == "seconds":
        return f"at most {seconds(value)}"
    return f"{'at least' if line.sort == 'rate' else 'at most'} {value:g}"


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    return "\n".join([HEAD, *(f"| {' | '.join(row.cells())} |" for row in rows)])


def _few(rounds: int) -> str:
    """How often a row was run, if that was less often than the others."""
    return "" if rounds > FEW else "1 round" if rounds == 1 else f"{rounds} rounds"


def _megabytes(memory: int | None) -> str:
    return "" if memory is None else f", {memory / 1e6:,.0f} MB"


def verdict(rows: Sequence[Row]) -> str:
    """How many budgets are kept, and how many goals are met."""
    kept, goals = sum(row.kept for row in rows), [row.met for row in rows if row.met is not None]
    return f"{kept} of {len(rows)} budgets kept, {sum(goals)} of {len(goals)} goals met"
