"""What a card would print: the fields of its kind, its rules, its author's words, who patched it."""

from __future__ import annotations

from ruleloom.compiler.pipeline import compile_paths
from tests.support.pack_examples import write

PACK = (
    "{{kind: pack, id: {id}, title: {title}, version: 1.0.0, game: moonstone, edition: 1,"
    " requires: {{moonstone: '>=0.1'{more}}}}}\n"
)
ITEMS = """\
- kind: weapon
  id: oar
  title: Oar
  dice: 2
  sides: 6
  harm: blunt
  used_with: staves
  text: Long, wet and heavy.
- kind: advantage
  id: steady
  title: Steady
  rating: II
  natural: true
  uses_a_day: 2
  text: Nothing knocks you over.
  abilities: bonus(PR, 3, "steady")
"""
PATCH = "- {kind: patch, id: dearer, target: mine:advantage/steady, set: {rating: III}}\n"


def cards_of(tmp_path, texts):
    """Return the cards of packs by item id."""
    folders = [tmp_path / name for name in texts]
    for folder, files in zip(folders, texts.values(), strict=True):
        write(folder, files)
    result = compile_paths(folders, texts=True, scenarios=False)
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program.card_texts(), dict(result.program.texts)


def test_fields_rules_and_words(tmp_path):
    mine = {"pack.yaml": PACK.format(id="mine", title="Mine", more=""), "items.yaml": ITEMS}
    cards, texts = cards_of(tmp_path, {"mine": mine})
    assert cards["mine:weapon/oar"] == (
        "2d6; Damage type: Blunt; Ability: Staves.\nLong, wet and heavy."
    )
    assert cards["mine:advantage/steady"] == (
        "Rating: II; natural; Uses a day: 2.\nPR 3 higher.\nNothing knocks you over."
    )
    assert texts["mine:weapon/oar"].startswith("2d6; ")
    assert "Changed by" not in "".join(cards.values())


def test_who_has_patched_an_item(tmp_path):
    mine = {"pack.yaml": PACK.format(id="mine", title="Mine", more=""), "items.yaml": ITEMS}
    more = ", mine: '>=1.0'"
    over = {
        "pack.yaml": PACK.format(id="over", title="Higher Stakes", more=more),
        "patch.yaml": PATCH,
    }
    cards, texts = cards_of(tmp_path, {"mine": mine, "over": over})
    for told in (cards, texts):
        assert told["mine:advantage/steady"].endswith("Changed by Higher Stakes (rating).")
    assert cards["mine:advantage/steady"].startswith("Rating: III; ")
