"""Policies: how people answer where dice decide nothing.

A policy is fixed (one answer), best (maximises an expression on average, over all that can follow)
or uniform (every answer alike).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from ruleloom.compiler.cases.case_words import folded
from ruleloom.odds.question import OddsQuestion
from ruleloom.runtime.analysis.rows import forgotten
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import OverBudget, Refused
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, uniform
from ruleloom.scenarios.call_stack import game_at
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.steps.answers import answer_keys, name_of
from ruleloom.scenarios.steps.trial_program import has_ended

Means = tuple[Fraction, ...]
NUMBER = re.compile(r"-?[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Fixed:
    """One answer for all times; of several the first on offer."""

    said: tuple[Any, ...]
    text: str  # as it was typed


@dataclass(frozen=True, slots=True)
class Best:
    """Whatever makes this expression highest on average."""

    expression: str


@dataclass(frozen=True, slots=True)
class Uniform:
    """Every answer alike."""


Rule = Fixed | Best | Uniform


def read_rule(text: str) -> Rule:
    """`best:EXPR`, `uniform`, or an answer; or several, as `ANSWER|ANSWER`."""
    if text == "uniform":
        return Uniform()
    if text.startswith("best:"):
        return Best(text.removeprefix("best:").strip())
    answers = (part.strip() for part in text.split("|"))
    return Fixed(tuple(int(one) if NUMBER.fullmatch(one) else one for one in answers), text)


def expressions_of(rules: Mapping[str, Rule], otherwise: Rule) -> list[str]:
    """The expressions that are to be highest."""
    every = (*rules.values(), otherwise)
    return list(dict.fromkeys(rule.expression for rule in every if isinstance(rule, Best)))


@dataclass
class Policies:
    """The policies of one question, by name of the prompt, and one for all `otherwise`."""

    question: OddsQuestion
    rules: Mapping[str, Rule]
    otherwise: Rule
    budget: int
    met: set[str] = field(default_factory=set)  # prompts that came up
    given: set[tuple[str, Any]] = field(default_factory=set)  # alternatives that were on offer
    written: set[str] = field(default_factory=set)  # prompts for texts that no policy gives
    looked_at: int = 0  # states that finding the best took
    _means: dict[State, Means] = field(default_factory=dict)
    _answers: dict[State, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.live = self.question.linked.live
        self.best = expressions_of(self.rules, self.otherwise)

    def rule_of(self, node: PlayNode) -> Rule:
        """The policy of a prompt."""
        name = folded(name_of(node))
        self.met.add(name)
        rule = self.rules.get(name)
        if node.writes and not isinstance(rule, Fixed):
            self.written.add(name)
        if rule is not None and node.secret:
            raise StepNotUnderstood(f"`{name}` is answered in secret: every answer counts alike")
        return rule if rule is not None else self.otherwise

    def ended(self, node: PlayNode) -> bool:
        """Has the text ended here? Prompts that are answered in secret are met on the way."""
        if node.secret:
            self.rule_of(node)
        return has_ended(node)

    def choice(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The answers of a person, weighted."""
        match self.rule_of(node):
            case Fixed() as rule:
                return [(self._fixed(node, rule), 1)]
            case Best():
                key = forgotten(node.state, self.live)
                if key not in self._answers:
                    self._mean(node)
                return [(self._answers[key], 1)]
            case _:
                return uniform(node)

    def fall(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The falls of dice and decks, fair unless a policy fixes them."""
        name = folded(name_of(node))
        if name not in self.rules:
            self.met.add(name)
            return Fair(node, self.budget)
        if not isinstance(self.rule_of(node), Fixed):
            fixed = "only a fixed answer can stand for it"
            raise StepNotUnderstood(f"chance decides `{name_of(node)}`: {fixed}")
        return self.choice(node)

    def ways(self, node: PlayNode) -> tuple[list[tuple[Any, int]], int | None]:
        """The weighted ways on from a prompt, and who answers it if that is a secret."""
        if not node.secret:
            return list(self.fall(node) if node.chance else self.choice(node)), None
        player = node.stop.who[0]
        return [(value, 1) for value in node.secret_options(player)], player

    def never_on_offer(self) -> list[tuple[str, Any]]:
        """The alternatives of fixed answers that were never on offer where their prompt came up."""
        fixed = ((name, rule) for name, rule in self.rules.items() if isinstance(rule, Fixed))
        several = ((name, rule.said) for name, rule in fixed if len(rule.said) > 1)
        answers = ((name, one) for name, said in several if name in self.met for one in said)
        return [one for one in answers if one not in self.given]

    def _fixed(self, node: PlayNode, rule: Fixed) -> Any:
        """The first alternative on offer."""
        game = game_at(node)
        if len(rule.said) == 1 or node.writes:
            return self._value(game, rule.said[0] if len(rule.said) == 1 else rule.text)
        offered = []
        for said in rule.said:
            try:
                value = self._value(game, said)
            except (StepNotUnderstood, Refused):
                continue
            if node.allows(value):
                offered.append(value)
                self.given.add((folded(name_of(node)), said))
        if not offered:
            raise StepNotUnderstood(f"none of `{rule.text}` is on offer at `{name_of(node)}`")
        return offered[0]

    def _value(self, game: Game, said: Any) -> Any:
        return game.value_of(answer_keys(game, said, self.question.words))

    def _mean(self, node: PlayNode) -> Means:
        """The mean of each expression that is to be highest, over all that can follow."""
        if has_ended(node):
            return tuple(self._number(expression, node.state) for expression in self.best)
        key = forgotten(node.state, self.live)
        if key not in self._means:
            self.looked_at += 1
            if self.looked_at > self.budget:
                raise OverBudget(f"more than {self.budget:,} states")
            rule = None if node.chance or node.secret else self.rule_of(node)
            if isinstance(rule, Best):
                place = self.best.index(rule.expression)
                found = [(self._mean(node.after(value)), value) for value in node.answers()]
                # The first of several that are equally good.
                self._means[key], self._answers[key] = max(found, key=lambda one: one[0][place])
            else:
                self._means[key] = self._average(node)
        return self._means[key]

    def _average(self, node: PlayNode) -> Means:
        ways, player = self.ways(node)
        total = sum(weight for _, weight in ways)
        found = [(self._mean(node.after(value, player)), weight) for value, weight in ways]
        return tuple(
            sum((means[place] * weight for means, weight in found), Fraction(0)) / total
            for place in range(len(self.best))
        )

    def _number(self, expression: str, state: State) -> Fraction:
        found = self.question.value(state, self.question.asked.index(expression))
        if not found or not isinstance(found[0], int | Fraction):
            none = "is not always a number, so no answer can be the best for it"
            raise StepNotUnderstood(f"`{expression}` {none}")
        return Fraction(found[0])
