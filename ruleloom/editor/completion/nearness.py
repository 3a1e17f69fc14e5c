"""What stands near a place: names written just before or behind it are likely to be written again, and
of names in an order, such as the clauses of a ledger, the one that comes next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from ruleloom.compiler.analysis.words import slug_of

REACH = 1_500
FROM_NEAR, FROM_WORD, FROM_ITEM, FROM_PART = 0.05, 0.12, 0.1, 0.1
FROM_BEHIND, FROM_PAIR = 0.15, 0.25
PART, SHORT = re.compile(r"[a-z]+"), 2
WORD = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")


@lru_cache(maxsize=20_000)
def _parts_of(name: str) -> tuple[str, ...]:
    return tuple(PART.findall(name.lower()))


class Nearness:
    """The words around a place."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text[max(0, offset - REACH) : offset]
        self.text_behind = text[offset : offset + REACH]

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The words before the place as names are compared, the nearer the more they count."""
        return _nearest_most(reversed(WORD.findall(self.text)))

    @cached_property
    def words_behind(self) -> Mapping[str, float]:
        """The same of the words behind the place."""
        return _nearest_most(WORD.findall(self.text_behind))

    @cached_property
    def known(self) -> frozenset[str]:
        """All words around the place."""
        return frozenset([*self.words, *self.words_behind])

    @cached_property
    def followers(self) -> Mapping[str, float]:
        """The share of each word among those that follow the word before the place."""
        before = [slug_of(word) for word in WORD.findall(self.text)]
        behind = [slug_of(word) for word in WORD.findall(self.text_behind)]
        if not before:
            return {}
        last = before[-1]
        pairs = (*pairwise(before), *pairwise(behind))
        found = Counter(second for first, second in pairs if first == last)
        whole = found.total()
        return {word: count / (whole + 1) for word, count in found.items()}

    @cached_property
    def parts(self) -> Mapping[str, float]:
        """The parts of those words: what a case is called tells what it is about."""
        found: dict[str, float] = {}
        for number, part in enumerate(reversed(PART.findall(self.text.lower()))):
            if len(part) > SHORT:
                found.setdefault(part, 1 / (1 + number / 16))
        return found

    def of(self, name: str, id: str = "") -> float:
        """The weight of a name that stands near, or whose item does."""
        slug, score = slug_of(name), 0.0
        if slug in self.known:
            score += FROM_WORD * self.words.get(slug, 0.0)
            score += FROM_BEHIND * self.words_behind.get(slug, 0.0)
            score += FROM_PAIR * self.followers.get(slug, 0.0)
        parts = _parts_of(name)
        if len(parts) > 1:
            weights = [self.parts[part] for part in parts if part in self.parts]
            score += FROM_PART * sum(weights) / len(parts)
        if "/" in id:
            score += FROM_ITEM * self.words.get(slug_of(id.rpartition("/")[2]), 0.0)
        return score

    def following(self, names: Sequence[str]) -> Mapping[str, float]:
        """Of names of several parts those near the one that was written last, in their order."""
        if not names or "." not in names[0]:
            return {}
        at = {name: number for number, name in enumerate(names)}
        last = next((one for one in reversed(WORD.findall(self.text)) if one in at), None)
        if last is None:
            return {}
        begin = at[last]
        return {
            name: 1 / (number - begin if number > begin else 2 + 2 * (begin - number))
            for name, number in at.items()
            if number != begin
        }


def _nearest_most(words: Iterable[str]) -> dict[str, float]:
    """Words as names are compared, with weights that fall from the first to the last."""
    found: dict[str, float] = {}
    for number, word in enumerate(words):
        found.setdefault(slug_of(word), 1 / (1 + number / 8))
    return found


NOWHERE = Nearness("", 0)
