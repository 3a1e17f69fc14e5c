"""Plays thousands of random fights of Moonstone and holds every one against the laws of play.

    python -m tests.laws.fights --games 5000 --saves 500

Fight number n is made from seed `--first` + n alone. After each answer nobody has more than they
can have, nobody dead acts or is asked, initiative does not rise within a round, and what is offered
can be paid. With `--saves N`, N of the fights are saved and resumed in mid-effect, and undone to
their last barrier. Prints what was seen; ends with 1 if a law was broken.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ruleloom.bots.bot import SteadyBot
from ruleloom.runtime.program.program import Modal
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.search.node import PlayNode
from tests.laws.gnostica.strategies import RandomPlayer
from tests.laws.many import Figures, Series
from tests.laws.moonstone.fighters import Bout, bout

MOST_ANSWERS, CHUNK = 1_500, 25
MOST_KEPT = 300
"""So many prompts of a fight are saved and undone one by one."""
LEVELS = ("pi", "mi", "ei")
# What somebody does who can act, and the prompts that ask somebody who is alive and there. To use
# an action up is no deed: whoever a reaction fells has used theirs
# (moonstone.conflict.interrupt-prevents).
DEEDS = ("take_place", "mean_to", "give_up", "wait_for")
ASKED = ("choose_what_to_do", "set_out", "make_effort", "lose_mind", "go_insane")


class Fierce:
    """Attacks whoever comes first, and gives up EI now and then."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def answer(self, node: PlayNode, player: int) -> Any:
        """The first way that is on offer; of the rest, anything."""
        if isinstance(node.row, Modal):
            return (
                node.options[0] if self.source.random() < 0.9 else self.source.choice(node.options)
            )
        return self.source.choice(node.options)


def bot_of(of: Bout) -> Any:
    """Who answers in a fight."""
    bots = {
        "steady": SteadyBot,
        "fierce": lambda: Fierce(of.seed),
        "random": lambda: RandomPlayer(of.seed),
    }
    return bots[of.style]()


class Laws:
    """What holds after each answer of one fight."""

    def __init__(self, of: Bout, start: PlayNode) -> None:
        self.linked = of.linked
        index = self.linked.layout.index
        self.column = {
            name.partition(".")[2]: number for name, number in index.items() if "Character." in name
        }
        self.spent = index["Gift.spent"]
        gifts = dict(self.linked.entities["Gift"].static)
        self.bearer = gifts["bearer"]
        uses = dict(self.linked.entities["Advantage"].static)["uses_a_day"]
        # A scaled advantage has points, and some others can be used a few times a day: both are
        # spent.
        self.points = [
            points if uses[of] is None else uses[of]
            for points, of in zip(gifts["points"], gifts["advantage"], strict=True)
        ]
        self.most = {
            level: self.linked.codegen.value(
                ("function", f"moonstone:stat/max_{level.upper()}", ("slot", 0))
            )
            for level in LEVELS
        }
        here = start.state.world[self.column["here"]]
        self.cast = tuple(who for who, there in enumerate(here) if there)
        self.round, self.last = -1, 10**9
        self.waited: set[int] = set()

    def of(self, world: Any, name: str, who: int) -> Any:
        """A field of somebody."""
        return world[self.column[name]][who]

    def scope(self, node: PlayNode, name: str) -> Any:
        """A variable of the game."""
        return node.state.scope[self.linked.scope_index[name]]

    def after(self, before: PlayNode, node: PlayNode) -> list[str]:
        """What is wrong with what an answer led to."""
        wrong = [fault for event in node.events for fault in self._event(event, before, node)]
        wrong += self._people(before, node) + self._pools(node)
        return wrong if node.over else wrong + self._prompt(node)

    def _people(self, before: PlayNode, node: PlayNode) -> list[str]:
        wrong, world, then = [], node.state.world, before.state.world
        for who in self.cast:
            for level in LEVELS:
                now = self.of(world, level, who)
                if now > self.of(then, level, who):
                    most = self.most[level](world, (who,), node.state.scope, frozenset())
                    # Whoever revives has at least what the card says, be their maximum less.
                    if now > most and self.of(world, "fate", who) == self.of(then, "fate", who):
                        wrong.append(f"{level} of c{who} rose to {now}, above {most}")
            if self.of(world, "dying", who):
                pi, option = self.of(world, "pi", who), self.linked.settings["near_death"]
                if option != "option_2" or not -25 < pi < -10 or self.of(world, "dead", who):
                    wrong.append(f"c{who} is dying with {pi} PI under {option}")
            if self.of(world, "actions_left", who) < 0:
                wrong.append(f"c{who} has {self.of(world, 'actions_left', who)} actions")
            if self.of(then, "dead", who) and not self.of(world, "dead", who):
                wrong.append(f"c{who} was dead and is not")
        return wrong

    def _pools(self, node: PlayNode) -> list[str]:
        spent = node.state.world[self.spent]
        return [
            f"{spent[gift]} of {self.points[gift]} points of gift {gift} are spent"
            for gift, who in enumerate(self.bearer)
            if who in self.cast and not 0 <= spent[gift] <= self.points[gift]
        ]

    def _event(self, event: Event, before: PlayNode, node: PlayNode) -> list[str]:
        if event.kind != "operation":
            return []
        if event.name == "wait_for":
            self.waited.add(event.args[0])
        if event.name in DEEDS:
            who = event.args[0]
            at_once = {*self.scope(before, "at_once"), *self.scope(node, "at_once")}
            if who not in at_once and not (
                self.of(event.before, "here", who) and not self.of(event.before, "dead", who)
            ):
                return [f"c{who} does {event.name}, dead or gone"]
        return []

    def _prompt(self, node: PlayNode) -> list[str]:
        """What is wrong with what is asked."""
        routine = node.routine.id.rpartition("/")[2]
        if routine not in ASKED:
            return []
        who, world = node.frame.slots[node.routine.names.index("who")], node.state.world
        wrong = []
        if not self._acts_at_once(who, node) and (
            self.of(world, "dead", who) or not self.of(world, "here", who)
        ):
            wrong.append(f"{routine} asks of c{who}, dead or gone")
        if routine == "make_effort":
            most = max(0, self.of(world, "ei", who))
            wrong += [
                f"{much} EI on offer, of {most}"
                for much in node.options
                if much % 5 or not 0 <= much <= most
            ]
        if routine == "choose_what_to_do":
            wrong += self._order(node, who)
        return wrong

    def _acts_at_once(self, who: int, node: PlayNode) -> bool:
        """Whoever falls at a count that is theirs as well may still act, where that is at the same
        time (moonstone.conflict.initiative-tie): they wait for their turn, or it has come."""
        same_time = self.linked.settings["initiative_tiebreak"] == "simultaneous"
        return who in self.scope(node, "at_once") or (
            same_time and self.scope(node, "acting") == who
        )

    def _order(self, node: PlayNode, who: int) -> list[str]:
        """Counts come from the highest initiative down; whoever waited comes when they may."""
        now, round_now = self.of(node.state.world, "initiative", who), self.scope(node, "round")
        if round_now != self.round:
            self.round, self.last, self.waited = round_now, 10**9, set()
        if who in self.waited:
            return []
        wrong = [f"c{who} comes at {now}, after {self.last}"] if now > self.last else []
        self.last = now
        return wrong


# ---------------------------------------------------------------------------------- one fight


@dataclass
class Fought(Figures):
    """What was seen of fights."""

    endings: Counter[str] = field(default_factory=Counter)

    def headline(self) -> list[str]:
        n = self.counts
        share = 100 * n["ended"] / n["fights"] if n["fights"] else 0
        return [
            f"{n['fights']:,} fights, {n['ended']:,} ended ({share:.1f}%), {n['rounds']:,} rounds, "
            f"{n['dead']:,} dead"
        ]

    def details(self) -> list[str]:
        return [f"  ended: {many:,} {reason}" for reason, many in self.endings.most_common()]


def _fight(of: Bout, seen: Fought, most: int) -> None:
    game, bot = of.begun(), bot_of(of)
    node, dice = game.node, game.random
    laws = Laws(of, node)
    while not node.over and seen.counts["answers"] < most:
        value = bot.answer(node, node.stop.who[0])
        after = node.after(value, None, dice)
        dice = after.stop.dice or dice
        seen.answered(after)
        faults = laws.after(node, after)
        told = f"decision {seen.counts['answers']}, {node.routine.id} answered {value}"
        seen.wrong += [f"{of}: {told}: {fault}" for fault in faults]
        node = after
    outcome = node.state.outcome
    seen.counts["ended"] += outcome is not None
    seen.counts["rounds"] += laws.scope(node, "round")
    seen.counts["dead"] += sum(laws.of(node.state.world, "dead", who) for who in laws.cast)
    seen.endings[outcome.reason if outcome else "(so many answers are enough)"] += 1


FIGHTS = Series(
    "fight", "tests.laws.fights", __doc__, bout, _fight, Fought, CHUNK, MOST_ANSWERS, MOST_KEPT
)


if __name__ == "__main__":
    sys.exit(FIGHTS.main())
