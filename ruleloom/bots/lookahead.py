"""The greedy bot, and its tree search through one use: to its end, or where the future is unknown.

The bot follows the way to the best position, prompt by prompt, and searches again after a draw, a roll, or
another player's answer.

Each walk from the root prefers promising or little-visited branches, down to an end: the use is over, chance
or another player is next, or the game has ended. The position there is judged, and the best one kept with its
answers. Dead ends are dropped, so every way found is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from math import log, sqrt
from typing import Any

from ruleloom.bots.bot import Luck, bot_text
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.program.program import Function
from ruleloom.runtime.program.state import NO_RULES, State, frames
from ruleloom.runtime.search.node import PlayNode, sampled

# The positions judged in a decision, unless the game has a measure of this name.
WALKS, POSITIONS = 60, "positions_judged"
MOST_SETS = 12
CURIOSITY = 0.35
# A use with endless prompts is judged at this length.
LONGEST_WAY = 60
# The worth of a won and a lost game.
WIN, LOSS = 1_000_000, -1_000_000


class PlannedAnswers(Frozen):
    """The answers from one prompt to an end, each with its node."""

    worth: int
    steps: list[tuple[PlayNode, Any]]
    end: PlayNode


@dataclass(slots=True, eq=False)
class SearchBranch:
    """A node of the search tree: the answers tried below it, and the best worth found."""

    node: PlayNode
    untried: list[Any] | None = None
    children: dict[Any, SearchBranch] = field(default_factory=dict)
    visits: int = 0
    best: int = 0
    done: bool = False  # everything below has been searched


class LookAhead:
    """A search for one decision of one player."""

    def __init__(self, node: PlayNode, player: int, judge: Judge, luck: Luck, budget: int) -> None:
        self.root = SearchBranch(node)
        self.player = player
        self.judge = judge
        self.luck = luck
        self.left = budget
        self.low: int | None = None
        self.high = 0
        self.best: PlannedAnswers | None = None
        self.every: list[PlannedAnswers] | None = None
        self._use = use_of(node)

    def run(self) -> PlannedAnswers | None:
        """Walk until the budget is spent or the tree exhausted; the best way, or None."""
        while self.left > 0 and not self.root.done:
            self._walk()
        return self.best

    def run_for_all(self) -> list[PlannedAnswers]:
        """Walk likewise; return every way found, the best first."""
        self.every = []
        self.run()
        # The sort is stable: equals stay in the order found.
        return sorted(self.every, key=lambda way: -way.worth)

    def way_by(self, answer: Callable[[PlayNode], Any]) -> PlannedAnswers | None:
        """The way of a player who answers each prompt with `answer`; None for a dead end."""
        node, steps = self.root.node, list[tuple[PlayNode, Any]]()
        while len(steps) < LONGEST_WAY:
            value = answer(node)
            steps.append((node, value))
            node = node.child(value)
            if self._is_end(node):
                break
        worth = self._worth_of_end(node)
        return None if worth is None else PlannedAnswers(worth, steps, node)

    def _worth_of_end(self, node: PlayNode) -> int | None:
        stop = node.stop
        dead = stop.kind == "dead" or any(one.kind == "fizzled" for one in stop.events)
        return None if dead else self.judge.worth(node, self.player)

    def _walk(self) -> None:
        path = [self.root]
        answers: list[Any] = []
        while True:
            branch = path[-1]
            value = self._next_answer(branch)
            if value is _NOTHING:
                branch.done = True
                worth = None
                break
            child = branch.children.get(value)
            if child is None:
                self.left -= 1
                child = branch.children[value] = SearchBranch(branch.node.child(value))
            path.append(child)
            answers.append(value)
            if self._is_end(child.node) or len(path) > LONGEST_WAY:
                child.done = True
                worth = self._worth_of_end(child.node)
                break
        self._remember(path, answers, worth)

    def _is_end(self, node: PlayNode) -> bool:
        stop = node.stop
        ours = stop.kind == ASK and stop.who == (self.player,) and not node.chance
        return not ours or use_of(node) != self._use

    def _next_answer(self, branch: SearchBranch) -> Any:
        if branch.untried is None:
            branch.untried = self._answers(branch.node)
        value = self._untried(branch)
        if value is not _NOTHING:
            return value
        total = log(branch.visits + 1)

        def promise(value: Any) -> float:
            child, worth = branch.children[value], 0.5
            if self.low is not None and child.visits and self.high != self.low:
                worth = (child.best - self.low) / (self.high - self.low)
            return worth + CURIOSITY * sqrt(total / (child.visits + 1))

        known = (value for value, child in branch.children.items() if not child.done)
        return max(known, key=promise, default=_NOTHING)

    def _untried(self, branch: SearchBranch) -> Any:
        """The next untried answer. A set is checked only here, since the check is costly."""
        assert branch.untried is not None
        while branch.untried:
            value = branch.untried.pop()
            if not branch.node.takes_sets or branch.node.allows(value):
                return value
        if branch.node.takes_sets and not branch.children:
            return next(iter(branch.node.answers()), _NOTHING)
        return _NOTHING

    def _answers(self, node: PlayNode) -> list[Any]:
        """The answers to try at a node, shuffled; the default is last, so that it is tried first. Of many
        sets only some."""
        if not node.takes_sets:
            values = list(node.found)
            self.luck.shuffle(values)
            usual = node.default
            # A branch is judged by the first end found below it.
            return sorted(values, key=lambda one: one == usual) if node.has_default else values
        least, most = node.limits()
        sets = {tuple(node.found[:size]) for size in (least, most)}
        for _ in range(MOST_SETS):
            if node.orders:
                sets.add(sampled(node, self.luck.below))
                continue
            sets.add(self.luck.sample(node.found, least + self.luck.below(most - least + 1)))
        return sorted(sets, key=lambda one: (len(one), one))

    def _remember(self, path: list[SearchBranch], answers: list[Any], worth: int | None) -> None:
        for branch in reversed(path[:-1]):
            below = branch.children.values()
            branch.done |= branch.untried == [] and all(child.done for child in below)
        if worth is None:
            return
        self.low = worth if self.low is None else min(self.low, worth)
        for branch in path:
            branch.best = max(branch.best, worth) if branch.visits else worth
            branch.visits += 1
        better = self.best is None or worth > self.best.worth
        if not better and self.every is None:
            return
        steps = [(branch.node, value) for branch, value in zip(path, answers, strict=False)]
        way = PlannedAnswers(worth, steps, path[-1].node)
        if better:
            self.best, self.high = way, worth
        if self.every is not None:
            self.every.append(way)


_NOTHING = object()


def use_of(node: PlayNode) -> tuple[int, int] | None:
    """The row of the flow that is running: when it changes, the use is over."""
    running = list(frames(node.stop.state.frame))
    return (running[-1].routine, running[-1].pc) if running else None


class PlanningBot:
    """A bot that follows a plan as long as play goes as foreseen."""

    def __init__(self, seed: int, seat: int) -> None:
        self.luck = Luck(seed, seat)
        self._plan: list[tuple[PlayNode, Any]] = []

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple for a set choice."""
        plan, self._plan = self._plan, []
        if node.writes:
            return bot_text(node, self.luck.below)
        if node.secret or not plan or plan[0][0].state != node.state:
            if not node.secret and not node.takes_sets and len(node.options) == 1:
                return node.options[0]
            way = self._way(node, player)
            if way is None:
                return next(iter(node.answers()))
            plan = way.steps
        (_, value), *self._plan = plan
        return value

    def _way(self, node: PlayNode, player: int) -> PlannedAnswers | None:
        """The best way from a node; None if none is found."""
        raise NotImplementedError


class GreedyBot(PlanningBot):
    """The bot that looks one use ahead; of secret answers it gives the first."""

    def __init__(self, judge: Judge, seed: int, seat: int) -> None:
        super().__init__(seed, seat)
        self._judge = judge

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple for a set choice."""
        if node.secret and not node.writes:
            return node.secret_options(player)[0]
        return super().answer(node, player)

    def _way(self, node: PlayNode, player: int) -> PlannedAnswers | None:
        walks = positions_judged(node.linked)
        return LookAhead(node, player, self._judge, self.luck, walks).run()


Measured = Callable[..., Any]


def function_called(linked: Linked, name: str) -> Function | None:
    """The function of this name, if any."""
    return next((one for one in linked.program.functions if slug_of(one.id) == name), None)


def measure(linked: Linked, name: str) -> Measured | None:
    """`f(state, *arguments)` for the measure or rule called `name`; None if undefined."""
    function = function_called(linked, name)
    if function is None:
        return None
    slots = (("slot", number) for number in range(len(function.params)))
    compiled = linked.codegen.value(("function", function.id, *slots))
    return lambda state, *values: compiled(state.world, values, state.scope, NO_RULES)


def constants(linked: Linked, name: str, size: int) -> tuple[int, ...]:
    """The values of a measure for `size` entities; zeros if it is undefined or reads the board."""
    found = measure(linked, name)
    world = (None,) * len(linked.layout.columns)
    state = State(world, linked.initial_scope, None, (), True, None)
    unknown = (0,) * size
    if found is None:
        return unknown
    try:
        return tuple(found(state, number) for number in range(size))
    except TypeError:  # a house rule made it depend on the board, which is missing here
        return unknown


@lru_cache(maxsize=8)
def positions_judged(linked: Linked) -> int:
    """The positions that a bot judges in a decision of this game."""
    found = measure(linked, POSITIONS)
    nowhere = State((), linked.initial_scope, None, (), True, None)
    return WALKS if found is None else int(found(nowhere))


class Judge:
    """A bot's evaluation of positions by the ruleset's own measure, in whole points; it sees only what
    that reads. Without a measure only the end of the game counts."""

    def __init__(self, prospects: Measured | None) -> None:
        self._prospects = prospects

    def worth(self, node: PlayNode, player: int) -> int:
        """The worth of a position to `player`; more is better."""
        outcome = node.stop.state.outcome
        if outcome is None:
            return 0 if self._prospects is None else int(self._prospects(node.stop.state, player))
        return 0 if not outcome.winners else WIN if player in outcome.winners else LOSS


def judge_of(linked: Linked) -> Judge | None:
    """The judge of a game's positions, if it has a measure of them."""
    prospects = measure(linked, "prospects")
    return None if prospects is None else Judge(prospects)
