"""Records of games as a Parquet file. Needs the extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pyarrow import Table
from pyarrow.parquet import write_table

from ruleloom.reports.export import table_rows
from ruleloom.simulate.game_record import GameRecord


def write_parquet(path: Path, records: Iterable[GameRecord], players: Sequence[str]) -> None:
    """Write the table of games, one row a game."""
    write_table(Table.from_pylist(table_rows(records, players)), str(path))
