"""Campaigns: several sessions, one after the other, with the same packs and the same people.

A campaign remembers the packs with versions and hashes, as `ruleloom lock` writes them down. What
has changed since the last session is told before the next one begins, and has to be agreed to.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from ruleloom.compiler.packs.locate import BUILTIN, shipped_pack
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.output.chronicle import chronicle_of
from ruleloom.output.markdown import chronicle_markdown, plain
from ruleloom.runtime.play.journal import differences
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Lock, Program
from ruleloom.table.seats import Seat
from ruleloom.web import lobby
from ruleloom.web.hall import load_table
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput
from ruleloom.web.table_store import KeptCampaign, KeptTable, TableStore

LONGEST_TITLE = 80


class CampaignListed(TypedDict):
    """A campaign as the host sees it, its latest session first."""

    id: str
    title: str
    packs: list[str]
    players: list[str]
    tables: list[lobby.TableListed]


def open_campaign(
    store: TableStore,
    shelf: lobby.Shelf,
    number: int,
    title: str,
    seats: Sequence[Seat],
    real_dice: bool,
) -> KeptTable:
    """Begin a campaign with its first session; Refused if the game cannot be played so."""
    if not title.strip() or len(title) > LONGEST_TITLE:
        raise BadInput(told("bad_field", name="campaign"))
    program = shelf.program(number)
    people = tuple((seat.name, seat.kind) for seat in seats)
    packs = tuple(_lasting(word) for word in shelf.games[number])
    id = secrets.token_hex(6)
    campaign = KeptCampaign(id, title.strip(), packs, program.lock, people, real_dice)
    return lobby.open_table(store, program, seats, None, real_dice, campaign=campaign)


def _lasting(pack: str) -> str:
    """A pack by words that mean the same next month, wherever the server is started then."""
    is_shipped = not (Path(pack) / MANIFEST).is_file() and shipped_pack(pack, BUILTIN) is not None
    return pack if is_shipped else str(Path(pack).resolve())


def next_session(
    store: TableStore, id: str, agreed: Sequence[str]
) -> tuple[KeptTable | None, list[str]]:
    """Open a table for the next session, and return it with what has changed in the packs.

    Unless exactly these changes have been agreed to, no table is opened, and None returned.
    """
    campaign = _campaign(store, id)
    program = lobby.compiled(campaign.packs)
    changes = changed_since(campaign.lock, program)
    if changes != list(agreed):
        return None, changes
    seats = [Seat(name, kind) for name, kind in campaign.seats]
    now, real = replace(campaign, lock=program.lock), campaign.real_dice
    return lobby.open_table(store, program, seats, None, real, campaign=now), changes


def changed_since(lock: tuple[Lock, ...], program: Program) -> list[str]:
    """The differences of the packs of a program from a lock, in words."""
    known = {one.pack for one in lock}
    more = [
        f"pack {one.pack} {one.version} is new" for one in program.lock if one.pack not in known
    ]
    installed = {one.pack: (one.version, one.hash) for one in program.lock}
    return [*differences(lock, installed), *more]


def campaigns_listed(store: TableStore) -> list[CampaignListed]:
    """The campaigns, those that were begun last first."""
    return [
        {
            "id": one.id,
            "title": one.title,
            "packs": [f"{lock.pack} {lock.version}" for lock in one.lock],
            "players": [name for name, _ in one.seats],
            "tables": [lobby.table_listed(table) for table in store.sessions(one.id)[::-1]],
        }
        for one in store.campaigns()
    ]


def campaign_chronicle(store: TableStore, id: str) -> str:
    """The story of all sessions as Markdown, for the host: it hides nothing."""
    return "\n".join(_chapters(store, _campaign(store, id))) + "\n"


def _chapters(store: TableStore, campaign: KeptCampaign) -> Iterator[str]:
    yield f"# {plain(campaign.title)}"
    for number, table in enumerate(store.sessions(campaign.id), 1):
        day = datetime.fromtimestamp(table.touched).date().isoformat()
        yield from ("", f"## {told('session', number=number)} ({day})", "")
        story = chronicle_markdown(chronicle_of(load_table(store, table.id).game))
        for line in story.rstrip("\n").split("\n"):
            yield f"##{line}" if line.startswith("#") else line


def _campaign(store: TableStore, id: str) -> KeptCampaign:
    found = store.campaign(id)
    if found is None:
        raise Refused(told("no_campaign"))
    return found
