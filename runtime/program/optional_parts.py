"""Parts of a text with holes that are read only where a value is given, or stands on yes.

`{rounds? for {rounds} rounds}` is left out where there are none; `{loud? aloud | in silence}` has
another text for no. Such a part holds plain holes, and no part of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TEXT = r"(?:[^{}|]|\{[^{}?|]*\})*+"
_PART = re.compile(rf"\{{([A-Za-z_][A-Za-z0-9_]*)\?({_TEXT})(?:\|({_TEXT}))?\}}")


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """A part, by the name of the value that decides on it; `start` and `end` are where it stands."""

    name: str
    given: str
    otherwise: str
    start: int
    end: int


def optional_parts(text: str) -> Iterator[OptionalPart]:
    """The parts of a text that depend on a value, in their order."""
    for found in _PART.finditer(text):
        name, given, otherwise = found[1], found[2].strip(), (found[3] or "").strip()
        yield OptionalPart(name, given, otherwise, found.start(), found.end())


def settled(text: str, choose: Callable[[OptionalPart], str]) -> str:
    """The text with what CHOOSE makes of each such part. One that is empty leaves no gap."""
    said, end = "", 0
    for part in optional_parts(text):
        said += text[end : part.start]
        chosen, end = choose(part), part.end
        if not chosen and text[end : end + 1] in ("", " ", ",", ".", ";", ":", ")"):
            said = said.removesuffix(" ")
        said += chosen
    return said + text[end:]
