"""Making a person in the browser: each request brings the text of a file and which of its records is
meant, and a building of it is answered like a game. Nothing is kept here: the page has the text.
"""

from __future__ import annotations

import base64
import json
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from ruleloom.building.building import Building, build
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.output.printed import sheet_html
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.sheet_pages import Press
from ruleloom.runtime.program.faults import Refused
from ruleloom.scenes.boards import Json
from ruleloom.web.carried import Carried, made_with
from ruleloom.web.live_sheet import DEEPEST, DEPTH, line_derivation, live_sheet
from ruleloom.web.lobby import ONE_AT_A_TIME, Shelf, compiled
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput, Fields

LONGEST_TEXT, LONGEST_LINE, MOST_LINES = 60_000, 4_000, 40
MOST_OFFERS, MOST_PANELS, MOST_KEPT = 40, 20, 24
Key = tuple[int, str, int]


@dataclass(slots=True)
class Makers:
    """The games of a shelf in which people are made, and the buildings of late, by their texts."""

    shelf: Shelf
    _kept: OrderedDict[Key, Building] = field(default_factory=OrderedDict)

    def building(self, fields: Fields) -> Building:
        """The building of a request."""
        game, number = fields.number("game"), fields.number("number")
        text = fields.text("text", LONGEST_TEXT)
        found = self._kept.get((game, text, number))
        if found is None:
            found = build(*self.packs(game), record=text, number=number)
        return self.kept(game, number, found)

    def kept(self, game: int, number: int, building: Building) -> Building:
        """A building, kept for the next request about it."""
        key = (game, building.text, number)
        self._kept[key] = building
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return building

    def packs(self, game: int) -> tuple[str, ...]:
        """The packs of a game."""
        if not 0 <= game < len(self.shelf.games):
            raise Refused(told("no_game"))
        return self.shelf.games[game]

    # ------------------------------------------------------------------ to begin, and go on

    def begun(self, fields: Fields) -> Json:
        """Somebody new: with nothing chosen, from a template, or at random."""
        game, kind = fields.number("game"), fields.text("kind", 64)
        building = build(*self.packs(game), kind=kind, template=fields.text("template", 200, ""))
        if fields.flag("random"):
            points, theme = fields.text("points", 12, ""), fields.text("theme", 64, "")
            building = random_record(
                building, seed=fields.number("seed"), points=_points(points), theme=theme
            )
        return self.view(self.kept(game, 0, building), 0, [])

    def viewed(self, fields: Fields) -> Json:
        """A person as the text stands."""
        return self.view(self.building(fields), fields.number("number"), _panels(fields))

    def said(self, fields: Fields) -> Json:
        """A person after some answers, lines of words."""
        building, number = self.building(fields), fields.number("number")
        lines = fields.texts("say")
        if not 0 < len(lines) <= MOST_LINES or any(len(one) > LONGEST_LINE for one in lines):
            raise BadInput(told("bad_field", name="say"))
        for line in lines:
            building = building.say(line)
        self.kept(fields.number("game"), number, building)
        return self.view(building, number, _panels(fields))

    def view(self, building: Building, number: int, panels: list[Fields]) -> Json:
        """A building as the page shows it, with what is on offer in its open panels."""
        sheets = [live_sheet(one, press) for one, press in _sheets(building)]
        return {
            **building.to_json(sheet=False),
            "number": number,
            "sheets": [one for one in sheets if one is not None],
            "offers": [_offered(building, one) for one in panels],
        }

    # ------------------------------------------------------------------ what is looked up

    def offers(self, fields: Fields) -> Json:
        """What is on offer for one choice."""
        return _offered(self.building(fields), fields)

    def about(self, fields: Fields) -> Json:
        """What an offer is, and the numbers that it would change."""
        building, line = self.building(fields), fields.text("say", LONGEST_LINE, "")
        text = building.card_text(fields.text("at", 300), fields.text("value", 300))
        changes = building.changes(line) if line else ()
        return {"text": text, "changes": [one._asdict() for one in changes]}

    def why(self, fields: Fields) -> list[str]:
        """How a number comes about: one of a sheet, by its place there, or one by its name."""
        building, deep = self.building(fields), fields.flag("deep")
        if "words" in fields.data:
            found = building.why(fields.text("words", 200), DEEPEST if deep else DEPTH)
            return derivation_text(normalised(found), "", False)
        id, block, line = fields.text("sheet", 200), fields.number("block"), fields.number("line")
        press = next(((one, press) for one, press in _sheets(building) if one.id == id), None)
        return line_derivation(*press, block, line, deep) if press else []

    # ------------------------------------------------------------------ to take along

    def exported(self, fields: Fields) -> Json:
        """The file of a person, the sheet to print, and a pack that holds nobody else."""
        building = self.building(fields)
        pages = building.sheets
        return {
            "id": building.id,
            "title": building.title,
            "text": building.text,
            "sheet": sheet_html(pages) if pages else "",
            "pack": self._packed(building, self.packs(fields.number("game"))),
        }
