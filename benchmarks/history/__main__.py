"""`python -m benchmarks.history`: the page of history, made of the runs in benchmarks/history/."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.history.page import page
from benchmarks.history.runs import Run, read_run

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "benchmarks-history.md"


def kept_runs(folder: Path = FOLDER) -> list[Run]:
    """The runs in a folder, by the names of their files."""
    return [read_run(path) for path in sorted(folder.glob("*.json"))]


def main(words: list[str] | None = None) -> int:
    """Print the page, or write it where it belongs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="write it to docs/benchmarks-history.md"
    )
    text = page(kept_runs())
    if parser.parse_args(words).write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
