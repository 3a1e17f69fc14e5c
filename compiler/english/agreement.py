"""Agreement: what stands around a hole of a phrase, and what fills it, as they fit each other.

A hole is fitted once, when it is filled, between the author's words before and behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ruleloom.compiler.english.word import capital, plain_verb, singular, with_article
from ruleloom.runtime.program.texts import SINGULAR

SingularOf = Callable[[str], str]
"""The word for one of several things that a game knows; empty for any other word."""

PRONOUNS = {"it": "its", "you": "your"}
# What begins a phrase before which no other article can stand.
_DETERMINERS = ("the", "your", "its", "that", "a", "an", "every")
_LINKS = r"(?:the|of|to|from|on|in|by|with|that|and|a|an|plus|minus|times) "
# Before a hole: the article of what fills it, what it owns, and a question about it.
_ARTICLE = re.compile(r"(?<![\w'’-])(the|an?|some|your|its) $", re.IGNORECASE)
_OWNED = re.compile(rf"\bthe ((?:(?!{_LINKS})[\w-]+ ){{0,2}}[\w-]+) of $", re.IGNORECASE)
_OF = re.compile(r"(?<! front)(?<! ahead)(?<! instead)(?<! because)(?<! out)(?<! top) of $")
_ASKED = re.compile(r"\b(has|does|is) $", re.IGNORECASE)
# Behind a hole: a verb that agrees with it, and the things that it counts.
_VERB = re.compile(r" (?:(?:alone|also|only|never|always|then|still|no longer) )?([a-z]+s)\b")
_COUNTED = re.compile(r" (?:(more|fewer|next|other|waiting|remaining) )?((?:[a-z]+ )*?[a-z]+)\b")
_TIMES = re.compile(r" times(?= (?:\(|as |the |its |your |their |[A-Z]))")
NO_VERBS = ("as", "this", "its", "us", "plus", "minus", "less", "times")
_SAID_AGAIN = ("that", "had", "is", "it", "you")


def nothing_counted(_: str) -> str:
    """The singular of no word."""
    return ""


class Fitted(NamedTuple):
    """The words of a hole between those before and behind it."""

    before: str
    words: str
    behind: str


def fitted(before: str, words: str, behind: str, singular_of: SingularOf) -> Fitted:
    """A hole that is filled; `singular_of` tells things from verbs."""
    if words in PRONOUNS:
        return _of_pronoun(before, words, behind, singular_of)
    before, words = led(_without_echo(before, words), words)
    if words == "1":
        behind = _of_one(before, behind, singular_of)
    elif words == "2" and not before.endswith("most ") and (found := _TIMES.match(behind)):
        words, behind = "twice", behind[found.end() :]
    return Fitted(before, words, unrepeated(words, behind))


def _of_pronoun(before: str, words: str, behind: str, singular_of: SingularOf) -> Fitted:
    """`your hand` for the hand of `you`, `its owner` for the owner of `it`, and `you have`."""
    before = _ARTICLE.sub("", before)
    if not behind.startswith(" and "):
        if owned := _OWNED.search(before):
            return Fitted(before[: owned.start()], f"{PRONOUNS[words]} {owned[1]}", behind)
        if words == "you" and _OF.search(before):
            return Fitted(before, "yours", behind)
    if words == "you":
        before = _ASKED.sub(lambda found: f"{_asked(found[1])} ", before)
        behind = agreeing(behind, singular_of)
    return Fitted(before, words, behind)


def _asked(verb: str) -> str:
    plain = plain_verb(verb.lower())
    return capital(plain) if verb[0].isupper() else plain


def agreeing(behind: str, singular_of: SingularOf = nothing_counted) -> str:
    """What stands behind `you`, with the verb that it begins with: ` has a hat` as ` have a hat`."""
    verb = _VERB.match(behind)
    if verb is None or verb[1] in NO_VERBS or singular_of(verb[1]):
        return behind
    return behind[: verb.start(1)] + plain_verb(verb[1]) + behind[verb.end() :]


def led(before: str, words: str) -> tuple[str, str]:
    """What leads to a phrase, and the phrase, with one article for both of them."""
    article = _ARTICLE.search(before)
    if article is None or not words:
        return before, words
    first, _, rest = words.partition(" ")
    own = article[1].lower()
    if own in ("some", "your", "its"):
        stays = own == "some" and first == "the"
        return before, rest if first in ("a", "an", "the") and not stays else words
    if first in _DETERMINERS:
        return before[: article.start()], words
    if own == "a" and words[0].islower():
        return before[: article.start(1)], with_article(words)
    return before, words


def _of_one(before: str, behind: str, singular_of: SingularOf) -> str:
    """What stands behind a 1, where it says what is counted: ` cards` as ` card`."""
    things = _COUNTED.match(behind)
    if things is None or before.endswith(("than ", "plus ", "minus ")):
        return behind
    how, words = things.groups()
    several = next((one for one in _heads(words) if singular_of(one) or one in SINGULAR), "")
    if not several and how in ("more", "fewer"):
        several = words.partition(" ")[0]
    return behind.replace(
        several, singular_of(several) or SINGULAR.get(several) or singular(several), 1
    )


def _heads(words: str) -> list[str]:
    """The beginnings of some words, the longest first."""
    parts = words.split(" ")
    return [" ".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _without_echo(before: str, words: str) -> str:
    """What leads to a phrase, without the words that this begins with: `under the name the name`."""
    for many in range(len(said := words.removeprefix("the ").split(" ")), 0, -1):
        again = f" {' '.join(said[:many])} "
        if len(again) > 4 and said[0] not in _SAID_AGAIN and before.endswith(again):
            return before[: 1 - len(again)]
    return before


def unrepeated(words: str, behind: str) -> str:
    """What stands behind a phrase, without the words that this has ended with: `the rain rain`."""
    if not behind.startswith(" "):
        return behind
    said, tail = words.split(" "), behind[1:].split(" ")
    for many in range(min(len(said), len(tail)), 0, -1):
        again = " ".join(said[-many:])
        rest = behind[1 + len(again) :]
        plain = said[-many] not in _SAID_AGAIN and (len(said[-1]) > 2 or again.isupper())
        if plain and behind[1:].startswith(again) and not rest[:1].isalnum():
            return rest
    return behind
