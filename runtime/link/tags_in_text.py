"""Tags that a text names: their names as whole words, with capitals or without, outside quotation marks.

Words that are nearly the name of a tag are slips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from ruleloom.runtime.program.values import Value

LEAST_LIKENESS = 0.8
SHORTEST_SLIP = 4
AS_IT_IS = "Write that, or put it in quotation marks as it is"
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»')


def named(text: str, tags: Sequence[str]) -> tuple[str, ...]:
    """Those of these tags whose names stand in a text."""
    words = _words(text)
    return tuple([tag for tag in tags if [*_standing(words, _words(tag))]])


def slip(text: Value, tags: Sequence[Any]) -> str:
    """The reason why a text is not taken: its first words that are nearly a tag; empty without any."""
    words, names = _words(str(text or "")), [_words(tag) for tag in tags]
    found = ((at, name) for name in names for at in _standing(words, name))
    taken = {one for at, name in found for one in range(at, at + len(name))}
    for at in range(len(words)):
        for name in names:
            said, meant = " ".join(words[at : at + len(name)]), " ".join(name)
            if taken.isdisjoint(range(at, at + len(name))) and _is_like(said, meant):
                return f"is `{said}` meant as `{meant}`? {AS_IT_IS}"
    return ""


def _words(text: str) -> list[str]:
    plain = _QUOTED.sub(" ", text).replace("_", " ")
    return _WORD.findall(plain.casefold())


def _standing(words: Sequence[str], name: Sequence[str]) -> Iterator[int]:
    """The places at which a name stands among words."""
    return (at for at in range(len(words)) if words[at : at + len(name)] == name)


def _is_like(said: str, meant: str) -> bool:
    if min(len(said), len(meant)) < SHORTEST_SLIP:
        return False
    return SequenceMatcher(None, said, meant, autojunk=False).ratio() >= LEAST_LIKENESS
