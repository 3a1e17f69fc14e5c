"""Random fights of Moonstone: the laws of play hold in a few every day, and in thousands where
there is time.

`python -m tests.laws.fights` plays as many as wanted. Each law is also shown to notice what breaks
it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import moments as replayed
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.state import state_hash
from ruleloom.runtime.program.values import World, with_entry
from ruleloom.runtime.search.node import PlayNode
from tests.laws.fights import FIGHTS, Fought, Laws, bot_of
from tests.laws.moonstone.fighters import bout
from tests.laws.resuming import is_barrier
from tests.laws.resuming import played as played_by_key

FEW, SHARED, LONG = 20, 7, 200


def played(seeds: range, each: int) -> Fought:
    """The figures of these fights."""
    total = Fought()
    for seed in seeds:
        total.add(FIGHTS.play(bout(seed, each)))
    return total


def test_the_laws_hold_in_random_fights():
    seen = played(range(FEW), SHARED)
    assert not seen.wrong, "\n".join(seen.wrong[:10])
    assert seen.counts["ended"] == FEW
    assert seen.counts["answers"] > 20 * FEW


def test_a_fight_is_saved_resumed_and_undone():
    seen = FIGHTS.resumed(bout(1, SHARED))
    assert not seen.wrong, "\n".join(seen.wrong)
    assert (seen.counts["saved"], seen.counts["undone"]) == (1, 1)


@pytest.mark.parametrize("seed", [4])
def test_at_every_prompt_of_a_fight_it_can_be_resumed_and_no_more_be_undone_than_may_be(seed: int):
    of = bout(seed, SHARED)
    states, last = {}, of.game()
    for answer in islice(played_by_key(of.game(), of.player()), LONG):
        assert bool(answer.after.past) == (not is_barrier(answer)), answer.after.serial
        if answer.after.past:
            assert answer.after.undo() is answer.before
        last = answer.after
        states[last.serial] = state_hash(last.state)
    found = loaded("\n".join(saved_lines(last)) + "\n", driver_of).game
    again = {moment.after.serial: state_hash(moment.after.state) for moment in replayed(found)}
    assert len(states) > 20
    assert {serial: again.get(serial) for serial in states} == states


@pytest.mark.slow
def test_the_laws_hold_in_many_fights():
    seen = FIGHTS.soak(1_000, 2, first=10_000, saves=40)
    assert not seen.wrong, "\n".join(seen.wrong[:40])


# --------------------------------------------------------------------------------- what laws notice


def at_prompt(routine: str) -> tuple[Laws, PlayNode]:
    """The laws of a fight, and the node of its first prompt within a power, before which all was
    well."""
    for seed in range(FEW):
        of = bout(seed, FEW)
        game, bot = of.begun(), bot_of(of)
        node, dice = game.node, game.random
        laws = Laws(of, node)
        while not node.over:
            after = node.after(bot.answer(node, node.stop.who[0]), None, dice)
            dice = after.stop.dice or dice
            if not after.over and after.routine.id.endswith(f"/{routine}"):
                return laws, after
            laws.after(node, after)
            node = after
    raise AssertionError(f"no fight comes to {routine}")


def changed(laws: Laws, node: PlayNode, change: Callable[[World], World]) -> list[str]:
    """What the laws say of a node at which the world is another one, and all was as it is
    before."""
    state = node.state._replace(world=change(node.state.world))
    return laws.after(node, PlayNode(node.linked, node.stop._replace(state=state, events=())))


def put(laws: Laws, name: str, value: Any) -> Callable[[World], World]:
    """The change of a field of whoever is asked."""
    column = laws.column[name]
    return lambda world: with_entry(world, column, (value,) * len(world[column]))


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("pi", 10_000, "rose to 10000"),
        ("mi", 10_000, "rose to 10000"),
        ("ei", 10_000, "rose to 10000"),
        ("dying", True, "is dying with"),
        ("actions_left", -1, "has -1 actions"),
        ("dead", True, "asks of"),
        ("here", False, "asks of"),
    ],
)
def test_what_cannot_be_is_noticed(name: str, value: Any, told: str):
    laws, node = at_prompt("choose_what_to_do")
    assert not laws.after(node, PlayNode(node.linked, node.stop._replace(events=())))
    assert any(told in fault for fault in changed(laws, node, put(laws, name, value)))


def test_initiative_that_rises_within_a_round_is_noticed():
    laws, node = at_prompt("choose_what_to_do")
    assert not laws.after(node, node)
    assert any("after" in fault for fault in changed(laws, node, put(laws, "initiative", 99)))


def test_an_effort_that_cannot_be_paid_is_noticed():
    laws, node = at_prompt("make_effort")
    poor = put(laws, "ei", 0)(node.state.world)
    state = node.state._replace(world=poor)
    stop = node.stop._replace(state=state, found=(0, 3, 5), events=())
    told = laws.after(node, PlayNode(node.linked, stop))
    assert [fault for fault in told if "on offer" in fault] == [
        "3 EI on offer, of 0",
        "5 EI on offer, of 0",
    ]


def test_a_pool_that_is_overspent_is_noticed():
    laws, node = at_prompt("choose_what_to_do")
    spent = tuple(9_999 for _ in node.state.world[laws.spent])
    told = changed(laws, node, lambda world: with_entry(world, laws.spent, spent))
    assert any("9999 of" in fault for fault in told)
