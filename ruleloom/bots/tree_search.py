"""Monte Carlo tree search over information sets, for one decision of one player.

A branch of the tree is one whole use: all answers until chance, another player or another use is next. Each
playout samples what the player cannot see, descends by what has proved good for the player to move, adds a
node, plays on with short lookaheads, and judges the result for every player. All samples share statistics, so
no plan can rely on hidden information. Branches that the judge prefers are tried first, and more of them the
more often a node is visited; without a judge, games are played out at random.

With a budget of playouts a search is reproducible from its random stream; with one of seconds it is not.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import zip_longest
from math import exp, sqrt, tanh
from statistics import median
from typing import Any

from ruleloom.bots.bot import Luck, SteadyBot
from ruleloom.bots.information_set import imagined
from ruleloom.bots.lookahead import WIN, Judge, LookAhead, PlannedAnswers, positions_judged
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode, sampled

CURIOSITY = 1.2
MOST_WAYS, MOST_WAYS_UNJUDGED = 16, 64
MOST_BRANCHES = 12
# Shares of a greedy bot's budget per decision: for others in the tree, and below it.
IN_TREE, BELOW = 0.4, 0.2
# A playout lasts two rounds of the table, or fewer turns if these take more lookaheads than this.
ROUNDS_AHEAD, LONG_PLAYOUT = 2, 10
MOST_LOOKS_BELOW, MOST_ANSWERS_BELOW = 60, 400
MOST_RANDOM_ANSWERS = 100
# Ends as far from the median as ordinary ones (a standard deviation, estimated from the median
# deviation by this factor) lie on the steep part of the scale.
NEARNESS, FROM_MEDIAN = 1.5, 1.4826
# The average playouts for each of the first ways, if the budget is small.
TRIES_EACH = 3
# Ways with the same rewards on this many deals are alike.
ALIKE_AFTER, NO_DIFFERENCE = 3, 1e-9
# The judge's opinion of a way counts as this many playouts, in which a way that it thinks nothing
# of has this much less reward than others.
PRIOR_PLAYOUTS, DISLIKED = 2, 0.2
# The scale is fitted after the first playouts, and again at these counts.
CALIBRATED_AT = (4, 8, 16, 32)
Plan = tuple[Any, ...]
Rewards = tuple[float, ...]


class SearchBudget(Frozen):
    """A search's limit: of playouts, or of seconds."""

    playouts: int | None = None
    seconds: float | None = None


@dataclass(slots=True, eq=False)
class Believed:
    """A node of the tree: a player to move, in any state that fits the answers so far."""

    children: dict[Plan, Believed] = field(default_factory=dict)
    visits: int = 0
    liking: float = 0.0
    rewards: list[float] = field(default_factory=list)
    way: PlannedAnswers | None = None

    def mean(self, player: int) -> float:
        """The mean reward of a player."""
        return self.rewards[player] / self.visits if self.visits else 0.0


@dataclass(slots=True)
class Reached:
    """The position of a playout: the node, the dice to come, and the turns begun since the root."""

    node: PlayNode
    dice: Xoshiro
    turns: int = 0

    def answer(self, value: Any) -> None:
        """Apply one answer."""
        who = self.node.stop.who[0] if self.node.secret else None
        self.node = self.node.after(value, who, self.dice)
        self.dice = self.node.stop.dice or self.dice
        self.turns += sum(event.kind == "turn" for event in self.node.events)


class TreeSearch:
    """One search."""

    def __init__(
        self,
        node: PlayNode,
        player: int,
        judge: Judge | None,
        luck: Luck,
        experience: PlayoutExperience | None = None,
    ) -> None:
        self._experience = PlayoutExperience() if experience is None else experience
        self.node, self.player, self.judge, self.luck = node, player, judge, luck
        walks = positions_judged(node.linked)
        self._in_tree, self._below = max(1, int(walks * IN_TREE)), max(1, int(walks * BELOW))
        self.players = range(len(node.linked.layout.players))
        self._usual = SteadyBot()
        self.root = Believed(rewards=[0.0] * len(self.players))
        self.playouts = 0
        self._deals: list[tuple[PlayNode, Xoshiro, int]] = []
        self._fate = luck.below(1 << 48)
        self._chance = luck
        self._ways: dict[Any, list[PlannedAnswers]] = {}
        self._horizon = self._experience.turns_worth(LONG_PLAYOUT, ROUNDS_AHEAD * len(self.players))
        ways = self._ways_of(node, player, walks)
        self._ends: list[tuple[list[Believed], PlayoutEnd]] = []
        self._scales: list[RewardScale] = []
        most = MOST_WAYS if judge is not None else MOST_WAYS_UNJUDGED
        self._arms = self._branches(self.root, ways[:most])

    def run(self, budget: SearchBudget) -> Believed | None:
        """The best branch, or None.

        All are tried on the same sampled states; the greedy way and the better half of the others on twice as
        many, and so on until two are left. With a budget of seconds, the first round measures how many
        playouts fit.
        """
        begun, most = time.perf_counter(), budget.playouts
        arms = self._arms if most is None else self._arms[: max(2, most // TRIES_EACH)]
        while len(arms) > 1:
            for _ in range(self._tries(arms, most)):
                for arm in arms:
                    self._playout(arm)
                    if self.playouts in CALIBRATED_AT:
                        self._calibrate()
                    if budget.seconds is not None and time.perf_counter() - begun > budget.seconds:
                        return self._surest(arms)
                if self._are_alike(arms):
                    return arms[0]
            if most is None:
                assert budget.seconds is not None
                each = (time.perf_counter() - begun) / self.playouts
                most = max(1, int(budget.seconds / each))
            if len(arms) == 2:
                break
            usual, *others = arms
            arms = [usual, *sorted(others, key=self._promise)[: (len(arms) - 1) // 2]]
        return self._surest(arms) if arms else None

    def _surest(self, arms: Sequence[Believed]) -> Believed:
        """The way that most surely beats the greedy one on the same deals, else the greedy one."""
        if self.judge is None:
            return min(arms, key=self._promise)

        def surely_gained(arm: Believed) -> float:
            found, greedy = (
                [self._rewards(end)[self.player] for path, end in self._ends if path[1] is one]
                for one in (arm, arms[0])
            )
            gains = [reward - before for reward, before in zip(found, greedy, strict=False)]
            return sum(gains) - sqrt(sum(gain * gain for gain in gains))

        return max(arms, key=surely_gained)

    def _tries(self, arms: Sequence[Believed], most: int | None) -> int:
        """The tries of each arm in the next round."""
        if most is None:
            return 1
        rounds = max(1, (len(arms) - 1).bit_length())
        return max(0 if arms[0].visits else 1, (most - self.playouts) // (rounds * len(arms)))

    def _are_alike(self, arms: Sequence[Believed]) -> bool:
        """Do all arms have the same rewards on all deals, so that any will do?"""
        if self.judge is None or min(arm.visits for arm in arms) < ALIKE_AFTER:
            return False
        means = [arm.mean(self.player) for arm in arms]
        return max(means) - min(means) < NO_DIFFERENCE

    def _promise(self, arm: Believed) -> tuple[bool, float, float]:
        before = self.root.mean(self.player) - DISLIKED * (1 - arm.liking)
        known = arm.rewards[self.player] + PRIOR_PLAYOUTS * before
        return not arm.visits, -known / (arm.visits + PRIOR_PLAYOUTS), -arm.liking

    # ------------------------------------------------------------------ one playout

    def _playout(self, arm: Believed) -> None:
        # A sampled state, with the dice and all other chance that follows: the same for all ways,
        # so that only the ways differ.
        while len(self._deals) <= arm.visits:
            imagined_node = imagined(self.node, self.player, self.luck)
            dice = Xoshiro.seeded(self.luck.below(1 << 48))
            self._deals.append((imagined_node, dice, self.luck.below(1 << 48)))
        node, dice, self._fate = self._deals[arm.visits]
        at, self._chance = Reached(node, dice), Luck(self._fate)
        path = [self.root, arm]
        self._carry_out(at, arm)
        while path[-1].visits and not at.node.over and at.turns < self._horizon:
            child = self._chosen(path[-1], at.node)
            if child is None:
                break
            self._carry_out(at, child)
            path.append(child)
        self._play_on(at)
        end = self._end_of(at.node)
        self.playouts += 1
        self._ends.append((path, end))
        for one in path:
            one.visits += 1
        self._reward(path, end)

    def _reward(self, path: Sequence[Believed], end: PlayoutEnd) -> None:
        for seat, reward in enumerate(self._rewards(end)):
            for one in path:
                one.rewards[seat] += reward

    def _calibrate(self) -> None:
        """Fit the scales to the ends of playouts so far, and reward these again."""
        ends = [end.worths for _, end in self._ends if end.worths]
        self._scales = [scale_of([worths[one] for worths in ends]) for one in self.players]
        for path, _ in self._ends:
            for one in path:
                one.rewards = [0.0] * len(self.players)
        for path, end in self._ends:
            self._reward(path, end)

    def _chosen(self, at: Believed, node: PlayNode) -> Believed | None:
        """The branch to descend: the most promising to the player to move, or liked if unvisited."""
        player = node.stop.who[0]
        branches = self._branches(at, self._ways_of(node, player, self._in_tree)[:MOST_BRANCHES])
        if not branches:
            return None
        weight = sum(one.liking for one in branches)
        unknown = at.mean(player)
        wide = CURIOSITY * sqrt(at.visits)

        def promise(one: Believed) -> float:
            known = one.mean(player) if one.visits else unknown
            return known + wide * one.liking / weight / (1 + one.visits)

        return max(branches, key=promise)

    def _branches(self, at: Believed, ways: Sequence[PlannedAnswers]) -> list[Believed]:
        """The children for these ways, each liked by its distance from the best."""
        high = max((way.worth for way in ways), default=0)
        # The distance of good ways from the median, ignoring wins and very bad ways.
        usual = [way.worth for way in ways if abs(way.worth) < WIN // 2]
        near = NEARNESS * (max(1, max(usual) - int(median(usual))) if usual else 1)
        found = []
        for way in ways:
            plan = tuple(value for _, value in way.steps)
            child = at.children.get(plan)
            if child is None:
                liking = exp(max(-6.0, (way.worth - high) / near))
                child = Believed(liking=liking, rewards=[0.0] * len(self.players), way=way)
                at.children[plan] = child
            found.append(child)
        return list(dict.fromkeys(found))

    def _carry_out(self, at: Reached, child: Believed) -> None:
        """Give the answers of a branch, up to the first that no longer fits."""
        assert child.way is not None
        player = at.node.stop.who[0]
        for number, (meant, value) in enumerate(child.way.steps):
            if at.node.over or (number and not _asks_the_same(at.node, meant, player)):
                break
            if not at.node.secret and at.node.state != meant.state and not at.node.allows(value):
                break  # in the state where it was found it is allowed
            at.answer(value)

    def _play_on(self, at: Reached) -> None:
        """Play to the horizon with short lookaheads; without a judge, at random."""
        if self.judge is None:
            for _ in range(MOST_RANDOM_ANSWERS):
                if at.node.over:
                    break
                if at.node.secret:
                    at.answer(self._chance.pick(at.node.secret_options(at.node.stop.who[0])))
                else:
                    at.answer(sampled(at.node, self._chance.below))
            return
        begun, looks = at.turns, 0
        for _ in range(MOST_ANSWERS_BELOW):
            if at.node.over or at.turns >= self._horizon or looks >= MOST_LOOKS_BELOW:
                break
            if self._experience.is_quiet(at.node):
                at.answer(self._experience.answer(at.node, self._chance))
                continue
            ways = self._ways_of(at.node, at.node.stop.who[0], self._below)
            if not ways:
                break
            if not at.node.secret and not at.node.writes:
                looks += 1
                self._experience.note(at.node, ways)
            self._carry_out(at, Believed(way=ways[0]))
        self._experience.note_length(looks, at.turns - begun)

    # ------------------------------------------------------------------ ways and their worth

    def _ways_of(self, node: PlayNode, player: int, walks: int) -> list[PlannedAnswers]:
        """The ways of a player at a node, the best by their own worth first."""
        key = (node.state, player, walks)
        if key not in self._ways:
            self._ways[key] = self._found_ways(node, player, walks)
        return self._ways[key]

    def _found_ways(self, node: PlayNode, player: int, walks: int) -> list[PlannedAnswers]:
        if node.secret:
            options = enumerate(node.secret_options(player))
            return [PlannedAnswers(int(not at), [(node, one)], node) for at, one in options]
        if node.writes:
            return [PlannedAnswers(0, [(node, sampled(node, self._chance.below))], node)]
        judge = self.judge if self.judge is not None else Judge(None)
        ahead = LookAhead(node, player, judge, Luck(self._fate), walks)
        ways = ahead.run_for_all()
        if self.judge is None:
            return ways
        ways = self._experience.with_remembered(ahead, ways)
        if not are_tied(ways):
            return ways
        return usual_first(ways, ahead.way_by(lambda at: self._usual.answer(at, player)))

    def _end_of(self, node: PlayNode) -> PlayoutEnd:
        outcome, judge = node.state.outcome, self.judge
        if outcome is None:
            worths = (0 if judge is None else judge.worth(node, one) for one in self.players)
            return PlayoutEnd(None, tuple(worths))
        winners = outcome.winners or tuple(self.players)
        shares = (1 / len(winners) if one in winners else 0.0 for one in self.players)
        return PlayoutEnd(tuple(shares), ())

    def _rewards(self, end: PlayoutEnd) -> Rewards:
        """The reward of each player at an end, from 0 for a loss to 1 for a win."""
        if end.shares is not None:
            return end.shares
        if self.judge is None:
            return (1 / len(self.players),) * len(self.players)
        if not self._scales:
            return (0.5,) * len(self.players)
        pairs = zip(self._scales, end.worths, strict=True)
        return tuple(scale.reward(worth) for scale, worth in pairs)


class PlayoutEnd(Frozen):
    """The end of a playout: the shares of a finished game, else its worth to each player."""

    shares: Rewards | None
    worths: tuple[int, ...]


class RewardScale(Frozen):
    """The scale from a judge's worths to rewards: ordinary ends are rewarded one half."""

    middle: float
    near: float

    def reward(self, worth: float) -> float:
        """Nearly 1 for an end far better than ordinary ones, nearly 0 for a far worse one."""
        return 0.5 + 0.45 * tanh((worth - self.middle) / self.near)


def scale_of(worths: Sequence[float]) -> RewardScale:
    """The scale that distinguishes these ends.

    Every player may gain during play, so the worth at the root is no measure of an ordinary end after two
    rounds.
    """
    if not worths:
        return RewardScale(0, 1)
    middle = median(worths)
    near = NEARNESS * FROM_MEDIAN * median(abs(one - middle) for one in worths)
    return RewardScale(middle, max(1, near))


def _asks_the_same(node: PlayNode, meant: PlayNode, player: int) -> bool:
    """Is it the same prompt, for the same player?"""
    if node.stop.who[:1] != (player,) or node.secret or node.stop.state.frame is None:
        return False
    there = meant.stop.state.frame
    return there is not None and (node.frame.routine, node.frame.pc) == (there.routine, there.pc)


Keyed = tuple[tuple[Any, ...], PlannedAnswers]
_NONE = object()


def usual_first(
    ways: Sequence[PlannedAnswers], usual: PlannedAnswers | None
) -> list[PlannedAnswers]:
    """The ways sorted by worth, the usual one first among equals.

    The first few differ as early as possible: one answer to a first question may lead to hundreds of ways and
    another to only one, for which the hundreds, in the order found, would leave no room.
    """
    found = [] if usual is None else [usual]
    plan = None if usual is None else answers_of(usual)
    keyed = _varied([(answers_of(way), way) for way in ways], 0)
    found += [way for answers, way in keyed if answers != plan]
    return sorted(found, key=lambda way: -way.worth)


def are_tied(ways: Sequence[PlannedAnswers]) -> bool:
    """Are most of the ways worth as much as the best, so that the judge leaves a tie?"""
    return len(ways) > 1 and ways[len(ways) // 2].worth == ways[0].worth


def answers_of(way: PlannedAnswers) -> tuple[Any, ...]:
    """The answers of a way, prompt by prompt."""
    return tuple(value for _, value in way.steps)


def _varied(ways: Sequence[Keyed], depth: int) -> list[Keyed]:
    if len(ways) < 2:
        return list(ways)
    groups: dict[Any, list[Keyed]] = {}
    for one in ways:
        answers = one[0]
        groups.setdefault(answers[depth] if depth < len(answers) else _NONE, []).append(one)
    if len(groups) == 1 and _NONE in groups:
        return list(ways)
    ordered = [_varied(group, depth + 1) for group in groups.values()]
    return [one for row in zip_longest(*ordered) for one in row if one is not None]


Place = tuple[int, int]
# The lookaheads at a prompt before it is judged quiet, and the fraction (one in this many) that
# must find a difference.
LOOKS, ONE_IN = 3, 4
# Fewer turns are too few to estimate their length.
LEAST_TURNS = 4
# This many of the best ways at a prompt are tried again when it comes up again.
REMEMBERED = 3


class PlayoutExperience:
    """The results of lookaheads so far, for each prompt (a row of a routine)."""

    def __init__(self) -> None:
        self._looks_in_all, self._turns = 0, 0
        self._looks, self._told_apart = Counter[Place](), Counter[Place]()
        self._usual = SteadyBot()
        self._best = dict[tuple[Place, int], list[tuple[Any, ...]]]()

    def with_remembered(self, ahead: LookAhead, ways: list[PlannedAnswers]) -> list[PlannedAnswers]:
        """The ways, with the best ones remembered for this prompt; the best first."""
        known = self._best.setdefault((_place_of(ahead.root.node), ahead.player), [])
        found = {answers_of(way) for way in ways}
        again = [ahead.way_by(self._along(plan, ahead.player)) for plan in known]
        ways = ways + [way for way in again if way and answers_of(way) not in found]
        ways.sort(key=lambda way: -way.worth)
        if ways:
            best = answers_of(ways[0])
            known[:] = [best, *(plan for plan in known if plan != best)][:REMEMBERED]
        return ways

    def _along(self, plan: Sequence[Any], player: int) -> Callable[[PlayNode], Any]:
        """A function that answers by a plan, else by default."""
        left = iter(plan)

        def answer(node: PlayNode) -> Any:
            for value in left:
                if node.allows(value):
                    return value
            return self._usual.answer(node, player)

        return answer

    def note(self, node: PlayNode, ways: Sequence[PlannedAnswers]) -> None:
        """Record a lookahead from a node, and the ways found."""
        place = _place_of(node)
        self._looks[place] += 1
        self._told_apart[place] += any(way.worth != ways[0].worth for way in ways)

    def note_length(self, looks: int, turns: int) -> None:
        """Record the lookaheads and the turns begun in a playout."""
        self._looks_in_all += looks
        self._turns += turns

    def turns_worth(self, looks: int, most: int) -> int:
        """The turns that these lookaheads allow, from 1 to `most`, which is the initial value."""
        if self._turns < LEAST_TURNS:
            return most
        return max(1, min(most, looks * self._turns // max(1, self._looks_in_all)))

    def is_quiet(self, node: PlayNode) -> bool:
        """Do lookaheads rarely find a difference at this prompt?"""
        if node.secret or node.writes:
            return False
        place = _place_of(node)
        return self._looks[place] >= LOOKS and self._told_apart[place] * ONE_IN < self._looks[place]

    def answer(self, node: PlayNode, luck: Luck) -> Any:
        """The default answer; else a random one."""
        row = node.row
        may_skip = isinstance(row, Modal) and row.kind == "optional"
        if node.default is None and not may_skip and not (isinstance(row, Choose) and row.or_none):
            return sampled(node, luck.below)
        return self._usual.answer(node, node.stop.who[0])


def _place_of(node: PlayNode) -> Place:
    return node.frame.routine, node.frame.pc
