"""The browser of the distribution, for tests that look at the page as people do."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
NAMES = ("chromium", "chromium-browser")
WIDE, PHONE = (1280, 860), (390, 844)
# Keys of `axe.run` that a page has to pass.
SERIOUS = ("serious", "critical")
# Counts what a person does, and how long it takes until the question is another, or filled in otherwise.
COUNTED = """
window.clicks = window.keys = 0;
window.took = [];
let since = null;
addEventListener('click', (event) => {
  if (event.isTrusted && event.detail) { window.clicks += 1; since = performance.now(); }
}, true);
addEventListener('keydown', () => { window.keys += 1; since = performance.now(); }, true);
new MutationObserver(() => {
  if (since !== null) window.took.push(performance.now() - since);
  since = null;
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-answered'] });
"""


def chromium() -> str:
    """The path of the browser; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    return found


@contextmanager
def started() -> Iterator[Browser]:
    """A browser that is closed again."""
    path = chromium()
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Person:
    """Somebody in front of a page, who answers at random."""

    page: Page
    source: random.Random
    said: list[str] = field(default_factory=list)

    def sees(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def is_asked(self) -> bool:
        """Is there a question for whoever sits here, or is the game over?"""
        return self.sees(".fields")

    def answers(self, *wanted: str, text: str = "as it was told") -> str:
        """Answer the question, with the first option that holds one of these words, or any, or confirm what
        is filled in; return the question."""
        asked, question = self.page.locator(".asked"), self.questions()
        if self.sees(".diagram"):
            self._draws(wanted)
        elif not asked.count():
            self._confirms(wanted)
        elif asked.locator("textarea").count():
            asked.locator("textarea").fill(text)
            asked.locator("button[type=submit]").click()
        elif asked.locator("form input").count():
            self._fills_in(wanted)
        else:
            self._presses(wanted)
        return question

    def questions(self) -> str:
        """The questions of the panel."""
        texts = self.page.locator(".fields h2, .fields .words:not(.option *)").all_inner_texts()
        return "\n".join(texts)

    def _confirms(self, wanted: tuple[str, ...]) -> None:
        """Send what is filled in; or first change it to something wanted, or now and then to anything."""
        others = self.page.locator(".choices button[aria-pressed=false], .said")
        words = others.all_inner_texts()
        fitting = [at for at, text in enumerate(words) if text in wanted]
        if fitting or (words and self.source.random() < 0.3):
            others.nth(fitting[0] if fitting else self.source.randrange(len(words))).click()
        else:
            self.page.locator(".confirm").click()

    def _draws(self, wanted: tuple[str, ...]) -> None:
        """Press a step of a diagram or a way that is wanted; or confirm; or press any step."""
        buttons = self.page.locator(".diagram .step, .ways button:not([disabled])")
        words = buttons.all_inner_texts()
        fitting = [at for at, text in enumerate(words) if any(one in text for one in wanted)]
        steps = self.page.locator(".diagram .step").count()
        if fitting:
            buttons.nth(fitting[0]).click()
            if self.sees("button[data-sure]"):
                self.page.locator("button[data-sure]").click()
        elif self.sees(".confirm"):
            self.page.locator(".confirm").click()
        else:
            buttons.nth(self.source.randrange(steps)).click()

    def _fills_in(self, wanted: tuple[str, ...]) -> None:
        number = next((one for one in wanted if one.isdecimal()), None)
        for field_ in self.page.locator(".asked form input:not([type=range])").all():
            ends = (int(field_.get_attribute(end) or 1) for end in ("min", "max", "step"))
            low, high, step = ends
            field_.fill(number or str(self.source.randrange(low, high + 1, step)))
        self.page.locator(".asked button[type=submit]").click()

    def _presses(self, wanted: tuple[str, ...]) -> None:
        options = self.page.locator(".asked .option")
        words = options.all_inner_texts()
        fitting = [at for word in wanted for at, text in enumerate(words) if word in text]
        several = self.page.locator(".asked .count")
        if not several.count():
            at = fitting[0] if fitting else self.source.randrange(len(words))
            is_card = options.nth(at).get_attribute("data-card") is not None
            options.nth(at).click()
            if is_card:
                self.page.locator("dialog button.main").click()
            return
        done = self.page.locator(".asked button.main")
        for at in self.source.sample(range(len(words)), len(words)):
            if done.is_enabled():
                break
            options.nth(at).click()
        done.click()

    def took(self) -> list[float]:
        """Milliseconds from each click to what came of it."""
        return list(self.page.evaluate("() => window.took"))

    def pressed(self) -> tuple[int, int]:
        """The clicks and keys so far."""
        clicks, keys = self.page.evaluate("() => [window.clicks, window.keys]")
        return clicks, keys

    def waits(self, selector: str, seconds: float = 20) -> None:
        self.page.wait_for_selector(selector, timeout=seconds * 1000)


def sits_down(
    browser: Browser,
    link: str,
    size: tuple[int, int] = WIDE,
    scheme: str = "light",
    seed: int = 1,
    still: bool = True,
) -> Person:
    """Open a link in a browser of its own; faults of the page are kept in `said`."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce" if still else "no-preference",
    )
    page = context.new_page()
    page.add_init_script(COUNTED)
    person = Person(page, random.Random(seed))
    page.on("pageerror", lambda error: person.said.append(str(error)))
    page.on("console", lambda told: person.said.append(told.text) if told.type == "error" else None)
    page.goto(link)
    return person


@cache
def axe_source() -> str:
    """The text of axe-core, installed for the run; the test is skipped where it cannot be."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm, by which axe-core is installed")
    folder = Path.home() / ".cache" / "ruleloom-tests"
    file = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        words = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "axe-core"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
        if done.returncode != 0 or not file.is_file():
            pytest.skip("axe-core cannot be installed from npm here")
    return file.read_text(encoding="utf-8")


def faults_found_by_axe(person: Person) -> list[str]:
    """What axe-core finds serious about a page."""
    person.page.evaluate(axe_source())  # by the browser itself, whatever the policy of the page
    found = person.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:120]} {node['any'][:1]}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]
