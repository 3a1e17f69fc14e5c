"""The difference of a variant from its base: `As Sun, but:` and what it has more, less or otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

SENTENCE = re.compile(r"(?<=[.!?])[ \n]+(?=[A-Z“(])")
NUMBER = re.compile(r"^ *[0-9a-z]+\. ")


def likeness(
    title: str, fields: tuple[str, str], rules: tuple[Sequence[str], Sequence[str]]
) -> str:
    """How a variant differs from the item of this title: the printed fields and the rules of both."""
    told = [*_fields(*(one.rstrip(".").split("; ") for one in fields)), *_rules(*rules)]
    return (
        "\n".join((f"As {title}, but:", *(f"- {one}" for one in told))) if told else f"As {title}."
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [one for one in SENTENCE.split(text) if one]


def unnumbered(steps: Iterable[str]) -> list[str]:
    """The steps of a list without their numbers."""
    return [NUMBER.sub("", one) for one in steps]


def _fields(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    old, new = list(map(_lowered, old)), list(map(_lowered, new))
    yield from (one for one in new if one and one not in old)
    labels = {one.partition(":")[0] for one in new}
    for label, colon, _ in (one.partition(":") for one in old):
        if label and label not in labels and not label[0].isdigit():  # as in `1d20`
            yield f"{'no' if colon else 'not'} {label}"


def _lowered(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _rules(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for op, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if op in ("replace", "delete"):
            yield f"not: {' '.join(old[start:end])}"
        if op in ("replace", "insert"):
            yield f"{'also' if op == 'insert' else 'instead'}: {' '.join(new[first:last])}"
