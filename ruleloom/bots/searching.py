"""The searching bot: it looks at the answers of others, and at its own next moves.

It uses only what its player may know: hidden things are sampled again for each playout. Its strength depends
on its budget: playouts or seconds per decision.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ruleloom.bots.lookahead import Judge, PlannedAnswers, PlanningBot
from ruleloom.bots.tree_search import Believed, PlayoutExperience, SearchBudget, TreeSearch
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import prompts_of

SEARCHING = "searching"
PLAYOUTS = 100
MOST_TOLD = 3
MOST_PLAYOUTS, MOST_SECONDS = 1_000_000, 3_600.0
BUDGET = re.compile(r"([0-9]{1,7})|([0-9]{1,4}(?:\.[0-9]{1,3})?)s")


def read_budget(kind: str) -> SearchBudget | None:
    """The budget of `searching`, `searching:400` or `searching:1s`; None for another kind of bot.

    Refused for an invalid budget.
    """
    name, sign, text = kind.partition(":")
    if name != SEARCHING:
        return None
    if not sign:
        return SearchBudget(playouts=PLAYOUTS)
    found = BUDGET.fullmatch(text)
    if found is not None and found[1] and 0 < int(found[1]) <= MOST_PLAYOUTS:
        return SearchBudget(playouts=int(found[1]))
    if found is not None and found[2] and 0 < float(found[2]) <= MOST_SECONDS:
        return SearchBudget(seconds=float(found[2]))
    raise Refused(
        f"`{kind}` has no budget that fits; write {SEARCHING}:400 for playouts a decision, or "
        f"{SEARCHING}:1s for seconds"
    )


class SearchingBot(PlanningBot):
    """The bot that searches; without a judge it plays to the end at random."""

    def __init__(self, judge: Judge | None, seed: int, seat: int, budget: SearchBudget) -> None:
        super().__init__(seed, seat)
        self._judge, self._budget = judge, budget
        self._search: TreeSearch | None = None
        self._experience = PlayoutExperience()

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple for a set choice."""
        self._search = None
        return super().answer(node, player)

    def _way(self, node: PlayNode, player: int) -> PlannedAnswers | None:
        search = TreeSearch(node, player, self._judge, self.luck, self._experience)
        best = search.run(self._budget)
        self._search = None if best is None or best.way is None else search
        return None if best is None else best.way

    def considered(self) -> list[str]:
        """The ways considered in the last decision, in words, the most visited first."""
        if self._search is None:
            return []
        player, found = self._search.player, self._search.root.children.values()
        ordered = sorted(found, key=lambda one: -one.visits)[:MOST_TOLD]
        return [
            f"    looked at: {'; '.join(_in_words(one, player))} (worth "
            f"{100 * one.mean(player):.0f} of 100, {one.visits:,} playouts)"
            for one in ordered
            if one.visits
        ]


class ThinkingAloud:
    """A searching bot that tells what it considered before a decision."""

    def __init__(self, bot: SearchingBot, say: Callable[[Sequence[str]], None]) -> None:
        self._bot, self._say = bot, say

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer of the bot."""
        value = self._bot.answer(node, player)
        self._say(self._bot.considered())
        return value


def _in_words(branch: Believed, player: int) -> Iterator[str]:
    """The answers of a branch by their prompts' labels."""
    assert branch.way is not None
    for node, value in branch.way.steps:
        prompts = {one.player: one for one in prompts_of(node, 0)}
        prompt = prompts.get(player) or next(iter(prompts.values()))
        labels = {one.value: one.label for one in prompt.options}
        values = value if node.takes_sets else (value,)
        yield ", ".join(labels.get(one, str(one)) for one in values) or "none"
