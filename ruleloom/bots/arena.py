"""The bots of each kind, and whole games between them at full speed: no prompts, labels or journal.

A seed yields the same game here as at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ruleloom.bots.bot import Bot, PresetAnswer, RandomBot, SteadyBot
from ruleloom.bots.lookahead import GreedyBot, judge_of
from ruleloom.bots.searching import SearchingBot, read_budget
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.state import Event, Outcome
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode

KINDS = ("greedy", "random", "searching", "steady")


class Played(Frozen):
    """The result of one game: `outcome` is None if a `limit` ended it, of turns or of answers."""

    seed: int
    outcome: Outcome | None
    turns: int
    decisions: int
    limit: str = ""


class Onlooker:
    """An observer of a game, which changes nothing; the base class records nothing."""

    def asked(self, node: PlayNode, value: Dynamic) -> None:
        """A player is about to answer with `value`."""

    def came_to(self, node: PlayNode) -> None:
        """Play has reached `node`."""


NOBODY = Onlooker()
Stacker = Callable[[PlayNode, Xoshiro | None], PlayNode]
"""Rearranges hidden things, once, before the first turn; returns the node to resume at."""
Fate = Callable[[PlayNode, int], Xoshiro]
"""The dice after a node of a turn."""


def play_out(
    linked: Linked,
    bots: Sequence[Bot],
    seed: int,
    turn_limit: int | None = None,
    given: PresetAnswer | None = None,
    answer_limit: int | None = None,
    onlooker: Onlooker = NOBODY,
    stacker: Stacker | None = None,
    fate: Fate | None = None,
) -> Played:
    """Play one game between bots, to its end or a limit; a preset answer is not asked."""
    game = new_game(linked, seed)
    node, dice = game.node, game.random
    turns = TurnCounter()
    decisions = 0
    while not node.over:
        if turns.see(node.events) and turns.begun == 1 and stacker is not None:
            node = stacker(node, dice)
        onlooker.came_to(node)
        if turn_limit is not None and turns.begun > turn_limit:
            return Played(seed, None, turn_limit, decisions, "turns")
        if answer_limit is not None and decisions >= answer_limit:
            return Played(seed, None, turns.begun, decisions, "answers")
        if fate is not None:
            dice = fate(node, turns.begun)
        player = node.stop.who[0]
        if given is not None and given.answers(node):
            value, given = given.value, None
        else:
            value = bots[player].answer(node, player)
        onlooker.asked(node, value)
        node = node.after(value, player if node.secret else None, dice)
        dice = node.stop.dice or dice
        decisions += 1
    onlooker.came_to(node)
    return Played(seed, node.state.outcome, turns.begun, decisions)


@dataclass
class TurnCounter:
    """The number of turns begun: one `turn` event for each run of the flow `turn`."""

    begun: int = 0

    def see(self, events: Iterable[Event]) -> bool:
        """Count the turns in some events; return whether one has begun."""
        begun = sum(event.kind == "turn" for event in events)
        self.begun += begun
        return begun > 0


def make_bot(kind: str, linked: Linked, seed: int, seat: int) -> Bot:
    """A bot for one seat of one game; its randomness depends on seed and seat."""
    if kind == "random":
        return RandomBot(seed, seat)
    if kind == "steady":
        return SteadyBot()
    budget, judge = read_budget(kind), judge_of(linked)
    if budget is not None:
        return SearchingBot(judge, seed, seat, budget)
    if judge is None:
        title = linked.program.title
        raise Refused(
            f"the greedy bot cannot judge {title}; `random`, `steady` and `searching` play it"
        )
    return GreedyBot(judge, seed, seat)
