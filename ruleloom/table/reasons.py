"""The reasons of a value: its changes in this game, and the derivation of a number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ruleloom.output import derivation_text as derivation
from ruleloom.output.derivation_text import DerivationLine
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import SECRET, field_words, number_text, title_text
from ruleloom.runtime.play.corrections import CorrectionTarget
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, Moment, beginning, moments
from ruleloom.runtime.program.call_text import CallText
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Function, Origin
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.options import question
from ruleloom.table.canvas import Look
from ruleloom.table.fields import start_of
from ruleloom.table.value_lookup import call_named, named, place_named, unknown

DEPTH = 3
MARGIN = "  "
# The event in words, the values before and after it, its line, and whether it was a correction.
Change = tuple[str, Any, Any, Origin | None, bool]
HIDDEN = "that depends on something that not everybody sees"


def why(game: Game, text: str, viewer: int, look: Look) -> list[str]:
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
        lines += change_lines(game, place, viewer, look)
    if call is not None:
        lines += [*([""] if lines else []), *derivation_lines(game, *call, look)]
    return [f"{MARGIN}{line}".rstrip() for line in lines]


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


def change_lines(game: Game, place: CorrectionTarget, viewer: int, look: Look) -> list[str]:
    """A changeable value and every change of it since the game began."""
    linked = game.linked
    if place.thing is None:
        secrecy = secrecy_of(linked)
        derived = place.name in secrecy.derived.scope
        if secrecy.hides(viewer, place.type, place.value(game.state), (game.state.world,), derived):
            raise Refused(HIDDEN)
    now = value_text(game, place, place.value(game.state))
    head = derivation.equation(safe_text(called(game, place)), now, look.colour)
    lines = list(_lines(game, place, viewer))
    return [head, *derivation.aligned_lines(lines, look.colour, look.width - len(MARGIN))]


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
    secrecy, worlds = secrecy_of(game.linked), [game.state.world]

    def told(value: Any) -> str:
        """A value as the viewer may know it: one that was replaced may be hidden still."""
        hidden = place.thing is None and secrecy.hides(viewer, place.type, value, worlds)
        return SECRET if hidden else value_text(game, place, value)

    yield DerivationLine("to begin with", told(first_value(game, place)))
    changes = (_of_variable if place.thing is None else _of_field)(game, place, viewer)
    for words, before, now, origin, by_hand in changes:
        after = told(now)
        notes = (
            [derivation.place_text([origin], game.linked.program.game)]
            if origin is not None
            else []
        )
        amount = f"set to {after}"
        # Things are kept as numbers, too, and what lies between them would tell which they are.
        counts = place.type.name in ("Int", "Fraction")
        if counts and not by_hand and _is_number(before) and _is_number(now):
            amount = f"{'+' if now > before else ''}{number_text(now - before)}"
            notes.insert(0, f"-> {after}")
        yield DerivationLine(safe_text(words), amount, "  ".join(notes))


def value_text(game: Game, place: CorrectionTarget, value: Any) -> str:
    """A value of a place for reading, made safe."""
    return safe_text(title_text(game.linked, game.state.world, place.type, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def derivation_lines(
    game: Game, function: Function, args: tuple[Any, ...], look: Look
) -> list[str]:
    """The derivation of a stat, measure, rule or table at this moment, as by `ruleloom why`."""
    linked, state = game.linked, game.state
    if function.id in secrecy_of(linked).derived.functions:
        raise Refused(HIDDEN)
    rules = state.frame.ignored if state.frame is not None else frozenset()
    reckoning = Reckoning(linked, state.world, state.scope, rules)
    try:
        found = reckoning.function(function.id, args, DEPTH)
    except (RuntimeFault, TypeError, LookupError) as fault:
        raise Refused(f"that cannot be computed now: {fault}") from None
    return derivation.derivation_text(
        derivation.normalised(found),
        linked.program.game,
        False,
        look.colour,
        look.width - len(MARGIN),
    )


def first_value(game: Game, place: CorrectionTarget) -> Any:
    """The value at a place before anything had happened."""
    world = start_of(game.linked) if game.started is None else game.started
    return place.held(world, game.linked.initial_scope)


def _of_field(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[Change]:
    """The changes of a field, followed through every event of the replayed game."""
    start = beginning(game)
    for events in (start.events, *(moment.after.events for moment in moments(game))):
        for event in events:
            before, after = place.held(event.before, ()), place.held(event.after, ())
            if before != after:
                words = tell(game.linked, event, viewer) or event.name.replace("_", " ")
                if event.kind == "operation" and event.origin is None:
                    words += " (by a rule that always holds)"
                yield words, before, after, event.origin, event.kind == "corrected"


def _of_variable(game: Game, place: CorrectionTarget, viewer: int) -> Iterator[Change]:
    """The changes of a variable from one answer to the next, because none of them is an event."""
    before, after = first_value(game, place), place.value(beginning(game).state)
    if before != after:
        yield "set-up", before, after, None, False
    for moment in moments(game):
        before, after = place.value(moment.before.state), place.value(moment.after.state)
        if before != after:
            yield _cause(moment, viewer), before, after, None, moment.entry.correction is not None


def _cause(moment: Moment, viewer: int) -> str:
    """A correction in words, or who answered which question; the answer itself may be a secret."""
    entry = moment.entry
    if entry.back is not None:
        return f"everybody agreed to go back to before answer {entry.back + 1}"
    if entry.correction is not None:
        event = next(one for one in moment.after.events if one.kind == "corrected")
        return tell(moment.before.linked, event, viewer) or ""
    who = "chance" if entry.player is None else moment.before.players[entry.player]
    return f"{who} has answered: {question(moment.before.node, entry.player, viewer)}"
