"""Making a person in the browser: the addresses without one; and in Chromium the whole of it by clicks and
by the keyboard, which come to the text that the same answers give in a script."""

from __future__ import annotations

import re

import pytest

from ruleloom.building.building import build
from ruleloom.building.choices import all_choices
from ruleloom.building.templates import buildable_kinds, template_text
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.yaml.node import text_of, to_data
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import parse_seats
from ruleloom.web.carried import carried_by
from ruleloom.web.lobby import Shelf, open_table, plain_stem
from ruleloom.web.people import Making
from ruleloom.web.requests import BadInput, Fields
from tests.support.browser import PHONE, WIDE, faults_found_by_axe, sits_down
from tests.support.record_maker import Maker
from tests.support.web_tables import program, served

SALT, INK = "rulesets/examples/salt-and-lanterns", "rulesets/examples/wet-ink"
MOONSTONE, WITCHGATES = ("moonstone", SALT), ("witchgates",)
OPENED = """\
# People of the causeway.
- kind: character
  id: first
  title: First
- kind: character   # the keeper
  id: keeper
  title: Keeper
  gifts: [thick-hide]   # born with it
  start: {Str: 13}
"""


@pytest.fixture(scope="module")
def making():
    return Making(Shelf([MOONSTONE, WITCHGATES]))


def ask(making, request, view=None, **fields):
    """What the page is answered; about somebody, if it has a view of them."""
    about = {} if view is None else {"text": view["text"], "number": view["number"]}
    return making.answer(request, Fields({"game": 0, **about, **fields}))


def begun(making, **fields):
    return ask(making, "begin", **{"kind": "character", **fields})


def said(making, view, *lines, **fields):
    return ask(making, "say", view, say=list(lines), **fields)


# ---------------------------------------------------------------------------------- the addresses


def test_what_can_be_made_and_how_it_may_begin(making):
    assert ask(making, "offer")["kinds"][0] == {"name": "character", "title": "character"}
    kind = ask(making, "kind", kind="character")
    assert kind["points"] == "50"  # as the campaign of these packs has it
    assert {"id": "oda-wick", "title": "Oda Wick"} in kind["templates"]
    like = begun(making, template="oda-wick", name="Another Wick")
    assert (like["title"], like["id"]) == ("Another Wick", "another-wick")
    assert [one["value"] for one in choice(like, "gifts")["choices"]] == [
        "lantern-glare",
        "lamp-rites",
    ]


def choice(view, at):
    """The choice at a place of a view."""
    every = [one for heading in view["headings"] for one in heading["choices"]]
    return next(one for one in every if one["at"] == at)


def test_somebody_at_random_spends_the_points_within_the_rules(making):
    one, other = (begun(making, random=True, seed=seed, points="30") for seed in (3, 4))
    assert one["text"] != other["text"]
    assert one["legal"]
    assert 25 <= int(one["budgets"][0]["spent"]) <= 30
    assert begun(making, random=True, seed=3, points="30")["text"] == one["text"]


def test_an_answer_gives_the_price_the_sheet_and_what_is_on_offer(making):
    view = begun(making, name="Mira")
    view = said(making, view, "gifts + thick-hide", offers=[{"at": "gifts", "most": 9}])
    assert (view["title"], view["budgets"][0]["spent"]) == ("Mira", "2")
    [found] = view["offers"]
    assert len(found["offers"]) == 9
    assert found["more"] > 20
    assert "thick-hide" not in [one["value"] for one in found["offers"] if not one["there"]]
    sheet = view["sheets"][0]
    numbers = [line for block in sheet["blocks"] for line in block["lines"] if line[4]]
    assert ["PR", "5", "", "", True] in numbers


def test_a_number_is_explained_as_the_terminal_does(making):
    view = said(making, begun(making), "start.Str = 14", "gifts + thick-hide")
    sheet = view["sheets"][0]
    [(block, line)] = [
        (at, number)
        for at, one in enumerate(sheet["blocks"])
        for number, each in enumerate(one["lines"])
        if each[0] == "CV"
    ]
    told = ask(making, "why", view, sheet=sheet["id"], block=block, line=line)
    assert told[0] == "CV of New character = 6"
    assert told == ask(making, "why", view, words="CV")
    assert ask(making, "why", view, sheet=sheet["id"], block=99, line=0) == []


def test_what_an_offer_is_and_would_change(making):
    view = begun(making)
    told = ask(making, "about", view, at="gifts", value="thick-hide", say="gifts + thick-hide")
    assert "leather" in told["text"]
    assert {"label": "Integrities: PR", "before": "0", "after": "5"} in told["changes"]
    assert ask(making, "view", view)["text"] == view["text"]  # it was only looked at


def test_what_is_not_on_offer_says_why_and_the_word_of_the_gm_stays(making):
    view = said(making, begun(making), "start.Str = 24")
    found = ask(making, "offers", view, at="gifts", most=60)["offers"]
    refused = next(one for one in found if not one["legal"] and one["reasons"])
    [reason] = refused["reasons"]
    taken = said(making, view, refused["say"])
    assert reason["text"] in [one["text"] for one in taken["findings"]]
    assert not taken["legal"]
    allowed = said(making, taken, f"allow {reason['requirement']} because a gift of the river")
    assert allowed["legal"]
    assert "a gift of the river" in allowed["text"]
    assert said(making, allowed, f"forbid {reason['requirement']}")["text"] == taken["text"]


def test_a_file_that_is_opened_keeps_its_comments_its_order_and_the_others(making):
    records = ask(making, "records", text=OPENED)
    assert [one["title"] for one in records] == ["First", "Keeper"]
    view = ask(making, "view", text=OPENED, number=1)
    assert view["title"] == "Keeper"
    view = said(making, view, "gifts + keen-nose", "start.Agl = 15")
    wanted = OPENED.replace("[thick-hide]", "[thick-hide, keen-nose]").replace(
        "13}", "13, Agl: 15}"
    )
    assert view["text"] == wanted


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), ("README.md", 0), ("kind: character\nid: one\n", 3), ("{", 0), ("a: 1\n", 0)],
)
def test_a_text_without_anybody_is_refused(making, text, number):
    with pytest.raises(Refused, match="nobody in this file"):
        ask(making, "view", text=text, number=number)


def test_what_cannot_be_answered_is_refused_in_words(making):
    view = begun(making)
    for line in ("nose = 3", "title", "gifts - thick-hide"):
        with pytest.raises(Refused, match="`"):
            said(making, view, line)
    for lines in ([], ["title = x"] * 41, ["title = " + "x" * 4_001]):
        with pytest.raises(BadInput):
            said(making, view, *lines)
    with pytest.raises(Refused, match="no such game"):
        ask(making, "view", view, game=9)
    with pytest.raises(Refused):
        begun(making, kind="nobody")


def test_a_person_travels_as_a_pack_of_their_own(making):
    view = begun(making, name="Mira Reed")
    found = ask(making, "export", view)
    assert found["text"] == view["text"]
    assert "<table" in found["sheet"]
    carried = carried_by(found["pack"]["link"])
    assert carried.name == "mira-reed"
    assert carried.files["person.yaml"] == view["text"]
    assert "salt-and-lanterns" in carried.files["pack.yaml"]
    assert found["pack"]["needs"] == ["salt-and-lanterns"]


def test_a_template_goes_before_chance(making):
    like = begun(making, template="oda-wick", random=True, seed=5, points="45", name="Another")
    assert like["legal"]
    assert {"lantern-glare", "lamp-rites"} <= {
        one["value"] for one in choice(like, "gifts")["choices"]
    }
    assert like["title"] == "Another"


def test_several_people_are_one_file_of_a_pack(making):
    ann, keeper = begun(making, name="Ann"), {"text": OPENED, "number": 1}
    both = [{"text": ann["text"], "number": 0}, keeper]
    found = ask(making, "together", people=both)
    items = items_in(found["text"])
    assert [to_data(one) for one in items] == [
        to_data(items_in(ann["text"])[0]),
        to_data(items_in(OPENED)[1]),
    ]
    assert "# born with it" in found["text"]
    assert carried_by(found["pack"]["link"]).files["person.yaml"] == found["text"]
    with pytest.raises(Refused, match="two of them are called `keeper`"):
        ask(making, "together", people=[*both, keeper])


def test_a_person_has_the_card_that_their_layout_prints(making):
    view = said(making, begun(making, name="Mira"), "start.Str = 14", "skills + salt-ways")
    found = ask(making, "export", view)
    words = re.sub("<[^>]*>", " ", found["card"]["svg"])
    assert {"Mira", "Str 14", "PI 100", "5 Ad"} <= {one.strip() for one in words.split("  ")}
    long = said(making, view, f"title = {'W' * 60}")
    found = ask(making, "export", long)
    assert found["card"] is None
    assert "does not fit in `title`" in found["no_card"]
    spell = ask(making, "export", begun(making, kind="spell"))
    assert spell["card"] is None  # what it does is worded once it lies in a pack
    assert "no_card" not in spell


def test_what_is_tabulated_is_said_and_tabulated(making):
    """Also of an ability whose id the pack has already, or that is none."""
    view = said(making, begun(making, kind="ability", template="salt-ways"), "id = no id: {at all")
    assert view["tabulated"]
    [table] = ask(making, "odds", view)
    assert [one["name"] for one in table["by"]] == ["points_put", "task"]
    found = {tuple(one["answers"]): one["value"] for one in table["lines"]}
    assert found["0", "Much skill"] == "0"  # 6 at least
    assert found["0", "Average"] == "3/5"
    assert found["1", "Average"] == "13/20"  # broad: a point brings 1
    assert found["4", "Average"] == "1"  # 4 free from the roll
    assert not begun(making)["tabulated"]


def test_the_help_of_a_field_is_for_people():
    """No YAML, no ids, no names with underscores, in any kind of the games; and what an entry holds."""
    for game in ("moonstone", "witchgates", "monotheism", "gnostica"):
        for kind in buildable_kinds((game,)):
            every = (each for one in build(game, kind.name).choices for each in one.choices)
            for one in all_choices(tuple(every)):
                assert not re.search(r"[`{}]|\w_\w|\bids? of\b", one.help), (game, one.at, one.help)
    tops = [each for one in build("moonstone", "character").choices for each in one.choices]
    [gifts] = [one.help for one in tops if one.at == "gifts"]
    assert gifts == (
        "What this one can do that not everybody can: advantages. To be said of each: advantage. "
        "If you like: points, paired disadvantages, suits, worse than nothing, fudge, text."
    )


# ---------------------------------------------------------------------------------- in the browser


@pytest.fixture(scope="module")
def running():
    with served(packs=MOONSTONE) as found:
        found.service.shelf.games += [WITCHGATES, (*WITCHGATES, INK)]
        yield found


def clicks_for(choices, data, place=""):
    """The answers that make a record, one for each field of its entries; what is usual is not said."""
    for choice in choices:
        name = choice.at.removeprefix(place)
        value = data.get(name) if isinstance(data, dict) else None
        if name in ("kind", "id", "title") or value is None or value == choice.standard:
            continue
        if isinstance(value, dict):
            for key, one in value.items():
                if choice.of:  # a row that is not there yet
                    yield f"{choice.at} + {key}"
                if not choice.of or one != 1:
                    yield f"{choice.at}.{key} = {one}"
        elif isinstance(value, list):
            for number, one in enumerate(value, 1):
                whole = one if isinstance(one, dict) else {choice.short: one}
                yield f"{choice.at} + {whole[choice.short]}"
                for inner, said in whole.items():
                    at = f"{choice.at}.{number}.{inner}"
                    if inner == choice.short:
                        continue
                    if isinstance(said, list):
                        yield from (f"{at} + {each}" for each in said)
                    else:
                        yield f"{at} = {said}"
        else:
            yield f"{choice.at} = {'yes' if value is True else value}"


def is_usual(building, line):
    """Whether a field shows what is to be filled in."""
    at, _, value = line.partition(" = ")
    tops = (one for heading in building.choices for one in heading.choices)
    found = next((one for one in all_choices(tuple(tops)) if one.at == at), None)
    return found is not None and found.sort == "number" and str(found.standard) == value


@pytest.mark.slow
@pytest.mark.parametrize("game", [0, 2], ids=["salt-and-lanterns", "wet-ink"])
def test_shipped_people_are_made_again_by_clicks(browser, running, game):
    packs = running.service.shelf.games[game]
    maker = Maker(browser, running.making, game)
    start = build(packs[0], "character", packs[1:])
    for item in start.bench.content.by_kind("character"):
        wanted = {name: item.data(name) for name in item.fields}
        maker.begins(wanted["title"])
        building = start.say(f"title = {wanted['title']}").say(
            f"id = {plain_stem(wanted['title'])}"
        )
        for heading in start.choices:
            for line in clicks_for(heading.choices, wanted):
                if is_usual(building, line):
                    continue
                maker.heading(heading.title)
                maker.clicks(line)
                building = building.say(line)
                assert maker.text == building.text, line
        assert building.appraisal == build(packs[0], packs=packs[1:], record=template_text(start.bench, item.name)).appraisal  # fmt: skip
        maker.page.get_by_role("button", name="Others").click()
    assert maker.person.said == []


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "dark"), (PHONE, "light")], ids=str)
def test_odds_stand_beside_what_is_made_and_follow_it(browser, running, size, scheme):
    maker = Maker(browser, running.making, 0, size, scheme).begins("Fencing", "ability")
    page = maker.page

    def cells():
        """The rows of the table, each by its head."""
        page.wait_for_selector(".odds-tables:not(.old) td", timeout=90_000)
        rows = page.locator(".odds-tables tbody tr").all()
        return {
            one.locator("th[scope=row]").inner_text(): one.locator("td").all_inner_texts()
            for one in rows
        }

    assert cells()["1"][:3] == ["always", "65.0 %", "65.0 %"]  # broad: a point brings 1
    heads = page.locator(".odds-tables thead tr").last.locator("th[scope=col]").all_inner_texts()
    assert heads[:3] == ["Simple", "Average", "Some skill"]
    assert cells()["0"][5] == "never"
    maker.clicks("scope = focused")
    assert cells()["1"][:3] == ["always", "75.0 %", "75.0 %"]
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert faults_found_by_axe(maker.person) == []
    assert maker.person.said == []


def test_a_person_of_an_open_file_is_saved_into_it(browser, tmp_path):
    """With its comments and its order; what somebody else has written meanwhile is not overwritten."""
    pack = tmp_path / "causeway"
    pack.mkdir()
    manifest = "{kind: pack, id: causeway, version: 1.0.0, game: moonstone, edition: 1, requires: {moonstone: '*'}}"
    (pack / "pack.yaml").write_text(manifest, encoding="utf-8")
    file = pack / "people.yaml"
    file.write_text(OPENED, encoding="utf-8")
    with served(packs=("moonstone", str(pack))) as here:
        bench = sits_down(browser, here.bench)
        bench.page.locator(".files li button", has_text="people.yaml").click()
        bench.page.locator(".cm-line", has_text="id: keeper").click()
        bench.waits(".item-card", 90)
        with bench.page.context.expect_page() as opened:
            bench.page.get_by_role("button", name="Make a person").click()
        page = opened.value
        page.set_default_timeout(60_000)
        save = page.get_by_role("button", name="Save", exact=True)
        page.get_by_role("tab", name="Raw scores").click()
        assert save.is_disabled()
        page.locator('[data-key="start.Agl"]').fill("15")
        page.locator('[data-key="start.Agl"]').press("Tab")
        page.wait_for_selector(".tools button.main:not([disabled])")
        save.click()
        page.get_by_text("people.yaml is saved").wait_for()
        wanted = OPENED.replace("13}", "13, Agl: 15}")
        assert file.read_text(encoding="utf-8") == wanted
        theirs = wanted.replace("# People", "# The people")
        file.write_text(theirs, encoding="utf-8")
        page.locator('[data-key="start.Agl"]').fill("16")
        page.locator('[data-key="start.Agl"]').press("Tab")
        page.wait_for_selector(".tools button.main:not([disabled])")
        save.click()
        page.get_by_role("button", name="Use the version on disk").click()
        page.wait_for_function(
            "() => document.querySelector('[data-key=\"start.Agl\"]').value === '15'"
        )
        assert file.read_text(encoding="utf-8") == theirs
        assert save.is_disabled()
        assert bench.said == []


def test_several_are_chosen_and_taken_along(browser, running):
    maker = Maker(browser, running.making, 1)
    for name in ("Ada", "Sil"):
        maker.begins(name)
        maker.page.get_by_role("button", name="Others").click()
    many = maker.page.get_by_role("button", name="Take the chosen along")
    assert many.is_disabled()
    for name in ("Ada", "Sil"):
        maker.page.get_by_label(f"Take along {name}").check()
    assert faults_found_by_axe(maker.person) == []
    many.click()
    maker.person.waits("dialog a[download='my-people.yaml']")
    text = maker.page.locator("dialog details pre").text_content() or ""
    assert [text_of(one.get("id")) for one in items_in(text)] == ["ada", "sil"]
    assert maker.person.said == []


class Keyboard:
    """The page by the keyboard alone."""

    def __init__(self, maker):
        self.page, self.keys = maker.page, maker.page.keyboard

    def goes_to(self, selector, key="Tab", most=90):
        """Press a key until something has the keyboard."""
        for _ in range(most):
            if self.page.evaluate("one => document.activeElement.matches(one)", selector):
                return
            self.keys.press(key)
        raise AssertionError(f"the keyboard does not reach {selector}")


def test_a_whole_person_by_the_keyboard_alone(browser, running):
    maker = Maker(browser, running.making, 0)
    page, board = maker.page, Keyboard(maker)
    keys, tab = board.keys, '[role="tab"][aria-selected="true"]'
    board.goes_to(".begin input[type=text]", "Shift+Tab")
    keys.type("Mira")
    board.goes_to(".begin button.main")
    keys.press("Enter")
    maker.person.waits(".choices-of")
    keys.press("ArrowDown")  # from heading to heading
    board.goes_to('[data-key="start.Str"]')
    keys.press("Control+A")
    keys.type("30")
    maker.answers(lambda: keys.press("Tab"))
    board.goes_to('[data-key="allow within_allowance"]', "Shift+Tab")
    keys.press("Enter")
    keys.type("the child of a giant")
    maker.answers(lambda: keys.press("Enter"))
    board.goes_to(tab, "Tab")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    page.wait_for_selector(".offered .option")
    keys.press("/")
    keys.type("thick hide")
    page.wait_for_selector(".offered li:only-child")
    keys.press("ArrowDown")
    page.wait_for_selector(".peek:not([hidden]) .would")  # what it is, and would change
    assert "leather" in page.locator(".peek").inner_text()
    maker.answers(lambda: keys.press("Enter"))
    taken = maker.text
    assert "gifts: [thick-hide]" in taken
    maker.answers(lambda: keys.press("Control+Z"))
    assert "gifts" not in maker.text
    maker.answers(lambda: keys.press("Control+Y"))
    assert maker.text == taken
    board.goes_to('[data-key="budget CV"]', "Shift+Tab")
    keys.press("Enter")  # how it comes about
    assert "the price of Str" in page.locator("dialog pre").inner_text()
    keys.press("Escape")
    board.goes_to(".tools button.main", "Shift+Tab")
    keys.press("Enter")
    page.wait_for_selector("dialog a[download='mira.yaml']")
    assert maker.person.pressed()[0] == 0  # no click at all
    assert maker.person.said == []


def test_a_spell_with_its_odds_by_the_keyboard_alone(browser, running):
    maker = Maker(browser, running.making, 1)
    page, board = maker.page, Keyboard(maker)
    keys = board.keys
    board.goes_to("#kind", "Shift+Tab")
    keys.type("formula")
    maker.person.waits(".begin[data-of='1 formula']")
    board.goes_to(".begin input[type=text]")
    keys.type("Blot")
    board.goes_to(".begin button.main")
    keys.press("Enter")
    maker.person.waits(".choices-of")
    maker.answers(lambda: keys.press("ArrowDown"))
    keys.press("/")
    keys.type("energy strike")
    page.wait_for_selector(".offered li:only-child")
    keys.press("ArrowDown")
    maker.answers(lambda: keys.press("Enter"))
    assert "parts: {energy-strike: 1}" in maker.text
    page.wait_for_selector(".odds-tables:not(.old) td", timeout=90_000)
    board.goes_to(".odds-tables .wide-table")
    assert faults_found_by_axe(maker.person) == []
    assert maker.person.pressed()[0] == 0
    assert maker.person.said == []


def test_a_new_record_says_what_is_still_to_say(browser, running):
    maker = Maker(browser, running.making, 0, PHONE).begins("Tide song", "advantage")
    page = maker.page
    assert "Still to say: scaled, rating".lower() in page.locator(".findings").inner_text().lower()
    assert page.locator(".findings .error, .failing, [role=tab] .wrong").count() == 0
    assert page.locator("p.to-say").count() == 2
    assert faults_found_by_axe(maker.person) == []
    maker.clicks("rating = 1/2")
    assert page.locator("p.to-say").count() == 1
    maker.clicks("rating = II")
    assert page.locator("p.to-say, .to-say li").count() == 0
    assert maker.person.said == []


def test_what_is_on_offer_is_asked_anew_under_each_heading(browser, running):
    maker = Maker(browser, running.making, 1).begins("Ada")
    page = maker.page
    maker.heading("Knacks")
    assert page.locator(".offered .option:not(.refused *)").count() == 0
    maker.heading("Arcana levels")
    maker.clicks("arcana_levels.matter = 1")
    maker.heading("Knacks")
    assert page.locator(".offered > ul .words").all_inner_texts() == ["Matter"]
    assert maker.person.said == []


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=str)
def test_axe_finds_nothing_serious(browser, running, size, scheme):
    maker = Maker(browser, running.making, 0, size, scheme)
    assert faults_found_by_axe(maker.person) == []
    maker.begins("Mira")
    maker.heading("Advantages")
    maker.clicks("gifts + thick-hide")
    maker.heading("Raw scores")
    maker.clicks("start.Str = 30")  # more than is allowed
    maker.heading("Advantages")
    maker.key("gifts ?").fill("")
    maker.page.get_by_text("not on offer").click()
    maker.key("more gifts.1").click()
    assert maker.page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert faults_found_by_axe(maker.person) == []
    if size == WIDE:  # the other look of the same page
        maker.page.emulate_media(color_scheme="dark")
        assert faults_found_by_axe(maker.person) == []
    assert maker.person.said == []


def test_back_leads_through_headings_and_a_reload_finds_who_was_made(browser, running):
    maker = Maker(browser, running.making, 1).begins("Sil")
    maker.heading("Skills")
    maker.clicks("skills.stealth = 2")
    maker.page.go_back()
    assert maker.page.get_by_role("tab", selected=True).inner_text() == "Character"
    maker.page.reload()
    maker.page.get_by_role("button", name="Go on with Sil").click()
    maker.person.waits(".choices-of")
    assert "skills: {stealth: 2}" in maker.text
    maker.page.get_by_role("button", name="Variant").click()
    maker.page.wait_for_function("() => JSON.parse(localStorage['ruleloom-people']).length === 2")
    assert "id: sil-2" in maker.text


def test_nobody_but_the_host_makes_people(running):
    store = running.service.store
    table = open_table(store, program("gnostica"), parse_seats("Ann=human,Ben=human"), 1)
    token = running.token(table.id, 1)
    answer = running.post(token, "host/make/games")
    assert answer.status_code == 401
