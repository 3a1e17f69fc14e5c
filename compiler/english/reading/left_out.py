"""Finds costs and conditions that the rules have and a text leaves out, although it tells the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ruleloom.compiler.english.page import Sort, Step
from ruleloom.compiler.english.reading.facts import NOT, Fact
from ruleloom.compiler.english.reading.lexicon import FUNCTION_WORDS, LOSE, YOU, Lexicon, word_set
from ruleloom.compiler.english.reading.phrases import words_of
from ruleloom.compiler.english.reading.rules import facts_of_steps, facts_of_text


class Omission(NamedTuple):
    """What a text leaves out: a `cost` or a `condition`, in the words of the rules, and what the text says of
    the rest."""

    sort: str
    told: str
    words: str


def left_out(
    text: str, said: Iterable[Fact], steps: Sequence[Step], told: Iterable[Fact], lexicon: Lexicon
) -> Iterator[Omission]:
    """The costs and conditions left out of a text that says nothing else than the rules, with the facts
    of both."""
    said, told = _acts(said), _acts(told)
    if not said or not all(_match(told, (one,)) for one in said):
        return
    for condition, inner in _conditions(steps):
        yield from _unconditional(text, condition, inner, lexicon)
    if _lemmas(text, lexicon).isdisjoint(_COSTLY):
        costs = [one for one in told if one.axis == "who" and _is_cost(one)]
        yield from (Omission("cost", one.words, said[0].words) for one in costs[:1])


def _unconditional(
    text: str, condition: str, inner: Sequence[Step], lexicon: Lexicon
) -> Iterator[Omission]:
    """The sentences that tell what is done on a condition without it."""
    about = _content(condition, lexicon)
    about -= {lemma for step in inner for lemma in _content(step.text, lexicon)}
    acts = _acts(facts_of_steps(inner, lexicon))
    for sentence, around in _without_condition(text, lexicon):
        match = _match(_acts(facts_of_text(sentence, lexicon)), acts)
        if match is not None and about and about.isdisjoint(around):
            yield Omission("condition", condition, match.words)


def _acts(facts: Iterable[Fact]) -> list[Fact]:
    """The facts on what is done."""
    some = [one for one in facts if one.axis in ("may", "who")]
    return [one for one in some if one.value != NOT and not one.within]


def _match(some: Iterable[Fact], others: Sequence[Fact]) -> Fact | None:
    """The first that tells the same act as one of the others."""
    return next((one for one in some if any(_alike(one, other) for other in others)), None)


def _lemmas(text: str, lexicon: Lexicon) -> set[str]:
    return {one.lemma for one in words_of(text, lexicon)}


def _without_condition(text: str, lexicon: Lexicon) -> Iterator[tuple[str, set[str]]]:
    """The sentences of a text without a condition, each with the words of the ones beside it."""
    parts = re.split(r"(?<=[.!?])\s+", text)
    lemmas = [_lemmas(part, lexicon) for part in parts]
    for at, part in enumerate(parts):
        around = set[str]().union(*lemmas[max(0, at - 1) : at + 1])
        if lemmas[at + 1 : at + 2] and lemmas[at + 1] & {"only", "this", "that"}:
            around |= lemmas[at + 1]
        if around.isdisjoint(_CONDITIONAL):
            yield part, around


def _content(text: str, lexicon: Lexicon) -> set[str]:
    """The content words of a text."""
    lemmas = {one.lemma for one in words_of(text, lexicon) if one.text[:1].isalpha()}
    return lemmas - FUNCTION_WORDS


def _alike(one: Fact, other: Fact) -> bool:
    return one.verb == other.verb and bool(one.about & other.about)


def _is_cost(fact: Fact) -> bool:
    return fact.verb in (LOSE, "discard") and fact.value == YOU


def _conditions(steps: Sequence[Step]) -> Iterator[tuple[str, Sequence[Step]]]:
    """The conditions of steps, each with what it is for; not that there is something at all."""
    for step in steps:
        if step.sort == Sort.IF and not re.match(
            r"there (?:is|are) (?!at|more|fewer|less)|so\b", step.text
        ):
            yield step.text, step.inner
        for condition, rest in re.findall(r"\bif ([^,;:]+), ([^;]+)", step.text):
            yield condition, (Step(rest),)


_CONDITIONAL = word_set(
    "if when whenever unless while only until who whose that which whoever with without succeed fail "
    "hit miss once against case long success failure"
)
_COSTLY = word_set(
    "cost price pay spend lose discard throw give sacrifice burn exchange swap for from take"
)
