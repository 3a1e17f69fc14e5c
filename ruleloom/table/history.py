"""The history of one value: each event that changed it, with the line of the rules behind it.

The game is replayed from its answers. A field is followed through every event; a variable of the
game, whose changes are no events, from one answer to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.play.corrections import CorrectionTarget
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, empty_world
from ruleloom.runtime.play.replay import Moment, beginning, moments
from ruleloom.runtime.program.program import Origin


class ValueChange(NamedTuple):
    """One change: the event in words, both values, its line, and `set` for a correction by hand."""

    text: str
    before: Any
    after: Any
    origin: Origin | None
    set: bool


def first_value(game: Game, place: CorrectionTarget) -> Any:
    """The value at a place before anything had happened."""
    linked = game.linked
    world = game.started
    if world is None:
        world = linked.driver.start(empty_world(linked.program, linked.layout))
    return place.held(world, linked.initial_scope)


def history(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[ValueChange]:
    """Every change of the value at a place, oldest first, in words for `viewer`."""
    if place.thing is None:
        yield from _of_variable(game, place, viewer)
        return
    start = beginning(game)
    for events in (start.events, *(moment.after.events for moment in moments(game))):
        for event in events:
            before, after = place.held(event.before, ()), place.held(event.after, ())
            if before != after:
                words = tell(game.linked, event, viewer) or event.name.replace("_", " ")
                if event.kind == "operation" and event.origin is None:
                    words += " (by a rule that always holds)"
                by_hand = event.kind == "corrected"
                yield ValueChange(words, before, after, event.origin, by_hand)


def _of_variable(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[ValueChange]:
    start = beginning(game)
    before, after = first_value(game, place), place.value(start.state)
    if before != after:
        yield ValueChange("set-up", before, after, None, False)
    for moment in moments(game):
        before, after = place.value(moment.before.state), place.value(moment.after.state)
        if before != after:
            by_hand = moment.entry.correction is not None
            yield ValueChange(_cause(moment, viewer), before, after, None, by_hand)


def _cause(moment: Moment, viewer: int) -> str:
    """A correction in words, or who answered which question; the answer itself may be a secret."""
    entry = moment.entry
    if entry.correction is not None:
        event = next(one for one in moment.after.events if one.kind == "corrected")
        return tell(moment.before.linked, event, viewer) or ""
    who = "chance" if entry.player is None else moment.before.players[entry.player]
    return f"{who} has answered: {moment.before.prompt.text}"


def value_words(game: Game, place: CorrectionTarget, value: Any) -> str:
    """A value of a place for reading."""
    return title_text(game.linked, game.state.world, place.type, value)
