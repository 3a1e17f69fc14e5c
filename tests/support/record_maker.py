"""Somebody who makes a record in the browser, by the answers that a script gives."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator

from tests.support.browser import WIDE, sits_down


class Maker:
    """Somebody who makes a person in the browser."""

    def __init__(
        self,
        browser: Browser,
        link: str,
        game: int = 0,
        size: tuple[int, int] = WIDE,
        scheme: str = "light",
    ) -> None:
        self.person = sits_down(browser, link, size, scheme)
        self.page = self.person.page
        self.page.set_default_timeout(60_000)
        self.person.waits(".begin[data-of]", 90)
        self.plays(game)

    def plays(self, game: int) -> None:
        """Choose the game of the next record, by its number on the shelf."""
        self.page.select_option("#game", str(game))
        self.person.waits(f".begin[data-of^='{game} ']", 90)

    def goes_back(self) -> None:
        """Go back to where records begin, if one is being made."""
        if (others := self.page.get_by_role("button", name="Others")).count():
            others.click()

    def begins(self, name: str, kind: str = "") -> Maker:
        if kind:
            self.page.select_option("#kind", kind)
            self.person.waits(f".begin[data-of$=' {kind}']")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="Begin", exact=True).click()
        self.person.waits(".choices-of")
        return self

    def key(self, key: str) -> Locator:
        return self.page.locator(f'[data-key="{key}"]')

    def answers(self, act: Callable[[], object]) -> None:
        """Do something, and wait for what comes of it."""
        before = self.page.locator("#page").get_attribute("data-answered")
        act()
        self.page.wait_for_function(
            "old => document.querySelector('#page').dataset.answered !== old", arg=before
        )

    def heading(self, name: str) -> None:
        tab = self.page.get_by_role("tab", name=re.compile(f"^{name}", re.IGNORECASE))
        self.answers(tab.click)

    def clicks(self, line: str) -> None:
        """Do with the mouse and the fields what a line of words says."""
        if line.startswith("allow "):
            rule, _, note = line.removeprefix("allow ").partition(" because ")
            self.key(f"allow {rule}").first.click()
            self.page.get_by_label("Reason").fill(note)
            self.answers(lambda: self.page.get_by_role("button", name="Allow it").last.click())
        elif " = " in line:
            at, _, value = line.partition(" = ")
            self.fills(at, value)
        elif " - " in line or line.endswith(" ="):
            self.answers(self.key(line).click)
        else:
            self.adds(line)

    def fills(self, at: str, value: str) -> None:
        owner, field = at.rpartition(".")[0], self.key(at)
        if not field.count() and not self.key(f"{at} …").count():
            self.key(f"more {owner}").click()
        if not field.count():
            self.chooses(at, value, f"{at} = {value}")
            return
        if field.evaluate("one => one.tagName") == "SELECT":
            self.answers(lambda: field.select_option(value))
        elif field.get_attribute("type") == "checkbox":
            self.answers(field.click)
        else:
            field.fill(value)
            self.answers(lambda: field.press("Tab"))

    def adds(self, line: str) -> None:
        at, _, value = line.partition(" + ")
        if self.key(f"{at} +").count():
            self.key(f"{at} +").fill(value)
            self.answers(lambda: self.key(f"{at} +").press("Enter"))
            return
        if not self.key(f"{at} …").count() and not self.key(f"{at} ?").count():
            self.key(f"more {at.rpartition('.')[0]}").click()
        self.chooses(at, value, line)

    def chooses(self, at: str, value: str, line: str) -> None:
        """Search among what is on offer, and take it."""
        self.seeks(at, value)
        self.answers(self.key(line).click)

    def seeks(self, at: str, value: str) -> None:
        """Search among what is on offer."""
        if not self.key(f"{at} ?").is_visible():
            self.key(f"{at} …").click()
        self.key(f"{at} ?").fill(value.replace("-", " "))

    @property
    def text(self) -> str:
        """The text that this browser keeps."""
        kept = json.loads(self.page.evaluate("localStorage['ruleloom-people']"))
        return str(kept[0]["text"])
