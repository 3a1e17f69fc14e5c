"""A record in the making: answers, undo, prices, mistakes, offers, and the text that stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ruleloom
from ruleloom.building.answer_lines import RecordChange
from ruleloom.building.building import Building, build
from ruleloom.building.encounters import encounter_table
from ruleloom.building.offers import card_text, offers
from ruleloom.building.plain_tree import Data
from ruleloom.building.random_build import random_record
from ruleloom.building.templates import buildable_kinds, setting_of_points, template_text, themes_of
from ruleloom.building.told import offer_line, version_lines
from ruleloom.building.view_data import changes_data, offers_data, view_data
from ruleloom.compiler.schema.registry import ABILITY_FIELDS
from ruleloom.compiler.yaml.node import written
from ruleloom.runtime.program.faults import Refused

MINE = """\
# Whoever keeps the ford.
kind: character
id: mo
title: Mo   # the first of that name
# strong
start: {Str: 14}
gifts:
  - thick-hide   # from the mother
  - night-eyes
"""


PACK = "kind: pack\nid: mists\nversion: 1.0.0\ngame: moonstone\nedition: 1\nrequires: {moonstone: '*'}\n"


MORE = (
    *("keen-nose", "sure-foot", "calm-heart", "light-sleeper", "true-north", "makers-hands"),
    *("night-eyes", "quick-feet", "seen-it-all"),
)


def pack(folder: Path, items: str) -> str:
    """A pack of Moonstone in a folder."""
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "items.yaml").write_text(items, encoding="utf-8")
    return str(folder)


def said(building: Building, *lines: str) -> Building:
    for line in lines:
        building = building.say(line)
    return building


def prices(building: Building) -> dict[str, str]:
    return {one.name: f"{one.spent} of {one.allowed}" for one in building.budgets}


def texts(building: Building) -> list[str]:
    return [one.text for one in building.findings]


def test_somebody_of_moonstone_is_made_and_every_answer_can_be_taken_back():
    start = ruleloom.build("moonstone", "character")
    made = said(start, "title = Ann", "start.Str = 14", "gifts + thick-hide", "skills.dodging = 2")
    assert prices(made) == {"CV": "8 of 40"}
    assert made.legal
    assert made.text == (
        "kind: character\nid: new-character\ntitle: Ann\nstart: {Str: 14}\n"
        "skills: {dodging: 2}\ngifts: [thick-hide]\n"
    )
    undone = made.undo().undo()
    assert (undone.text, undone.redo().redo().text) == (made.undo().undo().text, made.text)
    assert not undone.redo().redo().can_redo
    assert said(made, "gifts - thick-hide", "start.Str =", "skills - dodging").data == {
        **start.data,
        "title": "Ann",
    }
    with pytest.raises(Refused, match="nothing to undo"):
        start.undo()


def test_somebody_of_witchgates_spends_of_each_budget():
    made = said(
        build("witchgates"),
        "scores.physique = 3",
        "specialties + roofs",
        "specialties.roofs.at = 2",
        "arcana_levels.matter = 1",
        "knacks + {arcana: matter, about: iron}",
        "goals + pay off the debt",
    )
    assert prices(made)["all_scores"] == "3 of 6"
    assert prices(made)["all_specialties"] == "2 of 3"
    assert "specialties: [{called: roofs, at: 2}]\n" in made.text
    [finding] = made.say("skills.stealth = 3").findings
    assert (finding.requirement, finding.level) == ("usual_skills", "notice")


def test_a_text_keeps_its_comments_and_order():
    made = said(
        build("moonstone", record=MINE), "gifts + eagle-sight", "gifts.night-eyes.fudge = 1"
    )
    made = said(made, "start.End = 13", "text = Watches.", "gifts - thick-hide")
    kept = MINE.replace("  - thick-hide   # from the mother\n", "")
    kept = kept.replace("- night-eyes\n", "- {advantage: night-eyes, fudge: 1}\n  - eagle-sight\n")
    assert made.text == f"{kept.replace('{Str: 14}', '{Str: 14, End: 13}')}text: Watches.\n"


def test_one_of_several_records_of_a_file_is_edited():
    two = (
        "- {kind: character, id: a, title: A}\n# between\n- kind: character\n  id: b\n  title: B\n"
    )
    made = build("moonstone", record=two, number=1).say("start.Str = 13")
    assert made.text == f"{two}  start: {{Str: 13}}\n"


def test_what_is_illegal_is_taken_and_told_and_the_gm_can_allow_it():
    made = said(build("moonstone"), "start.Str = 20", "start.End = 20")
    [finding] = made.findings
    assert (finding.requirement, finding.forbids) == ("within_allowance", True)
    assert finding.text == "New character costs 44 Ad, and the campaign allows 40"
    assert "moonstone.cv.limit" in finding.clauses
    allowed = made.say("allow within_allowance because the GM wants a hero")
    assert allowed.legal
    assert [one.allowed for one in allowed.findings] == ["the GM wants a hero"]
    assert texts(allowed.say("start.End =")) == [
        "`within_allowance` is met, so that nothing has to be allowed"
    ]
    assert texts(made.say("allow whatever because so"))[1:] == [
        "there is no requirement `whatever`"
    ]
    assert allowed.say("forbid within_allowance").data == made.data


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gift + shell", "there is no choice `gift`; did you mean `gifts`?"),
        ("title + Ann", "`title` is no list: write `title = value`"),
        ("gifts - shell", "there is no `shell` in `gifts`"),
        ("gifts", "`gifts` is no answer: write it as"),
        ("gifts +", "`gifts +` names no entry"),
        ("allow within_allowance", "who allows it, and why?"),
        ("forbid within_allowance", "`within_allowance` is not allowed"),
    ],
)
def test_an_answer_that_names_nothing_is_refused(line: str, words: str):
    with pytest.raises(Refused) as refused:
        build("moonstone").say(line)
    assert words in refused.value.reason


def test_offers_have_a_price_a_reason_and_words_to_find_them_by():
    made = said(build("moonstone"), "start.Str = 20", "start.Int = 18", "gifts + thick-hide")
    found = {one.value: one for one in offers(made, "gifts").offers}
    assert [(one.name, more) for one, more in found["thick-hide"].cost] == [("CV", 2)]
    assert found["thick-hide"].there
    assert not found["flight"].legal
    assert [one.requirement for one in found["flight"].reasons] == ["within_allowance"]
    assert [one.value for one in offers(made, "gifts", "leather horn").offers] == ["thick-hide"]
    some = offers_data(offers(made, "gifts", most=3))
    assert (len(some["offers"]), some["more"]) == (3, len(found) - 3)
    assert card_text(made, "gifts", "thick-hide").startswith("Your skin is leather")
    assert [one.say for one in offers(made, "start.Int").offers][:2] == [
        "start.Int = 12",
        "start.Int = 13",
    ]


def test_a_page_has_everything_of_a_building():
    made = said(build("moonstone"), "gifts + thick-hide", "weapons + dagger")
    data = view_data(made)
    headings = {one["title"]: one["choices"][0] for one in data["headings"]}
    [gift] = headings["Advantages"]["choices"]
    assert (gift["at"], gift["value"], gift["cost"]) == ("gifts.1", "thick-hide", {"CV": "2"})
    assert headings["Weapons"]["titles"] == ["Dagger"]
    assert data["budgets"][0]["left"] == "38"
    assert data["sheet"][0]["blocks"][0]["lines"][0]["value"] == "2 Ad"
    changes = {one["label"]: one["after"] for one in changes_data(made.changes("start.End = 18"))}
    assert (changes["CV"], changes["Integrities: PI"]) == ("16 Ad", "130")
    assert made.why("score(Str)").value == 12


def test_a_record_of_a_pack_is_edited_in_its_place():
    found = build("moonstone", packs=["rulesets/examples/salt-and-lanterns"], kind="character")
    text = template_text(found.bench, "Oda Wick")
    made = build("moonstone", packs=["rulesets/examples/salt-and-lanterns"], record=text)
    assert made.bench.rows.number < found.bench.rows.number
    assert made.legal
    assert setting_of_points(made.bench) == "cv_allowance"
    assert buildable_kinds(made.bench.paths)[0].name == "character"


def test_homebrew_is_on_offer_and_what_a_new_version_drops_is_kept(tmp_path: Path):
    shell = "- {kind: advantage, id: mist, title: Mist, rating: II, text: You fade., tags: [fog]}\n"
    tag = "- {kind: tag, id: fog, english: fog}\n"
    old = pack(tmp_path / "old", shell + tag)
    new = pack(tmp_path / "new", shell.replace("id: mist", "id: haze") + tag)
    made = build("moonstone", "character", [old]).say("gifts + mist").say("gifts + thick-hide")
    assert themes_of(made.bench) == ("fog",)
    assert [one.value for one in offers(made, "gifts", tag="fog").offers] == ["mist"]
    after = build("moonstone", "character", [new], record=made.text)
    assert after.text == made.text
    many = said(
        made, *(f"gifts + {one}" for one in MORE), "gifts + lost", "gifts.thick-hide.points = 2"
    )
    [lost, doubled] = many.findings[:2]
    assert (lost.at, doubled.at) == ("gifts.12", "gifts.2")
    gone = build("moonstone", "character", [new], record=many.text)
    assert [one.at for one in gone.findings if one.forbids] == ["gifts.1", "gifts.12", "gifts.2"]
    [finding] = after.findings
    assert (finding.at, finding.text) == ("gifts.1", "there is no advantage `mist`")
    assert prices(after) == {"CV": "2 of 40"}
    lines = version_lines(made, after)
    assert "CV: 4 Ad -> 2 Ad" in lines
    assert "error[fields] at gifts.1: there is no advantage `mist`" in lines


def test_a_theme_and_a_beginning_steer_random_records():
    made = random_record(build("moonstone", record=MINE), 3, "fire")
    assert made.legal
    assert "- thick-hide   # from the mother\n" in made.text
    assert made.text == random_record(build("moonstone", record=MINE), 3, "fire").text


def lines_of(data: Data) -> Iterator[str]:
    """The answers that make a record."""
    for name, value in data.items():
        if name in ("kind", "id"):
            continue
        if isinstance(value, dict):
            yield from (f"{name}.{key} = {written(one)}" for key, one in value.items())
        elif isinstance(value, list):
            yield from (
                f"{name} + {one if isinstance(one, str) else written(one)}" for one in value
            )
        else:
            yield f"{name} = {value if isinstance(value, str) else written(value)}"


@pytest.mark.parametrize(
    ("game", "example"),
    [
        ("moonstone", "salt-and-lanterns"),
        ("witchgates", "wet-ink"),
        pytest.param("moonstone", "quiet-house", marks=pytest.mark.slow),
        pytest.param("moonstone", "first-light", marks=pytest.mark.slow),
    ],
)
def test_people_of_homebrew_are_made_again_to_the_point(game: str, example: str):
    packs = [f"rulesets/examples/{example}"]
    start = build(game, "character", packs)
    people = [one for one in start.bench.content.by_kind("character") if one.pack != game]
    for item in people:
        data = {name: item.data(name) for name in item.fields}
        made = said(start, *lines_of(data))
        assert {**made.data, "id": item.name} == data
        assert made.legal
        there = build(game, packs=packs, record=template_text(start.bench, item.name))
        assert prices(made) == prices(there)


def test_an_award_pays_for_more_in_both_games():
    ann = said(build("moonstone", "character"), "start.Str = 23", "start.Int = 14")
    awarded = ann.say("awards + {points: 2, why: the King of Hearts}")
    assert (prices(ann), prices(awarded)) == ({"CV": "40 of 40"}, {"CV": "40 of 42"})
    assert [one.legal for one in (ann.say("bought_init = 2"), awarded.say("bought_init = 2"))] == [
        False,
        True,
    ]
    rook = said(build("witchgates", "character"), "scores.physique = 3", "scores.resolve = 3")
    assert "experience_spent" not in prices(rook)
    rook = said(rook, "awards + {xp: 12, why: the bridge}", "scores.physique = 4")
    assert prices(rook)["all_scores"] == "7 of 7"
    assert prices(rook)["experience_spent"] == "10 of 12"
    [level] = [one for one in offers(rook, "scores.resolve").offers if one.value == "4"]
    assert [one.text for one in level.reasons] == [
        "New character has spent 20 XP, and was awarded 12"
    ]


def test_the_first_value_on_offer_is_a_legal_one():
    found = {one.value: one for one in offers(build("witchgates"), "merits").offers}
    assert {one.say: one.legal for one in found.values()} == {
        "merits + contact": True,
        "merits + steady-nerves 2": True,
        "merits + quick-healer 3": True,
        "merits + thick-hide 4": True,
    }


def test_an_offer_that_lacks_only_its_own_fields_is_open():
    rook = said(build("witchgates"), "vocation = chess", "arcana_levels.matter = 1")
    found = {one.value: one for one in offers(rook, "knacks").offers}
    assert (found["matter"].legal, found["matter"].open) == (True, ("about",))
    assert not found["time"].legal
    assert [one.requirement for one in found["time"].reasons] == ["knack_of_known_arcana"]
    assert offer_line(found["matter"]).endswith("still to say: about")
    taken = rook.say(found["matter"].say)
    assert not taken.legal
    assert taken.say("knacks.1.about = iron").legal


def test_what_only_play_makes_is_not_on_offer():
    found = {one.value: one for one in offers(build("witchgates"), "stash").offers}
    assert (found["rope"].legal, found["thing1"].legal, found["echo-of-a-thing1"].legal) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("game", "kind", "written_fields", "asked"),
    [
        ("witchgates", "character", {}, set()),
        ("monotheism", "die", {}, {"abilities"}),
        ("monotheism", "die", {"abilities": "x"}, {"abilities", "bearer", "stacks", "after"}),
        ("witchgates", "character", {"stacks": "once"}, {"stacks"}),
    ],
)
def test_how_play_counts_an_item_is_asked_only_of_what_somebody_bears(
    game: str, kind: str, written_fields: Data, asked: set[str]
):
    made = build(game, kind)
    for field, value in written_fields.items():
        made = made.take(RecordChange((field,), value))
    *_, last = made.choices
    found = {one.at for heading in made.choices for one in heading.choices}
    assert found & set(ABILITY_FIELDS) == asked
    assert not asked or {one.at for one in last.choices} == asked


def test_the_dearer_are_rarer_in_a_table_of_encounters():
    ann = build("moonstone", "character")
    made = [said(ann, f"title = {each} {{}}", f"start.Str = {each}") for each in (20, 16, 14)]
    assert [line.strip() for line in encounter_table("met", "Met", made).splitlines()[4:]] == [
        '- {weight: 6, text: "14 (), CV: 4 Ad"}',
        '- {weight: 3, text: "16 (), CV: 8 Ad"}',
        '- {weight: 1, text: "20 (), CV: 22 Ad"}',
    ]


@pytest.mark.parametrize(
    ("game", "kind", "open_fields", "answer"),
    [
        ("moonstone", "advantage", ("scaled", "rating"), "rating = II"),
        ("moonstone", "spell", ("of",), "of = hearth-magic"),
        ("witchgates", "component", ("arcana", "step_of", "metaspell"), "metaspell = yes"),
        ("monotheism", "ethos", ("feeds_on", "useless"), "useless = red"),
    ],
)
def test_what_is_not_filled_in_yet_is_open_and_not_failed(
    game: str, kind: str, open_fields: tuple[str, ...], answer: str
):
    start = build(game, kind)
    assert [one.open for one in start.findings] == [open_fields]
    assert (start.state, start.say(answer).state) == ("unfinished", "legal")
    assert any(one.legal and not one.there for one in offers(start, open_fields[-1]).offers)


def test_a_field_that_was_filled_in_wrongly_is_no_longer_open():
    spell = build("moonstone", "spell")
    assert spell.say("of = thick-hide").state == "not legal"
    found = {one.value: one.legal for one in offers(spell, "of").offers}
    assert (found["hearth-magic"], found["thick-hide"], found["keen-nose"]) == (True, False, False)
    advantage = build("moonstone", "advantage").say("rating = 1/2")
    assert [one.open for one in advantage.findings] == [("scaled",)]
    assert advantage.say("scaled = no").state == "not legal"
    assert [one.legal for one in offers(build("moonstone", "advantage"), "aim").offers] == [
        True
    ] * 4


def test_an_entry_that_lacks_a_field_is_open_until_it_is_said():
    rook = said(build("witchgates"), "vocation = chess", "arcana_levels.matter = 1")
    taken = rook.say("knacks + matter")
    assert [(one.at, one.open) for one in taken.findings] == [("knacks.1", ("about",))]
    assert (taken.state, taken.say("knacks.1.about = iron").state) == ("unfinished", "legal")
    awarded = build("moonstone", "character").say("awards + 3")
    assert [one.open for one in awarded.findings] == [("why",)]
    assert awarded.say("awards.1.why = the weir").state == "legal"
    assert rook.say("contacts + 47").data["contacts"] == [{"called": "47"}]


def test_effect_text_is_written_as_a_block_and_a_tag_that_nothing_declares_is_told():
    bell = build("moonstone", "advantage").say("rating = II")
    bell = bell.say('abilities = bonus(PR, 1, "the bell\'s blood")')
    assert 'abilities: |\n  bonus(PR, 1, "the bell\'s blood")\n' in bell.text
    told = bell.say("tags + brass").findings
    assert [(one.at, one.text) for one in told if one.forbids] == [
        ("tags.1", "there is no tag `brass`")
    ]
