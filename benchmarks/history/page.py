"""The page of history: a line a row, a column a run, the oldest on the left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.catalogue import Line
from benchmarks.catalogue import lines as all_lines
from benchmarks.figures import Row, limit, ratio, verdict
from benchmarks.harness import seconds
from benchmarks.history.runs import Run

OPENING = """\
# The benchmarks over time

What `python -m benchmarks` has measured, run by run. A figure is ours divided by the reference of
the same run, or the seconds that ours took; **bold** is over the budget of that run. Budgets and
goals are those of the latest run of a row. Runs on different or busy machines do not compare well,
rates least of all. [performance.md](performance.md#speed) says what is measured, and how a run is
added.
"""


def page(runs: Sequence[Run]) -> str:
    """The whole page."""
    ordered = sorted(runs, key=lambda run: run.date)  # of one day: as they were given
    if not ordered:
        return f"{OPENING}\nNo run has been kept yet.\n"
    return "\n".join([OPENING, *_about(ordered), "", *_table(ordered), ""])


def _about(runs: Sequence[Run]) -> Iterator[str]:
    yield "| run | commit | Python | machine | load | minutes | | |"
    yield "| --- | --- | --- | --- | ---: | ---: | --- | --- |"
    for number, run in enumerate(runs, 1):
        minutes = sum(run.taken.values()) / 60
        yield (
            f"| {number}: {run.date} | {run.commit} | {run.python} | {run.machine} | {run.load:.1f} "
            f"| {minutes:.0f} | {verdict(run.rows)} | {run.note} |"
        )


def _table(runs: Sequence[Run]) -> Iterator[str]:
    dates = [f"{number}: {run.date}" for number, run in enumerate(runs, 1)]
    yield f"| what | budget | wanted | {' | '.join(dates)} |"
    yield f"| --- | ---: | ---: | {' | '.join('---:' for _ in runs)} |"
    for key in _keys(runs):
        rows = [run.row(key) for run in runs]
        line = next(row.line for row in reversed(rows) if row is not None)
        yield f"| {_limits(line)} | {' | '.join(map(_cell, rows))} |"


def _keys(runs: Sequence[Run]) -> Iterator[str]:
    """The keys of all rows in the order of the catalogue; then those that it has no longer."""
    measured = dict.fromkeys(row.line.key for run in runs for row in run.rows)
    known = [line.key for line in all_lines()]
    yield from (key for key in known if key in measured)
    yield from (key for key in measured if key not in known)


def _limits(line: Line) -> str:
    wanted = "" if line.wanted is None else limit(line, line.wanted)
    return f"{line.what} | {limit(line, line.budget)} | {wanted}"


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    figure = seconds(row.value) if row.line.sort == "seconds" else ratio(row.value)
    return figure if row.kept else f"**{figure}**"
