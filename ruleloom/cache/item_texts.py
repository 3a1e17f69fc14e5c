"""The texts of a game's items in the cache, so that whoever asks for one need not wait for the compiler,
nor load what reads programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleloom.cache.lookup import CacheQuery
from ruleloom.runtime.dataclass import dataclass

TEXTS = "texts of items"
"""The sort of what is kept."""


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """The texts of all items by id, in full and as a card would print them."""

    full: Mapping[str, str]
    cards: Mapping[str, str]


NO_TEXTS = ItemTexts({}, {})


def kept_texts(query: CacheQuery) -> ItemTexts | None:
    """The texts that are kept of packs."""
    kept = query.answer() or query.brought()
    try:
        return None if kept is None else read_texts(kept.data)
    except (ValueError, TypeError, KeyError):
        return None


def read_texts(data: Any) -> ItemTexts:
    """The texts that `texts_data` wrote; ValueError, TypeError or KeyError for anything else."""
    full, cards = dict(data["full"]), dict(data["cards"])
    if not all(
        type(text) is str for texts in (full, cards) for pair in texts.items() for text in pair
    ):
        raise TypeError("these are no texts")
    return ItemTexts(full, cards)


def texts_data(texts: ItemTexts) -> dict[str, Any]:
    """Texts as plain data."""
    return {"full": texts.full, "cards": texts.cards}


def keep_texts(
    query: CacheQuery, texts: ItemTexts, sources: Mapping[str, str], packs: Mapping[str, Path]
) -> None:
    """Keep texts that were made of these sources, of the packs in these folders."""
    query.keep(texts_data(texts), sources, packs)
