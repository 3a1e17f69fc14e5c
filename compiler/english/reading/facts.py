"""The facts of a text about rules: who may or must do what, to how many of whose things, when, and on
which condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ruleloom.compiler.english.reading.lexicon import ACTING, PERSONS, THOSE, YOU, Lexicon
from ruleloom.compiler.english.reading.phrases import NounPhrase, Token

MAY, MUST, NOT, DOES = "may", "must", "not", "does"
EARLY, LATE, AT = "before", "after", "when"


class Fact(NamedTuple):
    """One thing that a text says: on which axis, which value, of which verb and things."""

    axis: str
    value: object
    about: frozenset[str]
    words: str
    """The words that say it."""
    verb: str = ""
    """What is done; for a limit its number."""
    within: bool = False
    """Whether it is part of a condition."""


class Around(NamedTuple):
    """What holds of a sentence by the sentences around it."""

    modal: str = DOES
    doer: str = YOU
    within: bool = False
    often: int | None = 1
    """How many times it happens; None is not known."""


PLAIN = Around()


class Mentions:
    """The noun phrases of a text so far, by their words and by the names given to them in brackets."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._phrases: dict[tuple[str, ...], NounPhrase] = {}

    def name(self, phrase: NounPhrase, name: str) -> None:
        """Remember the name that a phrase is given."""
        words = tuple(name.split())
        self._phrases[words] = self._phrases[words[-1:]] = phrase

    def resolved(self, phrase: NounPhrase) -> NounPhrase:
        """A phrase with what is known of the thing that it refers to."""
        every = phrase.amount is not None and phrase.amount.bound == "all"
        before = self._phrases.get(phrase.words)
        if before is None and phrase.definite and phrase.amount is None:
            before = self._phrases.get((phrase.head,))
        if before is None or not (phrase.definite or every) or phrase.owner:
            self._phrases[(phrase.head,)] = phrase
            return replace(phrase, owner=self._owner(phrase.owner))
        return replace(
            phrase,
            head=before.head,
            amount=before.amount if every or phrase.amount is None else phrase.amount,
            owner=before.owner,
            person=before.person if before.person in _SURE else phrase.person,
            places=(*before.places, *phrase.places),
        )

    def _owner(self, owner: str) -> str:
        """Who an owner is; empty if that is not known."""
        before = self._phrases.get((owner,))
        person = before.person if before is not None else ""
        return person or (owner if owner in (*_SURE, *self.lexicon.people) else "")


_SURE = (*PERSONS.values(), ACTING, THOSE)


def without_brackets(words: Sequence[Token]) -> list[Token]:
    """The words outside of brackets; a name in brackets, `(the victim)`, is kept as a sign."""
    found: list[Token] = []
    depth, inner = 0, list[Token]()
    for word in words:
        if word.text in "([":
            depth, inner = depth + 1, []
        elif word.text in ")]":
            depth = max(0, depth - 1)
            if inner and inner[0].lemma == "the" and found and word.text == ")":
                name = " ".join(one.lemma for one in inner[1:])
                found.append(Token("(", name, inner[0].start, inner[-1].end))
        elif depth:
            inner.append(word)
        else:
            found.append(word)
    return found
