"""A game replayed from its first prompt by its own journal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ruleloom.runtime.play.game import Game, JournalEntry, new_game


class Moment(NamedTuple):
    """One answer or correction, with the game before and after it."""

    entry: JournalEntry
    before: Game
    after: Game


def prompt_id(game: Game, player: int | None) -> str:
    """The id of the open prompt that `player` (None: chance) answers."""
    return f"{game.serial}.{player}" if game.node.secret else str(game.serial)


def beginning(game: Game) -> Game:
    """The game before any answer. Its dice are answered, not rolled."""
    return new_game(game.linked, world=game.started)


def again(game: Game, entry: JournalEntry) -> Game:
    """The game after this entry of a journal; Refused if it does not fit here."""
    one = entry.correction
    if one is None:
        return game.answer(prompt_id(game, entry.player), entry.keys)
    return game.correct(one.field, one.thing, one.value, reason=one.reason, key=one.key)


def moments(game: Game) -> Iterator[Moment]:
    """Every answer and correction of a game, chance included, oldest first."""
    now = beginning(game)
    for entry in game.entries:
        after = again(now, entry)
        yield Moment(entry, now, after)
        now = after
