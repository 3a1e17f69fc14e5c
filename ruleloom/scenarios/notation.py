"""The vocabulary of scenario steps, from a ruleset's `notation` item.

A step is a mapping. Its first key known to the notation is its *form* (`option`, `power`, ...), and
that key's value says which: together they name the powers inside which the step is played. Every
other key is a *fact*: the name of a choice and what is chosen there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ruleloom.compiler.cases.case_model import REMARKS, THEN
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Ask, Choose, Draw, Peek, Pick, Program, Roll, Secret
from ruleloom.runtime.program.texts import slug
from ruleloom.scenarios.call_stack import slug_of

# The key of a step that names the ways to go on, where nothing else tells two plays apart.
WAY = "way"
CaseData = Mapping[str, Any]  # a mapping as a case writes it
NAMED = Ask | Choose | Draw | Peek | Pick | Roll | Secret


class StepNotUnderstood(Exception):
    """A step, a position or a claim that the notation has no words for."""

    @classmethod
    def of_name(cls, said: str, name: str, known: Iterable[str]) -> StepNotUnderstood:
        """The complaint about an unknown name, with the one that was meant if one is close."""
        help = did_you_mean(name, known)
        return cls(f"{said}: {help}" if help else said)


def as_list(said: Any) -> list[Any]:
    """A value as a list: the list itself, or one of a single value."""
    return said if isinstance(said, list) else [said]


@dataclass(frozen=True, slots=True)
class StepForm:
    """One kind of step."""

    key: str
    word: str
    powers: Sequence[str] = ()  # slugs of the routines it is played in
    # The choice that a key of the step answers, or the choices, where the key takes a list.
    keys: Mapping[str, str | list[str]] = field(default_factory=dict)
    # By choice and word, the mode that the word stands for.
    words: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    # By key, the zones in which the thing chosen must lie.
    claims: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    absent: Mapping[str, Any] = field(default_factory=dict)  # answers where the step is silent
    closing: bool = False  # it ends the turn, and takes up nothing on the way
    together: str = ""  # the secret choice that it answers for several players at once

    def key_of(self, name: str) -> str:
        """The key of the step that answers the choice of this name."""
        return next((key for key, choices in self.keys.items() if name in as_list(choices)), name)


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """A parsed step: its form, facts and zone claims by name of choice, and the `ways` it names."""

    form: StepForm
    facts: Mapping[str, Any]
    zones: Mapping[str, str]
    inside: bool  # one of the powers under `within`
    ways: tuple[str, ...] = ()


class Notation:
    """The notation of one game."""

    def __init__(self, program: Program) -> None:
        data = program.notation or {"steps": {}, "given": {}, "then": {}}
        self.routines = frozenset(slug_of(routine.id) for routine in program.routines)
        rows = (row for routine in program.routines for row in routine.rows)
        self.choices = {row.name: row.name for row in rows if isinstance(row, NAMED)}
        self.forms = {
            (key, str(word)): StepForm(key, str(word), **entry)
            for key, words in data["steps"].items()
            for word, entry in words.items()
        }
        closing = (form for form in self.forms.values() if form.closing)
        # Where a step that does not end the turn may not walk into.
        self.closing_powers = frozenset(power for form in closing for power in form.powers)
        self.keys = tuple(data["steps"])
        within = data.get("within", {})
        self.inside_key: str = next(iter(within), "")
        self.inside_powers: tuple[str, ...] = tuple(within.get(self.inside_key, ()))
        self.same_as: Mapping[str, str] = data.get("same_as", {})
        self.settings: Mapping[str, Any] = data.get("settings", {})
        self.given: Mapping[str, Mapping[str, Any]] = data["given"]
        self.then: Mapping[str, Mapping[str, Any]] = data["then"]
        self.counts: Mapping[str, Mapping[str, Any]] = data.get("counts", {})
        self.stops: Mapping[str, Mapping[str, Any]] = data.get("stops", {})
        self.tokens: Mapping[str, str] = data.get("tokens", {})
        self.tables: Mapping[str, Any] = data.get("tables", {})
        self.spans: Mapping[str, Mapping[str, int]] = data.get("spans", {})

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
        form = self.forms.get((key, "*")) or self.forms.get((key, str(word)))
        own = str(word).replace("-", "_")
        if form is None and own in self.routines:  # a power without a word in the notation
            form = StepForm(key, str(word), (own,), self.choices)
        if form is None:
            known = ", ".join(w for k, w in self.forms if k == key)
            raise StepNotUnderstood(f"`{key}: {word}` is no step; known are {known}")
        return form, word


def _facts(form: StepForm, name: str, value: Any) -> dict[str, Any]:
    """The answers that one key of a step gives, by name of choice."""
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
