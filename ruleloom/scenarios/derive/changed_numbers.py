"""Numbers that a derived case can claim at its end: changed fields, and stats the item modifies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruleloom.compiler.resolve.symbols import FieldSymbol
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap
from ruleloom.scenarios.claims.numbers import ClaimedNumbers
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.steps.attempts import Attempt

MOST_ASKED = 400
CANNOT = "this cannot be worked out here"


@dataclass(frozen=True, slots=True)
class Changing:
    """Stats that an item changes, as cases ask for them: `max_PI`, `fine(dodging)`."""

    asked: tuple[str, ...]


def changed(
    attempt: Attempt, before: State, after: State, changing: Changing | None
) -> dict[str, Any]:
    """The changed fields of the case's things, and the stats that the item modifies."""
    found: dict[str, dict[str, Any]] = {}
    for thing, name, value in _fields(attempt, before, after):
        found.setdefault(thing, {})[name] = value
    for thing, name, value in asked_for(
        attempt, after, changing.asked if changing is not None else ()
    ):
        found.setdefault(thing, {})[name] = value
    return found


def asked_for(
    attempt: Attempt, state: State, asked: tuple[str, ...]
) -> Iterator[tuple[str, str, Any]]:
    """What these stats come to, for each thing of the case that has them."""
    numbers = ClaimedNumbers(attempt.symbols, attempt.words, state.world, state.scope, CANNOT)
    for thing in attempt.made.things:
        for name in asked:
            try:
                value = numbers.value_of(name, thing)
            except StepNotUnderstood:
                continue
            if isinstance(value, int | Fraction):
                yield thing, name, _written(value)


def stats_of(attempt: Attempt) -> tuple[str, ...]:
    """All stats that a thing of the case has, expanded over the values of a second parameter."""
    found: list[str] = []
    symbols, linked = attempt.symbols, attempt.linked
    for name, callee in symbols.callables.items():
        types = [one.type.name for one in callee.params]
        is_stat = callee.kind in ("stat", "rule") and not callee.broken
        if not is_stat or not types or types[0] not in attempt.made.things.values():
            continue
        if len(types) == 1:
            found.append(name)
        elif len(types) == 2:
            words = symbols.enums.get(types[1]) or linked.layout.names.get(types[1], ())
            words = tuple(word for word in words if "__" not in word and "." not in word)
            found += [f"{name}({word})" for word in words[:40]]
    return tuple(found[:MOST_ASKED])


def _fields(attempt: Attempt, before: State, after: State) -> Iterator[tuple[str, str, Any]]:
    layout = attempt.linked.layout
    players = dict.fromkeys(layout.players, "Player")
    for thing, entity in {**players, **attempt.made.things}.items():
        number = attempt.words.number(entity, thing)
        for name, field in _changing_fields(attempt, entity) if number is not None else ():
            place = layout.index[f"{entity}.{name}"]
            old, new = (state.world[place][number] for state in (before, after))
            if isinstance(new, FrozenMap):
                for one, value in _entries(attempt, field.by, old, new):
                    yield thing, f"{name}({one})", value
            elif old != new:
                yield thing, name, _written(attempt.words.shown(after.world, field.type, new))


def _changing_fields(attempt: Attempt, entity: str) -> Iterator[tuple[str, FieldSymbol]]:
    """The fields of a kind of thing that can change, but for lists."""
    columns = attempt.linked.layout.index
    for name, fields in attempt.symbols.fields.items():
        field = fields.get(entity) if f"{entity}.{name}" in columns else None
        if field is not None and not field.static and not field.type.many:
            yield name, field


def _entries(
    attempt: Attempt, by: str, old: Any, new: Mapping[Any, Any]
) -> Iterator[tuple[str, Any]]:
    names = attempt.linked.layout.names.get(by)
    for one, value in new.items():
        if old.get(one) != value and isinstance(value, int):
            yield (names[one] if names is not None and isinstance(one, int) else str(one)), value


def _written(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value
