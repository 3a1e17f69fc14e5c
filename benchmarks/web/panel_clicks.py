"""A situation played once more by clicks in a browser: each page is a person, and what they press is counted.

What was filled in for each panel is given; each person presses what stands on their page until that is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Locator, Request

from ruleloom.runtime.play.game import Game
from ruleloom.runtime.search.options import SEVERAL, Keys
from ruleloom.table.seats import Seat
from ruleloom.web.live_table import LiveTable, load_table
from ruleloom.web.lobby import keep
from ruleloom.web.seat_view import panel_view
from tests.support.browser import Person, sits_down
from tests.support.web_tables import RunningServer

Json = dict[str, Any]
NEW = "old => document.querySelector('.question').dataset.answered !== old"


@dataclass(frozen=True, slots=True)
class Sitting:
    """What one person fills in and sends: answers to a panel, or a list given in order."""

    seat: int
    acts: bool
    given: tuple[Keys, ...]
    in_order: bool = False


@dataclass
class Pages:
    """The table of a situation in a browser, and a page for each person."""

    running: RunningServer
    id: str
    people: list[Person]
    sent: Counter[int] = field(default_factory=Counter)
    """The panels that each page has sent."""

    @property
    def live(self) -> LiveTable:
        """The table as the server has it."""
        return load_table(self.running.service.store, self.id)


def played_by_clicks(
    running: RunningServer,
    browser: Browser,
    began: Game,
    seats: Sequence[Seat],
    sittings: Sequence[Sitting],
) -> tuple[dict[tuple[int, bool], Counter[str]], Game]:
    """What is pressed from a game on, by the seat and whether it acts; and the game afterwards."""
    id = keep(running.service.store, began, seats).id
    people = [sits_down(browser, running.link(id, seat)) for seat in range(len(seats))]
    pages = Pages(running, id, people)
    for seat, one in enumerate(people):
        one.page.on("request", partial(_note, pages, seat))
        one.waits(".question *")
    counted: dict[tuple[int, bool], Counter[str]] = {}
    for sitting in sittings:
        person = people[sitting.seat]
        person.waits(".fields")
        sent, before = pages.sent[sitting.seat], person.pressed()
        _list_all(person) if sitting.in_order else _fill_in(pages, sitting)
        clicks, keys = (now - old for now, old in zip(person.pressed(), before, strict=True))
        done = {"panels": pages.sent[sitting.seat] - sent, "clicks": clicks, "keys": keys}
        counted.setdefault((sitting.seat, sitting.acts), Counter()).update(done)
    after = pages.live.game
    for one in people:
        one.page.context.close()
    return counted, after


def _note(pages: Pages, seat: int, asked: Request) -> None:
    pages.sent[seat] += asked.url.endswith(("/api/answer", "/api/always"))


def _list_all(person: Person) -> None:
    """Open the list of what is wanted, take it in order, and send it."""
    person.page.locator(".again summary", has_text="When I am asked this again").click()
    person.page.get_by_role("button", name="Choose several, in order").click()
    options = person.page.locator(".asked .option")
    for at in range(options.count()):
        options.nth(at).click()
    before = _stamp(person)
    person.page.get_by_role("button", name="Done").click()
    person.page.wait_for_function(NEW, arg=before)


def _fill_in(pages: Pages, one: Sitting) -> None:
    """Fill in what is not as wanted, field by field, and confirm."""
    person, live, started = pages.people[one.seat], pages.live, _stamp(pages.people[one.seat])
    taken = 0
    while True:
        foreseen = live.panel(one.seat, live.question_id(one.seat), one.given[:taken])
        shown = panel_view(live, one.seat, foreseen)
        fields = shown["fields"]
        known = [field["keys"] and tuple(field["keys"]) for field in fields]
        wrong = next(
            (at for at, keys in enumerate(one.given) if known[at : at + 1] != [keys]), None
        )
        if len(fields) == 1:
            wrong = 0
        if wrong is not None:
            _open(person, fields, wrong)
        before = _stamp(person)
        if wrong is None:
            person.page.locator(".confirm").click()
        else:
            taken = wrong + _press(person, shown, wrong, one.given)
        person.page.wait_for_function(NEW, arg=before)
        if not _stamp(person).endswith("+"):
            return
        assert _stamp(person).rstrip("+") == started.rstrip("+"), "another question has come"


def _stamp(person: Person) -> str:
    return person.page.locator(".question").get_attribute("data-answered") or ""


def _press(person: Person, shown: Json, at: int, given: Sequence[Keys]) -> int:
    """Give the answer to one field, and return how many answers that were."""
    field, page = shown["fields"][at], person.page
    if field["diagram"]:
        return _step(person, field, given[at:])
    for ref, ways in shown["reach"].items() if field["keys"] is None else ():
        for way in ways:
            many = len(way["answers"])
            if tuple(given[at : at + many]) == tuple(map(tuple, way["answers"])):
                page.locator(f".table [data-ref='{ref}']").first.click()
                if way["card"] or len(ways) > 1:
                    page.locator("dialog button", has_text=way["text"]).first.click()
                return many
    choices = _filled(person, at).locator(".choices button")
    if _is_filled(shown["fields"], at) and choices.count():
        choices.nth(_at(field, given[at])).click()
    else:
        _answer(person, field, given[at])
    return 1


def _is_filled(fields: Sequence[Json], at: int) -> bool:
    """Is this one of several fields that are filled in?"""
    return len(fields) > 1 and fields[at]["keys"] is not None and not fields[at]["diagram"]


def _filled(person: Person, at: int) -> Locator:
    return person.page.locator(".fields .filled").nth(at)


def _open(person: Person, fields: Sequence[Json], at: int) -> None:
    """Press *Change*, where the answers to a field do not stand beside it."""
    if _is_filled(fields, at) and (said := _filled(person, at).locator(".said")).count():
        said.click()


def _at(field: Json, keys: Keys) -> int:
    """The number of the option with an answer."""
    return next((n for n, one in enumerate(field["options"]) if keys[0] in one["keys"]), -1)


def _answer(person: Person, field: Json, keys: Keys) -> None:
    """Answer the question that is open."""
    asked = person.page.locator(".asked")
    if field["kind"] == "text":
        _type(person, asked.locator("textarea"), keys[0])
    elif asked.locator("form input[type=number]").count():
        number = asked.locator("form input[type=number]")
        if number.input_value() == keys[0]:
            asked.locator("button[type=submit]").click()
        else:
            _type(person, number, keys[0])
    elif field["kind"] in SEVERAL:
        for key in keys:
            asked.locator(".option").nth(_at(field, (key,))).click()
        asked.locator("button.main").click()
    else:
        option = field["options"][_at(field, keys)]
        asked.locator(f".option[data-at='{_at(field, keys)}']").click()
        if option["card"]:
            person.page.locator("dialog button.main").first.click()


def _type(person: Person, place: Locator, text: str) -> None:
    """Write a text and send it; the field is clicked into first, where it does not have the keyboard."""
    if not place.evaluate("one => one === document.activeElement"):
        place.click()
    person.page.keyboard.press("ControlOrMeta+a")
    person.page.keyboard.type(text)
    person.page.keyboard.press("Enter")


def _step(person: Person, field: Json, given: Sequence[Keys]) -> int:
    """Press a step of a diagram, or a way besides."""
    for track in field["diagram"]["tracks"]:
        for step in track["steps"]:
            if step["take"] and tuple(map(tuple, step["take"])) == tuple(
                given[: len(step["take"])]
            ):
                rail = person.page.locator(".rail").nth(field["diagram"]["tracks"].index(track))
                rail.locator(".step").nth(track["steps"].index(step)).click()
                return len(step["take"])
    way = field["options"][_at(field, given[0])]["text"]
    person.page.locator(".ways button", has_text=way).first.click()
    if person.sees("button[data-sure]"):
        person.page.locator("button[data-sure]").click()
    return 1
