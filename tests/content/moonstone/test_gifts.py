"""The abilities, damage types, advantages and spells that Moonstone ships, and what they come to in
numbers.

Every number here was worked out by hand. The characters stand in tests/content/moonstone_campaign.py.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.content.moonstone_campaign import (
    ACTIVE,
    GENERAL,
    SCALED,
    number,
    of_kind,
    resting,
    result,
    shipped,
)

LEDGER = ROOT.parent / "shared" / "rules" / "moonstone.yaml"

needs_ledger = pytest.mark.skipif(
    not LEDGER.is_file(), reason="the rule ledger does not lie beside the checkout"
)

# ---------------------------------------------------------------------------------- what is shipped


def test_it_compiles_and_everybody_is_legal():
    assert [str(found) for found in result().diagnostics if found.severity == "error"] == []


def test_thirteen_damage_types():
    assert Counter(item["affects"] for item in of_kind("damage-type")) == {"body": 8, "mind": 5}
    assert all(item["examples"] for item in of_kind("damage-type"))


def test_the_list_of_abilities():
    scopes = Counter(item["scope"] for item in of_kind("ability"))
    assert scopes == {"broad": 5 + 1, "narrow": 14 + 3, "focused": 28 + 9}
    assert {item["id"]: item["free"] for item in of_kind("ability") if "free" in item} == {
        "campaign-assumptions": 1
    }


def test_an_ability_belongs_to_one_of_the_next_broader_scope():
    scopes = {item["id"]: item["scope"] for item in of_kind("ability")}
    broader = {"focused": "narrow", "narrow": "broad", "broad": None}
    wrong = [
        item["id"]
        for item in of_kind("ability")
        if scopes.get(item.get("under", "")) != broader[item["scope"]] or "base" not in item
    ]
    assert wrong == []


def test_general_advantages_of_every_rating():
    assert len(GENERAL) >= 26
    ratings = {item["rating"] for item in GENERAL}
    assert ratings == {"I", "II", "III", "IV", "V", "VI", "VII"}


@pytest.mark.parametrize("item", of_kind("advantage"), ids=lambda item: item["id"])
def test_a_text_is_read_aloud_in_a_breath(item: dict[str, Any]):
    assert 2 <= len(re.findall(r"[.?!](?:\s|$)", item["text"])) <= 3


@pytest.mark.parametrize("item", SCALED, ids=lambda item: item["id"])
def test_a_scaled_advantage_has_spells(item: dict[str, Any]):
    costs = [spell["cost"] for spell in of_kind("spell") if spell["of"] == item["id"]]
    assert len(costs) >= 6
    assert costs.count(0) >= 2
    assert item["recovery"] <= max(costs)


def test_the_scaled_advantages_are_of_several_ratings():
    assert sorted(item["rating"] for item in SCALED) == ["1/2", "II", "III"]
    assert {spell["of"] for spell in of_kind("spell")} == {item["id"] for item in SCALED}


@needs_ledger
def test_every_clause_that_is_cited_is_in_the_ledger():
    known = {clause["id"] for clause in yaml.safe_load(LEDGER.read_text("utf-8"))}
    items = [item for item in shipped() if item["kind"] != "keyword"]
    assert [item["id"] for item in items if not item.get("clauses")] == []
    assert {clause for item in items for clause in item["clauses"]} - known == set()


# ---------------------------------------------------------------------------------- bonuses


@pytest.mark.parametrize(
    ("who", "stat", "value"),
    [
        ("nobody", "PR", 0),
        ("hide", "PR", 5),
        ("two-hides", "PR", 5),
        ("hide-and-scales", "PR", 5 + 10),
        ("layers", "PR", 5 + 5 + 10 + 3 * 5 + 4),
        ("nobody", "MR", 0),
        ("ward", "MR", 6 + 10 + 10),
        ("nobody", "Init", 0),
        ("quick", "Init", 3 + 1 + 2),
        ("fencer", "Init", 1),
        ("layers", "Init", 3),
        ("labourer", "ER", 6),
        ("labourer", "max_EI", 105),
        ("labourer", "max_PI", 110),
        ("labourer", "max_MI", 100),
        ("grip", "melee_dice", 1 + 1),
        ("archer", "ranged_dice", 2 + 1),
        ("archer", "melee_dice", 0),
        ("nobody", "actions", 1),
        ("doubled", "actions", 2),
        ("doubled-twice", "actions", 2),
    ],
)
def test_bonuses(who: str, stat: str, value: int):
    assert number(who, f"stat/{stat}") == value


@pytest.mark.parametrize("stat", ["ER", "max_EI"])
def test_nobody_gains_what_the_campaign_leaves_out(stat: str):
    assert number("labourer", f"stat/{stat}", omit_ei=True) == 0


def test_what_is_bought_twice_is_paid_twice_and_counts_once():
    once, twice = number("hide", "measure/CV"), number("two-hides", "measure/CV")
    assert (once, twice) == (2, 4)
    assert number("two-hides", "stat/PR") == number("hide", "stat/PR")


def test_pools_are_paid_by_the_point():
    assert number("pools", "measure/CV") == 3 * Fraction(1, 2) + 2 * 2


# -------------------------------------------------------------------------------- raised raw scores


@pytest.mark.parametrize(
    ("who", "what", "about", "value"),
    [
        ("small-giant", "score", "Str", 14),
        ("small-giant", "melee_dice", "", 0),
        ("small-giant", "max_PI", "", 40 + 5 * 13),
        ("giant", "score", "Str", 17),
        ("giant", "melee_dice", "", 2),
        ("giant", "max_PI", "", 40 + 5 * 14),
        ("giant", "max_EI", "", 40 + 5 * 14),
        ("giant", "max_MI", "", 100),
        ("fey", "PR", "", 5),
        ("fey", "Init", "", 1),
        ("fey", "MR", "", 10),
        ("nobody", "score", "Agl", 12),
        ("slow-fey", "score", "Agl", 5),
        ("slow-fey", "Init", "", 0),
    ],
)
def test_raised_raw_scores_have_their_consequences(who: str, what: str, about: str, value: int):
    assert number(who, f"stat/{what}", *([about] if about else [])) == value


def test_a_raised_score_is_not_paid_as_a_bought_one():
    assert number("small-giant", "measure/CV") == 5


# ------------------------------------------------------------------------------ better at something


@pytest.mark.parametrize(
    ("who", "ability", "fine"),
    [
        ("nobody", "dodging", 12),
        ("nobody", "campaign-assumptions", 12 + 1),
        ("hide", "dodging", 12),
        ("dodger", "dodging", 12 + 9 + 3 * 2 + 2 * 1 + 1),
        ("dodger", "martial-arts", 12 + 2 * 1 + 1),
        ("fencer", "swords", 12 + 6 + 3 * 3),
        ("fencer", "knives", 12 + 6),
        ("fencer", "blade-weapons", 12 + 6),
        ("fencer", "combat", 12),
        ("fencer", "pistols", 12),
        ("archer", "pistols", 17 + 3),
        ("archer", "crossbows", 17 + 3),
        ("archer", "swords", 12),
        ("thief", "not-being-seen", 14 + 6),
        ("thief", "dodging", 14),
        ("potter", "ceramics", 12 + 3 + 3),
        ("potter", "painting", 12 + 3),
        ("potter", "art-appraisal", 12),
        ("rifleman", "rifles", 12 + 2 + 4 + 6),
        ("rifleman", "pistols", 12 + 2 + 4),
        ("fey", "dodging", 16),
        ("bearer-of-telepathic-voice", "telepathy", 12 + 4),
        ("bearer-of-telepathic-voice", "astral-projection", 12),
    ],
)
def test_fine_scores(who: str, ability: str, fine: int):
    assert number(who, "measure/fine", ability) == fine


# ---------------------------------------------------------------------------------- what harms


@pytest.mark.parametrize(
    ("who", "harm", "part"),
    [
        ("nobody", "heat", 1),
        ("nobody", "fire", 1),
        ("bearer-of-heat-immunity", "heat", 0),
        ("bearer-of-heat-immunity", "fire", 1),
        ("bearer-of-heat-immunity", "cold", 1),
        ("bearer-of-ballistic-immunity", "ballistic", 0),
        ("bearer-of-ballistic-immunity", "sharp", 1),
        ("bearer-of-earthed", "shock", Fraction(1, 4)),
        ("guarded", "toxic-physical", Fraction(1, 2)),
        ("guarded", "toxic-mental", Fraction(1, 2)),
        ("guarded-twice", "toxic-physical", Fraction(1, 2)),
        ("diver", "cold", Fraction(1, 2)),
        ("stone-diver", "cold", Fraction(1, 4)),
        ("stone-diver", "health", Fraction(1, 2)),
        ("frost", "cold", 0),
        ("hide-and-scales", "sharp", Fraction(3, 4)),
        ("hide-and-scales", "blunt", 1),
        ("stone", "ballistic", Fraction(1, 2)),
        ("stone", "horror", 1),
        ("stone", "fire", Fraction(1, 2)),
        ("stone", "despair", 1),
        ("calm", "horror", Fraction(1, 2)),
        ("calm", "crossover-shock", Fraction(2, 3)),
        ("calm", "despair", Fraction(2, 3)),
        ("calm", "blunt", 1),
        ("ward", "psionic", 0),
        ("ward", "crossover-shock", 0),
        ("ward", "horror", 1),
        ("coals", "fire", Fraction(1, 3)),
        ("coals", "heat", 1),
        ("coals-and-stone", "fire", Fraction(1, 6)),
        ("coals-and-stone", "heat", Fraction(1, 2)),
        ("ember", "fire", 0),
        ("salamander", "heat", 0),
        ("salamander", "fire", Fraction(1, 6)),
        ("bearer-of-mind-ward", "psionic", Fraction(1, 2)),
        ("bearer-of-without-need", "health", 0),
        ("bearer-of-undying", "health", 0),
        ("deathless", "health", 0),
        ("deathless", "sharp", 1),
    ],
)
def test_the_part_that_harms(who: str, harm: str, part: Fraction):
    assert number(who, "stat/taken", harm) == part


# --------------------------------------------------------------------------------- what it is worth

STATS = (
    "PR",
    "MR",
    "ER",
    "Init",
    "max_MI",
    "max_PI",
    "max_EI",
    "melee_dice",
    "ranged_dice",
    "actions",
)
RAW = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")
# Ad for one of each, where it is for sale. A die is what the points of Str or Skl from 15 to 18
# cost, 2 to 4 each.
WORTH = {
    **dict.fromkeys(("PR", "MR", "ER"), Fraction(1, 2)),
    # Against one sort of harm: a quarter of what it is worth against all.
    **dict.fromkeys(("extra_PR", "extra_MR"), Fraction(1, 8)),
    **dict.fromkeys(("max_MI", "max_PI", "max_EI"), Fraction(1, 5)),
    **dict.fromkeys(("melee_dice", "ranged_dice"), Fraction(3)),
    "Init": Fraction(1),
    "broad": Fraction(1),
    "narrow": Fraction(1, 2),
    "focused": Fraction(1, 3),
}
# What these cost is mostly for what only their texts give.
WORDS = ("second-wind", "telepathic-voice")
# What answers to what happens changes no number at rest; scenarios/powers.yaml plays it.
ANSWERS = re.compile(r"\b(?:regenerate|tireless_wounds|turns_back|halves_wounds)\b")
ANSWERING = [item["id"] for item in GENERAL if ANSWERS.search(item.get("abilities", ""))]
BONUS_ONLY = [
    item["id"]
    for item in GENERAL
    if item["id"] in ACTIVE
    and item["id"] not in (*WORDS, *ANSWERING)
    and not re.search(r"\b(?:immune|resists|hardened|raised|extra_action)\b", item["abilities"])
]


def changes(who: str) -> dict[tuple[str, ...], Fraction]:
    """Everything about somebody that is not as it is for the character without anything."""
    program = resting(False)[0].program
    asked: list[tuple[str, ...]] = [(f"stat/{stat}",) for stat in STATS]
    asked += [("stat/score", raw) for raw in RAW]
    asked += [("stat/skill", one) for one in program.entity("Ability").names]
    by_harm = ("stat/taken", "stat/extra_PR", "stat/extra_MR")
    asked += [(stat, one) for stat in by_harm for one in program.entity("DamageType").names]
    found = {one: number(who, *one) - number("nobody", *one) for one in asked}
    return {one: value for one, value in found.items() if value}


@pytest.mark.parametrize("id", [id for id in ACTIVE if id not in ANSWERING])
def test_every_advantage_with_abilities_does_its_bearer_good(id: str):
    found = changes(f"bearer-of-{id}")
    assert found
    assert all((value < 0) == (what[0] == "stat/taken") for what, value in found.items())


@pytest.mark.parametrize("id", BONUS_ONLY)
def test_a_bonus_is_worth_its_price_or_somewhat_more(id: str):
    scopes = {item["id"]: item["scope"] for item in of_kind("ability")}
    worth = Fraction(0)
    for (stat, *about), value in changes(f"bearer-of-{id}").items():
        worth += (
            value * WORTH[scopes[about[0]] if stat == "stat/skill" else stat.removeprefix("stat/")]
        )
    price = number(f"bearer-of-{id}", "measure/CV")
    assert price <= worth <= price * Fraction(3, 2)


def test_enough_of_them_are_weighed():
    assert len(BONUS_ONLY) >= 10
