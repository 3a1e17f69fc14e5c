"""The texts of a program that somebody reads, each with its holes, in English as the packs have them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import chain, zip_longest
from typing import Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import (
    Always,
    Condition,
    Entity,
    Expr,
    Pick,
    Program,
    Routine,
    Row,
    Secret,
    Setting,
    Template,
    Words,
)
from ruleloom.runtime.program.texts import with_holes

HOLE = re.compile(r"\{([^{}:]+)(?::(\w+))?\}")
_WORDED = ("Words", "Template")
NUMBERED = re.compile(r"(.*) (\d+)")
APART = re.compile(r"(.*) (\(.*\))")


class Original(Frozen):
    """A text as its author wrote it, and the item that says it (or empty: the vocabulary); in a routine also
    its words, and the names of the slots that their holes read."""

    text: str
    item: str
    words: Words | None = None
    slots: tuple[str, ...] = ()
    is_needed: bool = True
    """Whether a translation is incomplete without it."""
    is_reason: bool = False
    """Whether the compiler wrote it for a condition."""

    @property
    def holes(self) -> frozenset[str]:
        """The names of its holes."""
        return frozenset(found[1] for found in HOLE.finditer(self.text))


def originals(program: Program) -> Iterator[Original]:
    """All texts of a program, those of its routines once for each set of words."""
    yield Original(program.title, "")
    for routine in program.routines:
        for words, is_reason in _words_in(routine.rows):
            text = with_holes(words, routine.slots)
            yield Original(text, _item(routine), words, routine.slots, is_reason=is_reason)
        for name in _names_in(routine.rows):
            yield Original(name.replace("_", " "), _item(routine))
    for text in _other_texts(program):
        if text:
            yield Original(text, "")
    for zone in program.zones:
        yield Original(f"the {zone.name.replace('_', ' ')}", "", is_needed=False)


def _item(routine: Routine) -> str:
    return routine.id.partition("#")[0]


def _words_in(value: object) -> Iterator[tuple[Words, bool]]:
    """The words in the rows of a routine, in order, each with whether it is the reason of a condition."""
    if isinstance(value, tuple):
        for one in value:
            yield from _words_in(one)
    elif is_dataclass(value):
        for field in fields(value):
            inner = getattr(value, field.name)
            if str(field.type) in _WORDED:
                if inner:
                    yield inner, isinstance(value, Condition)
            elif isinstance(inner, tuple):
                yield from _words_in(inner)


def _names_in(rows: tuple[Row, ...]) -> Iterator[str]:
    """The names of choices that the log tells."""
    return (one.name for one in rows if isinstance(one, Secret | Pick))


def _other_texts(program: Program) -> Iterator[str]:
    """The texts of a vocabulary and of settings."""
    yield from _of_entities(program)
    yield from options(program).values()
    yield from (zone.name.replace("_", " ") for zone in program.zones)
    yield from (one.english for one in program.scope if one.shown is not False)
    yield from (one.log for one in program.operations if one.shown)
    yield from (one.english for one in chain[Setting | Always](program.settings, program.always))
    yield from (text for _, text in (*program.rolls, *program.glosses))
    yield from (one.text for one in program.spots)


def _of_entities(program: Program) -> Iterator[str]:
    """The nouns and descriptions of things, and the titles of items."""
    for entity in program.entities:
        yield from (entity.singular, entity.plural, entity.described)
        yield from (base for base, _ in titles_in(entity).values())
        yield from chain.from_iterable(one.called for one in entity.fields)


def options(program: Program) -> dict[str, str]:
    """The values of all enums, each with its words."""
    said = dict(program.words)
    values = chain.from_iterable(values for _, values in program.enums)
    return {value: said.get(value, value.replace("_", " ")) for value in values}


def titles_in(entity: Entity) -> dict[str, tuple[str, str]]:
    """For each title what its item is called, and what the compiler has put behind that: the number of one of
    several things (`Create 6`), and the pack of one that has a namesake (`Luck (Night Market)`)."""
    parts = dict[str, tuple[str, str]]()
    packs = defaultdict[str, set[str]](set)
    for title, place in zip_longest(entity.titles, entity.places):
        number = NUMBERED.fullmatch(title)
        parts[title] = (number[1], f" {number[2]}") if number is not None else (title, "")
        if (apart := APART.fullmatch(parts[title][0])) is not None:
            packs[apart[1]].add("" if place is None else place.pack)
    for title, (base, rest) in parts.items():
        apart = APART.fullmatch(base)
        if apart is not None and len(packs[apart[1]]) > 1:
            parts[title] = apart[1], f" {apart[2]}{rest}"
    return parts


def told(one: Original, text: str) -> Words:
    """The words of a translated text with the holes of the original; each may name the form it takes."""
    if not isinstance(one.words, tuple):
        return text
    known: Mapping[str, tuple[Expr, str]] = {
        with_holes((part,), one.slots)[1:-1]: part
        for part in one.words
        if not isinstance(part, str)
    }
    parts: list[Any] = []
    pieces = HOLE.split(text)
    for at in range(0, len(pieces), 3):
        parts += [pieces[at]] if pieces[at] else []
        if at + 1 < len(pieces):
            expr, type_ = known[pieces[at + 1]]
            form = pieces[at + 2]
            parts.append((expr, type_, form) if form else (expr, type_))
    made: Template = tuple(parts)
    return made
