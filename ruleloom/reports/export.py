"""Records of games as a table, one row a game: CSV for spreadsheets, JSON lines for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from ruleloom.simulate.game_record import GameRecord

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so is a formula to a spreadsheet."""


def _table_rows(records: Iterable[GameRecord], players: Sequence[str]) -> list[dict[str, Any]]:
    """One row a game: the columns are the same for all."""
    rows = []
    for one in records:
        row: dict[str, Any] = {
            "game": one.number,
            "seed": one.seed,
            "finished": one.finished,
            "ended": one.ended,
            "limit": one.limit,
            "fault": one.fault,
            "turns": one.turns,
            "decisions": one.decisions,
        }
        for seat, name in enumerate(players):
            row[f"bot of {name}"] = one.seats[seat]
            row[f"won by {name}"] = one.won(seat)
        rows.append(row)
    return rows


def csv_text(records: Iterable[GameRecord], players: Sequence[str]) -> str:
    """The table as CSV, with texts that no spreadsheet takes for formulas."""
    rows = _table_rows(records, players)
    written = io.StringIO()
    if rows:
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(map(_plain, rows[0]))
        writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return written.getvalue()


def _plain(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(DANGEROUS) else value


def lines_text(records: Iterable[GameRecord]) -> str:
    """The records as JSON lines."""
    return "".join(f"{one.line()}\n" for one in records)
