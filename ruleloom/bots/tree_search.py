"""Monte Carlo tree search over information sets, for one decision of one player.

A branch of the tree is a whole use of somebody: all answers up to where chance, somebody else or
another use comes. Each playout imagines what the player cannot see, goes down the tree by what has
proved good for whoever is to move, adds a node, plays on by quick looks ahead, and judges where that
leads for everybody. Statistics are shared by all that was imagined, so that no plan may rest on
knowing it. Branches that the judge likes are tried first, and more of them the more often a node is
visited; without a judge, games are played to their ends at random.

With a budget of playouts a search is the same for the same luck; with one of seconds it is not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt, tanh
from statistics import median
from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.bots.information_set import imagined
from ruleloom.bots.lookahead import WIN, Judge, LookAhead, PlannedAnswers
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.search.node import PlayNode, sampled

CURIOSITY, LIKING = 0.7, 0.6
FIRST_BRANCHES, WIDENING = 4, 0.6
WALKS_AT_ROOT, WALKS_IN_TREE, WALKS_BELOW = 300, 120, 60
USES_BELOW = 3
FIRST_DEALS, MOST_DEALS, PLAYOUTS_A_DEAL = 4, 32, 4
MOST_RANDOM_ANSWERS = 400
NEARNESS = 1.5
Plan = tuple[Any, ...]
Rewards = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """When a search ends: after so many playouts, or so many seconds."""

    playouts: int | None = None
    seconds: float | None = None


@dataclass(slots=True, eq=False)
class Believed:
    """A node of the tree: somebody is to move, in whatever state fits what was done so far."""

    children: dict[Plan, Believed] = field(default_factory=dict)
    visits: int = 0
    offered: int = 0  # visits of the parent in which this could be chosen
    liking: float = 0.0
    rewards: list[float] = field(default_factory=list)
    way: PlannedAnswers | None = None


class TreeSearch:
    """One search."""

    def __init__(self, node: PlayNode, player: int, judge: Judge | None, luck: Luck) -> None:
        self.node, self.player, self.judge, self.luck = node, player, judge, luck
        self.players = range(len(node.linked.layout.players))
        self.root = Believed(rewards=[0.0] * len(self.players))
        self.playouts = 0
        self._deals: list[tuple[PlayNode, Xoshiro]] = []
        self._ways: dict[Any, list[PlannedAnswers]] = {}
        self._root_ways = self._ways_of(node, player, WALKS_AT_ROOT)
        self._begun = [self._worth(node, one) for one in self.players]
        self._spread = spread_of(self._root_ways)

    def run(self, budget: SearchBudget) -> Believed | None:
        """The branch that was visited most, of equals the one found first; None if there is none."""
        end = None if budget.seconds is None else time.perf_counter() + budget.seconds
        while budget.playouts is None or self.playouts < budget.playouts:
            if end is not None and time.perf_counter() >= end:
                break
            if len(self._root_ways) < 2:
                break
            self._playout()
        branches = self.root.children.values()
        if not branches:
            way = next(iter(self._root_ways), None)
            return None if way is None else Believed(way=way)
        return max(branches, key=lambda one: (one.visits, one.liking))

    # ------------------------------------------------------------------ one playout

    def _playout(self) -> None:
        node, dice = self._deal()
        path = [self.root]
        while not node.over:
            at = path[-1]
            child = self._chosen(at, node)
            if child is None:
                break
            node, dice = self._carried_out(node, child, dice)
            path.append(child)
            if child.visits == 0:
                break
        rewards = self._rewards(self._played_on(node, dice))
        for one in path:
            one.visits += 1
            for seat, reward in enumerate(rewards):
                one.rewards[seat] += reward
        self.playouts += 1

    def _deal(self) -> tuple[PlayNode, Xoshiro]:
        """A state that the player may take for the true one, with dice to come; reused in turn."""
        wanted = min(MOST_DEALS, FIRST_DEALS + self.playouts // PLAYOUTS_A_DEAL)
        if len(self._deals) < wanted:
            node = imagined(self.node, self.player, self.luck)
            self._deals.append((node, Xoshiro.seeded(self.luck.below(1 << 48))))
            return self._deals[-1]
        return self._deals[self.playouts % len(self._deals)]

    def _chosen(self, at: Believed, node: PlayNode) -> Believed | None:
        """The branch to go down: one never tried, or the one that promises most to who moves."""
        player = node.stop.who[0]
        ways = self._root_ways if at is self.root else self._ways_of(node, player)
        room = FIRST_BRANCHES + int(at.visits**WIDENING)
        if self.judge is None:
            room = len(ways)
        high = max((way.worth for way in ways), default=0)
        low = min((way.worth for way in ways), default=0)
        best: Believed | None = None
        most = 0.0
        total = log(at.visits + 1)
        for way in ways[:room]:
            child = self._child(at, way, low, high)
            child.offered += 1
            if child.visits == 0:
                return child
            mean = child.rewards[player] / child.visits
            promise = mean + CURIOSITY * sqrt(total / child.visits)
            promise += LIKING * child.liking / (child.visits + 1)
            if best is None or promise > most:
                best, most = child, promise
        return best

    def _child(self, at: Believed, way: PlannedAnswers, low: int, high: int) -> Believed:
        plan = tuple(value for _, value in way.steps)
        child = at.children.get(plan)
        if child is None:
            liking = (way.worth - low) / (high - low) if high > low else 0.0
            child = Believed(liking=liking, rewards=[0.0] * len(self.players), way=way)
            at.children[plan] = child
        return child

    def _carried_out(
        self, node: PlayNode, child: Believed, dice: Xoshiro
    ) -> tuple[PlayNode, Xoshiro]:
        """Where the answers of a branch lead; what does not fit any more is left out."""
        assert child.way is not None
        player = node.stop.who[0]
        for number, (meant, value) in enumerate(child.way.steps):
            if number and not _asks_the_same(node, meant, player):
                break
            if not node.secret and not node.allows(value):
                break
            node, dice = _answered(node, value, dice)
            if node.over:
                break
        return node, dice

    def _played_on(self, node: PlayNode, dice: Xoshiro) -> PlayNode:
        """Where a few more uses lead, by quick looks ahead; without a judge, the game's end."""
        if self.judge is None:
            for _ in range(MOST_RANDOM_ANSWERS):
                if node.over:
                    break
                node, dice = _answered(node, self._anything(node), dice)
            return node
        for _ in range(USES_BELOW):
            if node.over:
                break
            player = node.stop.who[0]
            ways = self._ways_of(node, player, WALKS_BELOW)
            if not ways:
                break
            way = Believed(way=ways[0])
            node, dice = self._carried_out(node, way, dice)
        return node

    def _anything(self, node: PlayNode) -> Any:
        if node.secret:
            return self.luck.pick(node.secret_options(node.stop.who[0]))
        return sampled(node, self.luck.below)

    # ------------------------------------------------------------------ ways and their worth

    def _ways_of(
        self, node: PlayNode, player: int, walks: int = WALKS_IN_TREE
    ) -> list[PlannedAnswers]:
        """What somebody may do at a node, what their judge likes best first."""
        key = (node.state, player, walks)
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = self._found_ways(node, player, walks)
        return known

    def _found_ways(self, node: PlayNode, player: int, walks: int) -> list[PlannedAnswers]:
        if node.secret:
            options = node.secret_options(player)
            liked = self.judge.secret(node, options, player) if self.judge is not None else None
            ordered = sorted(options, key=lambda one: one != liked)
            return [PlannedAnswers(int(one == liked), [(node, one)], node) for one in ordered]
        if node.writes:
            return [PlannedAnswers(0, [(node, sampled(node, self.luck.below))], node)]
        judge = self.judge if self.judge is not None else OutcomeJudge()
        return LookAhead(node, player, judge, self.luck, walks).run_for_all()

    def _worth(self, node: PlayNode, player: int) -> int:
        return 0 if self.judge is None else self.judge.worth(node, player)

    def _rewards(self, node: PlayNode) -> Rewards:
        """What everybody has of a position, from 0 for a loss to 1 for a win."""
        outcome = node.state.outcome
        if outcome is not None:
            winners = outcome.winners or tuple(self.players)
            return tuple(1 / len(winners) if one in winners else 0.0 for one in self.players)
        if self.judge is None:
            return (1 / len(self.players),) * len(self.players)
        near = NEARNESS * self._spread
        return tuple(
            0.5 + 0.45 * tanh((self._worth(node, one) - self._begun[one]) / near)
            for one in self.players
        )


def spread_of(ways: Sequence[PlannedAnswers]) -> int:
    """How far good ways are from ordinary ones: very bad ones and wins say nothing about that."""
    worths = [way.worth for way in ways if abs(way.worth) < WIN // 2]
    return max(1, max(worths) - int(median(worths))) if worths else 1


class OutcomeJudge:
    """The judge of a game about which nothing is known but who has won."""

    def worth(self, node: PlayNode, player: int) -> int:
        """1 for a win, -1 for a loss, 0 for anything else."""
        outcome = node.stop.state.outcome
        if outcome is None or not outcome.winners:
            return 0
        return 1 if player in outcome.winners else -1

    def secret(self, node: PlayNode, options: tuple[Any, ...], player: int) -> Any:
        """The first of what is on offer."""
        return options[0]

    def remember(self, node: PlayNode) -> None:
        """Nothing."""


def _asks_the_same(node: PlayNode, meant: PlayNode, player: int) -> bool:
    """Is it the same question, put to the same player?"""
    if node.stop.who[:1] != (player,) or node.secret or node.stop.state.frame is None:
        return False
    there = meant.stop.state.frame
    return there is not None and (node.frame.routine, node.frame.pc) == (there.routine, there.pc)


def _answered(node: PlayNode, value: Any, dice: Xoshiro) -> tuple[PlayNode, Xoshiro]:
    node = node.after(value, node.stop.who[0] if node.secret else None, dice)
    return node, node.stop.dice or dice
