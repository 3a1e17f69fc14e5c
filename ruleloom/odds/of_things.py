"""Odds of a thing: a table for each power with `odds:` that takes it, a line for each answer of its `by`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_file import GIVEN
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.packs.content import ODDS, Content, Item, slug_of
from ruleloom.compiler.pipeline import names_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of, written
from ruleloom.odds.question import (
    Fixed,
    Policies,
    Rule,
    Uniform,
    ask,
    expressions_of,
    read_rule,
)
from ruleloom.odds.tables import Odds, odds
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.position import game_at
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.answers import name_of

IN_THE_MAKING = "thing-in-the-making"


class OddsPower(Frozen):
    """A power with a table of odds for each thing of an entity."""

    item: Item
    entity: str
    """Empty if it takes nothing."""
    gives: str

    @property
    def by(self) -> tuple[str, ...]:
        """The choices whose answers are the lines of the table."""
        return tuple(self.item.data(ODDS)["by"])

    @property
    def answers(self) -> dict[str, Rule]:
        """The policies of other choices, by folded name."""
        written = self.item.data(ODDS).get("answers", {})
        return {folded(name): read_rule(str(said)) for name, said in written.items()}

    def word(self, name: str) -> str:
        """A choice or result in words."""
        words = self.item.data("words") or {}
        return str(words.get(name, name.replace("_", " ")))


class ThingOddsLine(Frozen):
    """The odds after these answers, in the order of `by`."""

    answers: tuple[str, ...]
    odds: Odds

    @property
    def value(self) -> Fraction | None:
        """The chance of yes, or the mean of a number."""
        (table,) = self.odds.tables
        return self.chances.get("yes", Fraction(0)) if self.yes_or_no else table.mean

    @property
    def yes_or_no(self) -> bool:
        """Is it a condition, which holds or not?"""
        return self.chances.keys() <= {"yes", "no"}

    @property
    def chances(self) -> dict[str, Fraction]:
        """Each value in words, with its chance."""
        (table,) = self.odds.tables
        return {one.value: one.chance for one in table.lines}

    def to_json(self) -> dict[str, Any]:
        """The line as data."""
        return {
            "answers": [*self.answers],
            "value": None if self.value is None else str(self.value),
            "chances": {value: str(chance) for value, chance in self.chances.items()},
            "exact": not self.odds.runs,
        }


class ThingOdds(Frozen):
    """The table of one power for one thing."""

    power: OddsPower
    lines: tuple[ThingOddsLine, ...]

    def to_json(self) -> dict[str, Any]:
        """The table as data: chances and means as fractions in text."""
        power = self.power
        return {
            "power": power.item.slug,
            "of": power.word(power.gives),
            "by": [{"name": one, "label": power.word(one)} for one in power.by],
            "lines": [one.to_json() for one in self.lines],
        }


def odds_powers(content: Content, symbols: Symbols) -> list[OddsPower]:
    """The powers of a sound game with tables of odds."""
    found = []
    for item in content.by_kind("power"):
        if ODDS in item.fields:
            params = symbols.powers[item.slug].params
            given = str(item.data("gives")).partition(":")[0].strip()
            found.append(OddsPower(item, "".join(one.type.name for one in params), given))
    return found


def entity_of(content: Content, symbols: Symbols, name: str, given: YamlNode | None) -> str:
    """The entity of the thing of this name in the packs or in `given`; empty if there is none."""
    things = entries_of(given.get("things")) if given is not None else {}
    kinds = [
        text_of(one.get("kind")) for key, one in things.items() if slug_of(key) == slug_of(name)
    ]
    kinds += [one.kind for one in content.items if one.slug == slug_of(name)]
    return next((symbols.kinds[one] for one in kinds if one in symbols.kinds), "")


def powers_for(content: Content, name: str, given: YamlNode | None = None) -> list[OddsPower]:
    """The powers with tables of odds of the thing, or the power, of this name."""
    symbols = names_of(content)
    powers = odds_powers(content, symbols)
    named = [one for one in powers if one.item.slug == slug_of(name) and not one.entity]
    entity = entity_of(content, symbols, name, given)
    return named or [one for one in powers if one.entity and one.entity == entity]


def is_tabulated(content: Content, symbols: Symbols, entity: str) -> bool:
    """Has a power a table of odds for each thing of an entity?"""
    return any(one.entity == entity for one in odds_powers(content, symbols))


def odds_of_thing(
    content: Content,
    power: OddsPower,
    name: str,
    given: YamlNode | None = None,
    rules: Mapping[str, Rule] | None = None,
    budget: int = 200_000,
    seed: int = 1,
) -> tuple[ThingOdds, Policies]:
    """The table of a power for a thing of the game or of `given`, with further policies.

    Raises NotAsked, Refused, StepNotUnderstood, OverBudget and RuntimeFault as other questions do.
    """
    known = {**power.answers, **{folded(one): rule for one, rule in (rules or {}).items()}}
    of = f"({slug_of(name)})" if power.entity else ""
    text = f"use {power.item.slug}{of} giving {power.gives}"
    question = ask(content, text, [power.gives], expressions_of(known, Uniform()), given)
    plan = Policies(question, known, Uniform(), budget)
    lines = [
        ThingOddsLine(answers, odds(replace(question, nodes=(node,)), plan, seed))
        for answers, node in _starts(plan, question.nodes[0], power.by)
    ]
    return ThingOdds(power, tuple(lines)), plan


def odds_of_record(
    content: Content, record: Mapping[str, Any], rules: Mapping[str, Rule] | None = None
) -> list[ThingOdds]:
    """The tables of odds of a record in the making, by its fields: it may also be in the packs, or have an
    id that it cannot keep.

    Raises as `odds_of_thing` does; NotAsked also if its fields cannot be read.
    """
    given = given_record({**record, "id": IN_THE_MAKING})
    powers = powers_for(content, IN_THE_MAKING, given)
    return [odds_of_thing(content, one, IN_THE_MAKING, given, rules)[0] for one in powers]


def given_record(record: Mapping[str, Any]) -> YamlNode:
    """A `given` with this record among its things, by its id."""
    fields = {field: value for field, value in record.items() if field != "id"}
    (root,) = items_in(f"{GIVEN}: {{things: {{{record['id']}: {written(fields)}}}}}\n", "record")
    return root.entries[GIVEN]


def _starts(
    plan: Policies, node: PlayNode, by: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], PlayNode]]:
    """The node after each combination of answers of `by`; a policy fixes one of them."""
    if not by:
        yield (), node
        return
    name = unmarked(name_of(node))
    rule = plan.rules.get(folded(name))
    if node.chance or node.secret or (name not in by and not isinstance(rule, Fixed)):
        raise StepNotUnderstood(f"`{by[0]}` comes after `{name}`, which says nothing beforehand")
    for label, value in _answers(plan, node, rule):
        rest = [one for one in by if one != name]
        for answers, behind in _starts(plan, node.after(value), rest):
            yield ((label, *answers) if name in by else answers), behind


def _answers(plan: Policies, node: PlayNode, rule: Rule | None) -> Iterator[tuple[str, Any]]:
    """The answers on offer in words, with their values; with a fixed policy, that one."""
    plan.met.add(folded(name_of(node)))
    only = [value for value, _ in plan.choice(node)] if isinstance(rule, Fixed) else None
    game = game_at(node)
    for option in game.prompt.options:
        value = game.value_of((option.key,))
        if only is None or value in only:
            yield unmarked(option.label), value
