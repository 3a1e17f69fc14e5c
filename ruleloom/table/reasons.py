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
from ruleloom.table.history import first_value, history, value_words
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
