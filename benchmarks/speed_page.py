"""The table of speed in docs/performance.md: what `python -m benchmarks --write` puts there."""

from __future__ import annotations

from pathlib import Path

from benchmarks.catalogue import lines
from benchmarks.figures import table, verdict
from benchmarks.history.runs import Run

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGINS, ENDS = "<!-- speed: begins -->", "<!-- speed: ends -->"


def pasted(page: str, run: Run) -> str:
    """The text of a page with a run between its two marks. ValueError if it has not both, once each, or
    if the run leaves rows out."""
    missing = [line.key for line in lines() if run.row(line.key) is None]
    if missing:
        raise ValueError(f"this run has no figures for {', '.join(missing)}")
    if page.count(BEGINS) != 1 or page.count(ENDS) != 1:
        raise ValueError(f"the page needs one line `{BEGINS}`, and one `{ENDS}` below it")
    before, _, rest = page.partition(BEGINS)
    if ENDS not in rest:
        raise ValueError(f"the line `{BEGINS}` belongs above `{ENDS}`")
    after = rest.partition(ENDS)[2]
    return f"{before}{BEGINS}\n{shown(run)}\n{ENDS}{after}"


def shown(run: Run) -> str:
    """What a page shows of a run: when and where it was, its table, and how long each part took."""
    libraries = ", ".join(f"{name} {version}" for name, version in run.libraries.items())
    parts = ", ".join(f"{part} {taken:.0f}" for part, taken in run.taken.items())
    minutes = sum(run.taken.values()) / 60
    return "\n\n".join(
        [
            f"{run.heading} {verdict(run.rows)}.",
            table(run.rows),
            f"The run took {minutes:.0f} minutes, in seconds: {parts}. References: {libraries}.",
        ]
    )
