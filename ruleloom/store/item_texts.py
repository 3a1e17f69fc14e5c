"""The texts of a game's items, stored apart from programs: reading them needs neither compiler nor reader of
programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.store.store import StoreEntry, StoreKind


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """The texts of all items by id, in full and as on a card."""

    full: Mapping[str, str]
    cards: Mapping[str, str]


NO_TEXTS = ItemTexts({}, {})


def read_texts(entry: StoreEntry) -> ItemTexts:
    """The texts of an entry."""
    data = entry.data
    full, cards = dict(data["full"]), dict(data["cards"])
    if not all(
        type(text) is str for texts in (full, cards) for pair in texts.items() for text in pair
    ):
        raise TypeError("these are no texts")
    return ItemTexts(full, cards)


def texts_data(texts: ItemTexts) -> dict[str, Any]:
    """Texts as JSON data."""
    return {"full": texts.full, "cards": texts.cards}


TEXTS = StoreKind("texts", texts_data, read_texts, ships=True)
