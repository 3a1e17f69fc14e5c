"""A player's view of a game, and who may know an answer.

A view is plain data. Cards in zones hidden from the player are counted, never named; of other players'
prompts only the existence is shown. `ruleloom.runtime.machine.information` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NotRequired, TypedDict

from ruleloom.runtime.machine.information import Secrecy, Viewer, secrecy_of
from ruleloom.runtime.machine.labels import moment_of, title_text, value_text, worded
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, Moment
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.canonical_json import Json
from ruleloom.runtime.program.state import Event, Outcome
from ruleloom.runtime.program.values import Column, Dynamic, Type, Value, point_text
from ruleloom.runtime.search.options import SEVERAL, Prompt, keyed

# Labels of modes that mean nothing without their question.
YES_OR_NO = ("yes", "no")
# The chosen options, with the type of one.
Chosen = tuple[Type, tuple[Value, ...]]


def is_public(secrecy: Secrecy, moment: Moment, player: int) -> bool:
    """May everybody, or at least `player`, know this answer immediately?"""
    node = moment.before.node
    row = node.row
    match row:
        case p.SecretRoll() | p.SecretRollEach() | p.SecretRollSummed() | p.Peek():
            return player in node.stop.who
        case p.Secret():
            return False
        case p.Draw():
            drawn = _event(moment, "drawn")
            return not secrecy.hides(
                player, Type.parse(row.type), drawn.args[0], (drawn.before, drawn.after)
            )
        case p.Pick():
            value, type_, derived = _event(moment, "picked").args
            return not secrecy.hides(player, Type.parse(type_), value, (node.state.world,), derived)
        case p.Choose(count="order") if Type.parse(row.type).name in secrecy.kinds:
            return False  # their order may be secret even if the things are public
        case p.Choose():
            derived = secrecy.derived.of(node.routine.id, row.domain, node.frame.pc)
            return not secrecy.hides(player, *chosen(moment), (node.state.world,), derived)
        case _:
            return True


def _event(moment: Moment, kind: str) -> Event:
    """The first event of a kind after an answer."""
    return next(event for event in moment.after.events if event.kind == kind)


def chosen(moment: Moment) -> Chosen:
    """The type of an option, and the options taken."""
    node = moment.before.node
    row = node.row
    assert isinstance(row, p.Choose)
    values = keyed(node, node.found)
    return Type.parse(row.type), tuple(values[key] for key in moment.entry.keys)


def choice_told(moment: Moment, viewer: Viewer) -> str | None:
    """The chosen mode, or the thing whose power is used, as `viewer` may read it.

    None for any other answer: its effects have words of their own.
    """
    if moment.entry.player is None or moment.entry.correction is not None:
        return None
    row = moment.before.node.row
    if isinstance(row, p.Modal):
        return _way(moment, row, viewer)
    if not isinstance(row, p.Choose) or not _with_powers(moment, Type.parse(row.type).name):
        return None
    if viewer is not None and not is_public(secrecy_of(moment.before.linked), moment, viewer):
        return None
    type_, things = chosen(moment)
    world = moment.before.state.world
    return ", ".join(
        title_text(moment.before.linked, world, type_, one) for one in things if one is not None
    )


def _way(moment: Moment, row: p.Modal, viewer: Viewer) -> str | None:
    """The label of the mode; yes and no follow their question.

    Also of the only open mode: that no other was open may be a secret.
    """
    node = moment.before.node
    if row.kind == "combine" or len(row.modes) == 1:
        return None
    way = keyed(node, node.found)[moment.entry.keys[0]]
    if row.kind == "optional" and way:
        return None
    readers = () if viewer is None else (viewer,)
    now = moment_of(node.linked, node.state)
    label = worded(node.linked, row.modes[way].label, now, readers)
    if label not in YES_OR_NO or not row.prompt:
        return label
    return f"{worded(node.linked, row.prompt, now, readers)} {label}"


def _with_powers(moment: Moment, kind: str) -> bool:
    """Do any things of this kind have powers?"""
    entity = moment.before.linked.entities.get(kind)
    return entity is not None and any(entity.powers)


HIDDEN = "hidden"


class OptionView(TypedDict):
    """An option as plain data."""

    key: str
    label: str


class PromptView(TypedDict):
    """A prompt as plain data, for the player asked."""

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
    """The end of a game; a draw has no winner."""

    winner: str | None
    reason: str
    ranking: NotRequired[list[list[str]]]


class SeatView(TypedDict):
    """A game as one player sees it. A hidden zone is the number of its cards."""

    game: str
    title: str
    you: str
    players: list[str]
    scope: dict[str, Any]
    things: dict[str, list[dict[str, Any]]]
    zones: dict[str, Any]
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
    """A value as plain data: numbers, yes and no unchanged, all else as text."""
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


def _scope(game: Game, secrecy: Secrecy, player: int) -> dict[str, Any]:
    found = {}
    for variable, value in zip(game.linked.program.scope, game.state.scope, strict=True):
        type_ = Type.parse(variable.type)
        derived = variable.name in secrecy.derived.scope
        hidden = secrecy.hides(player, type_, value, (game.state.world,), derived)
        found[variable.name] = HIDDEN if hidden else _plain(game, type_, value)
    return found


def _entities(game: Game, entity: p.Entity) -> list[dict[str, Any]]:
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
    """The names in a visible zone, the count of a hidden one."""
    column = game.state.world[game.linked.layout.index[zone.name]]

    def listed(ids: Column, owner: Value) -> Json:
        names = [_plain(game, Type(zone.of), thing) for thing in ids]
        return names if secrecy.shows(player, zone, owner) else len(names)

    if zone.parted:
        by = Type(zone.parted_by)
        return {str(_plain(game, by, one)): listed(ids, one) for one, ids in zone.parts(column)}
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
        "default": prompt.default[0] if prompt.default and prompt.kind not in SEVERAL else None,
        "power": prompt.power,
        "within": list(prompt.within),
    }
