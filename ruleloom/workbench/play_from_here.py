"""*Play from here*: a new table at which what is being written lies in the first player's hand.

A hand is a zone of things of that kind which each player has, and only its owner sees. Where a game
has none for it, the table begins as any other, with the pack in play, and the page says so.
"""

from __future__ import annotations

import secrets
from typing import TypedDict

from ruleloom.api.linking import linked_for
from ruleloom.bots.arena import make_bot
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.values import Column, FrozenMap, World
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.app import Service
from ruleloom.web.invitations import invite
from ruleloom.web.lobby import LARGEST_SEED, keep

NAMES = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gus", "Hana")
BOTS = ("greedy", "steady")


class TableOpened(TypedDict):
    """A table, with the link to the first seat, and what lies in its hand."""

    link: str
    held: str


def play_from_here(
    service: Service, program: Program, content: Content, id: str, url: str
) -> TableOpened:
    """Open a table for the person at the workbench, with bots for the others it needs."""
    settings = {one.name: one.value for one in program.settings}
    least = max(1, int(settings.get("least_players", 1)))
    names = NAMES[:least] if least <= len(NAMES) else tuple(f"P{one + 1}" for one in range(least))
    linked = linked_for(program, names, {})
    thing = thing_of(program, content, id)
    world = with_in_hand(linked, *thing) if thing is not None else None
    game = new_game(linked, secrets.randbelow(LARGEST_SEED), world)
    seats = [Seat(name, HUMAN if n == 0 else _bot(linked, n)) for n, name in enumerate(names)]
    table = keep(service.store, game, seats)
    token = invite(service.store, (url,), table, 0).token
    held = ""
    if world is not None and thing is not None:
        entity, number = thing
        held = program.entity(entity).titles[number]
    return {"link": f"/t/{table.id}#{token}", "held": held}


def thing_of(program: Program, content: Content, id: str) -> tuple[str, int] | None:
    """The first thing that an item makes: its kind and number."""
    item = content.by_id.get(id)
    if item is None:
        return None
    place = content.origin(item.place)
    for entity in program.entities:
        for number, one in enumerate(entity.places):
            if one == place:
                return entity.name, number
    return None


def with_in_hand(linked: Linked, entity: str, number: int) -> World | None:
    """The world before set-up, but with this thing in the hand of the first player; None where the
    game has no hand for it."""
    hand = next((zone for zone in linked.program.zones if _is_hand(zone, entity)), None)
    if hand is None:
        return None
    world = list(linked.driver.start(empty_world(linked.layout)))
    for zone in linked.program.zones:
        if zone.of == entity:
            at = linked.layout.index[zone.name]
            world[at] = _without(zone, world[at], number)
    at = linked.layout.index[hand.name]
    held = list(world[at])
    world[at] = (tuple(sorted((*held[0], number))), *held[1:])
    return tuple(world)


def _is_hand(zone: Zone, entity: str) -> bool:
    return zone.of == entity and zone.per_player and zone.seen_by == "owner" and not zone.at


def _without(zone: Zone, column: Column, number: int) -> Column:
    if zone.at:
        return FrozenMap((at, one) for at, one in column.items() if one != number)
    if zone.per_player:
        return tuple(tuple(one for one in held if one != number) for held in column)
    return tuple(one for one in column if one != number)


def _bot(linked: Linked, seat: int) -> str:
    """The best bot that can play this game."""
    for kind in BOTS:
        try:
            make_bot(kind, linked, 0, seat)
        except Refused:
            continue
        return kind
    return HUMAN
