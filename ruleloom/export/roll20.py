"""A game for Roll20: tables to roll on as commands for the script TableExport, items and tables of the rules
as handouts that a Mod script makes, and rolls as macros."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ruleloom.export.game_data import EVERYWHERE, Exported, GameData, Rollable
from ruleloom.export.html_words import lookup_html, words_html

SCRIPT = Path(__file__).with_suffix(".js")
DASHES, ESCAPED = " --", "[TABLEEXPORT:ESCAPE]"


def to_roll20(game: GameData) -> Exported:
    """`tables.txt` for TableExport, `handouts.js` for the Mod scripts, `macros.txt`."""
    files = {"handouts.js": _script(game)}
    tables = [line for one in game.rollable for line in _commands(one)]
    macros = [f"/roll {one.dice.removeprefix('highest of ')}  {one.roll}" for one in game.odds]
    macros += [f"/roll 1t[{one.title}]  {one.title}" for one in game.rollable]
    for name, lines in (("tables.txt", tables), ("macros.txt", macros)):
        if lines:
            files[name] = "\n".join(lines) + "\n"
    return Exported(files, (*EVERYWHERE, *_left_out(game)))


def _left_out(game: GameData) -> Iterator[str]:
    yield "Game systems: items are handouts, not entries of a character sheet."
    if any(one.deck for one in game.rollable):
        yield "Decks: Roll20 puts each row of a table back."
    if not all(one.dice.startswith("1d") for one in game.rollable):
        yield "Several dice: rows have the weight of all their results, and no dice are seen."
    if any(one.nested for one in game.rollable):
        yield "Tables within tables: a row names the other one, and nothing rolls on it."
    if game.lookups:
        yield f"{len(game.lookups)} tables of the rules are handouts: nobody rolls on them."


def _commands(table: Rollable) -> Iterator[str]:
    """The commands that make a table; the weight of a row is how many falls of the dice lead to it."""
    title = _said(table.title)
    yield f"!import-table --{title} --show"
    for row in table.rows:
        yield f"!import-table-item --{title} --{_said(row.text)} --{row.falls} --"


def _said(text: str) -> str:
    """A text on one line that ends no argument."""
    return " ".join(text.split()).replace(DASHES, ESCAPED)


def _script(game: GameData) -> str:
    told = [
        (one.id, f"{one.title} ({kind.replace('-', ' ')})", words_html(one))
        for kind, items in game.kinds().items()
        for one in items
    ]
    told += [(one.id, f"{one.title} (table)", lookup_html(one)) for one in game.lookups]
    uses = Counter(name for _, name, _ in told)
    handouts = [
        {"name": name if uses[name] == 1 else f"{name}, {id}", "notes": notes}
        for id, name, notes in told
    ]
    data = json.dumps(handouts, indent=1).replace("<", "\\u003c")
    head = f"// {escape(game.title)} {game.version}\n"
    return f"{head}{SCRIPT.read_text('utf-8').rstrip()} {data};\n"
