"""Decks for Tabletop Simulator: from pictures of cards to the saved object, and where each card stands on a
sheet of pictures.

A sheet has ten cards in a row and seven rows, and at most 4096 pixels each way. Its last place is what others
see of a card in somebody's hand, so it holds 69.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ruleloom.runtime.dataclass import Frozen

ACROSS, DOWN, MOST_PIXELS = 10, 7, 4096
MOST_CARDS = ACROSS * DOWN - 1
GUID = 6  # letters of an object's id
STANDING = {
    **{f"pos{axis}": 0.0 for axis in "XYZ"},
    **{"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0},
    **{f"scale{axis}": 1.0 for axis in "XYZ"},
}


class DeckCard(Frozen):
    """A card of a deck: the address of its item, its title, and the words that are shown beside it."""

    id: str
    title: str
    words: str


class DeckSheet(Frozen):
    """The cards of one picture in reading order, and the addresses of the picture and of the back."""

    cards: tuple[DeckCard, ...]
    face: str
    back: str


def parted(cards: Sequence[DeckCard]) -> list[tuple[DeckCard, ...]]:
    """The cards of each sheet."""
    return [tuple(cards[at : at + MOST_CARDS]) for at in range(0, len(cards), MOST_CARDS)]


def card_pixels(width: int, height: int) -> tuple[int, int]:
    """The largest size in pixels that a card of these proportions has on a sheet."""
    across, down = MOST_PIXELS // ACROSS, MOST_PIXELS // DOWN
    scale = min(across * height, down * width)
    return scale // height, scale // width


def place_on_sheet(number: int, size: tuple[int, int]) -> tuple[int, int]:
    """The left and top of a card on its sheet, in pixels."""
    row, column = divmod(number, ACROSS)
    return column * size[0], row * size[1]


def saved_object(title: str, sheets: Sequence[DeckSheet]) -> str:
    """A deck as the JSON of a saved object, to lie in the folder `Saved Objects`."""
    decks = {str(number): _sheet(one) for number, one in enumerate(sheets, 1)}
    cards = [
        _object("Card", one.id, one.title, one.words)
        | {"CardID": number * 100 + at, "CustomDeck": {str(number): decks[str(number)]}}
        for number, sheet in enumerate(sheets, 1)
        for at, one in enumerate(sheet.cards)
    ]
    deck = _object("DeckCustom", f"deck {title}", title, "") | {
        "DeckIDs": [one["CardID"] for one in cards],
        "CustomDeck": decks,
        "ContainedObjects": cards,
    }
    saved = {"SaveName": title, "GameMode": "", "Date": "", "ObjectStates": [deck]}
    return json.dumps(saved, indent=2, ensure_ascii=False) + "\n"


def _sheet(one: DeckSheet) -> dict[str, Any]:
    return {
        "FaceURL": one.face,
        "BackURL": one.back,
        "NumWidth": ACROSS,
        "NumHeight": DOWN,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 0,
    }


def _object(name: str, address: str, title: str, words: str) -> dict[str, Any]:
    return {
        "GUID": hashlib.sha256(address.encode()).hexdigest()[:GUID],
        "Name": name,
        "Transform": STANDING,
        "Nickname": title,
        "Description": words,
        "GMNotes": address,
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "Hands": name == "Card",
    }
