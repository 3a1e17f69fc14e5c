"""Everything that one seat is sent of a table, and nothing else.

Whatever leaves the server for a page is made here or in `inquiries`: the board, the question, who is
waited for, the log. Each part asks the machine's own secrecy; a seat of another is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from ruleloom.runtime.play.game import Game
from ruleloom.table.authorised_view import throwers
from ruleloom.table.narration import NarrationPage, Notes, gathered
from ruleloom.table.privacy import NOBODY, is_private
from ruleloom.web.asked import Asked, asked
from ruleloom.web.boards import (
    any_game,
    gnostica_scene,
    monotheism_scene,
    moonstone_scene,
    witchgates_scene,
)
from ruleloom.web.live_table import LiveTable

# A board of a game of its own joins these.
BOARDS: Mapping[str, Callable[[Game, int], Any]] = {
    "gnostica": gnostica_scene.board,
    "monotheism": monotheism_scene.board,
    "moonstone": moonstone_scene.board,
    "witchgates": witchgates_scene.board,
}
PAGES = 6


class SeatShown(TypedDict):
    """A player, as everybody at the table sees them."""

    name: str
    kind: str
    leads: bool
    to_act: bool


class PageShown(TypedDict):
    """A turn of the log."""

    heading: str
    told: list[str]


class EndShown(TypedDict):
    """The end of the game."""

    winners: list[str]
    reason: str
    ranking: list[list[str]]


class WishShown(TypedDict):
    """Somebody wants to take an answer back; `asked` says whether this seat is to agree."""

    by: str
    asked: bool


class TableShown(TypedDict):
    """The table as a seat sees it."""

    type: str
    stamp: int
    table: str
    game: str
    title: str
    seat: int
    leads: bool
    seats: list[SeatShown]
    secret: bool
    private: bool
    board: Any
    prompt: Asked | None
    undo: bool
    wish: WishShown | None
    pages: int
    log: list[PageShown]
    over: EndShown | None


def board_seen(game: Game, viewer: int) -> Any:
    """The board of a game as `viewer` may see it."""
    return BOARDS.get(game.linked.program.game, any_game.board)(game, viewer)


def seat_view(table: LiveTable, seat: int) -> TableShown:
    """The table as `seat` may see it now (`NOBODY`: as everybody may see it)."""
    game = table.game
    view = table.authorised(seat)
    prompt = view.prompt
    notes = table.notes[seat]
    return {
        "type": "table",
        "stamp": table.stamp,
        "table": table.id,
        "game": game.linked.program.game,
        "title": game.linked.program.title,
        "seat": seat,
        "leads": table.leads(seat),
        "seats": _seats(table),
        "secret": game.node.secret,
        "private": seat != NOBODY and not game.over and is_private(game, seat),
        "board": board_seen(game, seat),
        "prompt": None
        if prompt is None
        else asked(view, prompt, table.question_id(seat), table.drawing),
        "undo": table.may_undo(seat),
        "wish": _wish(table, seat),
        "pages": len(notes.pages),
        "log": log_pages(notes, len(notes.pages) - PAGES),
        "over": _end(game),
    }


def _seats(table: LiveTable) -> list[SeatShown]:
    game = table.game
    waited: set[int] = set()
    if not game.over:
        node = game.node
        waited = set(throwers(game, table.people) if node.chance else node.stop.who)
    return [
        {"name": one.name, "kind": one.kind, "leads": one.leads, "to_act": one.number in waited}
        for one in table.seats
    ]


def _wish(table: LiveTable, seat: int) -> WishShown | None:
    wish = table.wish
    if wish is None:
        return None
    return {"by": table.seats[wish.by].name, "asked": seat in wish.waits_for}


def log_pages(notes: Notes, first: int = 0) -> list[PageShown]:
    """The log from a page on, as its reader may know it."""
    pages = notes.pages[max(0, first) :]
    return [_page(page) for page in pages if page.lines]


def _page(page: NarrationPage) -> PageShown:
    return {"heading": page.heading(page.lines), "told": gathered(page.lines)}


def _end(game: Game) -> EndShown | None:
    end = game.outcome
    if end is None:
        return None
    return {
        "winners": [game.players[one] for one in end.winners],
        "reason": end.reason,
        "ranking": [list(rank) for rank in game.ranking],
    }
