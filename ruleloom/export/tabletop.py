"""Printed cards for Tabletop Simulator: pictures of sheets, and a saved object whose decks show them.

A sheet has ten cards in a row and seven rows, and at most 4096 pixels each way. Its last place is what others
see of a card in somebody's hand, so it holds 69. Cards of one size are a deck.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.export.game_data import EVERYWHERE, Exported
from ruleloom.printing.deck import Card
from ruleloom.printing.marks import Drawing
from ruleloom.printing.paper import PaperSide, Placed, alone
from ruleloom.runtime.dataclass import Frozen

ACROSS, DOWN, MOST_PIXELS = 10, 7, 4096
MOST_CARDS = ACROSS * DOWN - 1
MICROMETRES = 25_400  # in an inch
GUID = 6  # letters of an object's id
UNTINTED = {"r": 0.713, "g": 0.713, "b": 0.713}
"""The tint that the program gives cards of its own."""
STANDING = {
    **{"posX": 0.0, "posY": 1.0, "posZ": 0.0},
    **{"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0},
    **{"scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0},
}
Draw = Callable[[PaperSide, int], bytes]
"""A side of paper as a picture, at so many dots an inch."""


class DeckSheet(Frozen):
    """The cards of one picture, in reading order; the names of its file and of the file of their backs, which
    is a picture of one if all are alike."""

    cards: tuple[Card, ...]
    face: str
    back: str

    @property
    def unlike(self) -> bool:
        """Whether the backs of its cards differ."""
        return any(one.back.groups != self.cards[0].back.groups for one in self.cards)

    def pictures(self, draw: Draw) -> Iterator[tuple[str, bytes]]:
        """The pictures of both sides, by the names of their files."""
        yield self.face, _drawn(_side([one.front for one in self.cards]), draw)
        backs = [one.back for one in self.cards]
        yield self.back, _drawn(_side(backs) if self.unlike else alone(backs[0], False), draw)


def to_tabletop(
    name: str, cards: Sequence[Card], words: Mapping[str, str], place: str, draw: Draw
) -> Exported:
    """The saved object and its pictures; `place` is the address of the folder where they will lie."""
    decks: dict[tuple[int, int], list[Card]] = {}
    for card in cards:
        decks.setdefault((card.front.width, card.front.height), []).append(card)
    sheets = [list(_sheets(name, number, many)) for number, many in enumerate(decks.values(), 1)]
    files: dict[str, str | bytes] = {
        file: data for deck in sheets for one in deck for file, data in one.pictures(draw)
    }
    files[f"{name}.json"] = saved_object(name, sheets, words, place)
    left = [
        "Items without a card, tables and odds.",
        f"Pictures that others see, unless they lie at {place}: --at names another place.",
    ]
    return Exported(files, (*EVERYWHERE, *left))


def _sheets(name: str, deck: int, cards: Sequence[Card]) -> Iterator[DeckSheet]:
    for number, at in enumerate(range(0, len(cards), MOST_CARDS), 1):
        file = f"{name}-{deck}-{number}"
        yield DeckSheet(tuple(cards[at : at + MOST_CARDS]), f"{file}.png", f"{file}-back.png")


def _side(drawings: Sequence[Drawing]) -> PaperSide:
    """Sides of cards beside each other, without room between them."""
    width, height = drawings[0].width, drawings[0].height
    spots = (divmod(number, ACROSS) for number in range(len(drawings)))
    placed = tuple(
        Placed(column * width, row * height, drawing)
        for (row, column), drawing in zip(spots, drawings, strict=True)
    )
    return PaperSide(ACROSS * width, DOWN * height, placed, (), False)


def _drawn(side: PaperSide, draw: Draw) -> bytes:
    """A picture that is as large as it may be."""
    return draw(side, MOST_PIXELS * MICROMETRES // max(side.width, side.height))


def saved_object(
    title: str, decks: Sequence[Sequence[DeckSheet]], words: Mapping[str, str], place: str
) -> str:
    """Decks as the JSON of a saved object, to lie in the folder `Saved Objects`."""
    numbers = iter(range(1, 1 + sum(map(len, decks))))
    made = []
    for number, sheets in enumerate(decks):
        deck = _deck(
            f"{title} {number + 1}", [(next(numbers), one) for one in sheets], words, place
        )
        made.append(deck | {"Transform": STANDING | {"posX": number * 4.0}})
    saved = {"SaveName": title, "GameMode": "", "Date": "", "ObjectStates": made}
    return json.dumps(saved, indent=2, ensure_ascii=False) + "\n"


def _deck(
    title: str, sheets: Sequence[tuple[int, DeckSheet]], words: Mapping[str, str], place: str
) -> dict[str, Any]:
    """A deck; where there is but one card, that card."""
    shown = {str(number): _shown(one, place) for number, one in sheets}
    cards = [
        _object("Card", f"{one.item.id}#{one.name}", one.front.title, words.get(one.item.id, ""))
        | {"CardID": number * 100 + at, "CustomDeck": {str(number): shown[str(number)]}}
        for number, sheet in sheets
        for at, one in enumerate(sheet.cards)
    ]
    if len(cards) == 1:
        return cards[0]
    ids = [one["CardID"] for one in cards]
    deck = {"DeckIDs": ids, "CustomDeck": shown, "ContainedObjects": cards}
    return _object("DeckCustom", f"deck {title}", title, "") | deck


def _shown(one: DeckSheet, place: str) -> dict[str, Any]:
    return {
        "FaceURL": f"{place.rstrip('/')}/{one.face}",
        "BackURL": f"{place.rstrip('/')}/{one.back}",
        "NumWidth": ACROSS,
        "NumHeight": DOWN,
        "BackIsHidden": True,
        "UniqueBack": one.unlike,
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
        "IgnoreFoW": False,
        "ColorDiffuse": UNTINTED,
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "Hands": name == "Card",
    }
