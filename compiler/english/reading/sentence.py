"""One sentence: its noun phrases and verbs, and the facts that they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ruleloom.compiler.english.reading.facts import DOES, MAY, MUST, NOT, Around, Fact, Mentions
from ruleloom.compiler.english.reading.lexicon import (
    BE,
    FUNCTION_WORDS,
    GET,
    LESS,
    LOSE,
    MORE,
    NUMBERS,
    PERSONS,
)
from ruleloom.compiler.english.reading.phrases import Amount, NounPhrase, PhraseReader, Token, Words


class Verb(NamedTuple):
    """A verb at a word of the sentence."""

    at: int
    does: str
    modal: str = DOES
    passive: bool = False


class ReadSentence(Words):
    """One sentence, with its phrases and verbs."""

    def __init__(self, words: Sequence[Token], known: Mentions, context: Around) -> None:
        super().__init__(words, known.lexicon)
        self.context, self.said = context, " ".join(self._lower)
        self.phrases: list[NounPhrase] = []
        for phrase in PhraseReader(words, known.lexicon).phrases():
            whole = known.resolved(phrase)
            if phrase.end < len(words) and words[phrase.end].text == "(":
                known.name(whole, words[phrase.end].lemma)
            self.phrases.append(whole)
        self._last = {one.start: one for one in self.phrases}
        self.verbs = list(self._verbs())

    # -------------------------------------------------------------------------- words and phrases

    def quoted(self, start: int, end: int) -> str:
        """The words of a stretch, as they stand."""
        some = self.words[start:end]
        return "".join(
            (" " if at and one.start > some[at - 1].end else "") + one.text
            for at, one in enumerate(some)
        )

    def stretch(self, at: int) -> tuple[int, int]:
        """The stretch between commas, `and`, `but` around a word."""
        start = end = at
        while start > 0 and self.text(start - 1) not in _STOPS:
            start -= 1
        while end < len(self.words) and self.text(end) not in _STOPS:
            end += 1
        return start, end

    def content(self, start: int, end: int) -> frozenset[str]:
        """The content words of a stretch."""
        return frozenset(
            one.lemma
            for one in self.words[max(0, start) : max(0, end)]
            if one.text[:1].isalpha()
            and one.lemma not in FUNCTION_WORDS
            and one.lemma not in NUMBERS
        )

    @cached_property
    def conditions(self) -> frozenset[int]:
        """The places of words in conditions and relative clauses."""
        found, inside = set(), self.context.within
        for at in range(len(self.words)):
            text = self.text(at)
            if text in _IF or (text in ("with", "without") and self.text(at + 1) in _BOUND_WORDS):
                inside = True
            elif text in (",", "(", "then"):
                inside = False
            if inside:
                found.add(at)
        return frozenset(found)

    # -------------------------------------------------------------------------------------- verbs

    def _verbs(self) -> Iterator[Verb]:
        taken = {at for one in self.phrases for at in range(one.start, one.end)}
        for at in range(len(self.words)):
            form = self.text(at)
            plain = self.lexicon.forms.get(form)
            if at in taken or plain not in self.lexicon.verbs or plain is None:
                continue
            if (form in MORE or form in LESS) and self.text(at + 1) not in (
                "the",
                "your",
                "its",
                "their",
            ):
                continue
            helping = self.text(at + 1) in ("to", "not") and plain in ("have", "be")
            if helping or (plain in ("have", "be") and self._is_auxiliary(at)):
                continue
            passive = self.lexicon.forms.get(self.text(at - 1)) == "be" and form != plain
            yield Verb(at, self.lexicon.verbs[plain], self._modal(at), passive)

    def _is_auxiliary(self, at: int) -> bool:
        """Whether a form of `be` or `have` stands before another verb."""
        behind = self.text(at + 1)
        return behind in self.lexicon.forms and behind != self.lexicon.forms[behind]

    def _modal(self, at: int) -> str:
        """Whether a verb may, must or cannot be done; empty for an infinitive."""
        if self.text(at - 1) == "to":
            return MUST if self.text(at - 2) in ("has", "have", "needs", "need") else ""
        for before in range(at - 1, max(-1, at - 5), -1):
            word = self.text(before)
            if word in _MODALS:
                return _MODALS[word]
            plain = self.lexicon.forms.get(word, "be")
            if plain not in ("be", "have") or word in (",", "and", "then", "or", "but", ":"):
                break
        wish = re.search(r"\bif (?:you|they) (?:like|wish|want|choose)\b", self.said)
        return MAY if wish or self.text(at - 1) == "optionally" else self.context.modal

    def subject(self, verb: Verb) -> NounPhrase | None:
        """The phrase before a verb, without a preposition."""
        at = verb.at
        while at > 0 and self.text(at - 1) in _BETWEEN:
            at -= 1
        found = next((one for one in self.phrases if one.end == at), None)
        if found is None:
            # `each of the people whom the spell is for takes`
            before = [
                one for one in self.phrases if one.end < at and self.text(one.end) in _RELATIVE
            ]
            found = before[-1] if before and "," not in self.text(before[-1].end, at) else None
        bare = found is not None and self.text(found.start - 1) not in _PREPOSITIONS
        return found if bare else None

    def objects(self, verb: Verb) -> list[NounPhrase]:
        """The phrases behind a verb, up to the next one."""
        last = next(
            (one.at for one in self.verbs if one.at > verb.at and one.modal), len(self.words)
        )
        return [one for one in self.phrases if verb.at < one.start < last]

    def _is_imperative(self, verb: Verb) -> bool:
        plain = self.lexicon.forms.get(self.text(verb.at)) == self.text(verb.at)
        return len(self.words) > 1 and (
            (verb.at == 0 and verb.does not in (BE, "hold"))
            or (plain and self.text(verb.at - 1) in _BEFORE_IMPERATIVE)
        )

    def does(self, verb: Verb) -> str:
        """What a verb does, by what it does it to: to put on the discard pile is to discard."""
        goals = [goal for one in self.objects(verb) for goal in self._goals(one)]
        if verb.does in _MOVING and any(to in _TO and goal == "discard pile" for to, goal in goals):
            return "discard"
        if verb.does == "give":
            return LOSE if self.text(verb.at + 1) in ("up", "of") else verb.does
        if self.text(verb.at).startswith("thr") and ("", "die") in goals:
            return "roll"
        return self._takes(verb, goals) if verb.does == "take" and goals else verb.does

    def _goals(self, phrase: NounPhrase) -> list[tuple[str, str]]:
        """A phrase and the places in it, each with the preposition before it."""
        before = self.text(phrase.start - 1)
        return [(before if before in _PREPOSITIONS else "", phrase.name), *phrase.places]

    def _takes(self, verb: Verb, goals: Sequence[tuple[str, str]]) -> str:
        """To take from the draw pile is to draw; points taken from somebody are lost."""
        if any(goal == "draw pile" for _, goal in goals):
            return "draw"
        objects = self.objects(verb)
        source = any(one.person and self.text(one.start - 1) == "from" for one in objects)
        return LOSE if source and objects[0].head.isupper() else verb.does

    def doer(self, verb: Verb) -> str:
        """Who does it, or gets or loses something; empty if that is not known."""
        subject, does = self.subject(verb), self.does(verb)
        mine = subject.person if subject is not None else ""
        if verb.passive:
            return mine if does == GET else ""
        if (patients := self._patients(verb)) is not None:
            return next((one.person for one in patients if one.person), "")
        if does in ("draw", "take") and (hand := self._hand_filled()):
            return hand.owner
        if subject is None and self._is_imperative(verb):
            return self.context.doer
        return mine

    def _patients(self, verb: Verb) -> list[NounPhrase] | None:
        """To whom it happens, if the verb tells: `heal somebody`, `take 3 from somebody`."""
        if self.lexicon.forms[self.text(verb.at)] in ("heal", "mend", "restore"):
            return self.objects(verb)
        taken = verb.does == "take" and self.does(verb) == LOSE
        return self.objects(verb)[1:] if taken else None

    def _hand_filled(self) -> NounPhrase | None:
        """The hand that a card goes to: `take the next card and put it into the hand of ...`"""
        if not re.search(r"put (?:it|them) into", self.said):
            return None
        hand = next((one for one in self.phrases if one.head == "hand"), None)
        return hand if hand is not None and self.text(hand.start - 1) == "into" else None

    # -------------------------------------------------------------------------------------- facts

    def facts(self) -> Iterator[Fact]:
        """What is said by its verbs and noun phrases."""
        for verb in self.verbs:
            if verb.modal:
                yield from self._of_verb(verb)
        for phrase in self.phrases:
            yield from self._of_phrase(phrase)

    def _of_verb(self, verb: Verb) -> Iterator[Fact]:
        does, objects, subject = self.does(verb), self.objects(verb), self.subject(verb)
        about = self._complement(verb.at) if does == BE else self._things(verb)
        if does == BE and not about:
            return
        within = verb.at in self.conditions
        start = subject.start if subject is not None else verb.at
        words = self.quoted(start, objects[0].end if objects else verb.at + 1)
        if not within and not self._is_choice(verb, objects):
            yield Fact("may", verb.modal, about, words, does)
        person = self.doer(verb)
        if person and verb.modal != NOT:
            yield Fact("who", person, about, words, does, within)

    def _things(self, verb: Verb) -> frozenset[str]:
        """What a verb is about: its objects, or what it is done to."""
        objects, subject = self.objects(verb), self.subject(verb)
        bare = [one for one in objects if self.text(one.start - 1) not in _PREPOSITIONS]
        done_to = {subject.head} if verb.passive and subject is not None else set[str]()
        return frozenset((*done_to, *(one.head for one in bare or objects)))

    def _is_choice(self, verb: Verb, objects: Sequence[NounPhrase]) -> bool:
        """Whether it says how many rather than whether: `discard any number`, `never more than 3`."""
        if verb.modal == NOT:
            return re.search(r"\bmore than\b|\d", self.said) is not None
        bounds = {one.amount.bound for one in objects if one.amount is not None}
        return verb.modal == DOES and not bounds.isdisjoint(("any", "up to"))

    def _complement(self, at: int) -> frozenset[str]:
        """What somebody is said to be: `dazzled`."""
        some = [one for one in self.words[at + 1 : at + 4] if one.text.isalpha()]
        return frozenset(one.text.lower() for one in some if one.lemma not in FUNCTION_WORDS)

    def _verb_of(self, phrase: NounPhrase) -> str:
        """What the verb of a phrase does: the last one before it, else the first one behind it."""
        before = [one for one in self.verbs if one.at < phrase.start and one.modal]
        behind = [one for one in self.verbs if one.at >= phrase.end]
        return self.does(before[-1]) if before else self.does(behind[0]) if behind else ""

    def _of_phrase(self, phrase: NounPhrase) -> Iterator[Fact]:
        verb, about = self._verb_of(phrase), frozenset((phrase.head,))
        words, within = self.quoted(phrase.start, phrase.end), phrase.start in self.conditions
        amount = self._amount(phrase)
        if amount is not None and phrase.person not in PERSONS.values() and verb != BE:
            yield Fact("amount", amount, about, words, verb, within)
        if phrase.owner:
            owned = about | {place.split()[-1] for _, place in phrase.places if place}
            yield Fact("whose", phrase.owner, owned, words, verb, within)
        for preposition, place in phrase.places:
            if place in self.lexicon.zones:
                sort = "to" if preposition in ("into", "onto", "to") else "from"
                yield Fact(f"place {sort}", place, about, words, verb, within)
        for one in phrase.words[:-1]:
            if enum := self.lexicon.options.get(one):
                yield Fact(f"option {enum}", one, about, words, verb, within)

    def _amount(self, phrase: NounPhrase) -> Amount | None:
        """How many of a thing, in all rounds of a loop."""
        amount, often = phrase.amount, self.context.often
        if amount is None or often == 1:
            return amount
        if often is None or amount.bound != "exactly":
            return None
        return Amount("exactly", (amount.number or 1) * often)


_IF = ("if", "when", "whenever", "while", "unless", "who", "whose", "that", "whoever", "until")
_RELATIVE = ("who", "whom", "that", "which")
_BOUND_WORDS = ("at", "more", "less", "fewer", "no", "exactly")
_STOPS = (",", "and", "but", "(", "while", "if", "then", "or")
_MODALS = {
    **dict.fromkeys(("may", "can", "might"), MAY),
    "must": MUST,
    **dict.fromkeys(("cannot", "not", "never"), NOT),
}
_BETWEEN = (
    "may",
    "can",
    "must",
    "also",
    "then",
    "always",
    "has",
    "have",
    "to",
    "is",
    "are",
    "would",
    "will",
)
_PREPOSITIONS = (
    *(
        "of",
        "from",
        "in",
        "on",
        "into",
        "to",
        "by",
        "with",
        "for",
        "at",
        "against",
        "under",
        "than",
    ),
    *("before", "after", "onto", "over", "through"),
)
_MOVING = ("put", "go", "return", "take")
_TO = ("into", "on", "onto", "to", "under")
_BEFORE_IMPERATIVE = ("", ",", "and", "then", "or", "but", "otherwise", "(", "afterwards", "may")
