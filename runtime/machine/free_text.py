"""Free texts: which may be written, and which stand for all others in look-ahead.

A text that would act on a screen, or deceive its reader, is refused. Rules can only compare texts:
any two that nobody has written yet lead to the same, so look-ahead tries one for all of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import OfPart, constants_of
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import MARKS, MARKS_IN_A_ROW, is_hidden, spelled
from ruleloom.runtime.program.state import State, frames
from ruleloom.runtime.program.values import Column, FrozenMap, Slots, Type, Value

LONGEST_TEXT = 2_000
SOME_TEXT = "..."
"""The stand-in for a text that nobody has written."""


def own_words(typed: object) -> str:
    """A typed text as the game keeps it; Refused, with the reason, if it may not be written."""
    if type(typed) is not str:
        raise Refused("this takes a text")
    text = typed.strip()
    if not text:
        raise Refused("this takes a text, and nothing was written")
    if len(text) > LONGEST_TEXT:
        size = f"this one has {len(text):,}"
        raise Refused(f"a text has 1 to {LONGEST_TEXT:,} characters, and {size}")
    marks = 0
    for place, char in enumerate(text, 1):
        marks = marks + 1 if unicodedata.category(char) in MARKS else 0
        if is_hidden(char):
            hidden = f"the character {spelled(char)} at place {place} cannot be seen"
            raise Refused(f"{hidden}, and no text may hold it")
        if marks > MARKS_IN_A_ROW:
            many = f"there are more than {MARKS_IN_A_ROW} marks on one letter"
            raise Refused(f"{many} at place {place}")
    return text


def may_write(text: object) -> bool:
    """Is this a text as the game keeps it?"""
    try:
        return bool(own_words(text) == text)
    except Refused:
        return False


def some_text(linked: Linked, state: State) -> str:
    """A text that stands neither in the rules nor in this state: `...`, or with more dots."""

    def is_known(more: int) -> bool:
        return not is_new(linked, state, SOME_TEXT + "." * more)

    if not is_known(0):
        return SOME_TEXT
    # Where many have been written on the way here, their dots are one more each: the next is sought
    # by halves.
    known, free = 0, 1
    while is_known(free):
        known, free = free, 2 * free
    while free - known > 1:
        middle = (known + free) // 2
        known, free = (middle, free) if is_known(middle) else (known, middle)
    return SOME_TEXT + "." * free


def is_new(linked: Linked, state: State, text: str) -> bool:
    """Does this text stand neither in the rules nor in this state? All such lead to the same."""
    return text not in _in_rules(linked) and not _stands_in(linked, state, text)


def _stands_in(linked: Linked, state: State, text: str) -> bool:
    """Does a state hold this text? Asked at every text, so it looks no closer than it must."""
    world = state.world
    for column in _text_columns(linked):
        values, texts = column.held
        if world[column.number] is not values:
            texts = column.read(world[column.number])
        if text in texts:
            return True
    if _mentions(state.scope, text):
        return True
    return any(_mentions(frame.slots, text) for frame in frames(state.frame))


class _TextColumn:
    """A column of texts, cached with the column that was read, so that threads never mix two."""

    __slots__ = ("held", "keyed", "number")

    def __init__(self, number: int, keyed: bool) -> None:
        self.number, self.keyed = number, keyed
        self.held: tuple[Column, frozenset[Value]] = (None, frozenset())

    def read(self, values: Column) -> frozenset[Value]:
        """The texts of a column; where they do not stand in tables, with whatever else it holds."""
        texts = frozenset(_texts(values) if self.keyed else values)
        self.held = (values, texts)
        return texts


@lru_cache(maxsize=8)
def _text_columns(linked: Linked) -> tuple[_TextColumn, ...]:
    columns = enumerate(linked.layout.columns)
    texts = ((number, column) for number, column in columns if column.type.name == "Text")
    return tuple(_TextColumn(number, bool(column.by)) for number, column in texts)


def _mentions(values: Slots, text: str) -> bool:
    """Is this text one of these values, or in a list or table among them?"""
    if text in values:
        return True
    for value in values:
        kind = value.__class__
        if (kind is tuple and text in value) or (kind is FrozenMap and text in value.values()):
            return True
    return False


def known_texts(linked: Linked, state: State) -> Iterator[str]:
    """The texts of the rules and of this state that may be written, in a fixed order."""
    held = (state.world[column.number] for column in _text_columns(linked))
    slots = (frame.slots for frame in frames(state.frame))
    known = {*_in_rules(linked), *_texts((*held, state.scope, *slots))}
    yield from sorted(text for text in known if may_write(text))


@OfPart
def _in_part(part: object) -> frozenset[str]:
    """The constant texts of a part of a program."""
    return frozenset([text for value in constants_of(part) for text in _texts(value)])


@lru_cache(maxsize=8)
def _in_rules(linked: Linked) -> frozenset[str]:
    """Every constant text of the program, but for the values of enums."""
    program = linked.program
    options = {value for _, values in program.enums for value in values}
    parts = (*program.routines, *program.functions, *program.stats)
    found = set[str]().union(*map(_in_part, parts))
    for entity in program.entities:
        types = {field.name: Type.parse(field.type).name for field in entity.fields}
        for name, values in entity.static:
            found |= set(_texts(values)) if types[name] == "Text" else set()
    found |= set(_texts(tuple(linked.settings.values())))
    return frozenset(found - options)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one)
