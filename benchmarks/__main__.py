"""`python -m benchmarks`: every row beside its reference, in one run.

A row has a budget, which every run has to keep, and where something is wanted, a goal. Exit code 1 if
a budget is not kept; a goal that is not met is only shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from benchmarks.catalogue import PARTS, Line, selected
from benchmarks.figures import Figure, Row, limit, table, verdict
from benchmarks.history.runs import Run, about_this_run, read_run, write_run
from benchmarks.speed_page import PAGE, pasted


def main(words: list[str] | None = None) -> int:
    """Measure, print the table, and say whether every budget is kept."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ROW-OR-PART", help="measure only this"
    )
    parser.add_argument("--list", action="store_true", help="list the rows, and measure nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the run to this file")
    parser.add_argument(
        "--from",
        type=Path,
        metavar="FILE",
        dest="kept",
        help="take a run from here, and measure nothing",
    )
    parser.add_argument("--note", default="", help="what else there is to say of this run")
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/performance.md"
    )
    options = parser.parse_args(words)
    if options.kept and (options.only or options.json or options.note):
        parser.error("--from measures nothing: it goes without --only, --json and --note")
    if options.write and options.only:
        parser.error("--write needs all rows, and --only leaves some out")
    try:
        chosen = selected(options.only)
        run = read_run(options.kept) if options.kept else None
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if options.list:
        print(listed(chosen))
        return 0
    run = run or measured(chosen, options.note, options.json)
    print(run.heading, table(run.rows), verdict(run.rows), sep="\n")
    if options.write:
        try:
            PAGE.write_text(pasted(PAGE.read_text(encoding="utf-8"), run), encoding="utf-8")
        except ValueError as error:
            parser.error(str(error))
    return 0 if all(row.kept for row in run.rows) else 1


def measured(chosen: Mapping[str, tuple[Line, ...]], note: str, file: Path | None) -> Run:
    """Measure some rows; a run that breaks off leaves in the file what it has until then."""
    run = about_this_run(note)
    for part, lines in chosen.items():
        begun = time.perf_counter()
        rows = tuple(rows_of(part, lines))
        taken = time.perf_counter() - begun
        print(f"{part}: {taken:.0f} s", file=sys.stderr, flush=True)
        run = run.with_part(part, rows, taken)
        if file is not None:
            write_run(run, file)
    return run


def rows_of(part: str, lines: tuple[Line, ...]) -> Iterator[Row]:
    """The figures of a part, each beside its line; RuntimeError if there is none for one of them.

    A part may measure more than it is asked for, where that comes of the same work.
    """
    # Loaded only here: some parts need libraries of the extra `bench`, and `--help` needs none.
    module = import_module(PARTS[part].module)
    figures: dict[str, Figure] = {
        one.key: one for one in module.figures(frozenset(line.key for line in lines))
    }
    missing = [line.key for line in lines if line.key not in figures]
    if missing:
        raise RuntimeError(f"{part} has measured nothing for {', '.join(missing)}")
    return (Row(line, figures[line.key]) for line in lines)


def listed(chosen: Mapping[str, tuple[Line, ...]]) -> str:
    """The rows of each part with budget and goal."""
    told = []
    for part, lines in chosen.items():
        told.append(f"{part}:")
        for line in lines:
            wanted = f", wanted {limit(line, line.wanted)}" if line.wanted is not None else ""
            beside = f", beside {line.reference}" if line.reference else ""
            told.append(f"  {line.key:24} {line.what}{beside}: {limit(line, line.budget)}{wanted}")
    return "\n".join(told)


if __name__ == "__main__":
    sys.exit(main())
