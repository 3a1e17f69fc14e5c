"""What a changed pack changes in its program, and the same change made in a program of the pack and
more.

Scenarios bring things and texts of their own, and to compile those again for every mutant would
take most of the time. What a mutant changes is found in the program of the pack alone, and put into
the one that was made with all that the scenarios bring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from ruleloom.runtime.program.program import Entity, Origin, Program

KEYS: Mapping[str, Callable[[Any], str]] = {
    "functions": lambda one: one.id,
    "stats": lambda one: one.id,
    "routines": lambda one: one.id,
    "requirements": lambda one: one.id,
    "triggers": lambda one: f"{one.id} {one.event} {one.routine}",
    "replacements": lambda one: one.id,
    "entities": lambda one: one.name,
}
"""The parts of a program that are lists of what has a name."""
PRINTED = "printed"
ASIDE = ("lock", "texts", "sheets")
"""What no scenario looks at."""


class CannotGraft(Exception):
    """The programs differ where the change is to be made, so that it has to be compiled with all
    the rest."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What differs between two programs: a part of them, the name in it, and what stands there
    afterwards.

    A part that has no names differs as a whole. None means that it is gone. What is printed on one
    thing is a part of its own, `printed`: its number and its values.
    """

    part: str
    name: str
    before: Any
    after: Any


def changes(before: Program, after: Program) -> list[Changed]:
    """What differs, apart from where it is written and from the bounds that are worked out from
    it."""
    found: list[Changed] = []
    for each in fields(Program):
        part = each.name
        old, new = getattr(before, part), getattr(after, part)
        if part in ASIDE or old == new:
            continue
        if part not in KEYS:
            found.append(Changed(part, "", old, new))
            continue
        olds, news = _named(part, old), _named(part, new)
        for name in dict.fromkeys([*olds, *news]):
            found += _differing(part, name, olds.get(name), news.get(name))
    return found


def _differing(part: str, name: str, old: Any, new: Any) -> Iterator[Changed]:
    if old == new or bare(old) == bare(new):
        return
    if (
        isinstance(old, Entity)
        and isinstance(new, Entity)
        and bare(_unprinted(old)) == bare(_unprinted(new))
    ):
        for number, thing in enumerate(old.names):
            before, after = _row(old, number), _row(new, number)
            if before != after:
                yield Changed(PRINTED, f"{name}/{thing}", (number, before), (number, after))
    else:
        yield Changed(part, name, old, new)


def _unprinted(entity: Entity) -> Entity:
    """The entity but for what is printed on its things."""
    return replace(entity, static=tuple((name, ()) for name, _ in entity.static), places=())


def _row(entity: Entity, number: int) -> tuple[Any, ...]:
    return tuple(values[number] for _, values in entity.static)


def graft(program: Program, found: Sequence[Changed]) -> Program:
    """The program with these changes; raises CannotGraft where it is not as it was before them."""
    parts: dict[str, Any] = {}
    for one in found:
        part = "entities" if one.part == PRINTED else one.part
        now = parts.get(part, getattr(program, part))
        if one.part == PRINTED:
            parts[part] = tuple(_printed(entity, one) for entity in now)
        else:
            parts[part] = _in_list(now, one) if part in KEYS else _whole(now, one)
    return replace(program, **parts)


def bare(value: Any) -> Any:
    """A part of a program without the places it was written at, and without its bounds."""
    if isinstance(value, Origin):
        return None
    if is_dataclass(value):
        parts = (getattr(value, each.name) for each in fields(value) if each.name != "bounds")
        return (type(value), *map(bare, parts))
    if isinstance(value, tuple) and not (
        value and isinstance(value[0], str)
    ):  # those are expressions
        return tuple(map(bare, value))
    return value


def _named(part: str, entries: tuple[Any, ...]) -> dict[str, Any]:
    return {KEYS[part](one): one for one in entries}


def _whole(now: Any, one: Changed) -> Any:
    if now != one.before:
        raise CannotGraft(one.part)
    return one.after


def _in_list(entries: tuple[Any, ...], one: Changed) -> tuple[Any, ...]:
    key = KEYS[one.part]
    at = next(
        (number for number, entry in enumerate(entries) if key(entry) == one.name), len(entries)
    )
    now = entries[at] if at < len(entries) else None
    if bare(now) != bare(one.before):
        raise CannotGraft(f"{one.part} {one.name}")
    return (*entries[:at], *((one.after,) if one.after is not None else ()), *entries[at + 1 :])


def _printed(entity: Entity, one: Changed) -> Entity:
    """The entity with something else printed on one of its things."""
    number, before = one.before
    if not one.name.startswith(f"{entity.name}/"):
        return entity
    if f"{entity.name}/{entity.names[number]}" != one.name or _row(entity, number) != before:
        raise CannotGraft(one.name)
    columns = zip(entity.static, one.after[1], strict=True)
    static = tuple(
        (name, (*values[:number], new, *values[number + 1 :])) for (name, values), new in columns
    )
    return replace(entity, static=static)
