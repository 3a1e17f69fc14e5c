"""Results of runs in a file of SQLite: each run by the key of its plan, each game by its number.

A run is known again by its key: the same program, players, settings and seed. A record is
safe as soon as it is written, even if the process is killed afterwards.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.simulate.game_record import GameRecord, record_of
from ruleloom.simulate.run_plan import RunPlan, SentProgram, plan_key

FORM = 1
TABLES = f"""
CREATE TABLE IF NOT EXISTS run (
    key TEXT PRIMARY KEY, title TEXT NOT NULL, program TEXT NOT NULL,
    plan TEXT NOT NULL, begun TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS game (
    run TEXT NOT NULL REFERENCES run (key), number INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
PRAGMA user_version = {FORM};
"""


class ResultsUnusable(Refused):
    """A file of results that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """One open file of results, and the run in it that is being written."""

    path: Path
    connection: sqlite3.Connection
    key: str

    def games(self) -> dict[int, GameRecord]:
        """The games of the run that are there, by number."""
        rows = self.connection.execute("SELECT record FROM game WHERE run = ?", (self.key,))
        records = [record_of(line) for (line,) in rows]
        return {record.number: record for record in records}

    def add(self, record: GameRecord) -> None:
        """Write one game."""
        with _in_words(self.path), self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO game VALUES (?, ?, ?)",
                (self.key, record.number, record.line()),
            )

    def forget(self) -> None:
        """Drop the games of the run."""
        with _in_words(self.path), self.connection:
            self.connection.execute("DELETE FROM game WHERE run = ?", (self.key,))


@contextmanager
def results_file(path: Path, sent: SentProgram, plan: RunPlan, title: str) -> Iterator[ResultsFile]:
    """Open a file of results for one run. Raises ResultsUnusable."""
    with _in_words(path):
        connection = sqlite3.connect(path)
    with closing(connection):
        with _in_words(path), connection:
            (form,) = connection.execute("PRAGMA user_version").fetchone()
            if form not in (0, FORM):
                raise ResultsUnusable(f"{path} was written by another version of Ruleloom")
            connection.executescript(TABLES)
            # Written to a log of its own first: quick, and safe where a process is killed.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            key = plan_key(sent, plan)
            connection.execute(
                "INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?)",
                (
                    key,
                    title,
                    sent.key,
                    json.dumps(plan.as_data(), sort_keys=True),
                    time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                ),
            )
        yield ResultsFile(path, connection, key)


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise ResultsUnusable(f"{path} cannot be used as a file of results: {error}") from None
