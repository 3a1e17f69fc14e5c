"""Making a person in the browser: the addresses without one; and in Chromium the whole of it by clicks and
by the keyboard, which come to the text that the same answers give in a script."""

from __future__ import annotations


import pytest

from ruleloom.building.building import build
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.carried import carried_by
from ruleloom.web.lobby import Shelf
from ruleloom.web.making import Making
from ruleloom.web.requests import BadInput, Fields
from tests.support.browser import PHONE, WIDE, faults_found_by_axe, sits_down, started
from tests.support.web_tables import served

SALT = "rulesets/examples/salt-and-lanterns"
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
    assert [one["value"] for one in choice(like, "gifts")["choices"]] == ["lantern-glare", "lamp-rites"]


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
    view = ask(making, "view", text=OPENED, number=1)
    assert view["title"] == "Keeper"
    view = said(making, view, "gifts + keen-nose", "start.Agl = 15")
    wanted = OPENED.replace("[thick-hide]", "[thick-hide, keen-nose]").replace("13}", "13, Agl: 15}")
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
    for wrong in ({"say": []}, {"say": ["title = x"] * 41}, {"say": ["title = " + "x" * 4_001]}):
        with pytest.raises(BadInput):
            ask(making, "say", view, **wrong)
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
