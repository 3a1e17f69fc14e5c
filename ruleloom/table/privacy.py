"""The secrets of one of several people at a screen: their hand, a secret answer, private messages.
Everything else may stand there for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import moment_of, worded
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Choose, Modal, Words
from ruleloom.runtime.program.state import Event, State, frames
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode

NOBODY = -1
"""A viewer who sits nowhere, and sees what everybody may see."""
# Kinds of events that the table does not show later on. Cards that somebody draws are in their hand.
CONFIDED = ("told", "looked", "shown", "rolled", "picked", "revealed")


def is_private(game: Game, player: int) -> bool:
    """Would the table, or the open question, show this player what somebody else may not see?"""
    node = game.node
    asked = node.secret or node.confided or any(_in_question(node, player))
    return asked or knows_more(game.linked, game.state, player)


def knows_more(linked: Linked, state: State, player: int) -> bool:
    """Does the player see something on the table that others do not?"""
    return any(_knowledge(linked, state, player))


def _knowledge(linked: Linked, state: State, player: int) -> Iterator[bool]:
    """Zone by zone, and variable by variable."""
    secrecy, world = secrecy_of(linked), state.world
    for zone in linked.program.zones:
        column = world[linked.layout.index[zone.name]]
        held = column[player] if zone.per_player else column
        owner = player if zone.per_player else None
        yield bool(held) and secrecy.shows(player, zone, owner) > secrecy.shows(NOBODY, zone, owner)
    for variable, value in zip(linked.program.scope, state.scope, strict=True):
        type_, derived = Type.parse(variable.type), variable.name in secrecy.derived.scope
        hides = [secrecy.hides(one, type_, value, (world,), derived) for one in (player, NOBODY)]
        yield hides == [False, True]


def _in_question(node: PlayNode, player: int) -> Iterator[bool]:
    """Is a question, or what it depends on, known to its player alone?"""
    secrecy, row, state = secrecy_of(node.linked), node.row, node.state
    for frame in frames(state.frame):
        routine = node.linked.routines[frame.routine]
        for slot, value in enumerate(frame.slots):
            about = (routine.id, ("slot", slot), frame.slots)
            yield value is not None and secrecy.was_told(player, *about)
    if isinstance(row, Choose):
        derived = secrecy.derived.of(node.routine.id, row.domain, node.frame.pc)
        offered = tuple(node.stop.found)
        yield secrecy.hides(NOBODY, Type.parse(row.type), offered, (state.world,), derived)
    yield any(_differs(node, words, player) for words in _texts(node))


def _texts(node: PlayNode) -> Iterable[Words]:
    row = node.row
    ways = (mode.label for mode in row.modes) if isinstance(row, Modal) else ()
    return (getattr(row, "prompt", ""), *ways)


def _differs(node: PlayNode, words: Words, player: int) -> bool:
    """Does a text read otherwise for one player than for everybody?"""
    if isinstance(words, str):
        return False
    moment = moment_of(node.linked, node.state)
    return worded(node.linked, words, moment, (player,)) != worded(
        node.linked, words, moment, (NOBODY,)
    )


def confided(linked: Linked, events: Iterable[Event], player: int) -> list[str]:
    """The messages of these events for one player alone."""
    own = ((event, tell(linked, event, player)) for event in events if event.kind in CONFIDED)
    return [text for event, text in own if text and text != tell(linked, event, NOBODY)]
