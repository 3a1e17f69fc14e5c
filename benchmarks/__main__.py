"""`python -m benchmarks [--write FILE]`: every row beside its reference, in one run."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.harness import table

# Made ready only when they are measured: some need libraries of the extra `bench`, and `--help`
# needs none.
PARTS = (
    "effects",
    "startup",
    "checking",
    "odds.merging",
    "odds.pools",
    "odds.striking",
    "decisions",
    "characters",
    "fighting",
    "homebrew",
)


def main() -> int:
    """Measure, print the table, and say whether every budget is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--write", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    rows = [row for part in PARTS for row in import_module(f"benchmarks.{part}").rows()]
    text = table(rows)
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print(text)
    if options.write is not None:
        options.write.write_text(text + "\n", encoding="utf-8")
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
