"""What packs translate, and the sentences that languages make of their rules, stored apart from programs: a
language is a reading of any program of these packs."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from ruleloom.compiler.translation.realised import Realised
from ruleloom.runtime.dataclass import Frozen
from ruleloom.store.store import StoreEntry, StoreKind


class Translated(Frozen):
    """What packs translate into one language, by the English: texts, words that sentences are made of, and
    whole sentences of rules."""

    texts: dict[str, str]
    words: dict[str, str]
    sentences: dict[str, str]


T = TypeVar("T", Translated, Realised)


def _read(of: type[T], entry: StoreEntry) -> dict[str, T]:
    """The tables of an entry, by the code of their language."""
    found = {
        code: of(**{name: dict(table) for name, table in dict(tables).items()})
        for code, tables in dict(entry.data).items()
    }
    texts = (
        text for one in found.values() for table in asdict(one).values() for text in table.items()
    )
    if not all(type(text) is str for pair in texts for text in pair):
        raise TypeError("these are no texts")
    return found


def _data(tables: dict[str, Any]) -> dict[str, Any]:
    """Tables as JSON data."""
    return {code: asdict(one) for code, one in tables.items()}


LANGUAGE_TABLES = StoreKind("languages", _data, partial(_read, Translated), ships=True, held=True)
RULES_SENTENCES = StoreKind(
    "rules-sentences", _data, partial(_read, Realised), ships=True, held=True
)
