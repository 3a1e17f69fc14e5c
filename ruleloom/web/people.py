"""Making a person in the browser: each request brings the text of a file and which of its records is
meant, and a building of it is answered like a game. Nothing is kept here: the page has the text.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from ruleloom.api.content_error import ContentError
from ruleloom.building.bench import Bench
from ruleloom.building.building import Building, bench_of, blank
from ruleloom.building.offers import card_text, offers
from ruleloom.building.random_build import random_record
from ruleloom.building.templates import (
    buildable_kinds,
    points_of,
    setting_of_points,
    template_text,
    templates_of,
    text_together,
    themes_of,
)
from ruleloom.building.view_data import changes_data, offers_data, record_data
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.packs.locate import PACK_ID
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.odds.of_things import is_tabulated, odds_of_record
from ruleloom.odds.question import BEST, NotAsked, read_rule
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.output.printed import sheet_html
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.sheet_pages import Press
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program, Sheet
from ruleloom.runtime.program.texts import setting_value
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenes.boards import Json
from ruleloom.web.carried import LONGEST_NAME, Carried, made_with, offered
from ruleloom.web.live_sheet import DEEPEST, DEPTH, line_derivation, live_sheet
from ruleloom.web.lobby import Shelf, plain_stem
from ruleloom.web.pages import told
from ruleloom.web.printed_card import record_card
from ruleloom.web.requests import BadInput, Fields

LONGEST_TEXT, LONGEST_LINE, MOST_LINES = 60_000, 4_000, 40
MOST_OFFERS, MOST_PANELS, MOST_KEPT, MOST_TOGETHER = 500, 20, 24, 60
NO_SWITCHES: Mapping[str, object] = {}
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
                person = self.person(fields)
                if name not in SLOW:
                    return ABOUT_ONE[name](self, person, fields)
            except ContentError as error:
                raise Refused(f"{told('mistakes')}\n{error}") from None
        return SLOW[name](person.building, fields)

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
        """The kinds that can be made with a game, those first for which it has an allowance."""
        kinds = buildable_kinds(self.packs(fields.number("game")))
        return {"kinds": [{"name": one.name, "title": one.name.replace("-", " ")} for one in kinds]}

    def kind(self, fields: Fields) -> Json:
        """How somebody of a kind may begin: like whom, by which themes, and with how many points."""
        game, kind = fields.number("game"), fields.text("kind", 64)
        bench = self._bench(game, kind)
        points = points_of(bench) if setting_of_points(bench) else None
        return {
            "points": None if points is None else number_text(points),
            "templates": [
                {"id": id, "title": title} for id, title in templates_of(bench.content, kind)
            ],
            "themes": themes_of(bench),
        }

    def _bench(self, game: int, kind: str, switches: Mapping[str, object] = NO_SWITCHES) -> Bench:
        return bench_of(self.packs(game), kind, "", switches)

    def begin(self, fields: Fields) -> Json:
        """Somebody new, of this name: with nothing chosen, like a template, or at random."""
        game, kind = fields.number("game"), fields.text("kind", 64)
        template, name = fields.text("template", 200, ""), fields.text("name", 100, "").strip()
        bench = self._bench(game, kind)
        text = template_text(bench, template) if template else blank(bench)
        if fields.flag("random"):
            points, setting = fields.text("points", 12, ""), setting_of_points(bench)
            switches = {setting: setting_value(points)} if points and setting else NO_SWITCHES
            start = Building(self._bench(game, kind, switches), text)
            text = random_record(start, fields.number("seed"), fields.text("theme", 64, "")).text
        building = Building(bench, text)
        if name:
            building = building.say(f"title = {name}").say(f"id = {plain_stem(name)}")
        return self.view(self.kept(game, building), fields)

    def records(self, fields: Fields) -> list[Json]:
        """The records of a file, of which one is gone on with."""
        return [
            {"number": number, "title": _words(item, "title") or _words(item, "id")}
            for number, item in enumerate(_items(fields.text("text", LONGEST_TEXT)))
            if _words(item, "kind")
        ]

    def together(self, fields: Fields) -> Json:
        """Several people of one game as one file, and a pack that holds it."""
        packs, nodes = self.packs(fields.number("game")), []
        for one in fields.tables("people", MOST_TOGETHER):
            nodes += [_record(one.text("text", LONGEST_TEXT), one.number("number"))]
        ids = [_words(one, "id") for one in nodes]
        if twice := [one for one in ids if ids.count(one) > 1]:
            raise Refused(told("same_id", id=twice[0]))
        text = text_together(nodes)
        pack = _pack(bench_of(packs, _words(nodes[0], "kind"), "", {}).program, OWN_ID, text)
        return {"id": OWN_ID, "title": "", "text": text, "pack": pack}

    def view(self, person: Person, fields: Fields) -> Json:
        """A person as the page shows them, with the prices under its open heading and what is on offer in its
        open panels."""
        building, bench = person.building, person.building.bench
        sheets = [live_sheet(one, press) for one, press in _sheets(building)]
        panels = fields.tables("offers", MOST_PANELS, [])
        return {
            **record_data(building, fields.number("heading", 0)),
            "number": building.number,
            "tabulated": is_tabulated(bench.content, bench.rows.symbols, bench.rows.entity.name),
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
        at = fields.text("at", 300)
        search, tag = fields.text("search", 200, ""), fields.text("tag", 64, "")
        most = min(fields.number("most"), MOST_OFFERS)
        return {"at": at, **offers_data(offers(person.building, at, search, tag, most))}

    def about(self, person: Person, fields: Fields) -> Json:
        """What an offer is, and the numbers that it would change."""
        building, line = person.building, fields.text("say", LONGEST_LINE, "")
        changes = changes_data(building.changes(line)) if line else []
        # The sheet may print a price, too.
        twice = tuple(f": {one.label}" for one in building.budgets)
        changes = [one for one in changes if not one["label"].endswith(twice)]
        text = card_text(building, fields.text("at", 300), fields.text("value", 300))
        return {"text": text, "changes": changes}

    def why(self, person: Person, fields: Fields) -> list[str]:
        """How a number comes about: one of a sheet, by its place there, or one by its name."""
        building, depth = person.building, DEEPEST if fields.flag("deep") else DEPTH
        if "words" in fields.data:
            found = building.why(fields.text("words", 200), depth)
            return derivation_text(normalised(found), "", False)
        id, place = fields.text("sheet", 200), (fields.number("block"), fields.number("line"))
        places = building.bench.content.rule_places()
        printed = [one for one in _sheets(building) if one[0].id == id]
        return line_derivation(*printed[0], place, places, depth) if printed else []

    def export(self, person: Person, fields: Fields) -> Json:
        """The file of a person, the sheet to print, and a pack that holds this file alone."""
        building = person.building
        return {
            "id": building.id,
            "title": building.title,
            "text": building.text,
            "sheet": sheet_html(building.sheets) if building.sheets else "",
            **_card(building),
            "pack": _pack(building.bench.program, building.id, building.text),
        }


def _pack(program: Program, id: str, text: str) -> Json:
    """A pack of one file as a zip, and as the end of an address, or why it cannot be one."""
    id = id if PACK_ID.fullmatch(id) else OWN_ID
    requires = ", ".join(f'{one.pack}: "*"' for one in program.lock)
    manifest = (
        f"kind: pack\nid: {id}\nversion: 1.0.0\ngame: {program.game}\nedition: 1\n"
        f"requires: {{{requires}}}\n"
    )
    made = made_with({one.pack: one.version for one in program.lock})
    carried = Carried(id[:LONGEST_NAME], {"pack.yaml": manifest, FILE: text}, made)
    return offered(carried, [one.pack for one in program.lock[1:]])


def odds_tables(building: Building, fields: Fields) -> list[Json]:
    """The tables of odds of a record, with answers that keep some of their lines."""
    rules = {}
    for answer in fields.texts("answers") if "answers" in fields.data else []:
        name, sign, said = answer.partition("=")
        if not sign or len(answer) > LONGEST_LINE or said.startswith(BEST):
            raise BadInput(told("bad_field", name="answers"))
        rules[name] = read_rule(said)
    try:
        found = odds_of_record(building.bench.content, building.data, rules)
    except (NotAsked, StepNotUnderstood, RuntimeFault) as error:
        raise Refused(str(error)) from None
    return [one.to_json() for one in found]


def _items(text: str) -> list[YamlNode]:
    """The items of a text; none if it cannot be read."""
    try:
        return items_in(text)
    except ValueError:
        return []


def _words(item: YamlNode, name: str) -> str:
    """What a field of an item says in words."""
    node = item.get(name)
    return (node.text or "") if node is not None else ""


def _record(text: str, number: int) -> YamlNode:
    """A record in a text. Raises Refused if there is none."""
    item = next(iter(_items(text)[number : number + 1]), None)
    if item is None or not _words(item, "kind"):
        raise Refused(told("no_person_in_it"))
    return item


def _read(packs: tuple[str, ...], text: str, number: int) -> Building:
    """The building of a record in a text. Raises Refused if there is none."""
    item = _record(text, number)
    return Building(bench_of(packs, _words(item, "kind"), _words(item, "id"), {}), text, number)


def _card(building: Building) -> Json:
    """The card of a person, if a layout prints one, or why it cannot be printed."""
    try:
        return {"card": record_card(building)}
    except Refused as refused:
        return {"card": None, "no_card": str(refused)}


def _sheets(building: Building) -> Iterator[tuple[Sheet, Press]]:
    """The sheets of a record, each with what prints it."""
    frame = building.standing
    if frame is not None:
        press = Press(frame.linked, frame.world, frame.number, lambda _entity, _number: "")
        for sheet in frame.linked.program.sheets:
            if sheet.entity == frame.main:
                yield sheet, press


UNBEGUN: Mapping[str, Callable[[Making, Fields], object]] = {
    "games": lambda making, _: {"games": making.shelf.names()},
    "offer": Making.offer,
    "kind": Making.kind,
    "begin": Making.begin,
    "records": Making.records,
    "together": Making.together,
}
ABOUT_ONE: Mapping[str, Callable[[Making, Person, Fields], object]] = {
    "view": Making.view,
    "say": Making.say,
    "offers": Making.offers,
    "about": Making.about,
    "why": Making.why,
    "export": Making.export,
}
# What takes seconds: nobody else waits for it.
SLOW: Mapping[str, Callable[[Building, Fields], object]] = {"odds": odds_tables}
MAKING = (*UNBEGUN, *ABOUT_ONE, *SLOW)
