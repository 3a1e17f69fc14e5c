"""The texts of all items of a game in the cache, so that one of them is told without the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

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
    kept = query.answer()
    try:
        return (
            None if kept is None else ItemTexts(dict(kept.data["full"]), dict(kept.data["cards"]))
        )
    except (ValueError, TypeError, KeyError):
        return None


def keep_texts(
    query: CacheQuery, texts: ItemTexts, sources: Mapping[str, str], packs: Mapping[str, Path]
) -> None:
    """Keep texts that were made of these sources, of the packs in these folders."""
    query.keep({"full": texts.full, "cards": texts.cards}, sources, packs)
