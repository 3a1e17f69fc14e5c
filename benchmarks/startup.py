"""How long commands take to start, against bare Python."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.harness import Row, commands, time_row

ARENA = Path(__file__).parent / "arena"


def rows() -> list[Row]:
    """`ruleloom --version`, and `check` of a small pack, compiled each time."""
    bare = [sys.executable, "-c", "pass"]
    tool = str(Path(sys.executable).with_name("ruleloom"))
    version = commands([tool, "--version"], bare)
    check = commands([tool, "check", "--no-cache", str(ARENA)], bare)
    return [
        time_row("start-up of `ruleloom --version`", *version, 4),
        time_row("`ruleloom check` of a small pack", *check, 15),
    ]
