"""Odds questions: an effect text, a given position, and its expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_file import DO, Case
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import case_checks, names_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.runtime.analysis.rows import forgotten
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, value_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import OverBudget, Refused
from ruleloom.runtime.program.program import Jump, Let, Routine, Use
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, uniform
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.position import game_at
from ruleloom.scenarios.setup.state import CaseNames, start
from ruleloom.scenarios.setup.things import SOUGHT, key, make_things, unmarked
from ruleloom.scenarios.steps.answers import answer_keys, name_of
from ruleloom.scenarios.steps.trial_program import begin, has_ended, linked_to_try, values_sought

LINE = re.compile(r"line (\d+): ")


# Shown instead of a value if the text was called off.
NOTHING = "(it comes to nothing)"


class OddsQuestion(Frozen):
    """A question of odds: start nodes, expressions, types."""

    # Each expression to tabulate has its own start node: variables that only the others need are
    # dropped, so that more states are equal.
    nodes: tuple[PlayNode, ...]
    words: CaseNames
    asked: tuple[str, ...]  # expressions
    types: tuple[str, ...]  # the type of each, "" if unknown

    @property
    def linked(self) -> Linked:
        """The game with its given position."""
        return self.words.linked

    def value(self, state: State, number: int) -> tuple[Any, ...]:
        """The value of an expression in the end state; empty if the text was called off."""
        return values_sought(state, self.linked, (number + 1,))

    def text(self, number: int, value: Any) -> str:
        """A value of one expression, in words."""
        type_ = Type.parse(self.types[number])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | Fraction) and type_.name in ("?", "Int", "Fraction"):
            return number_text(value)
        return unmarked(value_text(self.linked, self.nodes[0].state.world, type_, value))


class NotAsked(Exception):
    """An invalid text, `given` or expression, with the `reasons`."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


def ask(
    content: Content,
    text: str,
    told: Sequence[str],
    best: Sequence[str] = (),
    given: YamlNode | None = None,
) -> OddsQuestion:
    """The question: expressions to be `told`, and to be maximised (`best`).

    NotAsked with all mistakes; Refused, StepNotUnderstood and RuntimeFault as in cases.
    """
    data: Any = to_data(given) if given is not None else {}
    things = given.get("things") if given is not None else None
    # A text may name a flow, as a step of a case may.
    flow = {one.name: one.id for one in content.by_kind("flow")}.get(text.strip(), "")
    asked = tuple(dict.fromkeys((*told, *best)))
    # Names are resolved before compilation only for `given`.
    symbols = names_of(content) if given is not None else Symbols(game=content.game)
    # The question becomes a case: the text is its only step, and all expressions are sought.
    text = "" if flow else text
    texts, then = (_step_of(text, bool(flow)),), {"odds": dict.fromkeys(asked)}
    case = Case("odds", (), data, ({DO: text},), then, "", 1, "", things, texts)
    made = make_things(content, symbols, [case], is_last=True)[key(case)]
    if made.program is None:
        raise NotAsked([_placed(one, text, asked) for one in made.complaints])
    if given is not None:
        _check_given(content, given)
    routine = next(one for one in made.program.routines if one.id == made.texts[0])
    wanted = frozenset(asked.index(one) + 1 for one in best)
    apart = tuple(_only(routine, wanted | {number}, flow) for number in range(1, len(told) + 1))
    program = replace(made.program, routines=(*made.program.routines, *apart))
    ids = [one.id for one in apart]
    linked = linked_to_try(program, ids, data)
    words = CaseNames.of(made, linked)
    state = start(linked, words, symbols, data)
    types = dict(zip(routine.slots, routine.slot_types, strict=True))
    nodes = tuple(map(partial(begin, linked, state), ids))
    known = tuple(types.get(f"{SOUGHT}{number}", "") for number in range(1, len(asked) + 1))
    return OddsQuestion(nodes, words, asked, known)


def _check_given(content: Content, given: YamlNode) -> None:
    """Raise NotAsked if it is not a position of the game."""
    found = case_checks(content, given.source.path).faults_of_given(given)
    if found:
        raise NotAsked([": ".join(filter(None, (one.message, one.help))) for one in found])


def _step_of(text: str, may_be_empty: bool = False) -> YamlNode:
    lines = "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))
    written = items_in(f"{DO}: |\n{lines}", "")
    if not written or not (text.strip() or may_be_empty):
        raise NotAsked(["this is no effect text"])
    return written[0].entries[DO]


def _only(routine: Routine, wanted: frozenset[int], flow: str) -> Routine:
    """A copy of a routine that seeks only these expressions, by number; with a flow, they are sought after
    the flow."""
    names = {f"{SOUGHT}{number}" for number in wanted}
    rows = list(routine.rows)
    for place, row in enumerate(rows):
        name = routine.slots[row.slot] if isinstance(row, Let) else ""
        if name.startswith(SOUGHT) and name not in names:
            rows[place] = Jump(row.origin, place + 1)
    if flow:
        behind = (replace(row, to=row.to + 1) if isinstance(row, Jump) else row for row in rows)
        rows = [Use(routine.origin, flow, (), -1), *behind]
    return replace(routine, id=f"{routine.id} {sorted(wanted)}", rows=tuple(rows))


def _placed(complaint: str, text: str, asked: Sequence[str]) -> str:
    """A complaint with its line in the text, or with its expression."""
    found = LINE.match(complaint)
    if found is None:
        return complaint
    line, lines = int(found[1]) - 1, text.strip("\n").split("\n")
    rest = complaint[found.end() :]
    if line <= len(lines):
        return f"line {line}: {rest}" if len(lines) > 1 else rest
    return f"`{asked[min(line - len(lines), len(asked)) - 1]}`: {rest}" if asked else rest


Means = tuple[Fraction, ...]
NUMBER = re.compile(r"-?[0-9]{1,15}")


class Fixed(Frozen):
    """A fixed answer; of several, the first on offer."""

    said: tuple[Any, ...]
    text: str  # as typed


class Best(Frozen):
    """The answer that maximises this on average."""

    expression: str


class Uniform(Frozen):
    """Answers at random."""


Rule = Fixed | Best | Uniform


BEST = "best:"


def read_rule(text: str) -> Rule:
    """`best:EXPR`, `uniform`, or an answer; or several, as `ANSWER|ANSWER`."""
    if text == "uniform":
        return Uniform()
    if text.startswith(BEST):
        return Best(text.removeprefix(BEST).strip())
    answers = (part.strip() for part in text.split("|"))
    return Fixed(tuple(int(one) if NUMBER.fullmatch(one) else one for one in answers), text)


def expressions_of(rules: Mapping[str, Rule], otherwise: Rule) -> list[str]:
    """The expressions to maximise."""
    every = (*rules.values(), otherwise)
    return list(dict.fromkeys(rule.expression for rule in every if isinstance(rule, Best)))


@dataclass
class Policies:
    """The policies of one question, by prompt name, and that of all `otherwise`."""

    question: OddsQuestion
    rules: Mapping[str, Rule]
    otherwise: Rule
    budget: int
    met: set[str] = field(default_factory=set)  # prompts reached
    given: set[tuple[str, Any]] = field(default_factory=set)  # alternatives that were on offer
    written: set[str] = field(default_factory=set)  # text prompts without a policy
    looked_at: int = 0  # states searched for the best answers
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
        """Has the text ended here? Secret prompts are recorded as met."""
        if node.secret:
            self.rule_of(node)
        return has_ended(node)

    def choice(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The weighted answers of a player."""
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
        """The results of dice and decks, fair unless a policy is fixed."""
        name = folded(name_of(node))
        if name not in self.rules:
            self.met.add(name)
            return Fair(node, self.budget)
        if not isinstance(self.rule_of(node), Fixed):
            fixed = "only a fixed answer can stand for it"
            raise StepNotUnderstood(f"chance decides `{name_of(node)}`: {fixed}")
        return self.choice(node)

    def ways(self, node: PlayNode) -> tuple[list[tuple[Any, int]], int | None]:
        """The weighted answers at a prompt, and the player if they are secret."""
        if not node.secret:
            return list(self.fall(node) if node.chance else self.choice(node)), None
        player = node.stop.who[0]
        return [(value, 1) for value in node.secret_options(player)], player

    def never_on_offer(self) -> list[tuple[str, Any]]:
        """The alternatives of fixed answers that were never on offer when their prompt came up."""
        fixed = ((name, rule) for name, rule in self.rules.items() if isinstance(rule, Fixed))
        several = ((name, rule.said) for name, rule in fixed if len(rule.said) > 1)
        answers = ((name, one) for name, said in several if name in self.met for one in said)
        return [one for one in answers if one not in self.given]

    def _fixed(self, node: PlayNode, rule: Fixed) -> Any:
        """The first alternative offered."""
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
        """The mean of each expression to maximise, over all continuations."""
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
                # The first of equally good answers.
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
