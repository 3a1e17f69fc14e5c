"""What the names of a game are called in another version of it, and whether two routines are one program.

Renames come from `renamed_from` and from rules of migration: pairs such as `hero/bo` and
`hero/bodo`, `value/Light.red` and `value/Light.crimson`; an empty second name says that it is gone.
A delayed statement has no name: it is found again by what it waits for and does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

from ruleloom.runtime.program.program import Program, Routine

# The parts of rows that say something to people, and move nothing.
WORDS = frozenset(("origin", "prompt", "english", "reason", "text", "label", "showing"))
# The number of a delayed statement in the names that are made of it.
LATER = re.compile(r"\b(later[-_ ]?)(\d+)\b", re.IGNORECASE)
# What stands behind the name of an item in that of one of its things or parts: `bo#2`, `ana.1`.
THING = re.compile(r"[#.]")
DECLARED = ("field", "value", "variable", "type", "operation", "moment", "query")


class NewNames:
    """The names of the old version in the new one."""

    def __init__(self, old: Program, new: Program, renames: Mapping[str, str]) -> None:
        self._old, self._new = old, new
        self._declared: dict[str, str] = {}
        self._items: dict[str, str] = {}
        self._gone: set[str] = set()
        for was, now in renames.items():
            sort, _, name = was.partition("/")
            last = now.partition("/")[2] or now
            if not now:
                self._gone |= {name, _in_texts(name)}
            elif sort in DECLARED:
                self._declared[was] = last
            else:
                self._items[name] = last
                self._items.setdefault(_in_texts(name), last)

    def of_item(self, name: str, known: Container[str]) -> str | None:
        """The name of a thing, an item or what is made of it: `bo#2`, `ana.1`, `quarrel:rule/may_strike`."""
        name = self.later(name)
        if THING.split(name)[0] in self._gone:
            return None
        if name in known:
            return name
        now = re.sub(r"[\w-]+", lambda one: self._items.get(one[0], one[0]), name)
        return next((one for one in (now, _in_texts(now)) if one in known), None)

    def of_declared(self, sort: str, name: str, known: Container[str]) -> str | None:
        """The name of a field (`Piece.size`), a value (`Light.red`), a variable or a type."""
        name = self.later(name)
        if name in known:
            return name
        now = self._declared.get(f"{sort}/{name}", "")
        owner, dot, _ = name.rpartition(".")
        if dot and "." not in now:
            now = f"{owner}.{now}"
        return now if now in known else None

    def later(self, text: str) -> str:
        """A text with the numbers that delayed statements have in the new version."""
        if LATER.search(text) is None:
            return text
        return LATER.sub(lambda one: f"{one[1]}{self._numbers.get(one[2], 'gone')}", text)

    @cached_property
    def _numbers(self) -> Mapping[str, str]:
        """The numbers of delayed statements, by what they wait for and do: all of it, else all but its
        numbers, where that leaves no doubt."""
        found: dict[str, str] = {}
        for exact in (True, False):
            old, new = _waiting(self._old, exact), _waiting(self._new, exact)
            for key, numbers in old.items():
                left = [one for one in numbers if one not in found]
                free = [one for one in new.get(key, ()) if one not in found.values()]
                if exact or len(left) == len(free):
                    found.update(zip(left, free, strict=False))
        return found


def _in_texts(name: str) -> str:
    """A name of an item as effect texts write it: `target_score`."""
    return name.replace("-", "_")


def _waiting(program: Program, exact: bool) -> dict[str, list[str]]:
    """The numbers of delayed statements by what they keep, wait for and do, in words that are the same in
    both versions."""
    parts: dict[str, list[Any]] = defaultdict(list)

    def add(name: str, *part: Any) -> None:
        if one := LATER.search(name):
            parts[one[2]].append(_unnumbered(part, exact))

    for entity in program.entities:
        add(entity.name, *((field.name, field.type) for field in entity.fields))
    for trigger in program.triggers:
        add(trigger.routine, trigger.event, trigger.where, trigger.timing)
    for instead in program.replacements:
        add(instead.routine, instead.operation, instead.where)
    for routine in program.routines:
        add(routine.id, routine.id, *shape(program, routine))
    found: dict[str, list[str]] = defaultdict(list)
    for number, part in parts.items():
        found[repr(part)].append(number)
    return found


def _unnumbered(value: Any, exact: bool) -> Any:
    """A part of a program without the number of its delayed statement, and unless `exact` without any."""
    if isinstance(value, tuple):
        if not exact and value[:1] == ("value",):
            return ("value",)
        return tuple(_unnumbered(one, exact) for one in value)
    return LATER.sub(r"\1", value) if isinstance(value, str) else value


def shape(program: Program, routine: Routine) -> tuple[Any, ...]:
    """What a routine does, without its words: two of one shape are one program, and a run within one
    goes on in the other. Records stand by their names."""
    things = {one.name: one.names for one in program.entities}

    def form(value: Any) -> Any:
        if isinstance(value, tuple):
            if len(value) == 3 and value[0] == "record" and things.get(value[1]):
                return ("record", value[1], things[value[1]][value[2][1]])
            return tuple(map(form, value))
        if is_dataclass(value) and not isinstance(value, type):
            parts = (
                form(getattr(value, one.name)) for one in fields(value) if one.name not in WORDS
            )
            return (type(value).__name__, *parts)
        return value

    told = (routine.params, routine.slots, routine.slot_types, routine.result)
    return (*told, form(routine.rows))
