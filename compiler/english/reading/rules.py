"""Reads texts, and the steps of an item's rules, into facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleloom.compiler.english.page import Sort, Step
from ruleloom.compiler.english.reading.facts import (
    MAY,
    PLAIN,
    Around,
    Fact,
    Mentions,
    without_brackets,
)
from ruleloom.compiler.english.reading.lexicon import NUMBERS, TIMES, Lexicon
from ruleloom.compiler.english.reading.measures import measures
from ruleloom.compiler.english.reading.phrases import words_of
from ruleloom.compiler.english.reading.sentence import ReadSentence


class TextReader:
    """Reads sentences, one after the other: a noun phrase may refer to an earlier one."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.known = Mentions(lexicon)
        self.facts: list[Fact] = []

    def read(self, text: str, context: Around = PLAIN) -> None:
        """Add the facts of a text."""
        words = without_brackets(words_of(text, self.known.lexicon))
        at = 0
        for stop in range(len(words) + 1):
            if stop == len(words) or words[stop].text in ".;:!?":
                if stop > at:
                    sentence = ReadSentence(words[at:stop], self.known, context)
                    self.facts += (*sentence.facts(), *measures(sentence))
                at = stop + 1

    def read_steps(self, steps: Iterable[Step], context: Around = PLAIN) -> None:
        """Add the facts of the steps of an item."""
        for step in steps:
            inner = context._replace(modal=MAY) if step.may else context
            if step.who or step.sort == Sort.EACH:
                # Of what follows another's choice, or happens to each, nobody says who does it.
                inner = inner._replace(doer="")
            if step.sort == Sort.OFTEN:
                inner = inner._replace(often=_often(step.text))
            else:
                lone = step.sort in (Sort.IF, Sort.EVENT)
                within = context._replace(within=True) if lone else inner
                self.read(f"{step.who} {step.head}{step.rest}".lstrip(), within)
            self.read_steps(step.inner, inner)
            for mode in step.modes:
                self.read(mode.label, inner)
                self.read_steps(mode.steps, inner._replace(often=None))


def facts_of_steps(steps: Sequence[Step], lexicon: Lexicon) -> list[Fact]:
    """The facts of the steps of an item."""
    reading = TextReader(lexicon)
    reading.read_steps(steps)
    return reading.facts


def facts_of_text(text: str, lexicon: Lexicon) -> list[Fact]:
    """The facts of a text."""
    reading = TextReader(lexicon)
    reading.read(text)
    return reading.facts


def _often(text: str) -> int | None:
    """How many times, if that is a number."""
    words = text.lower().split()
    if words and words[0] in TIMES:
        return TIMES[words[0]]
    return NUMBERS.get(words[0]) if words[1:2] == ["times"] else None
