"""The notation of a game as the checks of cases read it: forms of steps, keys, tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from ruleloom.compiler.cases.case_values import CaseValues, Fault, fault, number_in
from ruleloom.compiler.cases.known_names import Where
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.notation import Ways
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.yaml.node import to_data
from ruleloom.runtime.dataclass import dataclass

HOLE = re.compile(r"\{([a-z_]+)\}")
Entries = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of step: the choices that its keys answer, and the words that stand for ways."""

    key: str
    word: str
    powers: Sequence[str] = ()
    keys: Mapping[str, str | list[str]] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    claims: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    together: str = ""


class NotationWords:
    """The words of a notation; a game may have none."""

    def __init__(self, build: Build) -> None:
        data: dict[str, Any] = {}
        for item in build.content.by_kind("notation"):
            data |= {key: to_data(node) for key, node in item.fields.items() if key != "kind"}
        self.given: Entries = data.get("given", {})
        self.then: Entries = data.get("then", {})
        self.counted = (*data.get("counts", {}), *data.get("stops", {}))
        self.tables: Mapping[str, Any] = data.get("tables", {})
        self.tokens: Mapping[str, str] = data.get("tokens", {})
        self.same_as: Mapping[str, str] = data.get("same_as", {})
        self.spans: Mapping[str, Mapping[str, int]] = data.get("spans", {})
        self.settings: Mapping[str, Any] = data.get("settings", {})
        self.inside: tuple[str, ...] = tuple(data.get("within", {}))
        self.steps: Mapping[str, Mapping[str, Any]] = data.get("steps", {})
        self.forms = {
            (key, word): _form(key, word, entry)
            for key, words in self.steps.items()
            for word, entry in words.items()
        }
        self.ways = Ways(build)
        # A trigger or a way is a step by its name, too.
        for id in build.checked:
            self.ways.call(_slug_of(id), id)
        self._own: dict[str, Form] = {}

    def form(self, key: str, word: str) -> Form | None:
        """The form of a step by its first key and that key's value: one of the notation, or a power."""
        known = self.forms.get((key, "*")) or self.forms.get((key, word))
        own = word.replace("-", "_")
        if known is not None or own not in self.ways.powers:
            return known
        if own not in self._own:
            asked = {name: name for name in self.ways.asked([own])}
            self._own[own] = Form(key, word, (own,), asked)
        return self._own[own]

    def words_of(self, key: str) -> list[str]:
        """What may stand behind the first key of a step."""
        return [*(word for one, word in self.forms if one == key), *self.ways.powers]


def _slug_of(routine: str) -> str:
    return routine.partition("#")[0].rsplit("/", 1)[-1].rsplit(":", 1)[-1].replace("-", "_")


def _form(key: str, word: str, entry: Mapping[str, Any]) -> Form:
    parts = ("powers", "keys", "words", "claims", "together")
    return Form(key, word, **{part: entry[part] for part in parts if part in entry})


@dataclass(frozen=True, slots=True)
class Tokens:
    """How things without a name of their own are written, such as `A2E@0/1`, in one case."""

    values: CaseValues
    patterns: Mapping[str, str]

    def why_not(self, entity: str, token: str, where: Where, others: Sequence[str] = ()) -> Fault:
        """What is wrong with a token of this entity; a slip may be meant for one of the `others`."""
        key = entity, self.values.names.players, token
        sound = self.values.names.game.tokens
        if key in sound:
            return None
        pattern = self.patterns[entity]
        symbol = self.values.names.game.symbols.entities[entity]
        found = self.parts(entity, token)
        if found is None:
            message = f"`{token}` is not written like {pattern}"
            help = did_you_mean(token, others)
            return fault("type-mismatch", where, message, help)
        for name, text in found.items():
            wrong = self._wrong_part(symbol.fields[name], text, token, where)
            if wrong is not None:
                return wrong
        sound.add(key)
        return None

    def parts(self, entity: str, token: str) -> Mapping[str, str] | None:
        """The texts of a token's fields, by name; None if it is not written as one."""
        symbol = self.values.names.game.symbols.entities[entity]
        found = self._regex(symbol).fullmatch(token)
        return found.groupdict() if found is not None else None

    def _wrong_part(self, field: FieldSymbol, text: str, token: str, where: Where) -> Fault:
        number = number_in(text)
        if field.type.name == "Int" and isinstance(number, int):
            low, high = field.low, field.high
            if (low is not None and number < low) or (high is not None and number > high):
                message = f"`{token}`: {field.name} is {low} to {high}"
                return fault("type-mismatch", where, message)
        if field.type.name in self.values.names.game.symbols.points:
            try:
                x, y = text.split("/")
                int(x), int(y)
            except ValueError:
                return fault("type-mismatch", where, f"`{token}`: `{text}` is no {field.name}")
        return None

    def _regex(self, symbol: EntitySymbol) -> re.Pattern[str]:
        key = symbol.name, self.values.names.players
        known = _REGEXES.get(key)
        if known is None:
            parts = HOLE.split(self.patterns[symbol.name])
            text = "".join(
                f"(?P<{part}>{self._written(symbol.fields[part])})" if at % 2 else re.escape(part)
                for at, part in enumerate(parts)
            )
            known = _REGEXES[key] = re.compile(text)
        return known

    def _written(self, field: FieldSymbol) -> str:
        name = field.type.name
        symbols = self.values.names.game.symbols
        words = self.values.names.players if name == "Player" else symbols.enums.get(name)
        if words is not None:
            return "|".join(map(re.escape, words))
        return "-?[0-9]+" if name == "Int" else ".+?"


_REGEXES: dict[tuple[str, tuple[str, ...]], re.Pattern[str]] = {}
