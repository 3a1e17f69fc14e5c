"""The notation of a game: forms of steps, keys of a table and of claims, tokens.

A step is a mapping. Its first key known to the notation is its *form* (`option`, `power`, ...), and
that key's value says which: together they name the powers inside which the step is played. Every
other key is a *fact*: the name of a choice and what is chosen there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

from ruleloom.compiler.cases.case_words import folded
from ruleloom.runtime.dataclass import dataclass

# The key of a step that names the ways to go on, where nothing else tells two plays apart.
WAY = "way"
# What `given` may say in a step of any game.
GIVEN_TO_PLAY = ("players", "fresh", "switches", "settings", "dice")
Entries = Mapping[str, Mapping[str, Any]]


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


class NotationWords:
    """The words of a notation; a game may have none.

    `powers` can be steps without a word in the notation, with the keys that `keys_of` has for them.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        powers: Collection[str],
        keys_of: Callable[[str], Mapping[str, str]],
    ) -> None:
        self.powers, self._keys_of = powers, keys_of
        self.given: Entries = data.get("given", {})
        self.then: Entries = data.get("then", {})
        self.counts: Entries = data.get("counts", {})
        self.stops: Entries = data.get("stops", {})
        self.tables: Mapping[str, Any] = data.get("tables", {})
        self.tokens: Mapping[str, str] = data.get("tokens", {})
        self.same_as: Mapping[str, str] = data.get("same_as", {})
        self.spans: Mapping[str, Mapping[str, int]] = data.get("spans", {})
        self.settings: Mapping[str, Any] = data.get("settings", {})
        self.inside: Mapping[str, Sequence[str]] = data.get("within", {})
        steps: Mapping[str, Mapping[str, Any]] = data.get("steps", {})
        self.keys = tuple(steps)
        self.forms = {
            (key, str(word)): StepForm(key, str(word), **entry)
            for key, words in steps.items()
            for word, entry in words.items()
        }
        self._own: dict[tuple[str, str], StepForm] = {}

    def form(self, key: str, word: str) -> StepForm | None:
        """The form of a step by its first key and that key's value: one of the notation, or a power."""
        known = self.forms.get((key, "*")) or self.forms.get((key, word))
        own = folded(word)
        if known is not None or own not in self.powers:
            return known
        if (key, own) not in self._own:
            self._own[key, own] = StepForm(key, word, (own,), self._keys_of(own))
        return self._own[key, own]

    def words_of(self, key: str) -> list[str]:
        """What the notation has behind the first key of a step."""
        return [word for one, word in self.forms if one == key]
