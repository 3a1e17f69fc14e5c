"""Look-ahead: what is offered can be finished, and what can be finished is offered.

The machine saves itself work: it stops where nothing can go wrong any more, remembers, and gives up
after a while. Here every way is walked to its end without any of that, on random small programs and
real turns, and each option is held against what was found.
"""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.registers import ASK, DEAD, Suspension
from ruleloom.runtime.machine.step import answer
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode
from tests.laws.fights import bot_of
from tests.laws.gnostica.strategies import moments, table
from tests.laws.moonstone.fighters import bout
from tests.laws.single_rows import GAMES, answer_of, game_of
from tests.laws.small.small_programs import small_program
from tests.support.evening import bind

MOST = 4_000


class TooMany(Exception):
    """There are more ways than are to be walked."""


class Walker:
    """Walks every way from an answer to a barrier, a dead end or the end."""

    def __init__(self, linked: Linked, chooser: tuple[int, ...]) -> None:
        self.linked = linked
        self.chooser = chooser
        self.left = MOST

    def can_finish(self, stop: Suspension) -> bool:
        """Is there a way on from this stop that does not run into a dead end?"""
        self.left -= 1
        if self.left < 0:
            raise TooMany
        if stop.kind != ASK:
            return stop.kind != DEAD
        if any(event.kind == "turn" for event in stop.events):
            return True
        frame = stop.state.frame
        assert frame is not None
        row = self.linked.routines[frame.routine].rows[frame.pc]
        if not isinstance(row, Choose | Modal) or stop.who != self.chooser:
            return True
        node = PlayNode(self.linked, stop)
        return any(self.can_finish(self.after(stop, value)) for value in self.values(node))

    def after(self, stop: Suspension, value) -> Suspension:
        """Where an answer leads, in look-ahead."""
        return answer(self.linked, stop.state, value, live=False)

    def values(self, node: PlayNode):
        """Everything that passes its own conditions."""
        if not node.takes_sets:
            return node.found
        least, most = node.limits()
        return [
            chosen
            for size in range(least, most + 1)
            for chosen in combinations(node.stop.found, size)
        ]


def wrong_at(node: PlayNode) -> list[str]:
    """The answers at `node` that are offered and cannot be finished, or the other way round."""
    if node.over or node.chance or node.secret:
        return []
    offered = set(islice(node.answers(), 200))
    wrong = []
    for value in islice(Walker(node.linked, node.stop.who).values(node), 60):
        walker = Walker(node.linked, node.stop.who)
        try:
            possible = walker.can_finish(walker.after(node.stop, value))
        except TooMany:
            continue
        if possible != (value in offered):
            said = (
                "offered, but cannot be finished"
                if value in offered
                else "can be finished, but is not offered"
            )
            wrong.append(f"{node.routine.id} row {node.frame.pc}: {value} is {said}")
    return wrong


@pytest.mark.parametrize("size", [2, 4, 6])
def test_in_small_programs(size):
    wrong = []
    for seed in range(150):
        game = new_game(link_game(small_program(seed, size), bind, ("A", "B")), seed)
        source = random.Random(seed)
        for _ in range(12):
            if game.over:
                break
            wrong += [f"seed {seed}, size {size}: {fault}" for fault in wrong_at(game.node)]
            if game.node.secret:
                player = game.node.stop.who[0]
                node = game.node.after(
                    source.choice(game.node.secret_options(player)), player, game.random
                )
            else:
                node = game.node.after(
                    source.choice(list(islice(game.node.answers(), 30))), None, game.random
                )
            game = type(game)(game.linked, node, 0, None, (), node.stop.dice or game.random, 0, ())
    assert not wrong, "\n".join(wrong[:20])


def test_in_real_turns():
    wrong, looked_at = [], 0
    for seed in range(20, 32):
        for moment in islice(moments(table(seed)), 120):
            looked_at += 1
            wrong += [f"{table(seed)}: {fault}" for fault in wrong_at(moment.after)]
    print(f"seeds 20 to 31: {looked_at:,} prompts")
    assert not wrong, "\n".join(wrong[:20])
    assert looked_at > 1_000


@pytest.mark.parametrize("name", GAMES)
def test_in_random_games(name):
    """Where conditions of the rules say that there is something to choose, nobody looks."""
    linked, _ = game_of(name)
    wrong, looked_at = [], 0
    for seed in range(8):
        game, source = new_game(linked, seed), random.Random(seed)
        node, dice = game.node, game.random
        for _ in range(40):
            if node.over:
                break
            looked_at += 1
            wrong += [f"{name}, seed {seed}: {fault}" for fault in wrong_at(node)]
            player = None
            if node.secret:
                player = node.stop.who[0]
                value = source.choice(node.secret_options(player))
            else:
                value = answer_of(node, source)
            node = node.after(value, player, dice)
            dice = node.stop.dice or dice
    assert not wrong, "\n".join(wrong[:20])
    assert looked_at > 100


def test_in_real_fights():
    wrong, looked_at = [], 0
    for seed in range(6):
        of = bout(seed)
        game, bot = of.game(), bot_of(of)
        node, dice = game.node, game.random
        while not node.over and looked_at < 60 * (seed + 1):
            looked_at += 1
            wrong += [f"{of}: {fault}" for fault in wrong_at(node)]
            node = node.after(bot.answer(node, node.stop.who[0]), None, dice)
            dice = node.stop.dice or dice
    assert not wrong, "\n".join(wrong[:20])
    assert looked_at > 100
