"""A site: a game and a pack as static files, played and edited in the browser of the distribution."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ruleloom.site.folder import PYODIDE_FILES, site_files
from ruleloom.web.carried import Carried
from tests.conftest import ROOT
from tests.support.browser import PHONE, Person, faults_found_by_axe, sits_down, started
from tests.support.command import call

FOLK = "rulesets/examples/river-folk"
MISTAKE = "use attack"
SCRIPTS = ROOT / "ruleloom" / "web" / "static" / "js" / "site"
SLOW = """\
- kind: major
  id: treadmill
  title: Treadmill
  number: 45
  effect: |
      choose minion from minions "Who runs?"
      face(minion, up)
- kind: patch
  id: long-way
  target: gnostica:power/come_into_play
  replace-effect: |
      place(player, size, target, way) giving added
      if added is not none:
          repeat 100 times:
              repeat 120 times:
                  face(added, up)
          face(added, way)
"""
TREADMILL = Carried(
    "treadmill",
    {
        "pack.yaml": "{kind: pack, id: treadmill, version: 1.0.0, game: gnostica, edition: 1, requires: {gnostica: '>=1.0'}}",
        "cards.yaml": SLOW,
    },
    ("gnostica 0.9.0",),
)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def site_of(folder: Path, pyodide: Path, *packs: str) -> Iterator[str]:
    """Where a site of packs is served, by nothing but a server of files."""
    done = call("site", *packs, "-o", folder, "--pyodide", pyodide)
    assert done.code == 0, done.err
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def address(pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a site of Gnostica with a pack is."""
    with site_of(tmp_path_factory.mktemp("site"), pyodide, "gnostica", FOLK) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.mark.slow
def test_a_game_to_its_end_against_a_bot_and_again_without_a_network(
    browser: Browser, address: str
) -> None:
    ann = sits_down(browser, address)
    ann.waits(".seat-row", 120)
    assert faults_found_by_axe(ann) == []
    assert ann.page.get_by_role("link", name="Rulebook").get_attribute("href") == "rulebook.html"
    ann.page.click("form button.main")
    for _ in range(400):
        ann.page.wait_for_selector(".fields, .over", timeout=60_000)
        if ann.sees(".over"):
            break
        before = ann.page.locator(".question").get_attribute("data-answered")
        ann.answers("next turn is the last", "yes")
        changed = "old => document.querySelector('.question').dataset.answered !== old"
        ann.page.wait_for_function(changed, arg=before or "")
    assert ann.sees(".over")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    ann.page.wait_for_timeout(1_000)  # what is kept is written soon
    ann.page.context.set_offline(True)
    ann.page.goto(address)
    ann.waits(".table-card", 60)
    assert "finished" in ann.page.locator(".table-card").inner_text()
    assert "Invite" not in ann.page.locator(".table-card").inner_text()
    assert ann.said == []


@pytest.mark.slow
def test_two_people_at_a_phone(browser: Browser, address: str) -> None:
    """Open leads to the table of both; the page has the width of the phone everywhere."""

    def fits() -> bool:
        return bool(ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    ann = sits_down(browser, address, PHONE)
    ann.waits(".seat-row", 120)
    assert fits()
    ann.page.locator(".seat-row select").nth(1).select_option("human")
    ann.page.click("form button.main")
    ann.waits("dialog.cover, .fields", 60)
    assert len(ann.page.evaluate("location.hash").split("!")[1].split(".")) == 2
    assert fits()
    ann.page.goto(f"{address}#/bench!")
    ann.waits(".problems li", 60)
    assert fits()
    assert ann.said == []


@pytest.mark.slow
def test_what_does_not_start_is_told(browser: Browser, address: str) -> None:
    """An old browser, one that keeps nothing, and the same site in two windows."""
    old = sits_down(browser, address)
    old.page.add_init_script("delete window.WebAssembly")
    old.page.reload()
    old.waits("text=needs a browser of 2024 or later")

    private = sits_down(browser, "about:blank")
    nothing = "Object.defineProperty(self, 'indexedDB', {value: {open() { throw Error('no') }}});"
    changes(private, "worker.js", "const root", f"{nothing}\nconst root")
    private.page.goto(address)
    private.waits("text=This browser keeps nothing for this page", 120)

    second = private.page.context.new_page()
    second.goto(address)
    second.wait_for_selector("text=open in another window", timeout=60_000)


@pytest.mark.slow
def test_a_link_of_a_stranger_is_looked_at_first_and_what_takes_too_long_is_stopped(
    browser: Browser, address: str
) -> None:
    ann = sits_down(browser, f"{address}#/pack!{TREADMILL.link}")
    ann.waits("dialog li:has-text('Treadmill')", 120)
    assert "Made with gnostica 0.9.0. Here it runs with" in ann.page.locator("dialog").inner_text()
    assert ann.page.locator("#game option").count() == 1
    ann.page.get_by_role("button", name="Open in the workbench").click()
    ann.page.get_by_role("heading", name="treadmill", exact=True).wait_for()
    ann.page.locator(".files section", has_text="treadmill").get_by_role(
        "button", name="cards.yaml"
    ).click()
    ann.page.get_by_text("No problems.").wait_for(timeout=60_000)
    ann.page.goto(f"{address}#/pack!{TREADMILL.link}")
    ann.waits("dialog li:has-text('Treadmill')", 120)
    ann.page.get_by_role("button", name="Play", exact=True).click()
    ann.page.wait_for_function(
        "() => document.querySelector('#game')?.value === '2'", timeout=120_000
    )
    ann.waits(".seat-row", 120)
    ann.page.locator(".seat-row select").first.select_option("greedy")
    ann.page.click("form button.main")
    ann.waits("text=A bot's answer took longer than 30 seconds", 240)
    ann.waits(".table-card", 120)
    ann.page.get_by_role("button", name="Delete").click()
    ann.page.locator("dialog button.main").click()
    ann.waits("text=There are no tables yet.", 60)


def changes(person: Person, name: str, old: str, new: str) -> None:
    """Let a script of the site be another one for this person."""
    body = (SCRIPTS / name).read_text("utf-8")
    assert old in body
    person.page.route(
        f"**/site/{name}",
        lambda one: one.fulfill(content_type="text/javascript", body=body.replace(old, new, 1)),
    )


@pytest.mark.slow
def test_a_slip_is_found_in_the_workbench(browser: Browser, address: str) -> None:
    ann = sits_down(browser, f"{address}#/bench!")
    ann.waits(".problems", 120)
    ann.page.get_by_role("button", name="cards.yaml").click()
    ann.page.get_by_text("No problems.").wait_for(timeout=60_000)
    ann.page.locator(".cm-line", has_text=MISTAKE).first.click()
    ann.page.keyboard.press("End")
    ann.page.keyboard.type("x")
    found = ann.page.locator(".problems", has_text="attackx")
    found.wait_for(timeout=60_000)
    assert "attack" in found.inner_text()
    assert ann.said == []


@pytest.mark.slow
def test_a_spell_is_made_and_its_odds_are_worked_out(
    browser: Browser, pyodide: Path, tmp_path: Path
) -> None:
    with site_of(tmp_path / "site", pyodide, "witchgates") as address:
        ann = sits_down(browser, f"{address}#/make!")
        ann.waits(".begin button.main", 120)
        ann.page.select_option("#kind", "formula")
        ann.page.get_by_label("Name", exact=True).fill("Bolt")
        ann.page.wait_for_timeout(500)  # until its ways to begin are there
        ann.page.get_by_role("button", name="Begin", exact=True).click()
        ann.page.get_by_role("tab", name=re.compile("^Parts")).click()
        ann.page.locator('[data-key="parts + target-many"]').click()
        ann.waits("[data-key='why Price 0']:not(:text-is('0'))", 60)
        ann.page.get_by_role("button", name="Work out the odds").click()
        ann.waits(".odds-tables td", 120)
        odds = ann.page.locator(".odds-tables td").all_inner_texts()
        assert odds[0] != odds[-1]  # of no dice and no mana, and of the most of both
        assert odds[-1].endswith("%")
        assert ann.said == []


def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    for name in PYODIDE_FILES:
        (tmp_path / name).write_text("another", encoding="utf-8")
    done = call("site", "gnostica", "-o", tmp_path / "site", "--pyodide", tmp_path)
    assert done.code == 2
    assert "is not the file of Pyodide" in done.err


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine", encoding="utf-8")
    done = call("site", "gnostica", "-o", tmp_path, "--pyodide", tmp_path)
    assert done.code == 2
    assert "holds something else" in done.err


def test_the_same_packs_give_the_same_bytes(pyodide: Path) -> None:
    assert site_files(["gnostica"], pyodide) == site_files(["gnostica"], pyodide)
