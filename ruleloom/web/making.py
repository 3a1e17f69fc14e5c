"""Making a person in the browser: each request brings the text of a file and which of its records is
meant, and a building of it is answered like a game. Nothing is kept here: the page has the text.
"""

from __future__ import annotations

import base64
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from ruleloom.api.content_error import ContentError
from ruleloom.building.building import Building, bench_of, blank
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.packs.locate import PACK_ID
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.output.printed import sheet_html
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.sheet_pages import Press
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Sheet
from ruleloom.scenes.boards import Json
from ruleloom.web.carried import LONGEST_NAME, Carried, made_with
from ruleloom.web.live_sheet import DEEPEST, DEPTH, line_derivation, live_sheet
from ruleloom.web.lobby import Shelf
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput, Fields

LONGEST_TEXT, LONGEST_LINE, MOST_LINES = 60_000, 4_000, 40
MOST_OFFERS, MOST_PANELS, MOST_KEPT = 40, 20, 24
OWN_ID = "my-people"
FILE = "person.yaml"


class Person(NamedTuple):
    """The building of a request, with the number of its game."""

    game: int
    building: Building


@dataclass(slots=True)
class Making:
    """The people who are made with the games of a shelf. The buildings of late are kept by their texts, so
    that the next request about one is quick; a bench answers one at a time."""

    shelf: Shelf
    _kept: OrderedDict[tuple[int, str, int], Building] = field(default_factory=OrderedDict)
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def answer(self, name: str, fields: Fields) -> object:
        """The answer to a request of the page."""
        with self._turn:
            try:
                if name in UNBEGUN:
                    return UNBEGUN[name](self, fields)
                return ABOUT_ONE[name](self, self.person(fields), fields)
            except ContentError as error:
                raise Refused(f"{told('mistakes')}\n{error}") from None

    # ------------------------------------------------------------------ who is meant

    def packs(self, game: int) -> tuple[str, ...]:
        """The packs of a game."""
        if not 0 <= game < len(self.shelf.games):
            raise Refused(told("no_game"))
        return self.shelf.games[game]

    def person(self, fields: Fields) -> Person:
        """Who is meant by a request."""
        game, number = fields.number("game"), fields.number("number")
        text = fields.text("text", LONGEST_TEXT)
        found = self._kept.get((game, text, number))
        return self.kept(game, found or _read(self.packs(game), text, number))

    def kept(self, game: int, building: Building) -> Person:
        """A building, kept for the next request about it."""
        key = (game, building.text, building.number)
        self._kept[key] = building
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return Person(game, building)

    # ------------------------------------------------------------------ answers

    def offer(self, fields: Fields) -> Json:
        """What can be made with a game."""
        return {"kinds": [one.to_json() for one in kinds(self.packs(fields.number("game")))]}

    def begin(self, fields: Fields) -> Json:
        """Somebody new: with nothing chosen, like a template, or at random."""
        game, kind = fields.number("game"), fields.text("kind", 64)
        bench = bench_of(self.packs(game), kind, "", {})
        building = Building(bench, template_text(bench, fields.text("template", 200, "")))
        if fields.flag("random"):
            points, theme = fields.text("points", 12, ""), fields.text("theme", 64, "")
            building = random_record(building, fields.number("seed"), points or None, theme)
        return self.view(self.kept(game, building), fields)

    def view(self, person: Person, fields: Fields) -> Json:
        """A person as the page shows them, with what is on offer in its open panels."""
        building = person.building
        sheets = [live_sheet(one, press) for one, press in _sheets(building)]
        panels = fields.tables("offers", MOST_PANELS, [])
        return {
            **building.to_json(),
            "number": building.number,
            "sheets": [one for one in sheets if one is not None],
            "offers": [self.offers(person, one) for one in panels],
        }

    def say(self, person: Person, fields: Fields) -> Json:
        """A person after answers, which are lines of words."""
        lines, building = fields.texts("say"), person.building
        if not 0 < len(lines) <= MOST_LINES or any(len(one) > LONGEST_LINE for one in lines):
            raise BadInput(told("bad_field", name="say"))
        for line in lines:
            building = building.say(line)
        return self.view(self.kept(person.game, building), fields)

    def offers(self, person: Person, fields: Fields) -> Json:
        """What is on offer for a choice."""
        at, search = fields.text("at", 300), fields.text("search", 200, "")
        found = person.building.offers(at, search, fields.text("tag", 64, ""), MOST_OFFERS)
        return {"at": at, **found.to_json()}

    def about(self, person: Person, fields: Fields) -> Json:
        """What an offer is, and the numbers that it would change."""
        line, building = fields.text("say", LONGEST_LINE, ""), person.building
        text = building.card_text(fields.text("at", 300), fields.text("value", 300))
        changes = building.changes(line) if line else ()
        told = [{"label": o.label, "before": o.before, "after": o.after} for o in changes]
        return {"text": text, "changes": told}

    def why(self, person: Person, fields: Fields) -> list[str]:
        """How a number comes about: one of a sheet, by its place there, or one by its name."""
        building, deep = person.building, fields.flag("deep")
        if "words" in fields.data:
            found = building.why(fields.text("words", 200), DEEPEST if deep else DEPTH)
            return derivation_text(normalised(found), "", False)
        id, block, line = fields.text("sheet", 200), fields.number("block"), fields.number("line")
        for sheet, press in _sheets(building):
            if sheet.id == id:
                return line_derivation(sheet, press, block, line, deep)
        return []

    def export(self, person: Person, fields: Fields) -> Json:
        """The file of a person, the sheet to print, and a pack that holds this file alone."""
        building = person.building
        return {
            "id": building.id,
            "title": building.title,
            "text": building.text,
            "sheet": sheet_html(building.sheets) if building.sheets else "",
            "pack": self._pack(person),
        }

    def _pack(self, person: Person) -> Json:
        """A pack of a person as a zip, and as the end of an address, or why it cannot be one."""
        building = person.building
        lock = building.bench.program.lock
        id = building.id if PACK_ID.fullmatch(building.id) else OWN_ID
        requires = ", ".join(f'{one.pack}: "*"' for one in lock)
        manifest = [
            *(f"kind: pack\nid: {id}\nversion: 1.0.0", f"game: {building.bench.program.game}"),
            *(f"edition: {building.bench.content.edition}", f"requires: {{{requires}}}\n"),
        ]
        files = {"pack.yaml": "\n".join(manifest), FILE: building.text}
        made = made_with({one.pack: one.version for one in lock})
        carried = Carried(id[:LONGEST_NAME], files, made)
        try:
            link, reason = carried.link, ""
        except Refused as refused:
            link, reason = "", str(refused)
        data = base64.b64encode(carried.zip).decode()
        needs = [one.pack for one in lock[1:]]
        return {"name": carried.name, "zip": data, "link": link, "reason": reason, "needs": needs}


def _read(packs: tuple[str, ...], text: str, number: int) -> Building:
    """The building of a record in a text. Raises Refused if there is none that can be made."""
    try:
        item = items_in(text)[number]
        kind, name = item.get("kind"), item.get("id")
    except (LookupError, ValueError):
        raise Refused(told("no_person_in_it")) from None
    if kind is None:
        raise Refused(told("no_person_in_it"))
    named = name.text if name is not None else ""
    return Building(bench_of(packs, kind.text or "", named or "", {}), text, number)


def _sheets(building: Building) -> Iterator[tuple[Sheet, Press]]:
    """The sheets of a record, each with what prints it."""
    frame, _ = building.bench.framed(building.data)
    if frame is not None:
        press = Press(frame.linked, frame.world, frame.number, lambda _entity, _number: "")
        for sheet in frame.linked.program.sheets:
            if sheet.entity == frame.main:
                yield sheet, press


UNBEGUN: Mapping[str, Callable[[Making, Fields], object]] = {
    "games": lambda making, _: {"games": making.shelf.names()},
    "offer": Making.offer,
    "begin": Making.begin,
}
ABOUT_ONE: Mapping[str, Callable[[Making, Person, Fields], object]] = {
    "view": Making.view,
    "say": Making.say,
    "offers": Making.offers,
    "about": Making.about,
    "why": Making.why,
    "export": Making.export,
}
MAKING = (*UNBEGUN, *ABOUT_ONE)
