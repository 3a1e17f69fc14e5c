"""Whole games in the browser of the distribution: two browsers at one table, a game master, three
people with secrets, the keyboard alone, a lost connection."""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import re
import sqlite3
import zipfile
from collections import Counter

import pytest

from benchmarks.panels import SITUATIONS, played
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.options import SEVERAL
from ruleloom.table.seats import HUMAN, Seat, parse_seats
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import exported, keep, open_table
from ruleloom.web.seat_view import seat_view
from tests.support.browser import PHONE, WIDE, faults_found_by_axe, sits_down
from tests.support.command import call
from tests.support.on_quarrel import charm, program_of_duel
from tests.support.on_quarrel import started as duel
from tests.support.web_tables import program, served

SALT = "rulesets/examples/salt-and-lanterns"
INK = "rulesets/examples/wet-ink"


@pytest.fixture(scope="module")
def running():
    with served() as found:
        yield found


def table_for(running, players, packs=("gnostica",), seed=3):
    """A new table, its id."""
    return open_table(running.service.store, program(*packs), parse_seats(players), seed).id


def play(people, most, *wanted, until=None):
    """Let whoever is asked answer, in turn, until the game is over or a question is as wanted."""
    asked = []
    for _ in range(most):
        people[0].page.wait_for_timeout(5)
        who = next((one for one in people if one.is_asked()), None)
        if who is None:
            if people[0].sees(".over"):
                break
            people[0].page.wait_for_timeout(30)
            continue
        if until is not None and until in who.questions():
            break
        before = who.page.locator(".question").get_attribute("data-answered")
        asked.append(who.answers(*wanted))
        who.page.wait_for_function(
            "old => document.querySelector('.question').dataset.answered !== old", arg=before or ""
        )
    return asked


MOVES = "getComputedStyle(document.querySelector('.gnostica .piece')).transitionDuration"
WIDTH = "document.documentElement.scrollWidth"


# ---------------------------------------------------------------------------------- every day


def test_a_table_in_two_browsers(browser, running):
    """A few turns: what one does the other sees, hands excepted; nobody's page has a fault."""
    id = table_for(running, "Ann=human,Ben=human")
    ann = sits_down(browser, running.link(id, 0), seed=1)
    ben = sits_down(browser, running.link(id, 1), PHONE, "dark", seed=2)
    ann.waits(".asked")
    ben.waits(".asked")
    assert ann.page.locator(".hand .held").count() == 6
    play((ann, ben), 12, "no", "play a card", "turn one of your pieces")
    ann.waits(".gnostica .piece")
    ben.waits(".gnostica .piece")
    assert titles(ann) == titles(ben)
    assert ann.page.locator("#news[aria-live=polite]").inner_text() != ""
    assert ann.page.evaluate(MOVES) == "0s"  # as the system of these two asks for
    moving = sits_down(browser, running.link(id, 0), still=False)
    moving.waits(".gnostica .piece")
    assert moving.page.evaluate(MOVES) == "0.45s"
    moving.page.locator(".gnostica .piece").first.hover()
    assert moving.page.locator(".gnostica .aims rect").count() == 1  # what the piece targets
    assert [one.page.evaluate(WIDTH) for one in (ann, ben)] == [WIDE[0], PHONE[0]]
    hands = [set(one.page.locator(".hand .name").all_inner_texts()) for one in (ann, ben)]
    assert hands[0]
    assert not hands[0] & set(re.findall(r"[A-Z]\w+ \d+", ben.page.content())) - on_table(ben)
    assert faults_found_by_axe(ann) == []
    assert faults_found_by_axe(ben) == []
    assert ann.said + ben.said == []


SEEN = """
window.seen = [];
new MutationObserver(() => seen.push(document.querySelector(".question")?.innerText ?? ""))
  .observe(document, { subtree: true, childList: true });
"""


def test_a_page_in_german_never_shows_an_english_question(browser, running):
    page = browser.new_page()
    page.add_init_script(SEEN)
    page.goto(
        running.link(table_for(running, "Ann=human,Ben=human"), 0).replace("#", "?language=de#")
    )
    page.wait_for_selector(".asked")
    seen = page.evaluate("seen")
    page.close()
    assert "Welche Karte bietest du" in seen[-1]
    assert not [one for one in seen if "Which card" in one]


def titles(person):
    """The pieces on the board as the page says them."""
    return sorted(person.page.locator(".gnostica .piece > title").all_text_contents())


def on_table(person):
    """Cards that everybody sees."""
    words = person.page.locator(".gnostica .space > title").all_text_contents()
    words += person.page.locator(".log").all_inner_texts()
    return set(re.findall(r"[A-Z]\w+ \d+", " ".join(words)))


def test_the_host_opens_a_table_and_hands_out_its_seats(browser, running):
    host = sits_down(browser, f"{running.url}/#{running.service.door.host_token}")
    host.waits("button.main:not([disabled])", 60)
    host.page.get_by_label("Name of player 1").fill("Dora")
    host.page.get_by_role("button", name="Open", exact=True).click()
    host.waits("text=Dora")
    card = host.page.locator("article.table-card").first
    with host.page.context.expect_page() as opened:
        card.get_by_role("button", name="Sit here").first.click()
    opened.value.wait_for_selector(".asked")
    assert opened.value.locator(".seat.me .name").inner_text() == "Dora"
    card.get_by_role("button", name="Invite").first.click()
    assert "/t/" in host.page.get_by_label("Link", exact=True).input_value()
    assert host.page.locator("svg.qr path").count() == 1
    assert faults_found_by_axe(host) == []
    assert host.said == []


@pytest.mark.parametrize(
    ("packs", "players", "on_the_way", "where", "told"),
    [
        ((SALT,), "Gm=human,Ann=human", ("act", "strike"), ".odds figcaption", "1d12: 1 to 12"),
        ((INK,), "Gm=human,Ann=human", ("somebody acts",), ".option .chance", "glance: "),
        (("monotheism",), "Ann=human,Ben=human,Cid=human", (), ".odds figcaption", "1d"),
    ],
)
def test_the_odds_of_a_roll_are_shown_before_it_is_made(
    browser, running, packs, players, on_the_way, where, told
):
    """In a game whose dice the server rolls: the odds stand there before anything is pressed, of what the
    roll decides if the rules say it."""
    id = table_for(running, players, packs, seed=3)
    table = load_table(running.service.store, id)
    source = random.Random(3)
    for _ in range(300):
        prompt = table.game.prompts[0]
        assert prompt.player is not None
        asked = seat_view(table, prompt.player)["panel"]
        assert asked is not None
        if any(option["dice"] for option in asked["fields"][0]["options"]):
            break
        with contextlib.suppress(Refused):  # a text that does not fit, or the like
            table.answer(prompt.player, asked["id"], [some_answer(prompt, on_the_way, source)])
    who = sits_down(browser, running.link(id, prompt.player), PHONE)
    who.waits(f".asked {where}")
    assert told in who.page.locator(where).first.inner_text()
    several = who.page.locator(".curve:not([hidden]) .rolls .roll")
    for at in range(several.count()):
        several.nth(at).click()
        assert several.nth(at).get_attribute("aria-pressed") == "true"
        dice = several.nth(at).inner_text()
        assert who.page.locator(".odds figcaption").inner_text().startswith(dice)
    assert faults_found_by_axe(who) == []
    assert who.said == []


def some_answer(prompt, wanted, source):
    """An answer: an option that has one of these words, or any."""
    if prompt.kind == "text":
        return ["as it was told"]
    if prompt.kind in SEVERAL:
        keys = [one.key for one in prompt.options]
        return source.sample(keys, max(prompt.least, min(1, prompt.most)))
    fitting = [one.key for word in wanted for one in prompt.options if word in one.label]
    return [fitting[0] if fitting else source.choice(prompt.options).key]


NAMING = {
    "What happens now?": "somebody-acts",
    "What does Odile Marchetti do?": "use-magic",
    "Which magic?": "cast-a-spell",
}


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_a_spell_is_cast_by_clicks_on_its_diagram(browser, running, size, scheme):
    """Once it is named: three components, the roll, an aspect, and the casting."""
    id = table_for(running, "Gm=human,Ann=human", (INK,), seed=1)
    table = load_table(running.service.store, id)
    while (prompt := table.game.prompts[0]).text != "What is the spell used on?":
        assert prompt.player is not None
        usual = prompt.usual or (prompt.options[0].key if prompt.options else "a dry coat",)
        keys = [NAMING[prompt.text]] if prompt.text in NAMING else usual
        table.answer(prompt.player, table.question_id(prompt.player), [keys])
    gm, ann = (
        sits_down(browser, running.link(id, seat), size, scheme, seed=seat + 1) for seat in (0, 1)
    )
    ann.waits(".diagram")
    drop = ann.page.locator(".ways button", has_text="drop the spell")
    drop.click()
    assert drop.inner_text() == "Drop the spell: are you sure?"
    ann.page.locator("#question").focus()
    assert drop.inner_text() == "Drop the spell"
    for step, cost in (("scene", 1), ("Discreet", 2), ("Dust Jacket", 3)):
        chip = ann.page.locator(".step", has_text=step)
        if step == "Discreet" and size == WIDE:
            ann.page.locator(".token").drag_to(chip)
        else:
            chip.click()
            ann.waits(f".step[aria-pressed=true]:focus >> text={step}")  # the keyboard stays there
        ann.waits(f".step[aria-pressed=true] >> text={step}")
        assert ann.page.locator(".figures b").inner_text() == str(cost)
    assert ann.page.locator(".ways button[disabled]").inner_text() == "Cast it"
    assert faults_found_by_axe(ann) == []
    clicks = 3
    for way in ("Roll for it", "none", "Cast it"):
        while not ann.is_asked():
            play((gm,), 3, "none", "no")
        if way == "Cast it":
            assert ann.page.locator(".figures dt").all_inner_texts()[:2] == ["Hits", "Glances"]
            assert faults_found_by_axe(ann) == []
        ann.page.locator(".fields button:not([disabled])", has_text=way.lower()).click()
        ann.page.wait_for_function("() => !document.querySelector('.fields')")
        clicks += 1
    assert clicks == 6
    ann.waits("text=works")
    assert gm.said + ann.said == []


QUARREL_TURN = """\
choose whom from players "Whom do you hurt?"
choose much from 1 .. 3 "How hard?"
roll luck = much d 6
hurt(whom, luck)
set me = seat_after(me)
"""


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_any_game_has_a_board_that_can_be_pressed(browser, running, size, scheme):
    """A game that has no board of its own: its things with their numbers, what lies in zones."""
    eyes = charm("eyes", "when hurt(who, much):\n    set tally = tally + much")
    game = duel(program_of_duel(QUARREL_TURN, eyes), ["eyes"], [], seed=3)
    id = keep(running.service.store, game, [Seat(one, HUMAN) for one in game.players]).id
    first = sits_down(browser, running.link(id, 0), size, scheme)
    first.waits(".any .thing .name.can")
    assert first.page.locator(".any .zone .held").all_inner_texts() == ["eyes"]
    first.page.locator(".any .thing .name.can", has_text="B").click()
    first.waits(".asked h2:text-is('How hard?')")
    assert first.page.locator(".option .dice").all_inner_texts() == ["1d6", "2d6", "3d6"]
    first.page.get_by_role("button", name="3d6", exact=True).click()
    assert first.page.locator(".odds figcaption").inner_text().startswith("3d6: 3 to 18")
    assert first.page.evaluate("document.documentElement.scrollWidth") == size[0]
    first.answers()
    first.waits(".waiting")
    told = first.page.locator(".log").inner_text()
    lost = int(re.search(r"B loses (\d+)", told)[1])  # type: ignore[index]
    first.page.get_by_role("button", name=f"life {20 - lost}").click()
    first.waits("dialog pre")
    assert f"B loses {lost}" in " ".join(first.page.locator("dialog pre").inner_text().split())
    first.page.keyboard.press("Escape")
    assert faults_found_by_axe(first) == []
    assert first.said == []


def test_a_campaign_goes_on_and_tells_first_what_has_changed(browser, running):
    host = sits_down(browser, f"{running.url}/#{running.service.door.host_token}")
    host.waits("button.main:not([disabled])", 60)
    host.page.get_by_label("Campaign (optional)").fill("The <b>long</b> winter")
    host.page.get_by_role("button", name="Open", exact=True).click()
    host.waits(".campaign article")
    assert host.page.locator(".campaign h3").first.inner_text() == "The <b>long</b> winter"
    host.page.get_by_role("button", name="Next session").click()
    host.waits("text=Session 2")
    store = running.service.store  # as if the last session had been played with another version
    store._db.execute("update campaigns set lock = replace(lock, '\"1.0.0\"', '\"0.9.0\"')")
    host.page.get_by_role("button", name="Next session").click()
    host.waits("text=pack gnostica was 0.9.0 and is 1.0.0 now")
    assert not host.sees("text=Session 3")
    host.page.get_by_role("button", name="Start with the packs as they are now").click()
    host.waits("text=Session 3")
    assert faults_found_by_axe(host) == []
    assert host.said == []


def test_whoever_has_seen_an_answer_is_asked_whether_it_may_be_taken_back(browser, running):
    """Ben's piece is turned; Ann says no, and then yes."""
    id = table_for(running, "Ann=human,Ben=human")
    table, before = load_table(running.service.store, id), ""
    for _ in range(60):
        seat = table.game.node.stop.who[0]
        prompt = table.authorised(seat).prompt
        assert prompt is not None
        keys = [one.key for one in prompt.options]
        if seat == 1 and prompt.text.startswith("Which way does"):
            before = prompt.text
            table.answer(seat, table.question_id(seat), [["N"]])
            break
        table.answer(seat, table.question_id(seat), [keys[: max(1, prompt.least)]])
    ann, ben = (sits_down(browser, running.link(id, seat)) for seat in (0, 1))
    ann.waits(".question")
    ben.waits(".asked")
    ben.page.get_by_role("button", name="Undo").click()
    ben.waits(".toast:not([hidden])")
    ann.waits(".wish button")
    ann.page.get_by_role("button", name="No", exact=True).click()
    ben.page.wait_for_selector(".wish", state="detached")
    ben.page.get_by_role("button", name="Undo").click()
    ann.waits(".wish button")
    ann.page.get_by_role("button", name="Yes", exact=True).click()
    ben.waits(f".fields :text-is('{before}')")
    assert ann.said + ben.said == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "title", ["a card with one power", "a strike", "a failed roll", "a round without events"]
)
def test_people_click_as_often_as_the_model_of_panels_says(browser, running, title):
    table = played(next(one for one in SITUATIONS if one.title == title), shows=False)
    told, pressed = table.most(), table.most_pressed(running, browser)
    assert {who: many[:2] for who, many in pressed.items()} == {
        who: many[:2] for who, many in told.items()
    }


def begins_to_place(person):
    """Answer until the person places a piece."""
    person.waits(".fields")
    play([person], 20, until="Where do you place your piece?")
    person.waits(".space.can")


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_a_direction_is_set_by_dragging_and_a_ghost_shows_what_will_stand(
    browser, running, size, scheme
):
    id = table_for(running, "Ann=human,steady", seed=11)
    ann = sits_down(browser, running.link(id, 0), size, scheme)
    begins_to_place(ann)
    page = ann.page
    page.locator(".space.can").first.hover()
    ann.waits(".ghosts .piece")
    page.locator(".space.can").first.click()
    ann.waits(".turns")
    assert page.locator(".piece.to-be").count() == 1
    box = page.locator(".turns").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 5, steps=4)
    ann.waits(".ghosts .piece")
    page.mouse.up()
    ann.waits(".said:has-text('← west')")
    page.keyboard.press("ArrowUp")
    ann.waits(".said:has-text('↑ north')")
    page.keyboard.press("Enter")
    ann.waits(".log :text('facing north, on')")
    assert ann.page.evaluate(WIDTH) <= size[0]
    assert faults_found_by_axe(ann) == []
    assert ann.said == []


def test_a_card_on_the_board_is_read_by_hover_long_press_and_key(browser, running):
    id = table_for(running, "Ann=human,steady", seed=11)
    ann = sits_down(browser, running.link(id, 0))
    begins_to_place(ann)
    page, card = ann.page, ann.page.locator(".space.card").first
    title = card.get_attribute("data-read")
    card.hover()
    page.wait_for_selector(f".peek:has-text('{title}')")
    page.keyboard.press("Escape")
    page.wait_for_selector(".peek", state="hidden")
    card.focus()
    page.keyboard.press("?")
    ann.waits("dialog button.main")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    card.dispatch_event("pointerdown", {"pointerType": "touch", "pointerId": 1})
    ann.waits("dialog button.main")
    page.locator("dialog button.main").click()
    ann.waits(f".filled:has-text('{title}')")
    assert ann.said == []


def test_dice_of_a_draft_are_named_in_order_once(browser, running):
    """The second at the draft names three dice, and is not asked for them again."""
    id = table_for(running, "Ann=human,Ben=human,Cid=human", ("monotheism",))
    people = [sits_down(browser, running.link(id, seat), seed=seat) for seat in range(3)]
    for one in people:
        one.waits(".question")
    play(people, 40, until="Which die do you take")
    play(people, 1)
    people[0].page.wait_for_timeout(300)
    who = next(one for one in people if one.is_asked())
    who.page.get_by_text("When I am asked this again").click()
    who.page.get_by_role("button", name="Choose several, in order").click()
    wanted = who.page.locator(".asked .option .words").all_inner_texts()[:3]
    for at in range(3):
        who.page.locator(".asked .option").nth(at).click()
    who.page.get_by_role("button", name="Done").click()
    who.waits(".waiting")
    who.page.get_by_text("1 standing answer").click()
    listed = who.page.locator(".again li").inner_text()
    assert all(one.partition(" ×")[0].partition(" x")[0] in listed for one in wanted[1:]), (
        wanted,
        listed,
    )
    play([one for one in people if one is not who], 2)
    who.page.wait_for_timeout(300)
    assert not who.is_asked()
    assert faults_found_by_axe(who) == []
    assert [one.said for one in people] == [[], [], []]


# ---------------------------------------------------------------------------------- whole games


@pytest.mark.slow
def test_a_whole_game_of_gnostica_is_the_game_that_the_command_line_tells(browser, running, tmp_path):  # fmt: skip
    id = table_for(running, "Ann=human,Ben=human", seed=11)
    ann = sits_down(browser, running.link(id, 0), seed=5)
    ben = sits_down(browser, running.link(id, 1), PHONE, "dark", seed=6)
    ann.waits(".asked")
    ben.waits(".asked")
    play((ann, ben), 60, "\nno", "activate", "do")
    play((ann, ben), 600)
    ann.waits(".over")
    ben.waits(".over")
    save = tmp_path / "evening.save"
    save.write_text(exported(running.service.store, id), encoding="utf-8")
    told = call("play", "--resume", save).out
    won = re.search(r"The game is over after \d+ turns: (\w+) (?:has )?w", told)
    assert won is not None, told[-400:]
    assert won[1] in ann.page.locator(".over h2").inner_text()
    assert ann.page.locator(".over h2").inner_text() == ben.page.locator(".over h2").inner_text()
    ways = {"north": "↑", "east": "→", "south": "↓", "west": "←", "upright": "•"}
    sizes = {"small": "1", "medium": "2", "large": "3"}
    shown = Counter(
        f"{owner[0]}{sizes[size]}{ways[way]}"
        for owner, size, way in (re.match(r"(\w+): (\w+), (\w+)", one).groups() for one in titles(ann))  # type: ignore[union-attr]
    )  # fmt: skip
    assert shown == Counter(re.findall(r"\b[AB][123][↑→↓←•]", told.partition("player")[0]))
    assert call("replay", save, "--verify").code == 0
    assert ann.said + ben.said == []


@pytest.mark.slow
def test_a_fight_of_moonstone_with_a_correction(browser, running):
    id = table_for(running, "Gm=human,Ann=human", (SALT,), seed=1)
    gm = sits_down(browser, running.link(id, 0), seed=1)
    ann = sits_down(browser, running.link(id, 1), PHONE, "dark", seed=2)
    gm.waits(".asked")
    play((gm, ann), 14, "act", "strike", "0")
    gm.waits("svg.track")
    gm.page.get_by_role("button", name="Correct …").first.click()
    gm.page.get_by_label("What", exact=True).fill("pi(bram-stilt)")
    gm.page.get_by_label("Value", exact=True).fill("40")
    gm.page.get_by_label("Reason", exact=True).fill("the tide took him by surprise")
    gm.page.locator("dialog button.main").click()
    ann.waits("text=the tide took him by surprise")
    assert ann.page.get_by_role("button", name="Correct …").count() == 0
    ann.page.get_by_role("button", name="PI 40").click()
    why = " ".join(ann.page.locator("dialog pre").inner_text().split())
    assert "the GM sets PI of Bram Stilt to 40 (the tide took him by surprise)" in why
    ann.page.keyboard.press("Escape")
    play((gm, ann), 400, "act", "strike", "the scene is over")
    assert faults_found_by_axe(gm) == []
    assert faults_found_by_axe(ann) == []
    assert gm.said + ann.said == []


@pytest.mark.slow
def test_a_scene_of_witchgates_with_a_spell(browser, running):
    id = table_for(running, "Gm=human,Ann=human", (INK,), seed=3)
    gm = sits_down(browser, running.link(id, 0), seed=1)
    ann = sits_down(browser, running.link(id, 1), PHONE, "dark", seed=2)
    gm.waits(".asked")
    spell = ("somebody acts", "use magic", "cast a spell", "Ink")
    play((gm, ann), 20, "somebody acts", until="What does Odile Marchetti do")
    ann.page.get_by_role("button", name="use magic").click()
    ann.page.wait_for_timeout(500)
    play((gm, ann), 60, *spell, until="How is the spell made")
    ann.waits(".spell")
    assert "left to pay" in ann.page.locator(".spell").inner_text()
    assert faults_found_by_axe(ann) == []
    play((gm, ann), 60, "Drop the spell", *spell)
    assert gm.sees(".clock")
    assert faults_found_by_axe(gm) == []
    assert gm.said + ann.said == []


@pytest.mark.slow
def test_three_people_through_a_round_of_monotheism(browser, running):
    id = table_for(running, "Ann=human,Ben=human,Cid=human", ("monotheism",), seed=4)
    people = [sits_down(browser, running.link(id, seat), seed=seat + 1) for seat in range(3)]
    people[0].waits(".asked")
    asked = play(people, 260)
    assert any("Which die do you place" in one for one in asked), asked[-5:]
    assert people[1].sees(".follower")
    assert [faults_found_by_axe(one) for one in people] == [[], [], []]
    assert [one.said for one in people] == [[], [], []]


@pytest.mark.slow
def test_a_card_written_from_nothing_is_tested_and_played(browser, running, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "my-pack", "--game", "gnostica").code == 0
    assert call("new", "major", "my-card", "--in", "my-pack").code == 0
    assert call("test", "my-pack").out.splitlines()[-1].startswith("3 passed, 0 failed")
    pack = str(tmp_path / "my-pack")
    id = table_for(running, "Ann=human,Ben=human", ("gnostica", pack), seed=8)  # Ann is dealt it
    people = [sits_down(browser, running.link(id, seat), seed=seat + 1) for seat in range(2)]
    ann = people[0]
    ann.waits(".hand")
    assert "My card" in ann.page.locator(".hand .name").all_inner_texts()
    ann.page.get_by_role("button", name="Look up").click()
    ann.page.get_by_label("The name of a card").fill("My card")
    ann.page.keyboard.press("Enter")
    ann.waits("dialog pre")
    assert "minion" in ann.page.locator("dialog pre").inner_text()
    ann.page.keyboard.press("Escape")
    play(people, 2, "Create 3")  # the bids
    wanted = ("My card", "play a card", "\nno", "create")
    play(people, 60, *wanted, until="What does Ann")
    # The card lets a piece of Ann's stand up, and then create.
    assert "my card" in ann.page.locator(".log").inner_text().lower()
    assert any("Ann: small, upright" in one for one in titles(people[1]))
    assert [one.said for one in people] == [[], []]


def test_what_goes_wrong_at_the_host_and_at_the_table_is_told_on_the_page(browser, tmp_path):
    """Hostile and broken packs are refused in words, a locked file is told and the answer counts
    once it is free, and at one screen a cover stands before what another may not see."""
    assert call("new", "pack", "lamps", "--game", "gnostica", "--in", tmp_path).code == 0
    lamps = {f"lamps/{one.name}": one.read_text() for one in (tmp_path / "lamps").glob("*.yaml")}
    with served(tmp_path / "tables.db", folder=tmp_path / "packs") as running:
        host = sits_down(browser, f"{running.url}/#{running.service.door.host_token}", PHONE)
        host.waits("button.main:not([disabled])", 60)
        send_pack(host, "evil.zip", zipped({"../evil.yaml": "x"}))
        host.waits(".told:has-text('leads out of the zip')")
        send_pack(host, "lamps.zip", zipped(lamps))
        host.page.wait_for_selector("#game option:nth-child(2)", state="attached", timeout=60_000)
        assert host.page.locator("#game option").all_inner_texts() == ["gnostica", "lamps"]
        assert host.page.locator(".told").inner_text() == ""

        id = table_for(running, "Ann=human,Ben=human")
        ann = sits_down(browser, running.link(id, 0))
        ann.waits(".asked")
        before = ann.page.locator(".question").get_attribute("data-answered")
        with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as other:
            other.isolation_level = None
            other.execute("begin exclusive")
            ann.answers()
            ann.waits(".toast:has-text('another process holds the file')")
            assert ann.page.locator(".question").get_attribute("data-answered") == before
            other.execute("rollback")
        ann.answers()
        ann.waits(".waiting")

        both = sits_down(browser, running.link(id, 0, 1), PHONE, "dark")
        both.waits("dialog.cover")
        assert "Ben" in both.page.locator("dialog.cover h2").inner_text()
        assert both.page.locator("section.table").is_hidden()
        assert faults_found_by_axe(both) == []
        both.page.get_by_role("button", name="I am Ben").click()
        both.waits(".asked")
        assert both.page.locator(".seat.me .name").inner_text() == "Ben"
        assert [one for one in host.said + ann.said + both.said if " 409 " not in one and " 503 " not in one] == []  # fmt: skip


def send_pack(host, name, data):
    """Choose a file for a pack that is sent in."""
    field = host.page.locator("input[accept='.zip']")
    field.set_input_files({"name": name, "mimeType": "application/zip", "buffer": data})


def zipped(files):
    """A zip of these texts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("packs", "players", "seat", "seed"),
    [
        (("gnostica",), "Ann=human,steady", 0, 8),
        ((SALT,), "Gm=human,steady", 0, 1),
        ((INK,), "Gm=human,steady", 0, 3),
        ((INK,), "steady,Ann=human", 1, 3),
        (("monotheism",), "Ann=human,steady,steady", 0, 4),
    ],
)
def test_the_keyboard_alone(browser, running, packs, players, seat, seed):
    """The keyboard stays at the question from answer to answer, and reaches each kind."""
    id = table_for(running, players, packs, seed)
    person = sits_down(browser, running.link(id, seat))
    person.waits(".fields")
    person.page.keyboard.press("Tab")  # to the first link, which leads to the question
    person.page.keyboard.press("Enter")
    asked = []
    for _ in range(16):
        person.page.wait_for_selector(".fields, .over")
        if person.sees(".over"):
            break
        asked.append(person.questions())
        assert person.page.evaluate(AT_QUESTION), asked[-3:]
        before = person.page.locator(".question").get_attribute("data-answered")
        answer_by_keyboard(person)
        person.page.wait_for_function(
            "old => document.querySelector('.question').dataset.answered !== old", arg=before
        )
    assert person.pressed()[0] == 0
    assert len(set(asked)) > 3, asked
    assert person.said == []


# By game: the packs, the people, and a question before which its page is looked at.
LOOKED_AT = {
    "gnostica": (("gnostica",), "Ann=human,Ben=human", "What do you do this turn?"),
    "moonstone": ((SALT,), "Gm=human,Ann=human", "With what does"),
    "witchgates": ((INK,), "Gm=human,Ann=human", "Which skill does"),
    "the draft": (("monotheism",), "Ann=human,Ben=human,Cid=human", "Which die do you take"),
    "the judging": (
        ("monotheism",),
        "Ann=human,Ben=human,Cid=human",
        "What do you say to the tale",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("state", LOOKED_AT)
def test_axe_finds_nothing_serious(browser, running, state):
    """The table with a question, and a dialog; in each size and scheme."""
    packs, players, until = LOOKED_AT[state]
    id = table_for(running, players, packs, seed=1)
    table = load_table(running.service.store, id)
    source = random.Random(1)
    for _ in range(400):
        prompt = table.game.prompts[0]
        if table.bots_are_asked():
            table.bot_answers()
        elif until in prompt.text:
            break
        else:
            assert prompt.player is not None
            keys = some_answer(prompt, ("strike", "somebody acts", "nspiration"), source)
            with contextlib.suppress(Refused):
                table.answer(prompt.player, table.question_id(prompt.player), [keys])
    assert until in table.game.prompts[0].text
    for size, scheme in itertools.product((WIDE, PHONE), ("light", "dark")):
        one = sits_down(browser, running.link(id, table.game.prompts[0].player), size, scheme)
        one.waits(".fields")
        assert one.page.evaluate(WIDTH) <= size[0]
        assert faults_found_by_axe(one) == []
        one.page.get_by_role("button", name="Look up").click()
        one.waits("dialog")
        assert faults_found_by_axe(one) == []
        one.page.context.close()


AT_QUESTION = "document.querySelector('.question').contains(document.activeElement)"


def answer_by_keyboard(person):
    """Confirm, or take what stands first, by keys alone."""
    keyboard, options = person.page.keyboard, person.page.locator(".asked .option")
    if person.sees(".confirm:focus, .asked input:focus"):
        keyboard.press("Enter")
    elif person.sees(".asked textarea:focus"):
        keyboard.type("as it was told")
        keyboard.press("Enter")
    elif person.sees(".asked .count"):
        for _ in range(12):
            if person.sees(".asked button.main:not([disabled])"):
                break
            keyboard.press("Space")
            keyboard.press("ArrowDown")
        while not person.sees(".asked button.main:focus"):
            keyboard.press("Tab")
        keyboard.press("Enter")
    else:
        keyboard.press("ArrowDown")
        is_card = options.first.get_attribute("data-card") is not None
        keyboard.press("Enter")
        if is_card:  # its text is shown first, with the button to choose it
            person.waits("dialog button.main:focus")
            keyboard.press("Enter")


def test_an_answer_counts_also_while_the_one_before_is_still_being_confirmed(browser, running):
    """The next question has come over the socket; the response to the last answer is late."""
    id = table_for(running, "Ann=human,steady", seed=8)
    ann = sits_down(browser, running.link(id, 0))
    late = []
    ann.page.route("**/api/answer", lambda route: late.append((route, route.fetch())))
    while len(late) < 2:
        ann.waits(".fields")
        before = ann.page.locator(".question").get_attribute("data-answered")
        ann.answers()
        ann.page.wait_for_function(
            "old => document.querySelector('.question').dataset.answered !== old", arg=before
        )
    ann.page.wait_for_timeout(200)
    assert len(late) == 2
    for route, response in late:
        route.fulfill(response=response)
    assert ann.said == []


# Keeps the sockets of a page, so that a test can tear them.
KEPT = """
const Real = window.WebSocket;
window.sockets = [];
window.WebSocket = class extends Real { constructor(...all) { super(...all); window.sockets.push(this); } };
"""


@pytest.mark.slow
def test_a_lost_connection_is_taken_up_again_within_a_second(browser, running):
    id = table_for(running, "Ann=human,Ben=human", seed=8)
    page = browser.new_context().new_page()
    page.add_init_script(KEPT)
    page.goto(running.link(id, 0))
    page.wait_for_selector(".asked .option")
    page.evaluate("window.sockets[0].close()")
    page.wait_for_function("() => window.sockets.length > 1 && window.sockets[1].readyState === 1", timeout=1_000)  # fmt: skip
    page.wait_for_function("() => !document.body.classList.contains('away')", timeout=1_000)
    page.context.close()


NONE = """
window.WebSocket = class {
  static OPEN = 1;
  readyState = 3;
  constructor() { setTimeout(() => this.onclose({ code: 1006 })); }
};
"""


@pytest.mark.slow
def test_where_no_socket_gets_through_a_stream_of_events_does(browser, running):
    id = table_for(running, "Ann=human,Ben=human", seed=8)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(NONE)
    page.goto(running.link(id, 0))
    page.wait_for_selector(".asked .option", timeout=8_000)
    page.locator(".asked .option").first.click()
    page.locator("dialog button.main").click()
    page.wait_for_selector(".waiting")
    context.close()
