"""CSV that a spreadsheet shows and never runs: no text in it becomes a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of formulas in a spreadsheet."""


def csv_rows(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV; an apostrophe stands before a text that would be a formula."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows(map(_plain, rows))
    return written.getvalue()


def is_formula(value: object) -> bool:
    """Whether a spreadsheet would take a value for a formula."""
    return isinstance(value, str) and value.startswith(DANGEROUS)


def _plain(row: Sequence[Any]) -> list[Any]:
    return [f"'{one}" if is_formula(one) else one for one in row]
