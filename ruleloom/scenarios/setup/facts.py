"""Validation of facts in steps and positions: `A2E@0/1` must be a piece, `grow5` a card.

A valid value that is not on offer is refused by the rules; a meaningless one must not pass for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from ruleloom.compiler.cases.case_words import is_point, token_parts, within
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.program import Ask, Choose, Draw, Pick, Secret
from ruleloom.runtime.program.values import Type
from ruleloom.scenarios.notation import Notation, ScenarioStep, StepNotUnderstood


def check_facts(notation: Notation, step: ScenarioStep, linked: Linked) -> None:
    """StepNotUnderstood if a fact of the step cannot be what its choice asks for."""
    for name, value in step.facts.items():
        types = _asked(linked).get(name, frozenset())
        words = {"none", *notation.same_as, *step.form.words.get(name, {})}
        for one in _each(linked, step, value):
            if one is None or (isinstance(one, str) and one in words):
                continue
            if not any(_could_be(linked, notation, type_, one) for type_ in types):
                wanted = " or ".join(sorted({type_.name for type_ in types}))
                raise StepNotUnderstood(f"`{one}` is no {wanted or 'anything that is asked'}")


def _each(linked: Linked, step: ScenarioStep, value: Any) -> Iterable[Any]:
    """The values of a fact: several at one choice, or one of each player."""
    if not step.form.together:
        return chain.from_iterable(map(as_list, as_list(value)))
    if not isinstance(value, Mapping):
        raise StepNotUnderstood(f"`{step.form.key}` says what each player chooses, not `{value}`")
    unknown = [player for player in value if player not in linked.layout.players]
    if unknown:
        raise StepNotUnderstood(f"{unknown[0]} is no player of this case")
    return value.values()


@lru_cache(maxsize=16)
def _asked(linked: Linked) -> Mapping[str, frozenset[Type]]:
    """The types of choices and draws, by name."""
    types: defaultdict[str, frozenset[Type]] = defaultdict(frozenset)
    for row in (row for routine in linked.program.routines for row in routine.rows):
        if isinstance(row, Ask | Choose | Secret | Draw | Pick):
            types[row.name] |= {Type.parse(row.type).present}
    return types


def _could_be(linked: Linked, notation: Notation, type_: Type, value: Any) -> bool:
    if type_.name in ("Int", "Bool"):
        return type(value) is {"Int": int, "Bool": bool}[type_.name]
    if not isinstance(value, str):
        return False
    if type_.name in linked.layout.points:
        return is_point(value)
    if type_.name == "Player":
        return value in linked.layout.players
    if type_.name in linked.layout.names:
        return linked.layout.number_of(type_.name, value) is not None
    if type_.name in notation.tokens:
        parse_token(linked, notation, type_.name, value)
    return True


def parse_token(linked: Linked, notation: Notation, entity: str, token: str) -> dict[str, Any]:
    """The fields of a token such as `A2E@0/1`, by name; StepNotUnderstood for another form."""
    fields = {f.name: f for f in linked.entities[entity].fields}
    values = {}
    for name, text in token_texts(linked, notation, entity, token).items():
        field = fields[name]
        try:
            values[name] = constant(linked, Type.parse(field.type), text)
        except ValueError as error:
            raise StepNotUnderstood(f"`{token}`: {error}") from error
        if not within(field, values[name]):
            raise StepNotUnderstood(f"`{token}`: {name} is {field.low} to {field.high}")
    return values


def token_texts(linked: Linked, notation: Notation, entity: str, token: str) -> Mapping[str, str]:
    """The texts of a token's fields, by name; StepNotUnderstood if it has another form."""
    pattern, fields = notation.tokens[entity], linked.entities[entity].fields
    types = tuple((one.name, Type.parse(one.type).name) for one in fields)
    words = {**linked.layout.enums, "Player": linked.layout.players}
    found = token_parts(pattern, types, words, token)
    if found is None:
        raise StepNotUnderstood(f"`{token}` is not written like {pattern}")
    return found
