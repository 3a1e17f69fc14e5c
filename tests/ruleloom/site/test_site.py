"""A site: a game and a pack as static files, played and edited in the browser of the distribution."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ruleloom.site.folder import PYODIDE_FILES, site_files
from tests.support.browser import faults_found_by_axe, sits_down, started
from tests.support.command import call

FOLK = "rulesets/examples/river-folk"
MISTAKE = "use attack"


@pytest.fixture(scope="module")
def pyodide() -> Path:
    """The npm package; the tests are skipped where there is none, or no Node.js."""
    found = (folder / "node_modules" / "pyodide" for folder in (Path.cwd(), *Path.cwd().parents))
    package = next((one for one in found if one.is_dir()), None)
    if package is None or shutil.which("node") is None:
        pytest.skip("there is no Pyodide: npm install pyodide beside the checkout")
    return package


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a site of Gnostica with a pack is served, by nothing but a server of files."""
    folder = tmp_path_factory.mktemp("site")
    done = call("site", "gnostica", FOLK, "-o", folder, "--pyodide", pyodide)
    assert done.code == 0, done.err
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


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
    ann.page.click("form button.main")
    ann.waits(".table-card")
    ann.page.locator(".table-card button.main").first.click()
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
    assert ann.said == []


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
