"""Writes `docs/images/cards-GAME.webp`, all cards of each game on one picture: `python -m tests.docs.contact_sheets`."""

from __future__ import annotations

from io import BytesIO
from math import ceil, sqrt

from PIL import Image

from ruleloom.api.at_rest import at_rest
from ruleloom.api.making import sound
from ruleloom.cli.cards import things
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.printing.deck import Deck
from ruleloom.printing.paper import alone
from ruleloom.printing.pdf import png
from tests.conftest import ROOT

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
DOTS, GAP, QUALITY = 55, 6, 60


def contact_sheet(game: str) -> Image.Image:
    """All cards of a game, about as wide as high."""
    program, content = sound(compile_paths([game], texts=True, reasons=False, scenarios=False))
    deck = Deck(program, content, at_rest(program), Report(), saving=False)
    drawn = [
        Image.open(BytesIO(png(alone(card.front, bleed=False), DOTS)))
        for card in deck.cards(things(program, content, ()))
    ]
    width, height = drawn[0].width + GAP, drawn[0].height + GAP
    columns = ceil(sqrt(len(drawn) * height / width))
    size = columns * width + GAP, ceil(len(drawn) / columns) * height + GAP
    sheet = Image.new("RGB", size, "#d8d4cc")
    for number, one in enumerate(drawn):
        row, column = divmod(number, columns)
        sheet.paste(one, (GAP + column * width, GAP + row * height))
    return sheet


if __name__ == "__main__":
    for name in GAMES:
        contact_sheet(name).save(ROOT / "docs" / "images" / f"cards-{name}.webp", quality=QUALITY)
