"""The things under `made:`, by the names that effect texts of a case call them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.resolve.symbols import Symbols

NAMED = re.compile(r"[^\W\d]\w*")
Named = Mapping[str, tuple[str, str]]
"""The entity and the name of each thing made in play, by its name in effect text."""


def made_in(symbols: Symbols, made: Any) -> Named:
    """The things under `made:`, but those that share a name."""
    found: list[tuple[str, str]] = []
    for entity, things in _pairs(made):
        for name, fields in _pairs(things):
            found += (entity, str(name)), *_made_within(symbols, fields)
    words = [re.sub(r"\W+", "_", name) for _, name in found]
    return {
        word: one
        for word, one in zip(words, found, strict=True)
        if NAMED.fullmatch(word) and words.count(word) == 1
    }


def _made_within(symbols: Symbols, fields: Any) -> Iterator[tuple[str, str]]:
    """The entity and the name of each thing in the lists of another one that is made."""
    for key, listed in _pairs(fields):
        query = symbols.callables.get(folded(key))
        of = query.of.partition(".")[0] if query is not None else ""
        lists = listed.values() if isinstance(listed, dict) else [listed]
        names = chain.from_iterable(one for one in lists if isinstance(one, list))
        yield from ((of, str(one)) for one in names if of)


def _pairs(data: Any) -> Iterable[tuple[Any, Any]]:
    return data.items() if isinstance(data, dict) else ()


def named_in(text: str, made: Named, symbols: Symbols) -> Named:
    """The things made in play that a text names, where the name means nothing else in the game."""
    words = set(NAMED.findall(text)) & made.keys()
    known = {*symbols.value_names(), *symbols.named, *symbols.types} if words else set()
    return {name: made[name] for name in sorted(words - known)}
