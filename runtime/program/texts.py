"""Texts of a program: their holes, their optional parts, and keys made from them.

`{rounds? for {rounds} rounds}` is left out if there are none; `{loud? aloud | in silence}` has an
alternative text for no. Such a part may contain plain holes, but no part of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Entity, Expr, Words

_TEXT = r"(?:[^{}|]|\{[^{}?|]*\})*+"
_PART = re.compile(rf"\{{([A-Za-z_][A-Za-z0-9_]*)\?({_TEXT})(?:\|({_TEXT}))?\}}")
# Nouns that any game may count. Entities declare their own singular, and vocabularies that of all
# other nouns.
SINGULAR = {"dice": "die"} | {
    f"{one}s": one
    for one in (
        "day", "hour", "minute", "month", "night", "point", "round", "step", "time", "turn", "week", "year",
    )
}  # fmt: skip
SETTING_HOLE = re.compile(r"\{([A-Za-z_]\w*)\}")
_COUNTED = re.compile(r" ([a-z]+\b(?: [a-z]+\b)*)")


class OptionalPart(Frozen):
    """An optional part, by the name of the value it depends on; `start` and `end` are its span."""

    name: str
    given: str
    otherwise: str
    start: int
    end: int


def optional_parts(text: str) -> Iterator[OptionalPart]:
    """The optional parts of a text, in order."""
    for found in _PART.finditer(text):
        name, given, otherwise = found[1], found[2].strip(), (found[3] or "").strip()
        yield OptionalPart(name, given, otherwise, found.start(), found.end())


def settled(text: str, choose: Callable[[OptionalPart], str]) -> str:
    """The text with each optional part replaced by CHOOSE of it. An empty one leaves no gap."""
    said, end = "", 0
    for part in optional_parts(text):
        said += text[end : part.start]
        chosen, end = choose(part), part.end
        if not chosen and text[end : end + 1] in ("", " ", ",", ".", ";", ":", ")"):
            said = said.removesuffix(" ")
        said += chosen
    return said + text[end:]


def with_settings(text: str, settings: Mapping[str, object]) -> str:
    """A printed text with the values of settings in its holes."""

    def filled(hole: re.Match[str]) -> str:
        value = settings.get(hole[1])
        if isinstance(value, bool):
            return "yes" if value else "no"
        return hole[0] if value is None else str(value).replace("_", " ")

    return SETTING_HOLE.sub(filled, text)


def of_one(text: str, entities: Iterable[Entity], counted: Iterable[tuple[str, str]]) -> str:
    """The text after a 1: a counted noun at its start is put in the singular."""
    found = _COUNTED.match(text)
    words = found[1].split(" ") if found is not None else []
    things = SINGULAR | {one.plural: one.singular for one in entities} | dict(counted)
    for number in range(len(words), 0, -1):
        several = " ".join(words[:number])
        if several in things:
            return f" {things[several]}{text[len(several) + 1 :]}"
    return text


def with_holes(words: Words, slots: Sequence[str]) -> str:
    """A text of a routine with these slots, as its author wrote it."""
    if isinstance(words, str):
        return words

    def name(expr: Expr) -> str:
        if expr[0] in ("+", "-"):
            return f" {expr[0]} ".join(map(name, expr[1:]))
        if expr[0] == "slot":
            return slots[expr[1]].lstrip("$")  # of a slot that no text can set, as `this`
        return str(expr[1]).rpartition("/")[2].replace("-", "_") if len(expr) > 1 else str(expr[0])

    return "".join(part if isinstance(part, str) else f"{{{name(part[0])}}}" for part in words)


def slug(label: str) -> str:
    """A label as a key: `A piece, pushed` becomes `a-piece-pushed`."""
    words = "".join(c if c.isalnum() else " " for c in label.lower()).split()
    return "-".join(words) or "-"


TEXT_HOLE = re.compile(r"\{(\w+)\}")
CALL = re.compile(r"\s*([\w.-]+)\s*(?:\(\s*(.*?)\s*\))?\s*", re.DOTALL)


class CallText(NamedTuple):
    """A name, and the words in parentheses after it."""

    name: str
    words: tuple[str, ...]


def read_call(text: str) -> CallText | None:
    """The name and the words of a call; None for any other text."""
    found = CALL.fullmatch(text)
    if found is None:
        return None
    words = found[2].split(",") if found[2] else ()
    return CallText(found[1], tuple(word.strip() for word in words))


def setting_value(text: str) -> int | str:
    """The value of a setting that was typed: a whole number as an int, all else as it is."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,15}", text) else text
