"""German noun phrases: articles, adjectives and nouns by gender, number and case.

A phrase is written as in a dictionary, with its definite article: `der kleine Stein`, `die Karte`,
`die Liebenden (Pl.)`; a masculine noun of the weak declension shows its ending: `der Narr (-en)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleloom.compiler.english.word import capital
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.language import Phrase

CASES = ("nom", "akk", "dat", "gen")
DATIVE, GENITIVE = 2, 3
MASCULINE, FEMININE, NEUTER, PLURAL = "m", "f", "n", "pl"
PREPOSITIONS = ("von", "zu")
"""The forms of a phrase with its preposition."""
_MERGED = {("von", "dem"): "vom", ("zu", "dem"): "zum", ("zu", "der"): "zur"}
_GENDERS = {"der": MASCULINE, "die": FEMININE, "das": NEUTER}
DEFINITE: Mapping[str, tuple[str, str, str, str]] = {
    MASCULINE: ("der", "den", "dem", "des"),
    FEMININE: ("die", "die", "der", "der"),
    NEUTER: ("das", "das", "dem", "des"),
    PLURAL: ("die", "die", "den", "der"),
}
INDEFINITE: Mapping[str, tuple[str, str, str, str]] = {
    MASCULINE: ("ein", "einen", "einem", "eines"),
    FEMININE: ("eine", "eine", "einer", "einer"),
    NEUTER: ("ein", "ein", "einem", "eines"),
    PLURAL: ("", "", "", ""),
}
# The endings of an adjective behind each article.
_WEAK = {
    MASCULINE: ("e", "en", "en", "en"),
    FEMININE: ("e", "e", "en", "en"),
    NEUTER: ("e", "e", "en", "en"),
    PLURAL: ("en", "en", "en", "en"),
}
_MIXED = {
    MASCULINE: ("er", "en", "en", "en"),
    FEMININE: ("e", "e", "en", "en"),
    NEUTER: ("es", "es", "en", "en"),
    PLURAL: ("e", "e", "en", "er"),
}
_WRITTEN = re.compile(
    r"(?P<article>der|die|das) (?P<adjectives>(?:[a-zäöüß{}]+en? )*)"
    r"(?P<noun>[A-ZÄÖÜ][\w-]*)(?P<rest>.*?)(?: \((?P<sign>Pl\.|-e?n)\))?"
)
Articles = Mapping[str, tuple[str, str, str, str]]
"""What stands before a noun, by its gender or number and its case."""


class Determiner(Frozen):
    """What stands before a noun, and the endings of adjectives behind it."""

    articles: Articles
    endings: Articles


def like_ein(stem: str) -> Determiner:
    """`kein`, `dein`: as `ein`, and in the plural as `der`."""
    singular = {
        gender: tuple(f"{stem}{one[3:]}" for one in forms) for gender, forms in INDEFINITE.items()
    }
    endings = ("e", "e", "en", "er")
    several = tuple(f"{stem}{one}" for one in endings)
    return Determiner({**singular, PLURAL: several}, {**_MIXED, PLURAL: _WEAK[PLURAL]})  # type: ignore[dict-item]


THE, A = Determiner(DEFINITE, _WEAK), Determiner(INDEFINITE, _MIXED)
NO, YOUR = like_ein("kein"), like_ein("dein")
EVERY = Determiner(
    {
        MASCULINE: ("jeder", "jeden", "jedem", "jedes"),
        FEMININE: ("jede", "jede", "jeder", "jeder"),
        NEUTER: ("jedes", "jedes", "jedem", "jedes"),
        PLURAL: ("alle", "alle", "allen", "aller"),
    },
    _WEAK,
)


class WrittenNoun(Frozen):
    """A noun with what belongs to it, as it is written in a dictionary."""

    gender: str
    adjectives: tuple[str, ...]
    noun: str
    sign: str
    rest: str

    @classmethod
    def read(cls, text: str) -> WrittenNoun | None:
        """A phrase with its definite article; None for any other text."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            return None
        gender = PLURAL if found["sign"] == "Pl." else _GENDERS[found["article"]]
        adjectives = (re.sub("en?$", "", one) for one in found["adjectives"].split())
        return cls(gender, tuple(adjectives), found["noun"], found["sign"] or "", found["rest"])

    def forms(self, determiner: Determiner) -> dict[str, str]:
        """The phrase in each case, and behind the prepositions that merge with an article."""
        forms = {}
        for number, case in enumerate(CASES):
            endings = determiner.endings[self.gender]
            words = [f"{one}{endings[number]}" for one in self.adjectives]
            noun = _noun(self.noun, self.gender, self.sign, number)
            article = determiner.articles[self.gender][number]
            head = " ".join(filter(None, (article, *words, noun)))
            forms[case] = f"{head}{self.rest}"
        return {**forms, **_led(forms["dat"])}


def declined(text: str, indefinite: bool = False) -> str:
    """A phrase in all its cases; any other text as it is."""
    phrase = WrittenNoun.read(text)
    if phrase is None:
        return text if text.startswith("{") else undeclined(text)
    forms = phrase.forms(A if indefinite else THE)
    return Phrase.of(capital(forms["nom"]), forms)


def undeclined(name: str) -> Phrase:
    """A name without an article, which is the same in all cases: `Kelche 4`."""
    return Phrase.of(name, {**dict.fromkeys(CASES, name), **_led(name)})


def _led(dative: str) -> dict[str, str]:
    """A phrase behind prepositions that merge with its article: `vom Turm`."""
    article, _, rest = dative.partition(" ")
    merged = {one: merged for (one, of), merged in _MERGED.items() if of == article}
    return {
        one: f"{merged[one]} {rest}" if one in merged else f"{one} {dative}" for one in PREPOSITIONS
    }


def _noun(noun: str, gender: str, sign: str, case: int) -> str:
    """A noun in a case, by its number."""
    if gender == PLURAL:
        return _of_many(noun, case)
    if gender == FEMININE or case == 0:
        return noun
    if gender == MASCULINE and (sign or noun.endswith("e")):
        return f"{noun}{sign.removeprefix('-') or 'n'}"
    return _genitive(noun) if case == GENITIVE else noun


def _of_many(noun: str, case: int) -> str:
    return f"{noun}n" if case == DATIVE and not noun.endswith(("n", "s")) else noun


def _genitive(noun: str) -> str:
    return f"{noun}es" if noun.endswith(("s", "ß", "x", "z")) else f"{noun}s"


# ------------------------------------------------------------------------------- numbers and lists

COUNTS = (
    *("kein", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf"),
)
_DIGITS = {word: number for number, word in enumerate(COUNTS) if number}
_FORMS_OF_ONE = ("eins", "einmal", "einfach", "eine", "einen", "einem", "einer", "eines")
_TIMES = {f"{word}mal": number for word, number in _DIGITS.items()}
_ORDINARY = ("ein", *_FORMS_OF_ONE)


def numbers_in(text: str) -> set[int]:
    """The numbers in a text, in digits or letters; not the article `ein`, which is no number."""
    words = re.findall(r"[a-zäöüß]+|\d+", text.lower())
    digits = {int(word) for word in words if word.isdigit()}
    named = {**_DIGITS, **_TIMES, "doppelt": 2}
    return digits | {named[word] for word in words if word in named and word not in _ORDINARY}
