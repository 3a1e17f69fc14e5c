"""The codes of extensions: what packs add to the vocabulary of their game.

The examples are packs for an invented game, `inn`, whose own pack lies in `inn/`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.compiler.diagnostics.codes import Code, pack, whole_packs

_PACK = "kind: pack\nid: {id}\nversion: 1.0.0\ngame: inn\nedition: 1\n"
_GAME: Mapping[str, str] = {
    "inn/pack.yaml": _PACK.format(id="inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\nenums: {Meal: [soup, pie]}\n"
    "entities: {Player: {noun: [player, players], max: 4}}\n",
    "inn/prices.yaml": "kind: table\nid: price\nby: Meal\ngives: Int\nrows: {soup: 1, pie: 2}\n"
    'english: "the price of {by}"\n',
    "inn/free.yaml": "kind: measure\nid: dear\ntakes: 'meal: Meal'\ngives: Bool\nis: price(meal) > 1\n"
    'english: "{meal} is dear"\n',
}
_STEW = "kind: extension\nid: stew\nextends: {Meal: [stew]}\n"
_STEW_PRICE = "kind: patch\nid: stew-price\ntarget: inn:table/price\nset: {rows.stew: 3}\n"


def _house(**files: str) -> dict[str, str]:
    """Return the game and a pack that adds to it."""
    house = {"pack": _PACK.format(id="house"), **files}
    return {**_GAME, **{f"house/{name}.yaml": text for name, text in house.items()}}


def _luck(said: str) -> dict[str, str]:
    fields = f"{{luck: {{type: Int, min: 0, max: 9, at_table: true{said}}}}}"
    return _house(luck=f"kind: extension\nid: luck\nextends: {{Player: {{fields: {fields}}}}}\n")


TABLE: dict[str, Code] = {
    "extends-nothing": pack(
        "an extension is of something that is not there",
        "`extends:` names enums and entities of the game, or of a pack that the manifest requires. What "
        "is new stands under `enums:` or `entities:`.",
        _house(more=_STEW.replace("Meal", "Meel")),
        _house(more=_STEW, price=_STEW_PRICE),
    ),
    "bad-extension": whole_packs(
        "something cannot be added to the game",
        "What there is already has to have a value for a new field, a pack says which packs it builds "
        "on, and where a driver in Python decides over values and places, nothing can be added that it"
        " would not know.",
        _luck("«¦, initial: 3»"),
    ),
    "unsaid-value": whole_packs(
        "something says nothing of a value that a pack has added",
        "A table or a printed field that had something for every value of an enum must have it for a "
        "new one too. The pack that adds the value patches it, and where two packs meet, a third that "
        "requires both.",
        _house(more=_STEW),
        _house(more=_STEW, price=_STEW_PRICE),
    ),
}
