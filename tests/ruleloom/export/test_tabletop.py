"""Decks for Tabletop Simulator: how many cards a sheet takes, how large it is, what the object says, and that
pictures show the cards."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ruleloom.cli.cards import cards_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.export.tabletop import ACROSS, DOWN, MOST_CARDS, MOST_PIXELS, to_tabletop
from ruleloom.printing.deck import Card
from ruleloom.printing.paper import PaperSide
from tests.support.command import call

GAMES = ("gnostica", "moonstone", "monotheism", "witchgates")
INCH = 25_400
PLACE = "https://example.org/decks/"
with_pictures = pytest.mark.skipif(
    importlib.util.find_spec("fpdf") is None, reason="the extra `pdf` is not installed"
)


@cache
def cards_in(game: str) -> list[Card]:
    return cards_of(compile_paths([game], texts=True, reasons=False, scenarios=False))


def exported(cards: list[Card]) -> tuple[list[tuple[PaperSide, int]], dict[str, Any]]:
    """What is drawn for these cards, and the saved object."""
    drawn: list[tuple[PaperSide, int]] = []

    def draw(side: PaperSide, dots: int) -> bytes:
        drawn.append((side, dots))
        return b""

    made = to_tabletop("deck", cards, {}, PLACE, draw)
    saved = json.loads(made.files["deck.json"])
    pictures = {name for name in made.files if name.endswith(".png")}
    named = {
        sheet[side].removeprefix(PLACE)
        for one in saved["ObjectStates"]
        for sheet in one["CustomDeck"].values()
        for side in ("FaceURL", "BackURL")
    }
    assert pictures == named
    return drawn, saved


@pytest.mark.parametrize("game", GAMES)
def test_sheets_are_as_large_as_they_may_be(game: str):
    drawn, _ = exported(cards_in(game))
    for side, dots in drawn:
        longer = max(side.width, side.height)
        assert longer * dots <= MOST_PIXELS * INCH < longer * (dots + 1)
        places = {(one.left, one.top) for one in side.placed}
        assert len(places) == len(side.placed) <= MOST_CARDS
        for one in side.placed:
            assert one.left + one.drawing.width <= side.width
            assert one.top + one.drawing.height <= side.height


@pytest.mark.parametrize("game", GAMES)
def test_each_card_is_there_once_with_the_number_of_its_sheet_and_its_place(game: str):
    cards = cards_in(game)
    _, saved = exported(cards)
    shown = [card for one in saved["ObjectStates"] for card in one.get("ContainedObjects", [one])]
    assert sorted(one["GMNotes"].partition("#")[0] for one in shown) == sorted(
        card.item.id for card in cards
    )
    assert len({one["GUID"] for one in shown}) == len(cards)
    ids = [one["CardID"] for one in shown]
    assert len(set(ids)) == len(ids)
    for one in shown:
        (number,) = one["CustomDeck"]
        assert one["CardID"] // 100 == int(number)
        assert one["CardID"] % 100 < MOST_CARDS
        assert one["CustomDeck"][number]["NumWidth"] * one["CustomDeck"][number]["NumHeight"] == 70
    for one in saved["ObjectStates"]:
        if one["Name"] == "DeckCustom":
            assert one["DeckIDs"] == [card["CardID"] for card in one["ContainedObjects"]]


def test_the_last_place_of_a_sheet_stays_free():
    cards = cards_in("gnostica")
    assert [len(side.placed) for side, _ in exported(cards)[0][::2]] == [69, 9]


def test_backs_that_are_alike_are_one_picture_and_others_a_sheet():
    cards = cards_in("gnostica")
    alike = [one for one in cards if one.back.groups == cards[0].back.groups]
    assert 1 < len(alike) < len(cards)
    (_, (back, _)), saved = exported(alike)
    assert len(back.placed) == 1
    assert not saved["ObjectStates"][0]["CustomDeck"]["1"]["UniqueBack"]
    _, saved = exported(cards)
    assert saved["ObjectStates"][0]["CustomDeck"]["1"]["UniqueBack"]


def test_a_single_card_is_no_deck():
    _, saved = exported(cards_in("gnostica")[:1])
    (card,) = saved["ObjectStates"]
    assert (card["Name"], card["CardID"]) == ("Card", 100)


@with_pictures
def test_the_pictures_show_each_card_on_its_ground(tmp_path: Path):
    from PIL import Image

    folder = tmp_path / "decks"
    done = call("export", "gnostica", "--to", "tts", "-o", folder)
    assert done.code == 0, done.err
    (deck,) = json.loads((folder / "gnostica.json").read_text("utf-8"))["ObjectStates"]
    assert deck["CustomDeck"]["1"]["FaceURL"] == (folder / "gnostica-1-1.png").as_uri()
    picture = Image.open(BytesIO((folder / "gnostica-1-1.png").read_bytes()))
    assert max(picture.size) <= MOST_PIXELS
    width, height = (size / many for size, many in zip(picture.size, (ACROSS, DOWN), strict=True))
    majors = [56, 57, 58, 68]  # of one colour
    grounds = {
        picture.getpixel((int(number % ACROSS * width + 4), int(number // ACROSS * height + 4)))
        for number in majors
    }
    assert len(grounds) == 1
    assert grounds != {(0, 0, 0)}
    assert picture.getpixel((picture.width - 9, picture.height - 9)) == (255, 255, 255)
    moved = call("export", "gnostica", "--to", "tts", "-o", folder, "--at", PLACE)
    assert PLACE in moved.out
    assert f'"{PLACE}gnostica-1-1.png"' in (folder / "gnostica.json").read_text("utf-8")
