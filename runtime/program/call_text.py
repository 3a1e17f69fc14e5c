"""The one reader of `name(value, value)`, as people type it and as scenarios write it."""

from __future__ import annotations

import re
from typing import NamedTuple

CALL = re.compile(r"\s*([\w.-]+)\s*(?:\(\s*(.*?)\s*\))?\s*", re.DOTALL)


class CallText(NamedTuple):
    """A name, and the words in parentheses behind it."""

    name: str
    words: tuple[str, ...]


def read_call(text: str) -> CallText | None:
    """The name and the words of a text; None for one of another form."""
    found = CALL.fullmatch(text)
    if found is None:
        return None
    words = found[2].split(",") if found[2] else ()
    return CallText(found[1], tuple(word.strip() for word in words))
