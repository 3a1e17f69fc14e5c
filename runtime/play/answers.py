"""Answers in words, for viewers who may know them."""

from __future__ import annotations

from ruleloom.runtime.machine.information import Secrecy, Viewer, secrecy_of
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.machine.templates import moment_of, worded
from ruleloom.runtime.play.game import Moment
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import Type, Value
from ruleloom.runtime.search.options import keyed

# Ways that say nothing without their question.
YES_OR_NO = ("yes", "no")
# What an answer chose, with the type of one option.
Chosen = tuple[Type, tuple[Value, ...]]


def is_public(secrecy: Secrecy, moment: Moment, player: int) -> bool:
    """May everybody, or at least `player`, know this answer from the start?"""
    node = moment.before.node
    row = node.row
    match row:
        case p.SecretRoll() | p.SecretRollEach() | p.Peek():
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
            return False  # even where the things themselves lie open, their order may not
        case p.Choose():
            derived = secrecy.derived.of(node.routine.id, row.domain, node.frame.pc)
            return not secrecy.hides(player, *chosen(moment), (node.state.world,), derived)
        case _:
            return True


def _event(moment: Moment, kind: str) -> Event:
    """The event of a kind that came of an answer."""
    return next(event for event in moment.after.events if event.kind == kind)


def chosen(moment: Moment) -> Chosen:
    """The type of an option, and the options taken."""
    node = moment.before.node
    row = node.row
    assert isinstance(row, p.Choose)
    values = keyed(node, node.found)
    return Type.parse(row.type), tuple(values[key] for key in moment.entry.keys)


def choice_told(moment: Moment, viewer: Viewer) -> str | None:
    """The way that a player has chosen, or the thing whose power they use, as `viewer` may read it.

    None for any other answer: what comes of it has words of its own.
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
    """The label of a way; yes and no follow their question.

    Also of the only open way: that no other was open may be a secret.
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
    """Are there things of this kind that do something?"""
    entity = moment.before.linked.entities.get(kind)
    return entity is not None and any(entity.powers)
