"""The steps of a case as they are played, by the notation of its game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from ruleloom.compiler.cases.case_file import REMARKS, THEN
from ruleloom.compiler.cases.case_words import (
    FIRST,
    WAY,
    NotationWords,
    StepForm,
    as_list,
    is_point,
    slug_of,
    token_parts,
    within,
)
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.program import Ask, Choose, Draw, Peek, Pick, Program, Roll, Secret
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type

CaseData = Mapping[str, Any]  # a mapping as a case writes it
NAMED = Ask | Choose | Draw | Peek | Pick | Roll | Secret


class StepNotUnderstood(Exception):
    """A step, a position or a claim that the notation has no words for."""

    @classmethod
    def of_name(cls, said: str, name: str, known: Iterable[str]) -> StepNotUnderstood:
        """The complaint about an unknown name, with the one that was meant if one is close."""
        help = did_you_mean(name, known)
        return cls(f"{said}: {help}" if help else said)


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """A parsed step: its form, facts and zone claims by name of choice, and the `ways` it names."""

    form: StepForm
    facts: Mapping[str, Any]
    zones: Mapping[str, str]
    inside: bool  # one of the powers under `within`
    ways: tuple[str, ...] = ()


class Notation(NotationWords):
    """The notation of one game."""

    def __init__(self, program: Program) -> None:
        rows = (row for routine in program.routines for row in routine.rows)
        choices = {row.name: row.name for row in rows if isinstance(row, NAMED)}
        powers = {slug_of(routine.id) for routine in program.routines}
        super().__init__(program.notation or {}, powers, lambda _: choices)
        closing = (form for form in self.forms.values() if form.closing)
        # Where a step that does not end the turn may not walk into.
        self.closing_powers = frozenset(power for form in closing for power in form.powers)
        self.inside_key: str = next(iter(self.inside), "")
        self.inside_powers: tuple[str, ...] = tuple(self.inside.get(self.inside_key, ()))

    def step(self, data: Any) -> ScenarioStep:
        """The step that this data stands for; StepNotUnderstood names the word that is unknown."""
        form, word = self._form_of(data)
        if form.together:
            return ScenarioStep(form, {form.together: word}, {}, False)
        own = {k: data[k] for k in data if k != form.key}
        said = word if isinstance(word, Mapping) else own
        facts: dict[str, Any] = {}
        zones: dict[str, str] = {}
        ways: tuple[str, ...] = ()
        for name, value in said.items():
            if name in form.claims:
                zones |= _zones(form.claims[name], name, value)
            elif name == WAY and name not in form.keys:
                ways = tuple(slug(str(one)) for one in as_list(value))
            elif name not in (self.inside_key, THEN) and (name in form.keys or name not in REMARKS):
                facts |= _facts(form, name, value)
        return ScenarioStep(form, facts, zones, bool(data.get(self.inside_key, False)), ways)

    def _form_of(self, data: Any) -> tuple[StepForm, Any]:
        if not isinstance(data, Mapping):
            raise StepNotUnderstood(f"a step is a mapping, not `{data}`")
        key = next((k for k in self.keys if k in data), None)
        if key is None:
            raise StepNotUnderstood(f"a step has one of the keys {', '.join(self.keys)}")
        word = data[key]
        form = self.form(key, str(word))
        if form is None:
            known = ", ".join(self.words_of(key))
            raise StepNotUnderstood(f"`{key}: {word}` is no step; known are {known}")
        return form, word


def _facts(form: StepForm, name: str, value: Any) -> dict[str, Any]:
    """The answers that one key of a step gives, by name of choice."""
    if name == FIRST and name not in form.keys:
        return {FIRST: value}
    if name not in form.keys:
        raise StepNotUnderstood(f"a step `{form.key}: {form.word}` has no `{name}`")
    choice = form.keys[name]
    if isinstance(choice, str):
        return {choice: value}
    if not isinstance(value, list) or len(value) > len(choice):
        raise StepNotUnderstood(f"`{name}` takes a list of at most {len(choice)}")
    return dict(zip(choice, value, strict=False))


def _zones(claim: Mapping[str, Any], name: str, value: Any) -> dict[str, str]:
    """The zone that one key of a step says its choice lies in, by name of choice."""
    if value not in claim["lies_in"]:
        raise StepNotUnderstood(f"`{name}` is one of {', '.join(claim['lies_in'])}, not `{value}`")
    return {claim["of"]: claim["lies_in"][value]}


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
