"""The sentences that a language makes of the clause trees of rules texts, and the words that it lacks.

A sentence comes out whole or not at all: where a word lacks, the English stays, and the word is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Protocol

from ruleloom.compiler.english.clause_tree import ClauseTree, Unspoken, tree_of
from ruleloom.compiler.english.mark import MARK
from ruleloom.compiler.english.word import capital, sentence
from ruleloom.compiler.translation.rules_sentences import END, NUMBERED
from ruleloom.runtime.dataclass import Frozen


class Realiser(Protocol):
    """The tables of a language over the words of one game."""

    def sentence(self, tree: ClauseTree) -> str:
        """The sentence or line of a tree. Raises Unspoken."""

    def lacking(self) -> list[str]:
        """The English for which words have been missing since this was last asked."""


class Realised(Frozen):
    """Sentences by their English, their references as {1}, {2}; and the words that others want, each with one
    of these."""

    sentences: Mapping[str, str]
    wanted: Mapping[str, str]


def numbered(text: str) -> str:
    """A text with its cross-references numbered, as translations have it."""
    numbers = count(1)
    return MARK.sub(lambda _: f"{{{next(numbers)}}}", text)


def realised(told: Iterable[str], realiser: Realiser) -> Realised:
    """The sentences of all texts that have a tree; one that comes out in two ways is left out."""
    found: dict[str, str | None] = {}
    wanted: dict[str, str] = {}
    for text in told:
        tree = tree_of(text)
        if tree is None:
            continue
        english = numbered(text)
        try:
            said = _as_numbered(realiser.sentence(tree), MARK.findall(text))
        except Unspoken:
            for word in realiser.lacking():
                wanted.setdefault(word, english)
            continue
        for one, other in ((english, said), *_parts(english, said)):
            found[one] = other if found.get(one, other) == other else None
    return Realised({one: said for one, said in found.items() if said is not None}, wanted)


def standing_alone(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts without holes as headings and as sentences."""
    return {
        as_read(english): as_read(said)
        for english, said in texts.items()
        if "{" not in english
        for as_read in (capital, sentence)
    }


def _parts(english: str, said: str) -> Iterator[tuple[str, str]]:
    """The sentences of a text of several, as program texts are looked up, each with its own references."""
    parts, others = END.split(english), END.split(said)
    if len(parts) == len(others) > 1:
        for one, other in zip(parts, others, strict=True):
            if sorted(NUMBERED.findall(one)) == sorted(NUMBERED.findall(other)):
                yield _from_one(one), _from_one(other, NUMBERED.findall(one))


def _from_one(text: str, order: Sequence[str] = ()) -> str:
    """A part of a text, with its references numbered from 1."""
    order = order or NUMBERED.findall(text)
    return NUMBERED.sub(lambda found: f"{{{order.index(found[1]) + 1}}}", text)


def _as_numbered(said: str, marks: list[str]) -> str:
    """A sentence, each of its references by its number in the English."""
    left = [*enumerate(marks, 1)]

    def number_of(mark: str) -> str:
        at = next((one for one in left if one[1] == mark), None)
        if at is None:
            raise Unspoken(said)
        left.remove(at)
        return f"{{{at[0]}}}"

    text = MARK.sub(lambda found: number_of(found[0]), said)
    if left:
        raise Unspoken(said)  # a reference would be lost
    return text
