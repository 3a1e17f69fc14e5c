"""Unattended evenings of Monotheism: the laws hold in a few every day, and in thousands where there
is time.

`python -m tests.laws.evenings` plays as many as wanted. Each law is also shown to notice what
breaks it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ruleloom.bots.arena import make_bot
from ruleloom.runtime.machine.registers import OVER
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.state import Outcome
from ruleloom.runtime.program.values import World, with_entry
from ruleloom.runtime.search.node import PlayNode
from tests.laws.evenings import EVENINGS, LEAST_ENDED
from tests.laws.monotheism.gods import AtRandom, Evening, linked
from tests.laws.monotheism.gods_laws import Laws

SHORT = Evening(2, 3, "random", ())


def test_an_evening_comes_to_an_end_and_breaks_no_law():
    seen = EVENINGS.play(SHORT)
    assert not seen.wrong, "\n".join(seen.wrong[:10])
    assert seen.counts["ended"] == 1
    assert min(seen.counts["miracles"], seen.counts["missions"], seen.counts["turns"]) >= 3


def test_an_evening_is_saved_resumed_and_undone():
    seen = EVENINGS.resumed(SHORT)
    assert not seen.wrong, "\n".join(seen.wrong)
    assert (seen.counts["saved"], seen.counts["undone"]) == (1, 1)


@pytest.mark.slow
def test_nine_in_ten_of_many_evenings_come_to_an_end():
    seen = EVENINGS.soak(2_000, 2, first=1, saves=200)
    assert not seen.wrong, "\n".join(seen.wrong[:40])
    assert seen.ended >= LEAST_ENDED


@pytest.mark.slow
def test_those_who_look_ahead_come_to_the_last_deity():
    game = new_game(linked(3, (("early_end", "never"),)), 1)
    bots = [make_bot("greedy", game.linked, 1, seat) for seat in range(3)]
    node, dice = game.node, game.random
    while not node.over:
        player = node.stop.who[0]
        node = node.after(bots[player].answer(node, player), player if node.secret else None, dice)
        dice = node.stop.dice or dice
    assert node.state.outcome is not None
    assert "is the last deity" in node.state.outcome.reason


# --------------------------------------------------------------------------------- what laws notice


@cache
def at_miracle_step() -> PlayNode:
    """The first place where somebody may perform a miracle."""
    game, bot = SHORT.game(), AtRandom(1)
    node, dice = game.node, game.random
    while not node.routine.id.endswith("miracle_step"):
        player = node.stop.who[0]
        node = node.after(bot.answer(node, player), player if node.secret else None, dice)
        dice = node.stop.dice or dice
    return node


def changed(change: Callable[[Laws, World], World]) -> list[str]:
    """What the laws say of a node at which the world is another one."""
    node = at_miracle_step()
    laws = Laws(SHORT.linked, node)
    state = node.state._replace(world=change(laws, node.state.world))
    return laws.after(node, PlayNode(node.linked, node.stop._replace(state=state, events=())))


def put(name: str, change: Callable[[Any], Any]) -> Callable[[Laws, World], World]:
    """The change of one column."""
    return lambda laws, world: with_entry(world, laws.index[name], change(world[laws.index[name]]))


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("cosmic_pool", lambda dice: dice[1:], "dice gone"),
        ("cosmic_pool", lambda dice: (*dice, dice[0]), "lies in two places"),
        ("Follower.keeper", lambda keepers: (None,) * len(keepers), "who is gone"),
        ("Follower.busy", lambda busy: (True,) * len(busy), "are not ready in their turn"),
        ("Player.ethos", lambda ethos: (0,) * len(ethos), "is offered miracles"),
    ],
)
def test_what_cannot_be_is_noticed(name: str, change: Callable[[Any], Any], told: str):
    assert not changed(lambda _, world: world)
    assert any(told in fault for fault in changed(put(name, change)))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("nobody can do anything any more", ["there are dice to be drawn", "has ['black'"]),
        ("C is the last deity", ["it ends with 3 deities"]),
    ],
)
def test_an_end_that_is_none_is_noticed(reason: str, told: list[str]):
    node = at_miracle_step()
    state = node.state._replace(outcome=Outcome(None, reason))
    over = PlayNode(node.linked, node.stop._replace(kind=OVER, state=state, events=()))
    found = Laws(SHORT.linked, node).after(node, over)
    assert [words for words in told if not any(words in fault for fault in found)] == []
