"""German noun phrases: articles, adjectives and nouns by gender, number and case.

A phrase is written as in a dictionary, with its definite article: `der kleine Stein`, `die Karte`,
`die Liebenden (Pl.)`; a masculine noun of the weak declension shows its ending: `der Narr (-en)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    r"(?P<article>der|die|das) (?P<adjectives>(?:[a-zäöüß{}]+en?\b ?)*)"
    r"(?P<noun>[A-ZÄÖÜ][\w-]*)(?P<rest>.*?)(?: \((?P<sign>Pl\.|-e?n)\))?"
)


def declined(text: str, indefinite: bool = False) -> str:
    """A phrase in all its cases; any other text as it is."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return text if text.startswith("{") else _undeclined(text)
    gender = PLURAL if found["sign"] == "Pl." else _GENDERS[found["article"]]
    articles, endings = (INDEFINITE, _MIXED) if indefinite else (DEFINITE, _WEAK)
    adjectives = [re.sub("en?$", "", one) for one in found["adjectives"].split()]
    forms = {}
    for number, case in enumerate(CASES):
        words = [f"{one}{endings[gender][number]}" for one in adjectives]
        noun = _noun(found["noun"], gender, found["sign"] or "", number)
        head = " ".join(filter(None, (articles[gender][number], *words, noun)))
        forms[case] = f"{head}{found['rest']}"
    return Phrase.of(capital(forms["nom"]), {**forms, **_led(forms["dat"])})


def _undeclined(name: str) -> str:
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


def capital(text: str) -> str:
    """The text with a capital at its start."""
    return f"{text[:1].upper()}{text[1:]}"


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
