"""The view of a game by one player, and a record of it for that player.

Both are plain data. Cards in zones that the player does not see are counted, never named; of other
players' open prompts only their existence is shown. `ruleloom.runtime.machine.information` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NotRequired, TypedDict

from ruleloom.runtime.machine.information import Secrecy, secrecy_of
from ruleloom.runtime.machine.labels import value_text
from ruleloom.runtime.machine.prompt import Prompt
from ruleloom.runtime.play.answers import Chosen, chosen, is_public
from ruleloom.runtime.play.event_log import log, tells_all
from ruleloom.runtime.play.game import Game, Moment, entry_data
from ruleloom.runtime.play.replay import beginning, moments
from ruleloom.runtime.play.save_header import lock_data
from ruleloom.runtime.play.save_lines import PLAYER_SAVE, SAVE_FORMAT, JsonDict, sealed
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.canonical_json import Json
from ruleloom.runtime.program.state import Event, Outcome, value_data
from ruleloom.runtime.program.values import Column, Dynamic, Type, Value, World, point_text

HIDDEN = "hidden"


class OptionView(TypedDict):
    """An option as plain data."""

    key: str
    label: str


class PromptView(TypedDict):
    """A prompt as plain data, for the player who is asked."""

    id: str
    kind: str
    name: str
    text: str
    options: list[OptionView]
    least: int
    most: int
    default: str | None
    power: str
    within: list[str]


class EndView(TypedDict):
    """The end of a game; nobody has won a draw."""

    winner: str | None
    reason: str
    ranking: NotRequired[list[list[str]]]


class SeatView(TypedDict):
    """A game as one player sees it. A hidden zone is the number of its cards."""

    game: str
    title: str
    you: str
    players: list[str]
    scope: JsonDict
    things: dict[str, list[JsonDict]]
    zones: JsonDict
    prompts: list[PromptView]
    asked: list[str | None]
    over: EndView | None
    log: list[str]


def _end(game: Game, end: Outcome) -> EndView:
    plain: EndView = {"winner": game.winner, "reason": end.reason}
    return {**plain, "ranking": [list(one) for one in game.ranking]} if end.ranking else plain


def view(game: Game, player: int, events: Iterable[Event] | None = None) -> SeatView:
    """The view of `player`, with the log of `events`, by default the latest."""
    linked, end = game.linked, game.outcome
    secrecy = secrecy_of(linked)
    return {
        "game": linked.program.game,
        "title": linked.program.title,
        "you": game.players[player],
        "players": list(game.players),
        "scope": _scope(game, secrecy, player),
        "things": {
            one.name: _entities(game, one) for one in linked.program.entities if one.changing
        },
        "zones": {zone.name: _zone(game, secrecy, zone, player) for zone in linked.program.zones},
        "prompts": [prompt_view(prompt) for prompt in game.prompts if prompt.player == player],
        "asked": [_who(game, prompt.player) for prompt in game.prompts if prompt.player != player],
        "over": None if end is None else _end(game, end),
        "log": log(linked, game.events if events is None else events, player),
    }


def _who(game: Game, player: int | None) -> str | None:
    return None if player is None else game.players[player]


def _plain(game: Game, type_: Type, value: Dynamic, by: str = "Player") -> Json:
    """A value as plain data: numbers, yes and no stay what they are, all else is text."""
    text = partial(value_text, game.linked, game.state.world)
    if value is None or (isinstance(value, bool | int) and type_.name in ("Int", "Bool")):
        return value
    if isinstance(value, dict):
        inner = Type(type_.name, type_.many, type_.optional)
        pairs = sorted(value.items())
        return {text(Type(by), key): _plain(game, inner, item) for key, item in pairs}
    if type_.many:
        return [_plain(game, type_.item, item) for item in value]
    return text(type_, value)


def _scope(game: Game, secrecy: Secrecy, player: int) -> JsonDict:
    found = {}
    for variable, value in zip(game.linked.program.scope, game.state.scope, strict=True):
        type_ = Type.parse(variable.type)
        derived = variable.name in secrecy.derived.scope
        hidden = secrecy.hides(player, type_, value, (game.state.world,), derived)
        found[variable.name] = HIDDEN if hidden else _plain(game, type_, value)
    return found


def _entities(game: Game, entity: p.Entity) -> list[JsonDict]:
    world, layout = game.state.world, game.linked.layout
    fields = [(f, world[layout.index[f"{entity.name}.{f.name}"]]) for f in entity.changing]
    kind, found = Type(entity.name), []
    for number in range(layout.number_there(entity.name)):
        if game.linked.is_gone(kind, number, world):
            continue
        values = {
            f.name: _plain(game, Type.parse(f.type), held[number], f.by) for f, held in fields
        }
        found.append({"name": value_text(game.linked, world, kind, number), **values})
    return found


def _zone(game: Game, secrecy: Secrecy, zone: p.Zone, player: int) -> Json:
    """The names in a visible zone, the number in a hidden one."""
    column = game.state.world[game.linked.layout.index[zone.name]]

    def listed(ids: Column, owner: int | None) -> Json:
        names = [_plain(game, Type(zone.of), thing) for thing in ids]
        return names if secrecy.shows(player, zone, owner) else len(names)

    if zone.per_player:
        return {game.players[owner]: listed(ids, owner) for owner, ids in enumerate(column)}
    if zone.at:
        seen = secrecy.shows(player, zone, None)
        things = ((point_text(at), thing) for at, thing in sorted(column.items()))
        kind = Type(zone.of)
        return {at: _plain(game, kind, thing) if seen else HIDDEN for at, thing in things}
    return listed(column, None)


def prompt_view(prompt: Prompt) -> PromptView:
    """A prompt as plain data."""
    return {
        "id": prompt.id,
        "kind": prompt.kind,
        "name": prompt.name,
        "text": prompt.text,
        "options": [{"key": option.key, "label": option.label} for option in prompt.options],
        "least": prompt.least,
        "most": prompt.most,
        "default": prompt.default,
        "power": prompt.power,
        "within": list(prompt.within),
    }


def player_save(game: Game, player: int, tool: str = "") -> list[str]:
    """The lines of the game's record as `player` saw it; it cannot be played on.

    It has no seed, no dice to come, no hidden zones and no hidden answers (their `keys` are null).
    """
    program = game.linked.program
    header = {
        "ruleloom": PLAYER_SAVE,
        "format": SAVE_FORMAT,
        "tool": tool,
        "game": program.game,
        "for": game.players[player],
        "players": list(game.players),
        "settings": {name: value_data(value) for name, value in game.linked.settings.items()},
        "lock": lock_data(program),
    }
    known = _Known(secrecy_of(game.linked), player)
    events = list(beginning(game).events)
    for moment in moments(game):
        events += moment.after.events
        known.add(moment)
    answers = [
        entry_data(game, entry)
        if entry.serial in known.serials
        else {"n": entry.serial, "by": _who(game, entry.player), "keys": None}
        for entry in game.entries
    ]
    end = {"end": len(answers), "view": view(game, player, events)}
    return [sealed(header), *(sealed(answer) for answer in answers), sealed(end)]


class _Known:
    """The answers and corrections that `player` may know, by their numbers, moment by moment."""

    def __init__(self, secrecy: Secrecy, player: int) -> None:
        self.secrecy, self.player = secrecy, player
        self.serials: set[int] = set()
        # The choices of hidden answers, until the viewer sees them.
        self._waiting: dict[int, Chosen] = {}
        self._secret: list[int] = []

    def add(self, moment: Moment) -> None:
        """Take in one more answer or correction."""
        if moment.entry.back is not None:
            self._secret.clear()  # what was chosen in secret until now was never shown
            self.serials.add(moment.entry.serial)
        elif moment.entry.correction is not None:
            self._correction(moment)
        else:
            self._answer(moment)
        for event in moment.after.events:
            if event.kind == "revealed":
                if event.seen_by is None or self.player in event.seen_by:
                    self.serials.update(self._secret)
                self._secret.clear()
        worlds = [*(event.after for event in moment.after.events), moment.after.state.world]
        for serial, taken in list(self._waiting.items()):
            if self._has_come_out(*taken, worlds):
                self.serials.add(serial)
                del self._waiting[serial]

    def _answer(self, moment: Moment) -> None:
        if moment.before.node.secret:
            self._secret.append(moment.entry.serial)
        if moment.entry.player == self.player or is_public(self.secrecy, moment, self.player):
            self.serials.add(moment.entry.serial)
        elif isinstance(row := moment.before.node.row, p.Choose) and row.count != "order":
            self._waiting[moment.entry.serial] = chosen(moment)

    def _has_come_out(self, type_: Type, things: Value, worlds: Iterable[World]) -> bool:
        """Has the player seen everything that this answer chose?"""
        if type_.name not in self.secrecy.kinds or things in ((), (None,)):
            return False
        return not self.secrecy.hides(self.player, type_, things, worlds)

    def _correction(self, moment: Moment) -> None:
        self._secret.clear()  # what was chosen in secret until now is asked anew, and never shown
        told = (event for event in moment.after.events if event.kind == "corrected")
        if all(tells_all(self.secrecy.linked, event, self.player) for event in told):
            self.serials.add(moment.entry.serial)
