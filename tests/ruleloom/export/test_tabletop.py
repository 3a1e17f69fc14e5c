"""Decks for Tabletop Simulator: how many cards a sheet takes, how large they are, and what the object says."""

from __future__ import annotations

import json

import pytest

from ruleloom.export.tabletop import (
    ACROSS,
    DOWN,
    MOST_PIXELS,
    DeckCard,
    DeckSheet,
    card_pixels,
    parted,
    place_on_sheet,
    saved_object,
)


def cards(many: int) -> list[DeckCard]:
    return [DeckCard(f"inn:dish/d{one}", f"Dish {one}", "tasty") for one in range(many)]


@pytest.mark.parametrize(
    ("many", "sheets"), [(0, []), (1, [1]), (69, [69]), (70, [69, 1]), (140, [69, 69, 2])]
)
def test_the_last_place_of_a_sheet_stays_free(many: int, sheets: list[int]):
    assert [len(one) for one in parted(cards(many))] == sheets


@pytest.mark.parametrize("size", [(63, 88), (70, 120), (120, 70), (1, 1)])
def test_a_sheet_is_as_large_as_it_may_be_and_keeps_the_proportions(size: tuple[int, int]):
    width, height = card_pixels(*size)
    assert width * ACROSS <= MOST_PIXELS
    assert height * DOWN <= MOST_PIXELS
    assert (width + 1) * ACROSS > MOST_PIXELS or (height + 1) * DOWN > MOST_PIXELS
    assert abs(width / height - size[0] / size[1]) < 0.02
    assert place_on_sheet(11, (width, height)) == (width, height)


def test_each_card_names_its_sheet_and_its_place():
    sheets = [
        DeckSheet(one, f"https://example.org/{number}.png", "https://example.org/back.png")
        for number, one in enumerate(parted(cards(71)), 1)
    ]
    (deck,) = json.loads(saved_object("Dishes", sheets))["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert deck["DeckIDs"] == [*range(100, 169), 200, 201]
    assert [one["CardID"] for one in deck["ContainedObjects"]] == deck["DeckIDs"]
    assert {one["NumWidth"] * one["NumHeight"] for one in deck["CustomDeck"].values()} == {70}
    guids = [one["GUID"] for one in deck["ContainedObjects"]]
    assert all(len(one) == 6 and int(one, 16) >= 0 for one in guids)
    assert deck["ContainedObjects"][-1]["Nickname"] == "Dish 70"
    assert deck["ContainedObjects"][-1]["CustomDeck"] == {"2": deck["CustomDeck"]["2"]}
