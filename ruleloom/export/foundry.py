"""A game as the sources of a module for Foundry: `fvtt package pack` makes its compendiums of them.

Items are journal entries, which any game system can show, in a folder for each kind; tables that people roll
on are roll tables. Ids are made from ours, so that a later export is the same documents.
"""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from ruleloom.export.game_data import (
    EVERYWHERE,
    Exported,
    GameData,
    Rollable,
    RollableRow,
)
from ruleloom.export.html_words import lookup_html, odds_html, words_html

Document = dict[str, Any]
LEAST, TRIED = "12", "13"
"""The versions of Foundry that the documents are written for."""
HTML = 1
LETTERS, ID_LENGTH = string.ascii_letters + string.digits, 16
README = """\
{title} {version}, as sources of a Foundry module.

    npm install @foundryvtt/foundryvtt-cli
{commands}

Then this folder, with `packs/` in it, is the module: put it into Foundry's `Data/modules/{id}`.
"""


def to_foundry(game: GameData) -> Exported:
    """`module.json`, and a source for each document."""
    id = f"ruleloom-{game.name.replace('_', '-')}"
    packs = {"journal": [*_journal(game)], "tables": [_roll_table(one) for one in game.rollable]}
    packs = {name: many for name, many in packs.items() if many}
    files = {
        f"src/{name}/{one['_id']}.json": _json(one) for name, many in packs.items() for one in many
    }
    files["module.json"] = _json(_manifest(game, id, packs))
    commands = "\n".join(
        f"    npx fvtt package pack {name} --in src/{name} --out packs" for name in packs
    )
    files["README.txt"] = README.format(
        title=game.title, version=game.version, commands=commands, id=id
    )
    return Exported(files, (*EVERYWHERE, *_left_out(game)))


def _left_out(game: GameData) -> Iterator[str]:
    played = sum(one.played for one in game.items)
    yield "Items of a game system: without one, each item is a journal entry."
    yield f"Automation: {played} items do something in play, and are texts here."
    if game.lookups:
        yield f"{len(game.lookups)} tables of the rules are journal entries: nobody rolls on them."
    if any(one.nested for one in game.rollable):
        yield "Tables within tables: a row names the other one, and nothing rolls on it."
    if any(one.deck for one in game.rollable):
        yield "When the rows of a deck are put back: reset the table by hand."


def _manifest(game: GameData, id: str, packs: Iterable[str]) -> Document:
    types = {"journal": "JournalEntry", "tables": "RollTable"}
    listed = [
        {"name": name, "label": f"{game.title}: {name}", "path": f"packs/{name}"}
        | {"type": types[name], "ownership": {"PLAYER": "OBSERVER", "ASSISTANT": "OWNER"}}
        for name in packs
    ]
    return {
        "id": id,
        "title": game.title,
        "description": escape(game.about),
        "version": game.version,
        "authors": [{"name": one} for one in game.authors],
        **({"license": game.licence} if game.licence else {}),
        "compatibility": {"minimum": LEAST, "verified": TRIED},
        "packs": listed,
        "flags": {"ruleloom": {"packs": dict(game.packs)}},
    }


def _journal(game: GameData) -> Iterator[Document]:
    folders: dict[str, str] = {}
    kinds = game.kinds()
    for kind in (*kinds, *(("table",) if game.lookups else ()), *(("odds",) if game.odds else ())):
        folders[kind] = stable_id(f"{game.game}:folder/{kind}")
        yield _folder(folders[kind], kind)
    for kind, items in kinds.items():
        for number, item in enumerate(items):
            yield _entry(item.id, item.title, words_html(item), folders[kind], number)
    for number, lookup in enumerate(game.lookups):
        yield _entry(lookup.id, lookup.title, lookup_html(lookup), folders["table"], number)
    for number, odds in enumerate(game.odds):
        address = f"{odds.item}#odds/{odds.roll}/{odds.dice}"
        yield _entry(
            address, f"{odds.roll} of {odds.item}", odds_html(odds), folders["odds"], number
        )


def _folder(id: str, kind: str) -> Document:
    name = kind.replace("-", " ")
    return {
        "_id": id,
        "_key": f"!folders!{id}",
        "name": f"{name[:1].upper()}{name[1:]}",
        "type": "JournalEntry",
        "folder": None,
        "sorting": "m",
        "sort": 0,
        "color": None,
        "flags": {},
    }


def _entry(address: str, title: str, content: str, folder: str, number: int) -> Document:
    id, page = stable_id(address), stable_id(f"{address}#page")
    return {
        "_id": id,
        "_key": f"!journal!{id}",
        "name": title,
        "folder": folder,
        "sort": number * 100,
        "ownership": {"default": 0},
        "flags": {"ruleloom": {"id": address}},
        "pages": [
            {
                "_id": page,
                "_key": f"!journal.pages!{id}.{page}",
                "name": title,
                "type": "text",
                "title": {"show": True, "level": 1},
                "text": {"format": HTML, "content": content},
                "sort": 0,
                "ownership": {"default": -1},
                "flags": {},
            }
        ],
    }


def _roll_table(table: Rollable) -> Document:
    id = stable_id(table.id)
    return {
        "_id": id,
        "_key": f"!tables!{id}",
        "name": table.title,
        "description": "",
        "formula": table.dice,
        "replacement": not table.deck,
        "displayRoll": True,
        "folder": None,
        "sort": 0,
        "ownership": {"default": 0},
        "flags": {"ruleloom": {"id": table.id}},
        "results": [_result(table.id, id, row) for row in table.rows],
    }


def _result(address: str, table: str, row: RollableRow) -> Document:
    id = stable_id(f"{address}#{row.low}")
    return {
        "_id": id,
        "_key": f"!tables.results!{table}.{id}",
        "type": "text",
        "text": escape(row.text),
        "description": escape(row.text),
        "weight": row.falls,
        "range": [row.low, row.high],
        "drawn": False,
        "flags": {},
    }


def stable_id(address: str) -> str:
    """The id of a document: sixteen letters and digits, the same for the same address."""
    number = int.from_bytes(hashlib.sha256(address.encode()).digest())
    return "".join(LETTERS[number // len(LETTERS) ** at % len(LETTERS)] for at in range(ID_LENGTH))


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
