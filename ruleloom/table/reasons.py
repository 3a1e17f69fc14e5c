"""The reasons of a value: its changes in this game, and the derivation of a number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ruleloom.api.call_text import CallText
from ruleloom.output.derivation_text import (
    DerivationLine,
    aligned_lines,
    derivation_text,
    equation,
    normalised,
    place_text,
)
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import field_words, number_text, title_text
from ruleloom.runtime.play.corrections import CorrectionTarget
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, empty_world
from ruleloom.runtime.play.replay import Moment, beginning, moments
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Type
from ruleloom.table.value_lookup import FunctionCall, call_named, named, place_named, unknown

DEPTH = 3
HIDDEN = "that depends on something that not everybody sees"


def why(game: Game, text: str, viewer: int, colour: bool = False) -> list[str]:
    """The reasons of the value that was typed, in safe lines; Refused if none has that name.

    If a field and a number of the rules share the name, both are explained.
    """
    asked = named(text)
    call, refused = None, None
    try:
        call = call_named(game, asked)
    except Refused as error:
        refused = error
    place = _place(game, asked, call is not None or refused is not None)
    if place is None and call is None:
        raise refused or unknown(game, asked.name)
    lines: list[str] = []
    if place is not None:
        lines += change_lines(game, place, viewer, colour)
    if call is not None:
        lines += [*([""] if lines else []), *derivation_lines(game, call, colour)]
    return [f"  {line}".rstrip() for line in lines]


def _place(game: Game, asked: CallText, known: bool) -> CorrectionTarget | None:
    """The changeable value of this name; None if there is none, or `known` is something else."""
    try:
        return place_named(game, asked)
    except Refused:
        names = {f.name.lower() for e in game.linked.program.entities for f in e.fields}
        names.update(one.lower() for one in game.linked.scope_index)
        if known or asked.name.rpartition(".")[2].replace("-", "_").lower() not in names:
            return None
        raise


# ---------------------------------------------------------------------------------- changes


def change_lines(game: Game, place: CorrectionTarget, viewer: int, colour: bool) -> list[str]:
    """A changeable value and every change of it since the game began."""
    linked = game.linked
    if place.thing is None:
        secrecy = secrecy_of(linked)
        derived = place.name in secrecy.derived.scope
        if secrecy.hides(viewer, place.type, place.value(game.state), (game.state.world,), derived):
            raise Refused(HIDDEN)
    now = value_words(game, place, place.value(game.state))
    head = equation(safe_text(called(game, place)), safe_text(now), colour)
    return [head, *aligned_lines(list(_lines(game, place, viewer)), colour)]


def called(game: Game, place: CorrectionTarget) -> str:
    """The name of a place: `pi of Anna`, `ends bleeding of Anna`, `day`."""
    kind, _, name = place.name.rpartition(".")
    linked, world = game.linked, game.state.world
    words = field_words(linked, name)
    if place.by:
        words += f" {title_text(linked, world, Type(place.by), place.key)}"
    return f"{words} of {title_text(linked, world, Type(kind), place.thing)}" if kind else words


def _lines(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[DerivationLine]:
    """The first value, then each change with its amount, the new value and its line."""
    pack = game.linked.program.game
    first = safe_text(value_words(game, place, first_value(game, place)))
    yield DerivationLine("to begin with", 1, first, "", True)
    for change in history(game, place, viewer):
        origin = place_text([change.origin], pack) if change.origin is not None else ""
        after = safe_text(value_words(game, place, change.after))
        if change.set or not (_is_number(change.before) and _is_number(change.after)):
            amount, notes = f"set to {after}", [origin]
        else:
            by = change.after - change.before
            amount, notes = f"{'+' if by > 0 else ''}{number_text(by)}", [f"-> {after}", origin]
        notes = list(filter(None, notes))
        yield DerivationLine(safe_text(change.text), 1, amount, "  ".join(notes), True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


# ----------------------------------------------------------------------------- numbers of the rules


def derivation_lines(game: Game, call: FunctionCall, colour: bool) -> list[str]:
    """The derivation of a stat, measure, rule or table at this moment, as by `ruleloom why`."""
    linked, state = game.linked, game.state
    if call.function.id in secrecy_of(linked).derived.functions:
        raise Refused(HIDDEN)
    rules = state.frame.ignored if state.frame is not None else frozenset()
    reckoning = Reckoning(linked, state.world, state.scope, rules)
    try:
        found = reckoning.function(call.function.id, call.args, DEPTH)
    except (RuntimeFault, TypeError, LookupError) as fault:
        raise Refused(f"that cannot be computed now: {fault}") from None
    return derivation_text(normalised(found), linked.program.game, False, colour)


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
