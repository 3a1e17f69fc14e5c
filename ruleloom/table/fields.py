"""The changeable fields of things and the variables of the game, in words for a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.program import Entity, ScopeVariable
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World

FEW = 12


@dataclass(frozen=True, slots=True)
class Field:
    """A changeable field: its column in the world, and the heading above it."""

    column: int
    type: Type
    by: str
    heading: str


def fields_of(linked: Linked, entity: Entity) -> list[Field]:
    """The fields of a kind of thing that are drawn, in the order of the vocabulary.

    Its name stands before them, and that it is there needs no saying.
    """
    found = []
    for info in entity.fields:
        number = linked.layout.index.get(f"{entity.name}.{info.name}")
        is_there = info.name == entity.present and info.type.removesuffix("?") == "Bool"
        if number is None or is_there or info.name == entity.named_by or not info.shown:
            continue
        column = linked.layout.columns[number]
        found.append(Field(number, column.type, column.by, field_words(linked, info.name)))
    return found


def cell_text(linked: Linked, world: World, field: Field, thing: int) -> str:
    """A value in few words; empty for none, no and an empty list."""
    return value_cell(linked, world, field.type, field.by, world[field.column][thing])


def value_cell(linked: Linked, world: World, type_: Type, by: str, value: Any) -> str:
    """A value, or a table of values by name, in few words."""
    if not by:
        nothing = value is None or value is False or value == ()
        return "" if nothing else title_text(linked, world, type_, value)
    words = []
    for key in sorted(value) if isinstance(value, FrozenMap) else ():
        name, one = title_text(linked, world, Type(by), key), value[key]
        words.append(name if one is True else f"{name} {title_text(linked, world, type_, one)}")
    return ", ".join(words)


@lru_cache(maxsize=256)
def start_of(linked: Linked) -> World:
    """The world before anything has happened."""
    return linked.driver.start(empty_world(linked.layout))


def have_changed(
    world: World, start: World, fields: Sequence[Field], things: Sequence[int]
) -> bool:
    """Does any of these fields of these things differ from the beginning?"""
    columns = ((world[field.column], start[field.column]) for field in fields)
    return any(now[thing] != before[thing] for now, before in columns for thing in things)


def listed(world: World, start: World, fields: Sequence[Field], things: Sequence[int]) -> list[int]:
    """All of a few things; of many, those that have changed since the beginning."""
    if len(things) <= FEW:
        return list(things)
    return [one for one in things if have_changed(world, start, fields, [one])]


Cells = Mapping[Field, Sequence[str]]


def cells_of(
    linked: Linked, world: World, start: World, fields: Sequence[Field], things: Sequence[int]
) -> tuple[list[int], dict[Field, list[str]]]:
    """The things with a value to show, and their values column by column, without empty columns."""

    speaking = [(f, one) for f in fields for one in things if speaks(linked, world, start, f, one)]
    telling = list(dict.fromkeys(field for field, _ in speaking))
    speakers = {thing for _, thing in speaking}
    shown = [thing for thing in things if thing in speakers]
    return shown, {
        field: [cell_text(linked, world, field, thing) for thing in shown] for field in telling
    }


def speaks(linked: Linked, world: World, start: World, field: Field, thing: int) -> bool:
    """Has a field of a thing a value to show? A word of an enum is none before it has changed."""
    named = field.type.name in linked.layout.enums and not field.by
    if named and world[field.column][thing] == start[field.column][thing]:
        return False
    return says_something(cell_text(linked, world, field, thing))


def says_something(text: str) -> bool:
    """Is a value more than nothing, or none of something?"""
    return text not in ("", "0")


def changes_of(
    linked: Linked,
    entity: Entity,
    fields: Sequence[Field],
    before: World,
    after: World,
    start: World,
    told: str,
) -> Iterator[str]:
    """The things of a kind with a changed field, each with its new values, without those that `told`
    holds, and without a thing back at its start."""
    kind = Type(entity.name)
    for thing in things_there(linked, after, entity).values():
        is_new = linked.is_gone(kind, thing, before)
        title = title_text(linked, after, kind, thing)
        changed = [*_changed(linked, fields, thing, None if is_new else before, after)]
        if title in told and all(_is_cleared(start, field, thing, now) for field, now in changed):
            continue
        parts = [
            _said(field, now)
            for field, now in changed
            if not is_told(title, field.heading, now, told)
        ]
        if parts:
            yield f"{title}: {', '.join(parts)}"


def _changed(
    linked: Linked, fields: Sequence[Field], thing: int, before: World | None, after: World
) -> Iterator[tuple[Field, str]]:
    """The changed fields of a thing with their new values; of a new thing, the fields with a value."""
    for field in fields:
        now = cell_text(linked, after, field, thing)
        if before is None:
            differs = says_something(now)
        else:
            differs = now != cell_text(linked, before, field, thing)
        if differs:
            yield field, now


def _said(field: Field, now: str) -> str:
    return field.heading if now == "yes" else f"{field.heading} {now or 'none'}"


def _is_cleared(start: World, field: Field, thing: int, now: str) -> bool:
    """Is a field empty again, as at the start?"""
    return not says_something(now) and not start[field.column][thing]


def is_told(title: str, heading: str, value: str, told: str) -> bool:
    """Does `told` hold this value of this heading? A number only counts right behind its heading:
    elsewhere it may count something else."""
    value = " ".join(value.split())
    if value == "yes":
        return f"{title} is {heading}".lower() in told.lower()
    if value.lstrip("-").isdecimal():
        return re.search(rf"\b{re.escape(heading)} (is )?{value}\b", told, re.I) is not None
    return len(value) > 1 and value in told


def variable_texts(
    linked: Linked, state: State, viewer: int, since: State | None, told: str = ""
) -> Iterator[str]:
    """The variables with something to say that `viewer` may know.

    Those unchanged `since` then are left out unless they are always shown, as are those that
    `told` holds and the player whose turn it is, who is marked elsewhere.
    """
    program, secrecy = linked.program, secrecy_of(linked)
    before = linked.initial_scope if since is None else since.scope
    for number, variable in enumerate(program.scope):
        value = state.scope[number]
        type_ = Type.parse(variable.type)
        derived = variable.name in secrecy.derived.scope
        if _is_old(variable, value, before[number]) or value == linked.initial_scope[number]:
            continue
        if not secrecy.hides(viewer, type_, value, (state.world,), derived):
            text = _text(linked, state, variable, type_, value)
            heading, _, shown = text.partition(": ")
            if not (shown and is_told("", heading, shown, told)):
                yield text


def _is_old(variable: ScopeVariable, value: Any, before: Any) -> bool:
    """Is a variable empty or unchanged?"""
    if value is None or value is False or value in ((), {}) or variable.name == "me":
        return True
    return variable.shown is False or (variable.shown is None and value == before)


def _text(linked: Linked, state: State, variable: ScopeVariable, type_: Type, value: Any) -> str:
    words = variable.english.removeprefix("the ") or field_words(linked, variable.name)
    if value is True:
        return words
    by = "Player" if type_.by_player else ""
    one = Type(type_.name, type_.many, type_.optional) if by else type_
    return f"{words}: {value_cell(linked, state.world, one, by, value)}"
