"""Parsing of a case's steps and tokens into playable form, by the notation of its game.

Cases are checked before they are played. A name that is missing all the same, because another pack
has removed it, raises StepNotUnderstood.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ruleloom.compiler.cases.case_file import REMARKS, THEN
from ruleloom.compiler.cases.case_words import (
    FIRST,
    WAY,
    NotationWords,
    StepForm,
    as_list,
    slug_of,
    token_parts,
)
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import names_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Ask, Choose, Draw, Peek, Pick, Program, Roll, Secret
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type

CaseData = Mapping[str, Any]  # a mapping as a case writes it
NAMED = Ask | Choose | Draw | Peek | Pick | Roll | Secret


class StepNotUnderstood(Exception):
    """A step, position or claim that is meaningless in its context."""


class ScenarioStep(Frozen):
    """A parsed step: its form, its facts and zone claims by name of choice, and the `ways` it names."""

    form: StepForm
    facts: Mapping[str, Any]
    zones: Mapping[str, str]
    inside: bool  # one of the powers under `within`
    ways: tuple[str, ...] = ()


class Notation(NotationWords):
    """The parsed notation of one game; cases that give or claim fields need its `content`."""

    def __init__(self, program: Program, content: Content | None = None) -> None:
        self.content = content
        rows = (row for routine in program.routines for row in routine.rows)
        choices = {row.name: row.name for row in rows if isinstance(row, NAMED)}
        powers = {slug_of(routine.id) for routine in program.routines}
        super().__init__(program.notation, powers, lambda _: choices)
        closing = (form for form in self.forms.values() if form.closing)
        # Powers that a step may not enter unless it ends the turn.
        self.closing_powers = frozenset(power for form in closing for power in form.powers)
        self.inside_key: str = next(iter(self.inside), "")
        self.inside_powers: tuple[str, ...] = tuple(self.inside.get(self.inside_key, ()))

    @cached_property
    def symbols(self) -> Symbols:
        """The names of the game."""
        if self.content is None:
            raise StepNotUnderstood("names are read from packs, and here is only a program")
        return names_of(self.content)

    def step(self, data: CaseData) -> ScenarioStep:
        """The parsed step of this data."""
        key = next((one for one in self.keys if one in data), "")
        word = data.get(key)
        form = self.form(key, str(word))
        if form is None:
            raise StepNotUnderstood(f"`{key}: {word}` is no step")
        if form.together:
            return ScenarioStep(form, {form.together: word}, {}, False)
        facts: dict[str, Any] = {}
        zones: dict[str, str] = {}
        ways: tuple[str, ...] = ()
        for name, value in (word if isinstance(word, Mapping) else data).items():
            if name in form.claims:
                zones[form.claims[name]["of"]] = form.claims[name]["lies_in"][value]
            elif name in form.keys:
                choice = form.keys[name]
                is_one = isinstance(choice, str)
                facts |= zip(as_list(choice), [value] if is_one else value, strict=False)
            elif name == WAY:
                ways = tuple(slug(str(one)) for one in as_list(value))
            elif name == FIRST:
                facts[FIRST] = value
            elif name not in (key, self.inside_key, THEN, *REMARKS):
                raise StepNotUnderstood(f"a step `{form.key}: {form.word}` has no `{name}`")
        return ScenarioStep(form, facts, zones, bool(data.get(self.inside_key, False)), ways)

    def parts_of(self, linked: Linked, entity: str, token: str) -> Mapping[str, str]:
        """The field texts of a token such as `A2E@0/1`, by name."""
        pattern, fields = self.tokens[entity], linked.entities[entity].fields
        types = {one.name: Type.parse(one.type).name for one in fields}
        words = {**linked.layout.enums, "Player": linked.layout.players}
        found = token_parts(pattern, types, words, token)
        if found is None:
            raise StepNotUnderstood(f"`{token}` is not written like {pattern}")
        return found
