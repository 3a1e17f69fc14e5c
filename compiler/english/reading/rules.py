"""The facts of an item's rules, read from their steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleloom.compiler.english.page import Sort, Step
from ruleloom.compiler.english.reading.facts import MAY, PLAIN, Context, Fact, Reading
from ruleloom.compiler.english.reading.words import NUMBERS, PERSONS, TIMES, Lexicon


def facts_of_steps(steps: Sequence[Step], lexicon: Lexicon) -> list[Fact]:
    """The facts of the steps of an item."""
    reading = Reading(lexicon)
    _read(steps, reading, PLAIN)
    return reading.facts


def facts_of_text(text: str, lexicon: Lexicon) -> list[Fact]:
    """The facts of a text."""
    reading = Reading(lexicon)
    reading.read(text)
    return reading.facts


def _read(steps: Iterable[Step], reading: Reading, context: Context) -> None:
    for step in steps:
        inner = context
        if step.may:
            inner = inner._replace(modal=MAY)
        if step.who:
            inner = inner._replace(doer=PERSONS.get(step.who.removeprefix("the ").lower(), step.who))
        if step.sort in (Sort.IF, Sort.EVENT):
            reading.read(f"{step.head}{step.rest}", context._replace(within=True))
        elif step.sort == Sort.OFTEN:
            inner = inner._replace(often=_often(step.text))
        elif step.sort == Sort.EACH:
            reading.read(step.text, context)
        else:
            reading.read(f"{step.head}{step.rest}", inner)
        _read(step.inner, reading, inner)
        for mode in step.modes:
            reading.read(mode.label, inner)
            _read(mode.steps, reading, inner._replace(often=None))


def _often(text: str) -> int | None:
    """How many times, if that is a number."""
    words = text.lower().split()
    if words[:1] and words[0] in TIMES:
        return TIMES[words[0]]
    return NUMBERS.get(words[0]) if words[1:2] == ["times"] else None
