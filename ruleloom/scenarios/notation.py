"""The words of scenario steps, as a ruleset's `notation` item gives them.

A step is a mapping. Its first key that the notation knows is its *form* (`option`, `power`, ...), the value
there says which; together they name the powers inside which the step is played. Every other key is a
*fact*: the name of a choice and what is chosen there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class NotUnderstood(Exception):
    """A step, a position or a claim that says something the notation has no words for."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of step is played.

    `powers` are the routines (by slug) the step is played in; `names` maps its keys to names of choices, a
    list of names where the key takes a list. `closing` forms end the turn: they skip whatever is optional.
    `together` forms answer one secret choice for several players at once.
    """

    key: str
    word: str
    powers: tuple[str, ...]
    names: Mapping[str, str | list[str]]
    closing: bool
    together: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step understood: its form, and the facts by name of choice. `inside` is the value of the
    notation's key for stop-overs (None where the step does not have it)."""

    form: Form
    facts: Mapping[str, Any]
    inside: bool
    text: str


class Notation:
    """The notation of one game."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.forms = {
            (key, str(word)): Form(
                key,
                str(word),
                tuple(entry.get("powers", ())),
                entry.get("names", {}),
                bool(entry.get("closing", False)),
                entry.get("together", ""),
            )
            for key, words in data["steps"].items()
            for word, entry in words.items()
        }
        self.keys = tuple(data["steps"])
        inside = data.get("inside", {})
        self.inside_key: str = inside.get("key", "")
        self.inside_powers: tuple[str, ...] = tuple(inside.get("powers", ()))
        self.words: Mapping[str, Mapping[str, Any]] = data.get("words", {})
        self.given: Mapping[str, Mapping[str, Any]] = data["given"]
        self.then: Mapping[str, Mapping[str, Any]] = data["then"]
        self.tokens: Mapping[str, Any] = data.get("tokens", {})
        self.boards: Mapping[str, Any] = data.get("boards", {})

    @property
    def closing_powers(self) -> frozenset[str]:
        """The routines that a step which does not end the turn may not walk into."""
        return frozenset(p for form in self.forms.values() if form.closing for p in form.powers)

    def step(self, data: Any) -> Step:
        """Understand a step; NotUnderstood says which word is unknown."""
        if not isinstance(data, Mapping):
            raise NotUnderstood(f"a step is a mapping, not `{data}`")
        key = next((k for k in self.keys if k in data), None)
        if key is None:
            raise NotUnderstood(f"a step has one of the keys {', '.join(self.keys)}")
        word = data[key]
        form = (
            self.forms.get((key, str(word))) if not isinstance(word, Mapping) else self.forms.get((key, "*"))
        )
        if form is None:
            known = ", ".join(w for k, w in self.forms if k == key)
            raise NotUnderstood(f"`{key}: {word}` is no step; known are {known}")
        if form.together:
            return Step(form, {form.together: word}, False, str(dict(data)))
        facts: dict[str, Any] = {}
        for name, value in data.items():
            if name != key and name != self.inside_key:
                self._fact(form, name, value, facts)
        return Step(form, facts, bool(data.get(self.inside_key, False)), str(dict(data)))

    def _fact(self, form: Form, name: str, value: Any, facts: dict[str, Any]) -> None:
        if name not in form.names:
            raise NotUnderstood(f"a step `{form.key}: {form.word}` has no `{name}`")
        choice = form.names[name]
        if isinstance(choice, str):
            facts[choice] = value
            return
        if not isinstance(value, list) or len(value) > len(choice):
            raise NotUnderstood(f"`{name}` takes a list of at most {len(choice)}")
        facts.update(zip(choice, value, strict=False))
