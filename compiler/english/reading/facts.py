"""The facts of a text about rules: who may or must do what, to how many of whose things, when, and on
which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from ruleloom.compiler.english.reading.phrases import (
    Amount,
    NounPhrase,
    PhraseReader,
    Word,
    words_of,
)
from ruleloom.compiler.english.reading.words import (
    BE,
    FUNCTION_WORDS,
    GET,
    LARGEST,
    LESS,
    LOSE,
    LOWERS,
    MORE,
    NUMBERS,
    PERSONS,
    POINTS,
    RAISES,
    SMALLEST,
    WAYS,
    YOU,
    Lexicon,
)

MAY, MUST, NOT, DOES = "may", "must", "not", "does"
EARLY, LATE, AT = "before", "after", "when"


class Fact(NamedTuple):
    """One thing that a text says: on which axis, which value, of which verb and things."""

    axis: str
    value: object
    verb: str
    about: frozenset[str]
    start: int
    end: int
    """The words that say it, in the text."""
    within: bool = False
    """Whether it is part of a condition."""


class Context(NamedTuple):
    """What holds of a sentence by the sentences around it."""

    modal: str = DOES
    doer: str = YOU
    within: bool = False
    often: int | None = 1
    """How many times it happens; None is not known."""


PLAIN = Context()


class Reading:
    """Reads sentences, one after the other: a noun phrase may refer to an earlier one."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.facts: list[Fact] = []
        self.known: dict[tuple[str, ...], NounPhrase] = {}
        """The last noun phrase of each head, and of each name given to one in brackets."""

    def read(self, text: str, context: Context = PLAIN) -> None:
        """Add the facts of a text."""
        words = self._without_brackets(words_of(text, self.lexicon))
        at = 0
        for stop, word in enumerate([*words, Word(".", ".", 0, 0)]):
            if word.text in ".;:!?":
                if stop > at:
                    sentence = Sentence(words[at:stop], self, context)
                    self.facts += sentence.facts()
                at = stop + 1

    def _without_brackets(self, words: Sequence[Word]) -> list[Word]:
        """The words outside of brackets; a name in brackets, `(the victim)`, is kept as a sign."""
        found: list[Word] = []
        depth, inner = 0, list[Word]()
        for word in words:
            if word.text == "(":
                depth, inner = depth + 1, []
            elif word.text == ")":
                depth = max(0, depth - 1)
                if inner and inner[0].lemma == "the" and found:
                    name = " ".join(one.lemma for one in inner[1:])
                    found.append(Word("(", name, inner[0].start, inner[-1].end))
            elif depth:
                inner.append(word)
            else:
                found.append(word)
        return found

    def named(self, phrase: NounPhrase, name: str) -> None:
        """Remember the name that a phrase is given."""
        words = tuple(name.split())
        self.known[words] = phrase
        self.known[words[-1:]] = phrase

    def resolved(self, phrase: NounPhrase) -> NounPhrase:
        """A phrase with what is known of the thing that it refers to."""
        all_of = phrase.amount is not None and phrase.amount.bound == "all"
        before = self.known.get(phrase.words)
        if before is None and phrase.definite and phrase.amount is None:
            before = self.known.get((phrase.head,))
        if before is None or not (phrase.definite or all_of) or phrase.owner:
            self.known[(phrase.head,)] = phrase
            return self._owned(phrase)
        person = before.person if before.person in (*PERSONS.values(),) else phrase.person
        return replace(
            phrase,
            head=before.head,
            amount=before.amount if all_of or phrase.amount is None else phrase.amount,
            owner=phrase.owner or before.owner,
            person=person,
            places=phrase.places or before.places,
        )

    def _owned(self, phrase: NounPhrase) -> NounPhrase:
        """A phrase with the person that its owner is."""
        owner = self.known.get((phrase.owner,))
        return replace(phrase, owner=owner.person) if owner is not None and owner.person else phrase


class _Verb(NamedTuple):
    at: int
    does: str
    modal: str
    passive: bool


class Sentence:
    """One sentence, with its phrases and verbs."""

    def __init__(self, words: Sequence[Word], reading: Reading, context: Context) -> None:
        self.reading, self.lexicon, self.context = reading, reading.lexicon, context
        self.names = {at: one.lemma for at, one in enumerate(words) if one.text == "("}
        self.words = words
        self.phrases = self._phrases()
        self.verbs = list(self._verbs())

    def facts(self) -> Iterator[Fact]:
        """All facts of the sentence."""
        for verb in self.verbs:
            yield from self._of_verb(verb)
        for phrase in self.phrases:
            yield from self._of_phrase(phrase)
        yield from self._ways()
        yield from self._times()
        yield from self._comparisons()
        yield from self._changes()

    # -------------------------------------------------------------------------- words and phrases

    def _phrases(self) -> list[NounPhrase]:
        found: list[NounPhrase] = []
        for phrase in PhraseReader(self.words, self.lexicon).phrases():
            whole = self.reading.resolved(phrase)
            name = next((self.names[at] for at in (phrase.end,) if at in self.names), "")
            if name:
                self.reading.named(whole, name)
            found.append(whole)
        return found

    def text(self, at: int) -> str:
        """The word at a place in lower case; empty outside of the sentence."""
        return self.words[at].text.lower() if 0 <= at < len(self.words) else ""

    @cached_property
    def conditions(self) -> frozenset[int]:
        """The places of words in conditions and relative clauses."""
        found, inside = set(), self.context.within
        for at, word in enumerate(self.words):
            text = word.text.lower()
            if text in _IF or (text in ("with", "without") and self.text(at + 1) in _BOUND_WORDS):
                inside = True
            elif text in (",", "(") or (inside and text == "then"):
                inside = False
            if inside:
                found.add(at)
        return frozenset(found)

    def _verbs(self) -> Iterator[_Verb]:
        taken = {at for one in self.phrases for at in range(one.start, one.end)}
        for at, word in enumerate(self.words):
            lower = word.text.lower()
            plain = self.lexicon.forms.get(lower)
            if plain is None or at in taken or plain not in self.lexicon.verbs:
                continue
            does = self.lexicon.verbs[plain]
            helping = self.text(at + 1) in ("to", "not") and plain in ("have", "be")
            if helping or (plain in ("have", "be") and self._is_auxiliary(at)):
                continue
            passive = self.lexicon.forms.get(self.text(at - 1)) == "be" and lower != plain
            yield _Verb(at, does, self._modal(at), passive)

    def _is_auxiliary(self, at: int) -> bool:
        """Whether a form of `be` or `have` stands before another verb."""
        behind = self.text(at + 1)
        return behind in self.lexicon.forms and behind != self.lexicon.forms[behind]

    def _modal(self, at: int) -> str:
        before = [self.text(one) for one in range(max(0, at - 4), at)]
        for many, word in enumerate(reversed(before)):
            if word in _MODALS:
                return _MODALS[word]
            if word == "to" and before[-many - 2 : -many - 1] in (["has"], ["have"], ["needs"], ["need"]):
                return MUST
            if word in (",", "and", "then", "or", "but", ":"):
                break
        wish = re.search(r"\bif (?:you|they) (?:like|wish|want|choose)\b", self._said)
        if wish or self.text(at - 1) == "optionally":
            return MAY
        return self.context.modal

    @cached_property
    def _said(self) -> str:
        return " ".join(one.text.lower() for one in self.words)

    def _span(self, start: int, end: int) -> tuple[int, int]:
        return self.words[start].start, self.words[min(end, len(self.words)) - 1].end

    def _subject(self, verb: _Verb) -> NounPhrase | None:
        at = verb.at - 1
        while at >= 0 and self.text(at) in _BETWEEN:
            at -= 1
        return next((one for one in self.phrases if one.end == at + 1 and self._is_bare(one)), None)

    def _is_bare(self, phrase: NounPhrase) -> bool:
        """Whether no preposition stands before a phrase."""
        return self.text(phrase.start - 1) not in _PREPOSITIONS

    def _objects(self, verb: _Verb) -> list[NounPhrase]:
        """The phrases behind a verb, up to the next one."""
        last = min((one.at for one in self.verbs_behind(verb.at)), default=len(self.words))
        return [one for one in self.phrases if verb.at < one.start < last]

    def verbs_behind(self, at: int) -> list[_Verb]:
        """The verbs behind a word."""
        return [one for one in self.verbs if one.at > at] if hasattr(self, "verbs") else []

    def _verb_of(self, phrase: NounPhrase) -> str:
        """What the verb of a phrase does: the last one before it, else the first one behind it."""
        before = [one for one in self.verbs if one.at < phrase.start]
        if before:
            return self._does(before[-1])
        behind = [one for one in self.verbs if one.at >= phrase.end]
        return self._does(behind[0]) if behind else ""

    # --------------------------------------------------------------------------- verbs and things

    def _does(self, verb: _Verb) -> str:
        """What a verb does, with the place that things go to: to put on the discard pile is to discard."""
        objects = self._objects(verb)
        to = {(self.text(one.start - 1), one.head) for one in objects}
        said = self._said
        if verb.does in ("put", "go", "return", "take", "throw") and "discard pile" in said:
            if any(where in ("on", "onto", "to", "into") and head == "pile" for where, head in to):
                return "discard"
        if verb.does == "throw" or (verb.does == "take" and "of the draw pile" in said):
            return "discard" if verb.does == "throw" else "draw"
        if verb.does == "take" and any(one.person and where == "from" for (where, _), one in zip(
            [(self.text(one.start - 1), one.head) for one in objects], objects, strict=True
        )):
            return LOSE if _is_number(objects[0]) else "take"
        return verb.does

    def _of_verb(self, verb: _Verb) -> Iterator[Fact]:
        does, objects, subject = self._does(verb), self._objects(verb), self._subject(verb)
        about = frozenset(one.head for one in objects[:1])
        person = subject.person if subject is not None else ""
        within = verb.at in self.conditions
        start, end = self._span(verb.at, verb.at + 1)
        if verb.passive:
            about, person = frozenset((subject.head,)) if subject is not None else about, ""
            if does == GET and subject is not None:
                person = subject.person
        elif subject is None and self._is_imperative(verb):
            person = self.context.doer
        if does == LOSE and verb.does == "take":
            person = next((one.person for one in objects[1:] if one.person), "")
        if does == BE:
            about = self._complement(verb.at)
            does = BE if about else ""
        if not does:
            return
        if verb.modal != DOES or not within:
            yield Fact("may", verb.modal, does, about, start, end, within)
        if person and verb.modal != NOT:
            first = self._span(subject.start, verb.at + 1)[0] if subject is not None else start
            yield Fact("who", person, does, about, first, end, within)

    def _complement(self, at: int) -> frozenset[str]:
        """What somebody is said to be: `dazzled`."""
        ahead = range(at + 1, min(at + 4, len(self.words)))
        words = [self.words[one] for one in ahead]
        return frozenset(
            one.text.lower() for one in words if one.lemma not in FUNCTION_WORDS and one.text.isalpha()
        )

    def _is_imperative(self, verb: _Verb) -> bool:
        before = self.text(verb.at - 1)
        plain = self.lexicon.forms.get(self.text(verb.at)) == self.text(verb.at)
        return plain and before in ("", ",", "and", "then", "or", "but", "otherwise", "may", "(", "afterwards")

    def _of_phrase(self, phrase: NounPhrase) -> Iterator[Fact]:
        verb, about = self._verb_of(phrase), frozenset((phrase.head,))
        start, end = self._span(phrase.start, phrase.end)
        within = phrase.start in self.conditions
        amount = phrase.amount
        if amount is not None and self.context.often != 1:
            often = self.context.often
            known = often is not None and amount.bound == "exactly"
            amount = Amount("exactly", (amount.number or 1) * (often or 1)) if known else None
        if amount is not None and phrase.person not in PERSONS.values():
            yield Fact("amount", amount, verb, about, start, end, within)
        if phrase.owner:
            yield Fact("whose", phrase.owner, verb, about, start, end, within)
        for preposition, place in phrase.places:
            sort = "to" if preposition in ("into", "on", "onto") else "from"
            if place not in ("all",):
                yield Fact(f"place {sort}", place, verb, about, start, end, within)
        before = self.text(phrase.start - 1)
        if before in ("from", "into", "onto", "to", "on") and not phrase.person:
            yield Fact(f"place {'from' if before == 'from' else 'to'}", phrase.head, verb, frozenset(("",)), start, end, within)
        for one in phrase.words[:-1]:
            if enum := self.lexicon.options.get(one):
                yield Fact(f"option {enum}", one, verb, about, start, end, within)

    # ------------------------------------------------------------------------- ways and times

    def _ways(self) -> Iterator[Fact]:
        for at, word in enumerate(self.words):
            name = POINTS.get(word.text) if self.text(at - 1) in ("face", "facing", "spaces", "way") else None
            axis, value = WAYS.get(name or word.text.lower(), ("", ""))
            if axis == "side":
                near = self.text(at - 1) in _BEFORE_SIDES
                if not near and self.text(at + 1) != "neighbour":
                    continue
            if axis == "end of a pile" and not re.search(r"\b(?:pile|deck|cards?)\b", self._said):
                continue
            if axis:
                yield Fact(axis, value, "", frozenset(), *self._span(at, at + 1))

    def _times(self) -> Iterator[Fact]:
        for at in range(len(self.words)):
            for words, value in _TIMES.items():
                many = len(words.split())
                if " ".join(self.text(one) for one in range(at, at + many)) != words:
                    continue
                until = at + many
                while until < min(len(self.words), at + many + 8) and self.text(until) not in (",", "("):
                    until += 1
                about = self._content(at + many, until)
                said = {self.words[one].lemma for one in range(at + many, until)}
                when = value
                if value == AT and {"begin", "start"} & said:
                    when = EARLY
                elif value == AT and ({"end", "over"} & said):
                    when = LATE
                elif value == AT and {"would", "about"} & said:
                    when = ""
                elif value == EARLY and {"end", "over"} & said:
                    when = ""
                if when:
                    yield Fact("time", when, "", about - _TIMELESS, *self._span(at, until))
                break

    def _content(self, start: int, end: int) -> frozenset[str]:
        """The content words of a stretch."""
        some = self.words[max(0, start) : max(0, end)]
        return frozenset(
            one.lemma
            for one in some
            if one.text[:1].isalpha() and one.lemma not in FUNCTION_WORDS and one.lemma not in NUMBERS
        )

    def _stretch(self, at: int) -> tuple[int, int]:
        """The stretch between commas, `and`, `but` around a word."""
        start = end = at
        while start > 0 and self.text(start - 1) not in _STOPS:
            start -= 1
        while end < len(self.words) and self.text(end) not in _STOPS:
            end += 1
        return start, end

    # --------------------------------------------------------------------- comparisons, changes

    def _comparisons(self) -> Iterator[Fact]:
        for at in range(len(self.words)):
            yield from self._bound_at(at)
            yield from self._extreme_at(at)
            yield from self._than_at(at)

    def _bound_at(self, at: int) -> Iterator[Fact]:
        """`at least 3`: the interval that a number is in."""
        for words, (sign, shift) in _LIMITS.items():
            many = len(words.split())
            if " ".join(self.text(one) for one in range(at, at + many)) != words:
                continue
            number = self._number(at + many)
            if number is None or (words in ("more than", "less than", "fewer than") and self.text(at - 1) == "no"):
                continue
            start, end = self._stretch(at)
            value = (sign, number + shift)
            if {self.text(one) for one in range(start, at)} & {"unless", "not", "never"}:
                value = (-sign, number + shift - sign)
            about = self._content(start, end)
            yield Fact("limit", value, "", about, *self._span(at, at + many + 1))
            return
        number = self._number(at)
        behind = f"{self.text(at + 1)} {self.text(at + 2)}"
        if number is not None and behind in _BEHIND:
            start, end = self._stretch(at)
            yield Fact("limit", (_BEHIND[behind], number), "", self._content(start, end), *self._span(at, at + 3))

    def _number(self, at: int) -> int | None:
        word = self.text(at)
        return int(word) if word.isdigit() else NUMBERS.get(word)

    def _extreme_at(self, at: int) -> Iterator[Fact]:
        word = self.text(at)
        value = "largest" if word in LARGEST else "smallest" if word in SMALLEST else ""
        if value and self.text(at - 1) in ("the", "with", "whose", "your") and self.text(at - 2) != "at":
            about = self._content(at + 1, at + 3)
            yield Fact("extreme", value, "", about, *self._span(at, at + 1))

    def _than_at(self, at: int) -> Iterator[Fact]:
        """`a higher score than you`: more or less, as seen by others than you."""
        word = self.text(at)
        value = 1 if word in MORE else -1 if word in LESS else 0
        than = next((one for one in range(at + 1, at + 5) if self.text(one) == "than"), None)
        if not value or than is None or self._number(than + 1) is not None:
            return
        mine = {"you", "your", "yours"}
        start, _ = self._stretch(at)
        left = mine & {self.text(one) for one in range(start, at)}
        right = mine & {self.text(one) for one in range(than, min(len(self.words), than + 5))}
        if bool(left) == bool(right):
            return
        about = self._content(start, than)
        yield Fact("than", -value if left else value, "", about, *self._span(at, than + 1))

    def _changes(self) -> Iterator[Fact]:
        """How much something is higher or lower; what is got or lost."""
        for at in range(len(self.words)):
            number, word = self._number(at), self.text(at)
            number = 1 if word in ("a", "an") else number
            if number is None:
                continue
            signs = [(one, _sign(self.text(one))) for one in (at + 1, at + 2)]
            sign = next(((one, sign) for one, sign in signs if sign and self.text(one + 1) != "than"), None)
            if sign is None or self.text(at - 1) in ("than", "least", "most"):
                continue
            start, end = self._stretch(at)
            about = self._content(start, end) - _COUNTED
            yield Fact("change", (sign[1], number), "", about, *self._span(at, sign[0] + 1))
        yield from self._gains()

    def _gains(self) -> Iterator[Fact]:
        for verb in self.verbs:
            does, plain = self._does(verb), self.lexicon.forms.get(self.text(verb.at), "")
            sign = {GET: 1, LOSE: -1}.get(does, 0)
            start, end = self._stretch(verb.at)
            raised = 1 if plain in RAISES else -1 if plain in LOWERS else 0
            number = next((one for one in map(self._number, range(verb.at, end)) if one is not None), None)
            if raised and not sign and number is not None:
                about = self._content(verb.at + 1, end) - _COUNTED
                yield Fact("change", (raised, number), "", about, *self._span(verb.at, end))
            elif plain == "take" and number is not None and "from" in self._said and not sign:
                about = self._content(verb.at + 1, end) - _COUNTED
                yield Fact("change", (-1, number), "", about, *self._span(verb.at, end))
            elif sign and number is not None and verb.modal != NOT:
                things = self._content(start, end) - _COUNTED
                about = frozenset(one for one in things if one not in self.lexicon.forms)
                yield Fact("change", (sign, number), "", about, *self._span(verb.at, end))


def _sign(word: str) -> int:
    return 1 if word in MORE else -1 if word in LESS else 0


def _is_number(phrase: NounPhrase) -> bool:
    """Whether a phrase is an amount of something in capitals: `3 EI`."""
    return phrase.head.isupper()


_IF = ("if", "when", "whenever", "while", "unless", "who", "whose", "which", "that", "whoever", "until")
_BOUND_WORDS = ("at", "more", "less", "fewer", "no", "exactly")
_MODALS = {
    **dict.fromkeys(("may", "can", "might"), MAY),
    "must": MUST,
    **dict.fromkeys(("cannot", "not", "never"), NOT),
}
_BETWEEN = ("may", "can", "must", "also", "then", "always", "has", "have", "to", "is", "are", "would", "will")
_PREPOSITIONS = ("of", "from", "in", "on", "into", "to", "by", "with", "for", "at", "against", "under", "than")
_BEFORE_SIDES = ("your", "the", "their", "his", "her", "to", "its", "on")
_TIMES = {
    "before": EARLY,
    "at the start of": EARLY,
    "at the beginning of": EARLY,
    "after": LATE,
    "at the end of": LATE,
    "when": AT,
    "whenever": AT,
    "once": AT,
}
_TIMELESS = frozenset("begin start end over have player each time".split())
_STOPS = (",", "and", "but", "(", "while", "if", "then", "or")
_LIMITS = {
    "at least": (1, 0),
    "no fewer than": (1, 0),
    "no less than": (1, 0),
    "more than": (1, 1),
    "at most": (-1, 0),
    "no more than": (-1, 0),
    "not more than": (-1, 0),
    "fewer than": (-1, -1),
    "less than": (-1, -1),
}
_BEHIND = {"or more": 1, "or fewer": -1, "or less": -1}
_COUNTED = frozenset("die point extra player character amount number higher lower better worse take add".split())
