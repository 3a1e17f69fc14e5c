"""One run of `python -m benchmarks`: when and where, and all its rows; as JSON, and back.

A row keeps the budget and the goal that it had at the time. A file names no folder and no host.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field, fields, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.catalogue import Line
from benchmarks.figures import Figure, Row
from ruleloom.runtime.dataclass import dataclass

FORM = 1
REFERENCES = ("check-jsonschema", "ruamel.yaml", "jsonschema", "chess", "icepool")
TOP = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Run:
    """A run: `load` is how many processes wanted a processor as it began, `libraries` the versions of
    what the references use, `taken` the seconds of each part by the clock. `commit` ends in `+` where
    files had been changed since."""

    date: str
    commit: str
    python: str
    machine: str
    load: float
    note: str
    libraries: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    taken: Mapping[str, float] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """When, where and of what, in one sentence."""
        note = f"; {self.note}" if self.note else ""
        return (
            f"{self.date}, commit {self.commit}, Python {self.python}, {self.machine}, "
            f"load {self.load:.1f} at the start{note}."
        )

    def with_part(self, part: str, rows: tuple[Row, ...], seconds: float) -> Run:
        """The run after one part more."""
        taken = {**self.taken, part: round(seconds, 1)}
        return replace(self, rows=(*self.rows, *rows), taken=taken)

    def row(self, key: str) -> Row | None:
        """The row of a key; None if it was not measured."""
        return next((row for row in self.rows if row.line.key == key), None)


def about_this_run(note: str) -> Run:
    """A run without rows, as of now."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    load = round(os.getloadavg()[0], 2)
    return Run(today, _commit(), python, machine, load, note, dict(_libraries()))


def _libraries() -> Iterator[tuple[str, str]]:
    for name in REFERENCES:
        with suppress(PackageNotFoundError):  # a run of some rows does without
            yield name, version(name)


def _commit() -> str:
    """The commit of this checkout, short; `unknown` without git."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(TOP), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def write_run(run: Run, path: Path) -> None:
    """Write a run to a file; what stands beside a row is for whoever reads it without us."""
    rows = [
        {
            **asdict(row.line),
            **asdict(row.figure),
            "value": row.value,
            "kept": row.kept,
            "met": row.met,
        }
        for row in run.rows
    ]
    about = {one.name: getattr(run, one.name) for one in fields(run)}
    # The reference of a line is a name, that of a figure a number.
    for written, row in zip(rows, run.rows, strict=True):
        written["against"] = row.line.reference
    path.write_text(
        json.dumps({"form": FORM, **about, "rows": rows}, indent=1) + "\n", encoding="utf-8"
    )


def read_run(path: Path) -> Run:
    """Read a run. ValueError for a file that holds none, or one of another form."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["form"] != FORM:
            raise ValueError(f"{path.name} has form {data['form']}, and this reads form {FORM}")
        rows = tuple(_row(one) for one in data["rows"])
        return Run(
            data["date"],
            data["commit"],
            data["python"],
            data["machine"],
            data["load"],
            data["note"],
            data["libraries"],
            rows,
            data["taken"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path.name} is no run of the benchmarks: {error!r}") from error


def _row(data: Mapping[str, Any]) -> Row:
    line = Line(
        data["key"], data["what"], data["against"], data["budget"], data["wanted"], data["sort"]
    )
    figure = Figure(
        data["key"],
        data["ours"],
        data["reference"],
        data["rounds"],
        data["memory"],
        data["reference_memory"],
        data["note"],
    )
    return Row(line, figure)
