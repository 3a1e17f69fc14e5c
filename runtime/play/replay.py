"""A game replayed by its own journal: gone back in where all agree, or held against other rules.

The answers of its journal are given again, one by one, to the other rules linked for the same
players; the first question, answer or log line that differs is the parting. Nothing is rolled: dice
and decks repeat their results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, JournalEntry, Moment, new_game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.texts import slug
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


class Parting(NamedTuple):
    """Where a game parts from its recording: at which answer (0: before any), whose, and why."""

    number: int
    answer: str
    why: str


def chosen_settings(linked: Linked) -> Mapping[str, Any]:
    """The settings of a game that are not those of its rules; other rules may have others."""
    usual = {one.name: one.value for one in linked.program.settings}
    return {name: value for name, value in linked.settings.items() if value != usual[name]}


def parting(recorded: Game, linked: Linked) -> Parting | None:
    """Where the recorded game parts from the same answers by these rules; None if nowhere."""
    before = beginning(recorded)
    now = new_game(linked, world=recorded.started)
    if why := _apart(before, now):
        return Parting(0, "", why)
    for number, moment in enumerate(moments(recorded), 1):
        answer = _answer(recorded, moment.entry)
        try:
            now = again(now, moment.entry)
        except (Refused, RuntimeFault) as error:
            reason = error.reason if isinstance(error, Refused) else error.told
            return Parting(number, answer, f"this cannot be answered any more: {reason}")
        if why := _apart(moment.after, now):
            return Parting(number, answer, why)
    return None


def _answer(game: Game, entry: JournalEntry) -> str:
    if entry.back is not None:
        return f"back to before answer {entry.back + 1}"
    if entry.correction is not None:
        return f"correction of {entry.correction.field}"
    by = "chance" if entry.player is None else game.players[entry.player]
    return f"{by}: {', '.join(entry.keys) or 'none'}"


def _apart(then: Game, now: Game) -> str:
    """The first difference between two moments, in their log or their question; empty for none."""
    said, says = (log(game.linked, game.events) for game in (then, now))
    for was, is_now in zip(said, says, strict=False):
        if was != is_now:
            return f"`{was}` was told, and now `{is_now}`"
    if len(said) != len(says):
        more, told = (said, "is not told any more") if len(said) > len(says) else (says, "is new")
        return f"`{more[min(len(said), len(says))]}` {told}"
    if _question(then) != _question(now):
        return f"{_question(then)}, and now {_question(now)}"
    return ""


def _question(game: Game) -> str:
    """The open question, by the names that cases use."""
    if game.over:
        return "the game was over"
    node = game.node
    if isinstance(node.row, Modal):
        ways = (
            slug(mode.label) if isinstance(mode.label, str) else "..." for mode in node.row.modes
        )
        name = f"one of {', '.join(ways)}"
    else:
        name = getattr(node.row, "name", "") or type(node.row).__name__
    if node.chance:
        return f"chance was asked for `{name}`"
    who = " and ".join(game.players[one] for one in node.stop.who)
    return f"{who} was asked for `{name}`"
