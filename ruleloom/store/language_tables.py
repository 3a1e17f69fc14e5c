"""What packs translate, stored apart from programs: a language is a reading of any program of these packs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.store.store import StoreEntry, StoreKind


class Translated(Frozen):
    """What packs translate into one language, by the English: texts, and sentences of rules; the sentences
    that the language makes of its words, and each word that it lacks, with a sentence that wants it."""

    texts: Mapping[str, str]
    sentences: Mapping[str, str]
    made: Mapping[str, str]
    wanted: Mapping[str, str]


Languages = Mapping[str, Translated]
"""What packs translate, by the code of the language."""


def read_languages(entry: StoreEntry) -> Languages:
    """The languages of an entry."""
    found = {
        code: Translated(**{name: dict(table) for name, table in dict(tables).items()})
        for code, tables in dict(entry.data).items()
    }
    texts = (
        text for one in found.values() for table in asdict(one).values() for text in table.items()
    )
    if not all(type(text) is str for pair in texts for text in pair):
        raise TypeError("these are no texts")
    return found


def languages_data(languages: Languages) -> dict[str, Any]:
    """Languages as JSON data."""
    return {code: asdict(one) for code, one in languages.items()}


LANGUAGE_TABLES = StoreKind("languages", languages_data, read_languages, ships=True, held=True)
