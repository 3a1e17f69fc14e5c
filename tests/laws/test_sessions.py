"""Sessions of Witchgates that nobody attends: the laws hold in a few every day, and in thousands
where there is time.

`python -m tests.laws.sessions` plays as many as wanted. Each law is also shown to notice what
breaks it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import FrozenMap, World, with_entry
from ruleloom.runtime.search.node import PlayNode
from tests.laws.sessions import SESSIONS
from tests.laws.witchgates.mages import PEOPLE, Session, compiled
from tests.laws.witchgates.mages_laws import Laws
from tests.laws.witchgates.subsystems import SUBSYSTEMS, Met, never

SHORT = Session(1, 2, 12, ("mixed", "steady", "random"), (("session_rolls", 30),))
FULL, KEEP_LOW = 99, 5


def test_everybody_is_legal():
    result = compiled()
    assert not result.diagnostics, [str(one) for one in result.diagnostics[:5]]
    assert result.program is not None
    assert len(SHORT.linked.layout.names["Character"]) == PEOPLE + 2, (
        "forty, and the two of the sample"
    )


def test_a_session_comes_to_its_rolls_and_breaks_no_law():
    seen = SESSIONS.play(SHORT)
    assert not seen.wrong, "\n".join(seen.wrong[:10])
    assert seen.counts["enough"] == 1
    assert seen.counts["rolls"] >= 30
    assert (
        sum(any(seen.met[one] for one in wanted) for wanted in SUBSYSTEMS.values())
        > len(SUBSYSTEMS) // 2
    )


def test_a_session_is_saved_resumed_and_undone():
    seen = SESSIONS.resumed(SHORT, 20)
    assert not seen.wrong, "\n".join(seen.wrong)
    assert (seen.counts["saved"], seen.counts["undone"]) == (1, 1)


def test_a_session_that_stops_early_is_told():
    seen = SESSIONS.play(SHORT, most=20)
    assert not seen.wrong
    assert (seen.counts["enough"], seen.counts["answers"]) == (0, 20)


def test_what_is_never_met_is_told():
    everything = {one for wanted in SUBSYSTEMS.values() for one in wanted}
    assert never(everything) == []
    assert never(everything - {"operation/invest"}) == ["enchanting: operation/invest"]


def test_what_is_listed_is_there_to_be_met():
    linked = SHORT.linked
    met = Met(linked)
    there = {*met.names, *(f"operation/{name}" for name in linked.operations)}
    there |= {f"component/{name}" for name in linked.layout.names["Component"]}
    there |= {f"splice/{name}" for name in linked.layout.names["Splice"]}
    there |= {f"roll/{name}" for name in linked.layout.enums["RollKind"]}
    there |= {f"wound/{name}" for name in linked.layout.enums["Wound"]}
    assert {one for wanted in SUBSYSTEMS.values() for one in wanted} <= there


@pytest.mark.slow
def test_the_laws_hold_in_many_sessions():
    seen = SESSIONS.soak(2_000, 2, first=1, saves=200)
    assert not seen.wrong, "\n".join(seen.wrong[:40])
    assert not never(seen.met), "\n".join(never(seen.met))


# --------------------------------------------------------------------------------- what laws notice


@cache
def at_start() -> PlayNode:
    """Where the GM is asked what happens, and nothing has happened yet."""
    game, everybody = SHORT.game(), SHORT.player()
    return game.node.after(everybody.answer(game.node, 0), None, game.random)


def who() -> int:
    """Somebody who is there."""
    return next(number for number, here in enumerate(column("Character.here")) if here)


def column(name: str) -> Any:
    return at_start().state.world[SHORT.linked.layout.index[name]]


def told(
    changes: dict[str, Any], events: tuple[Event, ...] = (), scope: dict[str, Any] | None = None
) -> list[str]:
    """What the laws say of a start at which everybody has these values, and these events came
    before."""
    node, linked = at_start(), SHORT.linked
    world: World = node.state.world
    laws = Laws(linked, node)
    for name, value in changes.items():
        world = with_entry(world, linked.layout.index[name], (value,) * len(column(name)))
    variables = list(node.state.scope)
    for name, value in (scope or {}).items():
        variables[linked.scope_index[name]] = value
    state = node.state._replace(world=world, scope=tuple(variables))
    return laws.after(node, PlayNode(linked, node.stop._replace(state=state, events=events)))


def done(name: str, *args: Any, kind: str = "operation") -> Event:
    """Something that is said to have happened, and has changed nothing."""
    world = at_start().state.world
    return Event(kind, name, args, world, world, 0, None)


def test_at_the_start_all_is_well():
    assert told({}) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"Character.stress": FULL}, "stress"),
        ({"Character.stress": 18, "Character.stress_passed": 0}, "triggers of the stress"),
        ({"Character.fortune_spent": FULL}, "fortune"),
        ({"Character.mana_spent": FULL}, "has spent 99 and invested 0"),
        ({"Character.mana_spent": 1}, "mana of"),
        ({"Clock.goes": True, "Clock.filled": 30}, "stands at 30"),
        ({"Clock.goes": True, "Clock.filled": -1}, "stands at -1"),
        ({"Aspect.maker": 1}, "has two aspects"),
        ({"Aspect.maker": 0, "Aspect.dice": 0}, "has 0 dice"),
        ({"Aspect.maker": 0, "Aspect.dice": 4}, "has 4 dice"),
        ({"Character.purse": -1}, "purse of"),
        ({"Character.penalty_dice": -1}, "penalty_dice of"),
        ({"Character.charges": FULL}, "charges of"),
        ({"Character.carried": FrozenMap({0: -1})}, "carried of"),
        ({"Character.rank": FrozenMap({0: 21})}, "rank of"),
        ({"Character.skill_xp": FrozenMap({0: 7})}, "skill_xp of"),
        ({"Npc.harm_taken": -1}, "has taken -1 harm"),
        ({"Npc.npc_armor_lost": FULL}, "lost 99 of"),
        ({"Character.skill_gained": FrozenMap({0: 4})}, "skills of"),
        (
            {"Character.active": FrozenMap({3: True}), "Character.rank": FrozenMap()},
            "is awake, and there is none",
        ),
        ({"Character.stirring": FrozenMap({3: True})}, "stirs, and sleeps"),
        ({"Working.caster": 0, "Working.has": FrozenMap({0: 30})}, "30 times"),
        ({"Working.caster": 0, "Working.enchanted": True}, "is enchanted with 0"),
        ({"Working.caster": 0}, "does not last, and is there"),
        ({"Character.healing": 50}, "the healing clock"),
        ({"Character.stress": 30, "Character.stress_passed": 2}, "has not dropped out"),
        ({"Character.skill_offered": FrozenMap({0: 1})}, "still offers"),
        ({"Character.carried": FrozenMap({20: 9})}, "and the load has 0"),
        ({"Character.health_passed": KEEP_LOW}, "triggers of c"),
        ({"Character.general_xp": 5}, "the world changed after the last event"),
    ],
)
def test_numbers_that_cannot_be_are_noticed(changes: dict[str, Any], fault: str):
    assert any(fault in one for one in told(changes)), told(changes)


@pytest.mark.parametrize(
    ("name", "more", "fault"),
    [
        ("spend_mana", (50,), "spends 50 of"),
        ("spend_fortune", (5,), "spends 5 fortune"),
        ("take_from_stash", (0,), "claims thing"),
        ("put_down", (0,), "is not carried"),
        ("pay", (-5, 0), "pays -5"),
        ("split_cash", (7, 99), "divides"),
        ("live_at", (6,), "levels better"),
        ("wake", (0,), "does not sleep"),
        ("spend_armor", (50,), "loses 50 armor"),
        ("mark_box", (29, "bashing"), "box 29 of"),
        ("enter", (0,), "is played by seat 0"),
    ],
)
def test_deeds_that_cannot_be_are_noticed(name: str, more: tuple[Any, ...], fault: str):
    assert any(fault in one for one in told({}, (done(name, who(), *more),)))


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ((("make_aspect", 1, 7, "x", None, 0),), "an aspect of 7 dice"),
        ((("take_aspect_die", 59),), "has no die left"),
        ((("tick", 39, 3), ("tick", 0, 1)), "moves by"),
        ((("invest", 59, 5, "x"),), "invests 5 mana"),
    ],
)
def test_things_that_are_done_wrong_are_noticed(events: tuple[Any, ...], fault: str):
    world = at_start().state.world
    changed = with_entry(world, SHORT.linked.layout.index["Working.caster"], (who(),) * 60)
    found = tuple(
        Event("operation", name, args, changed, changed, 0, None) for name, *args in events
    )
    assert any(fault in one for one in told({}, found)), told({}, found)


def test_damage_is_followed_to_its_last_point():
    whom = who()
    comes = done("damage_comes", whom, "severe", 3)
    assert any("3 points of level 2 were never marked" in one for one in told({}, (comes,)))
    assert any("is not yet marked" in one for one in told({}, (comes, comes)))
    assert any(
        "makes box 3" in one for one in told({}, (comes, done("mark_box", whom, 3, "severe")))
    )
    assert not any(
        "makes box" in one for one in told({}, (comes, done("mark_box", whom, 0, "severe")))
    )


def test_dice_that_nobody_has_are_noticed():
    thrown = done("thrown", (6, 5, 4, 3, 2), 1, kind="rolled")
    assert any(
        "and 3 are in the pool" in one
        for one in told({}, (thrown,), {"fell": (6, 5, 4, 3, 2), "base_dice": 3})
    )
    assert any("are rolled" in one for one in told({}, (done("thrown", (7,), 1, kind="rolled"),)))


def test_whoever_is_out_is_not_asked():
    node, linked = at_start(), SHORT.linked
    laws = Laws(linked, node)
    assert any(
        "are asked" in one
        for one in laws.after(node, PlayNode(linked, node.stop._replace(who=(9,), events=())))
    )
    of = replace(SHORT, styles=("keen", "steady", "steady"))
    game, everybody = of.game(), of.player()
    at, dice = game.node, game.random
    while not at.routine.id.endswith("/declare"):
        at = at.after(everybody.answer(at, at.stop.who[0]), None, dice)
        dice = at.stop.dice or dice
    out = linked.layout.index["Character.out_of_conflict"]
    world = with_entry(at.state.world, out, (True,) * len(at.state.world[out]))
    wrong = PlayNode(linked, at.stop._replace(state=at.state._replace(world=world), events=()))
    assert any(
        "is asked in declare, and is out" in one for one in Laws(linked, at).after(at, wrong)
    )


def test_what_ran_is_counted_by_the_lines_it_comes_from():
    met = Met(SHORT.linked)
    met.after(at_start())
    assert met.counts["power/come_in"] == 1
    assert met.counts["operation/enter"] == 1
    assert Counter(met.counts)["power/cast_spell"] == 0
