"""A game as CSV for spreadsheets, as JSON for programs, and as Markdown for notes and wikis."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.export.game_data import (
    EVERYWHERE,
    Exported,
    GameData,
    ItemData,
    Rollable,
    value_text,
)
from ruleloom.output.csv_rows import csv_rows, is_formula
from ruleloom.output.printed import plain
from ruleloom.reference.dice import percent

Rows = list[Sequence[Any]]
COLUMNS = ("id", "title", "pack", "place", "card", "rules")
FORMAT = 1
"""The version of the JSON; new fields do not raise it."""


def to_csv(game: GameData) -> Exported:
    """A file for the items of each kind, and one each for lookups, tables to roll on and odds."""
    files: dict[str, Rows] = {f"{kind}.csv": _items(many) for kind, many in game.kinds().items()}
    files |= {name: [heads, *rows] for name, heads, rows in _tables(game) if rows}
    cells = sum(is_formula(cell) for rows in files.values() for row in rows for cell in row)
    left = ["Lists and maps: each stands as YAML in one cell."]
    if cells:
        left.append(f"{cells} cells that spreadsheets would run: an apostrophe stands before them.")
    return Exported({name: csv_rows(rows) for name, rows in files.items()}, (*EVERYWHERE, *left))


def _tables(game: GameData) -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[Any]]]]:
    """The files of lookups, tables to roll on and odds: their names, headings and rows."""
    lookups = [(one.id, one.title, *one.heads, *row) for one in game.lookups for row in one.rows]
    rolls = [(one.id, one.title, one.dice, *row[:3]) for one in game.rollable for row in one.rows]
    odds = [
        (one.item, one.roll, one.dice, value, str(chance), percent(chance))
        for one in game.odds
        for value, chance in one.rows
    ]
    yield "lookups.csv", ("id", "title", "by", "gives", "key", "value"), lookups
    yield "random-tables.csv", ("id", "title", "dice", "from", "to", "text"), rolls
    yield "odds.csv", ("id", "roll", "dice", "value", "chance", "percent"), odds


def _items(items: Sequence[ItemData]) -> Rows:
    names = list(dict.fromkeys(name for one in items for name in one.fields))
    heads = [*COLUMNS, *(f"field {name}" if name in COLUMNS else name for name in names)]
    rows = (
        [
            *(getattr(one, name) for name in COLUMNS),
            *(value_text(one.fields[name]) if name in one.fields else "" for name in names),
        ]
        for one in items
    )
    return [heads, *rows]


def to_json(game: GameData) -> Exported:
    """One file with everything."""
    lookups = [
        {"id": one.id, "title": one.title, "about": one.about, "by": one.heads[0]}
        | {"gives": one.heads[1], "rows": [list(row) for row in one.rows]}
        for one in game.lookups
    ]
    odds = [
        {"id": one.item, "roll": one.roll, "dice": one.dice}
        | {"rows": [[value, str(chance)] for value, chance in one.rows]}
        for one in game.odds
    ]
    data = {
        "format": FORMAT,
        "name": game.name,
        "title": game.title,
        "game": game.game,
        "packs": [{"id": id, "version": version} for id, version in game.packs],
        "items": [_item(one) for one in game.items],
        "lookups": lookups,
        "random_tables": [_rollable(one) for one in game.rollable],
        "odds": odds,
    }
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return Exported({f"{game.name}.json": text}, EVERYWHERE)


def _item(one: ItemData) -> Mapping[str, Any]:
    said = {name: getattr(one, name) for name in ("id", "kind", *COLUMNS[1:])}
    return {**said, "fields": one.fields}


def _rollable(one: Rollable) -> Mapping[str, Any]:
    rows = [{"from": row.low, "to": row.high, "text": row.text} for row in one.rows]
    return {"id": one.id, "title": one.title, "dice": one.dice, "deck": one.deck, "rows": rows}


def to_markdown(game: GameData) -> Exported:
    """A page for the items of each kind, and one each for lookups, tables to roll on and odds."""
    pages = {kind: list(_kind(many)) for kind, many in game.kinds().items()}
    for name, tables in _tables_told(game).items():
        lines = [line for one in tables for line in markdown_table(*one)]
        if lines:
            pages[name] = lines
    listed = [f"- [{name}]({name}.md)" for name in pages]
    about = [plain(game.about), ""] if game.about else []
    index = [f"# {plain(game.title)}", "", *about, *listed]
    files = {"README.md": index} | {
        f"{name}.md": [f"# {plain(name.replace('-', ' '))}", "", *lines]
        for name, lines in pages.items()
    }
    left = (*EVERYWHERE, "Fields that no card shows.")
    return Exported({name: "\n".join(lines).rstrip() + "\n" for name, lines in files.items()}, left)


def _tables_told(game: GameData) -> Mapping[str, Iterable[tuple[Any, ...]]]:
    """The tables of lookups, tables to roll on and odds: title, text, headings and rows of each."""
    lookups = ((one.title, one.about, one.heads, one.rows) for one in game.lookups)
    rolls = (
        (
            one.title,
            "",
            (one.dice, "result"),
            [(row.results, row.text) for row in one.rows],
        )
        for one in game.rollable
    )
    odds = (
        (f"{one.roll} of {one.item}", one.dice, ("value", "chance"), [*map(_chance, one.rows)])
        for one in game.odds
    )
    return {"lookups": lookups, "random-tables": rolls, "odds": odds}


def _kind(items: Sequence[ItemData]) -> Iterator[str]:
    for one in items:
        yield from (f'<a id="{one.id}"></a>', "", f"## {plain(one.title)}", "")
        for line in filter(None, (one.card or one.rules).splitlines()):
            yield from (plain(line), "")
        yield from (f"*{plain(one.id)}*", "")


def markdown_table(
    title: str, about: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """A table below its title."""
    yield from (f"## {plain(title)}", "")
    if about:
        yield from (plain(about), "")
    for row in (heads, ("---",) * len(heads), *rows):
        yield f"| {' | '.join(one if one == '---' else plain(one) for one in row)} |"
    yield ""


def _chance(row: tuple[str, Fraction]) -> tuple[str, str]:
    return row[0], f"{row[1]} ({percent(row[1])})"
