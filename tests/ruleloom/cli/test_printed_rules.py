"""What is printed, and who carries it out: clauses of the rules, and texts without an effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call

MANIFEST = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
ITEMS = """
- {kind: clause, id: house.lit, place: Second evening, page: 4, sort: effect, words: the lamp is lit}
- {kind: clause, id: house.dark, words: the other is dark}
- {kind: major, id: lamp, title: Lamp, number: 90, text: It is lit., effect: say "lit", clauses: [house.lit]}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A pack with two clauses and a card."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "items.yaml").write_text(ITEMS, encoding="utf-8")
    return folder


def test_a_clause_is_explained_with_its_place_and_its_items(house: Path):
    told = call("explain", "house.lit", "--pack", str(house)).out
    assert told.splitlines() == [
        "house:clause/house.lit",
        "the lamp is lit",
        "Place: Second evening; Page: 4; Sort: effect",
        "Carried out by house:major/lamp.",
    ]
    dark = call("explain", "house.dark", "--pack", str(house)).out
    assert dark.splitlines()[1:] == ["the other is dark", "No item carries this out."]


def test_a_printed_text_that_nothing_carries_out_is_listed(house: Path):
    assert "every printed text has an effect" in call("check", str(house), "--uncovered").out
    spell = (
        "- {{kind: spell, id: {0}, title: {0}, of: hearth-magic, cost: 1, text: It is {0}.{1}}}\n"
    )
    effects = {
        "dim": "",
        "named": "",
        "able": ", effect: 'let one = named'",
        "lit": ", effect: stop",
    }
    (house / "pack.yaml").write_text(MANIFEST.replace("gnostica", "moonstone"), encoding="utf-8")
    text = "".join(spell.format(*one) for one in effects.items())
    (house / "items.yaml").write_text(text, encoding="utf-8")
    told = call("check", str(house), "--uncovered").out
    assert "  house: 1 of 4 spell\n    house:spell/dim\n" in told
    refused = call("check", str(house), "--uncovered", "--format", "json")
    assert refused.code != 0
