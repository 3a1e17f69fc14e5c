"""Greedy bots play to win: where a fight is on they fight, and whoever plays at random loses to them.

The rates are those of the table in docs/simulating.md, with wide bounds.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.command import call

DUELS = str(ROOT / "tests" / "support" / "duels")


def figures(*words: str) -> Any:
    """What a run comes to."""
    done = call("simulate", *words, "--workers", "1", "--format", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def rate(found: Any, *ways: str) -> float:
    """How often one of these ways of a menu was taken when the first of them was on offer."""
    offers = found["offers"]
    return sum(offers[way]["taken"] for way in ways) / offers[ways[0]]["offered"]


@pytest.mark.parametrize("scene", ["swords", "fire"])
def test_whoever_can_act_in_a_fight_of_moonstone_strikes_or_casts_and_stays(scene):
    found = figures(
        "moonstone", DUELS, "--scene", scene, "--players", "greedy,greedy", "--games", "4"
    )
    deeds = [f"moonstone:power/set_out: {deed}" for deed in ("strike", "use-a-spell", "leave")]
    assert rate(found, "moonstone:power/choose_what_to_do: act") > 0.8
    assert rate(found, *deeds[:2]) > 0.9
    assert rate(found, deeds[2]) < 0.05
    assert found["finished"] == 4


def test_a_greedy_player_of_gnostica_uses_cards_rather_than_hold_them():
    found = figures("gnostica", "--players", "greedy,greedy", "--games", "4", "--turn-limit", "40")
    ways = ("activate-a-territory", "play-a-card", "turn-one-of-your-pieces", "discard-and-draw")
    act, play, turn, draw = (rate(found, f"gnostica:power/take_option: {way}") for way in ways)
    assert act + play > 0.6
    assert turn + draw < 0.4
    assert rate(found, "gnostica:suit/attack: do") > 0.5  # whoever has played an attack makes it


def test_greedy_gods_place_dice_for_and_against():
    found = figures(
        "monotheism", "--players", "greedy,greedy", "--games", "2", "--turn-limit", "12"
    )
    dice = {
        ink: sum(
            one["taken"] for name, one in found["offers"].items() if name.startswith(f"{ink}-d")
        )
        for ink in ("red", "blue", "black")
    }
    assert dice["red"] > 0.15 * sum(dice.values())
    assert dice["blue"] > 0.15 * sum(dice.values())


def test_whoever_leads_a_session_of_witchgates_puts_something_at_stake():
    words = ("--players", "greedy,greedy", "--switch", "session_rolls=4", "--turn-limit", "12")
    found = figures("witchgates", *words, "--games", "1")
    menu = "witchgates:power/what_happens"
    ways = ("an-npc-acts", "an-npc-rolls", "something-happens-to-somebody")
    assert rate(found, *(f"{menu}: {way}" for way in ways)) > 0.7


@pytest.mark.parametrize(
    ("words", "games"),
    [(("moonstone", DUELS, "--scene", "swords"), 6), (("gnostica",), 6)],
)
def test_greedy_bots_beat_random_ones(words, games):
    found = figures(*words, "--players", "greedy,random", "--games", str(games))
    assert found["wins"]["by_bot"]["greedy"]["value"] >= 0.8
