"""Looks up a value of the game as typed: `pi(anna)`, `ends(anna, bleeding)`, `day`, `score(Ann)`."""

from __future__ import annotations

import re
from typing import Any

from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.runtime.play import corrections
from ruleloom.runtime.play.corrections import CorrectionTarget
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Function
from ruleloom.runtime.program.texts import CallText, read_call
from ruleloom.runtime.program.values import Type

CORRECTION = re.compile(
    r"(?P<what>.+?)\s*(?:=|\bto\b)\s*(?P<value>.*?)\s+because\s+(?P<reason>.+)", re.DOTALL
)
CORRECT_LIKE_THIS = "write it as: correct FIELD(NAME) = VALUE because REASON"


def named(text: str) -> CallText:
    """The name and the words that were typed."""
    call = read_call(text)
    if call is None:
        raise Refused(f"`{text.strip()}` is no name; write a field and what it is of: FIELD(NAME)")
    return call


def place_named(game: Game, asked: CallText) -> CorrectionTarget:
    """The changeable value that is meant; Refused if there is none."""
    name, words = asked
    if len(words) > 2:
        takes = "takes a name, and perhaps the entry of a table"
        raise Refused(f"`{name}` {takes}, not {len(words)} words")
    variable = corrections.same_name(name, game.linked.scope_index) is not None
    # The one word of a variable is the entry of its table, not a thing.
    thing, key = (*((None,) if variable and len(words) < 2 else ()), *words, None, None)[:2]
    return corrections.place_of(game.linked, game.state, name, thing, key)


def corrected(game: Game, text: str) -> Game:
    """The game after the correction typed behind `correct`; Refused if it does not fit."""
    match = CORRECTION.fullmatch(text.strip())
    if match is None:
        raise Refused(CORRECT_LIKE_THIS)
    return corrected_value(game, match["what"], match["value"], match["reason"])


def corrected_value(game: Game, what: str, typed: str, reason: str) -> Game:
    """The game after `what` was set to what was typed, for a reason; Refused if it does not fit."""
    asked = named(what)
    place = place_named(game, asked)
    value = corrections.spoken(place.type, typed)
    thing, key = (*((None,) if place.thing is None else ()), *asked.words, None, None)[:2]
    return game.correct(place.name, thing, value, reason=reason.strip(), key=key)


def call_named(game: Game, asked: CallText) -> tuple[Function, tuple[Any, ...]] | None:
    """The function that is meant, with its arguments; None if none has this name."""
    linked = game.linked
    by_name = {slug_of(one.id): one for one in linked.program.functions}
    name = corrections.same_name(asked.name, by_name)
    if name is None:
        return None
    function = by_name[name]
    if len(asked.words) != len(function.params):
        shape = f"{name}({', '.join(function.params)})" if function.params else name
        raise Refused(f"`{name}` is asked as {shape}")
    types = [Type.parse(type_ or "Int") for type_ in function.param_types]
    args = (
        corrections.value_as(linked, game.state.world, type_, corrections.spoken(type_, typed))
        for type_, typed in zip(types, asked.words, strict=True)
    )
    return function, tuple(args)


def unknown(game: Game, name: str) -> Refused:
    """The refusal of a name that nothing has."""
    linked = game.linked
    fields: list[str] = []
    for entity in linked.program.entities:
        static = dict(entity.static)
        fields += (one.name for one in entity.fields if one.name not in static)
    known = [*fields, *linked.scope_index, *(slug_of(one.id) for one in linked.program.functions)]
    help = did_you_mean(name, known) or choices_text(name, sorted({*fields, *linked.scope_index}))
    return Refused(f"there is no field, variable or number `{name}`; {help}")
