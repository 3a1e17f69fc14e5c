"""Numbers and what they count, in running text: 1 die, 2 dice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleloom.runtime.link.link import Linked

# What any game may count. Things in play say themselves what one of them is called.
SINGULAR = {"dice": "die"} | {
    f"{one}s": one
    for one in (
        "action", "charge", "day", "glance", "hit", "hour", "mark", "minute", "month", "point", "round",
        "section", "segment", "space", "step", "time", "turn", "week", "wound", "year",
    )
}  # fmt: skip
_WORD = re.compile(r" ([a-z]+)\b")


def joined(linked: Linked, pieces: Iterable[tuple[str, bool]]) -> str:
    """The pieces of a text as one. Behind a piece that is a number, and is 1, a word that says what
    is counted stands in the singular."""
    said, is_one = "", False
    for text, is_number in pieces:
        found = _WORD.match(text) if is_one else None
        said += f" {_singular(linked, found[1])}{text[found.end() :]}" if found else text
        is_one = is_number and text == "1"
    return said


def _singular(linked: Linked, word: str) -> str:
    things = {one.plural: one.singular for one in linked.program.entities}
    return SINGULAR.get(word) or things.get(word, word)
