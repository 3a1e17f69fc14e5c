"""Sentences as words, and the noun phrases in them: how many of what, whose, and where."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ruleloom.compiler.english.reading.lexicon import (
    ACTING,
    EVERYBODY,
    FUNCTION_WORDS,
    NUMBERS,
    OF_OTHERS,
    OTHERS,
    PERSONS,
    THOSE,
    YOU,
    Lexicon,
)
from ruleloom.runtime.dataclass import Frozen

_WORD = re.compile(r"\d+d\d+|\d+/\d+|[^\W_]+(?:'s\b|s'(?=\s))?|[^\s\w]")


class Token(NamedTuple):
    """A word as it stands in the text, and its plain form."""

    text: str
    lemma: str
    start: int
    end: int

    @property
    def owns(self) -> bool:
        """Whether it is a possessive: `victim's`."""
        return self.text.endswith(("'s", "s'"))


def words_of(text: str, lexicon: Lexicon) -> list[Token]:
    """The words and signs of a text."""
    found = []
    for match in _WORD.finditer(text.replace("’", "'")):
        bare = re.sub(r"'s?$", "", match[0])
        found.append(Token(match[0], lexicon.lemma(bare), *match.span()))
    return found


class Amount(NamedTuple):
    """How many: `exactly`, `up to` or `at least` a number, `all`, or `any` number; None is not known."""

    bound: str
    number: int | None = None

    def __str__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        words = {"any": "any number", "all": "all", "no": "none"}
        return words.get(self.bound) or (f"{self.bound}{number}")


class NounPhrase(Frozen):
    """A noun phrase: `two of your pieces on the board`."""

    head: str
    start: int
    end: int
    """Its words in the sentence, from and up to."""
    amount: Amount | None = None
    owner: str = ""
    """Who owns it: one of the persons, or empty."""
    person: str = ""
    """Who it is, if it is a person; a noun of its own if that is not known."""
    words: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    """The places that it is in or comes from, each with its preposition."""
    definite: bool = False

    @property
    def name(self) -> str:
        """Its noun with its adjectives: `draw pile`."""
        return " ".join(self.words)


_POSSESSIVE = ("your", "my")
_ALL = ("all", "every", "each", "both")
_DETERMINERS = (
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "its",
    "their",
    "his",
    "her",
    "own",
)


class Words:
    """The words of a sentence, in lower case."""

    def __init__(self, words: Sequence[Token], lexicon: Lexicon) -> None:
        self.words, self.lexicon = words, lexicon
        self._lower = [one.text.lower() for one in words]

    def text(self, at: int, many: int = 1) -> str:
        """Words from one on; empty outside of the sentence."""
        if many == 1:
            return self._lower[at] if 0 <= at < len(self._lower) else ""
        return " ".join(self._lower[at : at + many]) if at >= 0 else ""

    def begins(self, at: int, phrases: Iterable[str]) -> str:
        """The first of some phrases that stands at a word; empty if none does."""
        first = self.text(at)
        some = (one for one in phrases if one.startswith(first)) if first else ()
        return next((one for one in some if self.text(at, one.count(" ") + 1) == one), "")

    def number(self, at: int) -> int | None:
        """The number at a word, if any."""
        word = self.text(at)
        return int(word) if word.isdigit() else NUMBERS.get(word)


class PhraseReader(Words):
    """Reads the noun phrases of one sentence."""

    def phrases(self) -> list[NounPhrase]:
        """All noun phrases, in order; what belongs to one is no other."""
        found, at = [], 0
        while at < len(self.words):
            phrase = self.phrase_at(at)
            if phrase is not None:
                found.append(phrase)
                at = max(phrase.end, at + 1)
            else:
                at += 1
        return found

    def _amount_at(self, at: int) -> tuple[Amount | None, int]:
        """The amount that begins here, and where its words end."""
        if words := self.begins(at, _FIXED_AMOUNTS):
            return _FIXED_AMOUNTS[words], at + len(words.split())
        if words := self.begins(at, _BOUNDS):
            end = at + len(words.split())
            if (number := self.number(end)) is not None:
                return Amount(_BOUNDS[words], number), end + 1
        if (number := self.number(at)) is not None:
            behind = self.text(at + 1, 2)
            bound = {"or more": "at least", "or fewer": "up to", "or less": "up to"}.get(
                behind, "exactly"
            )
            return Amount(bound, number), at + (3 if bound != "exactly" else 1)
        return None, at

    def phrase_at(self, at: int) -> NounPhrase | None:
        """The noun phrase that begins at a word, if any."""
        lead = self._determiners(at)
        if self.text(lead.at) in _PRONOUNS:
            return None if lead.marked else self._pronoun(at, lead.at)
        run = self._run(lead.at, lead.marked)
        heads = [index for index in run if self.words[index].lemma in self.lexicon.nouns]
        if not heads and not (lead.marked and run):
            return None
        top = heads[-1] if heads else run[0]
        lemmas = tuple(self.words[index].lemma for index in run if index <= top)
        adjectives = {*lemmas[:-1], lead.other}
        owner = lead.owner or _implied_owner(lemmas[-1], adjectives)
        person = self._described(lemmas[-1], adjectives, lead.amount, top + 1)
        phrase = NounPhrase(
            lemmas[-1], at, top + 1, lead.amount, owner, person, lemmas, (), lead.definite
        )
        return self._with_tail(phrase)

    def _determiners(self, at: int) -> _Determiners:
        """The determiners and amounts from a word on."""
        amount, end = self._amount_at(at)
        of = amount is not None and self.text(end) == "of"
        found = _Determiners(end + of, amount, marked=amount is not None)
        while (longer := self._determined(found)) is not None:
            found = longer
        return found

    def _determined(self, so_far: _Determiners) -> _Determiners | None:
        """The determiners with one more; None if there is none."""
        at, text = so_far.at, self.text(so_far.at)
        if not text:
            return None
        word, ahead = self.words[at], so_far._replace(at=at + 1, marked=True)
        if word.owns and word.lemma not in FUNCTION_WORDS:
            owner = self._person(word.lemma, so_far.other) or word.lemma
            return ahead._replace(owner=owner, other="")
        if text in _POSSESSIVE:
            return ahead._replace(owner=YOU)
        if text in ("another", "other"):
            return ahead._replace(other=text)
        if text in _DETERMINERS:
            amount = so_far.amount or (Amount("exactly", 1) if text in ("a", "an") else None)
            return ahead._replace(definite=text in _DEFINITE, amount=amount)
        amount, end = (None, at) if so_far.amount else self._amount_at(at)
        return so_far._replace(amount=amount, at=end) if amount is not None else None

    def _described(
        self, head: str, adjectives: Collection[str], amount: Amount | None, behind: int
    ) -> str:
        """Who a noun phrase is: all of some persons are everybody, or those of whom something is so."""
        adjective = next((one for one in adjectives if one in (*OF_OTHERS, "acting")), "")
        person = self._person(head, adjective)
        if amount is None or amount.bound != "all" or person in ("", OTHERS):
            return person
        return THOSE if self.text(behind) in ("who", "whom", "whose", "that") else EVERYBODY

    def _pronoun(self, start: int, at: int) -> NounPhrase:
        lemma = self.words[at].lemma
        some = self.text(at + 1) in ("who", "whom", "that", "else", "hit", "in", "within", "but")
        person = "" if some else PERSONS.get(lemma, "")
        return NounPhrase(lemma, start, at + 1, person=person, words=(lemma,))

    def _person(self, head: str, adjective: str) -> str:
        """Who a noun is, with its adjective: `another player` is somebody else; empty for a thing."""
        if adjective == "acting":
            return YOU if head in ("player", "character") else ACTING
        if head.lower() in PERSONS:
            return PERSONS[head.lower()]
        people = head in self.lexicon.people
        return OTHERS if people and adjective in OF_OTHERS else head * people

    def _run(self, at: int, marked: bool) -> list[int]:
        """The content words from here on; a verb is among them only behind a determiner and before a
        noun: `the draw pile`."""
        run: list[int] = []
        while at < len(self.words) and len(run) < 4 and self._is_content(at):
            word, ahead = self.words[at], self.words[at + 1 : at + 2]
            known = word.lemma in self.lexicon.nouns
            does = word.text.lower() in self.lexicon.forms
            before_noun = bool(ahead) and ahead[0].lemma in self.lexicon.nouns
            thing = known and self._is_thing(at, marked, bool(run))
            if does and not (thing or (marked and not run and before_noun)):
                break
            run.append(at)
            at += 1
            if word.owns:
                break
        return run

    def _is_content(self, at: int) -> bool:
        word = self.words[at]
        return word.text[:1].isalnum() and word.lemma not in FUNCTION_WORDS

    def _is_thing(self, at: int, marked: bool, more: bool) -> bool:
        """Whether a word that may be a verb, such as `turn`, is a noun here."""
        if more:
            return self.words[at - 1].lemma not in self.lexicon.nouns
        before = self.words[at - 1] if at > 0 else None
        doer = before is not None and (before.lemma in self.lexicon.nouns or before.lemma in _DOERS)
        return marked or not (doer or self._begins_phrase(at + 1))

    def _begins_phrase(self, at: int) -> bool:
        """Whether a determiner, an amount or a person stands here."""
        text = self.text(at)
        determined = (
            text in _DETERMINERS or text in _POSSESSIVE or text in ("another", "it", "them")
        )
        return determined or self._amount_at(at)[0] is not None

    def _with_tail(self, phrase: NounPhrase) -> NounPhrase:
        """A phrase with what stands behind it: `of yours`, `from your hand`, `who is not you`."""
        longer = self._owned(phrase) or self._set_apart(phrase) or self._placed(phrase)
        return phrase if longer is None else self._with_tail(longer)

    def _owned(self, phrase: NounPhrase) -> NounPhrase | None:
        """A phrase with `of yours`, `you own` or the like."""
        if words := self.begins(phrase.end, _OWNED):
            return replace(phrase, owner=_OWNED[words], end=phrase.end + len(words.split()))
        return None

    def _set_apart(self, phrase: NounPhrase) -> NounPhrase | None:
        """A person `to your left`, `who is not you`, or `who is you`."""
        if not phrase.person:
            return None
        for words, person in _IDENTIFIED:
            end = phrase.end + len(words.split())
            if self.begins(phrase.end, (words,)) and (person == OTHERS or self.text(end) != "or"):
                return replace(phrase, person=person, end=end)
        return None

    def _placed(self, phrase: NounPhrase) -> NounPhrase | None:
        """A phrase with `of somebody`, or with a place."""
        at = phrase.end + 2 * bool(self.begins(phrase.end, ("at random",)))
        preposition = self.text(at)
        inner = self.phrase_at(at + 1) if preposition in _PLACING else None
        if inner is None:
            return None
        if preposition == "of" and inner.person:
            return replace(phrase, owner=phrase.owner or inner.person, end=inner.end)
        if preposition != "of" and (phrase.person or inner.person):
            return None
        places = (*phrase.places, (preposition, inner.name), *inner.places)
        owner = phrase.owner or (inner.owner if preposition in ("of", "from", "in") else "")
        return replace(phrase, owner=owner, places=places, end=inner.end)


def _implied_owner(head: str, adjectives: Collection[str]) -> str:
    """Whose a thing is by an adjective: `an enemy piece`."""
    if head in PERSONS or not any(one in OF_OTHERS for one in adjectives):
        return ""
    plain = "another" in adjectives or "other" in adjectives
    return "" if plain and head != "player" else OTHERS


class _Determiners(NamedTuple):
    """What stands before the words of a noun phrase, and where these begin."""

    at: int
    amount: Amount | None = None
    owner: str = ""
    other: str = ""
    definite: bool = False
    marked: bool = False


_PRONOUNS = ("you", "everybody", "everyone", "somebody", "someone")
_DEFINITE = ("the", "this", "that", "these", "those")
_PLACING = ("of", "from", "in", "on", "into", "under")
_DOERS = ("may", "can", "must", "to", "you", "cannot", "not", "who")
_FIXED_AMOUNTS = {
    "any number of": Amount("any"),
    "as many as you like of": Amount("any"),
    "any of": Amount("any"),
    "some of": Amount("any"),
    "all of": Amount("all"),
    "each of": Amount("all"),
    "every one of": Amount("all"),
    "all": Amount("all"),
    "every": Amount("all"),
    "each": Amount("all"),
    "both": Amount("all"),
    "no": Amount("no"),
    "none of": Amount("no"),
    "a single": Amount("exactly", 1),
    "as many": Amount("any"),
}
_BOUNDS = {
    "up to": "up to",
    "at most": "up to",
    "no more than": "up to",
    "not more than": "up to",
    "at least": "at least",
    "no fewer than": "at least",
    "exactly": "exactly",
    "only": "exactly",
    "the top": "exactly",
    "the first": "exactly",
    "the next": "exactly",
}
_BESIDE = ("to your", "to the", "to their", "on your", "on the", "on their")
_IDENTIFIED = (
    ("who is not you", OTHERS),
    ("who are not you", OTHERS),
    ("other than you", OTHERS),
    *((f"{before} {side}", OTHERS) for before in _BESIDE for side in ("left", "right")),
    ("who is you", YOU),
)
_OWNED = {
    **dict.fromkeys(
        ("of yours", "of your own", "you own", "you have", "you control", "you hold"), YOU
    ),
    **dict.fromkeys(("of theirs", "of an opponent", "of an enemy", "of another player"), OTHERS),
}
