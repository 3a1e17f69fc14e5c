"""Numbers that a derived case can claim at its end: changed fields, and stats the item modifies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from ruleloom.compiler.resolve.symbols import FieldSymbol
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap
from ruleloom.scenarios.claims.numbers import ClaimedNumbers
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.steps.attempts import Attempt

MOST_ASKED, MOST_WORDS = 400, 40


def changed(attempt: Attempt, before: State, after: State, stats: Sequence[str]) -> dict[str, Any]:
    """The changed fields of the case's things, and these stats, which the item modifies."""
    found: dict[str, dict[str, Any]] = {}
    fields = _fields(attempt, before, after)
    for thing, name, value in chain(fields, asked_for(attempt, after, stats)):
        found.setdefault(thing, {})[name] = value
    return found


def asked_for(
    attempt: Attempt, state: State, stats: Sequence[str]
) -> Iterator[tuple[str, str, Any]]:
    """The values of these stats (`max_PI`, `fine(dodging)`), for each thing that has them."""
    numbers = ClaimedNumbers(attempt.symbols, attempt.words, state.world, state.scope)
    for thing in attempt.made.things:
        for name in stats:
            try:
                value = numbers.value_of(name, thing)
            except StepNotUnderstood:
                continue
            if isinstance(value, int | Fraction):
                yield thing, name, _written(value)


def stats_of(attempt: Attempt) -> tuple[str, ...]:
    """All stats that a thing of the case has, expanded over the values of a second parameter."""
    found: list[str] = []
    for name, callee in attempt.symbols.callables.items():
        types = [one.type.name for one in callee.params]
        is_stat = callee.kind in ("stat", "rule") and not callee.broken
        if not is_stat or not types or types[0] not in attempt.made.things.values():
            continue
        if len(types) == 1:
            found.append(name)
        elif len(types) == 2:
            found += [f"{name}({word})" for word in _words_of(attempt, types[1])]
    return tuple(found[:MOST_ASKED])


def _words_of(attempt: Attempt, type_name: str) -> list[str]:
    """The first values of a type, but neither things of cases nor parts of things."""
    names = attempt.linked.layout.names.get(type_name, ())
    words = attempt.symbols.enums.get(type_name) or names
    return [word for word in words if "__" not in word and "." not in word][:MOST_WORDS]


def _fields(attempt: Attempt, before: State, after: State) -> Iterator[tuple[str, str, Any]]:
    layout = attempt.linked.layout
    players = dict.fromkeys(layout.players, "Player")
    for thing, entity in {**players, **attempt.made.things}.items():
        number = attempt.words.number(entity, thing)
        for name, place, field in _changing_fields(attempt, entity) if number is not None else ():
            old, new = (state.world[place][number] for state in (before, after))
            if isinstance(new, FrozenMap):
                for one, value in _entries(layout.names.get(field.by), old, new):
                    yield thing, f"{name}({one})", value
            elif old != new:
                yield thing, name, _written(attempt.words.shown(after.world, field.type, new))


def _changing_fields(attempt: Attempt, entity: str) -> Iterator[tuple[str, int, FieldSymbol]]:
    """The fields of a kind of thing that can change, but for lists, each with its column."""
    for name, fields in attempt.symbols.fields.items():
        field, place = fields.get(entity), attempt.linked.layout.index.get(f"{entity}.{name}")
        if field is None or field.static or field.type.many or place is None:
            continue
        yield name, place, field


def _entries(names: Sequence[str] | None, old: Any, new: FrozenMap) -> Iterator[tuple[str, int]]:
    """The changed entries of a table field, by the names of their keys."""
    for one, value in new.items():
        if old.get(one) != value and isinstance(value, int):
            yield (names[one] if names is not None and isinstance(one, int) else str(one)), value


def _written(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value
