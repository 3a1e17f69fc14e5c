"""The odds of the rows of a random table, as `ruleloom odds` tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ruleloom.cli.roll import called_table, variables
from ruleloom.compiler.packs.content import Content, slug_of
from ruleloom.compiler.packs.random_tables import KIND, RandomTable, filled, tables_of
from ruleloom.output.terminal import paint
from ruleloom.reference.dice import exact_percent
from ruleloom.reference.random_tables import RowOdds, flat, row_odds, shown
from ruleloom.runtime.program.safe_text import safe_text

BAR = 30
TABLE_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def table_called(content: Content, name: str) -> RandomTable | None:
    """The table of this name in packs; None for the name of a flow. Raises WrongUse for another."""
    if slug_of(name) in (one.slug for one in content.by_kind("flow")):
        return None
    return called_table(name, tables_of(content.by_kind(KIND)))


def table_lines(content: Content, table: RandomTable, colour: bool) -> Iterator[str]:
    """A line for each row, those of nested tables below it with the chance of both."""
    tables, words = tables_of(content.by_kind(KIND)), variables(content)
    rows = [*flat(row_odds(table, tables))]
    most = max(one.in_all for _, one in rows)
    cells = [
        (
            f"{'  ' * depth}{f'{one.table.title} ' if depth else ''}{one.row.results}",
            str(one.in_all),
            exact_percent(one.in_all),
            "#" * max(1, round(one.in_all / most * BAR)),
            filled(shown(one.row, tables), words),
        )
        for depth, one in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    yield paint(safe_text(f"{table.title} ({table.dice})"), "bold", on=colour)
    for results, chance, share, bar, told in cells:
        head = f"  {results.ljust(widths[0])}  {chance.rjust(widths[1])}  {share.rjust(widths[2])}"
        painted = paint(bar.ljust(widths[3]), "cyan", on=colour)
        yield f"{safe_text(head)}  {painted}  {safe_text(told)}".rstrip()


def table_data(content: Content, table: RandomTable) -> dict[str, Any]:
    """The odds as JSON data: fractions as strings."""
    tables = tables_of(content.by_kind(KIND))

    def row(one: RowOdds) -> dict[str, Any]:
        named = {"table": one.table.item.id, "results": one.row.results}
        chances = {"chance": str(one.chance), "in_all": str(one.in_all)}
        return named | chances | {"row": shown(one.row, tables), "nested": [*map(row, one.nested)]}

    return {
        "table": table.item.id,
        "dice": table.dice,
        "rows": [*map(row, row_odds(table, tables))],
    }
