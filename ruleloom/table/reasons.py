"""The reasons of a value: its changes in this game, and the derivation of a number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

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
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Type
from ruleloom.table.history import ValueChange, first_value, history, value_words
from ruleloom.table.value_lookup import FunctionCall, call_named, named, place_named, unknown

DEPTH = 3
HIDDEN = "that is worked out from what not everybody sees"


def why(game: Game, text: str, viewer: int, colour: bool = False) -> list[str]:
    """The reasons of the value that was typed, in safe lines; Refused if none has that name.

    A field and a number of the rules may share a name: then both are told.
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
    """The changeable value of this name; None if it has none and is `known` as something else."""
    try:
        return place_named(game, asked)
    except Refused:
        if known or not _is_place(game, asked.name):
            return None
        raise


def _is_place(game: Game, name: str) -> bool:
    fields = {f.name.lower() for e in game.linked.program.entities for f in e.fields}
    short = name.rpartition(".")[2].replace("-", "_").lower()
    return short in fields or short in {one.lower() for one in game.linked.scope_index}


# ---------------------------------------------------------------------------------- what changed it


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
    """What a place is called: `pi of Anna`, `ends bleeding of Anna`, `day`."""
    kind, _, name = place.name.rpartition(".")
    world = game.state.world
    words = field_words(game.linked, name)
    if place.by:
        words += f" {title_text(game.linked, world, Type(place.by), place.key)}"
    return (
        f"{words} of {title_text(game.linked, world, Type(kind), place.thing)}" if kind else words
    )


def _lines(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[DerivationLine]:
    pack = game.linked.program.game
    yield DerivationLine(
        "to begin with", 1, safe_text(value_words(game, place, first_value(game, place))), "", True
    )
    for change in history(game, place, viewer):
        place_there = place_text([change.origin], pack) if change.origin is not None else ""
        amount, running = _amount(game, place, change)
        told = "  ".join(filter(None, (running, place_there)))
        yield DerivationLine(safe_text(change.text), 1, amount, told, True)


def _amount(game: Game, place: CorrectionTarget, change: ValueChange) -> tuple[str, str]:
    """What a change did, and what came of it: `-5` and `-> 25`, or `set to 22`."""
    after = safe_text(value_words(game, place, change.after))
    if change.set or not (_is_number(change.before) and _is_number(change.after)):
        return f"set to {after}", ""
    by = change.after - change.before
    return f"{'+' if by > 0 else ''}{number_text(by)}", f"-> {after}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


# ----------------------------------------------------------------------------- numbers of the rules


def derivation_lines(game: Game, call: FunctionCall, colour: bool) -> list[str]:
    """How a stat, measure, rule or table comes about at this moment, as `ruleloom why` tells it."""
    linked, state = game.linked, game.state
    if call.function.id in secrecy_of(linked).derived.functions:
        raise Refused(HIDDEN)
    frame = state.frame
    rules = frame.ignored if frame is not None else frozenset()
    try:
        found = Reckoning(linked, state.world, state.scope, rules).function(
            call.function.id, call.args, DEPTH
        )
    except (RuntimeFault, TypeError, LookupError) as fault:
        raise Refused(f"that cannot be worked out now: {fault}") from None
    return derivation_text(normalised(found), linked.program.game, False, colour)
