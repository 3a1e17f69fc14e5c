"""Claims about chances of conditions, over every fall of the dice that no answer settles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from ruleloom.compiler.cases.case_words import folded
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, distribution
from ruleloom.scenarios.call_stack import game_at
from ruleloom.scenarios.claims.case_names import CaseNames, number_said
from ruleloom.scenarios.claims.numbers import claim_text
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.steps.answers import Answers, answer_keys, name_of, usual_keys
from ruleloom.scenarios.steps.trial_program import has_ended, values_sought


def wrong_odds(node: PlayNode, answers: Answers, claims: CaseData, words: CaseNames) -> list[str]:
    """Each claim about a chance that does not hold."""
    settled = Settled(answers, words)

    def outcome(state: State) -> Hashable:
        return values_sought(state, node.linked, range(1, len(claims) + 1))

    def done(node: PlayNode) -> bool:
        if node.secret:
            secret = f"`{name_of(node)}` is answered in secret"
            raise StepNotUnderstood(f"{secret}, so there are no odds to claim")
        return has_ended(node)

    found = distribution(node, outcome, settled.answer, done, falls=settled.fall, variables=False)
    never = [name for name in settled.fixed if name not in settled.asked]
    if never:
        return [f"`{never[0]}` was never asked for"]
    return [
        f"odds: {asked}: wanted {claim_text(wanted)}, found {claim_text(chance)}"
        for place, (asked, wanted) in enumerate(claims.items())
        if (chance := _chance(found, place, str(asked))) != number_said(str(wanted))
    ]


def _chance(found: Mapping[Any, Fraction], place: int, asked: str) -> Fraction:
    """The chance that the condition at this place holds; where a text is called off, it does not."""
    ended = [(key[place], chance) for key, chance in found.items() if key]
    if not all(isinstance(value, bool | None) for value, _ in ended):
        raise StepNotUnderstood(f"`{asked}` is no condition")
    return sum((chance for value, chance in ended if value), Fraction(0))


class Settled:
    """The answers to prompts that are always answered the same way."""

    def __init__(self, answers: Answers, words: CaseNames) -> None:
        if answers.in_order:
            raise StepNotUnderstood("where the dice are left open, `answers` is a mapping")
        self.fixed = {name: said for name, _, said in answers.left}
        self.words = words
        self.asked: set[str] = set()

    def fall(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """How dice fall: as the case says, else fairly."""
        return self.answer(node) if folded(name_of(node)) in self.fixed else Fair(node)

    def answer(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The only answer to a prompt: what the case says, or what needs no asking."""
        game = game_at(node)
        name = folded(name_of(node))
        if name in self.fixed:
            self.asked.add(name)
            return [(game.value_of(answer_keys(game, self.fixed[name], self.words)), 1)]
        return [(game.value_of(usual_keys(game)), 1)]
