"""A game as one seat may know it: the visible table, and the log in words."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.runtime.play import event_log
from ruleloom.runtime.play import view as player_view
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.replay import beginning, moments
from ruleloom.runtime.play.view import SeatView
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.state import Event


def view(game: Game, seat: str) -> SeatView:
    """Return what the player called `seat` may see now, as plain data that JSON can hold."""
    return player_view.view(game, seat_number(game, seat))


def log(game: Game, seat: str | None, since: int | None = None) -> list[str]:
    """Return what has happened, in words, as the player called `seat` may read it.

    Without `since` that is the outcome of the latest answer; with it, of all answers from that
    `game.serial` on, and of the set-up for 0. For `seat=None`, the host, nothing is hidden.
    """
    viewer = None if seat is None else seat_number(game, seat)
    events = game.events if since is None else _events_since(game, since)
    return event_log.log(game.linked, events, viewer)


def seat_number(game: Game, seat: str) -> int:
    """Return the place of a player at the table; Refused if nobody there has that name."""
    if seat not in game.players:
        raise Refused(f"nobody here is called `{seat}`; there are {', '.join(game.players)}")
    return game.players.index(seat)


def _events_since(game: Game, serial: int) -> Iterator[Event]:
    """The events of all answers from `serial` on; the game is played again for them."""
    if serial <= 0:
        yield from beginning(game).events
    for moment in moments(game):
        if moment.entry.serial >= serial:
            yield from moment.after.events
