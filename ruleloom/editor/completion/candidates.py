"""The candidates of completion: one class for all of them, and their order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ruleloom.compiler.analysis.words import GameWord
from ruleloom.runtime.dataclass import dataclass

MOST_SHOWN = 400
HOLE = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing to write: `insert` is a snippet where `is_snippet`, `score` how likely it is."""

    label: str
    sort: str
    score: float = 0.0
    detail: str = ""
    english: str = ""
    insert: str = ""
    is_snippet: bool = False

    @property
    def text(self) -> str:
        """The text that is inserted."""
        return self.insert or self.label


@dataclass(frozen=True, slots=True)
class Completions:
    """The candidates at a place, the likeliest first, and the stretch of the word."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    is_complete: bool = True


def offered(start: int, end: int, word: str, found: Iterable[Candidate]) -> Completions:
    """The candidates for what stands of a word, each label once, the likeliest first."""
    best: dict[str, Candidate] = {}
    for one in found:
        known = best.get(one.label)
        if known is None or one.score > known.score:
            best[one.label] = one
    fitting = [(fit, one) for one in best.values() if (fit := match(word, one.label))]
    ranked = sorted(fitting, key=lambda pair: (-pair[0], -pair[1].score, pair[1].label))
    shown = tuple(one for _, one in ranked[:MOST_SHOWN])
    return Completions(start, end, shown, len(ranked) <= MOST_SHOWN)


def match(word: str, label: str) -> int:
    """How well a label fits what is written: 3 as its beginning, 2 but for capitals, 1 within a name
    of several words, 0 not at all."""
    if label.startswith(word):
        return 3
    found = _begun_with(word).search(label)
    if found is None:
        return 0
    return 1 if found.start() else 2


@lru_cache(maxsize=64)
def _begun_with(word: str) -> re.Pattern[str]:
    """The pattern of names that begin with a word, or have a part that does; `-` and `_` are the same."""
    letters = ("[-_]" if sign in "-_" else re.escape(sign) for sign in word)
    return re.compile(f"(?:^|[-_/:]){''.join(letters)}", re.IGNORECASE)


def spoken(english: str) -> str:
    """English with its holes as plain words."""
    if "{" not in english:
        return english
    return HOLE.sub(lambda hole: hole[1].replace("_", " "), english)


def call_snippet(word: GameWord) -> tuple[str, bool]:
    """How a word is inserted: with a stop for each argument that it needs."""
    if word.params is None:
        return word.name, False
    if not word.needed and word.sort == "power":
        return word.name, False
    stops = ", ".join(f"${{{number}:{param.name}}}" for number, param in enumerate(word.needed, 1))
    return f"{word.name}({stops})", True
