"""The workbench in the browser of the distribution: a card is written from nothing, seen, tested and
played; what somebody else writes meanwhile is shown; packs that change one thing are told."""

from __future__ import annotations

import pytest

from tests.ruleloom.web.test_browser import KEPT
from tests.support.browser import PHONE, faults_found_by_axe, sits_down, started
from tests.support.command import call
from tests.support.web_tables import served

CARD = """\
kind: major
id: night-moth
title: Night moth
number: 44
effect: |
  choose minion from minions "Who wakes?"
  face(minion, up)
"""
CASES = """\
kind: scenarios
cases:
  - id: the-moth-wakes-a-minion
    given: {pieces: [A1E@0/0], hands: {A: [night-moth]}}
    when:
      - {option: play, card: night-moth}
      - {power: night-moth, minion: A1E@0/0}
      - {end: turn}
    then: {pieces: [A1up@0/0], discard: [night-moth]}
"""


@pytest.fixture(scope="module")
def browser():
    with started() as found:
        yield found


@pytest.fixture
def pack(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "my-pack", "--game", "gnostica").code == 0
    return tmp_path / "my-pack"


@pytest.fixture
def running(pack):
    with served(packs=("gnostica", str(pack))) as found:
        yield found


class Writer:
    """Somebody at the workbench."""

    def __init__(self, browser, running, size=(1280, 860), scheme="light"):
        self.person = sits_down(browser, running.bench, size, scheme)
        self.page = self.person.page
        self.person.waits(".files li button")

    def opens(self, name):
        self.page.locator(".files li button", has_text=name).first.click()
        self.page.wait_for_function("name => document.querySelector('.file-name').textContent.endsWith(name)", arg=name)  # fmt: skip

    def makes(self, name, kind=""):
        self.page.get_by_role("button", name="New file").click()
        self.page.get_by_label("Kind", exact=True).select_option(kind)
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="Create").click()
        self.page.wait_for_function("name => document.querySelector('.file-name').textContent.endsWith(name)", arg=f"{name}.yaml")  # fmt: skip

    def types(self, text):
        """Put a text where the cursor is, as if it were pasted: signs are not closed by themselves."""
        self.page.locator(".cm-content").focus()
        self.page.keyboard.insert_text(text)

    def writes_all(self, text):
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def presses(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def looks_at(self, tab):
        self.page.get_by_role("tab", name=tab).click()

    def saves(self):
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press("Control+s")
        self.person.waits(".toast:has-text('is saved')")

    @property
    def text(self):
        """The text in the editor, as far as it is shown."""
        return "\n".join(self.page.locator(".cm-line").all_inner_texts())


@pytest.fixture
def writer(browser, running):
    found = Writer(browser, running)
    yield found
    assert found.person.said == []
    found.page.context.close()


@pytest.mark.slow
def test_a_card_written_from_nothing_is_seen_tested_and_played(browser, running, pack, writer):
    writer.makes("night-moth")
    writer.writes_all(CARD.replace("face(minion, up)", "face(minion, upp)"))
    writer.person.waits(".problems .error:has-text('upp')")
    writer.person.waits(".item-card h3:has-text('Night moth')")
    writer.writes_all(CARD)
    writer.person.waits(".problems .none")
    writer.person.waits(".item-card .rules:has-text('Turn the minion to face up')")
    writer.saves()
    assert (pack / "night-moth.yaml").read_text() == CARD
    writer.looks_at("Scenarios")
    writer.person.waits(".panel .empty")

    writer.makes("night-moth-scenarios")
    writer.writes_all(CASES.replace("A1up@0/0", "A1W@0/0"))
    writer.person.waits(".cases .failed")
    assert "A1up@0/0" in writer.page.locator(".cases .failed pre").inner_text()
    writer.writes_all(CASES)
    writer.person.waits(".cases .passed")
    writer.saves()
    writer.page.get_by_role("button", name="the-moth-wakes-a-minion step by step").click()
    writer.person.waits("dialog.steps .stage .piece")
    for _ in range(3):
        writer.presses("Next")
    assert "4/4: after step 3: {end: turn}" in writer.page.locator(".moment").inner_text()
    assert "plays Night moth" in _walked(writer)
    writer.page.keyboard.press("Escape")

    writer.opens("night-moth.yaml")
    with writer.page.context.expect_page() as opened:
        writer.presses("Play from here")
    table = opened.value
    table.wait_for_selector(".hand .name")
    assert "Night moth" in table.locator(".hand .name").all_inner_texts()
    assert "Night moth is in your hand" in writer.page.locator("dialog").inner_text()
    assert call("test", pack).out.splitlines()[-1].startswith("2 passed, 0 failed")


def _walked(writer):
    """All that happened, as it is told from the last moment back to the first."""
    found = []
    while True:
        found.append(writer.page.locator(".happened").inner_text())
        back = writer.page.get_by_role("button", name="Back", exact=True)
        if back.is_disabled():
            return "\n".join(found)
        back.click()


@pytest.mark.slow
def test_names_are_completed_and_explained(writer):
    writer.makes("my-card", "major")
    line = writer.page.locator(".cm-line", has_text="face(minion")
    line.click()
    writer.page.keyboard.press("End")
    writer.page.keyboard.press("Enter")
    for typed, offered in (("us", "use"), (" gro", "grow")):
        writer.page.keyboard.type(typed)
        writer.person.waits(f".cm-tooltip-autocomplete li:has-text('{offered}')")
        writer.page.wait_for_timeout(150)  # what has just come up takes no keys yet
        writer.page.keyboard.press("Enter")
    assert "  use grow" in writer.text
    line.hover(position={"x": 45, "y": 8})
    writer.person.waits(".cm-told:has-text('operation face')")
    assert writer.page.locator(".cm-told b, .cm-told code, .cm-told pre").count() > 0


@pytest.mark.slow
def test_a_slip_is_mended_as_the_checker_would(writer):
    writer.makes("night-moth")
    writer.writes_all(CARD.replace("face(minion, up)", "fce(minion, up)"))
    writer.person.waits(".problems .error:has-text('fce')")
    writer.page.get_by_role("button", name="Fix line 7").click()
    writer.person.waits(".problems .none")
    assert "  face(minion, up)" in writer.text


@pytest.mark.slow
def test_form_and_text_are_one_file(writer, pack):
    writer.makes("my-card", "major")
    writer.looks_at("Form")
    page = writer.page
    page.get_by_label("Number").fill("77")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('number: 77')")  # fmt: skip
    assert "# A card of its own." in writer.text  # comments stay
    page.get_by_label("Title").fill("Seven: seven")
    page.keyboard.press("Tab")
    page.wait_for_function("""() => document.querySelector('.cm-content').textContent.includes('title: "Seven: seven"')""")  # fmt: skip
    page.get_by_text("More fields").click()
    page.get_by_label("Text", exact=True).fill("It stands up.")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('text: It stands up.')")  # fmt: skip
    page.get_by_role("button", name="Remove text").click()
    page.wait_for_function("() => !document.querySelector('.cm-content').textContent.includes('It stands up.')")  # fmt: skip
    # The other way round: a change of the text is one of the form.
    text = (pack / "my-card.yaml").read_text()
    writer.writes_all(text.replace("number: 40", "number: 12"))
    page.wait_for_function("() => document.querySelector('.form [data-path=number]')?.value === '12'")  # fmt: skip
    page.keyboard.press("Control+z")
    page.wait_for_function("() => document.querySelector('.form [data-path=number]')?.value === '77'")  # fmt: skip
    assert (pack / "my-card.yaml").read_text() == text  # nothing is written before it is saved


@pytest.mark.slow
def test_digits_are_numbers_where_numbers_may_stand(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "ours", "--game", "moonstone").code == 0
    assert call("new", "character", "hero", "--in", "ours").code == 0
    with served(packs=("moonstone", "ours")) as running:
        writer = Writer(browser, running)
        writer.opens("hero.yaml")
        writer.looks_at("Form")
        page = writer.page
        page.get_by_label("Str", exact=True).fill("15")
        page.keyboard.press("Tab")
        page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('Str: 15')")  # fmt: skip
        page.get_by_label("start: name").fill("End")
        page.get_by_label("start: value").fill("13")
        page.get_by_role("button", name="Add to start").click()
        page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('End: 13')")  # fmt: skip
        writer.person.waits(".problems .none")
        assert writer.person.said == []
        page.context.close()


@pytest.mark.slow
def test_what_changes_on_the_disk_is_shown_and_never_overwritten(writer, pack):
    writer.makes("night-moth")
    writer.writes_all(CARD)
    writer.saves()
    file = pack / "night-moth.yaml"
    theirs = CARD.replace("number: 44", "number: 45")
    file.write_text(theirs)
    writer.page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('number: 45')", timeout=8_000)  # fmt: skip

    writer.writes_all(CARD)
    writer.presses("Show changes")
    writer.person.waits(".diff")
    assert writer.page.locator(".diff .added").all_inner_texts() == ["+ number: 44"]
    assert writer.page.locator(".diff .taken_out").all_inner_texts() == ["- number: 45"]
    writer.page.keyboard.press("Escape")
    file.write_text(theirs + "# theirs\n")
    writer.page.locator(".cm-content").focus()
    writer.page.keyboard.press("Control+s")
    writer.person.waits("dialog.conflict")
    assert "- # theirs" in writer.page.locator(".diff").inner_text()
    assert file.read_text() == theirs + "# theirs\n"
    writer.presses("Use the version on disk")
    writer.page.wait_for_function("() => document.querySelector('.cm-content').textContent.includes('# theirs')")  # fmt: skip
    writer.page.locator(".cm-content").focus()
    writer.page.keyboard.press("Control+z")  # and what stood here can be had back
    assert "number: 44" in writer.text


@pytest.mark.slow
def test_packs_that_change_one_thing_are_told(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, number in (("one", 50), ("two", 60)):
        assert call("new", "pack", name, "--game", "gnostica").code == 0
        for file in (tmp_path / name).glob("scenarios.yaml"):
            file.unlink()
        patch = f"kind: patch\nid: {name}-sun\ntarget: gnostica:major/sun\nset: {{number: {number}}}\n"  # fmt: skip
        (tmp_path / name / "sun.yaml").write_text(patch)
    with served(packs=("gnostica", "one", "two")) as running:
        writer = Writer(browser, running)
        writer.opens("sun.yaml")
        writer.person.waits(".problems li:not(.none)")
        told = writer.page.locator(".problems").inner_text()
        writer.page.context.close()
    assert "one" in told
    assert "two" in told


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 860), PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser, running, size, scheme):
    writer = Writer(browser, running, size, scheme)
    writer.makes("my-card", "major")
    writer.person.waits(".item-card .rules")
    found = {"Card": faults_found_by_axe(writer.person)}
    for tab, sign in (("Form", ".form .field"), ("Scenarios", ".cases .passed")):
        writer.looks_at(tab)
        writer.person.waits(sign)
        found[tab] = faults_found_by_axe(writer.person)
    writer.types("nonsense: [")
    writer.person.waits(".problems .error")
    found["mistakes"] = faults_found_by_axe(writer.person)
    writer.page.context.close()
    assert all(one == [] for one in found.values()), found


@pytest.mark.slow
def test_without_a_pack_of_ones_own_it_says_how_to_make_one(browser):
    with served() as running:
        person = sits_down(browser, running.bench)
        person.waits(".files .empty")
        assert "ruleloom new pack" in person.page.locator(".files").inner_text()
        assert person.page.get_by_role("button", name="Play from here").is_disabled()
        assert faults_found_by_axe(person) == []
        assert person.said == []
        person.page.context.close()


@pytest.mark.slow
def test_a_lost_connection_is_taken_up_again_with_what_was_written(browser, running):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(KEPT)
    page.goto(running.bench)
    page.wait_for_selector(".item-card")
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    page.evaluate("window.sockets[0].close()")
    page.keyboard.insert_text("nonsense: 3\n")  # while nobody listens
    page.wait_for_selector(".problems .error:has-text('nonsense')", timeout=20_000)
    assert page.evaluate("window.sockets.length") == 2
    context.close()


@pytest.mark.slow
def test_the_host_s_page_leads_there(browser, running):
    host = sits_down(browser, f"{running.url}/#{running.service.door.host_token}")
    host.page.get_by_role("link", name="Workbench").click()
    host.waits(".files li button")
    assert host.said == []
    host.page.context.close()


@pytest.mark.slow
def test_the_keyboard_alone(writer, pack):
    """The editor keeps no one: Tab leads on from it."""
    page = writer.page
    writer.makes("my-card", "major")
    page.locator(".cm-content").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.querySelector('.editor').contains(document.activeElement)")  # fmt: skip
    page.get_by_role("tab", name="Card").focus()
    page.keyboard.press("ArrowRight")
    writer.person.waits(".form .field")
    page.keyboard.press("ArrowRight")
    writer.person.waits(".cases .passed")


def test_a_pack_goes_as_a_link_and_as_a_zip_and_is_looked_at_before_it_is_played(
    browser, pack, tmp_path
):
    """Share, paste the link on the host's page, see what the pack changes, and open it to change it."""
    (pack / "night-moth.yaml").write_text(CARD)
    with served(
        tmp_path / "tables.db", packs=("gnostica", str(pack)), folder=tmp_path / "packs"
    ) as running:
        ann = Writer(browser, running)
        ann.page.get_by_role("button", name="Share").click()
        ann.page.get_by_label("Address of a site of this game").fill("https://example.org/game/")
        link = ann.page.get_by_role("textbox", name="Link", exact=True).input_value()
        assert link.startswith("https://example.org/game/#/pack!")
        with ann.page.expect_download() as found:
            ann.page.get_by_role("link", name="Download as zip").click()
        assert call("check", found.value.path().rename(tmp_path / "sent.zip")).code == 0
        assert faults_found_by_axe(ann.person) == []

        ben = sits_down(browser, f"{running.url}/#{running.service.door.host_token}", PHONE)
        ben.waits("button.main:not([disabled])", 60)
        ben.page.get_by_label("Or open a link to a pack").fill(link[:-9])
        ben.page.keyboard.press("Tab")
        ben.waits(".told:has-text('has to be copied whole')")
        ben.page.get_by_label("Or open a link to a pack").fill(link)
        ben.page.keyboard.press("Tab")
        ben.waits("dialog li:has-text('Night moth')", 60)
        assert "Made with gnostica 1.0.0, ruleloom" in ben.page.locator("dialog").inner_text()
        assert faults_found_by_axe(ben) == []
        assert ben.page.locator("#game option").count() == 1
        ben.page.get_by_role("button", name="Play", exact=True).click()
        ben.page.wait_for_selector("#game option:nth-child(2)", state="attached", timeout=60_000)

        ann.page.keyboard.press("Escape")
        ann.page.get_by_label("Open a pack, as a zip").set_input_files(tmp_path / "sent.zip")
        ann.page.locator(".file-name", has_text="sent/").wait_for()
        assert sorted(one.name for one in (tmp_path / "packs" / "sent").iterdir()) == sorted(
            one.name for one in pack.glob("*.yaml")
        )
        ann.opens("night-moth.yaml")
        assert [one for one in ann.person.said + ben.said if " 400 " not in one] == []
