"""What a campaign of Moonstone decides: its settings, its readings, what it finds natural, and
ratings of its own."""

from __future__ import annotations

import pytest
import yaml

from tests.conftest import ROOT
from tests.content.moonstone_camp import camp, hero
from tests.support.command import call
from tests.support.pack_examples import write

LEDGER = ROOT.parent / "shared" / "rules" / "moonstone.yaml"
PACK = ROOT / "rulesets" / "moonstone"

needs_ledger = pytest.mark.skipif(
    not LEDGER.is_file(), reason="the rule ledger does not lie beside the checkout"
)

# How a switch says what the ledger writes as a value.
SAID: dict[str, dict[object, str]] = {
    "near_death": {2: "option_2"},
    "exempt_links": {("PI",): "pi_only"},
    "initiative_tiebreak": {("Init", "Agl", "reroll"): "init_agl_reroll"},
}
CALLED = {"exhaustion_exempt_links": "exempt_links"}


@needs_ledger
def test_the_defaults_are_those_of_the_ledger():
    clauses = yaml.safe_load(LEDGER.read_text("utf-8"))
    [table] = [one["table"] for one in clauses if one["id"] == "moonstone.optional.switches"]
    items = [
        one
        for name in ("settings", "switches")
        for one in yaml.safe_load((PACK / f"{name}.yaml").read_text())
    ]
    found = {one["id"]: one.get("value", one.get("default")) for one in items}
    assert len(table) == 13
    for name, value in table.items():
        called = CALLED.get(name, name)
        key = tuple(value) if isinstance(value, list) else value
        assert found[called] == SAID.get(called, {}).get(key, value), name
        [item] = [one for one in items if one["id"] == called]
        assert "moonstone.optional.switches" in item["clauses"]


def test_the_departures_count_each_setting_once():
    assert camp(hero("ann")).of("measure/departures", "ann") == 0
    assert (
        camp(hero("ann"), "cinematic: true", "deck_jokers: 1").of("measure/departures", "ann") == 2
    )


# ---------------------------------------------------------------------------------- supernature


FLYER = hero("ann", "gifts: [flight]")
NATURAL = "- {kind: patch, id: fairies, target: moonstone:advantage/flight, set: {natural: true}}\n"


def test_one_build_is_strange_in_one_campaign_and_not_in_another():
    people = camp(FLYER, "supernature: true")
    fairies = camp(FLYER + NATURAL, "supernature: true")
    assert (people.of("measure/Spn", "ann"), fairies.of("measure/Spn", "ann")) == (10, 0)
    assert people.of("measure/CV", "ann") == fairies.of("measure/CV", "ann") == 10


@pytest.mark.parametrize(("said", "shown"), [("true", True), ("false", False)])
def test_the_sheet_has_a_line_for_supernature_where_it_is_used(tmp_path, said, shown):
    head = (
        "kind: pack\nid: here\nversion: 1.0.0\ngame: moonstone\nedition: 1\n"
        f"requires: {{moonstone: '*'}}\nsettings: {{supernature: {said}}}\n"
    )
    write(tmp_path / "here", {"pack.yaml": head, "items.yaml": FLYER})
    page = call("sheet", str(tmp_path / "here"), "--of", "ann", "--format", "markdown").out
    assert ("| Spn | 10 |" in page) is shown


# ----------------------------------------------------------------------------- ratings of one's own

EIGHT = """\
- kind: patch
  id: eight
  target: moonstone:vocabulary/vocabulary
  set: {enums.Rating: [1/5, 1/2, I, II, III, IV, V, VI, VII, VIII]}
- {kind: patch, id: eighth-general, target: moonstone:table/general_row, set: {rows.VIII: 8}}
- {kind: patch, id: eighth-scaled, target: moonstone:table/scaled_row, set: {rows.VIII: 10}}
- {kind: patch, id: fifty, target: moonstone:table/general_price, set: {rows.8: 50}}
- {kind: advantage, id: storm, title: Storm, rating: VIII, text: Is a storm.}
- {kind: pairing, id: by-day, title: By day, steps: 1, text: Only by day.}
"""


def test_a_campaign_may_add_a_rating():
    people = hero("ann", "gifts: [storm]") + hero(
        "bob", "gifts: [{advantage: storm, paired: [by-day]}]"
    )
    made = camp(EIGHT + people, "cv_allowance: 60")
    assert made.of("measure/CV", "ann") == 50
    assert made.of("measure/CV", "bob") == 30
    assert made.refused == []


def test_nobody_else_has_that_rating():
    compiled = camp(
        "- {kind: advantage, id: storm, title: Storm, rating: VIII, text: Is a storm.}\n"
    ).compiled
    assert [one.message for one in compiled.diagnostics if one.severity == "error"] == [
        "`VIII` is no rating"
    ]


# ---------------------------------------------------------------------------------- without EI


@pytest.mark.parametrize("id", ["tireless-arms", "second-wind"])
def test_what_is_only_about_ei_is_told_of(id):
    made = camp(hero("ann", f"gifts: [{id}, thick-hide]"), "omit_ei: true")
    assert [told.rpartition(" has ")[2] for told in made.noticed] == [
        "no effect where EI is left out"
    ]
    assert made.refused == []


def test_what_is_only_about_ei_is_all_that_its_abilities_change():
    """No language asks abilities what they change, so the mark is held against the numbers here."""
    marked = "tireless-arms", "second-wind"
    everybody = hero("nobody") + "".join(hero(f"has-{id}", f"gifts: [{id}]") for id in marked)
    made = camp(everybody, "omit_ei: true")
    for stat in (
        "max_MI",
        "max_PI",
        "max_EI",
        "MR",
        "PR",
        "ER",
        "Init",
        "melee_dice",
        "ranged_dice",
        "actions",
    ):
        found = {
            made.of(f"stat/{stat}", id) for id in ("nobody", *(f"has-{one}" for one in marked))
        }
        assert len(found) == 1, stat


# ----------------------------------------------------------------------------- what everybody knows


def test_campaign_assumptions_name_a_schooling_that_a_campaign_may_change():
    [item] = [
        one
        for one in yaml.safe_load((PACK / "abilities.yaml").read_text())
        if one["id"] == "campaign-assumptions"
    ]
    assert "two years of general study" in item["text"]
    change = (
        "- kind: patch\n  id: farms\n  target: moonstone:ability/campaign-assumptions\n"
        "  set: {text: What everybody knows who grew up on a farm.}\n"
    )
    content = camp(change + hero("ann")).compiled.content
    assert content is not None
    [ability] = [
        one for one in content.by_kind("ability") if one.id.endswith("campaign-assumptions")
    ]
    assert ability.data("text") == "What everybody knows who grew up on a farm."
