"""A game replayed from its first prompt by its own journal, and gone back in where all agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ruleloom.runtime.play.game import Game, JournalEntry, Moment, new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.search.node import PlayNode


def prompt_id(game: Game, player: int | None) -> str:
    """The id of the open prompt that `player` (None: chance) answers."""
    return f"{game.serial}.{player}" if game.node.secret else str(game.serial)


def beginning(game: Game) -> Game:
    """The game before any answer. Its dice are answered, not rolled."""
    return new_game(game.linked, world=game.started)


def again(game: Game, entry: JournalEntry) -> Game:
    """The game after this entry of a journal; Refused if it does not fit here."""
    if entry.back is not None:
        return go_back(game, entry.back, game.players)
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


def go_back(game: Game, serial: int, agreed: Collection[str]) -> Game:
    """The game as it goes on from before the answer of this number, past whatever was seen since.

    Everybody at the table has to have agreed. What was answered since stays in the journal, and in
    the log; dice that are thrown again may fall otherwise. Refused if somebody has not agreed, or
    where there is no such question.
    """
    others = [name for name in game.players if name not in agreed]
    if others:
        raise Refused(f"to go back, everybody has to agree; {' and '.join(others)} did not")
    if type(serial) is not int or not 0 <= serial < game.serial:
        raise Refused("there is no such answer to go back to")
    now = beginning(game)
    for entry in standing(game.entries[:serial]):
        now = again(now, entry._replace(serial=now.serial))
    if now.node.chance and game.random is not None:
        raise Refused("dice and decks answer there, and nobody is asked")
    stop, world = now.node.stop, now.state.world
    told = Event("agreed", "", (serial, stop.who), game.state.world, world, None, None)
    return game.resumed(PlayNode(game.linked, stop._replace(events=(told,), cast=())), serial)


def standing(entries: list[JournalEntry]) -> list[JournalEntry]:
    """The entries in force at the end of a journal, without those gone back behind."""
    found: list[JournalEntry] = []
    number = len(entries)
    while number > 0:
        number -= 1
        entry = entries[number]
        if entry.back is None:
            found.append(entry)
        else:
            number = entry.back
    return found[::-1]
